"""The day for a person: `digest` reads the log once, `tell` sets it as a page, `as_json` hands it to a script."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.stories.day import Day, Digest
from sandbox.stories.edition import as_json, tell


def digest(records: Iterable[Record], world: World, day: int | None = None) -> Digest:
    """What happened in these records of the world's log, which are read once and not kept.

    day: only that day (1 is the day the world starts on), for which earlier records may be given too; None: all of
    them. The world's names, hours and parameters are used, its state is not.
    """
    found = Day(world, day)
    found.read(records)
    return found.done()


__all__ = ["Day", "Digest", "as_json", "digest", "tell"]
