"""A crowd from imported tables, as event 1 of a save holds it: packed columns, so that no save reads a table again.

Values missing in a table are UNSAID here and drawn when the feed is founded (`population.py`). A save may come from
anywhere: the size of every part is limited before it is unpacked, and its content validated before use.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.fields import meta
from sandbox.core.vectors import DIMENSIONS
from sandbox.feed.tables import Bytes, Flags, Ints, Longs, Small

MOST_BYTES = 512 << 20  # of an unpacked part at most
LEVEL = 3  # of compression: half the time of the default, and 5 % larger


def compress_parts(parts: list[bytes]) -> bytes:
    """Concatenate byte strings and compress them."""
    packer = zlib.compressobj(LEVEL)
    return b"".join([*(packer.compress(part) for part in parts), packer.flush()])


class Taking:
    """Reads consecutive columns from some bytes."""

    def __init__(self, data: bytes, what: str) -> None:
        self._data, self._at, self._what = data, 0, what

    def __call__(self, kind: type | np.dtype[Any], count: int) -> NDArray[Any]:
        """The next `count` numbers of that type. Raises ValueError if there are fewer."""
        size = np.dtype(kind).itemsize * count
        require(self._at + size <= len(self._data), f"its {self._what} end too early")
        found: NDArray[Any] = np.frombuffer(self._data, kind, count, self._at)
        self._at += size
        return found

    def rest(self) -> bytes:
        """All remaining bytes."""
        return self._data[self._at :]

    def end(self) -> None:
        """Raise ValueError if any bytes remain."""
        require(self._at == len(self._data), f"its {self._what} go on beyond their end")


def decompress_part(data: bytes, most: int, what: str) -> bytes:
    """Decompress a part, to at most `most` bytes. what: its name in errors. Raises ValueError."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, min(most, MOST_BYTES) + 1)
    except zlib.error as error:
        raise ValueError(f"its {what} cannot be unpacked ({error})") from None
    require(len(found) <= min(most, MOST_BYTES), f"its {what} unpack to more than they may")
    require(unpacker.eof and not unpacker.unused_data, f"its {what} are cut short, or more than that")
    return found


def check_range(column: NDArray[Any], low: int, high: int, unsaid: int | None, what: str) -> None:
    """Raise ValueError unless every value is in [low, high] or equals `unsaid`."""
    fine = (column >= low) & (column <= high)
    if unsaid is not None:
        fine |= column == unsaid
    require(bool(fine.all()), f"{what} is out of range")


def require(so: bool, words: str) -> None:
    """Raise ValueError with these words unless `so`."""
    if not so:
        raise ValueError(f"its population cannot be: {words}")


MOST_USERS = 1_000_000  # as many as a crowd may have
MOST_FOLLOWS = 20_000_000
MOST_POSTS = 1_000_000
MOST_PACKED = 180 << 20  # bytes of all compressed parts together
OLDEST = 30 * 365 * 86400  # seconds before the start; no post is older
COUNTED = 1_000_000_000  # likes and dislikes of a post at most
OLD = 120  # highest age, years
BIO, TEXT, NAME, HANDLE = 400, 500, 80, 64  # letters at most
UNSAID = 255  # no value for age, gender, profession or topics
UNSAID_SMALL = -128  # no value for traits or pleasure
UNSAID_STANCE = -32768
HUNDRED, THOUSAND = 100, 1000  # units per 1 of traits, and of stances
TRAITS, GENDERS, PROFESSIONS, TOPICS, HOURS = 5, 3, 13, 9, 24
SINGLE = 15  # bytes per user in single-byte columns
LINES = 65536  # checked at once

Stances = NDArray[np.int16]


Said = Annotated[str, msgspec.Meta(max_length=100)]
Many = Annotated[int, msgspec.Meta(ge=0)]


class Population(msgspec.Struct, frozen=True):
    """The users of imported tables: the first of a crowd. count: how many. Each part is compressed by zlib.

    columns: their attributes, as in `LoadedUsers`. names: a line of JSON each, [handle, name, bio]. follows: how many
    each follows, then whom; b"" = the graph is generated. posts: on the feed at the beginning, as in `LoadedCards`,
    then a line of JSON for each that has words; b"" = none. left: by table (users, follows, posts) how many rows of
    each kind were dropped or adjusted on loading.
    """

    count: Annotated[int, meta(low=1, high=MOST_USERS)]
    columns: bytes
    names: bytes
    follows: bytes = b""
    posts: bytes = b""
    left: Annotated[dict[Said, dict[Said, Many]], msgspec.Meta(max_length=3)] = {}


class LoadedUsers(NamedTuple):
    """Attributes of n users from tables, in the units of a crowd. age: years. traits: (n, 5), hundredths. topics: (n,
    2). stance: thousandths. pleasure: hundredths. rated: who has a row in `vector`; timed: who has a row in `hours`, 24
    chances of a sitting in 3 minutes, in 255ths.
    """

    age: Bytes
    gender: Bytes
    traits: Small
    profession: Bytes
    topics: Bytes
    stance: Stances
    pleasure: Small
    rated: Flags
    timed: Flags
    vector: Small
    hours: Bytes


class LoadedCards(NamedTuple):
    """Posts and reposts from before the start, oldest first. t: seconds, 0 or less. via: the card a repost acts on, -1
    for a post. topic: 0 to 8, -1 unknown. stance: thousandths, UNSAID_STANCE = none. vector, texts: one per post, none
    for reposts.
    """

    author: Ints
    t: Ints
    via: Ints
    topic: Small
    stance: Stances
    likes: Ints
    dislikes: Ints
    vector: Small
    texts: list[str]


def left_out_words(left: Mapping[str, int]) -> str:
    """Which rows of a table were dropped or adjusted, in words. left: kind -> how many, as in `Population`."""
    return f"left out, or made to fit: {', '.join(f'{kind} ({count:,})' for kind, count in left.items())}"


# ---- packing


def pack_columns(c: LoadedUsers) -> bytes:
    """Encode `Population.columns`."""
    whole = (c.age, c.gender, c.traits, c.profession, c.topics, c.stance.astype("<i2"), c.pleasure, c.rated, c.timed)
    return compress_parts([part.tobytes() for part in (*whole, c.vector, c.hours)])


def pack_follows(counts: Longs, followees: Ints) -> bytes:
    """Encode `Population.follows`. counts: how many each user follows; followees: whom, user by user."""
    return compress_parts([counts.astype("<u4").tobytes(), followees.astype("<u4").tobytes()])


def pack_cards(c: LoadedCards) -> bytes:
    """Encode `Population.posts`."""
    wide = [part.astype("<i4").tobytes() for part in (c.author, c.t, c.via, c.likes, c.dislikes)]
    narrow = [c.topic.tobytes(), c.stance.astype("<i2").tobytes(), c.vector.tobytes()]
    return compress_parts(
        [len(c.t).to_bytes(4, "little"), *wide, *narrow, msgspec.json.Encoder().encode_lines(c.texts)]
    )


# ---- unpacking: all of it raises ValueError with a sentence


def unpack_columns(p: Population) -> LoadedUsers:
    """Decode the attributes of its users. Raises ValueError."""
    n = p.count
    data = decompress_part(p.columns, n * (SINGLE + DIMENSIONS + HOURS), "columns")
    take = Taking(data, "columns")
    age, gender = take(np.uint8, n), take(np.uint8, n)
    traits = take(np.int8, n * TRAITS).reshape(n, TRAITS)
    profession, topics = take(np.uint8, n), take(np.uint8, n * 2).reshape(n, 2)
    stance, pleasure = take(np.dtype("<i2"), n), take(np.int8, n)
    rated, timed = take(np.uint8, n), take(np.uint8, n)
    require(not (rated > 1).any() and not (timed > 1).any(), "a flag is neither 0 nor 1")
    vector = take(np.int8, int(rated.sum()) * DIMENSIONS).reshape(-1, DIMENSIONS)
    hours = take(np.uint8, int(timed.sum()) * HOURS).reshape(-1, HOURS)
    take.end()
    check_range(age, 0, OLD, UNSAID, "an age")
    check_range(gender, 0, GENDERS - 1, UNSAID, "a gender")
    check_range(traits, -HUNDRED, HUNDRED, UNSAID_SMALL, "a trait")
    check_range(profession, 0, PROFESSIONS - 1, UNSAID, "a profession")
    check_range(topics, 0, TOPICS - 1, UNSAID, "a topic")
    require(not ((topics[:, 0] == UNSAID) != (topics[:, 1] == UNSAID)).any(), "somebody has one topic only")
    check_range(stance, -THOUSAND, THOUSAND, UNSAID_STANCE, "a stance")
    check_range(pleasure, -HUNDRED, HUNDRED, UNSAID_SMALL, "a pleasure")
    require(not (vector == -128).any(), "a vector is out of range")
    return LoadedUsers(
        age, gender, traits, profession, topics, stance, pleasure, rated.view(bool), timed.view(bool), vector, hours
    )


def unpack_follows(p: Population) -> tuple[Longs, Ints] | None:
    """How many each user follows, and whom, user by user; None if the graph is generated. Raises ValueError."""
    if not p.follows:
        return None
    n = p.count
    data = decompress_part(p.follows, 4 * (n + MOST_FOLLOWS), "follows")
    take = Taking(data, "follows")
    counts = take(np.dtype("<u4"), n).astype(np.int64)
    followees = take(np.dtype("<u4"), int(counts.sum()))
    take.end()
    require(not len(followees) or int(followees.max()) < n, "somebody is followed who is not there")
    keys = np.repeat(np.arange(n), counts)
    require(not (keys == followees).any(), "somebody follows themselves")
    keys = (keys << 32) | followees
    keys.sort()
    require(not (keys[1:] == keys[:-1]).any(), "somebody is followed twice by the same user")
    return counts, followees.astype(np.int32)


def unpack_cards(p: Population) -> LoadedCards | None:
    """The cards on the feed at the beginning; None if there are none. Raises ValueError."""
    if not p.posts:
        return None
    data = decompress_part(p.posts, MOST_BYTES, "posts")
    take = Taking(data, "posts")
    n = int.from_bytes(take(np.uint8, 4).tobytes(), "little")
    require(n <= MOST_POSTS, f"it holds {n:,} posts; the most is {MOST_POSTS:,}")
    author, t, via, likes, dislikes = (take(np.dtype("<i4"), n).astype(np.int32) for _ in range(5))
    topic, stance = take(np.int8, n), take(np.dtype("<i2"), n)
    words = via < 0
    vector = take(np.int8, int(words.sum()) * DIMENSIONS).reshape(-1, DIMENSIONS)
    try:
        texts = _TEXTS.decode_lines(take.rest())
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"its posts have words that cannot be read ({error})") from None
    require(len(texts) == len(vector), "its posts have not as many texts as there are")
    check_range(author, 0, p.count - 1, None, "the author of a post")
    check_range(t, -OLDEST, 0, None, "the time of a post")
    require(not (np.diff(t) < 0).any(), "its posts are out of order")
    require(not ((via < -1) | (via >= np.arange(n))).any(), "a repost is of no card before it")
    check_range(topic, -1, TOPICS - 1, None, "the topic of a post")
    check_range(stance, -THOUSAND, THOUSAND, UNSAID_STANCE, "the stance of a post")
    for counted in (likes, dislikes):
        check_range(counted, 0, COUNTED, None, "a counter of a post")
    again = ~words
    keys = np.sort((author[again].astype(np.int64) << 32) | roots_of(via)[again])
    require(not (keys[1:] == keys[:-1]).any(), "somebody has passed on a post twice")
    return LoadedCards(author, t, via, topic, stance, likes, dislikes, vector, texts)


def roots_of(via: Ints) -> Ints:
    """The root of each card. via: an earlier card, or -1."""
    root = np.where(via < 0, np.arange(len(via)), via).astype(np.int32)
    while (via[root] >= 0).any():
        root = root[root]
    return root


def check_population(p: Population) -> None:
    """Raise ValueError, with a sentence, if no crowd can be made from this population."""
    require(sum(map(len, (p.columns, p.names, p.follows, p.posts))) <= MOST_PACKED, "it is larger than any may be")
    unpack_columns(p)
    unpack_follows(p)
    unpack_cards(p)
    Names(p).check()


_TEXTS = msgspec.json.Decoder(Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT)])


# ---- names


class _Line(NamedTuple):
    handle: Annotated[str, msgspec.Meta(min_length=1, max_length=HANDLE)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME)]
    bio: Annotated[str, msgspec.Meta(max_length=BIO)]


_LINE = msgspec.json.Decoder(_Line)


class Names:
    """Handles, names and bios of users from tables, by number; unpacked at first use. All methods raise ValueError for
    unreadable data, which `check` finds before a save is run.
    """

    def __init__(self, population: Population) -> None:
        self.count = population.count
        self._packed = population.names

    def handle(self, user: int) -> str:
        """The handle of a user."""
        return self._line(user).handle

    def find(self, handle: str) -> int:
        """The user with that handle, -1 if there is none; case does not matter."""
        return self._numbers.get(handle.casefold(), -1)

    def name(self, user: int) -> str:
        """The name of a user."""
        return self._line(user).name

    def bio(self, user: int) -> str:
        """The bio of a user, "" = none."""
        return self._line(user).bio

    def check(self) -> None:
        """Raise ValueError unless each user has a handle, a name and a bio."""
        for _ in self.all():
            pass
        self.__dict__.pop("_whole", None)

    def all(self) -> Iterator[tuple[str, str, str]]:
        """The handle, name and bio of each, in order."""
        data, ends = self._whole
        for first in range(0, self.count, LINES):
            begin = int(ends[first - 1]) + 1 if first else 0
            try:
                yield from _LINE.decode_lines(data[begin : int(ends[min(first + LINES, self.count) - 1])])
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise ValueError(f"its population cannot be: a name cannot be read ({error})") from None

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {handle.casefold(): number for number, (handle, _, _) in enumerate(self.all())}

    @cached_property
    def _whole(self) -> tuple[bytes, Longs]:
        data = decompress_part(self._packed, MOST_BYTES, "names")
        ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
        require(len(ends) == self.count and data.endswith(b"\n"), "it has not as many names as users")
        return data, ends

    def _line(self, user: int) -> _Line:
        data, ends = self._whole
        try:
            return _LINE.decode(data[int(ends[user - 1]) + 1 if user else 0 : int(ends[user])])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ValueError(f"its population cannot be: a name cannot be read ({error})") from None
