"""What the screen may ask of the program around it: other towns, saves and settings. The App is one."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from sandbox.tui.settings import Settings
from sandbox.tui.viewer import Viewer


class House(Protocol):
    """The program around a screen."""

    settings: Settings

    def play(self, target: str | Path, seed: int | None = None) -> None:
        """Leave the town that is shown, and live in that world (a new town) or go on with that save.

        seed: of a new town, instead of the world's own.
        """
        ...

    def show(self, save: Path, step: int | None = None) -> None:
        """Leave the town that is shown, and watch that save from a step (default: its beginning)."""
        ...

    def reopen(self) -> None:
        """Close the town that is played and go on with its save, with what the player has allowed it meanwhile."""
        ...

    async def rewind(self, viewer: Viewer) -> None:
        """Watch again what was lived in the town that is shown, from this moment; the town waits."""
        ...

    def branch(self, viewer: Viewer) -> None:
        """Go on live from the moment that a replay shows, in a save of its own."""
        ...

    async def leave_replay(self) -> None:
        """Back to the town a replay was opened from; to the menu if there is none."""
        ...

    def change(self, key: str, value: str) -> None:
        """Set something, show it at once and keep it in the settings file."""
        ...

    def keep(self) -> None:
        """The town behind the menu is to be kept: it is played."""
        ...
