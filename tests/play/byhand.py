"""Somebody played by hand in a branch of one morning."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from sandbox.core.domain import Command
from sandbox.core.events import Event, Record
from sandbox.engine.drivers import run_free
from sandbox.engine.world import World
from sandbox.play.model import Play
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.session import Session, open_session

HALF_PAST_NINE = 2 * 3600  # seconds after the town's start at 07:30
SEED = 9
T = TypeVar("T")


async def live_morning(path: Path) -> Path:
    """Live the town until half past nine."""
    async with open_session("larkspur", seed=SEED, save=path) as session:
        await run_free(session.engine, until=HALF_PAST_NINE)
        await session.save.settle()
    return path


class Hand:
    """A session in which somebody is played. records: of all steps since; me: who it is."""

    def __init__(self, session: Session, me: str) -> None:
        self.session, self.me = session, me
        self.records: list[Record] = []
        session.engine.watchers.append(self.records.extend)

    @property
    def world(self) -> World:
        return self.session.world

    async def do(self, command: Command, steps: int = 1) -> None:
        self.session.engine.do(command)
        await self.live(steps=steps)

    async def live(self, **how: Any) -> None:
        await run_free(self.session.engine, **how)

    async def until(self, true: Callable[[], bool], minutes: int = 40) -> None:
        """Live until something is so. Fails if it is not by then."""
        end = self.world.now + 60 * minutes
        while not true():
            assert self.world.now < end, "it never came to that"
            await self.live(steps=1)

    def of(self, *kinds: type[Event]) -> list[Any]:
        """(stamp, event) of these types since the session began, in order."""
        return [r for r in self.records if isinstance(r.event, kinds)]


def played(morning: Path, out: Path, me: str, run: Callable[[Hand], Awaitable[T]]) -> T:
    """What `run` makes of a branch of the morning, or of any save, in which `me` is played."""

    async def go() -> T:
        async with await Save.open(morning, read_only=True) as save:
            await save.found()
            last = save.last_step
        await branch(morning, last, out)
        async with open_session(out) as session:
            hand = Hand(session, me)
            if hand.world.played.who != me:
                await hand.do(Play(by=me))
            return await run(hand)

    return asyncio.run(go())
