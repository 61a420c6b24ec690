"""How ties stood at any moment, as the log tells it, and as the town itself had it."""

from __future__ import annotations

import pytest
from lived import Day, founding
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.drama.friend_limit import Drifted
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.guest_handlers import Came
from sandbox.people.persona import PastTie
from sandbox.people.pressure_model import Ended, Turned
from sandbox.people.ties import closeness_at, kind
from sandbox.readers.all_stories import event_ties
from sandbox.readers.tielines import BEFORE, KINDS, Pair, TieChange, TieLines, TieState, day_ends, tie_states
from sandbox.talk.model import Closed, Relation

A, B, C = "mara", "otis", "una"


def stood(world: World) -> dict[Pair, TieState]:
    """As the town itself has it."""
    day, p = world.clock.day(world.now), world.tie_parameters
    return {
        (u, v): TieState(closeness_at(tie, day, p), tie.feeling, tie.talks)
        for u, row in world.people.ties.items()
        for v, tie in row.items()
        if tie.closeness or tie.feeling or tie.talks
    }


@pytest.mark.slow
def test_at_every_hour_it_says_what_the_town_had(day: Day) -> None:
    world = World.found(founding(day.scenario))
    lines = TieLines(world)
    assert lines.at(BEFORE) == stood(world)
    lines.read(day.all())
    for step in day.steps:
        for record in step:
            world.apply(record)
        world.advance(world.step + 1)
        if world.step % 60 == 0:
            assert lines.at(world.now - 1) == stood(world)
    assert lines.at(world.now) == stood(day.world) == tie_states(day.world)
    assert len({*lines.at(world.now).values()} - {*lines.at(BEFORE).values()}) > 50


def test_read_as_it_comes_it_says_the_same(day: Day) -> None:
    world = World.found(founding(day.scenario))
    lines, other = TieLines(world), TieLines(world)
    lines.read(day.all())
    for step in day.steps:
        other.read(step)
    assert all(lines.at(t) == other.at(t) for t in range(BEFORE, DAY, HOUR))


def test_a_line_holds_every_change_that_is_told(day: Day) -> None:
    lines = TieLines(World.found(founding(day.scenario)))
    before = {two: [*lines.line(*two)] for two in lines.at(BEFORE)}
    lines.read(day.all())
    told: dict[Pair, list[TieChange]] = before
    for at, e in day.all():
        for m in event_ties(e):
            told.setdefault((m.who, m.whom), []).append(TieChange(at.t, at.seq, m.what, m.delta, m.after, m.why))
    assert {two: [*lines.line(*two)] for two in told} == told
    assert sum(map(len, told.values())) > 200


def test_every_type_of_event_that_moves_a_tie_is_read() -> None:
    said = {e for e in EVENTS.values() if {"Relation", "Turned"} & {*_words(e)}}
    assert {e.KIND for e in said | {Came}} == {*KINDS}, "and a guest brings some"
    assert {"talk_closed", "drifted", "pressure_ended", "showdown", "exchanged"} <= {*KINDS}


def _words(e: type[Event]) -> list[str]:
    return " ".join(map(str, e.__annotations__.values())).replace("[", " ").replace(",", " ").split()


class Log:
    """A town that begins with one tie, and a log written by hand."""

    def __init__(self, larkspur: Scenario) -> None:
        past = {A: (PastTie(B, 0.25, 0.8, "neighbours for years"),)}
        cast = tuple(replace(p, history=past.get(p.id, ())) for p in larkspur.cast)
        self.world = World.found(founding(replace(larkspur, cast=cast)))
        self.lines, self.seq = TieLines(self.world), 1

    def add(self, t: int, e: Event) -> None:
        self.seq += 1
        self.lines.read([Record(Stamp(self.seq, 1, t, A, ()), e)])


def closed(*relations: Relation) -> Closed:
    return Closed("t1", (A, B), "the weather", "warm", "", relations)


def test_closeness_fades_by_the_day_and_a_feeling_stays(larkspur: Scenario) -> None:
    log = Log(larkspur)
    half = log.world.tie_parameters.half_life
    found = log.lines.at(log.world.clock.midnight(int(half) + 1))[A, B]
    assert (found.closeness, found.feeling) == (0.8 / 2, 0.25), "the first day takes nothing"
    log.add(2 * DAY, Drifted((Relation(A, B, 0.0, 0.25, -0.2, 0.6, 0.0, "has less time"),)))
    assert log.lines.at(2 * DAY)[A, B].closeness == 0.6
    assert log.lines.at(2 * DAY - 1)[A, B].closeness == 0.8 * 2 ** (-2 / half), "the third day"
    assert log.lines.at(BEFORE) == {(A, B): TieState(0.8, 0.25)}


def test_the_last_of_one_second_counts_and_a_feeling_leaves_closeness_alone(larkspur: Scenario) -> None:
    log = Log(larkspur)
    log.add(50, closed(Relation(B, A, 0.1, 0.1, 0.2, 0.2, 0.2, "a warm talk"), Relation(A, B, 0, 0.25, 0, 0.8, 0, "")))
    log.add(50, Ended("row", "row", False, feelings=(Turned(B, A, -0.4, -0.3, "was shouted at"),)))
    assert (B, A) not in log.lines.at(49)
    found = log.lines.at(50)[B, A]
    assert found == TieState(0.2, -0.3, 1)
    assert found.kind == kind(-0.3, 0.2, 1) == "sour"
    assert log.lines.at(50)[A, B].talks == 1
    assert [*log.lines.line(B, A)] == [
        TieChange(50, 2, "feeling", 0.1, 0.1, "a warm talk"),
        TieChange(50, 2, "closeness", 0.2, 0.2, "a warm talk"),
        TieChange(50, 3, "feeling", -0.4, -0.3, "was shouted at"),
    ]
    assert [(m.seq, m.what, m.after, m.why) for m in log.lines.line(A, B)] == [
        (0, "closeness", 0.8, "neighbours for years"),
        (0, "feeling", 0.25, "neighbours for years"),
    ]
    assert not log.lines.line(A, C)


def test_moments_are_the_ends_of_days(larkspur: Scenario) -> None:
    log = Log(larkspur)
    clock = log.world.clock
    last = clock.midnight(4) + 5
    found = day_ends(clock, last)
    assert [clock.day(t) for t in found] == [1, 2, 3, 4]
    assert [clock.day(t + 1) for t in found[:-1]] == [2, 3, 4]
    assert found[-1] == last
    assert day_ends(clock, 0) == [0]
