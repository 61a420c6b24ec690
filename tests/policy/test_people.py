"""People under a policy: what profiles say, what is remembered, and what a study may tell of a stance."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.events import Record
from sandbox.feed.acting import Refused
from sandbox.feed.apply_blocks import take
from sandbox.feed.blocks import read
from sandbox.feed.change_recorder import next_block, start_noting
from sandbox.feed.core import HAPPENS
from sandbox.feed.handlers import HANDLERS
from sandbox.feed.platform import Platform
from sandbox.policy.people import (
    COUNT,
    LONG,
    MOST_POSTS,
    Remembered,
    UserFacts,
    draw_memories,
    joined_memory,
    metadata_of,
    profile_of,
    similarities,
)

ANN = UserFacts("Ann", "ann", "I bake bread.", 100, 5000, 20, 900, ("Rain!", "The loaf is out! #bread"), ("", "health"))


def memory(*vector: int, at: int = 0, text: str = "") -> Remembered:
    return Remembered(text or f"{vector} {at}", np.array(vector, np.int8), at)


POOLS = st.lists(
    st.builds(
        lambda x, y, at: memory(x, y, at=at), st.integers(-127, 127), st.integers(-127, 127), st.integers(0, 2000)
    ),
    max_size=12,
)


# ---- profiles


def test_a_profile_says_who_somebody_is_what_they_care_for_how_they_write_and_what_they_do() -> None:
    p = profile_of(ANN)
    assert p.identity == "Ann (@ann): I bake bread."
    assert p.interests == "Cares for bread, health."
    assert p.style.startswith("Writes in few words")
    assert "with exclamation marks" in p.style
    assert p.interaction == "Mostly writes posts. Is followed by many more than they follow. Likes much."
    assert p.text == " ".join(p)


def test_who_has_written_nothing_has_a_profile_too() -> None:
    p = profile_of(UserFacts("Bo", "bo", "", 9, 0, 30, 0))
    assert p.identity == "Bo (@bo): says nothing of themselves."
    assert (p.interests, p.style) == ("Cares for nothing in particular.", "Writes nothing.")
    assert p.interaction == "Follows many more than follow them. Hardly likes anything."


def test_what_is_passed_on_is_not_how_somebody_writes_and_only_the_latest_posts_count() -> None:
    rt = ANN._replace(posts=("RT @bo: WOW!!!",) * 3, about=())
    assert profile_of(rt).style == "Writes nothing."
    assert profile_of(rt).interaction.startswith("Mostly passes on what others write.")
    old = ANN._replace(posts=("#old",) * 30 + ("@bo No.",) * MOST_POSTS, about=())
    assert profile_of(old).interests == "Cares for nothing in particular."
    assert profile_of(old).interaction.startswith("Mostly answers others.")


def test_what_a_feed_knows_of_an_account_is_told_as_it_was_written() -> None:
    site = Platform("x", seed=1)
    ann, bo = site.sign_up("ann", "Ann", "I bake bread."), site.sign_up("bo", "Bo")
    post = site.create_post(ann, "The council should vote on the bus lane.")
    site.repost(bo, post)
    site.quote_post(bo, post, "No.")
    site.like_post(bo, post)
    site.follow(bo, ann)
    site.advance(86400)
    facts = metadata_of(site.feed, bo, site.now, site.words)
    assert facts.posts == ("RT @ann: The council should vote on the bus lane.", "@ann No.")
    assert (facts.days, facts.likes, facts.follows, facts.followers) == (1.0, 1, 1, 0)
    assert metadata_of(site.feed, ann, site.now, site.words).about == ("politics",)


# ---- memory


@given(POOLS, st.tuples(st.integers(-127, 127), st.integers(-127, 127)), st.integers(0, 7), st.integers(0, 9))
def test_what_comes_to_mind_is_alike_never_twice_and_the_same_with_the_same_draw(
    pool: list[Remembered], query: tuple[int, int], count: int, seed: int
) -> None:
    one = np.array(query, np.int8)
    found, again = (draw_memories(pool, one, 2000, np.random.default_rng(seed), count) for _ in range(2))
    assert [id(m) for m in found] == [id(m) for m in again]
    alike = {id(m) for m, x in zip(pool, similarities(pool, one), strict=True) if x > 0}
    assert {id(m) for m in found} <= alike
    assert len(found) == min(count, len(alike)), "however old they are"
    assert len({id(m) for m in found}) == len(found)


@pytest.mark.parametrize(("decay", "weights"), [(0.0, (1.0, 0.6, 0.6)), (1.0, (1.0, 0.6, 0.6 * np.exp(-1)))])
def test_who_comes_first_comes_as_often_as_equation_4_says(decay: float, weights: tuple[float, ...]) -> None:
    pool = [memory(100, 0, at=3), memory(60, 80, at=3), memory(60, -80, at=2), memory(-9, 0, at=3)]
    query, draw, n = np.array((50, 0), np.int8), np.random.default_rng(1), 4000
    first = Counter(draw_memories(pool, query, 3, draw, 1, decay)[0].text for _ in range(n))
    expected = np.array(weights) / sum(weights)
    assert [first[m.text] / n for m in pool[:3]] == pytest.approx(expected, abs=0.03)
    both = Counter(frozenset(m.text for m in draw_memories(pool, query, 3, draw, 2, decay)) for _ in range(n))
    p, q, r = expected
    assert both[frozenset((pool[0].text, pool[1].text))] / n == pytest.approx(
        p * q / (1 - p) + q * p / (1 - q), abs=0.03
    )
    assert draw_memories(pool, query, 3, draw, COUNT, decay) == pool[:3]
    assert r < p


def test_a_memory_of_several_texts_has_each_once_the_last_first_and_is_cut() -> None:
    assert joined_memory(["Rain.", "", "Sun.", "Rain."]) == "Rain. / Sun."
    assert len(joined_memory(["x" * 300, "y" * 300])) == LONG
    assert joined_memory([]) == ""


# ---- a stance that a study tells


def test_a_stance_that_is_told_is_in_the_log_in_blocks_and_in_what_others_are_told() -> None:
    log: list[Record] = []
    site = Platform("x", seed=1, keep=log.append)
    ann = site.sign_up("ann", "Ann")
    other = Platform("x", seed=1)
    start_noting(other.feed, 0)
    for record in log:
        HANDLERS[type(record.event)](other, record.event, record.stamp)
    first = next_block(other.feed, 1)
    assert first is not None
    site.tell_stance(ann, -0.36)
    assert site.feed.users.stance[ann] == -360
    for record in log[1:]:
        HAPPENS[type(record.event)](other, record.event, record.stamp)
    assert other.feed.proof() == site.feed.proof()
    blocked = Platform("x", seed=1)
    block = next_block(other.feed, 2)
    assert block is not None
    take(blocked.feed, [read(first[1]), read(block[1])])
    assert blocked.feed.users.stance[ann] == -360


@pytest.mark.parametrize(("user", "stance"), [(5, 0.0), (0, 1.01), (0, float("nan"))])
def test_a_stance_of_nobody_or_beyond_the_ends_is_refused(user: int, stance: float) -> None:
    site = Platform("x", seed=1)
    site.sign_up("ann", "Ann")
    with pytest.raises((Refused, ValueError)):
        site.tell_stance(user, stance)
    assert site.feed.users.stance[0] == 0
