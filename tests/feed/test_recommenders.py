"""Recommenders show what they say they show, in the order they say; and one's own is tried by `check_recommender`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import log
from typing import Any

import numpy as np
import pytest
from crowds import LIVELY, Site, edges
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sandbox.core.clock import DAY
from sandbox.feed import Platform
from sandbox.feed.card_scores import NETWORK, OLDEST, Ranker, highest, hot
from sandbox.feed.graph import add_follows
from sandbox.feed.model import REPOST, Feed
from sandbox.feed.parameters import FeedParameters, recommender
from sandbox.feed.platform import check_recommender
from sandbox.feed.recommenders import Chronological, FollowedOnly, Headline, Hot, Mix, Random, Recommender
from sandbox.feed.tables import Ints, Longs, draws

SHIPPED: list[Callable[[], Recommender]] = [
    Mix,
    lambda: Mix(0.0, 8, 0.5),
    lambda: Mix(1.0, 1, 0.0),
    lambda: Mix(0.3, 4, 1.0),
    Hot,
    lambda: Hot(3, "paper"),
    Chronological,
    Headline,
    Random,
    FollowedOnly,
]
K = 10


@cache
def lively() -> Site:
    """A crowd that has done much for a while; nobody may change it."""
    site = Site(150, crowd=LIVELY).live(40)
    gone = range(5, site.feed.posts.n, 37)
    site.feed.posts.gone[gone] = True
    site.feed.posts.gone[: site.feed.posts.n] |= site.feed.posts.gone[site.feed.posts.root[: site.feed.posts.n]]
    return site


def shown(one: Recommender, site: Site, k: int = K) -> np.ndarray:
    users = np.arange(site.feed.crowd, dtype=np.int64)
    return np.asarray(one.rank(site.feed, users, site.now, k, draws(1, "shown")))


def plain(row: np.ndarray) -> list[int]:
    return [card for card in row.tolist() if card >= 0]


def there(feed: Feed) -> list[int]:
    """Roots that are not deleted."""
    return [c for c in range(feed.posts.n) if feed.posts.root[c] == c and not feed.posts.gone[c]]


# ---- all of them


@pytest.mark.parametrize("make", SHIPPED, ids=lambda make: make().name)
def test_what_ships_keeps_the_promises_of_a_recommender(make: Callable[[], Recommender]) -> None:
    check_recommender(make)


@pytest.mark.parametrize("make", SHIPPED, ids=lambda make: make().name)
def test_nothing_is_shown_twice_or_deleted_in_a_lively_world(make: Callable[[], Recommender]) -> None:
    site = lively()
    for row in shown(make(), site):
        cards = plain(row)
        assert len(set(cards)) == len(cards)
        assert not site.feed.posts.gone[cards].any()


@pytest.mark.parametrize(
    ("kind", "name", "is_"),
    [
        ("x", "", Mix),
        ("reddit", "", Hot),
        ("x", "hot", Hot),
        ("reddit", "mix", Mix),
        ("x", "random", Random),
        ("x", "chronological", Chronological),
        ("x", "headline", Headline),
        ("x", "none", FollowedOnly),
    ],
)
def test_parameters_name_the_recommender(kind: str, name: str, is_: type) -> None:
    feed = Site(0, kind=kind).feed
    one = recommender(feed, FeedParameters(recommender=name, network=0.25, pool=99, hot=17))
    assert type(one) is is_
    if isinstance(one, Mix):
        assert (one.network, one.pool) == (0.25, 99)
    if isinstance(one, (Hot, Chronological, Headline)):
        assert one.size == 17


@given(st.lists(st.integers(0, 2), max_size=120), st.integers(1, 60))
def test_of_equals_the_later_is_higher_also_where_the_list_is_cut(scores: list[int], k: int) -> None:
    found = highest(np.array(scores, np.float64), k).tolist()
    assert found == sorted(range(len(scores)), key=lambda i: (-scores[i], -i))[:k]


def test_the_later_of_many_equals_are_taken() -> None:
    assert highest(np.zeros(1000), 100).tolist() == list(range(999, 899, -1))


# ---- whom one follows


def network_of(site: Site, user: int, followed: dict[int, list[int]]) -> list[int]:
    """Cards of the last day by those one follows: slowly."""
    feed, posts = site.feed, site.feed.posts
    latest = followed[user][-NETWORK:]

    def standing(card: int) -> int:
        while card >= 0 and (posts.gone[card] or posts.gone[posts.root[card]]):
            card = int(posts.earlier[card])
        return card

    cards = [standing(int(feed.users.newest[other])) for other in latest]
    if all(card < 0 for card in cards[NETWORK // 2 :]):
        cards += [standing(int(posts.earlier[card])) for card in cards[: NETWORK // 2] if card >= 0]
    kept = [
        c
        for c in cards
        if c >= 0 and not posts.gone[c] and posts.t[c] > site.now - DAY and posts.author[posts.root[c]] != user
    ]
    newest = {int(posts.root[c]): c for c in sorted(kept)}  # the same words once
    return [*newest.values()]


def followed_by(feed: Feed) -> dict[int, list[int]]:
    first, others = feed.graph.first, feed.graph.followees.tolist()
    return {user: others[first[user] : first[user + 1]] for user in range(feed.crowd)}


def test_in_network_are_cards_of_those_one_follows_by_likes_of_equals_the_newer() -> None:
    site = lively()
    assert not site.feed.graph.waiting
    feed, followed = site.feed, followed_by(site.feed)
    likes = feed.posts.likes[feed.posts.root[: feed.posts.n]].tolist()
    full = 0
    for user, row in enumerate(shown(Mix(1.0), site)):
        wanted = sorted(network_of(site, user, followed), key=lambda c: (-likes[c], -c))[:K]
        assert plain(row) == wanted
        full += len(wanted) == K
    assert full > 50


def test_without_a_recommender_one_sees_what_one_follows_alone_the_newest_first() -> None:
    site = lively()
    followed = followed_by(site.feed)
    for user, row in enumerate(shown(FollowedOnly(), site)):
        assert plain(row) == sorted(network_of(site, user, followed), reverse=True)[:K]
        assert {int(site.feed.posts.author[c]) for c in plain(row)} <= set(followed[user])


def test_what_is_deleted_leaves_the_author_s_other_posts_to_be_seen() -> None:
    site = Platform("x", parameters=FeedParameters(recommender="none"))
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    posts = [site.create_post(ada, f"Loaf number {i}") for i in range(5)]
    site.follow(bo, ada)
    for post in posts[3:]:
        site.delete_post(ada, post)
    site.rank()
    assert site.cached(bo) == [posts[2], posts[1]]


def test_likes_beyond_what_a_small_number_holds_still_put_the_newer_of_equals_first() -> None:
    site = Platform("x", parameters=FeedParameters(network=1.0))
    fans = site.sign_up("fan", "Fan")
    for i in range(3):
        author = site.sign_up(f"author{i}", "Author")
        site.create_post(author, "Bread")
        site.follow(fans, author)
    site.feed.posts.likes[:3] = 20_000_000
    site.rank()
    assert site.cached(fans) == [2, 1, 0]


def test_reposts_of_those_one_follows_are_in_network_and_ones_own_words_are_not() -> None:
    site = lively()
    posts = site.feed.posts
    rows = shown(FollowedOnly(), site)
    cards = rows[rows >= 0]
    assert (posts.kind[cards] == REPOST).any()
    users = np.nonzero(rows >= 0)[0]
    assert (posts.author[posts.root[cards]] != users).all()


def test_what_is_older_than_a_day_is_no_longer_in_network() -> None:
    site = Site(60, crowd=LIVELY).live(10)
    newest = int(site.feed.posts.t[: site.feed.posts.n].max())
    site.advance(newest + DAY - site.now - 1)
    assert (shown(FollowedOnly(), site) >= 0).any()
    site.advance(1)
    assert (shown(FollowedOnly(), site) < 0).all()


def test_accounts_see_whom_they_follow() -> None:
    site = Site(50, crowd=LIVELY)
    ada, bo, cy = (site.sign_up(name, name) for name in ("ada", "bo", "cy"))
    first, second = site.create_post(bo, "Fresh bread"), site.create_post(bo, "More bread")
    site.create_post(cy, "Trains")
    site.follow(ada, bo)
    site.like_post(cy, first)
    assert plain(Mix(1.0).rank(site.feed, np.array([ada]), 10, 5, draws(1, "x"))[0]) == [first, second]
    assert plain(FollowedOnly().rank(site.feed, np.array([ada]), 10, 5, draws(1, "x"))[0]) == [second, first]


# ---- out of network


def scores_of(site: Site, user: int, cards: list[int]) -> dict[int, float]:
    """R x F x S, by the book."""
    feed, posts = site.feed, site.feed.posts
    me = feed.users.vector[user].astype(float)
    out = {}
    for c in cards:
        author, age = int(posts.author[c]), (site.now - int(posts.t[c])) / 180
        it = (3 * feed.topics[posts.topic[c]].astype(int) + feed.users.vector[author]) >> 2
        row = posts.vector[c]
        it = (feed.vectors.row[row] if row >= 0 else it).astype(float)
        size = np.sqrt((me @ me) * (it @ it))
        fame = max(1.0, log(int(feed.users.fans[author]) + 1) / log(1000))
        out[c] = log((271.8 - age) / 100) * fame * float(me @ it / size)
    return out


def test_out_of_network_is_the_order_of_r_f_s_over_all_posts() -> None:
    site = lively()
    feed, posts = site.feed, site.feed.posts
    feed.users.fans[:5] += 40_000  # some are famous
    try:
        cards = [c for c in there(feed) if site.now - posts.t[c] < OLDEST]
        assert K < len(cards) < 10_000
        rows = shown(Mix(0.0, pool=10_000), site)
        for user in range(0, feed.crowd, 3):
            scores = scores_of(site, user, cards)
            others = [s for c, s in sorted(scores.items(), key=lambda i: -i[1]) if posts.author[c] != user]
            found = [scores[c] for c in plain(rows[user])]
            assert found == pytest.approx(others[:K], abs=1e-5)  # of two that are as near as that, either
            assert all(posts.author[c] != user for c in plain(rows[user]))
    finally:
        feed.users.fans[:5] -= 40_000


def test_a_post_is_dropped_after_515_minutes() -> None:
    site = Site(0)
    ada, bo = site.sign_up("ada", "Ada", "I bake bread."), site.sign_up("bo", "Bo", "I bake bread.")
    post = site.create_post(ada, "Bread")
    one, who = Mix(0.0), np.array([bo])
    assert one.rank(site.feed, who, 30923, 1, draws(1, "x")).tolist() == [[post]]
    assert one.rank(site.feed, who, 30924, 1, draws(1, "x")).tolist() == [[-1]]


def test_a_pool_holds_the_best_for_all_and_some_by_lot() -> None:
    site = lively()
    posts = site.feed.posts
    every, _ = Mix(pool=10_000)._pool(site.feed, site.now, draws(1, "x"))
    weights = {c: max(scores_of_all(site, c), 0) for c in every.tolist()}
    best, _ = Mix(pool=40, fresh=0.0)._pool(site.feed, site.now, draws(1, "x"))
    assert len(best) == 40
    assert min(weights[c] for c in best.tolist()) >= sorted(weights.values())[-40] - 1e-6
    seen = set[int]()
    for i in range(900):
        pool, _ = Mix(pool=40, fresh=0.5)._pool(site.feed, site.now, draws(i, "x"))
        assert 20 <= len(pool) <= 40
        assert not posts.gone[pool].any()
        seen.update(pool.tolist())
    assert seen == set(every.tolist())  # everything has its chance


def scores_of_all(site: Site, c: int) -> float:
    """R x F."""
    posts = site.feed.posts
    fame = max(1.0, log(int(site.feed.users.fans[posts.author[c]]) + 1) / log(1000))
    return log((271.8 - (site.now - int(posts.t[c])) / 180) / 100) * fame


@pytest.mark.parametrize("share", [0.0, 0.2, 0.33, 0.5, 0.78, 1.0])
def test_a_mix_takes_its_share_from_whom_one_follows(share: float) -> None:
    site = lively()
    root, inside = site.feed.posts.root, round(share * K)
    every = shown(Mix(0.0), site, 2 * K)
    for both, near, far in zip(shown(Mix(share), site), shown(Mix(1.0), site), every, strict=True):
        first = plain(near)[:inside]
        seen = {*root[first].tolist()}
        rest = [c for c in plain(far) if c not in seen] if inside < K else []
        assert plain(both) == [*first, *rest][:K]


# ---- as many as were asked for


@pytest.mark.parametrize("n", [1, 40], ids=["one at a time", "all at once"])
@pytest.mark.parametrize("make", [Mix, Hot, Chronological, Headline, Random], ids=lambda make: make.name)
def test_as_many_are_shown_as_were_asked_for_while_there_are_more(make: Callable[[], Recommender], n: int) -> None:
    site = Site(0)
    words = ("Bread", "Boats", "Birds")
    users = [site.sign_up(f"u{i}", f"U {i}", f"I like {words[i % 3]}.") for i in range(40)]
    for i, user in enumerate(users):
        for j in range(3):
            site.create_post(user, f"{words[i % 3]} number {i} {j}")
    for i, user in enumerate(users[:20]):
        for j in range(1, 9):
            site.follow(user, users[(i + j) % 40])
        site.repost(user, (3 * i + 30) % 120)
    for post in range(60, 120):
        site.delete_post(users[post // 3], post)  # half of them, the newest
    for at in range(0, 40, n):
        some = np.array(users[at : at + n])
        rows = make().rank(site.feed, some, site.now, 10, draws(1, "x"))
        assert (rows >= 0).all()
        roots = np.sort(site.feed.posts.root[rows], axis=1)
        assert (roots[:, 1:] != roots[:, :-1]).all(), "the same words, twice"
        if make is Mix:
            assert (site.feed.posts.author[roots] != some[:, None]).all()


def test_the_newest_are_found_behind_whatever_has_been_deleted() -> None:
    site = Site(0)
    ada = site.sign_up("ada", "Ada")
    posts = [site.create_post(ada, f"Loaf {i}") for i in range(100)]
    for post in posts[12:]:
        site.delete_post(ada, post)
    assert plain(Chronological(10).rank(site.feed, np.array([ada]), site.now, 10, draws(1, "x"))[0]) == posts[11:1:-1]


def test_what_one_has_hidden_takes_no_place_among_what_is_kept_ready() -> None:
    site = Site(0, feed={"cache": 6, "read": 6})
    ada, bo, *others = (site.sign_up(f"u{i}", f"U {i}", "I bake bread.") for i in range(6))
    for i in range(20):
        site.create_post(bo, f"Bread, loaf {i}.")
        site.create_post(others[i % 4], f"Boats, boat {i}.")
    site.mute(ada, bo)
    site.mute_word(ada, "boat 19")
    assert len(site.refresh(ada)) == 6
    for other in others[1:]:
        site.mute(ada, other)
    site.rank([ada])
    assert len(site.cached(ada)) == 5, "there are no more"


def test_whoever_is_blocked_by_authors_still_reads_as_many_as_others() -> None:
    site = Site(60, recommender="chronological", crowd={"posts": 0.0}, feed={"cache": 10, "read": 5})
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    for i in range(5):
        site.create_post(ada, f"Loaf {i}")
        site.create_post(bo, f"Boat {i}")
    for user in range(60):
        site.block(bo, user)
    site.advance(1)
    seen = list[Ints]()
    one = site.crowd
    plain_base = one._base
    one._base = lambda reader, root: (seen.append(root), plain_base(reader, root))[1]  # type: ignore[method-assign]
    ready = site.recommender.prepare(site.feed, site.now, draws(1, "x"))
    one.plan(ready, np.arange(60), draws(1, "plan"), one._barred(), site.now)
    assert len(seen[0]) == 60 * 5
    assert {*site.feed.posts.author[seen[0]].tolist()} == {ada}


def test_chance_gives_each_card_and_each_pair_of_cards_alike() -> None:
    site = Site(0)
    ada = site.sign_up("ada", "Ada")
    for i in range(9):
        site.create_post(ada, f"Loaf {i}")
    for k in (3, 6):  # far fewer than there are, and nearly all
        found = Random().rank(site.feed, np.zeros(6000, np.int64), 10, k, draws(1, "fair"))
        assert (np.diff(np.sort(found, axis=1), axis=1) > 0).all()
        pairs = found[:, 0] * 9 + found[:, -1]
        counts = np.bincount(pairs, minlength=81).reshape(9, 9)
        assert counts.trace() == 0
        assert stats.chisquare(counts[~np.eye(9, dtype=bool)]).pvalue > 1e-4


# ---- the same for all


@pytest.mark.parametrize("formula", ["reddit", "paper"])
def test_the_hot_list_is_all_posts_sorted_by_hot_and_one_for_everybody(formula: str) -> None:
    site = lively()
    posts = site.feed.posts
    cards = there(site.feed)
    score = {
        c: float(hot(posts.likes[c], posts.dislikes[c], site.feed.epoch + int(posts.t[c]), formula)) for c in cards
    }
    wanted = sorted(cards, key=lambda c: (-score[c], -c))
    rows = shown(Hot(30, formula), site, 30)
    assert plain(rows[0]) == wanted[:30]
    assert (rows == rows[0]).all()
    assert np.unique(posts.likes[cards]).size > 3


def test_the_hot_list_has_an_end() -> None:
    rows = shown(Hot(4), lively(), K)
    assert (rows[:, :4] >= 0).all()
    assert (rows[:, 4:] < 0).all()


def test_headlines_are_what_is_liked_most_and_the_chronological_list_is_the_newest() -> None:
    site = lively()
    likes, cards = site.feed.posts.likes, there(site.feed)
    assert plain(shown(Headline(20), site, 20)[7]) == sorted(cards, key=lambda c: (-likes[c], -c))[:20]
    assert plain(shown(Chronological(20), site, 20)[7]) == sorted(cards, reverse=True)[:20]


def test_headlines_are_of_the_last_day() -> None:
    site = Site(20)
    ada = site.sign_up("ada", "Ada")
    post = site.create_post(ada, "Bread")
    site.advance(DAY - 1)
    assert plain(shown(Headline(), site)[0]) == [post]
    site.advance(1)
    assert plain(shown(Headline(), site)[0]) == []
    assert plain(shown(Chronological(), site)[0]) == plain(shown(Hot(), site)[0]) == [post]


# ---- by lot


def test_chance_is_fair() -> None:
    site = Site(100)
    ada = site.sign_up("ada", "Ada")
    for i in range(20):
        site.create_post(ada, f"Loaf {i}")
    users = np.arange(100, dtype=np.int64).repeat(100)
    found = Random().rank(site.feed, users, 10, 3, draws(1, "fair"))
    for column in found.T:
        assert stats.chisquare(np.bincount(column[column >= 0], minlength=20)).pvalue > 1e-4
    assert len({tuple(row) for row in found[:100].tolist()}) > 90  # each user has their own


# ---- what accounts are shown


@pytest.mark.parametrize("make", [Mix, Hot, Chronological, Headline, Random, FollowedOnly], ids=lambda make: make.name)
def test_accounts_never_see_whom_they_mute_or_block_or_are_blocked_by_or_what_is_gone(
    make: Callable[[], Recommender],
) -> None:
    site = Site(40, recommender=make(), feed={"cache": 60, "read": 60}, crowd=LIVELY)
    names = ("ada", "bo", "cy", "di", "ed")
    ada, bo, cy, di, ed = (site.sign_up(name, name, "I bake bread.") for name in names)
    for user in (bo, cy, di, ed):
        for i in range(3):
            site.create_post(user, f"Bread number {i}")
        site.follow(ada, user)
    again = site.repost(ed, 0)  # of bo
    site.live(3)
    muted = int(site.feed.posts.author[site.feed.posts.n - 1])
    site.follow(ada, muted)
    site.rank()

    def seen() -> set[int]:
        return {c.number for _ in range(3) for c in site.refresh(ada, 60)}

    before = seen()
    assert before
    own = site.feed.posts.author
    site.mute(ada, bo)
    site.mute(ada, muted)
    site.block(ada, cy)
    site.block(di, ada)
    gone = next(c for c in range(site.feed.posts.n) if own[c] == ed and c != again)
    site.delete_post(ed, gone)
    after = seen()
    assert after <= before
    assert not {int(own[site.feed.posts.root[c]]) for c in after} & {bo, cy, di, muted}
    assert not {int(own[c]) for c in after} & {bo, cy, di, muted}
    assert gone not in after
    assert again not in after


# ---- one's own


class Loudest(Recommender):
    """Who has most fans, first."""

    name = "loudest"

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        cards = feed.roots.card[: feed.roots.n]
        cards = cards[~feed.posts.gone[cards]]
        best = cards[np.argsort(-feed.users.fans[feed.posts.author[cards]], kind="stable")][:k]
        row = np.full(k, -1, np.int32)
        row[: len(best)] = best
        return np.tile(row, (len(users), 1))


def test_ones_own_recommender_takes_ten_lines_and_drives_a_crowd() -> None:
    check_recommender(Loudest)
    site = Site(100, recommender=Loudest(), feed={"cache": 2, "read": 2}, crowd=LIVELY | {"posts": 0.0})
    author = site.sign_up("ada", "Ada")
    posts = [site.create_post(author, f"Loaf {i}") for i in range(4)]
    site.live(3)
    liked = site.feed.posts.likes[posts].tolist()
    assert min(liked[:2]) > 10
    assert liked[2:] == [0, 0]
    assert [c.number for c in site.refresh(author, 2)]


class Bad(Loudest):
    name = "bad"


class WrongShape(Bad):
    def rank(self, *args: object) -> Ints:
        return super().rank(*args)[:, 1:]  # type: ignore[arg-type]


class Fractions(Bad):
    def rank(self, *args: object) -> Ints:
        return super().rank(*args).astype(np.float32)  # type: ignore[arg-type,return-value]


class Moody(Bad):
    def __init__(self) -> None:
        self.times = 0

    def rank(self, *args: object) -> Ints:
        self.times += 1
        return np.roll(super().rank(*args), self.times, axis=1)  # type: ignore[arg-type]


class Meddler(Bad):
    def rank(self, feed: Feed, *args: object) -> Ints:
        feed.users.fans[0] += 1
        return super().rank(feed, *args)  # type: ignore[arg-type]


class Author(Bad):
    def rank(self, feed: Feed, *args: object) -> Ints:
        found = super().rank(feed, *args)  # type: ignore[arg-type]
        feed.posts.add()
        return found


class Matchmaker(Bad):
    def rank(self, feed: Feed, *args: object) -> Ints:
        found = super().rank(feed, *args)  # type: ignore[arg-type]
        feed.graph.followees[:1] += 1
        return found


class Dreamer(Bad):
    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        return np.full((len(users), k), -1, np.int32) + (np.arange(k) == 0) * (feed.posts.n + 1)


class Nihilist(Bad):
    def rank(self, *args: object) -> Ints:
        return super().rank(*args) - 1  # type: ignore[arg-type]


class Archivist(Bad):
    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        row = np.full(k, -1, np.int32)
        cards = feed.roots.card[: feed.roots.n][:k]
        row[: len(cards)] = cards
        return np.tile(row, (len(users), 1))


class Nag(Bad):
    def rank(self, *args: object) -> Ints:
        found = super().rank(*args).copy()  # type: ignore[arg-type]
        found[:, -1] = found[:, 0]
        return found


class Nervous(Bad):
    def rank(self, feed: Feed, *args: object) -> Ints:
        assert feed.posts.n
        return super().rank(feed, *args)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (WrongShape, "gives"),
        (Fractions, "not whole numbers"),
        (Moody, "other cards for the same"),
        (Meddler, "changes the feed"),
        (Author, "changes the feed"),
        (Matchmaker, "changes the feed"),
        (Dreamer, "not there"),
        (Nihilist, "not there"),
        (Archivist, "deleted"),
        (Nag, "twice"),
        (Nervous, "assert"),
    ],
)
def test_a_recommender_that_breaks_a_promise_is_caught(bad: type[Recommender], told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_recommender(bad)


class Idle(Recommender):
    name = "idle"


class Lister(Recommender):
    name = "lister"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        return [1, 2]  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("bad", "kind", "told"),
    [
        (Idle, TypeError, "Idle is no recommender: it has neither rank nor prepare; write one"),
        (Lister, TypeError, "prepare gives list, not a function"),
        (Loudest(), AssertionError, "is made already; give its class"),
        (lambda: 5, ValueError, "int is no recommender: it has no method rank"),
        (lambda: Loudest, ValueError, "Loudest is no recommender: give one that is made"),
    ],
    ids=["neither", "list", "made", "number", "class"],
)
def test_what_is_no_recommender_is_told_so(bad: Any, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        check_recommender(bad)


def test_a_recommender_that_fails_is_told_with_what_it_was_asked() -> None:
    with pytest.raises(AssertionError) as failed:
        check_recommender(Nervous)
    assert failed.value.__notes__ == ["asked for 7 cards for each of 300 users, of a feed with 0 posts"]


def test_a_recommender_that_prepares_is_asked_once_for_all() -> None:
    class Prepared(Recommender):
        name, times = "prepared", 0

        def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
            Prepared.times += 1
            return Chronological().prepare(feed, now, draw)

    site = Site(100, recommender=Prepared(), crowd=LIVELY).live(4)
    assert Prepared.times == 4
    assert site.feed.posts.likes.sum() > 0
    check_recommender(Prepared)


def test_edges_are_what_the_graph_says() -> None:
    site = lively()
    assert edges(site.feed) == {(a, b) for a, row in followed_by(site.feed).items() for b in row}


def test_one_more_post_changes_at_most_one_of_those_drawn_by_lot_for_all() -> None:
    site = Site(0)
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    site.advance(60)
    for i in range(300):
        site.create_post(ada, f"Loaf number {i} is out of the oven.")
    lot = Mix(0.0, 40, 1.0)

    def drawn() -> set[int]:
        return {*lot.rank(site.feed, np.array([bo]), site.now, 40, draws(1, "lot")).ravel().tolist()}

    before = drawn()
    assert len(before) == 40
    for i in range(20):
        site.create_post(ada, f"Roll number {i}.")
        after = drawn()
        assert len(before - after) <= 1, "a post more may take the place of one, and no more"
        before = after


@pytest.mark.parametrize("name", ["chronological", "hot", "headline", "random", "mix", "none"])
def test_a_tick_sees_nothing_that_was_written_after_its_beginning(name: str) -> None:
    site = Site(60, recommender=name, crowd={"activity": 1.0, "posts": 0.0}, feed={"hot": 5, "cache": 5, "read": 5})
    site.feed.hours[:] = 255
    ada = site.sign_up("ada", "Ada", "I bake bread.")
    add_follows(site.feed.graph, np.arange(60, dtype=np.int32), np.full(60, ada, np.int32))
    early = [site.create_post(ada, f"Loaf number {i}.") for i in range(5)]
    begin = site.now
    site.advance(100)
    for i in range(5):
        site.create_post(ada, f"Roll number {i}.")
    found = site.recommender.rank(site.feed, np.arange(60), begin, 5, draws(1, "r"))
    assert {*found.ravel().tolist()} - {-1} <= {*early}
    assert (found >= 0).any()


def test_a_recommender_may_be_named_and_none_that_there_is_not() -> None:
    assert Site(0, recommender="headline").recommender.name == "headline"
    with pytest.raises(ValueError, match="recommender"):
        Site(0, recommender="loudest")


def test_an_author_who_has_deleted_much_is_still_followed() -> None:
    site = Site(0)
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    site.follow(bo, ada)
    kept, *others = (site.create_post(ada, f"Loaf number {i}.") for i in range(60))
    for number in others:
        site.delete_post(ada, number)
    assert FollowedOnly().rank(site.feed, np.array([bo]), site.now, 3, draws(1, "r")).tolist() == [[kept, -1, -1]]
