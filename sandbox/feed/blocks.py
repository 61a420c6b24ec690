"""What has become of a feed since the last time, as bytes, so that no long past need be made again from its events.

A block holds the new rows, by how much the older ones have changed, the new pairs, the follows in order, and what is
otherwise with the accounts that did something. What follows from these (roots, what is counted on a post, whose latest
card is which) is worked out by whoever takes it in. Blocks taken in one after the other make the feed that the log
makes, to the bit; they may come from anywhere, and each is looked at before it is taken. `change_recorder.py` makes
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.feed.model import QUOTE, REPOST, Feed, Message
from sandbox.feed.rows import Comments, Posts, Users
from sandbox.feed.tables import Longs

LAST = 2**31 - 1
Count = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
NEW = {  # of each table, the columns of its new rows that nothing else tells, and how they are packed
    "cards": (("author", "<u4"), ("kind", "u1"), ("t", "<i4")),
    "own": (("topic", "i1"), ("stance", "<i2"), ("vector", "<i4"), ("heat", "u1")),  # of cards with words
    "comments": (
        ("post", "<u4"), ("author", "<u4"), ("t", "<i4"), ("tone", "i1"), ("doubt", "u1"), ("stance", "<i2"),
    ),
}  # fmt: skip
COUNTED = (  # columns that change, of which a block says what does not follow from new rows, pairs and follows
    *(("posts", name) for name in ("likes", "dislikes", "comments", "reposts", "quotes", "reports")),
    *(("comments", name) for name in ("likes", "dislikes")),
    *(("users", name) for name in ("fans", "stance")),
)
REACTIONS = ("liked", "disliked", "comment_liked", "comment_disliked")
SETS = (
    "likes", "dislikes", "comment_likes", "comment_dislikes", "reposted", "reported", "mutes", "blocks", "blocked_by",
)  # fmt: skip


class Changed(msgspec.Struct, frozen=True, array_like=True):
    """Rows of a column: their places, as gaps, and by how much each is more."""

    places: bytes
    by: bytes


class Follows(msgspec.Struct, frozen=True, array_like=True):
    """Follows of the crowd, in order. cuts: after how many of them who no longer follows whom. waiting: how many, the
    last of all there ever were, are still to be merged.
    """

    users: bytes
    others: bytes
    cuts: list[tuple[Count, Count, Count]]
    waiting: Count


class NewAccount(msgspec.Struct, frozen=True, array_like=True):
    """What of an account never changes. interests: a row of a vector."""

    handle: str
    name: str
    bio: str
    t: int
    interests: bytes


class AccountChanges(msgspec.Struct, frozen=True, array_like=True):
    """What is otherwise with an account. joined: of a new one. sets: of each of SETS, what came and what went. posts,
    direct: what came. The rest as it stands, None where it is as it was.
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
    """What is otherwise with a group. members: all, in order. messages: those that came."""

    number: Count
    name: str
    by: Count
    members: list[Count]
    messages: list[Count]


class FeedBlock(msgspec.Struct, frozen=True, array_like=True):
    """after, seq: the events it lies between. rows: how many users, cards, comments and vectors there are at its end.
    columns: of NEW, in that order; via: of cards that are no posts. vectors: rows. gone: gaps between cards that were
    deleted. changed: of COUNTED. pairs: of REACTIONS, (gaps of what it is on, by whom).
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


encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FeedBlock).decode


def read(data: bytes) -> FeedBlock:
    """A block taken apart. Raises ValueError if it is none."""
    try:
        return _decode(data)
    except msgspec.MsgspecError as error:
        raise ValueError(f"no block of a feed: {error}") from error


# ---- columns as bytes


def pack_column(column: NDArray[Any], kind: str) -> bytes:
    """A column as bytes: the lowest byte of all rows, then the next; small numbers pack well so."""
    wide = np.ascontiguousarray(column, kind)
    return wide.view(np.uint8).reshape(-1, wide.itemsize).T.tobytes()


def unpack_column(parts: Sequence[bytes], kind: str) -> NDArray[Any]:
    """The columns of several blocks as one. Raises ValueError."""
    size = np.dtype(kind).itemsize
    rows = [np.frombuffer(part, np.uint8).reshape(size, -1) for part in parts]
    together = rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1)
    found: NDArray[Any] = together[0].astype(f"<u{size}")  # a byte of all rows at a time: a fifth of turning them
    for place in range(1, size):
        if together[place].any():
            found |= together[place].astype(found.dtype) << (8 * place)
    return found.view(kind)


def pack_places(places: NDArray[Any]) -> bytes:
    """Numbers in order, as bytes."""
    return pack_column(np.diff(places, prepend=0), "<u4")


def unpack_places(parts: Sequence[bytes]) -> Longs:
    """The numbers of several blocks, those of each in order. Raises ValueError."""
    found = [np.cumsum(unpack_column([part], "<u4"), dtype=np.int64) for part in parts if part]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def check_row_numbers(numbers: NDArray[Any], end: int, begin: int = 0) -> None:
    """Raise ValueError unless all are from begin to end - 1."""
    if len(numbers) and not begin <= numbers.min() <= numbers.max() < end:
        raise ValueError("it names what is not there")


# ---- what follows from new rows


class RowCounts(NamedTuple):
    """How many there are."""

    users: int
    cards: int
    comments: int
    vectors: int

    @classmethod
    def of(cls, feed: Feed) -> RowCounts:
        """Those of a feed."""
        return cls(feed.users.n, feed.posts.n, feed.comments.n, feed.vectors.n)


class CountedColumns(NamedTuple):
    """Columns of COUNTED, as wide whole numbers."""

    by: dict[tuple[str, str], Longs]

    @classmethod
    def of(cls, feed: Feed, rows: RowCounts) -> CountedColumns:
        """Those of a feed, as long as there are rows by now; what is not there yet is 0."""
        found = {}
        for table, name in COUNTED:
            held: Users | Posts | Comments = getattr(feed, table)
            long = np.zeros({"users": rows.users, "posts": rows.cards, "comments": rows.comments}[table], np.int64)
            long[: held.n] = getattr(held, name)[: held.n]
            found[table, name] = long
        return cls(found)


class FeedAdditions(NamedTuple):
    """What of a feed's new rows and acts is counted. since: how many cards and comments there were before."""

    since: tuple[int, int]
    pairs: tuple[tuple[Longs, Longs], ...]  # of REACTIONS: (on what, by whom)
    followed: Longs


def count(columns: CountedColumns, feed: Feed, came: FeedAdditions) -> None:
    """Add to columns what follows from what came: the new cards and comments stand in the feed already."""
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
