"""Mood: a PAD vector that decays towards a person's rest, and the ledger of what moved it.

Formulas and sources: docs/mechanisms.md, Mood. The state is stored when it changes; what it is at a moment is
computed when read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from sandbox.core.events import r6
from sandbox.people.needs import LackSort
from sandbox.people.persona import BigFive, HalfLife

# Causes of a mood. older: the sum of causes too small or too old to list; waking: a concern one woke with; rumination:
# a concern that came back in a quiet hour; anticipation: of an occasion; sleep: a good night; LackSort: an unmet need;
# want: lack of money; rejection: being turned away; small_talk: talk about nothing in particular; reflection: one's
# own thought; reading: what one has read; mark: an outcome that stays for days. All others go by their clause: a deed
# of one's own, a treatment by others, or an event.
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

# Causes of a change of plan ("" = no change): a need to see to, somebody to look for, a talk that ran over, hard
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
    """The sort of a cause that comes as words only, such as a deck's or a model's, judged by its grammar."""
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
    """The sort of a mood's cause in an old save, judged by its wording."""
    begun = next((sort for begin, sort in _BEGINS.items() if why.startswith(begin)), None)
    return begun or _WORDS.get(why) or sort_of(why)


def upset_of(why: str) -> Upset:
    """The sort of a change of plan in an old save, judged by its wording; "" for a morning's plan, which had none."""
    return next((upset for begin, upset in _UPSETS.items() if why.startswith(begin)), "need" if why else "")


UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("felt", 1): lambda e: {**e, "sort": sort_of_old(e["why"])},
    ("planned", 1): lambda e: {**e, "upset": upset_of(e.get("why", ""))},
}


CAUSES_KEPT = 24  # causes kept in a ledger
FOLD = 0.005  # causes smaller than this are folded into "older"
MARKS, SPENT = 8, 0.02  # most marks of a person, and the size below which one is dropped when another comes


class Pad(NamedTuple):
    """Pleasure, arousal, dominance, each in [-1, 1]."""

    p: float
    a: float
    d: float


CALM = Pad(0.0, 0.0, 0.0)


class MoodParameters(msgspec.Struct, frozen=True):
    """half_life: minutes. temperament: rest at the Big Five temperament instead of neutral.

    fast, event, slow: size of a delta per unit of intensity, in talk, in other events, in reflection. limit: largest
    delta an axis per exchange. dull: how much less more of the same moves a mood that has left its rest (ours: without
    it a sociable day ends at the top of the scale; 0 = off). decay: off = a mood stays where it was moved to. on: off =
    no mood at all. marks: outcomes a day, in the whole town, that leave a mark (0: none does). What a world's rules
    read is `effective`.
    """

    half_life: HalfLife = 120.0
    temperament: bool = False
    fast: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.25
    event: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.4
    slow: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.5
    dull: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    limit: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.3
    decay: bool = True
    on: bool = True
    marks: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 1000


def effective(p: MoodParameters) -> MoodParameters:
    """The parameters as rules use them: without decay the half-life is infinite and there are no marks; without moods
    there are no temperaments and no marks.
    """
    if not p.decay:
        p = msgspec.structs.replace(p, half_life=math.inf, marks=0)
    return p if p.on else msgspec.structs.replace(p, temperament=False, marks=0)


class Cause(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of the ledger: the delta as applied, second, number of the event, why in words, and sort of cause."""

    p: float
    a: float
    d: float
    t: int
    seq: int
    why: str
    sort: Sort = "event"


class MoodMark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A lasting change of a mood's rest by an outcome: p, a, d: its size at second t; seq: the outcome's event; why: in
    words. half: half-life in seconds.

    habit: changed behaviour during that time ("" = none); whom: the other person; do, where, kind: as in `MarkRule`.
    """

    p: float
    a: float
    d: float
    t: int
    seq: int
    why: str
    half: int
    habit: str = ""
    whom: str = ""
    do: str = ""
    where: str = ""
    kind: str = ""


class Mood(msgspec.Struct, omit_defaults=True):
    """pad: the state right after the last change, at second t. rest: what it decays to by nature. causes: newest last,
    at most CAUSES_KEPT. marks: what moves that rest for days, newest last, at most MARKS.
    """

    pad: Pad
    rest: Pad
    t: int
    causes: list[Cause]
    marks: list[MoodMark] = []


def clip(x: float) -> float:
    """Into [-1, 1]."""
    return -1.0 if x < -1.0 else 1.0 if x > 1.0 else x


def temperament(traits: BigFive) -> Pad:
    """Where a person's mood rests (Mehrabian 1996). S, emotional stability, is minus neuroticism."""
    o, c, e, a, n = msgspec.structs.astuple(traits)
    s = -n
    p = 0.21 * e + 0.59 * a + 0.19 * s
    ar = 0.15 * o + 0.30 * a - 0.57 * s
    d = 0.25 * o + 0.17 * c + 0.60 * e - 0.32 * a
    return Pad(r6(clip(p)), r6(clip(ar)), r6(clip(d)))


def fade(seconds: float, half_life: float) -> float:
    """The share left of a departure from rest after that many seconds; half_life in minutes."""
    return float(2.0 ** (-seconds / (half_life * 60.0)))


def mood_at(mood: Mood, t: float, half_life: float) -> Pad:
    """The state at second t: rest(t) + (stored - rest(then)) * 2^(-dt / half-life)."""
    k = fade(max(0.0, t - mood.t), half_life)
    (p, a, d), (rp, ra, rd) = mood.pad, mood.rest
    if not mood.marks:
        return Pad(rp + (p - rp) * k, ra + (a - ra) * k, rd + (d - rd) * k)
    (op, oa, od), (rp, ra, rd) = rest_at(mood, mood.t), rest_at(mood, max(t, mood.t))
    return Pad(clip(rp + (p - op) * k), clip(ra + (a - oa) * k), clip(rd + (d - od) * k))


def rest_at(mood: Mood, t: float) -> Pad:
    """The rest a mood decays to at second t: temperament plus what is left of marks made until then; clipped."""
    if not mood.marks:
        return mood.rest
    p, a, d = mood.rest
    for mark in mood.marks:
        if mark.t <= t:
            k = fade(t - mark.t, mark.half / 60.0)
            p, a, d = p + mark.p * k, a + mark.a * k, d + mark.d * k
    return Pad(clip(p), clip(a), clip(d))


def mark_at(mark: MoodMark, t: float) -> Pad:
    """What is left of a mark at second t."""
    k = fade(max(0.0, t - mark.t), mark.half / 60.0)
    return Pad(mark.p * k, mark.a * k, mark.d * k)


def strong(mark: MoodMark, t: float) -> bool:
    """Whether at least half of a mark is left at second t, which is as long as its habit lasts."""
    return t - mark.t <= mark.half


def enter_cause(mood: Mood, cause: Cause, after: Pad) -> None:
    """Set a mood after a change and enter the change in its ledger."""
    mood.pad, mood.t = after, cause.t
    mood.causes.append(cause)
    if len(mood.causes) > CAUSES_KEPT:
        del mood.causes[0]


def enter_mark(mood: Mood, mark: MoodMark, after: Pad) -> None:
    """Set a mood after a mark, which moves it and its rest alike; marks that have all but gone are dropped."""
    mood.pad, mood.t = after, mark.t
    kept = [m for m in mood.marks if max(map(abs, mark_at(m, mark.t))) >= SPENT]
    mood.marks = [*kept[1 - MARKS :], mark]


def dampen(delta: Pad, now: Pad, rest: Pad, dull: float) -> Pad:
    """A delta reduced on axes that are already away from rest in its direction: at half a unit from rest by the factor
    1 - dull, never below a tenth. A delta back towards rest is not reduced.
    """
    both = [(x, n - r) for x, n, r in zip(delta, now, rest, strict=True)]
    return Pad(*[x * max(0.1, 1.0 - 2.0 * dull * abs(away)) if x * away > 0 else x for x, away in both])


def shift_mood(now: Pad, delta: Sequence[float]) -> tuple[Pad, Pad]:
    """The state after adding delta, clipped, and the delta as applied; both rounded as events need."""
    after = Pad(*[r6(clip(x + y)) for x, y in zip(now, delta, strict=True)])
    applied = Pad(*[r6(y - x) for x, y in zip(now, after, strict=True)])
    return after, applied


def ledger(mood: Mood, t: float, half_life: float) -> list[Cause]:
    """Why the mood is what it is at t: marks first, then causes decayed to now, the largest of each first, and the rest
    folded into "older".

    Their sum plus `rest` is exactly `mood_at`.
    """
    now = mood_at(mood, t, half_life)
    found = [Cause(*mark_at(m, t), m.t, m.seq, m.why, "mark") for m in mood.marks if m.t <= t]
    for c in mood.causes:
        k = fade(max(0.0, t - c.t), half_life)
        found.append(Cause(c.p * k, c.a * k, c.d * k, c.t, c.seq, c.why, c.sort))
    out = [c for c in found if max(abs(c.p), abs(c.a), abs(c.d)) >= FOLD]
    left = [x - r for x, r in zip(now, mood.rest, strict=True)]
    for c in out:
        left = [left[0] - c.p, left[1] - c.a, left[2] - c.d]
    out.sort(key=lambda c: (c.sort != "mark", -(c.p * c.p + c.a * c.a + c.d * c.d), c.seq))
    if max(map(abs, left)) > 1e-5 or not out:
        if any(left):
            out.append(Cause(left[0], left[1], left[2], mood.t, 0, "older", "older"))
    else:  # no more than the rounding of events
        c = out[0]
        out[0] = Cause(c.p + left[0], c.a + left[1], c.d + left[2], c.t, c.seq, c.why, c.sort)
    return out


# ---- appraised events as PAD vectors: the OCC emotions (Gebhard's ALMA, 2005; docs/mechanisms.md, Appraised emotions)

_TABLE = """admiration .5 .3 -.2|anger -.51 .59 .25|disappointment -.3 .1 -.4|distress -.4 -.2 -.5|fear -.64 .60 -.43|
gloating .3 -.3 -.1|gratification .6 .5 .4|gratitude .4 .2 -.3|happy-for .4 .2 .2|hate -.6 .6 .3|hope .2 .2 -.1|
joy .4 .2 .1|liking .40 .16 -.24|love .3 .1 .2|pity -.4 -.2 -.5|pride .4 .3 .3|relief .2 -.3 .4|remorse -.3 .1 -.6|
reproach -.3 -.1 .4|resentment -.2 -.3 -.2|satisfaction .3 -.2 .4|shame -.3 .1 -.6"""

OCC: dict[str, Pad] = {
    name: Pad(float(p), float(a), float(d))
    for name, p, a, d in (entry.split() for entry in _TABLE.replace("\n", " ").split("|"))
}


def emotion_vector(emotion: str, size: float) -> Pad:
    """The emotion's vector, stretched until its largest axis is `size`; rounded as events need."""
    v = OCC[emotion]
    k = size / max(map(abs, v))
    return Pad(r6(v.p * k), r6(v.a * k), r6(v.d * k))


def delta(emotion: str, intensity: float, fast: float) -> Pad:
    """fast x intensity x the emotion's vector. intensity in [0, 1]. Raises KeyError for an unknown emotion."""
    v = OCC[emotion]
    k = fast * intensity
    return Pad(v.p * k, v.a * k, v.d * k)


def sum_deltas(deltas: list[Pad], limit: float) -> Pad:
    """The sum of deltas, each axis kept within [-limit, limit]."""
    if not deltas:
        return Pad(0.0, 0.0, 0.0)
    return Pad(*[max(-limit, min(limit, sum(axis))) for axis in zip(*deltas, strict=True)])
