"""Panes: which one has the focus, and how much room it has."""

from __future__ import annotations

from sandbox.tui.action import Action
from sandbox.tui.stage import Stage


def show_next(stage: Stage) -> None:
    """The next pane, by their digits."""
    names = list(stage.panes)
    stage.close_all()
    stage.show_pane(names[(names.index(stage.current) + 1) % len(names)])


def maximise(stage: Stage) -> None:
    """All the room for the pane, or no longer."""
    stage.large = not stage.large
    stage.lay_out()


ACTIONS: tuple[Action[Stage], ...] = (
    Action("pane.next", "tab", "pane", "The next pane.", show_next, "pane: next", rank=2),
    Action("pane.maximise", "z", "", "Give the pane all the room, or take it back.", maximise, "pane: maximise"),
)
