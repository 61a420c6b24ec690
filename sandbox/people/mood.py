"""Mood: a PAD vector that decays towards a person's rest, and the ledger of what moved it.

Formulas and sources: docs/mechanisms.md, Mood. The state is stored when it changes; what it is at a moment is
computed when read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.events import r6
from sandbox.people.causes import Sort
from sandbox.people.persona import BigFive, HalfLife

KEPT = 24
FOLD = 0.005


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
    no mood at all. What a world's rules read is `effective`.
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


def effective(p: MoodParameters) -> MoodParameters:
    """The parameters as rules read them: without decay the half-life is endless, without moods nothing has a rest."""
    if not p.decay:
        p = msgspec.structs.replace(p, half_life=math.inf)
    return p if p.on else msgspec.structs.replace(p, temperament=False)


class Cause(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of the ledger: the delta as applied, when, by which event, why in words, and of which sort that is."""

    p: float
    a: float
    d: float
    t: int
    seq: int
    why: str
    sort: Sort = "event"


class Mood(msgspec.Struct):
    """pad: the state right after the last change, at second t. rest: what it decays to. causes: newest last, at
    most KEPT.
    """

    pad: Pad
    rest: Pad
    t: int
    causes: list[Cause]


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
    """The state at second t: rest + (stored - rest) * 2^(-dt / half-life)."""
    k = fade(max(0.0, t - mood.t), half_life)
    (p, a, d), (rp, ra, rd) = mood.pad, mood.rest
    return Pad(rp + (p - rp) * k, ra + (a - ra) * k, rd + (d - rd) * k)


def dulled(delta: Pad, now: Pad, rest: Pad, dull: float) -> Pad:
    """What of a delta is felt: an axis that is already half a unit from rest takes 1 - dull of more of the same.

    Never less than a tenth; a delta back towards rest is felt whole.
    """
    return Pad(
        *(
            x * max(0.1, 1.0 - 2.0 * dull * abs(n - r)) if x * (n - r) > 0 else x
            for x, n, r in zip(delta, now, rest, strict=True)
        )
    )


def moved(now: Pad, delta: Sequence[float]) -> tuple[Pad, Pad]:
    """The state after adding delta, clipped, and the delta as applied; both rounded as events need."""
    after = Pad(*(r6(clip(x + y)) for x, y in zip(now, delta, strict=True)))
    applied = Pad(*(r6(y - x) for x, y in zip(now, after, strict=True)))
    return after, applied


def ledger(mood: Mood, t: float, half_life: float) -> list[Cause]:
    """Why the mood is what it is at t: entries decayed to now, largest first, the rest folded into "older".

    Their sum plus `rest` is exactly `mood_at`.
    """
    now = mood_at(mood, t, half_life)
    left = [x - r for x, r in zip(now, mood.rest, strict=True)]
    out: list[Cause] = []
    for c in mood.causes:
        k = fade(max(0.0, t - c.t), half_life)
        p, a, d = c.p * k, c.a * k, c.d * k
        if max(abs(p), abs(a), abs(d)) >= FOLD:
            out.append(Cause(p, a, d, c.t, c.seq, c.why, c.sort))
            left = [left[0] - p, left[1] - a, left[2] - d]
    out.sort(key=lambda c: (-(c.p * c.p + c.a * c.a + c.d * c.d), c.seq))
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


def delta(emotion: str, intensity: float, fast: float) -> Pad:
    """fast x intensity x the emotion's vector. intensity in [0, 1]. Raises KeyError for an unknown emotion."""
    v = OCC[emotion]
    k = fast * intensity
    return Pad(v.p * k, v.a * k, v.d * k)


def together(deltas: list[Pad], limit: float) -> Pad:
    """The sum of deltas, each axis kept within [-limit, limit]."""
    if not deltas:
        return Pad(0.0, 0.0, 0.0)
    return Pad(*(max(-limit, min(limit, sum(axis))) for axis in zip(*deltas, strict=True)))
