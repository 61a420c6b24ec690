"""What a crowd does in a tick: as likely as its rules say, nothing that cannot be, and the same for any threads."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from hashlib import blake2b
from math import exp, log10, sqrt
from typing import Any

import numpy as np
import pytest
from crowds import LIVELY, ONCE, Site, edges, sort_of
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.clock import DAY, HOUR
from sandbox.feed import crowd as crowds
from sandbox.feed.crowd import CrowdPlan, usual_threads
from sandbox.feed.model import NEVER, UNTOLD, CrowdParameters, Feed
from sandbox.feed.packing import DOUBT, LAST, ActKind, CrowdActed
from sandbox.feed.recommenders import Recommender
from sandbox.feed.tables import Ints, Longs, draws

SAID = (ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM)
SURE = 20.0


class Fixed(Recommender):
    """The first posts, for all alike."""

    name = "fixed"

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        row = np.full(k, -1, np.int32)
        row[: min(k, feed.roots.n)] = feed.roots.card[: min(k, feed.roots.n)]
        return np.tile(row, (len(users), 1))


def digest(site: Site) -> str:
    out = blake2b()
    for e in site.packed:
        for part in (e.users, e.acts, e.targets, e.moved, e.by, e.mark):
            out.update(len(part).to_bytes(4) + part)
    return out.hexdigest()


# ---- threads and chunks


@pytest.mark.parametrize("kind", ["x", "reddit"])
def test_any_number_of_threads_does_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "CHUNK", 50)
    lived = [Site(500, kind=kind, threads=n, crowd=LIVELY | {"comments": 2}).live(6) for n in (1, 2, 3)]
    assert len({digest(site) for site in lived}) == 1
    assert len({site.feed.proof() for site in lived}) == 1
    assert sum(len(e.acts) for e in lived[0].packed) > 1000


def test_a_large_crowd_does_the_same_on_two_threads() -> None:
    lived = [Site(12_000, threads=n, crowd={"activity": 0.8}).live(3) for n in (1, 2)]
    assert len({digest(site) for site in lived}) == 1


def test_the_chance_of_a_chunk_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "CHUNK", 40)
    site = Site(300, crowd=LIVELY).live(5)
    ready = site.crowd.recommender.prepare(site.feed, site.now, draws(3, "pool", 9))
    users = np.arange(300, dtype=np.int64)
    parts = [users[i : i + 40] for i in range(0, 300, 40)]

    def plans(order: list[int]) -> dict[int, CrowdPlan]:
        return {i: site.crowd.plan(ready, parts[i], draws(3, "crowd", 9, i)) for i in order}

    one, other = plans([*range(8)]), plans([5, 2, 7, 0])
    for i in other:
        assert all(a.tolist() == b.tolist() for a, b in zip(one[i], other[i], strict=True))


def test_threads_are_as_many_as_processors_unless_somebody_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDBOX_THREADS", raising=False)
    assert 1 <= usual_threads() <= 8
    for said, n in (("3", 3), ("0", 1)):
        monkeypatch.setenv("SANDBOX_THREADS", said)
        assert usual_threads() == n


def test_another_seed_is_another_life_and_the_same_seed_the_same() -> None:
    a, b, c = (digest(Site(150, seed=seed, crowd=LIVELY).live(4)) for seed in (1, 1, 2))
    assert a == b != c


# ---- what the log says


class Slow:
    """A feed as a slow reader of the log would keep it. It fails where something is done that cannot be."""

    def __init__(self, feed: Feed) -> None:
        self.crowd = feed.crowd
        self.follows = edges(feed)
        self.fans = feed.users.fans[: feed.users.n].tolist()
        self.done: set[tuple[int, int, int]] = set()
        self.cards: list[dict[str, int]] = []
        self.comments: list[dict[str, int]] = []
        self.newest: dict[int, int] = {}

    def take(self, t: int, user: int, act: int, target: int) -> None:
        assert 0 <= user < self.crowd
        root = self.cards[target]["root"] if act in (ActKind.LIKE, ActKind.DISLIKE, ActKind.REPOST) else target
        self.done.discard(
            (user, {ActKind.FOLLOW: ActKind.UNFOLLOW, ActKind.UNFOLLOW: ActKind.FOLLOW}.get(act, -1), root)
        )
        if act in ONCE:
            assert (user, sort_of(act), root) not in self.done, "done twice"
            self.done.add((user, sort_of(act), root))
        if act == ActKind.POST:
            self.card(t, user, len(self.cards), -1, target)
        elif act == ActKind.REPOST:
            self.card(t, user, root, target, self.cards[root]["topic"])
            self.cards[root]["reposts"] += 1
        elif act == ActKind.FOLLOW:
            assert user != target, "follows themselves"
            assert (user, target) not in self.follows, "follows twice"
            self.follows.add((user, target))
            self.fans[target] += 1
        elif act == ActKind.UNFOLLOW:
            self.follows.remove((user, target))
            self.fans[target] -= 1
        elif act in (ActKind.LIKE, ActKind.DISLIKE):
            assert target == root, "a repost itself is liked"
            self.cards[target]["likes" if act == ActKind.LIKE else "dislikes"] += 1
        elif act in (ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT):
            self.comments[target]["likes" if act == ActKind.LIKE_COMMENT else "dislikes"] += 1
        else:
            tone = act - ActKind.NEUTRAL if act <= ActKind.WARM else 0
            card = self.cards[target]
            assert card["root"] == target
            self.comments.append(
                {"post": target, "author": user, "t": t, "likes": 0, "dislikes": 0, "before": card["last"]}
                | ({"doubt": act - DOUBT} if act > DOUBT else {"tone": tone})
            )
            card["last"] = len(self.comments) - 1
            card["comments"] += 1

    def card(self, t: int, user: int, root: int, via: int, topic: int) -> None:
        counters = {"likes": 0, "dislikes": 0, "comments": 0, "reposts": 0, "quotes": 0, "last": -1}
        earlier = self.newest.get(user, -1)
        self.newest[user] = len(self.cards)
        self.cards.append(
            {"author": user, "t": t, "root": root, "via": via, "topic": topic, "earlier": earlier} | counters
        )

    def agree(self, feed: Feed) -> None:
        assert feed.posts.n == len(self.cards)
        assert feed.comments.n == len(self.comments)
        for table, rows in ((feed.posts, self.cards), (feed.comments, self.comments)):
            for i, row in enumerate(rows):
                assert {name: int(getattr(table, name)[i]) for name in row} == row
        assert edges(feed) == self.follows
        assert feed.users.fans[: feed.users.n].tolist() == self.fans
        roots = [i for i, card in enumerate(self.cards) if card["root"] == i]
        assert feed.roots.card[: feed.roots.n].tolist() == roots
        assert feed.roots.t[: feed.roots.n].tolist() == [self.cards[i]["t"] for i in roots]
        for act, pairs in (
            (ActKind.LIKE, feed.liked),
            (ActKind.DISLIKE, feed.disliked),
            (ActKind.REPOST, feed.reposted),
            (ActKind.LIKE_COMMENT, feed.comment_liked),
            (ActKind.DISLIKE_COMMENT, feed.comment_disliked),
        ):
            mine = [(u, x) for u, a, x in self.done if a == act]
            assert pairs.n == len(mine)
            assert all(pairs.has(*np.array(mine, np.int64).reshape(-1, 2).T))


def agrees(site: Site, ticks: int, seconds: int = 0) -> Slow:
    slow = Slow(site.feed)
    site.live(ticks, seconds)
    for row in site.told():
        slow.take(*row)
    slow.agree(site.feed)
    return slow


def test_sixty_ticks_hold_nothing_that_cannot_be_and_come_to_the_counters_that_stand() -> None:
    slow = agrees(Site(120, crowd=LIVELY | {"activity": 0.3, "comments": 3}), 60)
    acts = {act for _, act, _ in slow.done}
    assert acts == {sort_of(act) for act in ONCE}
    assert len(slow.comments) > 200


@given(
    st.integers(0, 2**32),
    st.integers(1, 40),
    st.sampled_from(["x", "reddit"]),
    st.sampled_from(["", "random", "none", "chronological"]),
    st.fixed_dictionaries(
        {
            "activity": st.sampled_from([0.05, 0.5, 1.0]),
            "like": st.sampled_from([-3.0, SURE]),
            "repost": st.sampled_from([-2.0, SURE]),
            "follow": st.sampled_from([-2.0, SURE]),
            "unfollow": st.sampled_from([NEVER, -2.0, SURE]),
            "comment": st.sampled_from([NEVER, -1.0]),
            "posts": st.sampled_from([0.05, 1.0]),
            "comments": st.integers(0, 4),
            "doubts": st.booleans(),
            "others": st.integers(0, 5),
        }
    ),
    st.sampled_from([30, 180, 3600]),
)
def test_counters_are_what_the_log_says_whatever_the_crowd(
    seed: int, users: int, kind: str, name: str, crowd: dict[str, Any], seconds: int
) -> None:
    agrees(Site(users, kind=kind, seed=seed, feed={"recommender": name}, crowd=crowd), 6, seconds)


def test_whoever_has_no_sitting_does_nothing() -> None:
    site = Site(400, crowd=LIVELY | {"activity": 0.1})
    for _ in range(8):
        sat = set(site.crowd.active(draws(3, "sittings", site.step), site.now, 180).tolist())
        site.tick()
        event = site.packed[-1]
        did = set(np.frombuffer(event.users, "<u4").tolist())
        moved = set(np.flatnonzero(np.unpackbits(np.frombuffer(event.moved, np.uint8))).tolist())
        assert did <= sat
        assert moved <= sat
        assert 0 < len(sat) < 150


# ---- when


def test_the_sittings_of_a_day_do_not_depend_on_the_tick() -> None:
    site = Site(300)
    expected = site.feed.hours.sum() / 255 * HOUR / 180
    for seconds in (60, 180, 600, 3600, 4 * 3600):
        if seconds <= 3600:
            ticks = range(0, DAY, seconds)
            found = sum(len(site.crowd.active(draws(1, "s", t), t - 7 * HOUR - 1800, seconds)) for t in ticks)
            assert abs(found - expected) < 5 * sqrt(expected), seconds
        all_day = Site(300)
        all_day.feed.hours[:] = 51  # alike in all hours, one in five: ticks of any length
        found = sum(len(all_day.crowd.active(draws(1, "s", t), t, seconds)) for t in range(0, DAY, seconds))
        assert abs(found - 300 * 96) < 5 * sqrt(300 * 96), seconds


@pytest.mark.parametrize(("level", "seconds", "each"), [(255, 180, 1), (255, 3600, 20), (51, 3600, 4), (255, 1800, 10)])
def test_whoever_has_more_than_one_sitting_in_a_tick_has_that_many(level: int, seconds: int, each: int) -> None:
    site = Site(50)
    site.feed.hours[:] = level
    sat = site.crowd.active(draws(1, "s"), 0, seconds)
    assert np.bincount(sat, minlength=50).tolist() == [each] * 50
    assert (np.diff(sat) >= 0).all()


def test_a_sitting_that_is_sure_is_left_to_no_chance() -> None:
    class Worst:
        def integers(self, low: int, high: int, n: int, kind: type) -> np.ndarray:
            return np.full(n, high - 1, kind)

    site = Site(20)
    site.feed.hours[:, :10], site.feed.hours[:, 10:] = 255, 254
    assert site.crowd.active(Worst(), 0, 180).tolist() == [*range(10)]  # type: ignore[arg-type]


def test_a_part_of_a_sitting_is_a_chance_of_one() -> None:
    site = Site(2000)
    site.feed.hours[:] = 85  # a third
    counts = np.bincount(site.crowd.active(draws(1, "s"), 0, 720), minlength=2000)  # one and a third
    assert set(counts) == {1, 2}
    assert abs((counts == 2).mean() - 1 / 3) < 5 * sqrt(2 / 9 / 2000)


def test_hours_decide_who_is_there() -> None:
    site = Site(60, crowd=LIVELY)  # it begins at half past seven
    site.feed.hours[:] = 0
    site.feed.hours[8, :30] = 255
    site.live(10)
    assert site.told() == []
    site.live(20)
    assert {user for _, user, _, _ in site.told()} == set(range(30))
    assert all(1800 <= t < 5400 for t, *_ in site.told())
    before = len(site.told())
    site.live(10)
    assert len(site.told()) == before


def test_earlier_acts_have_earlier_seconds_inside_their_tick() -> None:
    site = Site(200, crowd=LIVELY).live(10)
    for i, event in enumerate(site.packed):
        told = [t for t, *_ in site.told() if 180 * i <= t < 180 * (i + 1)]
        assert len(told) == len(event.acts)
        assert told == sorted(told)
        assert event.seconds == 180
    cards = site.feed.posts
    assert (np.diff(cards.t[: cards.n]) >= 0).all()


# ---- how likely


def chance(
    c: CrowdParameters, b: float, match: float, own: float, other: float, v: int, mood: float, sign: int
) -> float:
    """P(act | read), by the book. sign: -1 of a dislike."""
    k = {"human": 0.98 if v > 0 else -0.3, "herd": 0.98, "none": 0.0}[c.herding]
    size = min(abs(v), c.ceiling) if c.ceiling else abs(v)
    social = k * ((v > 0) - (v < 0)) * log10(1 + size) if c.shown else 0.0
    x = b + 2 * (match - 0.5) + sign * (own * other + social) + 0.3 * mood
    return 1 / (1 + exp(-x))


@cache
def readers() -> tuple[Site, int]:
    """Many readers of one post."""
    crowd = {"posts": 0.0, "like": -1.0, "dislike": -1.2, "comment": -1.5, "repost": -1.8, "follow": -0.5}
    crowd["unfollow"] = -0.7
    site = Site(6000, recommender=Fixed(), feed={"cache": 1, "read": 1}, crowd=crowd)
    ada = site.sign_up("ada", "Ada", "I bake bread.")
    return site, site.create_post(ada, "The loaf came out of the oven golden.", 0.6)


@pytest.mark.parametrize("v", [-700, -4, 0, 1, 9, 700])
@pytest.mark.parametrize("ceiling", [0, 10])
@pytest.mark.parametrize("herding", ["human", "herd", "none", "hidden"])
def test_an_act_is_as_likely_as_its_rule_says(herding: str, ceiling: int, v: int) -> None:
    site, post = readers()
    feed, base = site.feed, site.crowd.c
    changed = {"herding": "human", "shown": False} if herding == "hidden" else {"herding": herding}
    c = CrowdParameters(
        **{f: getattr(base, f) for f in ("posts", "like", "dislike", "comment", "repost", "follow", "unfollow")},
        ceiling=ceiling,
        **changed,
    )
    feed.posts.likes[post], feed.posts.dislikes[post] = (v + 3, 3) if v >= 0 else (3, 3 - v)
    users = np.arange(feed.crowd, dtype=np.int64)
    crowd = crowds.Crowd(feed, site.parameters, c, site.recommender, 1)
    plan = crowd.plan(site.recommender.prepare(feed, 10, draws(1, "r")), users, draws(v + 1000, herding, ceiling))
    mine, its = feed.users.vector[users].astype(float), feed.vectors.row[feed.posts.vector[post]].astype(float)
    cosine = mine @ its / np.sqrt((mine**2).sum(axis=1) * (its @ its))
    assert cosine.std() > 0.1
    told = zip(cosine, feed.users.stance[users] / 1000, feed.users.pleasure[users] / 100, strict=True)
    people = [(0.5 + 0.5 * cos, own, mood) for cos, own, mood in told]
    counts = np.bincount(plan.act, minlength=LAST + 1)
    for b, kinds, sign in (
        (c.like, (ActKind.LIKE,), 1),
        (c.dislike, (ActKind.DISLIKE,), -1),
        (c.repost, (ActKind.REPOST,), 1),
        (c.follow, (ActKind.FOLLOW,), 1),
        (c.unfollow, (ActKind.UNFOLLOW,), -1),
        (c.comment, SAID, 1),
    ):
        p = np.array([chance(c, b, match, own, 0.6, v, mood, sign) for match, own, mood in people])
        found = counts[[*kinds]].sum()
        assert abs(found - p.sum()) < 4.5 * sqrt((p * (1 - p)).sum()) + 1, (kinds, found, p.sum())
        which = np.isin(plan.act, kinds)
        high = p > np.median(p)  # and as likely for each half of the readers
        half, among = np.isin(plan.user[which], users[high]).sum(), p[high]
        assert abs(half - among.sum()) < 4.5 * sqrt((among * (1 - among)).sum()) + 1


def test_the_usual_logits_are_those_of_the_spec() -> None:
    c = CrowdParameters()
    assert (c.like, c.dislike, c.comment, c.repost, c.follow, c.unfollow) == (-2.9, -4.5, -4.0, -4.0, -5.0, NEVER)
    assert (c.match, c.stance, c.mood, c.social) == (2.0, 1.0, 0.3, 0.98)
    assert [CrowdParameters(herding=h).herd for h in ("herd", "none")] == [(0.98, 0.98), (0.0, 0.0)]
    assert CrowdParameters(herding="human").herd == pytest.approx((0.98, -0.3))


def test_a_draw_is_above_a_logit_as_often_as_it_should_be() -> None:
    for x in (-9.0, -4.5, -2.9, 0.0, 1.3, 8.0):
        share = (np.float32(x) > crowds.LOGIT).mean()
        assert share == pytest.approx(1 / (1 + exp(-x)), abs=2e-5)
    assert (np.diff(crowds.LOGIT) >= 0).all()


def test_a_sitting_brings_a_post_as_often_as_said_about_ones_own_topics() -> None:
    site = Site(5000, crowd={"posts": 0.2, "activity": 0.5})
    site.feed.hours[:] = 255
    site.tick()
    posts = [(user, target) for _, user, act, target in site.told() if act == ActKind.POST]
    assert abs(len(posts) - 1000) < 5 * sqrt(800)
    topics = site.feed.profiles.topics
    assert all(about in topics[user] for user, about in posts)
    apart = [about == topics[user, 0] for user, about in posts if topics[user, 0] != topics[user, 1]]
    assert abs(sum(apart) - len(apart) / 2) < 5 * sqrt(len(apart) / 4)


# ---- what is read


def reading(read: int, cache: int, posts: int) -> Site:
    """Everybody has one sitting, and likes whatever they read."""
    site = Site(2000, recommender=Fixed(), feed={"cache": cache, "read": read}, crowd={"like": SURE, "posts": 0.0})
    ada = site.sign_up("ada", "Ada")
    for i in range(posts):
        site.create_post(ada, f"Loaf {i}")
    site.feed.hours[:] = 255
    return site.live(1)


@pytest.mark.parametrize(("read", "cache", "posts"), [(1, 10, 20), (3, 10, 20), (5, 5, 20), (5, 2, 20), (3, 10, 2)])
def test_so_many_posts_are_read_in_a_sitting_each_as_likely(read: int, cache: int, posts: int) -> None:
    from scipy import stats  # a second, where it is needed

    site = reading(read, cache, posts)
    likes = [(user, target) for _, user, act, target in site.told() if act == ActKind.LIKE]
    each = min(read, posts)
    ready = min(max(read, cache), posts)
    assert np.bincount([u for u, _ in likes], minlength=2000).tolist() == [each] * 2000
    counts = np.bincount([c for _, c in likes], minlength=posts)
    assert not counts[ready:].any()
    if each < ready:
        assert stats.chisquare(counts[:ready]).pvalue > 1e-4
    else:
        assert counts[:ready].tolist() == [2000] * ready


def test_a_post_and_its_reposts_are_read_once_in_a_sitting() -> None:
    site = Site(100, crowd={"like": SURE, "posts": 0.0}, recommender=All(), feed={"cache": 5, "read": 5})
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    post = site.create_post(ada, "Bread")
    site.repost(bo, post)
    site.feed.hours[:] = 255
    ready = site.recommender.prepare(site.feed, 0, draws(1, "r"))
    plan = site.crowd.plan(ready, np.arange(100, dtype=np.int64), draws(1, "p"))
    assert (plan.act == ActKind.LIKE).sum() == 100
    assert set(plan.target[plan.act == ActKind.LIKE].tolist()) == {post}


def test_whoever_passes_on_a_repost_names_that_card_and_likes_its_root() -> None:
    site = Site(
        50, crowd={"repost": SURE, "like": SURE, "posts": 0.0}, recommender=Fixed(), feed={"cache": 1, "read": 1}
    )
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    post = site.create_post(ada, "Bread")
    again = site.repost(bo, post)
    site.feed.roots.card[0] = again  # it is shown by its repost
    site.feed.hours[:] = 255
    site.tick()
    assert {target for _, _, act, target in site.told() if act == ActKind.REPOST} == {again}
    assert {target for _, _, act, target in site.told() if act == ActKind.LIKE} == {post}
    made = slice(again + 1, site.feed.posts.n)
    assert set(site.feed.posts.via[made].tolist()) == {again}
    assert set(site.feed.posts.root[made].tolist()) == {post}
    assert site.feed.posts.reposts[post] == 51


class All(Recommender):
    """Every card there is."""

    name = "all"

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        row = np.full(k, -1, np.int32)
        row[: feed.posts.n] = np.arange(feed.posts.n)[:k]
        return np.tile(row, (len(users), 1))


# ---- stances


def drift(c: CrowdParameters, s: int, x: int) -> float:
    """How far a stance s moves by reading x, in thousandths, by the book and not yet rounded."""
    if x == UNTOLD:
        return 0.0
    g = x - s
    sign = (s > 0) - (s < 0)
    moved = c.pull * g if abs(g) <= 800 else 0.0
    if (x > 0) - (x < 0) == sign and abs(x) >= abs(s):
        moved += 10 * sign
    if abs(g) > 1200:
        moved -= 10 * ((g > 0) - (g < 0))
    return moved


TABLE = [  # stance of the reader, of what is read, how far it moves
    (0, 0, 0),
    (0, 800, 16),
    (0, 801, 0),
    (0, -800, -16),
    (500, 500, 10),
    (500, 400, -2),
    (500, 600, 12),
    (500, 1000, 20),
    (100, 1000, 10),
    (-500, -500, -10),
    (-500, -400, 2),
    (-500, -1000, -20),
    (200, -600, -16),
    (200, -601, 0),
    (600, -600, 0),
    (600, -601, 10),
    (-600, 601, -10),
    (1000, -1000, 10),
    (-1000, 1000, -10),
    (700, UNTOLD, 0),
    (0, 24, 0),
    (0, 26, 1),
]


@cache
def lone() -> tuple[Site, int]:
    site = Site(64, recommender=Fixed(), feed={"cache": 1, "read": 1}, crowd={"posts": 0.0})
    return site, site.create_post(site.sign_up("ada", "Ada"), "Bread", 0.5)


def moves(stances: list[int], told: int, crowd: dict[str, Any]) -> list[int]:
    site, post = lone()
    feed, users = site.feed, np.arange(len(stances), dtype=np.int64)
    feed.users.stance[users], feed.posts.stance[post] = stances, told
    one = crowds.Crowd(feed, site.parameters, CrowdParameters(posts=0.0, **crowd), site.recommender, 1)
    plan = one.plan(site.recommender.prepare(feed, 0, draws(1, "r")), users, draws(1, "p"))
    return np.bincount(plan.reader, plan.by, len(stances)).astype(int).tolist()


@pytest.mark.parametrize(("s", "x", "by"), TABLE)
def test_a_stance_moves_by_what_is_read_as_the_table_says(s: int, x: int, by: int) -> None:
    assert moves([s], x, {}) == [by]
    if x != UNTOLD:
        assert moves([-s], -x, {}) == [-by]
    assert moves([s], x, {"moves": False}) == [0]


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=64), st.integers(-1000, 1000) | st.just(UNTOLD))
def test_any_stance_moves_as_the_rules_say(stances: list[int], told: int) -> None:
    for s, by in zip(stances, moves(stances, told, {}), strict=True):
        assert abs(by - drift(CrowdParameters(), s, told)) <= 0.5001


def test_the_rules_of_stances_are_parameters() -> None:
    assert moves([0, 0], 500, {"pull": 0.1}) == [50, 50]
    assert moves([0], 500, {"near": 0.4}) == [0]
    assert moves([500], 500, {"harden": 0.0}) == [0]
    assert moves([-500], 500, {"far": 0.9}) == [-10]
    assert moves([-1000], 1000, {"push": 0.1}) == [-100]


def test_readers_move_in_the_feed_as_the_log_says_and_stay_within_bounds() -> None:
    site = Site(100, crowd=LIVELY | {"spread": 1.0, "harden": 0.1})
    stance = site.feed.users.stance[:100].astype(int)
    site.live(30)
    for e in site.packed:
        where = np.flatnonzero(np.unpackbits(np.frombuffer(e.moved, np.uint8)))
        stance[where] = np.clip(stance[where] + np.frombuffer(e.by, "<i2"), -1000, 1000)
    assert site.feed.users.stance[:100].tolist() == stance.tolist()
    assert np.abs(stance).max() == 1000


# ---- comments


def test_comments_are_read_and_rated_only_where_the_world_says_so() -> None:
    none = Site(150, crowd=LIVELY).live(15)
    assert none.feed.comments.n > 50
    assert not {act for _, _, act, _ in none.told()} & {ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT}


def test_the_newest_comments_of_a_post_are_read_and_no_others() -> None:
    site = Site(150, crowd=LIVELY | {"comments": 2, "comment": 0.0})
    rated = 0
    for _ in range(12):
        posts, before = site.feed.posts, site.feed.comments.before
        last = posts.last[: posts.n]
        newest = {int(c) for c in last if c >= 0}
        newest |= {int(before[c]) for c in newest if before[c] >= 0}
        site.tick()
        event = site.packed[-1]
        acts, targets = np.frombuffer(event.acts, np.uint8), np.frombuffer(event.targets, "<u4")
        on = set(targets[(acts == ActKind.LIKE_COMMENT) | (acts == ActKind.DISLIKE_COMMENT)].tolist())
        assert on <= newest
        rated += len(on)
    assert rated > 50


def test_a_comment_that_is_read_moves_stances_and_one_of_an_account_takes_none() -> None:
    site, post = lone()
    c = {"comments": 1}
    assert moves([300], UNTOLD, c) == [0]
    ada = next(iter(site.feed.accounts))
    comment = site.create_comment(ada, post, "So it is")
    assert site.feed.comments.stance[comment] == UNTOLD
    assert moves([300], UNTOLD, c) == [0]
    site.feed.comments.stance[comment] = 400
    assert moves([300], UNTOLD, c) == [12]
    assert moves([300], 350, c) == [23]
    assert moves([300], 350, {}) == [11]
    site.feed.comments.stance[comment] = UNTOLD


def test_liked_comments_are_liked_more_where_readers_look_at_scores() -> None:
    def likes(score: int, herding: str) -> int:
        site = Site(4000, recommender=Fixed(), feed={"cache": 1, "read": 1}, crowd={"comments": 1, "herding": herding})
        ada = site.sign_up("ada", "Ada")
        comment = site.create_comment(ada, site.create_post(ada, "Bread"), "Bread!")
        site.feed.comments.likes[comment] = score
        site.feed.hours[:] = 255
        site.tick()
        return int(site.feed.comments.likes[comment]) - score

    assert likes(9, "herd") > 1.8 * likes(0, "herd") > 0
    assert likes(9, "none") == likes(0, "none")


def test_a_comment_sounds_as_its_writer_and_the_post_agree() -> None:
    def tones(own: int, told: int) -> np.ndarray:
        site, post = readers()
        feed = site.feed
        feed.posts.likes[post] = feed.posts.dislikes[post] = 0
        was, text = feed.users.stance[: feed.crowd].copy(), int(feed.posts.stance[post])
        feed.users.stance[: feed.crowd], feed.posts.stance[post] = own, told
        c = CrowdParameters(posts=0.0, comment=SURE, mood=0.0)
        one = crowds.Crowd(feed, site.parameters, c, site.recommender, 1)
        users = np.arange(2000, dtype=np.int64)
        plan = one.plan(site.recommender.prepare(feed, 0, draws(1, "r")), users, draws(1, "p"))
        feed.users.stance[: feed.crowd], feed.posts.stance[post] = was, text
        return np.bincount(plan.act, minlength=10)[[ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM]] / 2000

    assert tones(900, 900).tolist() == [0, 0, 1]
    assert tones(-900, 900).tolist() == [1, 0, 0]
    hostile, neutral, warm = tones(0, 900)
    assert neutral == pytest.approx(51 / 101, abs=0.06)
    assert hostile == pytest.approx(warm, abs=0.06)


@pytest.mark.parametrize(("own", "low", "high"), [(1000, 1, 3), (0, 4, 7), (-1000, 8, 10)])
def test_doubt_is_a_number_from_1_to_10_and_the_less_the_more_one_holds_it_true(own: int, low: int, high: int) -> None:
    site = Site(500, recommender=Fixed(), feed={"cache": 1, "read": 1}, crowd={"comment": SURE, "doubts": True})
    site.create_post(site.sign_up("ada", "Ada"), "Bread", 1.0)
    site.feed.users.stance[:500] = own
    site.feed.hours[:] = 255
    site.tick()
    scores = site.feed.comments.doubt[: site.feed.comments.n]
    assert len(scores) == 500
    assert low <= scores.min()
    assert scores.max() <= high


def test_doubts_take_all_ten_numbers_and_only_where_the_world_says_so() -> None:
    site = Site(300, crowd=LIVELY | {"doubts": True, "spread": 0.8, "comment": 0.0}).live(8)
    scores = site.feed.comments.doubt[: site.feed.comments.n]
    assert set(scores.tolist()) == set(range(1, 11))
    assert not {act for _, _, act, _ in site.told()} & set(SAID)
    plain = Site(300, crowd=LIVELY | {"comment": 0.0}).live(8).feed.comments
    assert not plain.doubt[: plain.n].any()
    assert set(plain.tone[: plain.n].tolist()) == {-1, 0, 1}


# ---- few and none


@pytest.mark.parametrize("kind", ["x", "reddit"])
@pytest.mark.parametrize("users", [0, 1, 2])
def test_a_crowd_of_nobody_or_few_lives(users: int, kind: str) -> None:
    site = Site(users, kind=kind, crowd=LIVELY | {"activity": 1.0, "comments": 1}).live(10)
    assert site.now == 1800
    assert bool(site.told()) == bool(users)
    assert len(site.packed) == 10
    if not users:
        assert all(e == CrowdActed(180, b"", b"", b"", b"", b"", e.mark) for e in site.packed)


def test_a_crowd_that_is_never_there_leaves_the_feed_as_it_was() -> None:
    site = Site(100, crowd=LIVELY | {"activity": 0.0}).live(5)
    assert site.told() == []
    assert (site.feed.posts.n, site.feed.comments.n) == (0, 0)


# ---- beside accounts


def test_whom_an_account_has_blocked_is_shown_nothing_of_it_and_others_are() -> None:
    site = Site(40, recommender=All(), feed={"cache": 5, "read": 5}, crowd={"like": SURE, "follow": SURE, "posts": 0.0})
    ada, bo, cy = (site.sign_up(name, name) for name in ("ada", "bo", "cy"))
    hers, his = site.create_post(ada, "Bread"), site.create_post(bo, "Trains")
    site.feed.hours[:] = 255
    site.block(ada, 5)
    site.tick()
    on = {(user, act, target) for _, user, act, target in site.told() if act != ActKind.DISLIKE}
    assert {(5, ActKind.LIKE, his), (5, ActKind.FOLLOW, bo), (6, ActKind.LIKE, hers), (6, ActKind.FOLLOW, ada)} <= on
    assert not {(5, ActKind.LIKE, hers), (5, ActKind.FOLLOW, ada)} & on
    site.unblock(ada, 5)
    site.tick()
    assert (5, ActKind.LIKE, hers) in {row[1:] for row in site.told()}
    assert cy not in {target for _, _, act, target in site.told() if act == ActKind.FOLLOW}


def test_what_somebody_has_passed_on_is_not_shown_to_whom_they_have_blocked() -> None:
    site = Site(40, recommender=All(), feed={"cache": 1, "read": 1}, crowd={"like": SURE, "posts": 0.0})
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    again = site.repost(ada, site.create_post(bo, "Trains"))
    site.block(ada, 5)

    def ready(users: Longs, k: int, draw: np.random.Generator) -> Ints:
        return np.full((len(users), k), again, np.int32)

    plan = site.crowd.plan(ready, np.arange(40, dtype=np.int64), draws(1, "p"), site.crowd._barred())
    assert set(plan.user[plan.act == ActKind.LIKE].tolist()) == set(range(40)) - {5}


def test_every_deed_of_an_account_and_every_tick_is_told_by_the_proof() -> None:
    site = Site(30, crowd=LIVELY)
    proofs = [site.feed.proof()]
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    post = site.create_post(ada, "Bread")
    for act in (
        lambda: site.follow(bo, ada),
        lambda: site.mute(bo, 3),
        lambda: site.dislike_post(bo, post),
        lambda: site.undo_dislike_post(bo, post),
        lambda: site.do_nothing(ada),
        lambda: site.tick(),
        lambda: site.tick(),
    ):
        act()
        proofs.append(site.feed.proof())
    assert proofs[0] == b""
    assert len(set(proofs)) == len(proofs)


# ---- once and for all


def test_seeing_a_post_again_is_no_second_chance() -> None:
    site = Site(400, recommender=Fixed(), crowd={"activity": 1.0, "posts": 0.0, "herding": "none", "moves": False})
    site.feed.hours[:] = 255
    ada = site.sign_up("ada", "Ada")
    for i in range(5):
        site.create_post(ada, f"Loaf number {i}.")
    site.live(1)
    first = len(site.packed[0].acts)
    assert first > 60
    site.live(20)
    assert [len(e.acts) for e in site.packed[1:]] == [0] * 20, "nothing has changed that anybody thinks of it"


def test_nobody_likes_and_dislikes_the_same_nor_comments_twice() -> None:
    site = Site(300, crowd=LIVELY | {"comments": 2, "like": -2.0, "dislike": -2.0, "herding": "none", "match": 0.0})
    told = site.live(30).told()
    liked = {(user, on) for _, user, act, on in told if act == ActKind.LIKE}
    disliked = {(user, on) for _, user, act, on in told if act == ActKind.DISLIKE}
    assert min(len(liked), len(disliked)) > 500
    assert not liked & disliked
    said = [(user, site.feed.posts.root.item(on)) for _, user, act, on in told if act in SAID]
    assert len(said) == len({*said}) > 100


def test_only_whoever_follows_ends_it_and_nobody_does_unless_the_world_says_so() -> None:
    crowd = LIVELY | {"follow": NEVER, "unfollow": 0.0, "others": 5}
    site = Site(200, crowd=crowd)
    known = edges(site.feed)
    ended = {(user, other) for _, user, act, other in site.live(20).told() if act == ActKind.UNFOLLOW}
    assert len(ended) > 20
    assert edges(site.feed) == known - ended
    never = Site(200, crowd=crowd | {"unfollow": NEVER, "stance": 20.0, "match": 20.0, "ceiling": 0}).live(20)
    assert ActKind.UNFOLLOW not in {act for _, _, act, _ in never.told()}
    assert edges(never.feed) > known  # with such weights other acts happen even at -20


def test_lots_are_spread_evenly_and_owe_nothing_to_one_another() -> None:
    from scipy import stats  # a second, where it is needed

    readers, posts = (x.ravel().astype(np.int64) for x in np.meshgrid(np.arange(400), np.arange(400)))
    drawn = crowds.lots(readers, posts, 77) >> 8
    for row in drawn:
        assert stats.chisquare(np.bincount(row, minlength=256)).pvalue > 1e-4
        for key in (readers, posts):  # of one reader, and on one post
            mean = np.bincount(key, row, 400) / 400
            assert stats.kstest((mean - 127.5) / sqrt((256**2 - 1) / 12 / 400), "norm").pvalue > 1e-4
    for a in range(4):
        for b in range(a):
            assert abs(np.corrcoef(drawn[a], drawn[b])[0, 1]) < 5 / 400
    assert (crowds.lots(readers[:9], posts[:9], 77) == crowds.lots(readers, posts, 77)[:, :9]).all()
    assert (crowds.lots(readers, posts, 78) >> 8 != drawn).mean() > 0.99


LIVED = """
from sandbox.feed import FeedParameters, Platform
for name in ("mix", "random", "none", "hot"):
    site = Platform("x", recommender=name, seed=1, parameters=FeedParameters(crowd=1200), threads=1)
    for _ in range(8):
        site.tick()
    print(name, site.feed.posts.n, site.feed.mark.hex())
"""


@pytest.mark.slow
def test_a_crowd_does_the_same_on_another_kind_of_processor() -> None:
    off = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3 X86_V3 X86_V4"
    told = []
    for disabled in ("", off):
        environment = os.environ | {"NPY_DISABLE_CPU_FEATURES": disabled}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", LIVED], env=environment, capture_output=True, text=True, check=True
        )
        told.append(done.stdout)
    assert told[0].count("\n") == 4
    assert told[0] == told[1]
