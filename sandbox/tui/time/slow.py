"""Slowing down for a row: while hard words are said in view, or to whom one follows, time is slow."""

from __future__ import annotations

from sandbox.tui.speech import Turn, mark
from sandbox.tui.stage import Stage

SPEEDS = ("normal", "fast")
ROW = "!"


class RowSlow:
    """Watches the talks. It slows for each once, and lets go a step after that talk has closed."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._talk = ""
        self._closed = False
        self._known: set[str] = set()

    def saw(self) -> None:
        """A step was made."""
        viewer = self.stage.viewer
        pace = viewer.pace
        if self._talk:
            if not pace.slowed:  # a key, or a stop, has ended it
                self._talk = ""
            elif self._closed:
                self._talk = ""
                pace.release()
            else:
                self._closed = viewer.open_talk(self._talk) is None
            return
        if (
            pace.running
            and not pace.goal
            and not pace.night
            and pace.speed in SPEEDS
            and viewer.settings.on("auto_slow")
        ):
            self._look()

    def _look(self) -> None:
        viewer = self.stage.viewer
        self._known = {talk for talk in self._known if viewer.open_talk(talk) is not None}
        rows = [turn for turn in viewer.floor.at(viewer.world.now) if mark(turn) == ROW]
        for turn in rows:
            talk = viewer.open_talk(turn.talk)
            if talk is not None and turn.talk not in self._known and self._concerns(turn):
                self._talk, self._closed = turn.talk, False
                self._known.add(turn.talk)
                viewer.pace.slow(f"row {viewer.world.handbook.at(talk.place)}")
                return

    def _concerns(self, turn: Turn) -> bool:
        viewer = self.stage.viewer
        if viewer.following and viewer.selected in turn.who:
            return True
        seen = self.stage.town.in_view()
        return any(who in seen for who in turn.who)  # the other may still be on the way
