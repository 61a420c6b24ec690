"""What sorts of causes there are: of moods, and of plans that no longer fit. Rules go by the sort, never by the words.

An event that moves a mood or upsets a plan says of which sort its cause is, beside the words it is told in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, get_args

from sandbox.people.needs import LackSort

# Of a mood. older: what is too small, or too long ago, to be told apart; waking: a concern one woke with; rumination:
# one that came back in a quiet hour; anticipation: of an occasion; sleep: a good night; LackSort: of what one needs;
# want: of money; rejection: being turned away; small_talk: words that named nothing; reflection: a thought of one's
# own; reading: what one has read; mark: an outcome that stays for days. And of all else what its clause is: a deed of
# one's own, a treatment by others, or an event.
Sort = Literal[
    "older", "waking", "rumination", "anticipation", "sleep", LackSort, "want", "rejection", "small_talk", "reflection",
    "reading", "mark", "deed", "treatment", "event",
]  # fmt: skip
MUSED: frozenset[Sort] = frozenset(
    ("waking", "rumination", "anticipation", "sleep")
)  # what one wakes with, or broods over
LACKS: frozenset[Sort] = frozenset(get_args(LackSort))
DONE_TO: frozenset[Sort] = LACKS | {"rejection", "treatment"}  # after "was": "hungry", "turned away by Mara"
OWN: frozenset[Sort] = frozenset(
    ("waking", "rumination", "sleep", "reading", "deed")
)  # lack their subject: "slept well"

# Of a plan that no longer fits ("" = it does): a need to see to, somebody to look for, a talk that ran over, hard
# words, going along with somebody.
Upset = Literal["", "need", "search", "overrun", "conflict", "invitation", "hindrance"]

# First words of a clause that lacks its subject, beside those in -ed.
DEEDS = frozenset((
    "was", "were", "had", "has", "did", "could", "got", "found", "came", "went", "won", "struck", "saw", "sat", "made",
    "lost", "learnt", "knew", "gave", "woke", "told", "said", "spoke", "paid", "let", "heard", "felt", "forgot", "fell",
    "took", "kept", "left", "caught", "met", "ran", "slept", "thought", "broke", "burnt", "spilt", "stood", "read",
    "wrote", "understood", "ate", "drank", "put", "swept", "drew", "held", "hid", "sang", "cut", "built", "chose",
    "brought", "set", "rang", "lit", "swung", "need", "would",
))  # fmt: skip
_DONE_TO = re.compile(r"[a-z]+ed( \w+)? by [A-Z]")


def lacks_subject(words: str) -> bool:
    """Whether a clause lacks its subject: "got it just right"."""
    first = words.split(maxsplit=1)[0].rstrip(",") if words else ""
    return first in DEEDS or (first.islower() and first.endswith("ed"))


def sort_of(words: str) -> Sort:
    """Of which sort a cause is of which there are words only, such as a deck's or a model's: what its clause is."""
    return "treatment" if _DONE_TO.match(words) else "deed" if lacks_subject(words) else "event"


# ---- events from before causes had sorts: their words were all there was

_WORDS: dict[str, Sort] = {
    "slept well": "sleep",
    "tired": "fatigue",
    "hungry": "hunger",
    "lonely": "loneliness",
    "overlooked": "neglect",
    "short of money": "want",
    "small talk": "small_talk",
}
_BEGINS: dict[str, Sort] = {
    "woke thinking about ": "waking",
    "could not stop thinking about ": "rumination",
    "looking forward to ": "anticipation",
    "turned away by ": "rejection",
}
_UPSETS: dict[str, Upset] = {
    "to find ": "search",
    "the talk ": "overrun",
    "the words with ": "conflict",
    "to go along with ": "invitation",
}


def sort_of_old(why: str) -> Sort:
    """Of which sort the cause of a mood is that had these words."""
    begun = next((sort for begin, sort in _BEGINS.items() if why.startswith(begin)), None)
    return begun or _WORDS.get(why) or sort_of(why)


def upset_of(why: str) -> Upset:
    """Of which sort the cause of a change of plans is that had these words; "" of a morning's plan, which had none."""
    return next((upset for begin, upset in _UPSETS.items() if why.startswith(begin)), "need" if why else "")


UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("felt", 1): lambda e: {**e, "sort": sort_of_old(e["why"])},
    ("planned", 1): lambda e: {**e, "upset": upset_of(e.get("why", ""))},
}
