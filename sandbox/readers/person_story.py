"""The story of one person, read from a save's log; for the command and the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.engine.world import World
from sandbox.readers.biography import Fork, biography
from sandbox.readers.life import KINDS, Life
from sandbox.readers.pieces import StoryPiece
from sandbox.readers.played import KINDS as PLAYED
from sandbox.readers.played import PlaySpan, play_spans
from sandbox.store.branch import saves_list
from sandbox.store.read import SaveReader

LONGEST = 7  # length of a story in days; one that begins in a morning touches one date more
SLICE = 300  # records read before other tasks get a turn, a few milliseconds


class DayRange(NamedTuple):
    """The first and the last day of a story; 0 = the default: the last week up to the end of the save."""

    first: int = 0
    last: int = 0


def story_days(days: DayRange, world: World) -> Sequence[int]:
    """The days of a story, by date: those asked for, else the dates of the save's last week. world: at the save's end.
    Raises ValueError, with a sentence for the user, for days that the save lacks and for too many.
    """
    day = world.clock.day
    lived = day(max(0, world.now - 1))
    first, last = days.first or day(max(0, world.now - LONGEST * DAY)), days.last or lived
    if last > lived:
        raise ValueError(f"the save has {lived} day{'s' if lived > 1 else ''}")
    if last - first > LONGEST:
        raise ValueError(f"a story tells {LONGEST + 1} days at most; write {last - LONGEST}-{last}")
    return range(first, last + 1)


async def played_in(save: SaveReader, world: World) -> list[PlaySpan]:
    """Who was played in a save up to the second at which the world stands. Raises SaveError."""
    return play_spans(await save.records(PLAYED, 0, world.seq), 0, world.now, world.played.who)


async def story_of(
    save: SaveReader, world: World, who: str, days: Sequence[int],
    moved: Callable[[int, int], None] = lambda done, of: None,
) -> list[StoryPiece]:  # fmt: skip
    """The story of a person up to the world's last event. moved: called with (done, total). Raises SaveError."""
    played = await played_in(save, world)
    life, until = Life(world, who, played), world.seq
    async for records in save.slices(KINDS, moved):
        for i in range(0, len(records), SLICE):
            life.read(r for r in records[i : i + SLICE] if r.stamp.seq <= until)
            await asyncio.sleep(0)
    return biography(life, world, days, await forks_of(save))


async def forks_of(save: SaveReader) -> list[Fork]:
    """The saves in the same folder that branched off this one, by the time of the fork."""
    uid = (await save.info()).uid
    found = [x.info for x in await saves_list(save.path.parent) if x.info is not None and x.info.parent == uid]
    return sorted(Fork(x.fork.t, x.title) for x in found if uid and x.fork is not None)
