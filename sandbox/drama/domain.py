"""Drama as a domain: what comes of deeds under pressure, what presses by itself, and what comes from outside."""

from __future__ import annotations

from sandbox.core.domain import Domain, Place, System
from sandbox.drama.deal import deal
from sandbox.drama.goals import goals
from sandbox.drama.needs import need
from sandbox.drama.outcomes import HANDLERS, REMEMBER, decide
from sandbox.drama.press import press
from sandbox.drama.spend import spend

DRAMA = Domain(
    "drama",
    handlers=HANDLERS,
    memories=REMEMBER,
    systems=(
        System(lambda: deal, (Place.CONSEQUENCES,)),
        System(lambda: need, (Place.NEEDS,)),
        System(lambda: spend, (Place.MONEY,)),
        System(lambda: decide, (Place.DECISIONS,)),
        System(lambda: press, (Place.PRESSURES,)),
        System(lambda: goals, (Place.GOALS,)),
    ),
)
