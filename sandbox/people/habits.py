"""Habits of speech as they come into a text: how somebody begins, and what they call others."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LOWERED = """
    a all and any anybody anything as at because but by can can't could did do does doesn't don't even every
    everybody everything few for from give had has have he he's her here here's his how how's i i'd i'll i'm
    i've if in is isn't it it'd it'll it's keep last leave let let's like look's make many maybe me mine most
    much my next nobody none not nothing of on once one only our out perhaps people put she she's should so some
    somebody something sometimes take tell that that'd that'll that's the their them there there'd there'll
    there's these they they'd they'll they're they've this those two was we we'd we'll we're we've were what
    what's when where which while who who's whoever with won't would you you'd you'll you're you've your yours
"""
LOWERED = frozenset(_LOWERED.split())  # first words that may stand inside a sentence
_FIRST = re.compile(r"[\w'’-]+")


def begun(text: str, start: str) -> str:
    """A text that begins with a habit, if its first word may stand inside a sentence."""
    first = _FIRST.match(text)
    if first is None or first[0].lower().replace("’", "'") not in LOWERED:
        return text
    rest = text if first[0] == "I" or first[0][:2] in ("I'", "I’") else text[0].lower() + text[1:]
    return led(start) + rest


def led(start: str) -> str:
    """A start as it stands before what it leads: "not being funny, but " needs no comma."""
    return f"{start} " if start.endswith((" but", " and")) or start in ("but", "and") else f"{start}, "


def as_called(text: str, calls: Mapping[str, str]) -> str:
    """A text in the mouth of somebody who has words of their own for some people. calls: first name -> that word."""
    for name, call in calls.items():
        text = re.sub(rf"\b{re.escape(name)}\b", call, text)
    return text
