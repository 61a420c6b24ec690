"""Where the panes stand on a screen of some size: each has a region of the grid, and one pane of a region is in front.

It moves and shows panes; it chooses none. `panes/layout.py` says which pane is the current one. Also where somebody who
watches was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from textual.containers import Container
from textual.geometry import Size
from textual.widget import Widget

from sandbox.tui.panes.status import Tabs
from sandbox.tui.widgets.lines import TabbedPane
from sandbox.tui.widgets.pane import Pane, Region

WIDE, BROAD, VAST = 110, 150, 190  # columns from which a layout holds
LOW = 32  # rows below which the person's pane is lower


def size_classes(size: Size, large: bool) -> dict[str, bool]:
    """The CSS classes of a stage of that size, each with whether it holds.

    -small: the screen is narrow; -broad, -vast: it has many columns; -low: it has few rows; -large: one pane is made
    large; -one: one pane has all the room. Where it has not, no class changes with the pane in focus: each change would
    draw the whole screen anew.
    """
    width, height = size
    small = width < WIDE
    return {
        "-small": small,
        "-broad": width >= BROAD,
        "-vast": width >= VAST,
        "-low": height < LOW,
        "-one": small or large,
        "-large": large,
    }


class ViewPosition(NamedTuple):
    """Where somebody who watches was: to go back there. x, y: the middle of the map in view, in tiles."""

    x: float
    y: float
    zoom: int
    selected: str
    following: bool
    pane: str


class PaneArrangement:
    """The panes in their regions.

    panes: by name; tabs: the tabs of those panes that share the region of the list. body: the grid that holds them all.
    """

    def __init__(self, panes: Mapping[str, Pane], tabs: Tabs) -> None:
        self.body = Container(id="body")
        self._panes, self._tabs = panes, tabs
        self._front = list(panes)  # the one seen last first: where several share a region, it is in front
        self._broad = False

    def begin(self, width: int) -> list[Widget]:
        """What the grid holds, in order, on a screen of so many columns."""
        self._broad = width >= BROAD
        return self._order()

    def lay_out(self, size: Size, current: str, large: bool) -> dict[str, bool]:
        """Show what a screen of that size has room for; the CSS classes of the stage then, each with whether it holds.

        current: the name of the pane in focus; large: whether it is made large.
        """
        classes = size_classes(size, large)
        self._front.remove(current)
        self._front.insert(0, current)
        if classes["-broad"] != self._broad:
            self._broad = classes["-broad"]
            self.body.sort_children(key=self._order().index)
        self._stand(current, one=classes["-one"], small=classes["-small"])
        self._show_tabs(one=classes["-one"])
        return {**classes, "-tabbed": self._tabs.display}

    def _order(self) -> list[Widget]:
        """The panes in the order in which the grid takes them up, and the tabs before those of the list."""
        out: list[Widget] = []
        for region in Region:
            out += [self._tabs] if region is Region.LIST else []
            out += [pane for pane in self._panes.values() if self._region(pane) is region]
        return out

    def _region(self, pane: Pane) -> Region:
        """Where a pane stands now."""
        return pane.PLACE.broad if self._broad else pane.PLACE.wide

    def _stand(self, current: str, one: bool, small: bool) -> None:
        """Give each pane its region, and show the one in front of each region.

        one: there is room for one pane only, the current one. small: the screen is narrow.
        """
        for name, pane in self._panes.items():
            region = self._region(pane)
            beside = [other for other in self._front if self._region(self._panes[other]) is region]
            pane.display = name == (current if one else beside[0])
            pane.set_class(region is Region.MAIN and not one, "-main")
            pane.set_class(region is Region.SIDE and not one, "-side")
            pane.take_room(one, small)

    def _show_tabs(self, one: bool) -> None:
        """Show the tabs of the list if several panes share it."""
        lists = [name for name, pane in self._panes.items() if self._region(pane) is Region.LIST]
        self._tabs.places = [self._panes[name].PLACE for name in lists]
        self._tabs.shown = next((name for name in self._front if name in lists), "")
        self._tabs.display = len(lists) > 1 and not one

    def beside(self, name: str, by: int) -> str:
        """The next pane (by 1), or the one before (-1), of those that share the region of a pane; it alone: itself."""
        region = self._region(self._panes[name])
        names = [other for other, pane in self._panes.items() if self._region(pane) is region]
        return names[(names.index(name) + by) % len(names)]

    def turns(self, name: str) -> bool:
        """Whether brackets lead from a pane to another tab of it, or to one beside it."""
        pane = self._panes[name]
        return len(pane.tabs) > 1 if isinstance(pane, TabbedPane) else self.beside(name, 1) != name
