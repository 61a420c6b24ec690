"""A day of a town lived once, kept on disk, and lived again from its events wherever a test's town stands as it stood.

Living a step costs seven times what it costs to apply its events. So tests that look at the screen over Larkspur live
it again out of a diary, as a replay does: a step is taken from it only if the town's whole state is, to the byte, that
of the diary before that step and nothing has been put in; in any other case the engine lives the step itself.

To prove a state costs four times what it costs to apply a step. Where a test lives on to some hour and does nothing
else meanwhile, it says so (`undisturbed`), and the state is proved before the first of those steps alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from lived import engine_of, kept, log_of, run

from sandbox.core.clock import DAY
from sandbox.core.events import EventRow, Record, to_row
from sandbox.engine.engine import Engine, Running
from sandbox.engine.registry import decode
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind

_live = Engine._make


class Calm:
    """Where nobody disturbs a town. world, step: how the last step out of a diary has left it."""

    world: World | None = None
    step = 0
    now = False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Within it nobody changes a town but its steps, and the screen, which can only put commands in."""
    Calm.now, Calm.world = True, None
    try:
        yield
    finally:
        Calm.now = False


class Page(NamedTuple):
    """A step: the digest of the state before it, and its rows."""

    before: bytes
    rows: list[EventRow]


class Diary:
    """A day of one scenario."""

    def __init__(self, scenario: Scenario, pages: Sequence[Page]) -> None:
        self.scenario = scenario
        self._pages = pages
        self._records: dict[int, list[Record]] = {}

    @classmethod
    def of(cls, scenario: Scenario, folder: Path | None) -> Diary:
        """Of that scenario: read from the folder, or lived and written there."""
        whole = kept(folder, "diary", scenario, lambda: msgspec.msgpack.encode(lived(scenario)))
        return cls(scenario, msgspec.msgpack.decode(whole, type=list[Page]))

    def step(self, engine: Engine) -> list[Record] | None:
        """The events of the engine's next step, or None if the diary does not hold them."""
        world = engine.world
        if world.step >= len(self._pages) or engine.commands or type(engine.mind) is not EmbeddedMind:
            return None
        if world.scenario is not self.scenario and world.scenario != self.scenario:
            return None
        page = self._pages[world.step]
        proved = Calm.now and Calm.world is world and Calm.step == world.step
        if not proved and state(world.snapshot()) != page.before:
            return None
        if world.step not in self._records:
            self._records[world.step] = [decode(row) for row in page.rows]
        return self._records[world.step]

    def all(self) -> list[Record]:
        """The events of the day, but for the founding."""
        return [decode(row) for page in self._pages for row in page.rows]

    def lend(self, patch: pytest.MonkeyPatch) -> None:
        """Have engines live that day again out of it, until the patch is undone."""

        async def make(engine: Engine, running: Running) -> None:
            await self.make(engine, running)

        patch.setattr(Engine, "_make", make)

    async def make(self, engine: Engine, running: Running) -> None:
        """What stands in for `Engine._make`."""
        records = self.step(engine)
        if records is None:
            await _live(engine, running)
            return
        for record in records:
            engine.world.apply(record)
        running.records.extend(records)
        engine.world.advance(running.number)
        Calm.world, Calm.step = engine.world, engine.world.step


def lived(scenario: Scenario) -> list[Page]:
    """A day, step by step."""
    engine = engine_of(scenario)
    before = [state(engine.world.snapshot())]
    run(engine, DAY // scenario.step, lambda: before.append(state(engine.world.snapshot())))
    steps = log_of(engine).steps
    return [Page(*page) for page in zip(before, ([to_row(r) for r in step] for step in steps), strict=False)]


def state(snapshot: bytes) -> bytes:
    return hashlib.blake2b(snapshot, digest_size=16).digest()
