"""Personal habits of speech: pet words, oaths, openings, endings and forms of address.

They replace the general grammars of their slots, and now and then are added to the edge of other lines; not in
farewells or grave lines, where they would jar.
"""

from __future__ import annotations

import re

from sandbox.core.chance import Stream
from sandbox.people.wording import add_opening, punctuate_opening
from sandbox.talk.lines import CIVIL, PRESSED
from sandbox.talk.saying import Say

OWN = 0.75  # chance that an own word fills its slot
START, CALL, END, ASIDE = 0.34, 0.1, 0.08, 0.14  # chances of an opening, address, tag and aside
PLAIN = CIVIL | {"sorry_for", "turn_aside", "dodge", "cold_reply"}  # moves that get no opening
STATED = frozenset(
    ("opinion", "agree", "disagree", "share_news", "gossip", "react_gossip", "vent", "tell_plans", "tell_on")
)
GRAVE = frozenset(PRESSED) | {"comfort", "reassure", "snap", "cold_reply", "answer_low"}
IDLE = frozenset(("small_talk", "small_talk_back", "answer_fine", "answer_well", "tell_plans"))
HARSH = frozenset(("angry", "afraid", "contempt"))
_STATES = re.compile(  # a statement long enough to take an opening
    r"(?:I|It|There|That|This|My|The|A|We|They|Nobody|Somebody|Everybody)\b[^ ]*(?: [^ .!?]+){3}"
)
_LAST = re.compile(r"[.!?:;] ")


def own(slot: str, q: Say, chance: Stream) -> str:
    """Somebody's own words for a slot, with punctuation; "" to leave it to the grammar."""
    speech = q.speech
    habits = {
        "opener": speech.openers,
        "filler": speech.starts,
        "address": () if _sour(q) else speech.addresses,
        "tag": speech.tags,
        "oath": speech.oaths,
    }.get(slot, ())
    if not habits or chance.unit() >= OWN:
        return ""
    found = chance.choice(habits)
    return punctuate_opening(found) if slot == "filler" else f", {found}" if slot in ("address", "tag") else found


def _sour(q: Say) -> bool:
    """Whether mood or tie forbids calling the other by a pet name."""
    return q.context.get("tie") == "sour" or q.context.get("mood") in HARSH


def habit(text: str, q: Say, chance: Stream) -> str:
    """A line with one of the speaker's habits added, by chance, if it has none yet and can take one."""
    speech, move = q.speech, q.moves[-1]
    x = chance.unit()
    if has_habit(text, q):
        return text
    if move in IDLE and speech.asides and x > 1.0 - ASIDE and "?" not in text:
        return f"{text} {chance.choice(speech.asides)}"
    if x < START:
        bears = speech.starts and move not in PLAIN and "?" not in text and _STATES.match(text)
        return add_opening(text, chance.choice(speech.starts)) if bears else text
    if x < START + CALL:
        if _sour(q) or move in GRAVE or not speech.addresses or q.slots.get("name", "") in text:
            return text
        return _ended(text, chance.choice(speech.addresses), ".!?")
    if x < START + CALL + END and speech.tags and move in STATED and "," not in _LAST.split(text[:-1])[-1]:
        return _ended(text, chance.choice(speech.tags), ".")
    return text


def has_habit(text: str, q: Say) -> bool:
    """Whether a text already contains one of the speaker's habits."""
    said, speech = text.lower(), q.speech
    return any(x.lower() in said for x in (*speech.starts, *speech.addresses, *speech.tags, *speech.oaths))


def _ended(text: str, end: str, marks: str) -> str:
    """A text with an ending inserted before its final mark, if that is one of `marks`."""
    return f"{text[:-1]}, {end}{text[-1]}" if text and text[-1] in marks and not text.endswith("..") else text
