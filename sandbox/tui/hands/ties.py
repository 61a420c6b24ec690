"""What enter does among the ties: the story of one."""

from __future__ import annotations

from sandbox.tui.graph.pane import TiesPane
from sandbox.tui.graph.story import TieLeaf
from sandbox.tui.stage import Stage


def open_tie(stage: Stage, u: str, v: str) -> None:
    """Show what u is to v and how it came to that, up to the moment the pane stands at."""
    u, v = stage.viewer.eyes.own_first(u, v)
    stage.open_sheet(TieLeaf(stage, u, v, stage.find(TiesPane).desk.t))
