"""Changes of a feed since an earlier event, as bytes, so that a long past need not be replayed from events.

A block holds new rows, differences in older ones, new pairs, follows in order, and changes of the accounts that acted.
What follows from these (roots, counts on posts, latest cards) is computed when it is applied. Blocks applied in order
make exactly the feed that the log makes; they may come from anywhere, so each is validated as it is applied,
and after a fault the feed is unusable. `change_recorder.py` makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from sandbox.feed.model import QUOTE, REPOST, Feed, Message
from sandbox.feed.steering import ClaimSide, Steered
from sandbox.feed.tables import Comments, Longs, Posts, Users, pair_keys

LAST = 2**31 - 1
Count = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
NEW = {  # per table: columns of new rows that nothing else determines, and their packed types
    "cards": (("author", "<u4"), ("kind", "u1"), ("t", "<i4")),
    "own": (("topic", "i1"), ("stance", "<i2"), ("vector", "<i4"), ("heat", "u1")),  # of cards with words
    "comments": (
        ("post", "<u4"), ("author", "<u4"), ("t", "<i4"), ("tone", "i1"), ("doubt", "u1"), ("stance", "<i2"),
    ),
}  # fmt: skip
COUNTED = (  # columns that change in ways new rows, pairs and follows do not determine
    *(("posts", name) for name in ("likes", "dislikes", "comments", "reposts", "quotes", "reports")),
    *(("comments", name) for name in ("likes", "dislikes")),
    *(("users", name) for name in ("fans", "stance")),
)
REACTIONS = ("liked", "disliked", "comment_liked", "comment_disliked")
SETS = (
    "likes", "dislikes", "comment_likes", "comment_dislikes", "reposted", "reported", "mutes", "blocks", "blocked_by",
)  # fmt: skip


class Changed(msgspec.Struct, frozen=True, array_like=True):
    """Changed rows of a column: their places, as gaps, and the increase of each."""

    places: bytes
    by: bytes


class Follows(msgspec.Struct, frozen=True, array_like=True):
    """Follows of the crowd, in order. cuts: unfollows, each with the number of follows before it. waiting: how many of
    the latest follows are not merged into the graph yet.
    """

    users: bytes
    others: bytes
    cuts: list[tuple[Count, Count, Count]]
    waiting: Count


class NewAccount(msgspec.Struct, frozen=True, array_like=True):
    """The unchanging part of an account. interests: row of a vector."""

    handle: str
    name: str
    bio: str
    t: int
    interests: bytes


class AccountChanges(msgspec.Struct, frozen=True, array_like=True):
    """Changes of an account. joined: of a new one. sets: for each of SETS, what was added and removed. posts, direct:
    what was added. The rest: the new value, None if unchanged.
    """

    number: Count
    joined: NewAccount | None
    sets: list[tuple[list[Count], list[Count]]]
    posts: list[Count]
    recent: list[bytes] | None
    follows: list[Count] | None
    words: list[str] | None
    groups: dict[Count, Count] | None
    late: dict[Count, list[Count]] | None
    unread: dict[Count, list[Count]] | None
    direct: dict[Count, list[Count]]


class GroupChanges(msgspec.Struct, frozen=True, array_like=True):
    """Changes of a group. members: all, in order. messages: those added."""

    number: Count
    name: str
    by: Count
    members: list[Count]
    messages: list[Count]


class FeedBlock(msgspec.Struct, frozen=True, array_like=True):
    """A block of changes. after, seq: the events it lies between. rows: users, cards, comments and vectors at its end.
    columns: of NEW, in that order; via: of reposts and quotes. vectors: rows. gone: gaps between cards deleted.
    changed: of COUNTED. pairs: of REACTIONS, (gaps of targets, users). steered: the round that has begun, None if
    nobody steers, and which accounts have looked in it. claims: of new posts.
    """

    after: Count
    seq: Count
    mark: Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
    deeds: Count
    heated: bool
    rows: tuple[Count, Count, Count, Count]
    columns: list[bytes]
    via: bytes
    vectors: bytes
    gone: bytes
    changed: list[Changed]
    pairs: list[Changed]
    follows: Follows
    texts: dict[Count, str]
    comment_texts: dict[Count, str]
    messages: list[Message]
    groups: list[GroupChanges]
    accounts: list[AccountChanges]
    steered: tuple[Steered, list[Count]] | None = None
    claims: dict[Count, ClaimSide] = {}


encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FeedBlock).decode


def read(data: bytes) -> FeedBlock:
    """Decode a block. Raises ValueError if the data are none."""
    try:
        return _decode(data)
    except msgspec.MsgspecError as error:
        raise ValueError(f"no block of a feed: {error}") from error


# ---- columns as bytes


def pack_column(column: NDArray[Any], kind: str) -> bytes:
    """A column as bytes: the lowest byte of all rows, then the next; small numbers compress well this way."""
    wide = np.ascontiguousarray(column, kind)
    return wide.view(np.uint8).reshape(-1, wide.itemsize).T.tobytes()


def unpack_column(parts: Sequence[bytes], kind: str) -> NDArray[Any]:
    """The concatenated columns of several blocks. Raises ValueError."""
    size = np.dtype(kind).itemsize
    rows = [np.frombuffer(part, np.uint8).reshape(size, -1) for part in parts]
    together = rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1)
    found: NDArray[Any] = together[0].astype(f"<u{size}")  # one byte of all rows at a time: a fifth of the time
    for place in range(1, size):
        if together[place].any():
            found |= together[place].astype(found.dtype) << (8 * place)
    return found.view(kind)


def pack_places(places: NDArray[Any]) -> bytes:
    """Ascending numbers as packed gaps."""
    return pack_column(np.diff(places, prepend=0), "<u4")


def unpack_places(parts: Sequence[bytes]) -> Longs:
    """The numbers of several blocks, ascending within each. Raises ValueError."""
    found = [np.cumsum(unpack_column([part], "<u4"), dtype=np.int64) for part in parts if part]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def check_row_numbers(numbers: NDArray[Any], end: int, begin: int = 0) -> None:
    """Raise ValueError unless all numbers are from `begin` to `end` - 1."""
    if len(numbers) and not begin <= numbers.min() <= numbers.max() < end:
        raise ValueError("it names what is not there")


# ---- what follows from new rows


class RowCounts(NamedTuple):
    """The number of rows per table."""

    users: int
    cards: int
    comments: int
    vectors: int

    @classmethod
    def of(cls, feed: Feed) -> RowCounts:
        """The row counts of a feed."""
        return cls(feed.users.n, feed.posts.n, feed.comments.n, feed.vectors.n)


class CountedColumns(NamedTuple):
    """Columns of COUNTED, widened to int64."""

    by: dict[tuple[str, str], Longs]

    @classmethod
    def copy_from(cls, feed: Feed, rows: RowCounts) -> CountedColumns:
        """Copies of the counted columns of a feed, as long as `rows`, with 0 for rows that it does not have yet. They
        are wide, so that a count too large for the feed shows before it is written back.
        """
        found = {}
        for table, name in COUNTED:
            held: Users | Posts | Comments = getattr(feed, table)
            long = np.zeros({"users": rows.users, "posts": rows.cards, "comments": rows.comments}[table], np.int64)
            long[: held.n] = getattr(held, name)[: held.n]
            found[table, name] = long
        return cls(found)


class FeedAdditions(NamedTuple):
    """New rows and acts of a feed to be counted. since: cards and comments there were before."""

    since: tuple[int, int]
    pairs: tuple[tuple[Longs, Longs], ...]  # of REACTIONS: (targets, users)
    followed: Longs


def count(columns: CountedColumns, feed: Feed, came: FeedAdditions) -> None:
    """Add the counts of what came to the columns; its cards and comments are in the feed already."""
    posts, comments, by = feed.posts, feed.comments, columns.by
    cards = slice(came.since[0], posts.n)
    kind = posts.kind[cards]
    for (table, name), on in (
        (("posts", "likes"), came.pairs[0][0]),
        (("posts", "dislikes"), came.pairs[1][0]),
        (("comments", "likes"), came.pairs[2][0]),
        (("comments", "dislikes"), came.pairs[3][0]),
        (("posts", "comments"), comments.post[came.since[1] : comments.n]),
        (("posts", "reposts"), posts.root[cards][kind == REPOST]),
        (("posts", "quotes"), posts.of[cards][kind == QUOTE]),
        (("users", "fans"), came.followed),
    ):
        held = by[table, name]
        held += np.bincount(on, minlength=len(held))


# ---- merging consecutive blocks into one with the same meaning, applied in the time of one


KINDS = [kind for columns in NEW.values() for _, kind in columns]
STANDING = ("recent", "follows", "words", "groups", "late", "unread")  # stored whole


def join_blocks(blocks: Sequence[FeedBlock]) -> FeedBlock:
    """Merge blocks, each beginning where the one before ends. Raises ValueError for blocks that no feed could make."""
    if any(later.after != block.seq for block, later in pairwise(blocks)):
        raise ValueError("they do not follow each other")
    if any(
        (len(b.columns), len(b.changed), len(b.pairs)) != (len(KINDS), len(COUNTED), len(REACTIONS)) for b in blocks
    ):
        raise ValueError("its columns are too few or too many")
    last = blocks[-1]
    return FeedBlock(
        blocks[0].after, last.seq, last.mark, last.deeds, last.heated, last.rows,
        [pack_column(unpack_column([b.columns[i] for b in blocks], kind), kind) for i, kind in enumerate(KINDS)],
        pack_column(unpack_column([b.via for b in blocks], "<u4"), "<u4"),
        b"".join(b.vectors for b in blocks),
        pack_places(np.sort(unpack_places([b.gone for b in blocks]))),
        [_summed([b.changed[i] for b in blocks]) for i in range(len(COUNTED))],
        [_in_order([b.pairs[i] for b in blocks]) for i in range(len(REACTIONS))],
        _followed([b.follows for b in blocks]),
        {number: text for b in blocks for number, text in b.texts.items()},
        {number: text for b in blocks for number, text in b.comment_texts.items()},
        [message for b in blocks for message in b.messages],
        _met([meeting for b in blocks for meeting in b.groups]),
        _done([doings for b in blocks for doings in b.accounts]),
        last.steered,
        last.claims,
    )  # fmt: skip


def _summed(parts: Sequence[Changed]) -> Changed:
    where, back = np.unique(unpack_places([p.places for p in parts]), return_inverse=True)
    by = np.zeros(len(where), np.int64)
    np.add.at(by, back, unpack_column([p.by for p in parts], "<i4").astype(np.int64))
    if (by != by.astype(np.int32)).any():
        raise ValueError("it counts more than a feed can")
    return Changed(pack_places(where[by != 0]), pack_column(by[by != 0], "<i4"))


def _in_order(parts: Sequence[Changed]) -> Changed:
    on, who = unpack_places([p.places for p in parts]), unpack_column([p.by for p in parts], "<u4")
    order = np.argsort(pair_keys(on, who), kind="stable")
    return Changed(pack_places(on[order]), pack_column(who[order], "<u4"))


def _followed(parts: Sequence[Follows]) -> Follows:
    begins = accumulate((len(p.users) // 4 for p in parts), initial=0)
    cuts = [(at + after, user, other) for at, p in zip(begins, parts, strict=False) for after, user, other in p.cuts]
    users = pack_column(unpack_column([p.users for p in parts], "<u4"), "<u4")
    others = pack_column(unpack_column([p.others for p in parts], "<u4"), "<u4")
    return Follows(users, others, cuts, parts[-1].waiting)


def _met(meetings: Sequence[GroupChanges]) -> list[GroupChanges]:
    found: dict[int, GroupChanges] = {}
    for m in meetings:
        then = found.get(m.number)
        found[m.number] = GroupChanges(
            m.number, m.name, m.by, m.members, [*then.messages, *m.messages] if then else m.messages
        )
    return [found[number] for number in sorted(found)]


def _done(doings: Sequence[AccountChanges]) -> list[AccountChanges]:
    found: dict[int, AccountChanges] = {}
    for d in doings:
        then = found.get(d.number)
        found[d.number] = d if then is None else _then(then, d)
    return [found[number] for number in sorted(found)]


def _then(a: AccountChanges, b: AccountChanges) -> AccountChanges:
    """The changes of an account after both."""
    if b.joined is not None or len(a.sets) != len(b.sets):
        raise ValueError("an account comes twice")
    sets = []
    for (came, went), (came_later, went_later) in zip(a.sets, b.sets, strict=True):
        gone = {*went, *went_later} - {*came_later}
        sets.append((sorted({*came} - {*went_later} | {*came_later}), sorted(gone)))
    direct = {other: [*a.direct.get(other, ()), *b.direct.get(other, ())] for other in {**a.direct, **b.direct}}
    later = {name: now for name in STANDING if (now := getattr(b, name)) is not None}
    return replace(a, sets=sets, posts=[*a.posts, *b.posts], direct=direct, **later)
