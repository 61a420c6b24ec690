"""What stands on a terminal too small for a town: the size it needs. It lies over all that is open, and keeps it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size

from sandbox.tui.app.actions import KEYS
from sandbox.tui.view.action import first_key
from sandbox.tui.view.base_screen import BaseScreen
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, Line, ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane

WIDTH, HEIGHT = 60, 18


def too_small(size: Size) -> bool:
    """Whether a terminal of that size has no room for a town."""
    return size.width < WIDTH or size.height < HEIGHT


def too_small_lines(width: int, height: int, key: str = "q") -> list[Line]:
    """The words in the middle of so many cells. key: what quits."""
    says = [
        ink(f"{WIDTH} x {HEIGHT} cells needed", GOLD, bold=True),
        ink(f"here are {width} x {height}", SOFT),
        ink(f"{key} quits" if key else "", DIM),
        ink("time stands meanwhile", SOFT),
    ]
    lines: list[Line] = [[ink(" " * max(0, (width - s.cell_length) // 2)), s] for s in says]
    return [*([[]] * max(0, (height - len(lines)) // 2)), *lines]


class TooSmallCard(LinesPane):
    """The words."""

    def lines(self, width: int, height: int) -> list[Line]:
        return too_small_lines(width, height, first_key("app.quit", self.viewer.keys))


class TooSmall(BaseScreen[None]):
    """Covers everything while there is no room. One key acts: the one that leaves the program."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(KEYS["app.quit"], "quit", "leave", show=False, id="app.quit")]

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self._card = TooSmallCard(viewer, "toosmall")

    def compose(self) -> ComposeResult:
        yield self._card

    def on_resize(self, event: Resize) -> None:
        self._card.pull()

    def on_screen_resume(self) -> None:
        if not too_small(self.app.size):  # what was shown over it meanwhile is gone, and there is room again
            self.dismiss()

    def action_quit(self) -> None:
        """Leave the program."""
        self.app.exit()
