"""From PAD to words: anchors, labels, neighbours (spec/emotion.md, spec/facts.md)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.people.mood import Pad
from sandbox.people.words import ANCHORS, COLOURS, LABELS, Anchor, colour, label, nearest, neighbours, term

unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)


def far(pad: Pad, anchor: Anchor) -> float:
    return sum((x - y) ** 2 for x, y in zip(pad, anchor.pad, strict=True)) ** 0.5


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda a: a.term)
def test_every_anchor_is_its_own_nearest_term(anchor: Anchor) -> None:
    assert term(anchor.pad) == anchor.term
    assert label(anchor.pad) == anchor.label
    assert neighbours(anchor.pad)[0] == anchor


def test_there_are_the_47_published_terms_each_once() -> None:
    assert len({a.term for a in ANCHORS}) == len({a.pad for a in ANCHORS}) == len(ANCHORS) == 47
    assert {a.label for a in ANCHORS} | {"Vague"} == set(LABELS) == set(COLOURS)


@given(pads)
def test_the_quick_search_finds_the_nearest(pad: Pad) -> None:
    assert far(pad, nearest(pad)) == pytest.approx(min(far(pad, a) for a in ANCHORS))


@given(pads)
def test_a_state_far_from_every_term_is_vague(pad: Pad) -> None:
    nearness = min(far(pad, a) for a in ANCHORS)
    if abs(nearness - 0.5) > 1e-9:
        assert (label(pad) == "Vague") == (nearness > 0.5)
    assert colour(pad) == COLOURS[label(pad)]


@given(pads)
def test_three_neighbours_come_nearest_first_and_keep_all_labels(pad: Pad) -> None:
    found = neighbours(pad)
    assert len(found) == 3
    assert [far(pad, a) for a in found] == sorted(far(pad, a) for a in found)
    others = [far(pad, a) for a in ANCHORS if a not in found]
    assert max(far(pad, a) for a in found) <= min(others) + 1e-9


def test_neighbours_may_disagree() -> None:
    assert {a.label for a in neighbours(Pad(-0.4, 0.5, 0.2))} == {"Anger", "Contempt"}


@pytest.mark.parametrize("state", [(0.72, 0.69, 0.83), (0.79, 0.58, 0.79)])
def test_the_papers_happy_states_come_out_happy(state: tuple[float, float, float]) -> None:
    assert label(Pad(*state)) == "Happiness"
    assert {a.label for a in neighbours(Pad(*state))} == {"Happiness"}
