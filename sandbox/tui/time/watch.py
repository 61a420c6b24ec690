"""What stands watch while time runs: goals, rows that slow it down, quiet nights, alerts."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.events import Record
from sandbox.stories.timeline import Row
from sandbox.tui.stage import Stage


class Watch:
    """Sees every step before the screen does, and lets time stand or slow down."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        stage.viewer.seen.append(self.saw)

    def saw(self, records: Sequence[Record], rows: Sequence[Row]) -> None:
        """A step was made."""

    def touched(self, id: str) -> None:
        """An action of the table is about to be done."""
