"""What somebody speaks their mind about: what the two differ on, as long as it is open."""

from __future__ import annotations

from itertools import permutations

import pytest
from lived import founding

from sandbox.core.clock import DAY
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.talk.content import contested_topic, opinion_gap, partner_of
from sandbox.talk.subjects import ordinary_content


@pytest.fixture
def w(larkspur: Scenario) -> World:
    return World.found(founding(larkspur))


def test_two_differ_where_the_one_is_for_it_and_the_other_against(w: World) -> None:
    differ = 0
    for me, other in permutations(w.cast, 2):
        mine, theirs = w.cast[me].opinions, w.cast[other].opinions
        topic = contested_topic(w, me, other, 0)
        differ += bool(topic)
        both = {k for k in mine if k in theirs and mine[k].stance * theirs[k].stance < 0}
        assert topic in both or (not topic and not both)
        assert partner_of(w, me, other, 0).opposed == opinion_gap(w.cast[me], w.cast[other], topic)
    assert differ > 20


def test_what_is_decided_is_differed_on_no_more(w: World) -> None:
    assert contested_topic(w, "basil", "vera", 0) == "selling the mill meadow"
    assert contested_topic(w, "basil", "vera", 5 * DAY) != "selling the mill meadow"


def test_who_differs_from_another_opens_with_that(w: World) -> None:
    for n in range(20):
        found = ordinary_content(w, "opinion", "basil", "vera", 0, [], w.chance.stream(n, "basil", "test"))
        assert found is not None
        assert found.topic == contested_topic(w, "basil", "vera", 0)
    same = next((a, b) for a, b in permutations(w.cast, 2) if w.cast[a].opinions and not contested_topic(w, a, b, 0))
    topics = {ordinary_content(w, "opinion", *same, 0, [], w.chance.stream(n, "x", "test")).topic for n in range(30)}  # type: ignore[union-attr]
    assert topics <= w.cast[same[0]].opinions.keys()
