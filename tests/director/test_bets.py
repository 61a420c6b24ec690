"""Bets: odds by the rules of the outcome, a tally of points, and nothing to the town."""

from __future__ import annotations

import asyncio
import math

import pytest
from lived import engine_of, log_of, run
from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.core.events import Stamp
from sandbox.director.bet_domain import settle_bets
from sandbox.director.bet_offers import (
    AHEAD,
    CAP,
    CLOSED,
    PURSE,
    SHOWN,
    Bet,
    BetOffer,
    BetPlaced,
    BetSettled,
    bet_offers,
    fair_odds,
    majority,
    score_spread,
    votes_yes,
    win_chances,
)
from sandbox.director.history import AnnalsOpened, OccasionDecision
from sandbox.drama.outcomes import LUCK, UNSURE, Decided
from sandbox.engine.engine import Engine
from sandbox.engine.scenario import Scenario

RACE = "pancake_race@1"
CHOIR = "choir@1"


def offer_of(world, on):
    return next((x for x in bet_offers(world) if x.on == on), None)


@pytest.fixture
def engine(larkspur: Scenario) -> Engine:
    """Larkspur at nine on its first morning."""
    return run(engine_of(replace(larkspur, step=600)), 9)


def settlements(engine: Engine) -> list[BetSettled]:
    return [r.event for r in log_of(engine).all() if isinstance(r.event, BetSettled)]


def test_a_vote_is_as_likely_as_its_voters_make_it() -> None:
    assert majority([(1.0, 1.0), (1.0, 1.0), (1.0, 0.0)], 2) == (1.0, 0.0, 0.0)
    yes, no, off = majority([(1.0, 0.5)] * 3, 2)
    assert (yes, no, off) == pytest.approx((0.5, 0.5, 0.0))
    assert majority([(1.0, 0.5)] * 2, 2)[0] == pytest.approx(0.25)  # a tie moves nothing
    assert majority([(0.5, 1.0)] * 2, 2)[2] == pytest.approx(0.75)  # fewer than two are there


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ({"a": 0.505, "b": 0.495}, {"a": 51, "b": 49}),
        ({"a": 0.335, "b": 0.335, "c": 0.33}, {"a": 34, "b": 33, "c": 33}),
        ({"a": 0.3, "b": 0.643}, {"b": 64, "a": 30, "": 6}),
        ({"a": 0.9, "b": 0.0985}, {"a": 90, "b": 10}),
    ],
)
def test_what_is_told_of_the_sides_adds_up_to_a_hundred(chances: dict[str, float], told: dict[str, int]) -> None:
    """With what is left to those who are no side."""
    offer = BetOffer("race@1", "contest", "the race", 0, chances, {side: f"{side} wins" for side in chances})
    assert (offer.percents, [*offer.percents]) == (told, [*told])
    assert offer.called("") == "anybody else wins"


def test_all_that_can_be_bet_on_adds_up(engine: Engine) -> None:
    found = bet_offers(engine.world)
    assert any(x.sort == "contest" for x in found)
    for x in found:
        assert sum(x.percents.values()) == 100
        assert {*x.percents} - {""} == {*x.chances}


def test_a_voter_within_the_unsure_is_a_matter_of_chance() -> None:
    assert votes_yes(UNSURE / 2, 0.0) == 0.75
    assert votes_yes(2 * UNSURE, 0.0) == 1.0
    assert 0.75 < votes_yes(UNSURE, 0.1) < 1.0  # what may change until then counts


def test_a_contest_is_won_by_who_brings_more_and_by_luck() -> None:
    (a, b), off = win_chances([(1.0, 0.0), (1.0, 0.0)], 0.0)
    assert a == pytest.approx(b) == pytest.approx(0.5)
    assert off == 0.0
    (a, b), _ = win_chances([(1.0, 2 * LUCK), (1.0, 0.0)], 0.0)
    assert a == pytest.approx(1.0)  # no luck makes up for it
    # the exact value: the difference of two triangles exceeds d with a known probability
    (a, _), _ = win_chances([(1.0, LUCK), (1.0, 0.0)], 0.0)
    assert a == pytest.approx(1.0 - 1.0 / 24.0, abs=0.005)
    (a, b), off = win_chances([(0.5, 0.0), (1.0, 0.0)], 0.0)
    assert (a, b, off) == pytest.approx((0.25, 0.25, 0.5), abs=0.01)


def test_what_may_change_grows_with_the_time_that_is_left() -> None:
    assert score_spread(0.2, 0) == 0.0
    assert 0.0 < score_spread(0.2, 3600) < score_spread(0.2, 7200) < score_spread(0.2, 10**9) == 0.2


def test_odds_pay_fairly_and_no_more_than_twenty() -> None:
    assert fair_odds(0.5) == 2.0
    assert fair_odds(0.001) == CAP == 20.0
    assert fair_odds(1.0) == 1.0


@pytest.mark.slow
def test_what_falls_due_is_offered_with_chances_that_add_up(engine: Engine) -> None:
    found = bet_offers(engine.world)
    assert {RACE, "choir@1"} <= {x.on for x in found}
    entrants = {o.id: len(o.decides.who) for o in engine.world.calendar.on(1) if o.decides is not None}
    for x in found:
        assert CLOSED <= x.t - engine.world.now <= AHEAD
        assert x.chances.keys() == x.names.keys()
        left_out = entrants[x.on.partition("@")[0]] - len(x.chances) if x.sort == "contest" else 0
        assert 1.0 - SHOWN * left_out - 1e-9 <= math.fsum(x.chances.values()) <= 1.0 + 1e-9
        assert all(0.0 <= p <= 1.0 for p in x.chances.values())
    assert [x.t for x in found] == sorted(x.t for x in found)


@pytest.mark.slow
def test_a_bet_is_placed_settled_and_paid(engine: Engine) -> None:
    race = offer_of(engine.world, RACE)
    assert race is not None
    for side in race.chances:
        engine.do(Bet(on=RACE, side=side, stake=10))
    run(engine, 1)
    state = engine.world.bets
    assert state.points == PURSE - 10 * len(race.chances)
    assert len(state.open) == len(race.chances)
    run(engine, 24)
    (decided,) = [r.event for r in log_of(engine).all() if isinstance(r.event, Decided)]
    winner = decided.parts[0].who
    for event in settlements(engine):
        assert (event.how == "won") is (f"{engine.world.handbook.name(winner)} wins" in event.says)
    right = winner in race.chances
    assert (state.won, state.lost) == (int(right), len(race.chances) - right)
    gains = sum(event.gain for event in settlements(engine))
    assert state.points == PURSE + gains
    assert state.open == {}


def test_the_same_side_is_bet_on_once_until_it_is_decided(engine: Engine) -> None:
    race = offer_of(engine.world, RACE)
    assert race is not None
    one, other = list(race.chances)[:2]
    engine.do(Bet(on=RACE, side=one, stake=10))
    engine.do(Bet(on=RACE, side=one, stake=25))  # nobody can tell before its step
    run(engine, 1)
    assert [x.stake for x in engine.world.bets.open.values()] == [10]
    assert [says for _, says in engine.refused] != []
    with pytest.raises(ValueError, match="you have bet 10 points on that already"):
        engine.do(Bet(on=RACE, side=one, stake=5))
    engine.do(Bet(on=RACE, side=other, stake=5))
    run(engine, 1)
    assert engine.world.bets.points == PURSE - 15


def test_what_is_called_off_gives_the_stake_back(engine: Engine) -> None:
    race = offer_of(engine.world, RACE)
    assert race is not None
    engine.do(Bet(on=RACE, side=next(iter(race.chances)), stake=30))
    w = run(engine, 1).world
    handler = next(h for h in w.registry.handlers[Decided] if h.__module__.endswith("history"))
    handler(w, Decided("pancake_race", "off", "The race", "the pan", "called off"), Stamp(w.seq, w.step, w.now, "", ()))

    from staged import Silent

    from sandbox.engine.engine import Running

    step = Running(w, Silent())
    asyncio.run(settle_bets(step, w))
    (event,) = [r.event for r in step.records]
    assert isinstance(event, BetSettled)
    assert (event.how, event.gain, event.tally) == ("void", 0, PURSE)
    assert w.bets.points == PURSE


@pytest.mark.slow
def test_a_stake_comes_back_where_nothing_is_left_to_decide_at_its_hour(engine: Engine) -> None:
    choir = offer_of(engine.world, CHOIR)
    assert choir is not None
    engine.do(Bet(on=CHOIR, side=next(iter(choir.chances)), stake=30))
    w = run(engine, 55).world  # until shortly before the hour
    practice = next(o for o in w.calendar.on(1) if o.id == "choir")
    assert practice.decides is not None
    for id in practice.decides.settles:
        w.pressures.open.pop(id, None)
    run(engine, 6)
    (event,) = settlements(engine)
    assert (event.how, event.gain, event.tally, w.bets.open) == ("void", 0, PURSE, {})


def test_what_an_occasion_decides_on_another_day_settles_no_bet(engine: Engine) -> None:
    choir = offer_of(engine.world, CHOIR)
    assert choir is not None
    engine.do(Bet(on=CHOIR, side=next(iter(choir.chances)), stake=30))
    w = run(engine, 1).world
    other = OccasionDecision("choir", "won", next(iter(choir.chances)), "they won", w.now + 3 * DAY, w.seq)
    w.annals.decided.append(other)

    from staged import Silent

    from sandbox.engine.engine import Running

    step = Running(w, Silent())
    asyncio.run(settle_bets(step, w))
    assert step.records == []
    w.annals.decided.append(replace(other, t=w.now))
    asyncio.run(settle_bets(step, w))
    assert [r.event.how for r in step.records if isinstance(r.event, BetSettled)] == ["won"]


def test_a_matter_ends_well_or_badly(engine: Engine) -> None:
    matters = [x for x in bet_offers(engine.world) if x.sort == "matter"]
    assert matters
    for x in matters:
        assert set(x.chances) == {"well", "badly"}
    engine.do(Bet(on=matters[0].on, side="well", stake=10))
    run(engine, 3)
    placed = [r.event for r in log_of(engine).all() if isinstance(r.event, BetPlaced)]
    assert placed[0].sort == "matter"


@pytest.mark.parametrize(
    ("on", "side", "stake", "fault"),
    [
        ("pancake_rase@1", "jory", 10, 'no bet "pancake_rase@1"; did you mean "pancake_race@1"'),
        (RACE, "mara", 10, 'has no side "mara"'),
        (RACE, "jory", 101, "more than the 100 points you have"),
    ],
)
def test_a_bet_that_cannot_be_is_refused_in_a_sentence(
    engine: Engine, on: str, side: str, stake: int, fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        engine.do(Bet(on=on, side=side, stake=stake))
    assert engine.world.bets.points == PURSE


@pytest.mark.slow
def test_a_bet_changes_nothing_in_the_town(larkspur: Scenario) -> None:
    idle, betting = (engine_of(replace(larkspur, step=600)) for _ in range(2))
    betting.do(Bet(on=RACE, side="jory", stake=10))
    logs = [[(r.stamp.t, r.stamp.actor, type(r.event)) for r in log_of(run(e, 33)).all()] for e in (idle, betting)]
    assert [x for x in logs[1] if x[2] in (BetPlaced, BetSettled)]
    assert logs[0] == [x for x in logs[1] if x[2] not in (AnnalsOpened, BetPlaced, BetSettled)]
    assert b"bets" not in idle.world.snapshot()
