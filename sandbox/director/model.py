"""Cards that were dealt and wait to take effect, the command that deals one, and the events."""

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

TEXT = 400  # letters of a card's words, at most
FAR = 14 * DAY  # seconds ahead that a card may be dealt, at most

Words = Annotated[str, msgspec.Meta(max_length=TEXT)]
COINS = 10_000  # coins of a card, at most
Coins = Annotated[int, msgspec.Meta(ge=0, le=COINS)]
Later = Annotated[int, msgspec.Meta(ge=0, le=FAR)]
How = Literal[
    "read", "opened", "heard", "found", "kept", "invited", "hindered", "seated", "moved", "thought", "offered",
    "emboldened", "met",
]  # fmt: skip
FORCED = ("moved", "thought")  # ways a card reaches somebody by force
HUSHED = ("opened", "kept", "emboldened", "thought")  # ways a card reaches somebody that they do not speak of


class DirectorParameters(msgspec.Struct, frozen=True):
    """influence: what a player may spend on cards in a day; 0: unlimited."""

    influence: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class Dealt(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card with its arguments. card: its name; to, whom: people, "" for nobody; matter: id of a fact; where: a place;
    words; coins; post: a card of the feed (-1 = none); guest: a guest of the world. later: seconds until it takes
    effect; lasts: seconds that it holds (0 = as in the deck). false: it blames `whom` for another's deed.
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
    """Deal a card. by: the person of the town who does it themselves, "" for the player."""

    dealt: Dealt


class CardPlayed(Event, frozen=True):
    """The player has dealt a card, or the actor has done so themselves. says: that as a sentence; force: it changes
    somebody directly instead of giving a cause; price: influence spent.
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
    """A card has reached the actor. card: the event that dealt it; how: in which way; says: what they did or what
    befell them, a clause without its subject. told: new beliefs; feelings: changed ones; block: what they do now;
    coins: gained, loser: from whom. about: whom it concerns; topic: what they may say of it; matter: its fact, if the
    card names none; thing: that it leaves there; poignancy: for memory, 0 to 10.
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
    """A card waits no more. card: the event that dealt it; how: "done", or why it had no effect, a clause."""

    KIND: ClassVar[str] = "card_over"
    CITES: ClassVar[tuple[str, ...]] = ("card",)
    card: int
    how: str


class ReceivedCard(msgspec.Struct, frozen=True):
    """A card that has reached somebody. card: the event that dealt it; seq, t: of the event by which it came; matter:
    its fact or ""; facts: what they came to believe.
    """

    name: str
    card: int
    seq: int
    t: int
    how: How
    matter: str = ""
    facts: tuple[str, ...] = ()


class WaitingCard(msgspec.Struct):
    """A card that waits. t: second from which it takes effect; until: second after which it no longer does; by: whom it
    has reached; met: those of them whom it brought together; came: how it reached somebody whose matter it still
    pursues.
    """

    dealt: Dealt
    t: int
    until: int
    by: list[str] = []
    met: list[str] = []
    came: ReceivedCard | None = None


class DirectorState(msgspec.Struct):
    """waiting: cards by the event that dealt them. spent: influence, by day. dealt: number of all cards. came: person
    -> cards received within a day, the latest last.
    """

    waiting: dict[int, WaitingCard] = msgspec.field(default_factory=dict)
    spent: dict[int, int] = msgspec.field(default_factory=dict)
    dealt: int = 0
    came: dict[str, list[ReceivedCard]] = msgspec.field(default_factory=dict)


class HasDirector(HasPhones):
    """The part of a world that cards need."""

    director: DirectorState
    director_parameters: DirectorParameters
    card_deck: CardDeck
    invited: dict[str, Guest]  # the world's guests, by id
    now: int
