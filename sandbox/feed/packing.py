"""The acts of a crowd in a tick as one packed event: sorted columns of bytes, and their effect on the feed.

An act takes nine bytes: user (u32), act (u8), target (u32). Changes of stance caused by reading are stored beside them,
a bit per user and two bytes per change. `mark` is a digest of the effect of all earlier packed events; it is compared
when the event is applied.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from sandbox.core.events import Event, Stamp
from sandbox.feed.graph import add_follows, following, remove_follows
from sandbox.feed.model import HOSTILE, NOBODY, POST, REPOST, UNIT, WARM, Feed, HasFeed
from sandbox.feed.tables import STIR, Bytes, Flags, Longs, distinct, hash_numbers, link_previous, pair_keys

MARK = 16  # bytes of `mark`
FIRST_T = 1 << 31  # t may be this many seconds before the start
STEP = 2000  # thousandths that a stance may move in a tick, at most
DOUBT = 9  # acts 10 to 19 are comments that doubt their post by 1 to 10
LAST = DOUBT + 10


class ActKind:
    """Acts of a crowd user, with their target: a post's root, the card reposted, a user, a topic, a comment. A comment
    has a tone, or, from DOUBT + 1 to LAST, a degree of doubt. Whether one follows a user as the tick begins decides
    which of follow and unfollow can be. Plain ints, as comparing a column with an enum member takes five times as long.
    """

    LIKE = 0
    DISLIKE = 1
    REPOST = 2
    FOLLOW = 3
    POST = 4
    HOSTILE = 5
    NEUTRAL = 6
    WARM = 7
    LIKE_COMMENT = 8
    DISLIKE_COMMENT = 9
    UNFOLLOW = 20


class CrowdActed(Event, frozen=True):
    """What the crowd did in the tick of `seconds` that ends with second t; `moments` gives each act's second.

    users, acts, targets: columns, sorted by user. moved: a bit for each user of the crowd; by: how far those moved, in
    thousandths, i16 (i8 in version 1). mark: of the feed before the event.
    """

    KIND: ClassVar[str] = "crowd_acted"
    VERSION: ClassVar[int] = 2
    PACKED: ClassVar[bool] = True
    seconds: Annotated[int, Meta(ge=1, le=86400)]
    users: bytes
    acts: bytes
    targets: bytes
    moved: bytes
    by: bytes
    mark: bytes


def widen_moves(e: dict[str, Any]) -> dict[str, Any]:
    """The content of an event of version 1 as that of version 2: a stance moves by two bytes, not one."""
    by = np.frombuffer(msgspec.convert(e["by"], bytes), np.int8)
    return {**e, "by": msgspec.to_builtins(by.astype("<i2").tobytes())}


def tick_start(e: CrowdActed, t: int) -> int:
    """The first second of the tick of an event at t."""
    return t + 1 - e.seconds


class ActGroup:
    """Acts that have their effect together, in an order in which those on posts adjoin, and those that make rows."""

    POST, REPOST, COMMENT, LIKE, DISLIKE, LIKE_COMMENT, DISLIKE_COMMENT, FOLLOW, UNFOLLOW, UNKNOWN = range(10)


# The group of each act.
GROUP: Bytes = np.full(256, ActGroup.UNKNOWN, np.uint8)
GROUP[: ActKind.HOSTILE] = ActGroup.LIKE, ActGroup.DISLIKE, ActGroup.REPOST, ActGroup.FOLLOW, ActGroup.POST
GROUP[ActKind.HOSTILE : LAST + 1] = ActGroup.COMMENT
GROUP[[ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT]] = ActGroup.LIKE_COMMENT, ActGroup.DISLIKE_COMMENT
GROUP[ActKind.UNFOLLOW] = ActGroup.UNFOLLOW
COMMENTS = GROUP == ActGroup.COMMENT
ONCE = ~COMMENTS & (GROUP != ActGroup.POST)

# Group -> the column it counts in, by table, and the set of pairs (user, root or comment) that did it: none does twice.
# Follows are in the graph, and an unfollow counts one less; all of a tick's come before its follows.
EFFECTS = {
    ActGroup.REPOST: ("posts", "reposts", "reposted"),
    ActGroup.COMMENT: ("posts", "comments", "commented"),
    ActGroup.LIKE: ("posts", "likes", "liked"),
    ActGroup.DISLIKE: ("posts", "dislikes", "disliked"),
    ActGroup.LIKE_COMMENT: ("comments", "likes", "comment_liked"),
    ActGroup.DISLIKE_COMMENT: ("comments", "dislikes", "comment_disliked"),
    ActGroup.UNFOLLOW: ("users", "fans", ""),
    ActGroup.FOLLOW: ("users", "fans", ""),
}
# Sets of pairs of a feed, with the act each records.
REACTION = {
    EFFECTS[GROUP.item(act)][2]: act
    for act in (ActKind.LIKE, ActKind.DISLIKE, ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT)
}


def moments(users: Longs, t: int, seconds: int) -> Longs:
    """The second of each act in a tick that begins at t. All acts of a sitting share one second, independent of user
    numbers. Cards and comments are numbered in this order.
    """
    spread = hash_numbers(users, (t + FIRST_T) * int(STIR) % (1 << 64))
    offset: Longs = ((spread >> np.uint64(32)) * np.uint64(seconds) >> np.uint64(32)).astype(np.int64)
    return t + offset


class ActColumns(NamedTuple):
    """Acts as columns, in order."""

    user: Longs
    act: Bytes
    target: Longs


class GroupedActs(NamedTuple):
    """Acts by group (`ActGroup`), within a group in order. order: the place of each in `acts`. root: the target, of a
    card its root. keys: pairs (user, root). ends: of the groups.
    """

    acts: ActColumns
    order: Longs
    user: Longs
    target: Longs
    root: Longs
    keys: NDArray[np.uint64]
    ends: list[int]

    def of(self, first: int, last: int | None = None) -> slice:
        """The places of a group, or of adjoining ones."""
        return slice(self.ends[first], self.ends[(first if last is None else last) + 1])


def group_acts(feed: Feed, acts: ActColumns) -> GroupedActs:
    """Group acts. Raises ValueError for acts that are unknown, or on what is not there."""
    there = {group: getattr(feed, table).n for group, (table, _, _) in EFFECTS.items()}
    group, most = GROUP[acts.act], np.full(ActGroup.UNKNOWN + 1, -1)
    most[ActGroup.POST], most[[*there]] = len(feed.topics), [*there.values()]
    if (acts.target >= most[group]).any():
        raise ValueError("an act is unknown, or on what is not there")
    order = np.argsort(group, kind="stable")
    ends = [0, *np.bincount(group, minlength=len(most)).cumsum().tolist()]
    user, target = acts.user[order], acts.target[order]
    root, on_cards = target.copy(), slice(ends[ActGroup.REPOST], ends[ActGroup.DISLIKE + 1])
    root[on_cards] = feed.posts.root[target[on_cards]]
    return GroupedActs(acts, order, user, target, root, pair_keys(user, root), ends)


def ordered_acts(g: GroupedActs) -> Flags:
    """Flags of acts that come after the one before them: by user, act and root, and not all the same if done once."""
    acts, root, found = g.acts, np.empty_like(g.root), np.ones(len(g.order), bool)
    root[g.order] = g.root
    places = acts.user << 40 | acts.act.astype(np.int64) << 32 | root
    found[1:] = places[1:] - places[:-1] >= ONCE[acts.act[1:]]
    return found


def undone_acts(feed: Feed, g: GroupedActs) -> Flags:
    """Flags of acts that their user has not done before, if they are of those done once; nobody comments on a post
    twice, follows themselves, or unfollows whom they do not follow as the tick begins.
    """
    able, found = np.ones(len(g.order), bool), np.empty(len(g.order), bool)
    for group, (_, _, done) in EFFECTS.items():
        part = g.of(group)
        if part.start < part.stop:
            if done:
                able[part] = ~getattr(feed, done).find(g.keys[part])
                continue
            by, on = g.user[part], g.root[part]
            there = following(feed.graph, by, on)
            able[part] = there if group == ActGroup.UNFOLLOW else ~there & (by != on)
    said = g.of(ActGroup.COMMENT)
    order = said.start + np.argsort(g.keys[said], kind="stable")
    able[order[1:]] &= g.keys[order[1:]] != g.keys[order[:-1]]
    found[g.order] = able
    return found


def pack_acts(feed: Feed, acts: ActColumns, moved: NDArray[np.integer], seconds: int) -> CrowdActed:
    """The event of these acts. moved: how far each user's stance moves, in thousandths, 0 = not."""
    bits = moved != 0
    by = np.minimum(np.maximum(moved[bits], -STEP), STEP).astype("<i2")
    return CrowdActed(
        seconds,
        acts.user.astype("<u4").tobytes(),
        acts.act.astype(np.uint8).tobytes(),
        acts.target.astype("<u4").tobytes(),
        np.packbits(bits).tobytes(),
        by.tobytes(),
        feed.mark,
    )


def unpack_acts(feed: Feed, e: CrowdActed) -> tuple[GroupedActs, Longs, NDArray[np.int16]]:
    """The acts of an event, who moved, and by how much. Raises ValueError for columns that do not fit the feed."""
    user = np.frombuffer(e.users, "<u4").astype(np.int64)
    act = np.frombuffer(e.acts, np.uint8)
    target = np.frombuffer(e.targets, "<u4").astype(np.int64)
    if not len(user) == len(act) == len(target) or len(e.moved) != -(-feed.crowd // 8):
        raise ValueError("columns of unlike length")
    if e.moved and e.moved[-1] % (1 << -feed.crowd % 8):
        raise ValueError("a stance moved of somebody who is not there")
    where = np.unpackbits(np.frombuffer(e.moved, np.uint8)).view(np.bool_).nonzero()[0]
    by = np.frombuffer(e.by, "<i2")
    if len(by) != len(where):
        raise ValueError("as many stances did not move as it says")
    if ((by > STEP) | (by < -STEP)).any():
        raise ValueError("a stance moved further than it can")
    if len(user) and user.max() >= feed.crowd:
        raise ValueError("users of the crowd are missing")
    grouped = group_acts(feed, ActColumns(user, act, target))
    counted = grouped.of(ActGroup.COMMENT, ActGroup.DISLIKE)
    if (grouped.root[counted] != grouped.target[counted]).any():
        raise ValueError("an act is on a card that passes on another")
    if e is feed.made:
        return grouped, where, by
    if not ordered_acts(grouped).all():
        raise ValueError("an act stands there twice, or out of order")
    if not undone_acts(feed, grouped).all():
        raise ValueError("an act was done before, or is on oneself, or ends what was not")
    return grouped, where, by


def apply_crowd_acts(w: HasFeed, e: CrowdActed, stamp: Stamp) -> None:
    """Apply the event. Raises ValueError if it does not fit, or the feed differs from the one it was made on."""
    if e.mark != w.feed.mark:
        raise ValueError("the crowd is not as it was when this came about")
    grouped, where, by = unpack_acts(w.feed, e)
    change(w.feed, grouped, where, by, tick_start(e, stamp.t), e.seconds)
    if w.feed.noting is not None:
        w.feed.noting.acted(*grouped.acts)


def change(feed: Feed, g: GroupedActs, where: Longs, by: NDArray[np.int16], t: int, seconds: int) -> None:
    """Apply checked acts (`unpack_acts`) and changes of stance, in `seconds` from t on."""
    posts, users = feed.posts, feed.users
    for group, (table, counter, done) in EFFECTS.items():
        part = g.of(group)
        if part.start < part.stop:
            np.add.at(getattr(getattr(feed, table), counter), g.root[part], -1 if group == ActGroup.UNFOLLOW else 1)
            if done:
                getattr(feed, done).add_new(g.keys[part])
            elif group == ActGroup.UNFOLLOW:
                remove_follows(feed.graph, g.user[part], g.root[part])
            else:
                add_follows(feed.graph, g.user[part].astype(np.int32), g.root[part].astype(np.int32))
    roots = distinct(g.root[g.of(ActGroup.REPOST, ActGroup.DISLIKE)])
    when = moments(g.user[g.of(ActGroup.POST, ActGroup.COMMENT)], t, seconds)
    _add_comments(feed, g, when)
    _add_cards(feed, g, when)
    users.stance[where] = np.minimum(np.maximum(users.stance[where] + by, -UNIT), UNIT)
    digest = blake2b(feed.mark, digest_size=MARK)
    counters = (column[roots] for column in (posts.likes, posts.dislikes, posts.comments, posts.reposts))
    fans = users.fans[g.target[g.of(ActGroup.FOLLOW, ActGroup.UNFOLLOW)]]
    columns: list[NDArray[np.integer]] = [*g.acts, *counters, users.stance[where], fans]
    for column in columns:
        digest.update(column.tobytes())
    digest.update(f"{posts.n} {feed.comments.n} {t} {seconds}".encode())
    feed.mark, feed.made = digest.digest(), None


def _add_comments(feed: Feed, g: GroupedActs, when: Longs) -> None:
    """Add comments. when: of cards and comments."""
    part = g.of(ActGroup.COMMENT)
    if part.start == part.stop:
        return
    at = part.start + np.argsort(when[part], kind="stable")
    posts, comments = feed.posts, feed.comments
    under, act = g.root[at], g.acts.act[g.order[at]]
    first = comments.add(len(at))
    new = slice(first, comments.n)
    comments.post[new], comments.author[new], comments.t[new] = under, g.user[at], when[at]
    comments.doubt[new], comments.tone[new] = DOUBTS[act], TONES[act]
    comments.stance[new] = feed.users.stance[g.user[at]]
    comments.before[new] = link_previous(under, first, posts.last)


def tone_of_doubt(doubt: NDArray[np.integer]) -> NDArray[np.int8]:
    """The tone of a comment with that degree of doubt, 1 to 10."""
    return np.where(doubt >= 7, HOSTILE, np.where(doubt <= 4, WARM, 0)).astype(np.int8)


DOUBTS = np.maximum(np.arange(256) - DOUBT, 0)  # of each kind of comment
TONES = np.where(DOUBTS > 0, tone_of_doubt(DOUBTS), np.arange(256) - ActKind.NEUTRAL)


def _add_cards(feed: Feed, g: GroupedActs, when: Longs) -> None:
    """Add posts and reposts. when: of cards and comments."""
    part = g.of(ActGroup.POST, ActGroup.REPOST)
    if part.start == part.stop:
        return
    at = np.lexsort((g.order[part], when[part]))
    posts, users = feed.posts, feed.users
    author, target, t = g.user[at], g.target[at], when[at]
    again = at >= g.ends[ActGroup.REPOST]
    first = posts.add(len(at))
    new = slice(first, posts.n)
    numbers = np.arange(first, posts.n)
    root = np.where(again, g.root[at], numbers)
    posts.author[new], posts.t[new], posts.root[new] = author, t, root
    posts.kind[new] = np.where(again, REPOST, POST)
    posts.via[new] = np.where(again, target, NOBODY)
    posts.of[new] = np.where(again, posts.of[root], numbers)
    posts.vector[new], posts.last[new] = -1, -1
    posts.topic[new] = np.where(again, posts.topic[root], target)
    posts.stance[new] = np.where(again, posts.stance[root], users.stance[author])
    posts.earlier[new] = link_previous(author, first, users.newest)
    written, t = numbers[~again], t[~again]
    row = feed.roots.add(len(written))
    feed.roots.card[row : feed.roots.n] = written
    # ascending, even if an own second is earlier
    feed.roots.t[row : feed.roots.n] = np.maximum(t, feed.roots.t[row - 1]) if row else t
