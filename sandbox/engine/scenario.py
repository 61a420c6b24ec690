"""A scenario: everything that a run depends on, in one value. It is the content of event 1, so a save never reads
`worlds/` again.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, ClassVar

import msgspec

from sandbox.core.chance import SEED_MAX
from sandbox.core.clock import STEP_MAX, STEP_MIN
from sandbox.core.events import Event, Record
from sandbox.core.fields import MANY, meta, names
from sandbox.core.plain import shown_as
from sandbox.director.deck import CardDeck
from sandbox.director.goal_domain import PlayerGoal
from sandbox.feed.model import Subjects
from sandbox.minds.spec import MindSpec
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.guest_model import Guest
from sandbox.people.handbook import Deck
from sandbox.people.persona import Persona, Pressure, Truth
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.purse import Money
from sandbox.phones.deck import PhoneDeck
from sandbox.play.model import Newcomer
from sandbox.talk.lines import LineBook
from sandbox.town.grid import TownMap
from sandbox.town.plan import FloorPlan, Occasion, Rect

CAST = 2000  # people, at most


class Opening(msgspec.Struct, frozen=True):
    """Where somebody is when the world starts: an arena's address, and their block."""

    where: Annotated[str, meta("Tansy Bakery / kitchen", reads="address"), names("area, home or work")]
    do: Annotated[str, meta("work"), names("block")]


class Scenario(msgspec.Struct, frozen=True, dict=True):
    """start: "2025-03-04 07:30". step: seconds. parameters: dotted key -> value, those that differ from the defaults.
    opening: person -> where they start; the others start at home, or in bed before their wake time. parts: windows (x,
    y, width, height) of the map that hold a whole town each; none = the map is one town. money: None in a world
    without. mind: the world's settings for language models, None if it has none. facts: true facts that are no
    pressures. feed: None in a world without one; phones: how its people use it. cards: that a director may deal. goals:
    that a player may follow. guests: people outside the cast who may visit; newcomers: whom a player may move in as.
    """

    name: Annotated[str, meta(most=120, least=1)]
    title: Annotated[str, meta("Larkspur", most=80, least=1)]
    about: Annotated[str, meta(most=1000)]
    start: str
    step: Annotated[int, meta(low=STEP_MIN, high=STEP_MAX)]
    seed: Annotated[int, meta(low=0, high=SEED_MAX, usual=1)]
    plan: FloorPlan
    cast: Annotated[tuple[Persona, ...], msgspec.Meta(max_length=CAST)]
    opening: dict[str, Opening]
    calendar: Annotated[tuple[Occasion, ...], MANY]
    pressures: Annotated[tuple[Pressure, ...], MANY]
    deck: Deck
    lines: LineBook
    rules: dict[str, str]
    parameters: dict[str, Any]
    parts: tuple[Rect, ...] = ()
    drama: DramaDeck = DramaDeck()
    money: Money | None = None
    mind: MindSpec | None = None
    claims: ClaimDeck = ClaimDeck()
    facts: Annotated[tuple[Truth, ...], MANY] = ()
    feed: Subjects | None = None
    phones: PhoneDeck = PhoneDeck()
    cards: CardDeck = CardDeck()
    goals: Annotated[tuple[PlayerGoal, ...], MANY] = ()
    guests: Annotated[tuple[Guest, ...], MANY] = ()
    newcomers: Annotated[tuple[Newcomer, ...], MANY] = ()

    def __repr__(self) -> str:
        return shown_as(
            self, f"{self.title}, {len(self.cast)} people, seed {self.seed}", ".cast, .map, .parameters, .deck"
        )

    @cached_property
    def map(self) -> TownMap:
        """The plan as the engine uses it, shared by all worlds of this scenario, such as those of a replay's jumps."""
        return TownMap(self.plan)


class Founded(Event, frozen=True):
    """Event 1: the world at its beginning. versions: of the package and all else that decides the events."""

    KIND: ClassVar[str] = "founded"
    scenario: Scenario
    versions: dict[str, str]


def founding_of(record: Record) -> Founded:
    """The event 1 of a log. Raises ValueError if it is another event."""
    if not isinstance(record.event, Founded):
        raise ValueError(f"event 1 is {record.event.KIND}, not {Founded.KIND}")
    return record.event
