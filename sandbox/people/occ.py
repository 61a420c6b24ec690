"""Appraised events as PAD vectors: the OCC emotions (Gebhard's ALMA, 2005; docs/mechanisms.md, Appraised emotions)."""

from __future__ import annotations

from sandbox.people.mood import Pad

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
