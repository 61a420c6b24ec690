"""The engine's side of a save: where finished steps go. `store` implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from sandbox.core.events import Record


class JournalFull(Exception):
    """The journal cannot take the step (disk full). Nothing of it was kept; it may be offered again."""


class Journal(Protocol):
    """Keeps whole steps, in order."""

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        """Take a finished step. t: the second at which it ends.

        snapshot is called, before this returns, only if the journal wants one at this step. Raises JournalFull when an
        earlier write could not be kept.
        """
        ...

    async def settle(self) -> None:
        """Return when all steps taken so far are on disk. Raises JournalFull."""
        ...
