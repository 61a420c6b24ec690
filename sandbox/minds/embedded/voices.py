"""How somebody's own habits of speech come into what they say: pet words, oaths, how they begin, end and call others.

They fill the slots they are made for before the general grammars do, and stand at the edge of other lines now and
then. A habit keeps away from where it would jar: from farewells and from what is grave.
"""

from __future__ import annotations

import re

from sandbox.core.chance import Stream
from sandbox.talk.lines import PRESSED
from sandbox.talk.questions import Say

OWN = 0.75  # how often somebody's own word fills a slot that has one
START, CALL, END, ASIDE = 0.4, 0.17, 0.15, 0.26  # how often a line begins with theirs, calls, ends or wanders off so
BARE = frozenset(("greet", "preclose", "bye"))  # moves that begin and end as they are
STATED = frozenset(
    ("opinion", "agree", "disagree", "share_news", "gossip", "react_gossip", "vent", "tell_plans", "tell_on")
)
GRAVE = frozenset(PRESSED) | {"comfort", "reassure", "snap", "cold_reply", "answer_low"}
IDLE = frozenset(("small_talk", "small_talk_back", "answer_fine", "answer_well", "tell_plans"))
HARSH = frozenset(("angry", "afraid", "contempt"))
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
_LAST = re.compile(r"[.!?:;] ")
_FIRST = re.compile(r"[\w'’-]+")


def own(slot: str, q: Say, chance: Stream) -> str:
    """Somebody's own words for a slot, with its punctuation, or "" to leave it to the grammar."""
    speech = q.speech
    sour = q.context.get("tie") == "sour" or q.context.get("mood") in HARSH
    if slot == "opener" and speech.openers:
        form, ways = "{}", speech.openers
    elif slot == "filler" and speech.starts:
        return led(chance.choice(speech.starts)) if chance.unit() < OWN else ""
    elif slot == "address" and speech.addresses and not sour:
        form, ways = ", {}", speech.addresses
    elif slot == "tag" and speech.tags:
        form, ways = ", {}", speech.tags
    elif slot == "oath" and speech.oaths:
        form, ways = "{}", speech.oaths
    else:
        return ""
    return form.format(chance.choice(ways)) if chance.unit() < OWN else ""


def habit(text: str, q: Say, chance: Stream) -> str:
    """A line with somebody's habit at its edge, if it has none yet, the line can bear one, and chance will."""
    speech, move = q.speech, q.moves[-1]
    x = chance.unit()
    if marked(text, q):
        return text
    if move in IDLE and speech.asides and x > 1.0 - ASIDE and "?" not in text:
        return f"{text} {chance.choice(speech.asides)}"
    if x < START:
        return begun(text, chance.choice(speech.starts)) if speech.starts and move not in BARE else text
    if x < START + CALL:
        harsh = q.context.get("tie") == "sour" or q.context.get("mood") in HARSH or move in GRAVE
        return (
            text
            if harsh or not speech.addresses or q.slots.get("name", "") in text
            else _ended(text, chance.choice(speech.addresses), ".!?")
        )
    if x < START + CALL + END and speech.tags and move in STATED and "," not in _LAST.split(text[:-1])[-1]:
        return _ended(text, chance.choice(speech.tags), ".")
    return text


def marked(text: str, q: Say) -> bool:
    """Whether a text holds one of somebody's habits already."""
    said, speech = text.lower(), q.speech
    for habits in (speech.starts, speech.addresses, speech.tags, speech.oaths):
        for x in habits:
            if x.lower() in said:
                return True
    return False


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


def _ended(text: str, end: str, marks: str) -> str:
    """A text that ends with a habit before its last mark, if that is one of these."""
    return f"{text[:-1]}, {end}{text[-1]}" if text and text[-1] in marks and not text.endswith("..") else text
