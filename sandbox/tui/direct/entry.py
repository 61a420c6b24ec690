"""The row of a sheet that leads to the cards for what the sheet tells of."""

from __future__ import annotations

from functools import partial

from sandbox.tui.action import first_key
from sandbox.tui.ink import DIM, GOLD, ink
from sandbox.tui.panes.entries import Entry
from sandbox.tui.stage import Stage


def directs(stage: Stage, what: str) -> list[Entry]:
    """It, where the world has cards. what: what they are dealt to ("this place")."""
    if not stage.viewer.world.card_deck.cards:
        return []
    key = first_key("direct.cards", stage.viewer.keys)
    line = [ink(f"{key} ", GOLD, bold=True), ink(f"direct: the cards for {what}", DIM)]
    return [Entry([[], line], partial(stage.do, "direct.cards"), "direct")]
