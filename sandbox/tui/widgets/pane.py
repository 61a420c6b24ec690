"""The interface of the stage's panes: name, digit, tab, region, look and actions.

A pane knows no layout: the stage tells it how much room it has, and it posts messages for what others are to do.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar, NamedTuple

from textual.widget import Widget

from sandbox.tui.view.action import Action, bindings

USUAL = "border-title-color: $our-title; border-subtitle-color: $our-title; padding: 0 1; background: $our-pane;"
FRAME = """
{name} {{ border: round $our-line; {own} }}
{name}:focus {{
    border: round $our-accent;
    border-title-color: $our-accent;
    border-title-style: bold reverse;
}}
"""


class Region(Enum):
    """A part of the screen, in the order of the grid. Panes in the same region lie over each other; those of LIST have
    tabs.
    """

    MAIN = "at the left, the largest"
    LIST = "at the right, above"
    FOOT = "at the right, below"
    SIDE = "a column of its own at the edge"


class PanePlace(NamedTuple):
    """A pane's names and regions. digit: its key. tab: its name on a tab and on a small screen. says, at: its names in
    the help and on the page of keys. wide: its region from 110 columns on; broad: from 150 on. On fewer columns, and
    when enlarged, a pane fills the screen.
    """

    name: str
    digit: str
    tab: str
    says: str
    at: str
    wide: Region
    broad: Region


class Pane(Widget):
    """A mixin for panes of the stage: subclasses derive from a widget first, then from this.

    PLACE: names and regions. ACTIONS: what it can do, each called with the pane. LOOK: CSS besides the common frame.
    """

    PLACE: ClassVar[PanePlace]
    ACTIONS: ClassVar[tuple[Action[Any], ...]] = ()
    LOOK: ClassVar[str] = USUAL
    DEFAULT_CLASSES = "pane"

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)  # a subclass takes a viewer and its name

    def __init_subclass__(cls, **more: Any) -> None:
        cls.DEFAULT_CSS = FRAME.format(name=cls.__name__, own=cls.LOOK)
        cls.BINDINGS = bindings(cls.ACTIONS)
        super().__init_subclass__(**more)

    def take_room(self, alone: bool, small: bool) -> None:
        """Called by the stage. alone: the pane has the whole screen; small: the screen is small."""

    @property
    def told(self) -> int:
        """A count of the pane's news; when it grows while the pane is not in view, the tab is marked."""
        return 0

    @property
    def who(self) -> str:
        """The person under its cursor, whom keys for a person act on; "" if there is none."""
        return ""

    @property
    def tie(self) -> tuple[str, str] | None:
        """The tie under its cursor, as (from, to), or None."""
        return None

    async def enter(self) -> None:
        """Open what is under the cursor."""

    def leave(self) -> bool:
        """Close the pane's innermost open thing; return whether there was one."""
        return False

    def taken(self) -> str:
        """The text that `copy` takes."""
        return ""
