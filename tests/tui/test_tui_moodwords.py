"""A mood is read once: what its head says in a sheet and what its sentence says are one reading."""

from __future__ import annotations

from datetime import datetime
from itertools import product
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from sandbox.core.clock import HOUR, Clock
from sandbox.people.mood import Cause, Pad, Sort
from sandbox.people.mood_words import (
    COLOURS,
    MARKS,
    NO_NAME,
    SHIPPED,
    UNNAMED,
    Anchors,
    colour,
    custom_anchors,
    nearest_anchor,
    term,
)
from sandbox.people.question_mood import WORDS, DescribeMood, describe_mood
from sandbox.people.question_parts import ANN
from sandbox.tui.panes.person_now import cause_lines
from sandbox.tui.view.person_words import AGAINST, MoodReason, mood_words
from sandbox.tui.view.text_lines import as_text

DATE = datetime(2025, 3, 3)
AXIS = [x / 4 for x in range(-4, 5)]
OWN = custom_anchors(
    [Pad(0.5, 0.5, 0.5), Pad(-0.5, 0.0, 0.0), Pad(0.0, 0.0, -0.5)], ["Happiness", "Sadness", "Surprise"]
)


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
            assert not named or (named == [term(pad)] and nearest_anchor(pad).label == label), (pad, says)
    assert seen == set(COLOURS)


def test_of_whom_one_only_sees_the_head_says_what_shows_and_no_nearer_word() -> None:
    assert head(Pad(0.81, 0.51, 0.46)) == "+ joy  happy"
    assert head(Pad(0.81, 0.51, 0.46), hidden=True) == "+ joy"


@pytest.mark.parametrize(
    ("head", "why", "sort", "says"),
    [
        ("because", "saw what people make of a post", "reading", "because + Mara saw what people make of a post"),
        ("and", "turned away by Vera", "rejection", "and + Mara was turned away by Vera"),
        ("because", "the sight of Bo", "event", "because + of the sight of Bo"),
        (AGAINST, "the sight of Bo", "event", "against + the sight of Bo"),
        (AGAINST, "hungry", "hunger", "against + Mara is hungry"),
        ("because", "Bo has won the ham", "mark", "because + since this morning, Bo has won the ham"),
    ],
)
def test_a_reason_in_a_sheet_says_who(head: str, why: str, sort: Sort, says: str) -> None:
    clock = Clock(DATE)
    lines = cause_lines(clock, MoodReason(head, Cause(0.1, 0.1, 0.1, 9 * HOUR, 9, why, sort)), "Mara", 9 * HOUR, 90)
    assert " ".join(as_text(lines).removesuffix("now").split()) == says


@pytest.mark.parametrize("width", range(30, 60))
def test_how_long_ago_it_was_has_room_beside_it(width: int) -> None:
    cause = Cause(0.1, 0.1, 0.1, 9, 9, "woke thinking about the vote on the meadow", "waking")
    first, *_ = cause_lines(Clock(DATE), MoodReason("because", cause), "Basil", 9, width)
    assert as_text([first]).endswith("  now")


def test_one_is_what_one_is_by_nature() -> None:
    lines = cause_lines(Clock(DATE), MoodReason("because", Cause(0.1, 0.1, 0.1, 0, 0, "calm by nature")), "Mara", 0, 90)
    assert as_text(lines).split() == ["because", "Mara", "is", "calm", "by", "nature"]


def test_no_sort_of_cause_stands_bare_behind_its_head() -> None:
    for sort in {*get_args(Sort)} - {"older", "mark", "event", "small_talk", "treatment", "reflection"}:
        lines = cause_lines(Clock(DATE), MoodReason("because", Cause(0.1, 0, 0, 9, 9, "done", sort)), "Mara", 9, 90)
        assert "Mara " in as_text(lines), sort
