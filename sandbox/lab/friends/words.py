"""The words of the embedded mind: our own lines (`texts.yaml`) by kind, topic and tone, and who is named in a text.

A mention is what stands in the text, "@handle", whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.lab.friends.model import COM, DM, POST, TONES

_AT = re.compile(r"@([a-z0-9]+)")
_WORD = re.compile(r"@?\w+")
NAMELESS = "nn"  # stands for a name where a text is looked at for how kind it is; no word that has a feeling
NAMED = ("Over to you, {at}.", "{at}, this is for you too.", "What do you say, {at}?")


class Texts(NamedTuple):
    """topics: each with what is said of it. lines: kind, tone -> ways to say it. asks: to be named in an answer."""

    topics: Mapping[str, tuple[str, ...]]
    lines: Mapping[tuple[str, str], tuple[str, ...]]
    asks: tuple[str, ...]


@cache
def texts() -> Texts:
    """The file as it ships."""
    faults = Faults()
    r = MappingReader(open_yaml(Path(__file__).with_name("texts.yaml"), faults))
    topics = {name: value.texts() for name, value in r.section("topics").entries()}
    kinds = r.section("lines")
    of = {kind: kinds.section(kind) for kind in (POST, COM, DM)}
    lines = {(kind, tone): of[kind].texts(tone) for kind in of for tone in TONES}
    found = Texts(topics, lines, r.texts("asks"))
    r.rest()
    assert not faults.errors, faults.errors
    return found


TOPICS = tuple(texts().topics)


def plain_topic(topic: str) -> str:
    """A topic normalised for comparison: lower case, without surplus blanks."""
    return " ".join(topic.casefold().split())


def compose_text(
    kind: str, tone: str, topic: str, name: str, lots: Sequence[float], at: str = "", asks: bool = False
) -> str:
    """A text. name: whom it is to. lots: four numbers in [0, 1) that choose the words. at: the handle of whom it
    names; asks: it asks to be named.
    """
    t = texts()
    known = t.topics.get(topic, ("there is more to be said",))
    line = _of(t.lines[kind, tone], lots[0]).format(topic=topic, said=_of(known, lots[1]), name=name)
    out = line[0].upper() + line[1:]
    out = re.sub(r"([.?] )([a-z])", lambda m: m[1] + m[2].upper(), out)
    if at:
        out += " " + _of(NAMED, lots[2]).format(at=f"@{at}")
    return f"{out} {_of(t.asks, lots[3])}" if asks else out


def _of(some: tuple[str, ...], lot: float) -> str:
    return some[int(lot * len(some))]


def find_mentions(text: str, handles: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers of people mentioned in a text, each once; unknown handles are ignored."""
    found = (handles.get(name, -1) for name in _AT.findall(text)) if "@" in text else ()
    return tuple(dict.fromkeys(i for i in found if i >= 0))


def remove_names(text: str, names: Collection[str]) -> str:
    """A text with NAMELESS instead of each "@..." and each of these names."""
    return _WORD.sub(lambda m: NAMELESS if m[0][0] == "@" or m[0] in names else m[0], text)


def asks_for_mention(text: str) -> bool:
    """Whether a text of ours asks to be named."""
    return text.endswith(texts().asks)
