"""A Tuesday morning in Larkspur at half past ten, kept once, and branched for whoever wants to deal a card into it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.events import Event, Record
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.drivers import run_free
from sandbox.engine.world import World
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.session import Session, open_session

HALF_PAST_TEN = 3 * 3600  # seconds after the town's start at 07:30
SEED = 9


async def live_morning(path: Path) -> Path:
    """Live the town until half past ten."""
    async with open_session("larkspur", seed=SEED, save=path) as session:
        await run_free(session.engine, until=HALF_PAST_TEN)
        await session.save.settle()
    return path


class Played(NamedTuple):
    """What came of a card. world: as it stands then; records: of the steps since; path: the save."""

    world: World
    records: list[Record]
    path: Path

    def of(self, *kinds: type[Event]) -> list[Any]:
        """(stamp, event) of these types, in order."""
        return [r for r in self.records if isinstance(r.event, kinds)]


@asynccontextmanager
async def opened(morning: Path, out: Path) -> Any:
    """A branch of the morning, open to be lived."""
    async with await Save.open(morning, read_only=True) as save:
        await save.found()
        last = save.last_step
    await branch(morning, last, out)
    async with open_session(out) as session:
        yield session


def play(
    morning: Path,
    out: Path,
    *cards: Dealt,
    minutes: int = 1,
    first: Callable[[World], Sequence[Dealt]] = lambda world: (),
) -> Played:
    """Deal cards at half past ten, and live that long. first: makes cards of the town as it stands."""

    async def go() -> Played:
        async with opened(morning, out) as session:
            assert isinstance(session, Session)
            for dealt in (*cards, *first(session.world)):
                session.engine.do(DealCard(dealt=dealt))
            records: list[Record] = []
            session.engine.watchers.append(records.extend)
            await run_free(session.engine, until=session.world.now + 60 * minutes)
            return Played(session.world, records, out)

    return asyncio.run(go())


def chain(records: list[Record], seq: int) -> set[int]:
    """The events that have one in their chain of causes, and itself."""
    out = {seq}
    for stamp, _ in records:
        if out & {*stamp.causes}:
            out.add(stamp.seq)
    return out
