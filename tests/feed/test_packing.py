"""What a crowd does in a tick as one event: it comes back as it was, and what does not fit changes nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pytest
from crowds import CALLED, LIVELY, Site, columns_of, edges, possible
from hypothesis import given, settings
from hypothesis import strategies as st
from platforms import dump

from sandbox.core.events import EventRow, Stamp
from sandbox.engine.registry import BadRow, decode
from sandbox.feed import packing
from sandbox.feed.graph import following
from sandbox.feed.model import POST, REPOST, Feed
from sandbox.feed.packing import (
    DOUBT,
    LAST,
    STEP,
    ActColumns,
    ActKind,
    CrowdActed,
    apply_crowd_acts,
    change,
    moments,
    pack_acts,
    tone_of_doubt,
    unpack_acts,
)
from sandbox.feed.platform import Platform
from sandbox.feed.unpacking import MAKES_CARDS, MAKES_COMMENTS, NAMES, crowd_acts
from sandbox.readers.stories_of_feed import SUMS

CROWD = 60
NOW = Stamp(99, 9, 1000, "", ())


def site() -> Site:
    """A few posts, reposts and comments of a small crowd, and one account."""
    made = Site(CROWD, crowd=LIVELY).live(4)
    ada = made.sign_up("ada", "Ada")
    made.create_post(ada, "Bread")
    return made


class Kept:
    """One site for many examples: each begins with a feed as it was."""

    def __init__(self) -> None:
        self.site = site()
        self.seed = 0

    @property
    def feed(self) -> Feed:
        return self.site.feed


KEPT = Kept()
assert KEPT.feed.posts.n > 10
assert KEPT.feed.comments.n > 3


@st.composite
def columns(draw: st.DrawFn) -> tuple[ActColumns, np.ndarray]:
    """Any acts that can be, and any moves of stances."""
    feed = KEPT.feed
    on = {
        ActKind.FOLLOW: feed.users.n,
        ActKind.UNFOLLOW: feed.users.n,
        ActKind.POST: 9,
        ActKind.LIKE_COMMENT: feed.comments.n,
        ActKind.DISLIKE_COMMENT: feed.comments.n,
    }
    users = draw(st.lists(st.integers(0, CROWD - 1), max_size=30))
    which = [draw(st.sampled_from(sorted(NAMES))) for _ in users]
    targets = [draw(st.integers(0, on.get(act, feed.posts.n) - 1)) for act in which]  # type: ignore[call-overload]
    acts = possible(feed, zip(users, which, targets, strict=True))
    moved = draw(st.lists(st.integers(-STEP - 300, STEP + 300) | st.just(0), min_size=CROWD, max_size=CROWD))
    return columns_of(acts), np.array(moved)


# ---- there and back


@given(columns(), st.integers(1, 86400))
def test_what_is_packed_is_unpacked_as_it_was(given_: tuple[ActColumns, np.ndarray], seconds: int) -> None:
    acts, moved = given_
    event = pack_acts(KEPT.feed, acts, moved, seconds)
    again = msgspec.json.decode(msgspec.json.encode(event), type=CrowdActed)
    assert again == event
    found, where, by = unpack_acts(KEPT.feed, again)
    for a, b in zip(found.acts, acts, strict=True):
        assert a.tolist() == b.tolist()
    assert where.tolist() == np.flatnonzero(moved).tolist()
    assert by.tolist() == np.clip(moved, -STEP, STEP)[where].tolist()
    when = moments(acts.user, 50, seconds).tolist()
    plain = [*zip(when, *(x.tolist() for x in acts), strict=True)]
    assert [*crowd_acts(event, 49 + seconds)] == sorted(
        plain, key=lambda row: row[0]
    )  # of equals, the first stays first
    assert all(50 <= t < 50 + seconds for t in when)


def test_an_act_takes_nine_bytes_and_a_tick_little_more() -> None:
    for event in Site(3000, crowd={"activity": 0.1}).live(12).packed[2:]:
        count = len(event.acts)
        assert count > 100
        assert len(event.users) + len(event.acts) + len(event.targets) == 9 * count
        assert len(event.moved) == 3000 // 8  # and two bytes for each stance that moved
        assert len(event.by) == 2 * np.unpackbits(np.frombuffer(event.moved, np.uint8)).sum()


def test_users_stand_in_order_and_what_they_make_in_that_of_its_seconds() -> None:
    made = site()
    for event in made.packed:
        assert (np.diff(np.frombuffer(event.users, "<u4").astype(int)) >= 0).all()
    for table in (made.feed.posts, made.feed.comments):
        assert (np.diff(table.t[: table.n]) >= 0).all()


# ---- what an event does


def applied(acts: list[tuple[int, int, int]], moved: dict[int, int] | None = None) -> tuple[Site, CrowdActed]:
    made = site()
    by = np.zeros(CROWD, np.int64)
    for user, much in (moved or {}).items():
        by[user] = much
    event = pack_acts(made.feed, columns_of(acts), by, 180)
    apply_crowd_acts(made, event, NOW)
    return made, event


def in_time() -> list[int]:
    """Users whose moments in the tick before now differ, the earliest first."""
    when, users = np.unique(moments(np.arange(CROWD), NOW.t - 179, 180), return_index=True)
    assert len(when) > CROWD // 2
    return users.tolist()


def test_each_act_moves_its_counter_and_no_other() -> None:
    before = site().feed
    posts, root = before.posts, before.roots.card.item(3)
    for act, table, column in (
        (ActKind.LIKE, "posts", "likes"),
        (ActKind.DISLIKE, "posts", "dislikes"),
        (ActKind.LIKE_COMMENT, "comments", "likes"),
        (ActKind.DISLIKE_COMMENT, "comments", "dislikes"),
        (ActKind.FOLLOW, "users", "fans"),
        (ActKind.UNFOLLOW, "users", "fans"),
    ):
        target = root if table == "posts" else 2 if act != ActKind.UNFOLLOW else before.users.fans.argmax().item()
        users = [u for u, *_ in possible(before, [(u, act, target) for u in range(0, CROWD, 5)])]
        assert len(users) > 2
        after = applied([(u, act, target) for u in users])[0].feed
        for name in ("posts", "comments", "users"):
            was, now = getattr(before, name), getattr(after, name)
            assert was.n == now.n
            for field in was.FIELDS:
                gained = getattr(now, field)[: now.n].astype(int) - getattr(was, field)[: was.n]
                wanted = np.zeros_like(gained)
                if (name, field) == (table, column):
                    wanted[target] = -len(users) if act == ActKind.UNFOLLOW else len(users)
                assert (gained == wanted).all(), (act, name, field)
    assert posts.n == before.posts.n


def test_whoever_ends_following_is_no_fan_and_may_follow_again() -> None:
    made = site()
    graph, known = made.feed.graph, edges(made.feed)
    ended = sorted(known)[::3]
    fans = made.feed.users.fans.copy()
    one, two = pack_ends(made, ended, ActKind.UNFOLLOW), edges(made.feed)
    assert two == known - {*ended}
    assert (np.bincount([b for _, b in ended], minlength=len(fans)) == fans - made.feed.users.fans).all()
    assert not following(graph, *np.array(ended).T).any()
    pack_ends(made, ended, ActKind.FOLLOW)
    assert edges(made.feed) == known
    assert (made.feed.users.fans == fans).all()
    assert [act for _, _, act, _ in crowd_acts(one, NOW.t)] == [ActKind.UNFOLLOW] * len(ended)


def pack_ends(made: Site, pairs: list[tuple[int, int]], act: int) -> CrowdActed:
    event = pack_acts(made.feed, columns_of((a, act, b) for a, b in pairs), np.zeros(CROWD, int), 180)
    apply_crowd_acts(made, msgspec.structs.replace(event), NOW)
    return event


def test_a_repost_is_a_card_that_shows_its_root_and_knows_the_card_acted_on() -> None:
    before = site().feed
    card = int(np.flatnonzero(before.posts.kind[: before.posts.n] == REPOST)[0])
    root = before.posts.root.item(card)
    queue = in_time()
    early, late = next((a, b) for a, b in pairwise(queue) if a > b and fresh(b, ActKind.REPOST, card))
    feed = applied([(late, ActKind.REPOST, card), (late, ActKind.POST, 5), (early, ActKind.POST, 4)])[0].feed
    posts, n = feed.posts, before.posts.n
    assert posts.n == n + 3
    assert posts.kind[n : n + 3].tolist() == [POST, REPOST, POST]
    assert posts.root[n : n + 3].tolist() == posts.of[n : n + 3].tolist() == [n, root, n + 2]
    assert posts.via[n : n + 3].tolist() == [-1, card, -1]
    assert posts.topic[n : n + 3].tolist() == [4, posts.topic[root], 5]
    assert posts.stance[n + 1] == posts.stance[root]
    assert posts.stance[n] == before.users.stance[early]
    assert posts.reposts[root] == before.posts.reposts[root] + 1
    assert posts.earlier[n : n + 3].tolist() == [before.users.newest[early], before.users.newest[late], n + 1]
    assert feed.users.newest[[early, late]].tolist() == [n, n + 2]
    assert feed.roots.card[before.roots.n : feed.roots.n].tolist() == [n, n + 2]
    assert feed.reposted.has(late, root).all()
    when = moments(np.array([early, late, late]), NOW.t - 179, 180)
    assert posts.t[n : n + 3].tolist() == when.tolist()
    assert NOW.t - 180 < when[0] < when[1] <= NOW.t


def fresh(*act: int) -> bool:
    """Whether an act is one that can be."""
    return bool(possible(KEPT.feed, [act]))  # type: ignore[list-item]


def test_comments_stand_in_a_chain_under_their_root() -> None:
    before = site().feed
    root = before.roots.card.item(1)
    other = before.roots.card.item(2)
    who = [u for u in in_time() if fresh(u, ActKind.WARM, root) and fresh(u, ActKind.WARM, other)][-6:]
    assert who != sorted(who)
    kinds = (ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM, DOUBT + 1, DOUBT + 10)
    acts = [(u, act, root) for u, act in zip(who, kinds, strict=False)]
    feed = applied(sorted([*acts, (who[5], ActKind.WARM, other)]))[0].feed
    c, n = feed.comments, before.comments.n
    assert c.post[n : n + 6].tolist() == [root] * 5 + [other]
    assert c.tone[n : n + 5].tolist() == [-1, 0, 1, 1, -1]
    assert c.doubt[n : n + 5].tolist() == [0, 0, 0, 1, 10]
    assert c.before[n : n + 5].tolist() == [before.posts.last[root], n, n + 1, n + 2, n + 3]
    assert feed.posts.last[root] == n + 4
    assert feed.posts.comments[root] == before.posts.comments[root] + 5
    assert c.stance[n : n + 5].tolist() == before.users.stance[who[:5]].tolist()
    assert c.author[n : n + 6].tolist() == who
    assert c.t[n : n + 6].tolist() == moments(np.array(who), NOW.t - 179, 180).tolist()


def test_a_comment_that_doubts_sounds_hostile_and_one_that_believes_warm() -> None:
    assert tone_of_doubt(np.arange(1, 11)).tolist() == [1] * 4 + [0] * 2 + [-1] * 4


def test_stances_move_as_far_as_said_and_not_beyond_the_end() -> None:
    made = site()
    made.feed.users.stance[:4] = [0, 990, -990, 5]
    change(
        made.feed,
        unpack_acts(made.feed, pack_acts(made.feed, NONE, np.zeros(CROWD, int), 1))[0],
        *_by({0: 7, 1: 50, 2: -50}),
        0,
        1,
    )
    assert made.feed.users.stance[:4].tolist() == [7, 1000, -1000, 5]


NONE = ActColumns(np.zeros(0, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int64))


def _by(moved: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([*moved], np.int64), np.array([*moved.values()], np.int16)


# ---- what does not fit


def u4(*numbers: int) -> bytes:
    return np.array(numbers, "<u4").tobytes()


def some() -> CrowdActed:
    acts = [(1, ActKind.LIKE, 0), (1, ActKind.FOLLOW, 2), (4, ActKind.POST, 3)]
    assert possible(KEPT.feed, acts) == acts
    return pack_acts(KEPT.feed, columns_of(acts), np.arange(CROWD) % 3 - 1, 180)


N, M, U = KEPT.feed.posts.n, KEPT.feed.comments.n, KEPT.feed.users.n
MALFORMED: list[tuple[str, dict[str, Any]]] = [
    ("a user more", {"users": u4(1, 1, 4, 5)}),
    ("a user less", {"users": u4(1, 1)}),
    ("no users", {"users": b""}),
    ("half a user", {"users": u4(1, 1, 4)[:-1]}),
    ("an act more", {"acts": bytes([0, 3, 4, 4])}),
    ("an act less", {"acts": bytes([0, 3])}),
    ("a target more", {"targets": u4(0, 2, 3, 3)}),
    ("half a target", {"targets": u4(0, 2, 3)[:-2]}),
    ("out of order", {"users": u4(4, 1, 1)}),
    ("no such user", {"users": u4(1, 1, CROWD)}),
    ("an account", {"users": u4(1, 1, U - 1)}),
    ("nobody", {"users": u4(1, 1, 2**32 - 1)}),
    ("unknown act 21", {"acts": bytes([0, 3, ActKind.UNFOLLOW + 1])}),
    ("an end to following nobody", {"acts": bytes([0, ActKind.UNFOLLOW, 4]), "targets": u4(0, U, 3)}),
    ("unknown act 255", {"acts": bytes([0, 3, 255])}),
    ("unknown act on 0", {"acts": bytes([200, 3, 4]), "targets": u4(0, 2, 3)}),
    ("a post that is not there", {"targets": u4(N, 2, 3)}),
    ("a post far away", {"targets": u4(2**32 - 1, 2, 3)}),
    ("a user that is not there", {"targets": u4(0, U, 3)}),
    ("a tenth topic", {"targets": u4(0, 2, 9)}),
    ("a comment that is not there", {"acts": bytes([8, 3, 4]), "targets": u4(M, 2, 3)}),
    ("a disliked comment that is not there", {"acts": bytes([9, 3, 4]), "targets": u4(M, 2, 3)}),
    ("a repost of nothing", {"acts": bytes([2, 3, 4]), "targets": u4(N, 2, 3)}),
    ("a comment under nothing", {"acts": bytes([6, 3, 4]), "targets": u4(N, 2, 3)}),
    ("a doubt under nothing", {"acts": bytes([DOUBT + 1, 3, 4]), "targets": u4(N, 2, 3)}),
    ("bits of too few", {"moved": bytes(CROWD // 8)}),
    ("bits of too many", {"moved": bytes(CROWD // 8 + 2)}),
    ("no bits", {"moved": b""}),
    ("a bit more", {"moved": b"\xff" * (CROWD // 8 + 1)}),
    ("no stance moves", {"moved": bytes(CROWD // 8 + 1)}),
    ("a stance less", {"by": bytes(3)}),
    ("stances more", {"by": bytes(2 * CROWD)}),
    ("half a stance", {"by": bytes(2 * CROWD * 2 // 3 - 1)}),
    ("a stance too far", {"by": np.full(CROWD * 2 // 3, STEP + 1, "<i2").tobytes()}),
    ("a stance too far down", {"by": np.full(CROWD * 2 // 3, -32768, "<i2").tobytes()}),
    ("another mark", {"mark": bytes(16)}),
    ("no mark", {"mark": b""}),
]


@pytest.mark.parametrize("columns", [c for _, c in MALFORMED], ids=[name for name, _ in MALFORMED])
def test_an_event_that_is_malformed_is_refused_and_changes_nothing(columns: dict[str, Any]) -> None:
    event = msgspec.structs.replace(some(), **columns)
    before, mark = dump(KEPT.feed), KEPT.feed.mark
    with pytest.raises(ValueError, match=r"\w"):
        apply_crowd_acts(KEPT.site, event, NOW)
    assert dump(KEPT.feed) == before
    assert KEPT.feed.mark == mark


def test_the_same_event_unspoilt_is_taken() -> None:
    made = site()
    apply_crowd_acts(made, msgspec.structs.replace(some(), mark=made.feed.mark), NOW)
    assert made.feed.posts.n == N + 1


@pytest.mark.parametrize("by", ["AAA", "a!", 5, None])
def test_an_event_of_the_first_version_that_is_malformed_is_a_bad_row(by: Any) -> None:
    raw = msgspec.json.decode(msgspec.json.encode(some()))
    old = raw | {"by": by} if by is not None else {k: v for k, v in raw.items() if k != "by"}
    with pytest.raises(BadRow):
        decode(EventRow(2, 1, 180, CrowdActed.KIND, 1, "", "[]", msgspec.json.encode(old).decode()))


@pytest.mark.parametrize("seconds", [0, -180, 10**6, 2**40, 2**70, "180", 1.5])
def test_a_tick_of_impossible_length_is_not_even_read(seconds: Any) -> None:
    raw = msgspec.json.decode(msgspec.json.encode(some())) | {"seconds": seconds}
    with pytest.raises(msgspec.MsgspecError):
        msgspec.json.decode(msgspec.json.encode(raw) if seconds != 2**70 else _large(raw), type=CrowdActed)


def _large(raw: dict[str, Any]) -> bytes:
    return msgspec.json.encode(raw | {"seconds": 111}).replace(b"111", str(2**70).encode())


@settings(max_examples=60)
@given(st.sampled_from(["users", "acts", "targets", "moved", "by", "mark"]), st.binary(max_size=40))
def test_no_bytes_at_all_break_it(column: str, data: bytes) -> None:
    before = KEPT.feed.mark
    event = msgspec.structs.replace(some(), **{column: data})
    try:
        unpack_acts(KEPT.feed, event)
    except ValueError:
        assert KEPT.feed.mark == before
    else:
        assert len(event.users) == 4 * len(event.acts) == len(event.targets)


# ---- the mark


def test_an_event_is_refused_by_a_feed_that_is_not_as_it_was() -> None:
    made = Site(CROWD, crowd=LIVELY).live(5)
    other = Site(CROWD, crowd=LIVELY)
    for record in made.records[:3]:
        apply_crowd_acts(other, record.event, record.stamp)  # type: ignore[arg-type]
    for again in (made.records[2], made.records[4]):  # one twice, one too early
        before = dump(other.feed)
        with pytest.raises(ValueError, match="not as it was"):
            apply_crowd_acts(other, again.event, again.stamp)  # type: ignore[arg-type]
        assert dump(other.feed) == before
    for record in made.records[3:]:
        apply_crowd_acts(other, record.event, record.stamp)  # type: ignore[arg-type]
    assert dump(other.feed) == dump(made.feed)


def test_only_what_the_crowd_of_the_feed_has_just_made_is_applied_without_a_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, checked, plain = Site(CROWD, crowd=LIVELY).live(3), list[int](), packing.undone_acts

    def checking(feed: Feed, g: packing.GroupedActs) -> np.ndarray:
        checked.append(len(g.order))
        return plain(feed, g)

    monkeypatch.setattr(packing, "undone_acts", checking)
    event = made.crowd.tick(3, 4, made.now, 180)
    assert made.feed.made is event
    unpack_acts(made.feed, msgspec.structs.replace(event))
    assert checked == [len(event.acts)]
    apply_crowd_acts(made, event, Stamp(99, 9, made.now + 179, "", ()))
    assert checked == [len(event.acts)]
    assert made.feed.made is None


def test_the_mark_tells_any_two_ticks_apart() -> None:
    base, ended = site().feed.mark, min(edges(KEPT.feed))
    root = KEPT.feed.roots.card.item(0)
    marks = {applied(acts, moved)[0].feed.mark for acts, moved in (
        ([], {}),
        ([(1, ActKind.LIKE, root)], {}),
        ([(1, ActKind.DISLIKE, root)], {}),
        ([(1, ActKind.REPOST, root)], {}),
        ([(1, ActKind.WARM, root)], {}),
        ([(1, ActKind.POST, 1)], {}),
        ([(1, ActKind.FOLLOW, 2)], {}),
        ([(ended[0], ActKind.UNFOLLOW, ended[1])], {}),
        ([], {5: 1}),
    )}  # fmt: skip
    assert len(marks | {base}) == 10


def test_the_mark_covers_the_acts_themselves_and_not_only_what_they_come_to() -> None:
    root, other = KEPT.feed.roots.card[:2].tolist()
    on = [(act, card) for act in (ActKind.LIKE, ActKind.WARM) for card in (root, other)]
    a, b = [u for u in range(CROWD) if all(fresh(u, *x) for x in on)][:2]
    for alike in (
        [[(a, ActKind.LIKE, root)], [(b, ActKind.LIKE, root)]],  # the same counters
        [[(a, tone, root)] for tone in (ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM, DOUBT + 1, DOUBT + 2)],
        [[(a, ActKind.POST, topic)] for topic in range(9)],
        [[(a, ActKind.POST, 1)], [(b, ActKind.POST, 1)]],
        [[(a, ActKind.LIKE_COMMENT, 0)], [(a, ActKind.LIKE_COMMENT, 1)], [(a, ActKind.DISLIKE_COMMENT, 0)]],
        [[(a, ActKind.LIKE, root), (b, ActKind.WARM, other)], [(a, ActKind.WARM, other), (b, ActKind.LIKE, root)]],
    ):
        assert len({applied(acts)[0].feed.mark for acts in alike}) == len(alike)


def test_what_makes_cards_and_comments_is_named() -> None:
    assert {ActKind.POST, ActKind.REPOST} == MAKES_CARDS
    assert len(MAKES_COMMENTS) == 3 + 10
    assert set(NAMES) == {*CALLED, *range(DOUBT + 1, LAST + 1)}
    assert sorted(act for acts in SUMS.values() for act in acts) == sorted(NAMES)
    assert isinstance(KEPT.site, Platform)
