"""A mood is read once: what its head says in a sheet and what its sentence says are one reading."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

from sandbox.people.deciding.looks import ANN
from sandbox.people.deciding.moods import WORDS, DescribeMood, describe_mood
from sandbox.people.mood import Pad
from sandbox.people.words import COLOURS, MARKS, NO_NAME, SHIPPED, UNNAMED, Anchors, colour, labelled, nearest, term
from sandbox.tui.persons.words import mood_words

AXIS = [x / 4 for x in range(-4, 5)]
OWN = labelled([Pad(0.5, 0.5, 0.5), Pad(-0.5, 0.0, 0.0), Pad(0.0, 0.0, -0.5)], ["Happiness", "Sadness", "Surprise"])


def head(pad: Pad, anchors: Anchors = SHIPPED, awake: bool = True, hidden: bool = False) -> str:
    """The head of a sheet of somebody in that mood."""
    row = SimpleNamespace(mood=colour(pad), word=term(pad), awake=awake)
    view = SimpleNamespace(row=lambda who, t: row, pad=lambda who, t: pad)
    viewer: Any = SimpleNamespace(view=view, settings=SimpleNamespace(anchors=anchors), hides=lambda who: hidden)
    return "".join(piece.text for piece in mood_words(viewer, "ann", 0))


def sentence(pad: Pad, anchors: Anchors = SHIPPED) -> str:
    return describe_mood(DescribeMood("ann", persona=ANN, labels=anchors.labels(pad), mood=pad)).text.split(". ")[0]


def test_the_head_of_a_mood_and_its_sentence_are_one_reading() -> None:
    seen = set()
    for pad in map(Pad._make, product(AXIS, AXIS, AXIS)):
        for anchors in (SHIPPED, OWN):
            says, label = head(pad, anchors), anchors.labels(pad)[0]
            seen.add(label)
            mood = COLOURS[label]
            assert says.startswith(f"{MARKS[mood]} {UNNAMED if label == NO_NAME else mood}"), (pad, says)
            assert (UNNAMED in says) == (UNNAMED in sentence(pad, anchors))
            assert WORDS[label].feels in sentence(pad, anchors)
            named = says.split("  ")[1:]
            assert not named or (named == [term(pad)] and nearest(pad).label == label), (pad, says)
    assert seen == set(COLOURS)


def test_of_whom_one_only_sees_the_head_says_what_shows_and_no_nearer_word() -> None:
    assert head(Pad(0.81, 0.51, 0.46)) == "+ joy  happy"
    assert head(Pad(0.81, 0.51, 0.46), hidden=True) == "+ joy"
