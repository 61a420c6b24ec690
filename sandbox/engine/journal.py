"""The engine's side of a save: where finished steps go. `store` implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from sandbox.core.events import Record


class JournalFull(Exception):
    """The journal cannot put a step on disk (disk full). The step waits in memory; nothing is lost, and it must not be
    offered again. code: of the command that ends with it."""

    code = 1


class Journal(Protocol):
    """Keeps whole steps, in order."""

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        """Take a finished step. t: the second at which it ends.

        snapshot is called, before this returns, only if the journal wants one at this step. The step is always taken;
        raises JournalFull when steps wait in memory because they could not be put on disk.
        """
        ...

    async def retry(self) -> None:
        """After JournalFull, once there is room: put on disk what waits. Raises JournalFull if there is none."""
        ...

    async def settle(self) -> None:
        """Return when all steps taken so far are on disk. Raises JournalFull."""
        ...


class Nowhere:
    """A journal that keeps nothing, for measuring the engine alone."""

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        return

    async def retry(self) -> None:
        return

    async def settle(self) -> None:
        return
