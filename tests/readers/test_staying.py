"""Whether what befalls people stays: measures of marks and of the habits they change, from a log written by hand."""

from __future__ import annotations

import pytest
from lived import founding
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.mark_model import Marked
from sandbox.people.model import Block, Chose, Felt, Planned
from sandbox.people.mood import Pad
from sandbox.readers.staying import Staying

NOON = 5 * HOUR  # of day 1, in seconds of the world
OUTCOME = 50


class Log:
    def __init__(self, scenario: Scenario) -> None:
        self.world = World.found(founding(scenario))
        self.nature = self.world.people.residents["mara"].mood.rest
        self.reader = Staying(self.world)
        self.seq = 100

    def add(self, t: int, e: Event, *causes: int, who: str = "mara") -> None:
        self.seq += 1
        self.reader.read(Record(Stamp(self.seq, t // 60 + 1, t, who, causes), e))

    def mark(self, t: int, habit: str, do: str = "", outcome: int = OUTCOME, who: str = "mara") -> None:
        delta = Pad(-0.2, 0.0, 0.0)
        after = Pad(*(x + y for x, y in zip(self.nature, delta, strict=True)))
        self.add(t, Marked(delta, after, "distress", "Otis said no", 3 * DAY, habit, "otis", do), outcome, who=who)

    def plan(self, t: int, *causes: int, who: str = "mara") -> None:
        self.add(t, Planned(1, (Block(t, t + HOUR, "walk", "Mill Meadow / meadow", ""),)), *causes, who=who)

    def does(self, t: int, block: str) -> None:
        self.add(t, Chose(block, block, "Mill Meadow / meadow", "", 1, 1, 600, 1, True))

    def of(self, key: str, *days: int) -> float | None:
        return self.reader.of(days or (1,))[key]


@pytest.fixture
def log(larkspur: Scenario) -> Log:
    return Log(larkspur)


def test_a_habit_is_changed_once_a_plan_is_another_for_it_and_what_is_to_be_done_is_done(log: Log) -> None:
    log.mark(NOON, "avoid")
    log.mark(NOON, "do", "letter", 51)
    log.plan(NOON + HOUR, OUTCOME, 51)
    assert log.of("habits_changed") == 1.0, "of the letter nothing can be said yet"
    log.does(NOON + 2 * HOUR, "walk")
    log.does(NOON + 49 * HOUR, "letter")
    assert log.of("habits_changed") == 0.5, "it was written too late"


def test_what_is_begun_for_an_outcome_in_time_counts(log: Log) -> None:
    log.mark(NOON, "do", "letter")
    log.plan(NOON + HOUR, OUTCOME)
    log.does(NOON + 40 * HOUR, "letter")
    assert log.of("habits_changed") == 1.0
    assert log.of("habits_changed", 2) is None


def test_a_plan_for_something_else_or_of_somebody_else_changes_no_habit(log: Log) -> None:
    log.mark(NOON, "avoid")
    log.plan(NOON + HOUR, 77)
    log.plan(NOON + HOUR, OUTCOME, who="una")
    assert log.of("habits_changed") is None, "there is time yet"
    log.plan(NOON + 49 * HOUR, OUTCOME)
    assert log.of("habits_changed") == 0.0


@pytest.mark.parametrize(("felt", "share"), [(-0.1, 1.0), (-0.9, 0.0)])
def test_a_mark_is_on_top_if_it_is_a_third_of_the_mood_a_day_later(log: Log, felt: float, share: float) -> None:
    log.mark(NOON, "avoid")
    assert log.of("rank_on_top") is None
    t = NOON + DAY - 60
    now = Pad(log.nature.p + felt, *log.nature[1:])
    log.add(t, Felt(Pad(felt, 0, 0), now, "anger", "a row"))
    log.plan(NOON + DAY + 60)
    assert log.of("rank_on_top") == share


def test_a_world_without_marks_has_nothing_to_measure(larkspur: Scenario) -> None:
    log = Log(replace(larkspur, drama=replace(larkspur.drama, marks=())))
    log.plan(NOON)
    assert log.reader.of((1,)) == {"habits_changed": None, "rank_on_top": None}
