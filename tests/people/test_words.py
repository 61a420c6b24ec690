"""From PAD to words: anchors, terms, labels (docs/mechanisms.md, Words for moods)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.people.mood import Pad
from sandbox.people.mood_words import ANCHORS, COLOURS, Anchor, colour, mood_label, nearest_anchor, term

unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)


def far(pad: Pad, anchor: Anchor) -> float:
    return sum((x - y) ** 2 for x, y in zip(pad, anchor.pad, strict=True)) ** 0.5


def test_there_are_the_47_published_terms_each_once() -> None:
    assert len({a.term for a in ANCHORS}) == len({a.pad for a in ANCHORS}) == len(ANCHORS) == 47
    assert {a.label for a in ANCHORS} | {"Vague"} == set(COLOURS)


@given(pads)
def test_the_quick_search_finds_the_nearest(pad: Pad) -> None:
    assert far(pad, nearest_anchor(pad)) == pytest.approx(min(far(pad, a) for a in ANCHORS))


@given(pads)
def test_a_state_far_from_every_term_is_vague(pad: Pad) -> None:
    nearness = min(far(pad, a) for a in ANCHORS)
    if abs(nearness - 0.5) > 1e-9:
        assert (mood_label(pad) == "Vague") == (nearness > 0.5)
    assert colour(pad) == COLOURS[mood_label(pad)]


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda a: a.term)
def test_every_anchor_is_its_own_nearest_term(anchor: Anchor) -> None:
    assert nearest_anchor(anchor.pad) == anchor
    assert term(anchor.pad) == anchor.term


@pytest.mark.parametrize("state", [(0.72, 0.69, 0.83), (0.79, 0.58, 0.79)])
def test_the_papers_happy_states_come_out_happy(state: tuple[float, float, float]) -> None:
    assert nearest_anchor(Pad(*state)).label == "Happiness"
