"""When in a tick things are done: at moments spread evenly over it, which owe nothing to who is first in number."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from crowds import LIVELY, Site
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sandbox.feed.crowd import Crowd
from sandbox.feed.packing import ActKind, CrowdActed, moments
from sandbox.feed.unpacking import MAKES_CARDS, MAKES_COMMENTS, crowd_acts

STARTS = (0, 180, 360, 27_000, 86_400, 10**8)
MANY = 20_000


def offsets(start: int, seconds: int = 180, users: int = MANY) -> np.ndarray:
    return moments(np.arange(users), start, seconds) - start


@given(
    st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=20),
    st.integers(-86400, 2**33),
    st.integers(1, 86400),
)
def test_everybody_has_one_moment_in_a_tick_whoever_else_is_there(users: list[int], start: int, seconds: int) -> None:
    found = moments(np.array([*users, *users], np.int64), start, seconds).tolist()
    assert all(start <= t < start + seconds for t in found)
    assert found[: len(users)] == found[len(users) :]
    assert found[:1] == moments(np.array(users[:1], np.int64), start, seconds).tolist()


@pytest.mark.parametrize("seconds", [2, 7, 60, 180, 3600, 86400])
@pytest.mark.parametrize("start", STARTS)
def test_moments_are_spread_evenly_over_the_tick(start: int, seconds: int) -> None:
    bins = min(seconds, 60)
    counts = np.bincount(offsets(start, seconds) * bins // seconds, minlength=bins)
    wanted = np.bincount(np.arange(seconds) * bins // seconds, minlength=bins) / seconds * MANY
    assert stats.chisquare(counts, wanted).pvalue > 1e-4


@pytest.mark.parametrize("users", [60, 300, MANY])
@pytest.mark.parametrize("start", STARTS)
def test_moments_do_not_grow_with_the_number_of_the_user(start: int, users: int) -> None:
    found = offsets(start, users=users)
    assert abs(stats.spearmanr(np.arange(users), found).statistic) * sqrt(users) < 4
    assert abs(stats.spearmanr(found[:-1], found[1:]).statistic) * sqrt(users) < 4  # nor with a neighbour's
    half = found[: users // 2].mean() - found[users // 2 :].mean()
    assert abs(half) < 4 * 180 / sqrt(3 * users)


def test_moments_of_one_user_are_spread_evenly_over_ticks_and_differ_from_tick_to_tick() -> None:
    for user in (0, 1, 59, 999_999):
        found = np.array([moments(np.array([user]), 180 * k, 180)[0] - 180 * k for k in range(3000)])
        assert stats.chisquare(np.bincount(found // 3, minlength=60)).pvalue > 1e-4
        assert abs(stats.spearmanr(found[:-1], found[1:]).statistic) * sqrt(3000) < 4


def test_who_comes_first_in_one_tick_is_no_sign_of_who_does_in_the_next() -> None:
    for start in STARTS:
        for seconds in (60, 180, 3600):
            one, next_ = offsets(start, seconds), offsets(start + seconds, seconds)
            assert abs(stats.spearmanr(one, next_).statistic) * sqrt(MANY) < 4


def test_of_two_neighbours_the_lower_number_is_first_as_often_as_the_other() -> None:
    found = np.array([offsets(180 * k, 86400, 400) for k in range(400)])
    first = (found[:, :-1] < found[:, 1:]).mean(axis=0)
    assert np.abs(first - 0.5).max() < 5 * sqrt(0.25 / 400)
    assert abs(first.mean() - 0.5) < 5 * sqrt(0.25 / first.size / 400)


# ---- in the feed


def test_acts_are_told_in_order_of_their_moments_and_those_of_one_user_as_they_are_packed() -> None:
    turned = 0
    for record in Site(200, crowd=LIVELY | {"comments": 1}).live(8).records:
        e = record.event
        assert isinstance(e, CrowdActed)
        users = np.frombuffer(e.users, "<u4").astype(np.int64)
        when = moments(users, record.stamp.t + 1 - e.seconds, e.seconds)
        columns = [x.tolist() for x in (when, users, np.frombuffer(e.acts, np.uint8), np.frombuffer(e.targets, "<u4"))]
        told = [*crowd_acts(e, record.stamp.t)]
        assert told == sorted(zip(*columns, strict=True), key=lambda row: row[0])  # stable
        turned += sum(a[1] > b[1] for a, b in pairwise(told))
    assert turned > 100


@pytest.mark.parametrize("seconds", [7, 180, 3600])
def test_cards_and_comments_are_numbered_as_they_are_told(seconds: int) -> None:
    site = Site(150, crowd=LIVELY).live(8, seconds)
    told, feed = site.told(), site.feed
    for table, makes in ((feed.posts, MAKES_CARDS), (feed.comments, MAKES_COMMENTS)):
        made = [(t, user) for t, user, act, _ in told if act in makes]
        assert len(made) > 10
        assert [*zip(table.t[: table.n].tolist(), table.author[: table.n].tolist(), strict=True)] == made


@pytest.mark.slow
def test_the_first_card_of_a_tick_is_anybodys() -> None:
    site = Site(100, crowd={"posts": 1.0, "activity": 1.0})
    site.feed.hours[:] = 255
    first = []
    for _ in range(300):
        at = site.feed.posts.n
        site.tick()
        first.append(site.feed.posts.author.item(at))
    assert abs(np.mean(first) - 49.5) < 5 * 100 / sqrt(12 * 300)
    assert len(set(first)) > 70


def test_a_tick_is_told_at_its_end_and_of_the_seconds_before() -> None:
    site = Site(100, crowd=LIVELY | {"activity": 1.0})
    begins: list[int] = []
    tick = Crowd.tick

    def noted(crowd: Crowd, seed: int, number: int, t: int, seconds: int) -> CrowdActed:
        begins.append(t)
        return tick(crowd, seed, number, t, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Crowd, "tick", noted)
        for seconds in (180, 60, 3600, 180):
            start, cards = site.now, site.feed.posts.n
            site.tick(seconds)
            assert site.now == start + seconds == site.records[-1].stamp.t + 1
            new = site.feed.posts.t[cards : site.feed.posts.n]
            assert len(new)
            assert start <= new.min() <= new.max() < site.now
    assert begins == [0, 180, 240, 3840]  # by the hours of its first second
    assert {act for *_, act, _ in site.told()} >= {ActKind.LIKE, ActKind.POST, ActKind.REPOST}
