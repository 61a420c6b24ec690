"""A town in which only pressures act: the hour is set by hand, and each system is called by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lived import founding
from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Record
from sandbox.core.protocols import Answer, Question
from sandbox.drama.consequences import PressureDeed, move_pressure
from sandbox.drama.pressure_clock import press
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.persona import Pressure
from sandbox.people.pressure_deck import Effect, PressureWay
from sandbox.people.pressure_model import ActivePressure


def pressure(kind: str, holder: str = "mara", about: str = "basil", **more: object) -> Pressure:
    """A pressure of the cast that is awake at once. Its id is its kind."""
    plain = Pressure(kind, kind, holder, about, 0.6, 0, 0, None, "a ladder", (), "ladders", "the ladder broke")
    return replace(plain, **more)


class Silent:
    """A mind that nobody may ask."""

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        raise AssertionError("pressures act without asking")


class Stage:
    """The town, and what has happened on it since it was last asked."""

    def __init__(self, scenario: Scenario, *pressures: Pressure, **numbers: object) -> None:
        settings = {**scenario.parameters, **{f"pressures.{key}": x for key, x in numbers.items()}}
        rules = {**scenario.rules, "storyteller": "off"}
        self.world = World.found(
            founding(replace(scenario, pressures=pressures, parameters=settings, rules={**rules}, step=60))
        )
        self.records: list[Record] = []

    def step(self, t: int) -> Running:
        """A step of a minute that begins at t."""
        self.world.now = t
        self.world.step += 1
        return Running(self.world, Silent())

    def press(self, t: int) -> list[Record]:
        """What presses by itself in the minute at t."""
        step = self.step(t)
        asyncio.run(press(step, self.world))
        self.records += step.records
        return step.records

    def wake(self) -> ActivePressure:
        """Wake the cast's pressures of the first minute; the first of them."""
        self.press(0)
        return next(iter(self.world.pressures.open.values()))

    def move(
        self, t: int, p: ActivePressure, effect: Effect, me: str, other: str, how: str = "", **more: object
    ) -> list[Event]:
        """What comes of an effect."""
        step = self.step(t)
        move_pressure(step, self.world, PressureDeed(p, effect, me, other, how, **more))
        self.records += step.records
        return [r.event for r in step.records]

    def who(self, p: ActivePressure, way: PressureWay, third: str = "wilf") -> tuple[str, str]:
        """Who does it with whom."""
        parts = {"holder": p.holder, "about": p.about, "knower": third, "other": "kit", "authority": "greta"}
        return parts[way.by], parts[way.to]


def hours(n: float) -> int:
    """Seconds."""
    return round(n * HOUR)
