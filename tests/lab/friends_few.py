"""A few people of the game of friends in its second round: what one has been shown, and a plan that keeps the rules."""

from __future__ import annotations

from sandbox.lab.friends.model import COM, DM, POST, SUPPORTIVE, Act, Item, Rules
from sandbox.lab.friends.persona import Cast, shipped
from sandbox.lab.friends.plan import View

RULES = Rules()
HANDLES = ("ann", "ben", "cleo")
POSTED = Act(4, 1, POST, 1, topic="floods")
WRITTEN = Act(7, 1, DM, 2, 0, topic="storms", sentiment=0.8)
VIEW = View(0, 2, HANDLES, "climate change", (POSTED,), (WRITTEN,), closeness=(0.0, 0.0, 0.0))
GOOD = (
    Item(POST, topic="floods", mention=True),
    Item(COM, None, "floods", 4, tone=SUPPORTIVE),
    Item(DM, "cleo", "storms", 7),
)


def few(n: int = 8) -> Cast:
    return Cast("climate change", shipped().people[:n])
