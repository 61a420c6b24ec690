"""Room for few: what grows beyond it costs the ties that were least fed; a home feeds those who share it."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import again, founding
from msgspec.structs import replace
from staged import Stage

from sandbox.core.events import Record, Stamp
from sandbox.drama.friend_limit import Drifted, drift_ties
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken
from sandbox.people.ties import Tie, TieCause, closeness_at, crowded_out
from sandbox.readers.all_stories import event_sentence, event_ties
from sandbox.readers.story import Teller
from sandbox.readers.weeks import Weeks
from sandbox.talk.model import Relation

NEW = 0.19  # what Otis has become to Mara today
FRIENDS = {
    "otis": 7000,
    "una": 100,
    "clem": 200,
    "esme": 300,
    "noor": 5000,
    "zeno": 6000,
}  # when she last talked to each


def evening(scenario: Scenario, room: float = 3.2, **more: str) -> Stage:
    """The last minute of a day on which Mara has found much in Otis, and has been at home with nobody."""
    rules = {**scenario.rules, **more}
    stage = Stage(replace(scenario, rules=rules, parameters={**scenario.parameters, "ties.room": room}))
    w = stage.world
    w.people.ties = {"mara": {v: Tie(0.5, 0.1, 0, last_talk=t) for v, t in FRIENDS.items()}}
    w.people.ties["mara"]["otis"] = Tie(
        0.6, 0.4, 1, NEW, 1, 7000, [TieCause("closeness", NEW, 7000, 1, "talked about it")]
    )
    w.people.ties["mara"] |= {"basil": Tie(0.9, 0.4, 0), "wilf": Tie(0.0, 0.0, 0)}
    return stage


def night(stage: Stage, minute: int = -1) -> list[Record]:
    """What that minute before or after midnight leaves of ties."""
    step = stage.step(stage.world.clock.midnight(2) + 60 * minute)
    asyncio.run(drift_ties(step, stage.world))
    stage.records += step.records
    return step.records


def stands(w: World, day: int) -> dict[str, float]:
    return {v: closeness_at(tie, day, w.tie_parameters) for v, tie in w.people.ties["mara"].items()}


def test_what_grows_beyond_the_room_there_is_costs_the_least_fed(larkspur: Scenario) -> None:
    stage = evening(larkspur)
    before = stands(stage.world, 2)
    (record,) = night(stage)
    after = stands(stage.world, 2)
    assert sum(after.values()) == pytest.approx(3.2, abs=1e-5)
    assert [r.v for r in record.event.relations if r.closeness_delta] == ["una", "clem", "esme"]  # the longest unfed
    assert after["una"] == pytest.approx(before["una"] / 2)  # in a day no more than half
    assert {v: x for v, x in after.items() if v in ("otis", "noor", "zeno")} == {
        v: before[v] for v in ("otis", "noor", "zeno")
    }
    assert all(r.feeling in (0.1, 0.4) and r.feeling_delta == 0.0 for r in record.event.relations)


def test_the_ledger_says_who_had_less_time_for_whom_and_which_talk_it_came_of(larkspur: Scenario) -> None:
    stage = evening(larkspur)
    (record,) = night(stage)
    cause = stage.world.people.ties["mara"]["una"].causes[-1]
    assert (cause.what, cause.why) == ("closeness", "has less time for Una, and more for Otis")
    assert (cause.seq, record.stamp.causes) == (record.stamp.seq, (1,))
    assert [(x.who, x.whom, x.delta < 0) for x in event_ties(record.event)] == [
        ("mara", v, True) for v in ("una", "clem", "esme")
    ]
    assert "Mara has drifted away from Una" in event_sentence(record, Teller(stage.world.handbook))


def test_ties_that_went_alike_in_a_night_are_told_together(larkspur: Scenario) -> None:
    teller = Teller(Stage(larkspur).world.handbook)
    lost = (("una", 0.55, -0.1), ("clem", 0.25, -0.1), ("esme", 0.55, -0.1), ("noor", 0.5, -0.01))
    ties = tuple(Relation("mara", v, 0.0, 0.1, delta, left, 0.0, "") for v, left, delta in lost)
    record = Record(Stamp(1, 0, 0, "mara", ()), Drifted(ties))
    assert (
        event_sentence(record, teller)
        == "Mara has cooled a little towards Una and Esme, and has drifted away from Clem"
    )


def test_who_lives_under_one_roof_keeps_close_without_a_word_until_they_move_out(larkspur: Scenario) -> None:
    stage = evening(larkspur)
    for n in range(3):
        stage.records += night(stage, 1440 * n - 1)
    assert stands(stage.world, 4)["basil"] == 0.9
    assert stands(stage.world, 4)["zeno"] < 0.5
    home = next(c for c in stage.world.claims.open.values() if (c.kind, c.a) == ("lodges", "basil"))
    step = stage.step(stage.world.clock.midnight(4))
    step.emit(Broken(home.id, "lodges", "basil", why="a row"), t=step.now, actor="basil")
    stage.world.cast["basil"] = replace(stage.world.cast["basil"], household="the mill")
    night(stage, 3 * 1440 - 1)
    assert stands(stage.world, 5)["basil"] < 0.9


@pytest.mark.parametrize(("room", "rules"), [(0.0, {}), (3.2, {"drama": "off"})], ids=["no room", "no drama"])
def test_without_it_ties_are_as_the_paper_has_them(larkspur: Scenario, room: float, rules: dict[str, str]) -> None:
    stage = evening(larkspur, room, **rules)
    assert night(stage) == []
    assert sum(stands(stage.world, 2).values()) > 3.2


def test_it_comes_as_a_day_ends_and_only_where_something_has_grown(larkspur: Scenario) -> None:
    for minute in (-2, 0):
        assert night(evening(larkspur), minute) == []
    stage = evening(larkspur)
    stage.world.people.ties["mara"]["otis"].grown = 0.0
    (record,) = night(stage)
    assert [(r.v, r.closeness_delta) for r in record.event.relations] == [("basil", 0.0)]


def test_a_replay_comes_to_the_same_ties_and_weeks_read_them(larkspur: Scenario) -> None:
    stage = evening(larkspur)
    twin, weeks = evening(larkspur), Weeks(stage.world)
    night(stage)
    for stamp, e in again(stage.records):
        twin.world.apply(Record(stamp, e))
    assert twin.world.people == stage.world.people
    weeks.read(stage.records)
    assert weeks._closeness(1)["mara", "una"] == stands(stage.world, 1)["una"]
    assert isinstance(stage.records[0].event, Drifted)
    assert World.found(founding(larkspur)).tie_parameters.room == 5.0


share = st.floats(0, 1)


@given(st.lists(st.tuples(st.integers(-1, 99), share), max_size=20), st.floats(-1, 9))
def test_ties_give_no_more_than_they_must_and_each_at_most_half(ties: list[tuple[int, float]], over: float) -> None:
    fed = [(t, close, str(i)) for i, (t, close) in enumerate(ties)]
    gives = crowded_out(fed, over)
    assert sum(gives.values()) <= max(0.0, over) + 1e-9
    for _, close, who in fed:
        assert 0 <= gives.get(who, 0.0) <= (close / 2 if close >= 0.05 else close)
    kept = [fed_ for fed_ in sorted(fed) if fed_[2] not in gives and fed_[1] > 0]
    assert not kept or over <= sum(gives.values()) + 1e-9  # nobody is spared before the room is enough
