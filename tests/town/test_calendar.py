from datetime import datetime
from itertools import pairwise

import pytest

from sandbox.core.clock import HOUR, Clock
from sandbox.engine.scenario import Scenario
from sandbox.town.calendar import Calendar
from sandbox.town.plan import Occasion

TUESDAY = Clock(datetime(2025, 3, 4, 7, 30))


def occasion(id_: str, hour: int, **more: object) -> Occasion:
    return Occasion(id_, id_.title(), hour * HOUR, (hour + 1) * HOUR, "Chapel / nave", "pray", **more)


CALENDAR = Calendar(
    [
        occasion("late", 20, days=("every",), who=("mara",)),
        occasion("market", 7, days=("tue", "sat"), who=("mara", "bo")),
        occasion("once", 9, on="2025-03-05", who=("bo",)),
        occasion("office", 8, days=("weekdays",), who=("bo",)),
    ],
    TUESDAY,
)


def names(found: tuple[Occasion, ...]) -> list[str]:
    return [o.id for o in found]


def test_a_day_has_its_occasions_earliest_first() -> None:
    assert names(CALENDAR.on(1)) == ["market", "office", "late"]
    assert names(CALENDAR.on(2)) == ["office", "once", "late"]
    assert names(CALENDAR.on(5)) == ["market", "late"]
    assert names(CALENDAR.on(6)) == ["late"]
    assert names(CALENDAR.on(1)) == ["market", "office", "late"]


def test_a_person_has_those_they_come_to() -> None:
    assert names(CALENDAR.of("mara", 2)) == ["late"]
    assert names(CALENDAR.of("bo", 2)) == ["office", "once"]
    assert CALENDAR.of("nobody", 1) == ()


@pytest.mark.parametrize("day", range(1, 8))
def test_nobody_in_larkspur_is_to_be_in_two_places_at_once(larkspur: Scenario, day: int) -> None:
    calendar = Calendar(larkspur.calendar, TUESDAY)
    for p in larkspur.cast:
        found = calendar.of(p.id, day)
        for a, b in pairwise(found):
            assert a.to <= b.from_, f"{p.id}: {a.title} and {b.title}"
