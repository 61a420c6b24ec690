"""From PAD to words: the nearest published anchor terms, their labels, and the mood a colour stands for.

Anchors: Russell & Mehrabian 1977, means of 300 raters (spec/facts.md). Their spread is not available, so that each
is a point is a
design choice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sandbox.people.mood import Pad

_TERMS = """
joyful .76 .48 .35 Happiness|respectful .38 .13 -.08 Happiness|fearful -.64 .60 -.43 Fear|surprised .40 .67 -.13
Surprise|
sad -.63 -.27 -.33 Sadness|disgusted -.60 .35 .11 Disgust|angry -.51 .59 .25 Anger|interested .64 .51 .17 Happiness|
happy .81 .51 .46 Happiness|contempt -.23 .31 .18 Contempt|neutral 0 0 0 Neutral|excited .62 .75 .38 Happiness|
proud .77 .38 .65 Happiness|elated .50 .42 .23 Happiness|loved .87 .54 -.18 Happiness|grateful .64 .16 -.18 Happiness|
relaxed .68 -.46 .06 Happiness|friendly .69 .35 .30 Happiness|secure .74 -.13 .03 Happiness|hopeful .51 .23 .14
Happiness|
curious .22 .62 -.01 Surprise|triumphant .69 .57 .63 Happiness|astonished .16 .88 -.15 Surprise|startled -.09 .65
-.33 Surprise|
awed .18 .40 -.38 Surprise|bored -.65 -.62 -.33 Sadness|lonely -.66 -.43 -.32 Sadness|depressed -.72 -.29 -.41 Sadness|
discouraged -.61 -.15 -.29 Sadness|fatigued -.18 -.57 -.29 Sadness|anxious .01 .59 -.15 Fear|terrified -.62 .82
-.43 Fear|
insecure -.57 .14 -.21 Fear|humiliated -.63 .43 -.38 Fear|embarrassed -.46 .54 -.24 Fear|guilty -.57 .28 -.34 Sadness|
shamed -.57 .01 -.34 Sadness|upset -.63 .30 -.24 Anger|frustrated -.64 .52 -.35 Anger|enraged -.44 .72 .32 Anger|
hate -.56 .59 .13 Anger|hostile -.42 .53 .30 Anger|scornful -.35 .35 .29 Contempt|disdainful -.32 -.11 .05 Contempt|
suspicious -.25 .42 .11 Anger|reserved .01 -.19 .02 Neutral|nonchalant .07 -.25 .11 Neutral
"""


class Anchor(NamedTuple):
    """A term, where it lies, and the label experiments use."""

    term: str
    pad: Pad
    label: str


def _read() -> tuple[Anchor, ...]:
    out = []
    for entry in _TERMS.replace("\n", " ").split("|"):
        term, p, a, d, label = entry.split()
        out.append(Anchor(term, Pad(float(p), float(a), float(d)), label))
    return tuple(out)


ANCHORS = _read()
VAGUE = 0.5
COLOURS = {
    "Happiness": "joy",
    "Sadness": "sad",
    "Anger": "angry",
    "Fear": "afraid",
    "Disgust": "disgust",
    "Surprise": "surprise",
    "Contempt": "contempt",
    "Neutral": "calm",
    "Vague": "vague",
}
MARKS = {
    "joy": "+",
    "sad": "-",
    "angry": "x",
    "afraid": "~",
    "disgust": "%",
    "surprise": "o",
    "contempt": "^",
    "calm": ".",
    "vague": ",",
}
_FLAT = tuple((a.pad.p, a.pad.a, a.pad.d, sum(x * x for x in a.pad) / 2.0, a) for a in ANCHORS)


@lru_cache(maxsize=256)  # whoever is looked at is looked at more than once
def nearest(pad: Pad) -> Anchor:
    """The anchor nearest to a state (Euclidean); the first listed if two are equally near."""
    p, a, d = pad
    best, found = -9.0, ANCHORS[0]
    for x, y, z, half, anchor in _FLAT:  # |s - x|^2 = |s|^2 - 2 (s.x - |x|^2/2): the largest bracket is the nearest
        near = p * x + a * y + d * z - half
        if near > best:
            best, found = near, anchor
    return found


def label(pad: Pad) -> str:
    """The label of the nearest anchor, or Vague if none is within 0.5."""
    found = nearest(pad)
    if sum((x - y) ** 2 for x, y in zip(pad, found.pad, strict=True)) > VAGUE * VAGUE:
        return "Vague"
    return found.label


def term(pad: Pad) -> str:
    """The word players see."""
    return nearest(pad).term


def colour(pad: Pad) -> str:
    """The screen's mood: joy, sad, angry, afraid, disgust, surprise, contempt, calm or vague."""
    return COLOURS[label(pad)]
