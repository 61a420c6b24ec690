"""The acts of a crowd in a tick as one packed event: sorted columns of bytes, and their effect on the feed.

An act takes nine bytes: user (u32), act (u8), target (u32). Changes of stance caused by reading are stored beside them,
a bit per user and a byte per change. `mark` is a digest of the effect of all earlier packed events; it is compared when
the event is applied.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from sandbox.core.events import Event, Stamp
from sandbox.feed.graph import add_follows, following
from sandbox.feed.model import HOSTILE, NOBODY, POST, REPOST, UNIT, WARM, Feed, HasFeed
from sandbox.feed.tables import (
    STIR,
    Bytes,
    Longs,
    Pairs,
    Small,
    distinct,
    hash_numbers,
    link_previous,
    pair_keys,
    run_starts,
)

MARK = 16  # bytes of `mark`
FIRST_T = 1 << 31  # t may be this many seconds before the start
STEP = 127  # thousandths that a stance may move in a tick, at most
DOUBT = 9  # acts 10 to 19 are comments that doubt their post by 1 to 10
LAST = DOUBT + 10


class ActKind:
    """Acts of a crowd user, with their target: a post's root, the card reposted, a user, a topic, a comment. A comment
    has a tone, or, from DOUBT + 1 to LAST, a degree of doubt. Plain ints, as comparing a column with an enum member
    takes five times as long.
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


class CrowdActed(Event, frozen=True):
    """What the crowd did in the tick of `seconds` that ends with second t; `moments` gives each act's second.

    users, acts, targets: columns, sorted by user. moved: a bit for each user of the crowd; by: how far those moved, in
    thousandths, i8. mark: of the feed before the event.
    """

    KIND: ClassVar[str] = "crowd_acted"
    PACKED: ClassVar[bool] = True
    seconds: Annotated[int, Meta(ge=1, le=86400)]
    users: bytes
    acts: bytes
    targets: bytes
    moved: bytes
    by: bytes
    mark: bytes


def tick_start(e: CrowdActed, t: int) -> int:
    """The first second of the tick of an event at t."""
    return t + 1 - e.seconds


def _which(*acts: int) -> NDArray[np.bool_]:
    found = np.zeros(256, bool)
    found[list(acts)] = True
    return found


ONCE = _which(
    ActKind.LIKE, ActKind.DISLIKE, ActKind.REPOST, ActKind.FOLLOW, ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT
)
COMMENTS = _which(ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM, *range(DOUBT + 1, LAST + 1))
COUNTED = COMMENTS | _which(ActKind.LIKE, ActKind.DISLIKE)
ON_POSTS = ~_which(ActKind.FOLLOW, ActKind.POST, ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT)


REACTION = {
    "liked": ActKind.LIKE,
    "disliked": ActKind.DISLIKE,
    "comment_liked": ActKind.LIKE_COMMENT,
    "comment_disliked": ActKind.DISLIKE_COMMENT,
}  # sets of pairs of a feed, with the act each records


def once_only_pairs(feed: Feed) -> tuple[tuple[int, Pairs], ...]:
    """The acts that can be done only once, each with the pairs (user, root or comment) done so far. Follows are in the
    graph.
    """
    return tuple((act, getattr(feed, name)) for name, act in (*REACTION.items(), ("reposted", ActKind.REPOST)))


def target_roots(feed: Feed, act: Bytes, target: Longs) -> Longs:
    """The targets of acts, with the root for a repost."""
    passed = act == ActKind.REPOST
    found = target.copy()
    found[passed] = feed.posts.root[target[passed]]
    return found


def first_of_pair(users: Longs, on: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Flags of the first occurrence of each pair (user, target)."""
    keys = pair_keys(users, on)
    order = np.argsort(keys, kind="stable")
    found = np.zeros(len(users), bool)
    found[order] = run_starts(keys[order])
    return found


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


def pack_acts(feed: Feed, acts: ActColumns, moved: NDArray[np.integer], seconds: int) -> CrowdActed:
    """The event of these acts. moved: how far each user's stance moves, in thousandths, 0 = not."""
    where = np.flatnonzero(moved)
    bits = np.zeros(feed.crowd, bool)
    bits[where] = True
    by = np.clip(moved[where], -STEP, STEP).astype(np.int8)
    return CrowdActed(
        seconds,
        acts.user.astype("<u4").tobytes(),
        acts.act.astype(np.uint8).tobytes(),
        acts.target.astype("<u4").tobytes(),
        np.packbits(bits).tobytes(),
        by.tobytes(),
        feed.mark,
    )


def unpack_acts(feed: Feed, e: CrowdActed) -> tuple[ActColumns, Longs, Small]:
    """The acts of an event, who moved, and by how much. Raises ValueError for columns that do not fit the feed."""
    user = np.frombuffer(e.users, "<u4").astype(np.int64)
    act = np.frombuffer(e.acts, np.uint8)
    target = np.frombuffer(e.targets, "<u4").astype(np.int64)
    if not len(user) == len(act) == len(target) or len(e.moved) != -(-feed.crowd // 8):
        raise ValueError("columns of unlike length")
    bits = np.unpackbits(np.frombuffer(e.moved, np.uint8), count=feed.crowd)
    if np.packbits(bits).tobytes() != e.moved:
        raise ValueError("a stance moved of somebody who is not there")
    where = np.flatnonzero(bits)
    by = np.frombuffer(e.by, np.int8)
    if len(by) != len(where):
        raise ValueError("as many stances did not move as it says")
    acts = ActColumns(user, act, target)
    _check(feed, acts)
    return acts, where, by


def _check(feed: Feed, acts: ActColumns) -> None:
    if len(acts.user) and (acts.user.max() >= feed.crowd or (np.diff(acts.user) < 0).any()):
        raise ValueError("users of the crowd are missing or out of order")
    limit = np.full(256, -1, np.int64)
    limit[COUNTED] = limit[ActKind.REPOST] = feed.posts.n
    limit[ActKind.FOLLOW], limit[ActKind.POST] = feed.users.n, len(feed.topics)
    limit[ActKind.LIKE_COMMENT] = limit[ActKind.DISLIKE_COMMENT] = feed.comments.n
    if (acts.target >= limit[acts.act]).any():
        raise ValueError("an act is unknown, or on what is not there")
    _check_once(feed, acts)


def _check_once(feed: Feed, acts: ActColumns) -> None:
    """Raise ValueError if somebody likes, dislikes, comments on, reposts or follows twice, follows themselves, or likes
    a repost instead of its root.
    """
    user, act, target = acts
    root = target_roots(feed, act, target)
    own = user[1:] == user[:-1]
    back = (root[1:] < root[:-1]) | ((root[1:] == root[:-1]) & ONCE[act[1:]])  # sorted, so that duplicates are adjacent
    if (own & ((act[1:] < act[:-1]) | ((act[1:] == act[:-1]) & back))).any():
        raise ValueError("an act stands there twice, or out of order")
    counted = COUNTED[act]
    if (feed.posts.root[target[counted]] != target[counted]).any():
        raise ValueError("an act is on a card that passes on another")
    follows = act == ActKind.FOLLOW
    again = (user[follows] == target[follows]).any() or following(feed.graph, user[follows], target[follows]).any()
    keys = pair_keys(user, root)
    for kind, pairs in once_only_pairs(feed):
        again = again or pairs.find(keys[act == kind]).any()
    said = keys[COMMENTS[act]]
    if again or feed.commented.find(said).any() or len(distinct(said)) < len(said):
        raise ValueError("an act was done before, or is on oneself")


def apply_crowd_acts(w: HasFeed, e: CrowdActed, stamp: Stamp) -> None:
    """Apply the event. Raises ValueError if it does not fit, or the feed differs from the one it was made on."""
    if e.mark != w.feed.mark:
        raise ValueError("the crowd is not as it was when this came about")
    acts, where, by = unpack_acts(w.feed, e)
    change(w.feed, acts, where, by, tick_start(e, stamp.t), e.seconds)
    if w.feed.noting is not None:
        w.feed.noting.acted(*acts)


def change(feed: Feed, acts: ActColumns, where: Longs, by: Small, t: int, seconds: int) -> None:
    """Apply checked acts (`unpack_acts`) and changes of stance, in `seconds` from t on."""
    posts, users = feed.posts, feed.users
    when = moments(acts.user, t, seconds)
    roots = _reactions(feed, acts)
    follows = acts.act == ActKind.FOLLOW
    if follows.any():
        add_follows(feed.graph, acts.user[follows].astype(np.int32), acts.target[follows].astype(np.int32))
        np.add.at(users.fans, acts.target[follows], 1)
    _commented(feed, acts, when)
    _written(feed, acts, when)
    users.stance[where] = np.clip(users.stance[where] + by, -UNIT, UNIT)
    digest = blake2b(feed.mark, digest_size=MARK)
    for part in acts:
        digest.update(part.tobytes())
    for column in (posts.likes, posts.dislikes, posts.comments, posts.reposts):
        digest.update(column[roots].tobytes())
    digest.update(users.stance[where].tobytes())
    digest.update(users.fans[acts.target[follows]].tobytes())
    digest.update(f"{posts.n} {feed.comments.n} {t} {seconds}".encode())
    feed.mark = digest.digest()


def _reactions(feed: Feed, acts: ActColumns) -> Longs:
    """Apply likes and dislikes; returns the posts whose counters change in this tick."""
    posts, comments = feed.posts, feed.comments
    for act, pairs, column in (
        (ActKind.LIKE, feed.liked, posts.likes),
        (ActKind.DISLIKE, feed.disliked, posts.dislikes),
        (ActKind.LIKE_COMMENT, feed.comment_liked, comments.likes),
        (ActKind.DISLIKE_COMMENT, feed.comment_disliked, comments.dislikes),
    ):
        which = np.flatnonzero(acts.act == act)
        if len(which):
            pairs.add_new(pair_keys(acts.user[which], acts.target[which]))
            np.add.at(column, acts.target[which], 1)
    return distinct(posts.root[acts.target[ON_POSTS[acts.act]]].astype(np.int64))


def _commented(feed: Feed, acts: ActColumns, when: Longs) -> None:
    which = np.flatnonzero(COMMENTS[acts.act])
    if not len(which):
        return
    which = which[np.argsort(when[which], kind="stable")]
    posts, comments = feed.posts, feed.comments
    under = posts.root[acts.target[which]]
    feed.commented.add_new(pair_keys(acts.user[which], under))
    first = comments.add(len(which))
    new = slice(first, comments.n)
    kind = acts.act[which].astype(np.int16)
    doubts = np.maximum(kind - DOUBT, 0)
    comments.post[new], comments.author[new], comments.t[new] = under, acts.user[which], when[which]
    comments.doubt[new], comments.stance[new] = doubts, feed.users.stance[acts.user[which]]
    comments.tone[new] = np.where(doubts > 0, tone_of_doubt(doubts), kind - ActKind.NEUTRAL)
    comments.before[new] = link_previous(under, first, posts.last)
    np.add.at(posts.comments, under, 1)


def tone_of_doubt(doubt: NDArray[np.integer]) -> NDArray[np.int8]:
    """The tone of a comment with that degree of doubt, 1 to 10."""
    return np.where(doubt >= 7, HOSTILE, np.where(doubt <= 4, WARM, 0)).astype(np.int8)


def _written(feed: Feed, acts: ActColumns, when: Longs) -> None:
    """Add new cards: posts and reposts."""
    which = np.flatnonzero((acts.act == ActKind.POST) | (acts.act == ActKind.REPOST))
    if not len(which):
        return
    which = which[np.argsort(when[which], kind="stable")]
    posts, users = feed.posts, feed.users
    author, target = acts.user[which], acts.target[which]
    again = acts.act[which] == ActKind.REPOST
    first = posts.add(len(which))
    new = slice(first, posts.n)
    numbers = np.arange(first, posts.n, dtype=np.int32)
    root = np.where(again, posts.root[np.where(again, target, 0)], numbers)
    posts.author[new], posts.t[new] = author, when[which]
    posts.kind[new] = np.where(again, REPOST, POST)
    posts.root[new], posts.via[new] = root, np.where(again, target, NOBODY)
    posts.of[new] = posts.of[root] = np.where(again, posts.of[root], numbers)
    posts.vector[new], posts.last[new] = -1, -1
    posts.topic[new] = np.where(again, posts.topic[root], target)
    posts.stance[new] = np.where(again, posts.stance[root], users.stance[author])
    posts.earlier[new] = link_previous(author, first, users.newest)
    feed.reposted.add_new(pair_keys(author[again], root[again]))
    np.add.at(posts.reposts, root[again], 1)
    written = numbers[~again]
    at = feed.roots.add(len(written))
    latest = feed.roots.t[at - 1] if at else 0  # ascending, even if an own second is earlier
    feed.roots.card[at : feed.roots.n] = written
    feed.roots.t[at : feed.roots.n] = np.maximum(posts.t[written], latest) if at else posts.t[written]
