"""What was dealt and still waits to take effect, the command by which a card is dealt, and the events of it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.clock import DAY
from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.director.deck import CardDeck
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.guest_model import Guest
from sandbox.people.model import Block
from sandbox.people.pressure_model import Turned
from sandbox.phones.model import HasPhones

TEXT = 400  # most letters of the words of a card
FAR = 14 * DAY  # how far ahead a card may be dealt

Words = Annotated[str, msgspec.Meta(max_length=TEXT)]
COINS = 10_000  # coins that a card brings at most
Coins = Annotated[int, msgspec.Meta(ge=0, le=COINS)]
Later = Annotated[int, msgspec.Meta(ge=0, le=FAR)]
How = Literal[
    "read", "opened", "heard", "found", "kept", "invited", "hindered", "seated", "moved", "thought", "offered",
    "emboldened", "met",
]  # fmt: skip
FORCED = ("moved", "thought")  # what was done to one by force
HUSHED = ("opened", "kept", "emboldened", "thought")  # what one does not speak of


class DirectorParameters(msgspec.Struct, frozen=True):
    """influence: what a player may spend on cards in a day, by their prices; 0: as much as they like."""

    influence: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class Dealt(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a card was given. card: its name; to, whom: people, "" for nobody; matter: the id of a fact; where: a place;
    words: a text; coins; post: a card of the feed (-1 = none); guest: one of the world's guests. later: seconds until
    it takes effect; lasts: seconds that it holds (0 = as the deck has it). false: it says of `whom` what another has
    done.
    """

    card: str
    to: str = ""
    whom: str = ""
    matter: str = ""
    where: str = ""
    words: Words = ""
    coins: Coins = 0
    post: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    guest: str = ""
    later: Later = 0
    lasts: Later = 0
    false: bool = False


class DealCard(Command, frozen=True):
    """Deal a card. dealt: which, and what it is given. by: who of the town does it themselves, if somebody does."""

    dealt: Dealt


class CardPlayed(Event, frozen=True):
    """The player has dealt a card; an actor has done it themselves. says: what that is, a sentence; force: it changes
    somebody instead of giving them a cause; price: influence that it took.
    """

    KIND: ClassVar[str] = "card_played"
    BY_HAND: ClassVar[bool] = True
    dealt: Dealt
    says: str
    force: bool = False
    price: int = 0

    @property
    def later(self) -> int:
        return self.dealt.later


class CardReached(Event, frozen=True, omit_defaults=True):
    """A card has come to the actor. card: the event it was dealt in; how: in which way; says: what they did or what
    befell them, a clause that lacks its subject. told: what they have come to believe. feelings: how theirs turned.
    block: what they do because of it. coins: what they have got; loser: of whom. about: whom it has to do with; topic:
    what of it they may speak of; matter: the fact it is about, if the card names none; thing: what lies there since;
    poignancy: how much it stays, 0 to 10.
    """

    KIND: ClassVar[str] = "card_reached"
    CITES: ClassVar[tuple[str, ...]] = ("card",)
    card: int
    how: How
    says: str
    told: tuple[BeliefUpdate, ...] = ()
    feelings: tuple[Turned, ...] = ()
    block: Block | None = None
    coins: Coins = 0
    loser: str = ""
    about: str = ""
    topic: str = ""
    matter: str = ""
    thing: str = ""
    poignancy: Annotated[int, msgspec.Meta(ge=0, le=10)] = 5

    def touches(self) -> tuple[str, ...]:
        return (self.loser,) if self.loser else ()


class CardOver(Event, frozen=True):
    """A card waits no more. card: the event it was dealt in; how: "done", or what became of it, a clause."""

    KIND: ClassVar[str] = "card_over"
    CITES: ClassVar[tuple[str, ...]] = ("card",)
    card: int
    how: str


class ReceivedCard(msgspec.Struct, frozen=True):
    """A card that has come to somebody. name: of the card; card: the event it was dealt in; seq, t: the event by which
    it came; matter: the fact it was about, ""; facts: what they have come to believe by it.
    """

    name: str
    card: int
    seq: int
    t: int
    how: How
    matter: str = ""
    facts: tuple[str, ...] = ()


class WaitingCard(msgspec.Struct):
    """A card that was dealt. t: the second from which it takes effect; until: after which it no longer does; by: whom
    it has come to; met: those of them whom it has brought together; came: how it came to somebody with a matter that
    it goes on with.
    """

    dealt: Dealt
    t: int
    until: int
    by: list[str] = []
    met: list[str] = []
    came: ReceivedCard | None = None


class DirectorState(msgspec.Struct):
    """waiting: cards that have still to take effect, by the event they were dealt in. spent: influence, by day. dealt:
    how many cards were, in all. came: what has come to somebody within a day, the latest last.
    """

    waiting: dict[int, WaitingCard] = msgspec.field(default_factory=dict)
    spent: dict[int, int] = msgspec.field(default_factory=dict)
    dealt: int = 0
    came: dict[str, list[ReceivedCard]] = msgspec.field(default_factory=dict)


class HasDirector(HasPhones):
    """The part of a world that this package's handlers and rules touch."""

    director: DirectorState
    director_parameters: DirectorParameters
    card_deck: CardDeck
    invited: dict[str, Guest]  # the world's guests, by id
    now: int
