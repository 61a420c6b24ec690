"""A replay: back and forth in what was lived, bookmarks, and going on live from there."""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.tui import replaying
from sandbox.tui.hands.hand import Hand
from sandbox.tui.leaves.marks import MarksLeaf, toggle_mark


class Replaying(Hand):
    """`replay.*`"""

    async def back(self) -> None:
        """One step back."""
        await replaying.step_back(self.stage)

    async def hour_back(self) -> None:
        """An hour back."""
        await replaying.jump_by(self.stage, -HOUR)

    async def hour_on(self) -> None:
        """An hour on."""
        await replaying.jump_by(self.stage, HOUR)

    async def mark(self) -> None:
        """A bookmark here, or none."""
        await toggle_mark(self.stage)

    def marks(self) -> None:
        """The bookmarks."""
        stage = self.stage
        if stage.sheet.kind == MarksLeaf.kind:
            stage.close_sheet()
        elif stage.scrubber.tape is not None:
            stage.open_sheet(MarksLeaf(stage, stage.scrubber.tape))

    def branch(self) -> None:
        """Live on from here."""
        self.stage.house.branch(self.viewer)

    async def leave(self) -> None:
        """Back to what lives."""
        await self.stage.house.leave_replay()
