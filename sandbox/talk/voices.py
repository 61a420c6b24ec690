"""How somebody's own habits of speech come into what they say: pet words, oaths, how they begin, end and call others.

They fill the slots they are made for before the general grammars do, and stand at the edge of other lines now and
then. A habit keeps away from where it would jar: from farewells and from what is grave.
"""

from __future__ import annotations

import re

from sandbox.core.chance import Stream
from sandbox.people.wording import add_opening, punctuate_opening
from sandbox.talk.lines import CIVIL, PRESSED
from sandbox.talk.question_say import Say

OWN = 0.75  # how often somebody's own word fills a slot that has one
START, CALL, END, ASIDE = 0.34, 0.1, 0.08, 0.14
PLAIN = CIVIL | {"sorry_for", "turn_aside", "dodge", "cold_reply"}  # moves that begin as they are
STATED = frozenset(
    ("opinion", "agree", "disagree", "share_news", "gossip", "react_gossip", "vent", "tell_plans", "tell_on")
)
GRAVE = frozenset(PRESSED) | {"comfort", "reassure", "snap", "cold_reply", "answer_low"}
IDLE = frozenset(("small_talk", "small_talk_back", "answer_fine", "answer_well", "tell_plans"))
HARSH = frozenset(("angry", "afraid", "contempt"))
_STATES = re.compile(  # a statement of some length, before which one can begin
    r"(?:I|It|There|That|This|My|The|A|We|They|Nobody|Somebody|Everybody)\b[^ ]*(?: [^ .!?]+){3}"
)
_LAST = re.compile(r"[.!?:;] ")


def own(slot: str, q: Say, chance: Stream) -> str:
    """Somebody's own words for a slot, with its punctuation, or "" to leave it to the grammar."""
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
    """Whether somebody is in no mood, or on no terms, to call another by a pet name."""
    return q.context.get("tie") == "sour" or q.context.get("mood") in HARSH


def habit(text: str, q: Say, chance: Stream) -> str:
    """A line with somebody's habit at its edge, if it has none yet, the line can bear one, and chance will."""
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
    """Whether a text holds one of somebody's habits already."""
    said, speech = text.lower(), q.speech
    return any(x.lower() in said for x in (*speech.starts, *speech.addresses, *speech.tags, *speech.oaths))


def _ended(text: str, end: str, marks: str) -> str:
    """A text that ends with a habit before its last mark, if that is one of these."""
    return f"{text[:-1]}, {end}{text[-1]}" if text and text[-1] in marks and not text.endswith("..") else text
