"""What a pane of the stage says of itself: its name, digit and tab, where it stands, its look and what it can do.

It knows no layout: it is told how much room it has, and what it wants of others it posts as a message.
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
    """A part of the screen, in the order of the grid. Panes that share one lie over each other; those of LIST have
    tabs.
    """

    MAIN = "at the left, the largest"
    LIST = "at the right, above"
    FOOT = "at the right, below"
    SIDE = "a column of its own at the edge"


class PanePlace(NamedTuple):
    """What a pane is called and where it stands. tab: its name over its list and on a small screen. says, at: what the
    help and the page of keys call it. wide: where it stands from 110 columns on; broad: from 150 on. On less, and made
    large, a pane has all the room.
    """

    name: str
    digit: str
    tab: str
    says: str
    at: str
    wide: Region
    broad: Region


class Pane(Widget):
    """What each pane of the stage is besides the widget it is made of; a subclass names it after that.

    PLACE: where it stands. ACTIONS: what it can do, upon itself. LOOK: its styles, apart from the frame of all panes.
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
        """It has the whole screen to itself, or not; the screen is a small one, or not."""

    @property
    def told(self) -> int:
        """How much it has told by now that one may not have seen; where it grows, news is marked."""
        return 0

    @property
    def who(self) -> str:
        """Whom its cursor is on, if it is one of people: what a key does to a person it does to them. "" else."""
        return ""

    @property
    def tie(self) -> tuple[str, str] | None:
        """The two whose tie its cursor is on, if it is on one: what the first is to the second."""
        return None

    async def enter(self) -> None:
        """Go in: to what lies under its cursor."""

    def leave(self) -> bool:
        """Go out of the innermost thing of its own; whether there was one."""
        return False

    def taken(self) -> str:
        """What is copied of it."""
        return ""
