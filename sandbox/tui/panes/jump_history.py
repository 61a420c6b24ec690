"""Jumps: the stage goes to a person or to a row of the timeline, remembers where one was, and goes back there."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.town import TownPane
from sandbox.tui.view.row_words import where, whom
from sandbox.tui.view.viewer import Viewer

KEPT_JUMPS = 50


class ViewPosition(NamedTuple):
    """Where somebody who watches was: to go back there. x, y: the middle of the map in view, in tiles."""

    x: float
    y: float
    zoom: int
    selected: str
    following: bool
    pane: str


class JumpStage(Protocol):
    """What a jump moves: the map, the timeline's cursor, who is chosen and which pane has the focus.

    current: the name of that pane. The stage is one.
    """

    viewer: Viewer
    town: TownPane
    timeline: TimelinePane
    current: str

    def choose(self, who: str, look: bool = False) -> None:
        """Select a person."""

    def show_pane(self, name: str) -> None:
        """Give a pane the focus."""

    def update(self) -> None:
        """Bring the panes up to date."""


class JumpHistory:
    """The jumps of a stage. been: where one was before each of the last jumps, the latest last."""

    def __init__(self, stage: JumpStage) -> None:
        self._stage = stage
        self.been: list[ViewPosition] = []

    def here(self) -> ViewPosition:
        """Where one is."""
        stage, viewer = self._stage, self._stage.viewer
        x, y = stage.town.camera.middle
        return ViewPosition(x, y, stage.town.zoom, viewer.selected, viewer.following, stage.current)

    def leave_trace(self) -> None:
        """Remember where one is."""
        here = self.here()
        if not self.been or self.been[-1] != here:
            self.been.append(here)
            del self.been[:-KEPT_JUMPS]

    def return_to(self, place: ViewPosition) -> None:
        """Go back to where one was."""
        stage, viewer = self._stage, self._stage.viewer
        viewer.select(place.selected)
        viewer.following = place.following and bool(viewer.selected)
        stage.town.stand(place.x, place.y, place.zoom)
        stage.show_pane(place.pane)
        stage.update()

    def go_to_person(self, who: str, pane: str) -> None:
        """Choose somebody who is in town, and centre the map on them. pane: what has the focus then, "" = the same."""
        self.leave_trace()
        self._stage.choose(who)
        self._stage.town.look_at(who)
        if pane:
            self._stage.show_pane(pane)

    def go_to_row(self, number: int) -> None:
        """Choose whom a row is about, centre the map on them, and put the timeline's cursor on it. A row that is not
        kept any more is passed over.
        """
        stage, viewer = self._stage, self._stage.viewer
        if not viewer.chronicle.first <= number < viewer.chronicle.told:
            return
        row = viewer.chronicle[number]
        self.leave_trace()
        place = where(viewer, row)
        if (who := whom(viewer, row, place)) or place is not None:
            viewer.following = viewer.following and who == viewer.selected and place is None
            before = viewer.selected
            stage.choose(who)
            viewer.led = who if place is not None and who != before else ""
            if place is None:
                stage.town.look_at(who)
        if place is not None:
            stage.town.stand(*place, stage.town.zoom)
        stage.timeline.go_to(number)
        stage.update()
