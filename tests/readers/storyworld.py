"""An hour of Larkspur in memory, and a hand-made village of three for exact sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.places import shipped_folder
from sandbox.engine.engine import Engine
from sandbox.engine.loading import load
from sandbox.engine.scenario import Founded
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.handbook import Deck, Handbook
from sandbox.people.persona import BigFive, DaySlots, Persona, Routine
from sandbox.people.pressure_deck import DramaDeck
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.readers.timeline import Timeline, TimelineRow

NO_DRAMA = DramaDeck()


class Lived(NamedTuple):
    """A world after some steps, its founding and the records of those steps."""

    world: World
    founding: Record
    records: list[Record]


class Kept:
    """A journal that keeps records in a list."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    async def write(self, step: int, t: int, records: list[Record], snapshot: Callable[[], bytes]) -> None:
        self.records += records

    async def settle(self) -> None:
        """Nothing waits."""


def live(
    steps: int,
    step: int | None = None,
    seed: int = 42,
    settings: tuple[str, ...] = (),
    drama: DramaDeck | None = None,
) -> Lived:
    """Live Larkspur for some steps. drama: a deck in place of its own."""

    async def run() -> Lived:
        scenario = load(shipped_folder("worlds") / "larkspur", seed=seed, step=step, set=settings)
        scenario = scenario if drama is None else replace(scenario, drama=drama)
        founding = Record(Stamp(1, 0, 0, "", ()), Founded(scenario, {}))
        world, journal = World.found(founding), Kept()
        engine = Engine(world, EmbeddedMind(world.chance, scenario.lines), journal)
        for _ in range(steps):
            await engine.step()
        return Lived(world, founding, journal.records)

    return asyncio.run(run())


def persona(id_: str) -> Persona:
    """Somebody with a name and little else."""
    routine = Routine(21600, 79200, (DaySlots("every", ()),))
    return Persona(id_, f"{id_.title()} Miller", 40, "miller", "baker", "Mill / room", BigFive(0, 0, 0, 0, 0), routine)


class Square:
    """A town that is one square."""

    def place_name(self, address: str) -> str:
        """What a place is called."""
        return "the square" if address else "the street"

    def whereabouts(self, address: str) -> str:
        """The same as where one is."""
        return "at the square" if address else "in the street"


class Village:
    """Ann, Ben and Cy, and a log written by hand: `add` numbers the records."""

    def __init__(self, drama: DramaDeck = NO_DRAMA) -> None:
        cast = {who: persona(who) for who in ("ann", "ben", "cy")}
        self.handbook = Handbook(cast, Deck({}, ()), Square(), drama, ClaimDeck())  # type: ignore[arg-type]
        self.clock = Clock(datetime(2025, 3, 4, 7, 30))
        self.records: list[Record] = []

    def add(self, event: Event, t: int = 0, actor: str = "ann", causes: tuple[int, ...] = ()) -> Record:
        """One more record."""
        record = Record(Stamp(len(self.records) + 2, t // 60 + 1, t, actor, causes), event)
        self.records.append(record)
        return record

    def rows(self, event: Event, actor: str = "ann") -> list[TimelineRow]:
        """What the timeline tells of one more record alone."""
        return Timeline(self.handbook, self.clock).read([self.add(event, actor=actor)])

    def told(self, event: Event) -> str:
        """One more record as a sentence."""
        return event_sentence(self.add(event), Teller(self.handbook))
