"""What is known of the feed beyond its words: what posts are about, who has seen what, who is under attack; the events
that change it, and the parameters of a world.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.events import Event
from sandbox.feed.acting import ActionContext
from sandbox.feed.events import Commented, Messaged, Posted, Quoted, Signed, Writing, WritingDetails
from sandbox.feed.model import HasFeed
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.pressure_model import Turned
from sandbox.phones.deck import PhoneDeck
from sandbox.talk.model import HasTalk, Relation

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]  # number of a card, comment or message; or a count
OrNone = Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)]  # -1 = none
Kind = Literal["post", "comment", "message"]
LATELY = 16 * 3600  # how many seconds people may write about something that happened
KEPT = 4 * 86400  # how many seconds it is remembered what something written is about


class PhoneParameters(msgspec.Struct, frozen=True):
    """looks: times a day an average person takes their phone out, 0: nobody has one. posts: most posts of a person in a
    day. cites: most posts about one event. sways: share of the distance by which an opinion moves towards a view that
    is read. rules: whether the rules that link town and feed run.
    """

    looks: Annotated[float, msgspec.Meta(ge=0, le=200)] = 11.0
    posts: Annotated[int, msgspec.Meta(ge=0, le=100)] = 6
    cites: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 3
    sways: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.03
    rules: bool = True


class WrittenItem(WritingDetails, frozen=True, omit_defaults=True):
    """What something is about, and what it is. kind, number: a card (a post or a quote), a comment or a message."""

    kind: Kind
    number: Number


def kind_and_number(e: Writing | WrittenItem) -> tuple[Kind, int]:
    """What something is that an event writes, and its number."""
    match e:
        case WrittenItem():
            return e.kind, e.number
        case Commented():
            return "comment", e.comment
        case Messaged():
            return "message", e.message
        case Posted() | Quoted():
            return "post", e.post
    raise TypeError(f"{type(e).__name__} writes nothing")


class Written(WrittenItem, frozen=True, omit_defaults=True, kw_only=True):
    """Something written, as kept in the state. author: who wrote it; t, seq: second and event of writing."""

    author: str
    t: int
    seq: int

    @property
    def name(self) -> str:
        """Its name for chance; its number would depend on what others have written."""
        return f"{self.author} {self.t}"


class Phone(msgspec.Struct):
    """One person's phone. looked: last use, -1 = never. wrote: seconds of their posts within a day. read: card read ->
    when. seen: own card -> likes, dislikes and comments already seen.
    """

    looked: int = -1
    wrote: list[int] = []
    read: dict[int, int] = {}
    seen: dict[int, tuple[int, int, int]] = {}


class Pile(msgspec.Struct):
    """An attack by many on a card's author: since when, how many are hostile, and the event that began it."""

    card: Number
    since: int
    hostile: Number
    seq: int


class RecentTurn(msgspec.Struct, frozen=True):
    """Something that happened to a pressure within LATELY. matter, thread, kind, holder, about, stakes: the pressure's;
    how: its ending, "" = it goes on; do: the exchange; who: the actor; to: the other.
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
    """A resident's reaction to another's card, or reply to them under any card. what: "like", "dislike" or "comment";
    tone: how warm a comment sounds, in [-1, 1]; comment: its number (-1 = not a comment).
    """

    by: str
    card: Number
    what: Literal["like", "dislike", "comment"]
    tone: Signed = 0.0
    comment: OrNone = -1


class PhoneState(msgspec.Struct):
    """phones: by person. lately: event -> recent turn that people may write about. written: card -> what it is about;
    comments, messages: likewise, by number. cited: event -> number of posts citing it. fired: rule -> key -> when it
    last ran; begun: rule -> when it began within the last day. piles: who is under attack. waiting: person -> responses
    of residents they have not seen; counted: "mara 7" -> event by which Mara's vote on card 7 was counted. let_go:
    "mara>bo" -> event and second of Mara's unfollowing or blocking Bo; liked: "mara 7" -> event of Mara's like of card
    7.
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
    """The part of a world that this package uses. written_moves: moves for which the line book has lines."""

    now: int
    phones: PhoneState
    phone_parameters: PhoneParameters
    phone_deck: PhoneDeck
    means: ActionContext
    written_moves: frozenset[str]


class OpinionShift(msgspec.Struct, frozen=True, array_like=True):
    """How somebody's stance on an opinion changed by reading."""

    opinion: str
    before: Signed
    after: Signed


class Read(Event, frozen=True, omit_defaults=True):
    """The actor read something on the feed that stays with them. kind, number: what; by: the writer ("" = a stranger);
    topic: what it is about. told: new beliefs. feelings: their changes; relations: ties to those who wrote to or of
    them, commented or voted, as changed. swayed: changed stances. meant: whom they think an unnamed person is. counts:
    likes, dislikes and comments of one's own card; standing: change by these. poignancy: 0 to 10.
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
    standing: Signed = 0.0
    relations: tuple[Relation, ...] = ()
    poignancy: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0


class Crossed(Event, frozen=True, omit_defaults=True):
    """A rule that links town and feed has run for the actor. rule: its name; way: "feed" (from town to feed) or
    "street" (back). key: what `every` limits repetition for. whom: the other; card: the post (-1 = none). says: the
    outcome, a sentence. feelings: as changed. standing: change. pile: an attack begins (True) or ends (False); hostile:
    by how many. coins: gained or lost.
    """

    KIND: ClassVar[str] = "crossed"
    rule: str
    way: Literal["feed", "street"]
    key: str
    says: str
    whom: str = ""
    card: OrNone = -1
    feelings: tuple[Turned, ...] = ()
    standing: Signed = 0.0
    hostile: Number = 0
    pile: bool | None = None
    coins: Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)] = 0
