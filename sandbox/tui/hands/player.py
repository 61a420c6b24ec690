"""What the player is after: goals that are followed, and bets."""

from __future__ import annotations

from sandbox.tui.action import Action
from sandbox.tui.leaves.bets import BetsLeaf
from sandbox.tui.leaves.goals import open_goals
from sandbox.tui.stage import Stage

# fmt: off
ACTIONS: tuple[Action[Stage], ...] = (
    Action("direct.goals", "", "", "Goals to follow: how far each has come, and what stands in its way.",
           open_goals, "direct: goals"),
    Action("direct.bets", "", "", "Bets on what falls due, with their odds, and the tally of points.",
           lambda stage: stage.toggle(BetsLeaf), "direct: bets"),
)
