"""The drama domain: consequences of deeds under pressure, pressures that act by themselves, events from outside."""

from __future__ import annotations

from sandbox.core.domain import Domain, Phase, System
from sandbox.drama import outcomes, scene, taking_sides
from sandbox.drama.claims import move_in
from sandbox.drama.consequences import draw_consequences
from sandbox.drama.friend_limit import HANDLERS as ROOM
from sandbox.drama.friend_limit import drift_ties
from sandbox.drama.goals import pursue_goals
from sandbox.drama.needs import need, spend
from sandbox.drama.pressure_clock import press
from sandbox.drama.truth import come_to_know

DRAMA = Domain(
    "drama",
    handlers={**outcomes.HANDLERS, **taking_sides.HANDLERS, **ROOM},
    memories={**outcomes.REMEMBER, **taking_sides.REMEMBER},
    systems=(
        System(lambda: draw_consequences, (Phase.CONSEQUENCES,)),
        System(lambda: need, (Phase.NEEDS,)),
        System(lambda: spend, (Phase.MONEY,)),
        System(lambda: outcomes.decide, (Phase.DECISIONS,)),
        System(lambda: scene.show, (Phase.SHOWDOWNS,)),
        System(lambda: press, (Phase.PRESSURES,)),
        System(lambda: come_to_know, (Phase.TRUTH,)),
        System(lambda: drift_ties, (Phase.TIES,)),
        System(lambda: move_in, (Phase.HOMES,)),
        System(lambda: pursue_goals, (Phase.GOALS,)),
    ),
)
