"""A few people of the game of friends in its second round: what one has been shown, and a plan that keeps the rules."""

from __future__ import annotations

from sandbox.lab.friends.model import COM, DM, POST, SUPPORTIVE, GameAct, GameRules, PlanItem
from sandbox.lab.friends.persona import Cast, shipped_cast
from sandbox.lab.friends.plan import PlayerView

RULES = GameRules()
HANDLES = ("ann", "ben", "cleo")
POSTED = GameAct(4, 1, POST, 1, topic="floods")
WRITTEN = GameAct(7, 1, DM, 2, 0, topic="storms", sentiment=0.8)
VIEW = PlayerView(0, 2, HANDLES, "climate change", (POSTED,), (WRITTEN,), closeness=(0.0, 0.0, 0.0))
GOOD = (
    PlanItem(POST, topic="floods", mention=True),
    PlanItem(COM, None, "floods", 4, tone=SUPPORTIVE),
    PlanItem(DM, "cleo", "storms", 7),
)


def few(n: int = 8) -> Cast:
    return Cast("climate change", shipped_cast().people[:n])
