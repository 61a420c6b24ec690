"""What talks leave with those who had them: more than usual warms, less makes sore, and both fade."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.engine.scenario import Scenario
from sandbox.people.impressions import GRUDGE, SORE, USUAL_PLEASURE, WARM, Impressions, word
from sandbox.people.persona import BigFive, Persona

TALKS = st.lists(st.tuples(st.floats(-0.5, 0.5), st.integers(600, DAY)), min_size=1, max_size=30)


@pytest.fixture
def cast(larkspur: Scenario) -> dict[str, Persona]:
    """Two people of even temper."""
    return {p.id: replace(p, big_five=BigFive(0.0, 0.0, 0.0, 0.0, 0.0)) for p in larkspur.cast[:2]}


def talked(found: Impressions, cast: dict[str, Persona], pleasure: float, t: int) -> None:
    """The first has a talk that gives them that much, in two exchanges, and the second as usual."""
    me, other = cast
    found.exchange("x", {me: pleasure / 2, other: USUAL_PLEASURE})
    found.exchange("x", {me: pleasure / 2})
    found.close("x", (me, other), cast, t)


@pytest.mark.parametrize(
    ("gave", "left", "lasts"), [(USUAL_PLEASURE + 0.2, 0.2, 1.0), (-0.2, -0.2, GRUDGE), (0.02, 0.0, 1.0)]
)
def test_what_a_talk_gave_beyond_the_usual_or_took_is_left_and_halves(
    cast: dict[str, Persona], gave: float, left: float, lasts: float
) -> None:
    found, (me, other) = Impressions(), cast
    talked(found, cast, gave, 1000)
    assert found.at(me, other, cast, 1000) == pytest.approx(left)
    assert found.at(me, other, cast, 1000 + round(lasts * DAY)) == pytest.approx(left / 2, abs=1e-5)
    assert found.at(other, me, cast, 1000) == 0.0
    assert found.under_way == {}


def test_a_grudge_lasts_the_longer_the_more_nervous_and_the_less_agreeable_somebody_is(
    cast: dict[str, Persona],
) -> None:
    me, other = cast
    left = []
    for nervous, agreeable in ((-0.5, 0.5), (0.0, 0.0), (0.5, 0.0), (0.5, -0.5)):
        tempered = {**cast, me: replace(cast[me], big_five=BigFive(0.0, 0.0, 0.0, agreeable, nervous))}
        found = Impressions()
        talked(found, tempered, USUAL_PLEASURE - 0.3, 0)
        left.append(found.at(me, other, tempered, DAY))
    assert left == sorted(left, reverse=True)
    assert len(set(left)) == 4


def test_one_gets_used_to_what_talks_give(cast: dict[str, Persona]) -> None:
    found, (me, other) = Impressions(), cast
    for n in range(60):
        talked(found, cast, 0.3, 60 * n)
    assert found.usual[me] == pytest.approx(0.3, abs=0.01)
    before = found.at(me, other, cast, 3600)
    talked(found, cast, 0.3, 3600)
    assert found.at(me, other, cast, 3600) == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("gave", [USUAL_PLEASURE + 0.3, -0.3])
def test_it_is_told_until_there_is_no_word_for_it(cast: dict[str, Persona], gave: float) -> None:
    found, (me, other) = Impressions(), cast
    talked(found, cast, gave, 1000)
    left = found.remains(me, other, cast, 5000)
    assert left is not None
    assert (left.how, left.t, left.last) == ("warm" if gave > 0 else "sore", 1000, True)
    later = found.remains(me, other, cast, left.until - 60)
    assert later is not None
    assert later.until == pytest.approx(left.until, abs=2)  # whenever one asks
    assert found.remains(me, other, cast, left.until + 60) is None
    assert found.remains(other, me, cast, 5000) is None


def test_what_an_earlier_talk_left_is_not_put_down_to_the_last(cast: dict[str, Persona]) -> None:
    found, (me, other) = Impressions(), cast
    for t, gave in ((1000, -0.4), (2000, 0.05)):
        talked(found, cast, gave, t)
    left = found.remains(me, other, cast, 2000)
    assert left is not None
    assert (left.how, left.t, left.last) == ("sore", 2000, False)


@given(TALKS)
def test_it_stays_within_its_bounds_whatever_is_said(larkspur: Scenario, talks: list[tuple[float, int]]) -> None:
    people = {p.id: p for p in larkspur.cast[:2]}
    found, (me, other), t = Impressions(), people, 0
    for pleasure, later in talks:
        t += later
        talked(found, people, pleasure, t)
        assert -1.0 <= found.at(me, other, people, t) <= 1.0
        assert abs(found.at(me, other, people, t + 60)) <= abs(found.at(me, other, people, t))


def test_a_talk_that_gave_nobody_anything_leaves_nothing(cast: dict[str, Persona]) -> None:
    found, who = Impressions(), tuple(cast)
    found.close("x", who, cast, 0)
    assert (found.left, found.usual) == ({}, {})
    assert found.went("x", who[0]) == 0.0


def test_a_talk_that_does_one_good_makes_up_for_half_of_what_is_sore(cast: dict[str, Persona]) -> None:
    found, (me, other) = Impressions(), cast
    talked(found, cast, -0.3, 0)
    assert found.told(me, other, cast, 0) == "sore"
    talked(found, cast, 0.02, 0)
    assert found.at(me, other, cast, 0) == pytest.approx(-0.15)
    assert found.told(me, other, cast, 0) == ""  # nobody is sore from a talk that did them good
    talked(found, cast, 0.9, 0)
    assert found.told(me, other, cast, 0) == "warm"


def test_another_talk_takes_the_place_of_half_of_what_was_left(cast: dict[str, Persona]) -> None:
    found, (me, other) = Impressions(), cast
    talked(found, cast, USUAL_PLEASURE + 0.3, 0)
    talked(found, cast, 0.02, 0)
    assert found.at(me, other, cast, 0) == pytest.approx(0.15)
    for _ in range(30):  # however good, and many, they do not pile up
        talked(found, cast, found.usual[me] + 0.2, 0)
    assert found.at(me, other, cast, 0) == pytest.approx(0.4, abs=0.01)


def test_soreness_is_not_taken_by_a_talk_that_does_no_good(cast: dict[str, Persona]) -> None:
    found, (me, other) = Impressions(), cast
    talked(found, cast, -0.2, 0)
    talked(found, cast, -0.1, 0)
    assert found.at(me, other, cast, 0) == pytest.approx(-0.3)


def test_lines_are_told_in_a_word_once_there_is_something_to_tell() -> None:
    assert [word(x) for x in (-1.0, SORE, SORE / 2, 0.0, WARM / 2, WARM, 1.0)] == [
        "sore", "sore", "", "", "", "warm", "warm"
    ]  # fmt: skip
