"""What holds drama back: rests between turns, rows and breaks a day, the storyteller's silence, and mercy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from lived import Log, engine_of, log_of, run
from measured import larkspur as town
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Record, Stamp
from sandbox.drama.outcomes import BY
from sandbox.drama.pressure_clock import AFTER_BREAK, FROM, GRACE, TO
from sandbox.drama.seeking import LIKES, WITHIN
from sandbox.drama.taking_sides import SHOWDOWN
from sandbox.drama.truth import KNOWN
from sandbox.drama.turns import find_turn
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned
from sandbox.people.model import Block
from sandbox.people.pressure_deck import Effect, kindness
from sandbox.people.pressure_model import Began, Ended, Sought, Sparked, Stirred
from sandbox.people.ties import Tie, pair_key
from sandbox.talk.pressure_aims import SOON

DAYS, LONG = 3, 300


@pytest.fixture(scope="module")
def lived() -> tuple[World, Log]:
    """Three days with a storyteller who never tires, knows few stories, and may tell each again on the next day."""
    scenario = town(3, "rules.storyteller=stormy")
    again = {id: replace(spark, cooldown=1) for id, spark in [*scenario.drama.sparks.items()][::40]}
    engine = engine_of(replace(scenario, drama=replace(scenario.drama, sparks=again), step=LONG))
    run(engine, DAYS * DAY // LONG)
    return engine.world, log_of(engine)


class Known:
    """What a reader knows of a pressure: who has it with whom, and its hour before an event touched it."""

    def __init__(self, stamp: Stamp, e: Began) -> None:
        self.people, self.due = (stamp.actor, e.about), e.due


def touched(log: Log) -> Iterator[tuple[Stamp, Stirred | Ended, Known]]:
    """Every event that touched a pressure."""
    known: dict[str, Known] = {}
    for stamp, e in log.all():
        if isinstance(e, Began):
            known[e.id] = Known(stamp, e)
        elif isinstance(e, (Stirred, Ended)):
            yield stamp, e, known[e.id]
            if isinstance(e, Stirred):
                known[e.id].due = e.due


def broke(e: Stirred | Ended) -> bool:
    """Whether it is one of the breaks of a day."""
    return e.turn and (isinstance(e, Stirred) or (e.hostile and not e.good))


def in_a_day(times: list[int]) -> int:
    """The most of them within 24 hours."""
    return max((sum(0 <= t - x < DAY for x in times) for t in times), default=0)


@pytest.mark.slow
def test_a_person_rests_150_minutes_between_two_turns_but_for_what_is_kept_at_its_hour(lived: tuple) -> None:
    last: dict[str, int] = {}
    turns = 0
    planned = {e.id for _, e in lived[1].all() if isinstance(e, GoalPlanned)}  # whose last step is no turn of its deck
    for stamp, e, known in touched(lived[1]):
        if not e.turn:
            continue
        turns += 1
        at_its_hour = known.due >= 0 and abs(known.due - stamp.t) < SOON + 15 * MINUTE  # a talk takes its minutes
        kept = isinstance(e, Ended) and ((e.answer and not e.hostile and at_its_hour) or e.by in (BY, KNOWN))
        kept |= isinstance(e, Ended) and e.id in planned and e.good
        for who in {stamp.actor, e.to} if isinstance(e, Stirred) else set(known.people):
            if who:
                assert kept or stamp.t - last.get(who, -DAY) >= 150 * MINUTE, (who, stamp.t, e)
                last[who] = stamp.t
    assert turns > 20


@pytest.mark.slow
def test_a_pair_confronts_at_most_once_in_six_hours(lived: tuple) -> None:
    faced: dict[tuple[str, str], list[int]] = {}
    for stamp, e, _ in touched(lived[1]):
        if e.hostile and not (isinstance(e, Ended) and e.by == SHOWDOWN):  # which may grow out of a row
            faced.setdefault(pair_key(stamp.actor, e.to), []).append(stamp.t)
    assert sum(map(len, faced.values())) > 5  # rows there are, whether or not a pair has had two
    assert all(b - a >= 6 * HOUR for times in faced.values() for a, b in pairwise(times))


@pytest.mark.slow
def test_a_day_has_two_breaks_and_eight_rows_at_most(lived: tuple) -> None:
    breaks = [stamp.t for stamp, e, _ in touched(lived[1]) if broke(e)]
    rows = [stamp.t for stamp, e, _ in touched(lived[1]) if e.hostile]
    assert breaks
    assert rows
    assert in_a_day(breaks) <= 2
    assert in_a_day(rows) <= 8


@pytest.mark.slow
def test_stages_come_one_at_a_time_an_hour_apart(lived: tuple) -> None:
    stages: dict[str, tuple[int, int]] = {}
    climbed = 0
    for stamp, e in lived[1].all():
        if isinstance(e, Began):
            stages[e.id] = e.stage, -DAY
        elif isinstance(e, Stirred | GoalAdvanced) and e.stage != stages[e.id][0]:
            before, since = stages[e.id]
            assert e.stage == before + 1
            assert stamp.t - since >= HOUR
            stages[e.id] = e.stage, stamp.t
            climbed += 1
    assert climbed > 20


@pytest.mark.slow
def test_the_storyteller_is_silent_at_night_and_after_a_break(lived: tuple) -> None:
    w, log = lived
    breaks = [stamp.t for stamp, e, _ in touched(log) if broke(e)]
    fell = [(stamp.t, e.id) for stamp, e in log.all() if isinstance(e, Sparked)]
    assert fell
    assert breaks
    for t, _ in fell:
        assert FROM <= w.clock.second_of_day(t) < TO
        assert not any(0 <= t - b < AFTER_BREAK - LONG for b in breaks)
    times: dict[str, list[int]] = {}
    for t, id in fell:
        times.setdefault(id, []).append(t)
    assert max(map(len, times.values())) > 1
    assert all(b - a >= w.drama.sparks[id].cooldown * DAY for id, x in times.items() for a, b in pairwise(x))


def test_enough_has_broken_for_a_day_even_at_its_hour(larkspur: Scenario) -> None:
    """A third row that would end in anger is a row, and no end; nothing is born of it."""
    stage = Stage(larkspur, pressure("grudge", stage=2, due=hours(2)))
    p = stage.wake()
    stage.world.pressures.breaks[:] = [MINUTE, MINUTE]
    effect = Effect(end="fell_out", actor=-0.2, children=("insulted",))
    (event,) = stage.move(hours(2), p, effect, "mara", "basil", "confront", answer="refuse", hostile=True)
    assert isinstance(event, Stirred)
    assert not event.turn
    assert event.feelings


# ---- mercy


def bad_day(scenario: Scenario, at: float = 1, **numbers: object) -> Stage:
    """Two things have ended badly for Mara within two hours, from that hour on, and only Thea likes her."""
    two = (pressure("debt", stage=2), pressure("promise", about="wilf", stage=2))
    stage = Stage(scenario, *two, **numbers)
    stage.wake()
    w = stage.world
    w.people.ties = {who: {} for who in w.cast}
    w.people.ties["thea"]["mara"] = Tie(0.5, LIKES, 0, causes=[])
    for r in w.people.residents.values():
        r.awake, r.talk = True, ""
        r.plan = (
            Block(0, hours(at + 13), "walk", w.cast["mara"].home, ""),
            Block(hours(at + 13), hours(at + 13) + DAY, "sleep", "", ""),
        )
    debt, promise = tuple(w.pressures.open.values())
    stage.move(hours(at), debt, Effect(end="defaulted"), "mara", "basil", "late")
    stage.move(hours(at + 1), promise, Effect(end="broken"), "mara", "wilf", "late")
    return stage


def visits(stage: Stage, at: float = 1) -> list[Record]:
    """Who sets out to Mara in the next three hours, and what they have on their mind."""
    for n in range(1, WITHIN // (10 * MINUTE)):
        stage.press(hours(at + 1) + n * 10 * MINUTE)
    return [
        r
        for r in stage.records
        if (isinstance(r.event, Began) and r.event.about == "mara")
        or (isinstance(r.event, Sought) and r.event.whom == "mara")
    ]


def test_after_two_bad_turns_somebody_who_likes_them_comes_and_says_why(larkspur: Scenario) -> None:
    stage = bad_day(larkspur)
    blows = tuple(seq for _, seq, _ in stage.world.pressures.hurt["mara"])
    assert len(blows) == 2
    began, sought, *_ = visits(stage)
    assert {began.stamp.actor, sought.stamp.actor} == {"thea"}
    assert isinstance(began.event, Began)
    assert began.stamp.causes == blows
    assert "bad day" in began.event.cause
    assert isinstance(sought.event, Sought)
    assert sought.event.why == "to find Mara to cheer them up"


def test_a_kindness_is_a_good_turn_and_ends_the_bad_day(larkspur: Scenario) -> None:
    stage = bad_day(larkspur)
    visits(stage)
    w = stage.world
    (p,) = [p for p in w.pressures.open.values() if p.holder == "thea"]
    way = next(way for way in w.drama.kinds[p.kind].ways if way.do == kindness(w.drama))
    (event, *_) = stage.move(hours(5), p, way.accept, "thea", "mara", way.do, answer="accept")
    found = find_turn(event, p.kind, p.about)
    assert found is not None
    assert found.tone == "good"
    assert "mara" not in w.pressures.hurt


@pytest.mark.parametrize("at", [1, 11])
def test_a_bad_day_is_over_at_eight_though_nobody_was_kind(larkspur: Scenario, at: int) -> None:
    """One of an evening at eight the next day."""
    stage = bad_day(larkspur, at)
    visits(stage, at)
    (p,) = [p for p in stage.world.pressures.open.values() if p.holder == "thea"]
    assert stage.world.clock.hhmm(p.due) == "20:00"
    assert p.due - hours(at + 1) < DAY + HOUR
    ended = [r.event for r in stage.press(p.due + GRACE) if isinstance(r.event, Ended) and r.event.id == p.id]
    assert [(e.how, e.turn) for e in ended] == [("faded", False)]


@pytest.mark.parametrize("why", ["one bad turn is no bad day", "nobody likes them", "it is switched off", "asleep"])
def test_nobody_comes_where_nobody_should(larkspur: Scenario, why: str) -> None:
    stage = bad_day(larkspur, **({"mercy": 0} if "off" in why else {}))
    w = stage.world
    if "one" in why:
        del w.pressures.hurt["mara"][0]
    elif "nobody" in why:
        w.people.ties["thea"]["mara"].feeling = LIKES - 0.01
    elif why == "asleep":
        w.people.residents["mara"].awake = False
    assert visits(stage) == []


@pytest.mark.slow
def test_who_has_had_a_bad_day_is_visited_within_three_hours(lived: tuple) -> None:
    """On most such days; the others go to bed, or nobody who likes them can leave what they are at."""
    w, log = lived
    blows: dict[str, list[int]] = {}
    days: list[tuple[str, int]] = []
    for stamp, e, known in touched(log):
        if isinstance(e, Stirred) and e.how == kindness(w.drama) and e.answer:
            blows.pop(e.to, None)
        elif e.turn and (isinstance(e, Stirred) or not e.good):
            for who in {stamp.actor, e.to} if isinstance(e, Stirred) else set(known.people):
                recent = [t for t in blows.get(who, ()) if stamp.t - t < DAY]
                blows[who] = [*recent, stamp.t]
                if len(blows[who]) == 2 and 7 * HOUR < w.clock.second_of_day(stamp.t) < 20 * HOUR:
                    days.append((who, stamp.t))
    came = [
        any(isinstance(e, Sought) and e.whom == who and t <= stamp.t < t + WITHIN for stamp, e in log.all())
        for who, t in days
        if t < DAYS * DAY - WITHIN
    ]
    assert came
    assert sum(came) >= 0.8 * len(came)
