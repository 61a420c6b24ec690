"""Two who are a couple: free evenings together, one home after days, and out of it again when they part."""

from __future__ import annotations

import asyncio

import pytest
from lived import again, founding
from msgspec.structs import replace
from staged import Stage

from sandbox.core.clock import HOUR
from sandbox.core.events import Event
from sandbox.drama.claims import MOVING, end_claim, make_claim, move_in
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_handlers import COUPLE, LODGES, between, claims_of
from sandbox.people.claim_model import Broken, Claim, Made
from sandbox.people.daily_life import EVENING, in_company
from sandbox.people.model import Block
from sandbox.people.planning import plan_question
from sandbox.people.question_plan import PlanDay
from sandbox.people.ties import Tie
from sandbox.town.plan import sector_of

CLEM, UNA = "clem", "una"  # he has one half of a house with a curtain, she a room at the ferry with her grandfather


def couple(larkspur: Scenario, feeling: float = 0.5, **more: object) -> Stage:
    """Clem and Una say so on the first morning."""
    stage = Stage(replace(larkspur, **more))
    for a, b in ((CLEM, UNA), (UNA, CLEM)):
        stage.world.people.ties[a][b] = Tie(0.6, feeling, 0)
    step = stage.step(HOUR)
    make_claim(step, stage.world, Claim("", COUPLE, CLEM, UNA), "it was said at last", HOUR, 1)
    stage.records += step.records
    return stage


def moves(stage: Stage, day: int, second: int = MOVING) -> list[Event]:
    """What comes of who lives where in that minute."""
    step = stage.step(stage.world.clock.midnight(day) + second)
    asyncio.run(move_in(step, stage.world))
    stage.records += step.records
    return [r.event for r in step.records]


def homes(stage: Stage) -> list[str]:
    return [sector_of(stage.world.cast[who].home) for who in (CLEM, UNA)]


def asked(w: World, who: str, day: int) -> PlanDay:
    return plan_question(w, who, w.clock.midnight(day) + w.cast[who].routine.wake)


# ---- evenings


def test_by_turns_the_one_goes_where_the_other_is_of_an_evening_and_is_expected(larkspur: Scenario) -> None:
    w = couple(larkspur).world
    claim = next(between(w, CLEM, UNA, COUPLE))
    guests = set()
    for day in range(2, 9):
        bent = {who: in_company(w, asked(w, who, day)) for who in (CLEM, UNA)}
        blocks = {who: found[0].block for who, (_, found) in bent.items() if found}
        assert len(blocks) in (0, 2)
        if not blocks:
            continue
        guest, host = (CLEM, UNA) if day % 2 else (UNA, CLEM)
        guests.add(guest)
        assert blocks[guest].why == f"wants to spend the evening with {w.cast[host].first}"
        assert blocks[host].why == f"expects {w.cast[guest].first} for the evening"
        assert blocks[guest].where == blocks[host].where
        assert w.clock.second_of_day(blocks[guest].start) >= EVENING
        assert blocks[host].start <= blocks[guest].start + 15 * 60
        for who, (q, found) in bent.items():
            assert {seq for _, seq in found} == {claim.seq}
            assert [b for b in q.usual if b is not blocks[who]] == [
                b for b in asked(w, who, day).usual if b.start != blocks[who].start
            ]
    assert guests == {CLEM, UNA}


def test_who_shares_a_home_or_nothing_goes_nowhere_for_it(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    for who in w.cast:  # the couples of the cast live together
        for day in (2, 3):
            assert in_company(w, asked(w, who, day)) == (asked(w, who, day), [])


def test_an_hour_that_one_of_the_two_owes_to_something_else_is_left_alone(larkspur: Scenario) -> None:
    w = couple(larkspur).world
    q = asked(w, CLEM, 2)
    busy = replace(q, free=())
    assert in_company(w, busy) == (busy, [])
    past = replace(q, now=w.clock.midnight(3))
    assert in_company(w, past)[1] == []


# ---- one home


def test_after_days_the_one_moves_in_with_the_other_and_the_day_goes_on_there(larkspur: Scenario) -> None:
    stage = couple(larkspur)
    w = stage.world
    before = homes(stage)
    assert [moves(stage, day) for day in (2, 6)] == [[], []]
    assert moves(stage, 7, MOVING - 60) == []
    r = w.people.residents[UNA]
    t = w.clock.midnight(7) + MOVING
    r.plan = tuple(
        Block(t + start * HOUR, t + (start + 1) * HOUR, do, where, "")
        for start, do, where in (
            (-1, "rest", w.cast[UNA].home),
            (1, "rest", w.cast[UNA].home),
            (2, "sleep", w.cast[UNA].home),
        )
    )
    left, moved, *_ = (e for e in moves(stage, 7) if isinstance(e, Made | Broken))
    assert isinstance(left, Broken)
    assert isinstance(moved, Made)
    assert (moved.kind, {moved.a, moved.b}) == (LODGES, {CLEM, UNA})
    assert moved.why == "Clem and Una are a couple"
    assert homes(stage) in ([before[0]] * 2, [before[1]] * 2)
    assert w.cast[CLEM].household == w.cast[UNA].household
    home = w.cast[UNA].home
    assert [b.where == home for b in r.plan] == [before[1] == homes(stage)[1], True, True]
    assert moves(stage, 8) == []
    fresh = World.found(founding(w.scenario))
    for record in again(stage.records):
        fresh.apply(record)
    assert {who: p.home for who, p in fresh.cast.items()} == {who: p.home for who, p in w.cast.items()}


def test_work_under_the_roof_that_is_left_stays_where_it_is(larkspur: Scenario) -> None:
    stage = couple(larkspur)
    w = stage.world
    r, home, t = w.people.residents["mara"], w.cast["mara"].home, stage.world.now
    at_work = sector_of(home) + " / kitchen"
    duty = w.handbook.kinds["duty"][0]
    r.plan = (Block(t + HOUR, t + 2 * HOUR, duty, at_work, ""), Block(t + 2 * HOUR, t + 3 * HOUR, "sleep", home, ""))
    make_claim(stage.step(t), w, Claim("", LODGES, "mara", "clem", where="Bridge Terrace / east bedroom"), "", t, 1)
    assert [b.where for b in r.plan] == [at_work, "Bridge Terrace / east bedroom"]


@pytest.mark.parametrize(
    "more",
    [
        {"feeling": 0.1},
        {"rules": {"drama": "off"}},
        {"parameters": {"claims.on": False}},
    ],
)
def test_nobody_moves_who_is_not_fond_enough_and_nobody_where_lives_do_not_change(
    larkspur: Scenario, more: dict
) -> None:
    if "parameters" in more:
        more = {"parameters": {**larkspur.parameters, **more["parameters"]}}
    if "rules" in more:
        more = {"rules": {**larkspur.rules, **more["rules"]}}
    stage = couple(larkspur, **more)
    assert [moves(stage, day) for day in range(2, 10)] == [[]] * 8


def test_who_parts_moves_out_and_somebody_takes_them_in(larkspur: Scenario) -> None:
    stage = couple(larkspur)
    w = stage.world
    moves(stage, 7)
    shared = homes(stage)[0]
    guest = next(c.a for c in between(w, CLEM, UNA, LODGES))
    step = stage.step(w.clock.midnight(8) + 12 * HOUR)
    end_claim(step, w, next(between(w, CLEM, UNA, COUPLE)), "it is over", step.now, 1)
    assert not [*between(w, CLEM, UNA)]
    (home,) = (c for c in claims_of(w, guest, LODGES) if c.a == guest)
    assert sector_of(w.cast[guest].home) == sector_of(home.where) != shared
    assert "sleep" not in w.map.areas[home.where].affords()
    assert all(e.why == "it is over" for e in (r.event for r in step.records) if isinstance(e, Made | Broken))


def test_who_has_just_come_to_where_they_live_stays_there_for_days(larkspur: Scenario) -> None:
    stage = couple(larkspur)
    w = stage.world
    moves(stage, 7)
    lodging = next(between(w, CLEM, UNA, LODGES))
    step = stage.step(w.clock.midnight(8))
    make_claim(step, w, Claim("", LODGES, lodging.a, where="Number Nine / lounge"), "rent", step.now, 1)
    assert [bool(moves(stage, day)) for day in (9, 12, 15)] == [False, False, True]


def test_a_claim_of_one_that_moves_nobody_is_let_be(larkspur: Scenario) -> None:
    kinds = dict(larkspur.claims.kinds)
    kinds["role"] = replace(kinds["role"], moves=1)
    stage = couple(replace(larkspur, claims=replace(larkspur.claims, kinds=kinds)))
    w = stage.world
    before = w.cast["kit"].home
    make_claim(stage.step(2 * HOUR), w, Claim("", "role", "kit", terms="pie judge"), "voted", 2 * HOUR, 1)
    assert not [e for e in moves(stage, 5) if "kit" in (getattr(e, "a", ""), getattr(e, "b", ""))]
    end_claim(stage.step(w.now + 60), w, next(c for c in claims_of(w, "kit", "role")), "voted out", w.now, 1)
    assert w.cast["kit"].home == before
