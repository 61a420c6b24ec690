"""Words for moods: labelled points in PAD space, the labels nearest to a mood, and the word, the label and the colour
that players see (docs/mechanisms.md, Words for moods).

What ships are the terms of Russell & Mehrabian 1977, means of 300 raters. Their spread is not
available, so that each is a point is a design choice. The paper's own cloud is licensed: whoever has it, or one of
their own, reads it with `sandbox.importers.anchors`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.people.mood import Cause, Pad

Set = Literal["categories", "plutchik"]
NEIGHBOURS = 3
VAGUE = 0.5  # distance from every term beyond which a mood has no name
NO_NAME = "Vague"
UNNAMED = "neither one thing nor another"  # wording of a mood without a name
CATEGORIES = ("Anger", "Sadness", "Happiness", "Surprise", "Fear", "Disgust", "Contempt", "Neutral", NO_NAME)

_TERMS = """
joyful .76 .48 .35 Happiness|respectful .38 .13 -.08 Happiness|fearful -.64 .60 -.43 Fear|
surprised .40 .67 -.13 Surprise|sad -.63 -.27 -.33 Sadness|disgusted -.60 .35 .11 Disgust|angry -.51 .59 .25 Anger|
interested .64 .51 .17 Happiness|happy .81 .51 .46 Happiness|contempt -.23 .31 .18 Contempt|neutral 0 0 0 Neutral|
excited .62 .75 .38 Happiness|proud .77 .38 .65 Happiness|elated .50 .42 .23 Happiness|loved .87 .54 -.18 Happiness|
grateful .64 .16 -.18 Happiness|relaxed .68 -.46 .06 Happiness|friendly .69 .35 .30 Happiness|
secure .74 -.13 .03 Happiness|hopeful .51 .23 .14 Happiness|curious .22 .62 -.01 Surprise|
triumphant .69 .57 .63 Happiness|astonished .16 .88 -.15 Surprise|startled -.09 .65 -.33 Surprise|
awed .18 .40 -.38 Surprise|bored -.65 -.62 -.33 Sadness|lonely -.66 -.43 -.32 Sadness|depressed -.72 -.29 -.41 Sadness|
discouraged -.61 -.15 -.29 Sadness|fatigued -.18 -.57 -.29 Sadness|anxious .01 .59 -.15 Fear|
terrified -.62 .82 -.43 Fear|insecure -.57 .14 -.21 Fear|humiliated -.63 .43 -.38 Fear|embarrassed -.46 .54 -.24 Fear|
guilty -.57 .28 -.34 Sadness|shamed -.57 .01 -.34 Sadness|upset -.63 .30 -.24 Anger|frustrated -.64 .52 -.35 Anger|
enraged -.44 .72 .32 Anger|hate -.56 .59 .13 Anger|hostile -.42 .53 .30 Anger|scornful -.35 .35 .29 Contempt|
disdainful -.32 -.11 .05 Contempt|suspicious -.25 .42 .11 Anger|reserved .01 -.19 .02 Neutral|
nonchalant .07 -.25 .11 Neutral
"""
_TRUST = ("respectful", "friendly", "secure", "loved", "grateful")
_ANTICIPATION = ("interested", "hopeful", "curious")
_WHEEL = {"Happiness": "Joy", "Contempt": "Disgust"}  # what Plutchik's wheel calls a category of another name


class Anchor(NamedTuple):
    """A term, its point in PAD space, and its category, as experiments use it."""

    term: str
    pad: Pad
    label: str


ANCHORS = tuple(
    Anchor(term, Pad(float(p), float(a), float(d)), label)
    for term, p, a, d, label in (entry.split() for entry in _TERMS.replace("\n", " ").split("|"))
)


class Anchors:
    """A cloud of labelled points. vague: a mood farther than that from all of them has no name."""

    def __init__(self, points: Sequence[Pad], labels: Mapping[Set, Sequence[str]], vague: float = np.inf) -> None:
        """labels: for each set, the label of every point. Raises ValueError if there are fewer points than neighbours
        are asked for.
        """
        if len(points) < NEIGHBOURS:
            raise ValueError(f"{len(points)} labelled points are too few: {NEIGHBOURS} at least")
        self._axes: NDArray[np.float64] = np.array(points, dtype=np.float64).T.copy()  # a row an axis
        self._labels = labels
        self._vague = vague * vague

    def __len__(self) -> int:
        return len(self._axes[0])

    def labels(self, pad: Pad, of: Set = "categories") -> tuple[str, ...]:
        """The labels of the three nearest points (Euclidean), the nearest first: all of them, no vote.

        ("Vague",) if even the nearest is too far. Equally near points go in the order they were given.
        """
        p, a, d = (axis - x for axis, x in zip(self._axes, pad, strict=True))
        far = p * p + a * a + d * d
        near = np.argpartition(far, NEIGHBOURS - 1)[:NEIGHBOURS]
        near = near[np.lexsort((near, far[near]))]
        if far[near[0]] > self._vague:
            return (NO_NAME,)
        return tuple(self._labels[of][i] for i in near)


def wheel(category: str, term: str = "") -> str:
    """The name in Plutchik's eight emotions for a category; `term` decides for Trust and Anticipation."""
    if term in _TRUST:
        return "Trust"
    return "Anticipation" if term in _ANTICIPATION else _WHEEL.get(category, category)


def custom_anchors(points: Sequence[Pad], categories: Sequence[str]) -> Anchors:
    """A cloud of somebody's own, with one category a point."""
    return Anchors(points, {"categories": categories, "plutchik": [wheel(c) for c in categories]})


SHIPPED = Anchors(
    [a.pad for a in ANCHORS],
    {"categories": [a.label for a in ANCHORS], "plutchik": [wheel(a.label, a.term) for a in ANCHORS]},
    VAGUE,
)


# ---- as players see them

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
WORTH = 0.02  # least part in a mood for a cause to be listed
PLEASES = 0.005  # changes of pleasure smaller than this are neither good nor bad
_FLAT = tuple((*a.pad, sum(x * x for x in a.pad) / 2.0) for a in ANCHORS)


@lru_cache(maxsize=256)  # whoever is looked at is looked at more than once
def nearest_anchor(pad: Pad) -> Anchor:
    """The anchor nearest to a state (Euclidean); the first listed if two are equally near."""
    p, a, d = pad
    near = [p * x + a * y + d * z - half for x, y, z, half in _FLAT]
    return ANCHORS[near.index(max(near))]  # |s - x|^2 = |s|^2 - 2 (s.x - |x|^2/2): the largest bracket is the nearest


def mood_label(pad: Pad) -> str:
    """The label of the nearest anchor, or Vague if none is within 0.5."""
    found = nearest_anchor(pad)
    (p, a, d), (x, y, z) = pad, found.pad
    return NO_NAME if (p - x) ** 2 + (a - y) ** 2 + (d - z) ** 2 > VAGUE * VAGUE else found.label


def term(pad: Pad) -> str:
    """The word players see."""
    return nearest_anchor(pad).term


def colour(pad: Pad) -> str:
    """The screen's mood: joy, sad, angry, afraid, disgust, surprise, contempt, calm or vague."""
    return COLOURS[mood_label(pad)]


def mood_and_term(pad: Pad, anchors: Anchors = SHIPPED) -> tuple[str, str]:
    """(the screen's mood, the nearest term if that says more, else "") for any place that shows a mood. A mood too far
    from every term gets no term.
    """
    label, found = anchors.labels(pad)[0], nearest_anchor(pad)
    mood = COLOURS[label]
    return mood, found.term if found.label == label and found.term not in (mood, "neutral") else ""


def along(pad: Pad, cause: Cause) -> float:
    """How far a cause points in a mood's direction; a pleasant cause never supports a bad mood, nor an unpleasant one a
    good mood. If the mood has hardly any pleasure, its nearest term decides which it is.
    """
    strength = max(WORTH, float(sum(x * x for x in pad) ** 0.5))
    valence = math.copysign(1.0, pad.p) if abs(pad.p) > PLEASES else VALENCES[COLOURS[nearest_anchor(pad).label]]
    if cause.p * valence < -PLEASES:
        return -abs(cause.p)
    return (cause.p * pad.p + cause.a * pad.a + cause.d * pad.d) / strength
