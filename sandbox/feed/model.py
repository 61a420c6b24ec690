"""What a feed holds: users, posts, comments, who follows whom, and what named users have said and done.

Everybody has a number. The crowd has those from 0 on and consists of rows only; accounts (residents, and whoever signs
up) have the numbers after it, and in addition a name, a bio, and sets of what they like and whom they mute. Posts and
comments of both are in the same tables, so that one recommender ranks them for both.

Only events change a feed (`handlers.py`); it is in no snapshot: after a jump, blocks of it are applied
(`apply_blocks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Annotated, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.core.plain import count_of, shown_as
from sandbox.core.vectors import DIMENSIONS as DIMENSIONS
from sandbox.feed.loaded_tables import Names, Population
from sandbox.feed.tables import Bytes, Comments, Floats, Ints, Longs, Pairs, Posts, PostVectors, Roots, Small, Users

UNIT = 1000  # integer value of a stance of 1
HOT = 100  # the most heat of a post
MOST_LISTS = 2000  # word lists at most
POST, REPOST, QUOTE = range(3)
HOSTILE, NEUTRAL, WARM = -1, 0, 1
REBUTTAL, CLAIM = -1, 1  # what a post is of the claim that a feed is watched for
WARNED = 2  # reports from which a post carries a warning
NOBODY = -1
AGAINST = -0.3 / 0.98  # for human readers: weight of scores below 0, relative to those above (Muchnik 2013)
UNTOLD = -32768  # stands for no stance
MOST_CROWD = 1_000_000


Row = Annotated[bytes, msgspec.Meta(min_length=DIMENSIONS, max_length=DIMENSIONS)]


class Subjects(msgspec.Struct, frozen=True):
    """Vectors and words of a world, computed when it is loaded, so that a save needs no maker of vectors. maker: its
    name. topics: vectors of the nine topics, concatenated. people: one for each of the cast, from their files.
    population: the users of its tables, None if the crowd is drawn. words: its own word lists for the crowd, none =
    those that ship.
    """

    maker: Annotated[str, meta(most=200, least=1)]
    topics: Annotated[bytes, msgspec.Meta(min_length=9 * DIMENSIONS, max_length=9 * DIMENSIONS)]
    people: dict[str, Row]
    population: Population | None = None
    words: Annotated[dict[str, tuple[str, ...]], msgspec.Meta(max_length=MOST_LISTS)] = {}


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Logit = Annotated[float, msgspec.Meta(ge=-20, le=20)]
NEVER = -20.0  # as a logit


class CrowdParameters(msgspec.Struct, frozen=True):
    """How a crowd is drawn, and how likely its users are to act on what they read (spec: crowd; our design).

    activity: mean chance of a sitting in 3 minutes. core: number of leaders; core_follow: chance to follow a leader on
    a shared topic; others: how many others one follows. like ... unfollow: logits of an act on what was read, at
    average match, without stance, score and mood; NEVER: nobody unfollows the author; match, stance, mood: their
    weights. herding: the weight of the score shown: social = the weight above 0; below it a `herd` follows as well,
    `human` readers act against it, and `none` ignore scores; ceiling: the score from which more has no further effect,
    0 = none: the weights were measured where scores are small, and without a ceiling nine in ten would like whatever a
    hundred thousand have liked. shown: whether scores are shown. posts: chance of an own post in a sitting. moves:
    whether reading moves stances; opinion: by which model (`opinion.py`): `reading`: near, far: distances below which
    stances attract and above which they repel; pull, harden, push: step per reading; `degroot`: pull: share of the way
    to the mean of what is read in a tick; `bounded`: of that within near; `lorenz`: pull: strength of a reading; near:
    latitude of acceptance; assimilation: 1 = towards what is read, 0 = reinforced by it; `ema`: memory: weight of the
    stance that was, the rest is that of the side taken in the tick. comments: how many of a post's newest comments are
    read with it. doubts: whether a comment states a degree of doubt, 1 to 10, instead of a tone. mean, spread: of
    stances at the start. heat: weight of a post's heat for reposts, for dislikes and answers, and for hostile answers.
    """

    activity: Share = 0.1
    core: Annotated[int, msgspec.Meta(ge=0, le=10000)] = 196
    core_follow: Share = 0.1
    others: Annotated[int, msgspec.Meta(ge=0, le=64)] = 8
    like: Logit = -2.9
    dislike: Logit = -4.5
    comment: Logit = -4.0
    repost: Logit = -4.0
    follow: Logit = -5.0
    unfollow: Logit = NEVER
    match: Annotated[float, msgspec.Meta(ge=-20, le=20)] = 2.0
    stance: Annotated[float, msgspec.Meta(ge=-20, le=20)] = 1.0
    mood: Annotated[float, msgspec.Meta(ge=-20, le=20)] = 0.3
    herding: Annotated[str, meta(options=("human", "herd", "none"), what="herding")] = "human"
    social: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.98
    posts: Share = 0.05
    moves: bool = True
    opinion: Annotated[str, meta(options=("reading", "ema", "degroot", "bounded", "lorenz"), what="opinion")] = (
        "reading"
    )
    ceiling: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 10
    near: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.8
    far: Annotated[float, msgspec.Meta(ge=0, le=2)] = 1.2
    pull: Share = 0.02
    harden: Share = 0.01
    push: Share = 0.01
    memory: Share = 0.8
    assimilation: Share = 1.0
    shown: bool = True
    comments: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    doubts: bool = False
    mean: Annotated[float, msgspec.Meta(ge=-1, le=1)] = 0.0
    spread: Share = 0.4
    heat: Annotated[float, msgspec.Meta(ge=0, le=20)] = 2.5

    @property
    def herd(self) -> tuple[float, float]:
        """The weights of the score shown: above 0, and below 0 (negative if people act against it)."""
        below = {"human": AGAINST, "herd": 1.0, "none": 0.0}[self.herding]
        return (0.0 if self.herding == "none" else self.social, below * self.social)


class Graph:
    """Who follows whom: rows of a compressed graph, and later follows; `merge` joins the two.

    first: where each user's row begins, plus the end of the last; followees: the users followed, latest last. later:
    (follower, followee) not yet merged, as a set and in order.
    """

    def __init__(self, first: Longs, followees: Ints) -> None:
        self.first = first
        self.followees = followees
        self.later = Pairs()
        self.waiting: list[tuple[Ints, Ints]] = []

    @property
    def users(self) -> int:
        """The number of users with a row."""
        return len(self.first) - 1


class Profiles(NamedTuple):
    """Attributes of each user of a crowd. age: years. gender: 0 female, 1 male, 2 other. traits: Big Five, (n, 5),
    hundredths. profession: 0 to 12. topics: (n, 2), each 0 to 8.
    """

    age: Bytes
    gender: Bytes
    traits: Small
    profession: Bytes
    topics: Bytes


NO_PROFILES = Profiles(
    np.zeros(0, np.uint8),
    np.zeros(0, np.uint8),
    np.zeros((0, 5), np.int8),
    np.zeros(0, np.uint8),
    np.zeros((0, 2), np.uint8),
)


# ---- accounts, whom rows alone do not tell


@dataclass(slots=True)
class Account:
    """A user with a name. number: as a user. handle: unique, as others write it. t: second of signing up. bio: their
    own description. interests: the vector of the bio. recent: vectors of their latest posts. posts: all their cards, in
    order. Sets of numbers: likes ... of posts; comment_likes ... of comments; reposted: roots; follows, mutes, blocks:
    users. words: muted words, case-folded.
    """

    number: int
    handle: str
    name: str
    bio: str
    t: int
    interests: Small
    recent: list[Small] = field(default_factory=list)
    posts: list[int] = field(default_factory=list)
    likes: set[int] = field(default_factory=set)
    dislikes: set[int] = field(default_factory=set)
    comment_likes: set[int] = field(default_factory=set)
    comment_dislikes: set[int] = field(default_factory=set)
    reposted: set[int] = field(default_factory=set)
    reported: set[int] = field(default_factory=set)
    follows: dict[int, None] = field(default_factory=dict)  # in order
    mutes: set[int] = field(default_factory=set)
    blocks: set[int] = field(default_factory=set)
    blocked_by: set[int] = field(default_factory=set)  # accounts
    words: dict[str, None] = field(default_factory=dict)
    groups: dict[int, int] = field(default_factory=dict)  # group -> how many messages `late` covers
    late: dict[int, list[int]] = field(default_factory=dict)  # group -> the unread ones among those
    direct: dict[int, list[int]] = field(default_factory=dict)  # other user -> messages
    unread: dict[int, list[int]] = field(default_factory=dict)  # other user -> unread messages from them

    @property
    def counts(self) -> tuple[int, ...]:
        """Its number, and the size of each of its collections."""
        sets = self.likes, self.dislikes, self.comment_likes, self.comment_dislikes, self.reposted, self.reported
        users = self.follows, self.mutes, self.blocks, self.blocked_by
        late = (sum(map(len, held.values())) for held in (self.late, self.direct, self.unread))
        held = *sets, *users, self.recent, self.posts, self.words, self.groups
        return self.number, *map(len, held), *(sum(part) for part in (*sets, *users)), *late


@dataclass(slots=True)
class Group:
    """A group chat. members: users, in order of joining. messages: numbers."""

    number: int
    name: str
    by: int
    members: dict[int, None] = field(default_factory=dict)
    messages: list[int] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class Message:
    """A message. to: a user, -1 if to a group. group: -1 if direct. quotes: the message it answers, -1 = none."""

    number: int
    author: int
    to: int
    group: int
    text: str
    quotes: int
    t: int


@dataclass(slots=True, frozen=True)
class Steering:
    """What a policy has decided for this round (`steering.py`). event: as in the log. mix: shares of followed users'
    cards, of personal ones and of headlines, None = as the parameters say. pins: roots that all read first. users,
    cards, scores: chosen cards by reader, the best first; scores in thousandths. level: for each user, and one for all
    who join later, the chance that a card of theirs passes, in hundredths; None = all pass. looked: accounts that have
    refreshed since.
    """

    event: Event
    mix: tuple[float, ...] | None
    pins: tuple[int, ...]
    users: Longs
    cards: Longs
    scores: np.ndarray[tuple[int], np.dtype[np.int16]]
    level: Bytes | None
    looked: set[int] = field(default_factory=set)


class Noted(Protocol):
    """Receives all changes of a feed (`change_recorder.py`)."""

    def acted(self, user: Longs, act: Bytes, target: Longs) -> None: ...
    def cut(self, user: int, other: int) -> None: ...
    def changes(self, number: int, account: Account | None) -> None: ...


class Feed:
    """The whole state of a platform. kind: x or reddit. on: whether there is one even without a crowd. epoch: seconds
    from 1970 to second 0 of the simulation. crowd: number of users who are rows only: they have the numbers below it.
    topics: the vectors of the nine topics, (9, 32).

    loaded_names: names of users from tables, the first of the crowd; None if there are none. texts, comment_texts:
    words of posts and comments by accounts and from tables; those of the crowd are generated when looked at. hours:
    (24, users): chance of a sitting in 3 minutes, in 255ths. liked ... followed: pairs (user, root or comment or user)
    of the crowd's acts.
    """

    def __init__(self, kind: str, epoch: int, topics: Small, on: bool = False) -> None:
        self.kind, self.on = kind, on
        self.epoch = epoch
        self.topics = topics
        self.crowd = 0
        self.users = Users()
        self.profiles = NO_PROFILES
        self.hours: Bytes = np.zeros((24, 0), np.uint8)
        self.posts = Posts()
        self.comments = Comments()
        self.roots = Roots()
        self.vectors = PostVectors()
        self.graph = Graph(np.zeros(1, np.int64), np.zeros(0, np.int32))
        self.accounts: dict[int, Account] = {}
        self.handles: dict[str, int] = {}
        self.loaded_names: Names | None = None
        self.texts: dict[int, str] = {}
        self.comment_texts: dict[int, str] = {}
        self.groups: list[Group] = []
        self.messages: list[Message] = []
        self.liked, self.disliked, self.reposted, self.commented = Pairs(), Pairs(), Pairs(), Pairs()
        self.comment_liked, self.comment_disliked = Pairs(), Pairs()
        self.mark = bytes(16)  # digest after the last packed event
        self.made: Event | None = None  # what its crowd does next: the acts are known to be possible
        self.deeds = 0  # acts of accounts so far
        self.heated = False  # whether any post has heat
        self.steering: Steering | None = None  # of this round
        self.claims: dict[int, int] = {}  # root -> CLAIM or REBUTTAL, of posts that are either
        self.noting: Noted | None = None  # receives all changes, if blocks are kept

    def __repr__(self) -> str:
        users = f"{count_of(self.users.n, 'user')}, {len(self.accounts):,} of them accounts"
        return shown_as(
            self, f"{self.kind}, {users}, {count_of(self.posts.n, 'card')}", ".posts, .comments, .users, .graph"
        )

    @property
    def begun(self) -> bool:
        """Whether anything has happened."""
        return self.deeds > 0 or self.mark != bytes(16)

    def proof(self) -> bytes:
        """Bytes that differ if other events, or a wrong block, had made another feed: a digest of all columns, graph
        and words, and the sizes of everything else. b"" before anything has happened.
        """
        if not self.begun:
            return b""
        found = blake2b(self.mark, digest_size=16)
        for table in (self.users, self.posts, self.comments, self.roots, self.vectors):
            for name in table.FIELDS:
                found.update(np.ascontiguousarray(getattr(table, name)[: table.n]).data)
        late = (batch[side] for side in (0, 1) for batch in self.graph.waiting)  # in any batches
        for part in (self.graph.first, self.graph.followees, *late):
            found.update(np.ascontiguousarray(part).data)
        pairs = (self.liked, self.disliked, self.reposted, self.commented, self.comment_liked, self.comment_disliked)
        for words in (self.texts, self.comment_texts, self.messages):
            found.update(msgspec.msgpack.encode(words))
        rooms = [(g.name, g.by, [*g.members], len(g.messages)) for g in self.groups]
        accounts = [a.counts for a in self.accounts.values()]
        told = self.deeds, self.heated, rooms, accounts, [p.proof for p in pairs]
        found.update(str(told).encode())
        if self.steering is not None:
            found.update(msgspec.msgpack.encode((self.steering.event, sorted(self.steering.looked))))
        if self.claims:
            found.update(msgspec.msgpack.encode(self.claims))
        return found.digest()


class HasFeed(Protocol):
    """The part of a world that a feed's events change."""

    feed: Feed


def norms(rows: Sequence[int] | Small | Floats) -> Floats:
    """Euclidean lengths of rows of whole numbers, the same on every machine."""
    wide = np.asarray(rows, np.float32)
    lengths: Floats = np.sqrt(np.einsum("...i,...i->...", wide, wide))
    return lengths


def told_stances(told: NDArray[np.int16]) -> Floats:
    """Stances of texts, in [-1, 1], 0 for those without one. told: in thousandths."""
    found: Floats = np.where(told == UNTOLD, 0, told) * np.float32(1 / UNIT)
    return found


def post_vectors(feed: Feed, cards: Ints) -> Floats:
    """Vectors of root cards, (n, 32) whole numbers: of their words, or, for the crowd's posts, three parts topic and
    one part author.
    """
    posts = feed.posts
    rows = posts.vector.take(cards)
    made = (3 * feed.topics.astype(np.int16)).take(posts.topic.take(cards), axis=0)
    made += feed.users.vector.take(posts.author.take(cards), axis=0)
    made >>= 2
    worded = (rows >= 0).nonzero()[0]
    made[worded] = feed.vectors.row.take(rows[worded], axis=0)
    return made.astype(np.float32)
