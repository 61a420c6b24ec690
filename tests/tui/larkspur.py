"""Larkspur in memory, to be watched in tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from sandbox.core.events import Record, Stamp
from sandbox.engine.engine import Engine
from sandbox.engine.journal import JournalFull
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.embedded.mind import EmbeddedMind
from sandbox.tui.app import SandboxApp


class Memory:
    """A journal that keeps nothing. full: whether it refuses."""

    def __init__(self) -> None:
        self.full = False

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        if self.full:
            raise JournalFull("disk full: saves/larkspur-1.db")

    async def settle(self) -> None:
        return


class Town:
    """A session of Larkspur in memory."""

    def __init__(self, scenario: Scenario, path: Path | None = None) -> None:
        self.world = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(scenario, {})))
        self.journal = Memory()
        self.engine = Engine(self.world, EmbeddedMind(self.world.chance, scenario.lines), self.journal)
        self.view = View(self.world)
        self.engine.watchers.append(self.view.saw)
        self.path = path


class Clock:
    """A clock on the wall that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def live(app: SandboxApp, until: str) -> None:
    """Make steps until that time of the first day, and show it."""
    world = app.viewer.world
    while world.clock.hhmm(world.now) < until:
        await app.viewer.pace.ask_step()


def text(app: SandboxApp) -> list[str]:
    """The screen's rows as a terminal would show them."""
    return ["".join(s.text for s in strip) for strip in app.screen._compositor.render_strips()]
