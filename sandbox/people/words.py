"""From PAD to words as players see them: the nearest term, its label, and the mood a colour stands for."""

from __future__ import annotations

from functools import lru_cache

from sandbox.people.anchors import ANCHORS, NO_NAME, VAGUE, Anchor
from sandbox.people.mood import Cause, Pad

# Label, the colour it has on the screen, whether it pleases (1) or hurts (-1), and its mark where there are no colours.
_SHOWN = (
    ("Happiness", "joy", 1, "+"),
    ("Sadness", "sad", -1, "-"),
    ("Anger", "angry", -1, "x"),
    ("Fear", "afraid", -1, "~"),
    ("Disgust", "disgust", -1, "%"),
    ("Surprise", "surprise", 0, "o"),
    ("Contempt", "contempt", -1, "^"),
    ("Neutral", "calm", 1, "."),
    ("Vague", "vague", 0, ","),
)
COLOURS = {label: colour for label, colour, _, _ in _SHOWN}
VALENCES = {colour: valence for _, colour, valence, _ in _SHOWN}
MARKS = {colour: mark for _, colour, _, mark in _SHOWN}
WORTH = 0.02  # least part in a mood that is told
PLEASES = 0.005  # pleasure moved by less is neither good nor bad
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
        return NO_NAME
    return found.label


def term(pad: Pad) -> str:
    """The word players see."""
    return nearest(pad).term


def colour(pad: Pad) -> str:
    """The screen's mood: joy, sad, angry, afraid, disgust, surprise, contempt, calm or vague."""
    return COLOURS[label(pad)]


def along(pad: Pad, cause: Cause) -> float:
    """How far a cause goes a mood's way; what pleases never speaks for a bad mood, nor what hurts for a good one.

    A faint mood too, for it is told by its nearest word.
    """
    strength = max(WORTH, float(sum(x * x for x in pad) ** 0.5))
    if cause.p * VALENCES[COLOURS[nearest(pad).label]] < -PLEASES:
        return -abs(cause.p)
    return (cause.p * pad.p + cause.a * pad.a + cause.d * pad.d) / strength
