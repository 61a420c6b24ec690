"""What the screen may ask of whoever stands watch while time runs. `time.watch.Watch` does."""

from __future__ import annotations

from typing import Protocol

from sandbox.tui.time.goals import Goal


class Guard(Protocol):
    """Sees every step before the screen does, and lets time stand or slow down."""

    @property
    def seeks_row(self) -> bool:
        """Whether time runs to the next notable row."""
        ...

    def begin(self) -> None:
        """The stage is there."""
        ...

    def run(self, goal: Goal) -> None:
        """Run to something at full speed."""
        ...

    def stop_at(self, number: int) -> None:
        """Let time stand at a row of the timeline, and show whom it is about and why it came to it."""
        ...

    def touched(self, id: str) -> bool:
        """An action is about to be done; whether nothing more is to be done for it."""
        ...

    def look_back(self) -> None:
        """Show the weightiest of what was not seen."""
        ...

    def back_from(self, t: float) -> None:
        """One comes back from watching second t again."""
        ...
