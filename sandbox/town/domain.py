"""Registers the town as a domain: people's positions, objects in use, conditions and the calendar."""

from __future__ import annotations

from typing import Any

import msgspec

from sandbox.core.domain import Domain, ParameterTable, State
from sandbox.core.events import Stamp
from sandbox.town import calendar, conditions
from sandbox.town.calendar import CalledState
from sandbox.town.conditions import ConditionState
from sandbox.town.model import Arrived, HasTown, Move, Placed, Stopped, TownParameters, TownState, Walked
from sandbox.town.ways import Spot


def _settle(w: Any, scenario: Any) -> None:
    drama = scenario.rules.get("drama") != "off"
    occasions = tuple(o if drama else msgspec.structs.replace(o, decides=None) for o in scenario.calendar)
    w.scheduled = occasions


def _check(w: Any, state: TownState, now: int) -> None:
    if set(state.spots) != set(w.cast):
        raise ValueError("other people")


def _moved(w: HasTown, e: Move, stamp: Stamp) -> None:
    w.town.spots[stamp.actor] = e.spot(stamp.t, w.map.width)


TOWN = Domain(
    "town",
    states=(
        State("town", TownState, lambda w: TownState({who: Spot(w.bed_tile(who), 0) for who in w.cast}, {}), _check),
        State("conditions", ConditionState, lambda w: ConditionState(), conditions.check_conditions, later=True),
        State("called", CalledState, lambda w: CalledState(), calendar.check_occasions, later=True),
    ),
    tables=(ParameterTable("town", "town_parameters", TownParameters),),
    settle=_settle,
    derive=calendar.derive,
    handlers={**dict.fromkeys((Placed, Walked, Arrived, Stopped), _moved), **conditions.HANDLERS, **calendar.HANDLERS},
)
