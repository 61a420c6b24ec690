"""A policy's decisions for a round, as an event, and their effect on what is shown: the mix, cards chosen for readers,
how far authors reach, and cards pinned for everybody. Policies themselves are in `policy/`; a feed is steered by the
event alone, so that a run replays without the policy (seed 001, 2.2).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, cast

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from sandbox.core.events import Event, Stamp
from sandbox.feed.events import Number
from sandbox.feed.model import CLAIM, NOBODY, REBUTTAL, Feed, HasFeed, Steering
from sandbox.feed.tables import Flags, Ints, Longs, draws, hash_numbers, pair_keys

FULL = 100  # level of exposure at which every card passes
SCORE = 1000  # integer value of a score of 1
MOST_SCORE = 32  # scores are cut at plus and minus this
MARK = 16
MOST_PINS = 10
NAME = 80  # letters of a policy's name
FAULT = 200  # letters of why it was replaced

ClaimSide = Annotated[int, Meta(ge=REBUTTAL, le=CLAIM)]
Thousandths = Annotated[int, Meta(ge=0, le=1000)]


class Steered(Event, frozen=True):
    """What a policy decides for the tick that follows. number: of the tick. policy: its name, "" = nobody steers. mix:
    shares in thousandths of followed users' cards, of personal ones and of headlines; None = as the parameters say.
    users, cards, scores: columns, the cards chosen for readers, by reader, the best first; scores in thousandths.
    silenced, levels: columns, authors whose cards pass with a chance below 1, in hundredths. pins: roots that everybody
    reads first. fault: why the policy was replaced by none for this round.
    """

    KIND: ClassVar[str] = "steered"
    PACKED: ClassVar[bool] = True
    number: Annotated[int, Meta(ge=0)] = 0
    policy: Annotated[str, Meta(max_length=NAME)] = ""
    mix: tuple[Thousandths, Thousandths, Thousandths] | None = None
    users: bytes = b""
    cards: bytes = b""
    scores: bytes = b""
    silenced: bytes = b""
    levels: bytes = b""
    pins: Annotated[tuple[Number, ...], Meta(max_length=MOST_PINS)] = ()
    fault: Annotated[str, Meta(max_length=FAULT)] = ""

    @property
    def idle(self) -> bool:
        """Whether nothing is steered."""
        return not (self.policy or self.mix or self.users or self.silenced or self.pins)


class Columns(NamedTuple):
    """Decisions as arrays. scores: any numbers, cut and rounded to thousandths in the event. levels: in [0, 1]."""

    users: Longs
    cards: Longs
    scores: Any
    silenced: Longs
    levels: Any


NOTHING = Columns(*(np.zeros(0, np.int64),) * 5)


def pack_steered(
    number: int,
    policy: str,
    mix: tuple[float, float, float] | None,
    columns: Columns = NOTHING,
    pins: tuple[int, ...] = (),
    fault: str = "",
) -> Steered:
    """The event of these decisions. mix: three shares that sum to 1."""
    order = np.lexsort((columns.cards, -np.asarray(columns.scores, float), columns.users))
    scores = np.rint(SCORE * np.clip(columns.scores, -MOST_SCORE, MOST_SCORE)).astype("<i2")
    who = np.argsort(columns.silenced, kind="stable")
    levels = np.rint(FULL * np.asarray(columns.levels, float)).astype(np.uint8)
    shares = None
    if mix is not None:
        first, second = (round(SCORE * share) for share in mix[:2])
        shares = first, second, SCORE - first - second
    return Steered(
        number,
        policy,
        shares,
        columns.users[order].astype("<u4").tobytes(),
        columns.cards[order].astype("<u4").tobytes(),
        scores[order].tobytes(),
        columns.silenced[who].astype("<u4").tobytes(),
        levels[who].tobytes(),
        pins,
        fault,
    )


def unpack_steered(feed: Feed, e: Steered) -> Steering | None:
    """The decisions of an event as the feed holds them, None if it steers nothing. Raises ValueError if they do not
    fit.
    """
    if e.idle:
        return None
    users, cards = (np.frombuffer(column, "<u4").astype(np.int64) for column in (e.users, e.cards))
    scores, levels = np.frombuffer(e.scores, "<i2"), np.frombuffer(e.levels, np.uint8)
    silenced = np.frombuffer(e.silenced, "<u4").astype(np.int64)
    if not len(users) == len(cards) == len(scores) or len(silenced) != len(levels):
        raise ValueError("columns of unlike length")
    everybody, there = feed.users.n, feed.posts.n
    if max(users.max(initial=0), silenced.max(initial=0)) >= max(everybody, 1):
        raise ValueError("it steers somebody who is not there")
    if max(cards.max(initial=0), *e.pins, 0) >= max(there, 1):
        raise ValueError("it shows what is not there")
    if (users[1:] < users[:-1]).any() or (silenced[1:] <= silenced[:-1]).any() or (levels > FULL).any():
        raise ValueError("its columns are out of order")
    if e.mix is not None and sum(e.mix) != SCORE:
        raise ValueError("its shares do not add up to 1")
    level = None
    if len(silenced):
        level = np.full(everybody + 1, FULL, np.uint8)  # the last is for whoever joins meanwhile
        level[silenced] = levels
    shares = None if e.mix is None else tuple(share / SCORE for share in e.mix)
    return Steering(e, shares, e.pins, users, cards, scores, level)


def apply_steered(w: HasFeed, e: Steered, stamp: Stamp) -> None:
    """Steer the feed by the event. Raises ValueError if it does not fit."""
    feed = w.feed
    feed.steering = unpack_steered(feed, e)
    feed.mark = blake2b(feed.mark + msgspec.msgpack.encode(e), digest_size=MARK).digest()
    feed.made = None


class Watched(Event, frozen=True):
    """A post is watched as a claim (1), as its rebuttal (-1), or no longer (0) (`claims.py`)."""

    KIND: ClassVar[str] = "watched"
    post: Number
    side: ClaimSide


def apply_watched(w: HasFeed, e: Watched, stamp: Stamp) -> None:
    """Watch a post. Raises ValueError if it is not there, or a repost."""
    posts = w.feed.posts
    if e.post >= posts.n or posts.root.item(e.post) != e.post:
        raise ValueError("what it watches is no post")
    w.feed.claims.pop(e.post, None)
    if e.side:
        w.feed.claims[e.post] = e.side


def in_progress(feed: Feed) -> tuple[Steered, list[int]] | None:
    """The round that has begun, and which accounts have looked in it; None if nobody steers."""
    steering = feed.steering
    return None if steering is None else (cast(Steered, steering.event), sorted(steering.looked))


# ---- its effect


def lots_salt(seed: int) -> int:
    """The salt of the draws that belong to a reader and a card."""
    return int(draws(seed, "lots").integers(1 << 63))


def lots(reader: Longs, on: NDArray[np.integer], salt: int) -> NDArray[np.uint16]:
    """Four 16-bit draws for each reader and target, the same at every reading: seeing a post again gives no new chance
    to like it, unless something has changed meanwhile.
    """
    found = hash_numbers(hash_numbers(pair_keys(reader, on), salt), salt)
    found ^= found >> np.uint64(32)
    return found.astype("<u8", copy=False).view("<u2").reshape(-1, 4).T


def salted(lots: int) -> int:
    """The salt of draws of exposure, from that of a seed's lots."""
    return (lots ^ 0x5EED0E0E5EED0E0E) & (2**63 - 1)


def silenced_cards(feed: Feed, readers: Longs, cards: Ints, salt: int) -> Flags | None:
    """Flags of the cards, (n, k), that do not pass: each by a draw that belongs to reader and card. A repost needs a
    draw of its own author and one of the root's. None if nobody is silenced.
    """
    steering = feed.steering
    if steering is None or steering.level is None:
        return None
    posts, level = feed.posts, steering.level
    there = np.maximum(cards, 0)
    hidden = np.zeros(cards.shape, bool)
    for by in (there, posts.root[there]):
        reach = level.take(posts.author.take(by), mode="clip")
        row, at = ((reach < FULL) & (cards >= 0)).nonzero()
        if len(row):
            drawn = hash_numbers(pair_keys(readers[row], by[row, at]), salt) >> np.uint64(40)
            hidden[row, at] |= drawn.astype(np.int64) * FULL >= reach[row, at].astype(np.int64) << 24
    return hidden


def chosen_cards(feed: Feed, readers: Longs, before: int = NOBODY) -> Ints | None:
    """The cards that readers, in ascending order, see first: pins, then those chosen for them; (n, k), -1 = none. Who
    reads twice sees them the first time only. before: who reads before these. None if there are none at all.
    """
    steering = feed.steering
    if steering is None or not (len(steering.users) or steering.pins) or not len(readers):
        return None
    begin, end = (steering.users.searchsorted(readers, side) for side in ("left", "right"))
    again = np.append(readers[0] == before, readers[1:] == readers[:-1])
    count = np.where(again, 0, end - begin)
    pins = np.array(steering.pins, np.int32)
    most = int(count.max(initial=0))
    found = np.full((len(readers), len(pins) + most), NOBODY, np.int32)
    found[~again, : len(pins)] = pins
    for i in range(most):
        has = count > i
        found[has, len(pins) + i] = steering.cards[begin[has] + i]
    gone = feed.posts.gone.take(np.maximum(found, 0))
    return np.where(gone, np.int32(NOBODY), found) if found.shape[1] else None


def put_first(shown: Ints, chosen: Ints) -> Ints:
    """What is shown, with the chosen cards in the first places in place of others; wider if more are chosen."""
    rows = np.flatnonzero((chosen >= 0).any(axis=1))
    both = np.concatenate((chosen[rows], shown[rows]), axis=1)
    order = (both < 0).argsort(axis=1, kind="stable")
    width = max(shown.shape[1], chosen.shape[1])
    found = np.full((len(shown), width), NOBODY, np.int32)
    found[:, : shown.shape[1]] = shown
    found[rows] = np.take_along_axis(both, order, axis=1)[:, :width]
    return found


# ---- whoever decides


class PolicySeat(Protocol):
    """A policy at work on one feed."""

    def steer(self, number: int, now: int, readers: Callable[[], Longs]) -> Steered:
        """What it decides for tick `number`, which begins at second `now`. readers: the users of the crowd who will
        look in it.
        """
        ...


class SeatedPolicy(Protocol):
    """A policy that a platform can be given (`policy/contract.py: Policy`)."""

    def seat(self, feed: Feed, seed: int) -> PolicySeat: ...
