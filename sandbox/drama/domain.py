"""Drama as a domain: what comes of deeds under pressure, what presses by itself, and what comes from outside."""

from __future__ import annotations

from sandbox.core.domain import Domain, Place, System
from sandbox.drama import outcomes, scene, showdown
from sandbox.drama.deal import deal
from sandbox.drama.goals import goals
from sandbox.drama.homes import move_in
from sandbox.drama.needs import need
from sandbox.drama.press import press
from sandbox.drama.room import HANDLERS as ROOM
from sandbox.drama.room import drift
from sandbox.drama.spend import spend
from sandbox.drama.truth import know

DRAMA = Domain(
    "drama",
    handlers={**outcomes.HANDLERS, **showdown.HANDLERS, **ROOM},
    memories={**outcomes.REMEMBER, **showdown.REMEMBER},
    systems=(
        System(lambda: deal, (Place.CONSEQUENCES,)),
        System(lambda: need, (Place.NEEDS,)),
        System(lambda: spend, (Place.MONEY,)),
        System(lambda: outcomes.decide, (Place.DECISIONS,)),
        System(lambda: scene.show, (Place.SHOWDOWNS,)),
        System(lambda: press, (Place.PRESSURES,)),
        System(lambda: know, (Place.TRUTH,)),
        System(lambda: drift, (Place.TIES,)),
        System(lambda: move_in, (Place.HOMES,)),
        System(lambda: goals, (Place.GOALS,)),
    ),
)
