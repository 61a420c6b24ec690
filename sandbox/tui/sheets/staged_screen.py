"""The screen that stages a scene: any key goes on, escape closes it. The town stands still behind it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.events import Click, Key, Resize
from textual.screen import ModalScreen

from sandbox.readers.timeline import TimelineRow
from sandbox.tui.map import scene
from sandbox.tui.map.staged_scene import Drawing, Playing, Staged, scene_of_row
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.text_lines import Line
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane

BEATS = 12  # checks of the clock per second


class TheatrePane(LinesPane):
    """The pane that fills the screen with the drawing of the scene."""

    def __init__(self, viewer: Viewer, drawing: Drawing, id: str) -> None:
        super().__init__(viewer, id)
        self.drawing = drawing

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return self.drawing.lines(width, height)


class TheatreScreen(BaseScreen[None], ModalScreen[None]):
    """Plays a scene from its first line to its outcome."""

    def __init__(self, stage: TownLayout, found: Staged) -> None:
        super().__init__()
        viewer, app = stage.viewer, stage.app
        still = viewer.settings["motion"] == "reduced"
        self.playing = Playing(found.script, viewer.clock, still, viewer.settings["speed"])
        colours = scene.colours_of(app)
        painter = scene.close_painter_for(stage.town.picture, viewer.settings, colours)
        self.pane = TheatrePane(viewer, Drawing(viewer, found, self.playing, painter), "theatre")
        self._drawn: tuple[int, int] = (-1, -1)

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.set_interval(1 / BEATS, self._beat)

    def _beat(self) -> None:
        self.playing.beat_on()
        self._pull()

    def _pull(self) -> None:
        now = (self.playing.at, self.playing.letters)
        if now != self._drawn:
            self._drawn = now
            self.pane.pull()

    def on_resize(self, event: Resize) -> None:
        self._drawn = (-1, -1)

    def go_on(self) -> None:
        """Show the next line at once; after the outcome, go back to the town."""
        if self.playing.next():
            self._pull()
        else:
            self.dismiss(None)

    def on_key(self, event: Key) -> None:
        if event.key in ("ctrl+c", "ctrl+q", "ctrl+z"):
            return  # keys of the program itself
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
        else:
            self.go_on()

    def on_click(self, event: Click) -> None:
        self.go_on()


async def open_theatre(stage: TownLayout, row: TimelineRow) -> bool:
    """Stage the scene of a timeline row; whether it has one and none is open. Raises SaveError."""
    found = await scene_of_row(stage.viewer, row)
    if found is None or isinstance(stage.app.screen, TheatreScreen):
        return False
    stage.app.push_screen(TheatreScreen(stage, found))
    return True
