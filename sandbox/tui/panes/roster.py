"""All panes, in the order of their digits. A new pane needs its own file and a row here."""

from __future__ import annotations

from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.people import PeoplePane
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.town import TownPane
from sandbox.tui.widgets.pane import Pane

PANES: tuple[type[Pane], ...] = (
    TownPane,
    TimelinePane,
    PersonPane,
    PeoplePane,
    FeedPane,
    TiesPane,
)
