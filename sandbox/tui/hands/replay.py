"""A replay: back and forth in what was lived, bookmarks, and going on live from there."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand


class Replaying(Hand):
    """`replay.*`"""

    def back(self) -> None:
        """One step back."""

    def hour_back(self) -> None:
        """An hour back."""

    def hour_on(self) -> None:
        """An hour on."""

    def mark(self) -> None:
        """A bookmark here, or none."""

    def marks(self) -> None:
        """The bookmarks."""

    async def branch(self) -> None:
        """Live on from here."""
        await self.stage.house.branch(self.viewer)

    async def leave(self) -> None:
        """Back to what lives."""
        await self.stage.house.leave_replay()
