"""What is known of the feed beyond its words: what a post is about and came of, who has seen what, who is being set
upon; the events that change it, and the numbers a world may change.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.events import Event
from sandbox.feed.acting import ActionContext
from sandbox.feed.model import HasFeed
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.mood import Pad
from sandbox.people.pressure_model import Turned
from sandbox.phones.deck import PhoneDeck
from sandbox.talk.model import HasTalk, Relation

Share = Annotated[float, msgspec.Meta(ge=-1, le=1)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]  # of a card, a comment, a message; a count
OrNone = Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)]  # -1 = none
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]  # of an event, 0 = none
Kind = Literal["post", "comment", "message"]
LATELY = 16 * 3600  # seconds for which people may write of what has happened
KEPT = 4 * 86400  # seconds for which it is known what something on the feed is about


class PhoneParameters(msgspec.Struct, frozen=True):
    """looks: times a day somebody of middling habits takes their phone out, 0: nobody has one. posts: most posts of a
    person in a day. cites: most posts that cite one event. sways: how much of its distance to what is read an opinion
    moves (an exponential average). rules: whether the rules run that tie street and feed.
    """

    looks: Annotated[float, msgspec.Meta(ge=0, le=200)] = 11.0
    posts: Annotated[int, msgspec.Meta(ge=0, le=100)] = 6
    cites: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 3
    sways: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.03
    rules: bool = True


class WritingDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """What something that a resident wrote on the feed is about. kind, number: a post (a card), a comment or a message.

    move: with which move of the line book. cites: the event it came of (0 = none). topic: what it is about in a few
    words. matter: the pressure it is about; fact: what it says somebody did, and a, b, where, bad: what it says of that
    (people/beliefs.py). proof: it shows it, as a screenshot or a clip does. whom: whom it is meant for or speaks of.
    valence: how it sounds, in [-1, 1]. opinion, stance: the view that it takes, and of what. on: the card that a
    comment, quote or repost is on (-1 = none). rule: the rule between street and feed by which it came to be
    ("" = none).
    """

    kind: Kind
    number: Number
    move: str
    cites: Seq = 0
    topic: str = ""
    matter: str = ""
    fact: str = ""
    a: str = ""
    b: str = ""
    where: str = ""
    bad: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    proof: bool = False
    whom: str = ""
    valence: Share = 0.0
    opinion: str = ""
    stance: Share = 0.0
    on: OrNone = -1
    rule: str = ""


class Written(WritingDetails, frozen=True, omit_defaults=True, kw_only=True):
    """It, as the state knows it. author: who wrote it; t, seq: when, and in which event."""

    author: str
    t: int
    seq: int

    @property
    def name(self) -> str:
        """What chance calls it: its number would be a count of what others have written."""
        return f"{self.author} {self.t}"


class Phone(msgspec.Struct):
    """One person's. looked: when they last did, -1 = never. wrote: seconds of their posts within a day. read: cards
    they have read -> when. seen: own card -> likes, dislikes and comments they have seen of it.
    """

    looked: int = -1
    wrote: list[int] = []
    read: dict[int, int] = {}
    seen: dict[int, tuple[int, int, int]] = {}


class Pile(msgspec.Struct):
    """Somebody is being set upon for a card: since when, by how many so far, by which event."""

    card: Number
    since: int
    hostile: Number
    seq: int


class RecentTurn(msgspec.Struct, frozen=True):
    """Something that has happened to a pressure within LATELY. matter, thread, kind: of the pressure; how: an ending,
    or "" where it goes on; do: the exchange; who: whose deed; to: with whom. holder, about, stakes: of the pressure.
    """

    t: int
    matter: str
    thread: str
    kind: str
    how: str
    good: bool
    do: str
    who: str
    to: str
    holder: str
    about: str
    stakes: str
    hostile: bool
    turn: bool


class CardResponse(msgspec.Struct, frozen=True, array_like=True):
    """What one of the town has made of a card of another's, or has answered them under any. what: "like", "dislike" or
    "comment"; tone: how a comment sounds, in [-1, 1]; comment: its number (-1 = it is none).
    """

    by: str
    card: Number
    what: Literal["like", "dislike", "comment"]
    tone: Share = 0.0
    comment: OrNone = -1


class PhoneState(msgspec.Struct):
    """phones: by person. lately: event -> what has happened of late that people may write of. written: card -> what
    it is about; comments, messages: the same of these, by number. cited: event -> how many posts have cited it.
    fired: rule -> key -> when it last ran for that; begun: rule -> when it began, within a day. piles: who is being
    set upon. waiting: whom -> what others of the town have made of their cards, or answered them, that they have not
    seen; counted: "mara 7" -> the event by which her vote on that card was. let_go:
    "mara>bo" -> the event by which Mara has unfollowed or blocked Bo, and when; liked: "mara 7" -> that by which she
    likes a resident's card.
    """

    phones: dict[str, Phone] = msgspec.field(default_factory=dict)
    lately: dict[int, RecentTurn] = msgspec.field(default_factory=dict)
    written: dict[int, Written] = msgspec.field(default_factory=dict)
    comments: dict[int, Written] = msgspec.field(default_factory=dict)
    messages: dict[int, Written] = msgspec.field(default_factory=dict)
    cited: dict[int, int] = msgspec.field(default_factory=dict)
    fired: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    begun: dict[str, list[int]] = msgspec.field(default_factory=dict)
    piles: dict[str, Pile] = msgspec.field(default_factory=dict)
    waiting: dict[str, list[CardResponse]] = msgspec.field(default_factory=dict)
    counted: dict[str, int] = msgspec.field(default_factory=dict)
    let_go: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    liked: dict[str, int] = msgspec.field(default_factory=dict)


class HasPhones(HasTalk, HasFeed):
    """The part of a world that this package's handlers and rules touch. written_moves: those that its book has lines
    for.
    """

    phones: PhoneState
    phone_parameters: PhoneParameters
    phone_deck: PhoneDeck
    means: ActionContext
    written_moves: frozenset[str]


class Wrote(WritingDetails, Event, frozen=True, omit_defaults=True):
    """What the actor has just written on the feed is about: the event before it holds the words.

    mood: that it was written in. why: what made them write it, a clause.
    """

    KIND: ClassVar[str] = "wrote"
    CITES: ClassVar[tuple[str, ...]] = ("cites",)
    EXPLAINS: ClassVar[bool] = True
    mood: Pad = Pad(0.0, 0.0, 0.0)
    why: str = ""
    variants: tuple[str, ...] = ()


class OpinionShift(msgspec.Struct, frozen=True, array_like=True):
    """Where somebody stands on something since they have read of it."""

    opinion: str
    before: Share
    after: Share


class Read(Event, frozen=True, omit_defaults=True):
    """The actor has read something on the feed, and it stays with them. kind, number: what; by: who wrote it ("" = a
    stranger); topic: what it is about. told: what they have come to believe by it. feelings: how theirs turned;
    relations: how theirs to those who wrote to them, of them or under what they wrote, or voted on it, came out.
    swayed: where they stand since. meant: whom they take it to be meant for, where it names nobody. counts: of one's
    own card, the likes, dislikes and comments there are; standing: what these do to one's own. poignancy: how much it
    stays, 0 to 10.
    """

    KIND: ClassVar[str] = "read"
    kind: Kind
    number: Number
    by: str = ""
    topic: str = ""
    told: tuple[BeliefUpdate, ...] = ()
    feelings: tuple[Turned, ...] = ()
    swayed: tuple[OpinionShift, ...] = ()
    meant: str = ""
    counts: tuple[Number, Number, Number] | None = None
    standing: Share = 0.0
    relations: tuple[Relation, ...] = ()
    poignancy: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0


class Crossed(Event, frozen=True, omit_defaults=True):
    """A rule that ties street and feed has run for the actor. rule: its name; way: "feed" (from the street to the
    feed) or "street" (the other way). key: what it may not soon run for again. whom: with whom; card: of which post
    (-1 = none). says: what it came to, a sentence. feelings: how those of people turned with it. standing: what it
    does to the actor's standing. pile: somebody is set upon since (True), or no longer (False); hostile: by how many.
    coins: what they have got by it, or lost.
    """

    KIND: ClassVar[str] = "crossed"
    rule: str
    way: Literal["feed", "street"]
    key: str
    says: str
    whom: str = ""
    card: OrNone = -1
    feelings: tuple[Turned, ...] = ()
    standing: Share = 0.0
    hostile: Number = 0
    pile: bool | None = None
    coins: Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)] = 0
