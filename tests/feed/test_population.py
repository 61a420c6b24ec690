"""A crowd as it is drawn: the shares its tables say, each draw by itself, and the same for the same seed."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from crowds import Site
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sandbox.feed.model import CrowdParameters
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.population import (
    AGES,
    BLOCK,
    GENDERS,
    PLEASURE,
    PROFESSIONS,
    TRAIT_SPREAD,
    Drawn,
    create_feed,
    draw_crowd,
    scale_vectors,
    topics_of_vector,
    topics_of_vectors,
)

COUNT = 3 * BLOCK
TOPICS = scale_vectors(np.random.default_rng(1).integers(-127, 128, (9, 32)).astype(np.int8))
UNLIKELY = 1e-4


@cache
def crowd(count: int = COUNT, seed: int = 1, **changed: float) -> Drawn:
    return draw_crowd(seed, count, TOPICS, CrowdParameters(**changed))


def columns(of: Drawn) -> dict[str, np.ndarray]:
    return {**of.profiles._asdict(), "vector": of.vector, "stance": of.stance, "pleasure": of.pleasure, "h": of.hours.T}


def as_likely(counts: np.ndarray, shares: np.ndarray) -> bool:
    return bool(stats.chisquare(counts, shares * counts.sum()).pvalue > UNLIKELY)


# ---- shares


def test_ages_genders_professions_and_topics_have_their_shares() -> None:
    who = crowd().profiles
    ages = np.array([((who.age >= low) & (who.age < high)).sum() for low, high, _ in AGES])
    assert ages.sum() == COUNT
    assert as_likely(ages, np.array([share for *_, share in AGES]))
    assert as_likely(np.bincount(who.gender, minlength=3), np.array(GENDERS))
    assert as_likely(np.bincount(who.profession, minlength=PROFESSIONS), np.full(PROFESSIONS, 1 / PROFESSIONS))
    both = np.bincount(who.topics[:, 0] * 9 + who.topics[:, 1], minlength=81)
    assert as_likely(both, np.full(81, 1 / 81))  # two draws, each of nine


def test_each_year_of_a_band_is_as_likely() -> None:
    age = crowd().profiles.age
    assert as_likely(np.bincount(age[(age >= 25) & (age < 35)] - 25, minlength=10), np.full(10, 0.1))


def test_traits_stances_and_moods_are_normal_and_in_range() -> None:
    of = crowd()
    for whole, unit, mean, spread in (
        (of.profiles.traits, 100, 0, TRAIT_SPREAD),
        (of.stance, 1000, 0, 0.4),
        (of.pleasure, 100, *PLEASURE),
    ):
        assert np.abs(whole.astype(int)).max() <= unit
        x = whole.astype(float) / unit
        cut = np.clip(np.random.default_rng(1).normal(mean, spread, 100_000), -1, 1)
        assert x.mean() == pytest.approx(cut.mean(), abs=0.015)
        assert x.std() == pytest.approx(cut.std(), abs=0.015)


@pytest.mark.parametrize(("mean", "spread"), [(-0.3, 0.1), (1.0, 1.0), (-1.0, 0.0), (0.5, 0.0)])
def test_the_stances_of_a_crowd_are_those_the_world_says(mean: float, spread: float) -> None:
    x = crowd(BLOCK, mean=mean, spread=spread).stance / 1000
    wanted = np.clip(np.random.default_rng(2).normal(mean, spread, 100_000), -1, 1)
    assert x.mean() == pytest.approx(wanted.mean(), abs=0.03)
    assert x.std() == pytest.approx(wanted.std(), abs=0.03)
    assert np.abs(x).max() <= 1


def test_no_column_hangs_on_another() -> None:
    of = crowd()
    who = of.profiles
    told = np.column_stack(
        [
            who.age, who.gender, who.traits, who.profession, who.topics, of.stance, of.pleasure, of.hours.sum(axis=0),
        ]
    )  # fmt: skip
    correlated = np.corrcoef(told.astype(float), rowvar=False)
    np.fill_diagonal(correlated, 0)
    assert np.abs(correlated).max() < 4.5 / np.sqrt(COUNT)
    kinds = {"band": np.digitize(who.age, [25, 35, 45, 55, 65]), "gender": who.gender, "profession": who.profession}
    kinds |= {"first": who.topics[:, 0], "second": who.topics[:, 1]}
    for (_, a), (_, b) in combinations(kinds.items(), 2):
        table = np.zeros((a.max() + 1, b.max() + 1))
        np.add.at(table, (a, b), 1)
        assert stats.chi2_contingency(table).pvalue > UNLIKELY


# ---- hours


@pytest.mark.parametrize("activity", [0.02, 0.1])
def test_the_mean_of_all_hours_is_the_activity(activity: float) -> None:
    hours = crowd(activity=activity).hours
    assert hours.mean() / 255 == pytest.approx(activity, rel=0.05)


def test_a_crowd_without_activity_is_never_there_and_people_sleep() -> None:
    assert not crowd(BLOCK, activity=0.0).hours.any()
    of = crowd().hours.mean(axis=1)
    assert of.shape == (24,)
    assert of[20] > 3 * of[4]
    apart = crowd().hours.astype(float).mean(axis=0)
    assert apart.std() > 0.5 * apart.mean()  # some are always there, many hardly ever


# ---- interests


def test_vectors_are_about_127_long() -> None:
    lengths = np.sqrt((crowd().vector.astype(float) ** 2).sum(axis=1))
    assert np.abs(lengths - 127).max() < 3
    assert np.abs(crowd().vector.astype(int)).max() <= 127


def test_users_are_nearest_to_their_own_topics_and_none_is_like_another() -> None:
    of = crowd()
    own = of.profiles.topics
    first = topics_of_vectors(of.vector, TOPICS)[:, 0]
    assert ((first == own[:, 0]) | (first == own[:, 1])).mean() > 0.9
    assert len(np.unique(of.vector, axis=0)) > 0.99 * COUNT
    assert topics_of_vector(TOPICS[4], TOPICS)[0] == 4


@given(st.lists(st.integers(-127, 127), min_size=32, max_size=32))
def test_a_sized_vector_keeps_its_direction_and_nothing_stays_nothing(row: list[int]) -> None:
    whole = np.array([row], np.int8)
    made = scale_vectors(whole).astype(float)[0]
    if not any(row):
        assert not made.any()
        return
    length = np.sqrt((made**2).sum())
    assert abs(length - 127) < 3
    assert made @ np.array(row, float) / (length * np.sqrt((np.array(row, float) ** 2).sum())) > 0.999


# ---- the same, and others


def test_the_same_seed_draws_the_same_bytes_and_another_others() -> None:
    a, b, c = (draw_crowd(seed, 500, TOPICS, CrowdParameters()) for seed in (7, 7, 8))
    for name, column in columns(a).items():
        assert column.tobytes() == columns(b)[name].tobytes()
        assert column.tobytes() != columns(c)[name].tobytes()


@pytest.mark.parametrize("count", [0, 1, 300, BLOCK, BLOCK + 1])
def test_the_first_users_of_a_larger_crowd_are_the_same(count: int) -> None:
    small, large = crowd(count), crowd()
    for name, column in columns(small).items():
        assert len(column) == count
        assert column.tobytes() == columns(large)[name][:count].tobytes()


def test_blocks_are_not_like_one_another() -> None:
    of = crowd()
    assert of.stance[:BLOCK].tobytes() != of.stance[BLOCK : 2 * BLOCK].tobytes()


def test_a_new_feed_holds_its_crowd_and_nothing_has_happened_on_it() -> None:
    feed = create_feed(FeedParameters(crowd=400), CrowdParameters(), 1, 0, TOPICS)
    assert (feed.crowd, feed.users.n, feed.posts.n, feed.comments.n) == (400, 400, 0, 0)
    assert feed.users.fans[:400].sum() == len(feed.graph.followees) > 0
    assert (feed.users.newest[:400] == -1).all()
    assert feed.hours.shape == (24, 400)
    assert feed.users.stance[:400].tobytes() == crowd(400).stance.tobytes()
    assert feed.proof() == b""


def test_a_crowd_of_nobody_is_a_feed_of_nobody() -> None:
    site = Site(0)
    assert (site.feed.users.n, site.feed.hours.shape, len(site.feed.profiles.topics)) == (0, (24, 0), 0)
