"""How reading moves stances: each model does what its theorem says, and a crowd lives by the one its world names."""

from __future__ import annotations

import numpy as np
import pytest
from crowds import LIVELY, Site
from hypothesis import given
from hypothesis import strategies as st

from sandbox.feed import crowd as crowds
from sandbox.feed.model import UNTOLD
from sandbox.feed.opinion import SIDES, bounded, degroot, ema, lorenz, side_of
from sandbox.feed.packing import DOUBT, ActKind
from sandbox.feed.recommenders import Recommender
from sandbox.feed.tables import draws

MODELS = ("reading", "ema", "degroot", "bounded", "lorenz")
STANCE = st.floats(-1, 1)
STANCES = st.lists(STANCE, min_size=1, max_size=20).map(np.array)


def everybody(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Each reads each, and themselves: readers, and whom they read."""
    return np.repeat(np.arange(count), count), np.tile(np.arange(count), count)


def graph(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A connected graph with self-loops: a path, and chords drawn by lot."""
    chords = np.random.default_rng(seed).integers(0, count, (2, count // 2))
    links = (
        {(i, i) for i in range(count)} | {(i, i + 1) for i in range(count - 1)} | {*zip(*chords.tolist(), strict=True)}
    )
    both = sorted(links | {(b, a) for a, b in links})
    return np.array(both).T[0], np.array(both).T[1]


def one(s: float, x: float, strength: float, latitude: float, assimilation: float) -> float:
    return lorenz(np.array([s]), np.array([0]), np.array([x]), strength, latitude, assimilation).item()


# ---- an exponential moving average


def test_a_round_moves_a_stance_by_a_fifth_of_the_way_to_its_side() -> None:
    s = np.array([-0.8, 0.5, 0.5, 0.333, 0.334, -1.0])
    said = np.array([2.0, 0.0, -0.9, 0.0, 0.0, 0.7])
    assert (ema(s, side_of(s + said)) - s).tolist() == pytest.approx([0.36, 0.1, -0.3, -0.0666, 0.1332, 0.2])


@given(STANCES, st.integers(1, 30), st.sampled_from([-1.0, 0.0, 1.0]), st.floats(0, 1))
def test_what_was_before_fades_by_the_memory_to_the_power_of_rounds(
    start: np.ndarray, rounds: int, side: float, memory: float
) -> None:
    s = start
    for _ in range(rounds):
        s = ema(s, side_of(s + 3 * side - (side == 0) * s), memory)  # acts that outweigh or undo one's own stance
    left = memory**rounds
    assert s == pytest.approx(left * start + (1 - left) * side, abs=1e-9)


# ---- averaging


@pytest.mark.parametrize("pull", [1.0, 0.3])
def test_averaging_on_a_connected_graph_with_self_loops_ends_in_one_mind(pull: float) -> None:
    """Theorem 1 of seed 001. The mind is that of the start, each weighted by the number of those they read."""
    reader, read = graph(30, 1)
    start = np.random.default_rng(2).uniform(-1, 1, 30)
    s = start
    for _ in range(4000):
        s = s + degroot(s, reader, s[read], pull)
    many = np.bincount(reader)
    assert s == pytest.approx(np.full(30, (many * start).sum() / many.sum()), abs=1e-9)
    assert start.std() > 0.4


def test_two_that_nobody_ties_keep_two_minds_and_without_self_loops_minds_may_change_for_ever() -> None:
    reader, read = graph(15, 1)
    apart = np.append(reader, reader + 15), np.append(read, read + 15)
    s = start = np.append(np.random.default_rng(3).uniform(-1, 0, 15), np.random.default_rng(4).uniform(0, 1, 15))
    for _ in range(4000):
        s = s + degroot(s, apart[0], s[apart[1]], 1.0)
    many = np.bincount(reader)
    for part in (slice(15), slice(15, 30)):
        assert s[part] == pytest.approx(np.full(15, (many * start[part]).sum() / many.sum()), abs=1e-9)
    assert s[20] - s[0] > 0.5
    swapped = np.array([-1.0, 1.0])
    for _ in range(101):
        swapped = swapped + degroot(swapped, np.array([0, 1]), swapped[[1, 0]], 1.0)
    assert swapped.tolist() == [1.0, -1.0]


@given(STANCES, STANCES, st.floats(0, 1))
def test_whoever_reads_goes_part_of_the_way_to_the_mean_and_whoever_does_not_stays(
    s: np.ndarray, x: np.ndarray, pull: float
) -> None:
    change = degroot(s, np.zeros(len(x), int), x, pull)
    assert change[0] == pytest.approx(pull * (x.mean() - s[0]))
    assert not change[1:].any()


@pytest.mark.parametrize("seed", range(5))
def test_within_their_confidence_all_come_to_one_cluster_and_beyond_it_clusters_stay_apart(seed: int) -> None:
    start = np.random.default_rng(seed).uniform(-1, 1, 60)
    ends = {}
    for near in (2.0, 0.2):
        s, (reader, read) = start, everybody(60)
        for _ in range(60):
            s = s + bounded(s, reader, s[read], 1.0, near)
        assert np.abs(bounded(s, reader, s[read], 1.0, near)).max() < 1e-12  # it stands
        ends[near] = np.unique(np.round(s, 9))
    assert ends[2.0] == pytest.approx([start.mean()])
    assert len(ends[0.2]) > 2
    assert np.diff(ends[0.2]).min() >= 0.2


# ---- arguments


@given(STANCES, st.lists(st.tuples(st.integers(0, 19), STANCE), max_size=40), *[st.floats(0, 1)] * 3)
def test_stances_stay_on_their_scale_whatever_is_read(
    s: np.ndarray, read: list[tuple[int, float]], strength: float, latitude: float, assimilation: float
) -> None:
    reader = np.array([who % len(s) for who, _ in read], np.int64)
    x = np.array([stance for _, stance in read])
    after = s + lorenz(s, reader, x, strength, latitude, assimilation)
    assert np.abs(after).max() <= 1
    assert (after[np.abs(s) == 1] == s[np.abs(s) == 1]).all()


@given(STANCE, STANCE, st.floats(0.01, 1), st.floats(0.01, 2))
def test_an_argument_reinforces_and_an_assimilating_reader_comes_nearer(
    s: float, x: float, strength: float, latitude: float
) -> None:
    by = one(s, x, strength, latitude, 0.0)
    assert by * x >= 0
    assert (abs(by) > 0) == (abs(x) > 1e-9 and abs(s) < 1 - 1e-9) or abs(by) < 1e-9
    nearer = one(s, x, strength, latitude, 1.0)
    assert nearer * (x - s) >= 0
    assert abs(x - s - nearer) <= abs(x - s) + 1e-12


def test_an_argument_on_ones_own_side_leads_away_from_the_middle_even_of_somebody_firmer() -> None:
    assert one(0.5, 0.2, 0.1, 0.8, 0.0) > 0 > one(0.5, 0.2, 0.1, 0.8, 1.0)
    assert one(-0.5, -0.2, 0.1, 0.8, 0.0) < 0 < one(-0.5, -0.2, 0.1, 0.8, 1.0)


@given(STANCE, STANCE, st.floats(0, 1))
def test_at_the_latitude_half_is_taken_in_and_at_none_nothing_but_ones_own_stance(s: float, x: float, r: float) -> None:
    whole = one(s, x, 0.1, 1e6, r)
    assert whole == pytest.approx(0.1 * (1 - s * s) * (x - r * s), abs=1e-9)
    if abs(x - s) > 1e-3:
        assert one(s, x, 0.1, abs(x - s), r) == pytest.approx(whole / 2, abs=1e-9)
        assert one(s, x, 0.1, 0.0, r) == pytest.approx(0, abs=1e-5)


# ---- a crowd


class All(Recommender):
    """All posts, for all alike."""

    name = "all"

    def rank(self, feed: object, users: np.ndarray, now: int, k: int, draw: object) -> np.ndarray:
        row = np.full(k, -1, np.int32)
        row[:3] = 0, 1, 2
        return np.tile(row, (len(users), 1))


def moves(model: str, told: tuple[int, int, int], **crowd: float | bool | str) -> tuple[list[int], list[int]]:
    """The stances of a crowd of which each reads three posts of these stances twice in a tick, and their moves."""
    still = {"posts": 0.0, **dict.fromkeys(("like", "dislike", "comment", "repost", "follow"), -20.0)}
    site = Site(50, recommender=All(), feed={"read": 3, "cache": 3}, crowd=still | {"opinion": model} | crowd)
    ada = site.sign_up("ada", "Ada")
    for stance in told:
        site.feed.posts.stance[site.create_post(ada, "Bread", 0.0)] = stance
    site.feed.hours[:] = 255
    before = site.feed.users.stance[:50].astype(int)
    site.tick(360)
    return before.tolist(), (site.feed.users.stance[:50] - before).tolist()


def test_a_tick_moves_the_crowd_as_its_model_says_however_often_one_looks() -> None:
    told = (700, -200, 400)
    for s, by in zip(*moves("degroot", told, pull=0.5), strict=True):
        assert abs(by - 0.5 * (300 - s)) <= 0.5
    for s, by in zip(*moves("bounded", told, pull=0.5, near=0.45), strict=True):
        near = [x for x in told if abs(x - s) <= 450] or [s]
        assert abs(by - 0.5 * (sum(near) / len(near) - s)) <= 0.5
    for s, by in zip(*moves("lorenz", told, pull=0.05, near=0.3, assimilation=0.4), strict=True):
        each = [0.05 * (1 - (s / 1000) ** 2) * (x - 0.4 * s) * 0.09 / (0.09 + ((x - s) / 1000) ** 2) for x in told]
        assert abs(by - 2 * sum(each)) <= 0.5
    for s, by in zip(*moves("ema", told, memory=0.7), strict=True):
        assert abs(by - 0.3 * (1000 * (s > 333) - 1000 * (s < -333) - s)) <= 0.5


@pytest.mark.parametrize("model", MODELS)
def test_texts_without_a_stance_move_nobody_and_in_a_world_of_fixed_views_nothing_does(model: str) -> None:
    if model != "ema":
        assert not any(moves(model, (UNTOLD, UNTOLD, UNTOLD))[1])
        assert moves(model, (UNTOLD, 600, UNTOLD))[1] == moves(model, (600, UNTOLD, UNTOLD))[1] != [0] * 50
    assert not any(moves(model, (600, 600, 600), moves=False)[1])


def test_acts_on_posts_say_what_their_doers_hold() -> None:
    sides = {act: int(SIDES[act]) for act in range(256) if SIDES[act]}
    assert sides == {
        **dict.fromkeys((ActKind.LIKE, ActKind.REPOST, ActKind.WARM), 1),
        **dict.fromkeys((ActKind.DISLIKE, ActKind.HOSTILE), -1),
        **dict.fromkeys(range(DOUBT + 1, DOUBT + 5), 1),
        **dict.fromkeys(range(DOUBT + 7, DOUBT + 11), -1),
    }


@pytest.mark.parametrize("doubts", [False, True])
def test_stances_follow_what_their_holders_did_in_the_tick(doubts: bool) -> None:
    site = Site(200, crowd=LIVELY | {"opinion": "ema", "spread": 0.6, "doubts": doubts}, feed={"tick": 900})
    farthest = turned = 0
    for _ in range(8):
        step, feed = site.step, site.feed
        sat = {*site.crowd.active(draws(3, "sittings", step), site.now, 900).tolist()}
        before = feed.users.stance[:200].astype(int).tolist()
        site.tick(900)
        total = {user: before[user] for user in sat}
        for _, user, act, on in site.told()[-len(site.packed[-1].acts) :]:
            total[user] += int(SIDES[act]) * int(feed.posts.stance[on]) if SIDES[act] else 0
        for user, was in enumerate(before):
            side = 0 if user not in sat or abs(total[user]) < 1000 / 3 else 1000 if total[user] > 0 else -1000
            wanted = 0.2 * (side - was) if user in sat else 0
            assert abs(feed.users.stance[user] - was - wanted) <= 0.5
            farthest, turned = max(farthest, abs(feed.users.stance[user] - was)), turned + (side * was < 0)
    assert farthest > 127  # more than a byte holds
    assert turned > 20  # by what they did, and not by what they held


@pytest.mark.parametrize("model", MODELS[1:])
def test_any_number_of_threads_moves_stances_alike(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "CHUNK", 50)
    crowd = LIVELY | {"opinion": model, "comments": 2, "pull": 0.3}
    lived = [Site(400, threads=n, crowd=crowd).live(5) for n in (1, 3)]
    assert len({site.feed.proof() for site in lived}) == 1
    assert lived[0].feed.proof() != Site(400, threads=1, crowd=crowd | {"opinion": "reading"}).live(5).feed.proof()


def test_a_crowd_that_averages_comes_to_one_mind_and_one_that_hears_only_its_like_does_not() -> None:
    spreads = {}
    for near in (2.0, 0.15):
        crowd = {"activity": 1.0, "spread": 0.6, "opinion": "bounded", "near": near, "pull": 0.5, "posts": 0.5}
        site = Site(150, kind="reddit", crowd=crowd, feed={"recommender": "random", "read": 10, "cache": 10})
        site.feed.hours[:] = 200
        spreads[near] = site.live(60).feed.users.stance[:150].std()
    assert spreads[2.0] < 50  # what was posted before is still read
    assert spreads[0.15] > 300
