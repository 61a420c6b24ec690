"""What all hands have: the stage they move."""

from __future__ import annotations

from sandbox.tui.stage import Stage
from sandbox.tui.viewer import Viewer


class Hand:
    """Does the actions of one area of the action table, a method each."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @property
    def viewer(self) -> Viewer:
        """What is shown."""
        return self.stage.viewer
