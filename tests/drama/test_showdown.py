"""Showdowns: two have it out before everybody, all who have a stake take sides by named reasons, and it is settled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from lived import again, founding
from staged import Stage, pressure

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.core.protocols import Question
from sandbox.drama.scene import LIKELY, show
from sandbox.drama.taking_sides import (
    ABOUT,
    BROKEN,
    HOLDER,
    PACE,
    PEACE,
    Showdown,
    SideChoice,
    decide_showdown,
    side,
    side_rules,
    sum_rules,
)
from sandbox.engine.engine import Running
from sandbox.engine.registry import REGISTRY
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.claim_model import Broken, Made
from sandbox.people.handlers import tie
from sandbox.people.pressure_model import ActivePressure, Ended
from sandbox.people.pressure_rules import count_last_day
from sandbox.readers.all_stories import STORIES, event_sentence
from sandbox.readers.incidents import Incidents
from sandbox.readers.story import Teller, WrappedText, default_notable
from sandbox.talk.saying import Say
from sandbox.town.ways import Spot
from sandbox.tui.view.speech import CurrentTalks

CROWD = ("mara", "vera", "basil", "quentin", "greta", "otis", "pip")
NOON = DAY + 4 * HOUR + HOUR // 2


class Gathered(Stage):
    """Mara has something against Vera, and both stand on the market among some others."""

    def __init__(self, larkspur: Scenario, kind: str = "grudge", **numbers: object) -> None:
        super().__init__(larkspur, pressure(kind, "mara", "vera", stage=2), **numbers)
        self.p: ActivePressure = self.wake()
        self.p.t, self.now = NOON, NOON
        w = self.world
        self.asked: list[Question] = []
        w.people.ties.clear()
        tiles = w.map.areas[self.area].tiles
        for who in w.cast:
            w.town.spots[who] = Spot(w.bed_tile(who) if who not in CROWD else tiles[CROWD.index(who)], 0)
            w.people.residents[who].awake = who in CROWD

    @property
    def area(self) -> str:
        return next(a for a in self.world.map.areas if a.startswith("Market Square"))

    def look(self, t: int = 0) -> list[Record]:
        """What comes of a look in the minute at t, at noon unless given."""
        w, t = self.world, t or self.now
        w.now, w.step = t, w.step + 1
        mind, asked = EmbeddedMind(w.chance, w.scenario.lines), self.asked

        class Hearing:
            async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> Any:
                asked.extend(questions)
                return await mind.answer(questions, step, wave)

            def reads(self, question: Question) -> bool:
                return False

        step = Running(w, Hearing())
        asyncio.run(show(step, w))
        return step.records

    def scene(self) -> list[Record]:
        """Looks until it has come to it."""
        for n in range(10):
            if found := self.look(NOON + n * HOUR // 6):
                return found
        raise AssertionError("it never came to it")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever may come to it does so when it is first looked for."""
    monkeypatch.setattr("sandbox.drama.scene.LIKELY", dict.fromkeys(LIKELY, 1.0))


def event(records: list[Record]) -> Showdown:
    (found,) = (r.event for r in records if isinstance(r.event, Showdown))
    return found


# ---- the scene


def test_two_have_it_out_and_those_concerned_take_sides_by_reasons_that_are_named(larkspur: Scenario) -> None:
    e = event(Gathered(larkspur).scene())
    assert [(x.line.who, x.line.move) for x in e.turns[:2]] == [("mara", "call_out"), ("vera", "stand_firm")]
    assert (e.side("basil"), e.side("quentin")) == (HOLDER, ABOUT), "each stands by whom they are married to"
    assert 5 <= len(e.turns) <= 8
    said = [key for turn in e.turns for key in turn.line.variants]
    assert len(said) == len({*said}), "nobody says what another has just said"
    assert {"otis", "pip"} <= {*e.there}, "who has no stake looks on, and so does a child"
    for turn in e.turns[2:]:
        assert turn.score == pytest.approx(sum_rules(turn.why))
    couple = next(rule for x in e.turns if x.line.who == "basil" for rule in x.why if rule.value > 0.5)
    assert couple.name == "Mara and Basil are a couple"


def test_what_is_said_is_asked_of_the_mind_which_is_told_what_was_said_before(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    e = event(stage.scene())
    asked = [q for q in stage.asked if isinstance(q, Say)]
    assert [(q.who, q.moves[-1]) for q in asked] == [(x.line.who, x.line.move) for x in e.turns]
    assert asked[-1].before == tuple((x.line.who, x.line.text) for x in e.turns[:-1])


def test_it_settles_the_matter_as_one_act_and_everybody_there_knows(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    records = stage.scene()
    e, w = event(records), stage.world
    (end,) = (r.event for r in records if isinstance(r.event, Ended) and r.event.id == "grudge")
    assert (end.how, end.by, end.hostile) == (e.end, "showdown", True)
    assert "grudge" not in w.pressures.open
    assert count_last_day(w.pressures.rows, w.now) == 1
    assert count_last_day(w.pressures.breaks, w.now) == int(not end.good)
    for who in (*e.there, "basil", "quentin"):
        assert any(w.beliefs.facts[id].how == e.end for id in w.beliefs.held[who]), who
    for who in (*e.speakers, *e.there):
        assert any("before everybody" in m.text for m in w.memories.streams[who]), who


def test_who_takes_a_side_unasked_makes_a_friend_of_it_and_a_friend_who_speaks_against_one_is_lost(
    larkspur: Scenario,
) -> None:
    stage = Gathered(larkspur)
    people = stage.world.people  # Greta and Vera stand by each other, till now
    tie(people, "greta", "mara").feeling, tie(people, "greta", "vera").feeling = 1.0, -1.0
    records = stage.scene()
    e = event(records)
    assert e.side("greta") == HOLDER
    made = [(r.event.a, r.event.b) for r in records if isinstance(r.event, Made)]
    assert made == [("greta", "mara")], "those who are married to one are bound to, and the first makes a friend of it"
    assert {r.event.kind for r in records if isinstance(r.event, Broken)} == {"ally"}


def test_it_replays_to_the_same_world(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    before = stage.world.snapshot()
    records = stage.scene()
    twin = World.found(founding(stage.world.scenario))
    twin.restore(before)
    for record in again(records):
        twin.apply(record)
    assert twin.showdowns == stage.world.showdowns
    assert twin.beliefs == stage.world.beliefs
    assert twin.people == stage.world.people


# ---- when


def _nobody_else(stage: Gathered) -> None:
    for who in CROWD[4:]:
        stage.world.people.residents[who].awake = False


def _no_ties(stage: Gathered) -> None:
    stage.world.claims.of.clear()


def _half_way(stage: Gathered) -> None:
    stage.p.stage = 1


def _apart(stage: Gathered) -> None:
    stage.world.town.spots["vera"] = Spot(stage.world.bed_tile("vera"), 0)


def _had_one(stage: Gathered) -> None:
    stage.world.showdowns.held["another"] = NOON - DAY // 2


def _first_day(stage: Gathered) -> None:
    stage.now = NOON - DAY


def _had_theirs(stage: Gathered) -> None:
    stage.world.showdowns.held[stage.p.thread] = NOON - 5 * DAY


def _broken_enough(stage: Gathered) -> None:
    stage.world.pressures.breaks[:] = [NOON - HOUR] * stage.world.pressure_parameters.breaks


LACKS = (_nobody_else, _no_ties, _half_way, _apart, _had_one, _first_day, _had_theirs, _broken_enough)


@pytest.mark.parametrize("change", LACKS, ids=lambda f: f.__name__)
def test_it_needs_a_crowd_a_stake_a_ripe_matter_and_a_town_that_has_room_for_it(
    larkspur: Scenario, change: Callable[[Gathered], None]
) -> None:
    stage = Gathered(larkspur)
    change(stage)
    assert stage.look() == []
    assert Gathered(larkspur).look() != []


def test_nobody_is_called_to_account_for_what_is_not_due_yet(larkspur: Scenario) -> None:
    for due in (NOON + 6 * HOUR, NOON - HOUR):
        stage = Gathered(larkspur, "debt")
        stage.p.due = due
        assert bool(stage.look()) is (due < NOON)


def test_a_world_may_have_none(larkspur: Scenario) -> None:
    assert Gathered(larkspur, showdowns=0).look() == []


# ---- sides and verdicts


def test_an_opinion_turns_with_who_has_spoken_before(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    w, p = stage.world, stage.p
    tie(w.people, "otis", "basil").feeling = 0.8
    alone = sum_rules(side_rules(w, p, "mara", "otis", NOON))
    heard = side_rules(w, p, "mara", "otis", NOON, [SideChoice("basil", HOLDER, 1.0, ())])
    assert sum_rules(heard) > alone
    assert "has heard Basil" in [rule.name for rule in heard]


def test_only_the_undecided_are_left_to_chance(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    w, p = stage.world, stage.p
    decided = side_rules(w, p, "mara", "basil", NOON)
    assert {side("basil", decided, 0.0, w.chance.stream(0, str(n), "x")).side for n in range(40)} == {HOLDER}
    unsure = [side("otis", (), 0.0, w.chance.stream(0, str(n), "x")) for n in range(40)]
    assert {x.side for x in unsure} == {HOLDER, ABOUT, PEACE}
    assert all(x.score == pytest.approx(sum_rules(x.why)) for x in unsure)


def test_whoever_has_fewer_voices_gives_way_or_it_breaks(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    w, p = stage.world, stage.p
    three = [SideChoice(who, HOLDER, 1.0, ()) for who in ("basil", "greta", "otis")]
    feeling = tie(w.people, "vera", "mara")
    feeling.feeling = 1.0
    assert decide_showdown(w, p, three, NOON)[:2] == (HOLDER, "vera")
    feeling.feeling = -1.0
    w.people.residents["vera"].mood.pad = w.people.residents["vera"].mood.pad._replace(p=-1.0)
    assert decide_showdown(w, p, three[:1], NOON)[:2] == (BROKEN, "vera")


def test_nobody_gives_way_who_has_not_got_the_money(larkspur: Scenario) -> None:
    stage = Gathered(larkspur, "debt")
    w, p = stage.world, stage.p
    p.amount = w.people.residents["mara"].purse.coins + 1
    tie(w.people, "mara", "vera").feeling = 1.0
    how, last, why = decide_showdown(w, p, [SideChoice(who, ABOUT, -1.0, ()) for who in ("greta", "otis")], NOON)
    assert (how, last) == (BROKEN, "mara")
    assert "has not got the money" in [rule.name for rule in why]


# ---- told


def test_it_is_told_with_who_stood_by_whom_and_shown_turn_by_turn_with_reasons(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    records = stage.scene()
    e = event(records)
    record = next(r for r in records if r.event is e)
    teller = Teller(stage.world.handbook)
    text = event_sentence(record, teller)
    assert text.startswith("Mara had it out with Vera at ")
    assert "stood by Mara" in text
    assert e.says in text
    story = STORIES[Showdown]
    assert teller.notable[story.weight] >= default_notable()["notable"]
    sheet = [b.text for b in story.sheet(teller, e, stage.world.clock) if isinstance(b, WrappedText)]
    for turn in e.turns:
        assert f"“{turn.line.text}”" in sheet
    assert any("are a couple +0.70" in text for text in sheet)


def test_it_is_an_incident_of_all_who_spoke(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    found = Incidents(stage.world.handbook, stage.world.clock)
    found.read(stage.records + stage.scene())
    (incident,) = found.of(2).incidents
    assert incident.complete
    deed = next(deed for deed in incident.deeds if deed.do == "showdown")
    assert deed.principals
    assert {"mara", "vera", "basil", "quentin"} <= {*deed.two}
    assert "called Vera to account" in incident.says


def test_bubbles_follow_one_another_on_the_map(larkspur: Scenario) -> None:
    records = Gathered(larkspur).scene()
    e = event(records)
    t = next(r.stamp.t for r in records if r.event is e)
    floor = CurrentTalks(60)
    floor.saw(records)
    for n, turn in enumerate(e.turns):
        (now,) = floor.at(t + n * PACE + 1)
        assert floor.spoken(now, t + n * PACE + 1).line == turn.line


def test_a_snapshot_holds_it_only_once_there_was_one(larkspur: Scenario) -> None:
    stage = Gathered(larkspur)
    assert b"showdowns" not in stage.world.snapshot()
    stage.scene()
    assert REGISTRY.snapshot.decode(stage.world.snapshot()).showdowns == stage.world.showdowns
