"""Goals over days: who wants a claim plans for it, and goes to people step by step; others help, and others deny it."""

from __future__ import annotations

import asyncio

import pytest
from lived import again, founding
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import MINUTE
from sandbox.core.events import Record
from sandbox.drama.claims import end_claim, make_claim
from sandbox.drama.consequences import PressureDeed, move_pressure
from sandbox.drama.goals import pursue_goals
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_handlers import claims_of
from sandbox.people.claim_model import Claim, Making, PlanStep
from sandbox.people.goal_handlers import EVERY, rival_claims, step_way, steps_in_order, ways
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.model import Block, Chose
from sandbox.people.paying import Paid
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import ActivePressure, Ended, Sought
from sandbox.people.pressure_rules import HOUR_NEAR
from sandbox.people.ties import Tie
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.pressures import world_matters
from sandbox.readers.story import Teller
from sandbox.talk.pressure_aims import feature_values, is_way_open

CHAIN = Making("role", "holder", "nobody", "mayor")
BOAT = Making("owns", "holder", "nobody", "a boat")


def friends(stage: Stage, who: str, *others: str) -> None:
    """Somebody likes these people, the first best, and nobody else."""
    row = {x: Tie(0.5, 0.9 - i / 10, 0, causes=[]) for i, x in enumerate(others)}
    stage.world.people.ties[who] = row


def plan(stage: Stage, t: int = 0) -> list[Record]:
    """What the system of goals does in the minute at t."""
    step = stage.step(t)
    asyncio.run(pursue_goals(step, stage.world))
    stage.records += step.records
    return step.records


def ambition(
    scenario: Scenario, wants: Making = CHAIN, about: str = "greta", **more: object
) -> tuple[Stage, ActivePressure]:
    """Vera wants to be mayor, or something else, and likes Quentin and Hettie best."""
    stage = Stage(scenario, pressure("ambition", "vera", about, wants=wants, **more), turns=0)
    friends(stage, "vera", "quentin", "hettie", "una")
    p = stage.wake()
    plan(stage)
    return stage, p


def steps(stage: Stage, p: ActivePressure) -> list[tuple[str, str]]:
    return [(x.step, x.whom) for x in stage.world.goals.open[p.id].steps]


def asks(stage: Stage, p: ActivePressure, answer: str, t: int) -> list[Record]:
    """Vera takes her next step with somebody, who answers; and what becomes of the plan."""
    found = step_way(stage.world, p, t)
    assert found is not None
    way, whom = found
    step = stage.step(t)
    move_pressure(step, stage.world, PressureDeed(p, way.effect(answer), p.holder, whom, way.do, answer))
    asyncio.run(pursue_goals(step, stage.world))
    stage.records += step.records
    return step.records


def of(records: list[Record], kind: type) -> list[Record]:
    return [r for r in records if isinstance(r.event, kind)]


# ---- the plan


def test_who_wants_a_claim_has_a_plan_of_two_steps_or_more_with_the_people_who_can_help(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    assert steps(stage, p) == [("one_voice", "quentin"), ("another_voice", "hettie")], (
        "they have offices, and her liking"
    )
    (made,) = of(stage.records, GoalPlanned)
    assert made.stamp.causes == (p.seq,)
    assert (made.event.claim.kind, made.event.claim.a, made.event.claim.terms) == ("role", "vera", "mayor")


@pytest.mark.parametrize("who", ["pip", "ivo", "basil", "kit", "yara", "vera", "jory", "una", "clem"])
def test_every_ambition_and_love_of_the_cast_is_planned_for(larkspur: Scenario, who: str) -> None:
    mine = [replace(x, wakes=0, due=None, drift=0) for x in larkspur.pressures if x.holder == who]
    stage = Stage(larkspur, *[x for x in mine if larkspur.drama.kinds[x.kind].goal])
    stage.wake()
    plan(stage)
    assert {*stage.world.goals.open} == {*stage.world.pressures.open}
    assert all(len(x.steps) >= 2 for x in stage.world.goals.open.values())


def test_what_the_good_end_of_a_kind_makes_is_what_is_wanted_and_need_not_be_said_again(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("crush", "una", "clem"))
    p = stage.wake()
    plan(stage)
    claim = stage.world.goals.open[p.id].claim
    assert (claim.kind, claim.a, claim.b) == ("couple", "una", "clem")
    assert [x for x, _ in steps(stage, p)] == ["their_liking", "their_ear"]


def test_a_step_comes_after_those_that_it_takes() -> None:
    deck = {"a": PlanStep("", "", first=("b",)), "b": PlanStep("", "", first=("c",)), "c": PlanStep("", "")}
    assert steps_in_order(deck, ("a", "c")) == ("c", "b", "a")


def test_whoever_would_lose_by_it_is_asked_last_and_likes_it_less(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("ambition", "vera", "una", wants=CHAIN))
    friends(stage, "vera", "greta", "quentin", "hettie")
    p = stage.wake()
    plan(stage)
    w = stage.world
    assert [c.id for c in rival_claims(w, p, w.goals.open[p.id].claim)] == ["greta_mayor"]
    assert "greta" not in [whom for _, whom in steps(stage, p)], "she is mayor"
    assert [feature_values(w, who, "vera", 0, p)["loses"] for who in ("greta", "quentin")] == [1.0, 0.0]
    assert w.drama.exchanges["ask_help"].answer["loses"] < 0


def test_a_town_may_have_no_plans_at_all(larkspur: Scenario) -> None:
    bare = replace(larkspur, parameters={**larkspur.parameters, "goals.on": False})
    stage, p = ambition(bare)
    assert not stage.world.goals.open
    assert ways(stage.world, p, "vera", "greta", 0) == stage.world.drama.kinds["ambition"].ways


# ---- what it presses to


def test_while_there_is_a_step_to_take_that_is_what_presses_and_then_the_thing_itself(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    w = stage.world

    def may(other: str, t: int) -> list[str]:
        return [x.do for x in ways(w, p, "vera", other, t) if is_way_open(w, p, x, "vera", other, "holder", t)]

    assert "ask_help" in may("quentin", hours(1))
    assert "ask_help" not in may("greta", hours(1)), "she is not asked before there is somebody to back it"
    asks(stage, p, "accept", hours(1))
    asks(stage, p, "accept", hours(1) + EVERY)
    assert (p.stage, w.goals.open[p.id].next) == (2, None)
    assert "ask_help" in may("greta", hours(40))


def test_people_go_and_find_whom_a_step_takes(larkspur: Scenario) -> None:
    stage, _ = ambition(larkspur)
    t = hours(2)
    vera = stage.world.people.residents["vera"]
    vera.awake = True
    home = stage.world.cast["vera"].home
    vera.plan = (Block(0, t + hours(9), "walk", home, ""), Block(t + hours(9), hours(48), "", "", ""))
    seen = [r for n in range(90) for r in of(stage.press(t + n * MINUTE), Sought)]
    assert {r.event.whom for r in seen} == {"quentin"}


def test_when_its_hour_has_come_one_asks_ready_or_not(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur, due=hours(10))
    w = stage.world
    at = hours(10) - HOUR_NEAR + 60
    assert step_way(w, p, at) is None
    assert "ask_help" in [x.do for x in ways(w, p, "vera", "greta", at) if x.to == "about"]


# ---- steps taken, shut, given up


def test_a_step_that_is_granted_is_taken_and_says_by_whom_and_by_what(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    before = p.intensity
    records = asks(stage, p, "accept", hours(1))
    (done,) = of(records, GoalAdvanced)
    assert (done.event.step, done.event.whom, done.event.left) == ("one_voice", "quentin", 1)
    assert records[0].stamp.seq in done.stamp.causes, "what was said"
    assert p.intensity > before
    assert [c.b for c in claims_of(stage.world, "vera", "ally") if c.terms == "a ladder"] == ["quentin"]
    teller = Teller(stage.world.handbook, world_matters(stage.world))
    assert event_sentence(done, teller) == "Quentin is on Vera's side: one step nearer to a ladder"
    assert [r.event for r in again(stage.records)] == [r.event for r in stage.records]


def test_a_step_is_taken_once_both_are_free_for_it(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    found = step_way(stage.world, p, 600)
    assert found is not None
    way, whom = found
    step = stage.step(600)
    move_pressure(step, stage.world, PressureDeed(p, way.effect("accept"), p.holder, whom, way.do, "accept"))
    stage.world.last[whom] = 630  # something has befallen the helper since
    asyncio.run(pursue_goals(step, stage.world))
    (advanced,) = of(step.records, GoalAdvanced)
    assert advanced.stamp.t == 630


def test_a_step_that_is_shut_is_taken_with_somebody_else_and_the_town_is_told_why(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    assert not of(asks(stage, p, "dodge", hours(1)), GoalPlanned), "once may be chance"
    (anew,) = of(asks(stage, p, "dodge", hours(6)), GoalPlanned)
    assert steps(stage, p)[0] == ("one_voice", "hettie")
    teller = Teller(stage.world.handbook, world_matters(stage.world))
    assert (
        event_sentence(anew, teller) == "Vera got no answer out of Quentin; now Vera means to have Hettie on their side"
    )


def test_who_has_helped_with_one_step_is_not_asked_for_the_next(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    asks(stage, p, "accept", hours(1))
    asks(stage, p, "refuse", hours(6))
    assert [whom for _, whom in steps(stage, p)].count("quentin") == 1
    assert len(stage.world.goals.open[p.id].done) == 1, "what is done stays done"


def few(larkspur: Scenario, **more: object) -> tuple[Stage, ActivePressure]:
    """For Vera's plan there is nobody to ask but Una."""
    step = larkspur.drama.steps["one_voice"]
    lone = replace(step, by=(replace(step.by[0], to="friend"),))
    deck = replace(
        larkspur.drama, plans={"role": ("skill", "one_voice")}, steps={**larkspur.drama.steps, "one_voice": lone}
    )
    stage = Stage(replace(larkspur, drama=deck), pressure("ambition", "vera", "greta", wants=CHAIN, **more), turns=0)
    friends(stage, "vera", "una")
    p = stage.wake()
    plan(stage)
    w = stage.world
    step_ = stage.step(60)
    step_.emit(GoalAdvanced(p.id, "skill", "", 0.6, 1, 1), t=60, actor="vera", causes=(p.last,))
    assert w.goals.open[p.id].next is not None
    return stage, p


def test_where_no_way_is_left_it_is_given_up_with_its_reason(larkspur: Scenario) -> None:
    stage, p = few(larkspur)
    (ended,) = of(asks(stage, p, "refuse", hours(2)), Ended)
    assert (ended.event.how, ended.event.turn) == ("given_up", False)
    assert ended.event.why == "Una said no to Vera, and there was no other way"
    assert p.id not in stage.world.goals.open


def test_what_has_an_hour_is_left_to_that(larkspur: Scenario) -> None:
    stage, p = few(larkspur, due=hours(48))
    records = asks(stage, p, "refuse", hours(2))
    assert not of(records, Ended)
    assert stage.world.goals.open[p.id].next is None
    assert "ask_help" in [x.do for x in ways(stage.world, p, "vera", "greta", hours(3)) if x.to == "about"]


# ---- steps that take nobody


def test_a_free_hour_goes_into_practice_and_then_the_step_is_taken(larkspur: Scenario) -> None:
    feat = Making("feat", "holder", "nobody", "a waltz")
    stage, _p = ambition(larkspur, feat)
    w = stage.world
    vera, home = w.people.residents["vera"], w.cast["vera"].home
    vera.awake = True
    vera.plan = (Block(0, hours(12), "read", home, ""), Block(hours(12), hours(48), "", "", ""))

    def begins(t: int, do: str, block: str) -> list[Record]:
        step = stage.step(t)
        x, y = w.map.xy(w.town.spots["vera"].tile)
        step.emit(Chose(do, block, home, "", x, y, 1800, 1, True, ""), t=t, actor="vera")
        asyncio.run(pursue_goals(step, w))
        return step.records

    (gone,) = of(begins(hours(1), "read", "read"), GoalPursued)
    assert (vera.upset, vera.join.do, gone.event.why) == ("need", "practise", "to practise")
    vera.upset = ""
    assert not of(begins(hours(1) + 300, "go over it once more", "practise"), GoalAdvanced)
    (done,) = of(begins(hours(2), "read", "read"), GoalAdvanced)
    assert (done.event.step, done.event.whom) == ("skill", "")
    assert gone.stamp.seq in done.stamp.causes


def test_coins_are_put_by_once_they_can_be_spared_and_borrowed_where_they_are_not_there(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("ambition", "vera", "greta", wants=BOAT), turns=0)
    friends(stage, "vera", "quentin")
    w = stage.world
    vera, quentin = (w.people.residents[x].purse for x in ("vera", "quentin"))
    vera.coins, quentin.coins = 1, 500
    p = stage.wake()
    plan(stage)
    assert steps(stage, p)[0] == ("coins", "quentin")
    records = asks(stage, p, "accept", hours(1))
    assert not of(records, GoalAdvanced), "a loan is not yet the sum"
    assert vera.coins > 1
    vera.coins = 50
    records = plan(stage, hours(2))
    (done,), (paid,) = of(records, GoalAdvanced), of(records, Paid)
    assert (done.event.step, done.event.whom, paid.event.amount) == ("coins", "", 40)
    assert paid.stamp.causes == (done.stamp.seq,)
    assert paid.event.what == "what is put by for a ladder"


# ---- news


def test_who_can_help_no_longer_is_not_gone_to_and_the_town_is_told_why(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    step = stage.step(hours(1))
    claim = next(claims_of(stage.world, "quentin", "role"))
    end_claim(step, stage.world, claim, "", hours(1), p.last)
    asyncio.run(pursue_goals(step, stage.world))
    (anew,) = of(step.records, GoalPlanned)
    assert "quentin" not in [whom for _, whom in steps(stage, p)]
    assert anew.event.why == "Quentin is no longer the memory of the council"


def test_who_has_what_they_want_wants_it_no_more_however_they_came_by_it(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("crush", "una", "clem", id="hers"), pressure("crush", "clem", "una", id="his"))
    stage.wake()
    plan(stage)
    step = stage.step(hours(1))
    make_claim(step, stage.world, Claim("", "couple", "clem", "una"), "", hours(1), 1)
    asyncio.run(pursue_goals(step, stage.world))
    assert {(e.id, e.how, e.turn) for _, e in of(step.records, Ended)} == {
        ("hers", "together", False),
        ("his", "together", False),
    }
    late = Stage(larkspur, pressure("crush", "greta", "dov"))
    late.wake()
    assert [e.how for _, e in of(plan(late), Ended)] == ["together"], "they are a couple as it is"


# ---- the end


def test_what_was_wanted_is_so_once_it_ends_well(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    stage.move(hours(30), p, Effect(end="reached"), "vera", "greta", "ask_help", answer="accept")
    assert [c.terms for c in claims_of(stage.world, "vera", "role")] == ["mayor"]
    assert not [*claims_of(stage.world, "greta", "role")]
    assert not stage.world.goals.open


def test_a_snapshot_of_another_world_with_other_plans_is_refused(larkspur: Scenario) -> None:
    stage, p = ambition(larkspur)
    data = stage.world.snapshot()
    again_ = World.found(founding(stage.world.scenario))
    again_.restore(data)
    assert steps(stage, p) == [(x.step, x.whom) for x in again_.goals.open[p.id].steps]
    other = replace(stage.world.scenario, drama=replace(larkspur.drama, steps={}, plans={}))
    with pytest.raises(ValueError, match="other plans"):
        World.found(founding(other)).restore(data)
