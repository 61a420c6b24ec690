"""Occasions that decide something: votes by reasons, contests by skill and luck, and all that hangs on them."""

from __future__ import annotations

import asyncio

import pytest
from lived import again
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Record
from sandbox.drama.outcomes import OFF, UNSURE, Decided, decide
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.model import Felt
from sandbox.people.persona import Opinion, Pressure
from sandbox.people.pressure_model import ActivePressure, Ended
from sandbox.people.pressure_rules import awaits_occasion
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller, default_notable
from sandbox.readers.timeline import Timeline
from sandbox.readers.told_turns import ToldTurns
from sandbox.talk.pressure_aims import is_way_open
from sandbox.talk.subjects import ordinary_content as topic_about
from sandbox.talk.subjects import ordinary_intents
from sandbox.town.calendar import Calendar
from sandbox.town.plan import CONTEST, VOTE, Decision, Occasion
from sandbox.town.ways import Spot

HALL = "Town Hall / council chamber"
COME = ("mara", "basil", "wilf", "greta", "vera")
START = 7 * HOUR + 30 * MINUTE  # of Larkspur's first day
AT = HOUR  # the second at which the occasions here decide
TOPIC = "a clock for the square"
VOTES = Decision(
    kind=VOTE,
    about=TOPIC,
    at=30 * MINUTE,
    who=COME,
    says={
        "yes": ("The clock is bought, {yes} to {no}: {last} was last",),
        "no": ("There is no clock, {no} to {yes}: {last} was last",),
        "off": ("The vote was put off",),
    },
    least=3,
)
RACE = Decision(
    kind=CONTEST,
    about="the ham",
    at=30 * MINUTE,
    who=COME,
    says={"won": ("{winner} has won {prize} before {second}: {second} knows",), "off": ("Nobody ran",)},
)


def occasion(d: Decision, id: str = "meeting") -> Occasion:
    """It begins half an hour into the world, and decides half an hour later."""
    begin = START + AT - d.at
    return Occasion(id, "The meeting", begin, begin + HOUR, HALL, "council", on="2025-03-04", who=COME, decides=d)


def staged(
    larkspur: Scenario, d: Decision, *pressures: Pressure, stances: dict[str, float] | None = None, drama: str = "on"
) -> Stage:
    """Larkspur with this one occasion; everybody who comes to it is in the hall and awake."""
    stances = stances or {}
    cast = tuple(
        replace(p, opinions={TOPIC: Opinion(stances[p.id], "it strikes")} if p.id in stances else {})
        for p in larkspur.cast
    )
    world = replace(larkspur, calendar=(occasion(d),), cast=cast, rules={**larkspur.rules, "drama": drama})
    stage = Stage(world, *pressures)
    gather(stage.world, COME)
    if pressures:
        stage.wake()
    return stage


def gather(w: World, who: tuple[str, ...]) -> None:
    """Put these people into the hall, and nobody else."""
    tiles = w.map.areas[HALL].tiles
    for other, spot in w.town.spots.items():
        if w.map.area_of[spot.tile] == HALL:
            w.town.spots[other] = Spot(w.bed_tile(other), 0)
    for i, person in enumerate(who):
        w.town.spots[person] = Spot(tiles[i], 0)
        w.people.residents[person].awake = True


def settle(stage: Stage, t: int = AT) -> list[Record]:
    """What is decided in the minute at t."""
    step = stage.step(t)
    asyncio.run(decide(step, stage.world))
    return step.records


def result(records: list[Record]) -> Decided:
    (found,) = (r.event for r in records if isinstance(r.event, Decided))
    return found


def ends(records: list[Record]) -> list[tuple[str, str]]:
    return [(r.event.id, r.event.how) for r in records if isinstance(r.event, Ended)]


FOR = {"mara": 0.9, "basil": 0.9, "wilf": -0.9, "greta": 0.8, "vera": -0.8}


# ---- a vote


def test_those_who_are_there_vote_by_what_they_think_of_it(larkspur: Scenario) -> None:
    e = result(settle(staged(larkspur, VOTES, stances=FOR)))
    assert (e.how, e.won, e.says.partition(":")[0]) == (VOTE, True, "The clock is bought, 3 to 2")
    assert {p.who: p.yes for p in e.parts} == {who: stance > 0 for who, stance in FOR.items()}
    for part in e.parts:
        assert part.score == pytest.approx(sum(rule.value for rule in part.why), abs=1e-5)
        assert "it strikes" in {rule.name for rule in part.why}


def test_whoever_stays_away_does_not_vote_and_may_turn_it(larkspur: Scenario) -> None:
    stage = staged(larkspur, VOTES, stances=FOR)
    gather(stage.world, ("basil", "wilf", "vera"))
    e = result(settle(stage))
    assert (e.won, [p.who for p in e.parts]) == (False, ["basil", "wilf", "vera"])


def test_a_vote_to_which_too_few_come_is_called_off_and_settles_nothing(larkspur: Scenario) -> None:
    promise = pressure("promise", "basil", "wilf", due=2 * HOUR)
    stage = staged(larkspur, replace(VOTES, settles={"promise": "no"}), promise, stances=FOR)
    gather(stage.world, ("basil", "wilf"))
    records = settle(stage)
    assert (result(records).how, result(records).says) == (OFF, "The vote was put off")
    assert not ends(records)


def test_it_is_decided_at_its_minute_and_only_then(larkspur: Scenario) -> None:
    stage = staged(larkspur, VOTES, stances=FOR)
    assert not settle(stage, AT - MINUTE)
    assert len([r for r in settle(stage) if isinstance(r.event, Decided)]) == 1
    assert not settle(stage, AT + MINUTE)


def test_without_drama_nothing_is_decided(larkspur: Scenario) -> None:
    stage = staged(larkspur, VOTES, stances=FOR, drama="off")
    assert not settle(stage)
    assert "opinion" in ordinary_intents(stage.world, "mara", "basil", 2 * AT)


@pytest.mark.parametrize(("side", "ending"), [("no", "broken"), ("yes", "kept")])
def test_a_promised_vote_is_kept_or_broken_by_voting(larkspur: Scenario, side: str, ending: str) -> None:
    """Greta is so much for it that no promise holds her."""
    promise = pressure("promise", "greta", "wilf", due=2 * HOUR)
    stage = staged(larkspur, replace(VOTES, settles={"promise": side}), promise, stances={**FOR, "greta": 1.0})
    records = settle(stage)
    assert ends(records) == [("promise", ending)]
    (ended,) = (r for r in records if isinstance(r.event, Ended))
    assert next(r for r in records if isinstance(r.event, Decided)).stamp.seq in ended.stamp.causes
    assert ended.event.turn


@pytest.mark.parametrize("kind", ["promise", "debt", "secret"])
def test_what_somebody_has_promised_owes_or_hides_draws_their_vote(larkspur: Scenario, kind: str) -> None:
    stances = {**FOR, "mara": 0.1}
    held = pressure(kind, "mara", "basil")
    d = replace(VOTES, settles={kind: "no"}) if kind == "promise" else replace(VOTES, sways={kind: "no"})
    free, bound = (
        result(settle(staged(larkspur, VOTES, held, stances=stances))),
        result(settle(staged(larkspur, d, held, stances=stances))),
    )
    assert bound.parts[0].who == free.parts[0].who == "mara"
    assert min(rule.value for rule in bound.parts[0].why) < -0.15
    assert sum(r.value for r in bound.parts[0].why) < sum(r.value for r in free.parts[0].why)


def test_chance_turns_only_the_undecided(larkspur: Scenario) -> None:
    votes: dict[str, set[bool]] = {who: set() for who in COME}
    for seed in range(12):
        stage = staged(replace(larkspur, seed=seed), VOTES, stances={**FOR, "greta": 0.0})
        for part in result(settle(stage)).parts:
            votes[part.who].add(part.yes)
    assert votes.pop("greta") == {True, False}
    assert all(len(seen) == 1 for seen in votes.values())


def test_those_who_cared_are_glad_or_sorry_and_it_has_a_name(larkspur: Scenario) -> None:
    felt = [r for r in settle(staged(larkspur, VOTES, stances=FOR)) if isinstance(r.event, Felt)]
    assert {r.stamp.actor: r.event.delta[0] > 0 for r in felt} == {who: stance > 0 for who, stance in FOR.items()}
    assert {r.event.why for r in felt} == {"the clock is bought, 3 to 2"}


def test_afterwards_it_is_a_memory_to_tell_and_no_more_an_opinion(larkspur: Scenario) -> None:
    stage = staged(larkspur, VOTES, stances=FOR)
    w = stage.world
    assert "opinion" in ordinary_intents(w, "mara", "jory", AT - MINUTE)
    settle(stage)
    later = AT + MINUTE
    assert "opinion" not in ordinary_intents(w, "mara", "jory", later)
    assert topic_about(w, "opinion", "mara", "jory", later, [], stage.step(later).chance("mara", "topic")) is None
    seen = next(m for m in w.memories.streams["mara"] if m.topic == "the meeting")
    assert (seen.text, seen.poignancy) == ("saw it settled: the clock is bought, 3 to 2", 8)
    assert "share_news" in ordinary_intents(w, "mara", "jory", later)


def test_larkspurs_meadow_is_sold_or_kept_by_what_people_hide_and_promise(larkspur: Scenario) -> None:
    """Seven councillors: what the doctor has promised turns her, and what Otis hides makes him waver."""
    vote = next(o for o in larkspur.calendar if o.id == "council_vote")
    assert vote.decides is not None
    known = {p.id: replace(p, wakes=0, due=None) for p in larkspur.pressures}
    tallies, sure = {}, {}
    for held in ((), ("doctors_word",), ("doctors_word", "mooring")):
        stage = Stage(larkspur, *(known[id] for id in held))
        t = stage.world.calendar.hour(vote, 3)
        stage.press(t - MINUTE)
        gather(stage.world, vote.decides.who)
        e = next(r.event for r in settle(stage, t) if isinstance(r.event, Decided))
        tallies[held] = {p.who for p in e.parts if p.yes}
        sure[held] = sum(r.value for p in e.parts if p.who == "otis" for r in p.why if not r.name.startswith("in two"))
        assert e.won == (len(tallies[held]) > 3)
    assert "otis" not in tallies[()]
    assert tallies[("doctors_word",)] == {"greta", "vera", "zeno"}
    assert sure[("doctors_word", "mooring")] > -UNSURE > sure[()]


# ---- a contest


@pytest.mark.slow
def test_the_better_one_wins_mostly_and_not_always(larkspur: Scenario) -> None:
    d = replace(RACE, skill={"wilf": 0.5, "vera": 0.25, "mara": -0.5, "basil": -0.5, "greta": -0.5})
    firsts = [result(settle(staged(replace(larkspur, seed=seed), d))).parts[0].who for seed in range(20)]
    assert firsts.count("wilf") > 10
    assert firsts.count("vera") > 0


def test_only_those_who_are_there_can_win(larkspur: Scenario) -> None:
    stage = staged(larkspur, replace(RACE, skill={"wilf": 1.0}))
    gather(stage.world, ("mara", "basil"))
    e = result(settle(stage))
    assert {p.who for p in e.parts} == {"mara", "basil"}
    assert e.says.startswith(f"{stage.world.handbook.name(e.parts[0].who)} has won the ham before ")
    assert [p.yes for p in e.parts] == [True, False]


@pytest.mark.parametrize(("strong", "ending"), [("mara", "won"), ("vera", "lost")])
def test_a_rivalry_about_the_prize_ends_with_it(larkspur: Scenario, strong: str, ending: str) -> None:
    rivals = pressure("rivalry", "mara", "vera", stakes="the ham, and the silence after", due=2 * HOUR)
    other = pressure("rivalry", "basil", "wilf", id="other", stakes="the bigger marrow", due=2 * HOUR)
    records = settle(staged(larkspur, replace(RACE, skill={strong: 1.0}), rivals, other))
    assert ends(records) == [("rivalry", ending)]


def test_what_comes_every_week_settles_a_matter_once(larkspur: Scenario) -> None:
    rivals = pressure("rivalry", "mara", "vera", stakes="the bigger marrow", due=2 * HOUR)
    stage = staged(larkspur, replace(RACE, settles={"rivalry": ""}), rivals)
    weekly = replace(occasion(replace(RACE, settles={"rivalry": ""})), on="", days=("every",))
    stage.world.calendar = Calendar((weekly,), stage.world.clock)
    assert ends(settle(stage))
    assert not settle(stage, AT + DAY)


def test_an_ambition_for_the_prize_is_reached_by_winning(larkspur: Scenario) -> None:
    d = replace(RACE, skill={"wilf": 1.0})
    assert ends(settle(staged(larkspur, d, pressure("ambition", "wilf", "", stakes="the ham")))) == [
        ("ambition", "reached")
    ]
    assert ends(settle(staged(larkspur, d, pressure("ambition", "mara", "", stakes="the ham")))) == [
        ("ambition", "failed")
    ]


def test_a_judge_must_be_there_and_the_liked_one_has_the_better_of_it(larkspur: Scenario) -> None:
    d = replace(RACE, who=("mara", "vera"), judge="basil")
    stage = staged(larkspur, d)
    e = result(settle(stage))
    liked = {p.who: next((r.value for r in p.why if r.name == "Basil likes them"), 0.0) for p in e.parts}
    assert liked["mara"] > liked["vera"]
    stage = staged(larkspur, d)
    gather(stage.world, ("mara", "vera"))
    assert result(settle(stage)).how == OFF


def test_the_second_may_not_leave_it_at_that(larkspur: Scenario) -> None:
    stage = staged(larkspur, replace(RACE, children=("sore_second",)))
    e = result(settle(stage))
    (born,) = stage.world.pressures.open.values()
    assert (born.kind, born.holder, born.about) == ("rivalry", e.parts[1].who, e.parts[0].who)


# ---- what waits for it


def first(w: World) -> ActivePressure:
    return next(iter(w.pressures.open.values()))


def test_nothing_else_decides_what_an_occasion_will_decide(larkspur: Scenario) -> None:
    """No luck when its hour passes, and no handing over before; once the occasion is over they may again."""
    promise = pressure("promise", "mara", "vera", stage=1, due=AT - 25 * MINUTE)
    keep = next(way for way in larkspur.drama.kinds["promise"].ways if way.do == "keep")
    for settles, free in (({"promise": "no"}, False), ({}, True)):
        stage = staged(larkspur, replace(VOTES, settles=settles), promise, stances=FOR)
        p = first(stage.world)
        assert awaits_occasion(stage.world, p, AT - MINUTE) is not free
        assert is_way_open(stage.world, p, keep, "mara", "vera", "holder", AT - 26 * MINUTE) is free
        late = [
            r for r in stage.press(AT - 2 * MINUTE) if isinstance(r.event, Ended) or r.event.KIND.endswith("stirred")
        ]
        assert bool(late) is free
        assert not awaits_occasion(stage.world, p, AT + HOUR)


# ---- how it is told


def test_the_town_talks_of_it_and_a_day_begins_with_it(larkspur: Scenario) -> None:
    stage = staged(larkspur, VOTES, stances=FOR)
    w = stage.world
    record = next(r for r in settle(stage) if isinstance(r.event, Decided))
    (row,) = Timeline(w.handbook, w.clock).read([record])
    assert row.weight >= max(default_notable().line, 8.0)
    assert row.text == event_sentence(record, Teller(w.handbook)) == result([record]).says
    assert set(row.who) == set(COME)
    reader = ToldTurns(w)
    reader.read([record])
    (turn,) = reader.of(1)
    assert (turn.t, turn.news, turn.decided) == (AT, row.text, True)


def test_a_result_comes_back_from_a_save_as_it_was(larkspur: Scenario) -> None:
    records = settle(staged(larkspur, VOTES, pressure("promise", "greta", "wilf"), stances=FOR))
    assert again(records) == records


def test_a_foreign_result_about_strangers_does_not_fit(larkspur: Scenario) -> None:
    stage = staged(larkspur, VOTES, stances=FOR)
    record = next(r for r in settle(stage) if isinstance(r.event, Decided))
    for bad in (replace(record.event, there=("nobody",)), replace(record.event, how="fight")):
        with pytest.raises((KeyError, ValueError)):
            stage.world.apply(Record(record.stamp, bad))
