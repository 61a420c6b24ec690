"""Labels of a mood: the three nearest labelled points, in two sets of words (docs/mechanisms.md, Words for moods)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.people.mood import Pad
from sandbox.people.mood_words import ANCHORS, CATEGORIES, NEIGHBOURS, NO_NAME, SHIPPED, Anchors, custom_anchors

unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)
PLUTCHIK = {"Joy", "Trust", "Fear", "Surprise", "Sadness", "Disgust", "Anger", "Anticipation", "Neutral"}


def far(a: Pad, b: Pad) -> float:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


@given(pads)
def test_all_three_neighbours_are_told_the_nearest_first(pad: Pad) -> None:
    near = sorted(ANCHORS, key=lambda a: far(pad, a.pad))
    distances = [far(pad, a.pad) for a in near[: NEIGHBOURS + 1]]
    if min(b - a for a, b in pairwise(distances)) < 1e-9 or abs(distances[0] - 0.5) < 1e-9:
        return
    expected = tuple(a.label for a in near[:NEIGHBOURS]) if distances[0] <= 0.5 else (NO_NAME,)
    assert SHIPPED.labels(pad) == expected


@given(pads)
def test_both_sets_of_words_tell_of_the_same_neighbours(pad: Pad) -> None:
    categories, wheel = SHIPPED.labels(pad), SHIPPED.labels(pad, "plutchik")
    assert set(categories) <= set(CATEGORIES)
    assert len(categories) == len(wheel)
    assert set(wheel) <= PLUTCHIK | {NO_NAME}


@pytest.mark.parametrize(
    ("term", "word"),
    [
        ("grateful", "Trust"),
        ("hopeful", "Anticipation"),
        ("joyful", "Joy"),
        ("scornful", "Disgust"),
        ("sad", "Sadness"),
    ],
)
def test_plutchiks_wheel_tells_apart_what_a_category_holds_together(term: str, word: str) -> None:
    pad = next(a.pad for a in ANCHORS if a.term == term)
    assert SHIPPED.labels(pad, "plutchik")[0] == word


@pytest.mark.parametrize("state", [(0.72, 0.69, 0.83), (0.79, 0.58, 0.79)])
def test_the_papers_happy_states_are_happy_in_every_neighbour(state: tuple[float, float, float]) -> None:
    assert set(SHIPPED.labels(Pad(*state))) == {"Happiness"}


def test_points_equally_near_go_in_their_order() -> None:
    at = Pad(0.1, 0.1, 0.1)
    cloud = custom_anchors([at] * 5, ["Fear", "Anger", "Sadness", "Surprise", "Disgust"])
    assert set(cloud.labels(at)) <= {"Fear", "Anger", "Sadness", "Surprise", "Disgust"}
    assert cloud.labels(at) == cloud.labels(at)
    assert cloud.labels(Pad(-1, -1, -1)) != (NO_NAME,), "a cloud of one's own says of itself what is vague"


def test_fewer_points_than_neighbours_are_refused() -> None:
    with pytest.raises(ValueError, match="3 at least"):
        Anchors([Pad(0, 0, 0)] * 2, {"categories": ["Fear"] * 2, "plutchik": ["Fear"] * 2})
