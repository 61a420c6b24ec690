"""What the screen may ask of those around it: whoever stands watch while time runs, and the program with its towns."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from sandbox.tui.view.settings import Settings
from sandbox.tui.view.stop_goals import TimeGoal
from sandbox.tui.view.viewer import Viewer


class TimeKeeper(Protocol):
    """Sees every step before the screen does, and lets time stand or slow down. `time.watch.Watch` does."""

    @property
    def seeks_row(self) -> bool:
        """Whether time runs to the next notable row."""

    def begin(self) -> None:
        """The stage is there."""

    def run(self, goal: TimeGoal) -> None:
        """Run to something at full speed."""

    def stop_at(self, number: int) -> None:
        """Let time stand at a row of the timeline, and show whom it is about and why it came to it."""

    def touched(self, id: str) -> bool:
        """An action is about to be done; whether nothing more is to be done for it."""

    def look_back(self) -> None:
        """Show the weightiest of what was not seen."""

    def back_from(self, t: float) -> None:
        """One comes back from watching second t again."""


class AppPort(Protocol):
    """The program around a screen: other towns, saves and settings. The App is one."""

    settings: Settings

    def play(self, target: str | Path, seed: int | None = None) -> None:
        """Leave the town that is shown, and live in that world (a new town) or go on with that save.

        seed: of a new town, instead of the world's own.
        """

    def show(self, save: Path, step: int | None = None) -> None:
        """Leave the town that is shown, and watch that save from a step (default: its beginning)."""

    def reopen(self) -> None:
        """Close the town that is played and go on with its save, with what the player has allowed it meanwhile."""

    async def rewind(self, viewer: Viewer, t: float | None = None) -> None:
        """Watch again what was lived in the town that is shown, from second t (default: this moment). It waits."""

    def branch(self, viewer: Viewer, title: str = "") -> None:
        """Go on live from the moment that a replay shows, in a save of its own. title: what it is called."""

    def take_back(self, viewer: Viewer, step: int, title: str = "") -> None:
        """Go on live from the end of a step of the town that is shown, with the same luck, in a save of its own. title:
        what it is called, "" = nothing yet.
        """

    async def leave_replay(self) -> None:
        """Back to the town a replay was opened from; to the menu if there is none."""

    def change(self, key: str, value: str) -> None:
        """Set something, show it at once and keep it in the settings file."""

    def keep(self) -> None:
        """The town behind the menu is to be kept: it is played."""
