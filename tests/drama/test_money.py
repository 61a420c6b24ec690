"""Money: what is paid and by whom, wages on their day, debts that a purse must pay, and what being short brings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import Day, engine_of, founding, log_of, run
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import DAY, DAYS, HOUR, MINUTE, Clock, parse_start
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.text import spelt
from sandbox.drama.consequences import WAGES
from sandbox.drama.needs import LOAN, SEEN, SHORT, spend
from sandbox.drama.new_pressures import bear
from sandbox.drama.seeking import seek
from sandbox.engine.checking import check_scenario
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.model import Block, Chose, CurrentAct, Felt, Needed
from sandbox.people.needs import level
from sandbox.people.paying import DEBT, FEW, PART, Earned, Lacked, Paid, cost, ease, some_of
from sandbox.people.paying import LOAN as LENT
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sought, Stirred
from sandbox.people.purse import AMPLE, SATED, Money, Purse, parse_payday, payday, spare, wage
from sandbox.phones.model import Crossed
from sandbox.talk.pressure_aims import feature_values, is_way_open

GIVE_IN = Effect(end="repaid")


def coins(w: World) -> dict[str, int]:
    return {who: r.purse.coins for who, r in w.people.residents.items()}


def owing(scenario: Scenario, amount: int, has: int, **more: object) -> Stage:
    """Mara owes Basil a sum, and has so much."""
    stage = Stage(scenario, pressure("debt", amount=amount, stage=2, due=hours(5), **more))
    stage.world.people.residents["mara"].purse.coins = has
    stage.wake()
    return stage


def the_debt(stage: Stage) -> ActivePressure:
    return stage.world.pressures.open["debt"]


def may(stage: Stage, do: str, me: str, other: str) -> bool:
    w, p = stage.world, the_debt(stage)
    ways = [way for way in w.drama.kinds["debt"].ways if way.do == do]
    return any(is_way_open(w, p, way, me, other, way.by, hours(1)) for way in ways)


def spent(stage: Stage, t: int, *events: tuple[str, Event]) -> list[Event]:
    """What is paid in a minute in which these people do that."""
    step = stage.step(t)
    for who, e in events:
        step.emit(e, t=t, actor=who)
    n = len(step.records)
    asyncio.run(spend(step, stage.world))
    stage.records += step.records
    return [r.event for r in step.records[n:]]


def begins(stage: Stage, who: str, block: str, where: str) -> Chose:
    """Somebody begins a block on the spot where they stand."""
    spot = stage.world.town.spots[who]
    x, y = stage.world.map.xy(spot.tile)
    return Chose(block, block, where, "", x, y, 30 * MINUTE, 1, True)


def test_who_has_not_the_money_goes_to_ask_for_time_and_not_to_pay(larkspur: Scenario) -> None:
    for has, does in ((9, {"repay"}), (6, {"put_off"})):
        stage = owing(larkspur, 7, has, intensity=1.0)
        r = stage.world.people.residents["mara"]
        r.awake = True
        r.plan = (Block(0, 9 * HOUR, "walk", "Mill Meadow / meadow", ""), Block(9 * HOUR, DAY, "sleep", "", ""))
        sought = []
        for t in range(10 * MINUTE, 4 * HOUR, MINUTE):
            step = stage.step(t)
            seek(step, stage.world, the_debt(stage))
            sought += [x.event.do for x in step.records if isinstance(x.event, Sought)]
        assert set(sought) == does


TAPROOM, TABLES, KITCHEN = "The Lantern / taproom", "Blue Heron Cafe / tables", "Rowan House / kitchen"


# ---- purses


@pytest.mark.slow
def test_no_purse_is_ever_below_nothing_and_money_comes_only_from_wages_and_strangers(larkspur: Scenario) -> None:
    """From morning until wages are paid at noon; every other has next to nothing, so that some lend."""
    assert larkspur.money is not None
    cast = tuple(replace(p, purse=2 if n % 2 else 200) for n, p in enumerate(larkspur.cast))
    scenario = replace(larkspur, cast=cast, step=300, money=replace(larkspur.money, day="tue"))
    engine = run(engine_of(scenario), 66)
    purses = coins(World.found(founding(scenario)))
    paid = lent = earned = 0
    for r in log_of(engine).all():
        e, actor = r.event, r.stamp.actor
        if isinstance(e, Paid):
            purses[actor] -= e.amount
            assert purses[actor] == e.left >= 0
            if e.to:
                purses[e.to] += e.amount
            paid, lent = paid + 1, lent + bool(e.to)
        elif isinstance(e, Earned):
            purses = {who: left + e.wages.get(who, 0) for who, left in purses.items()}
            earned += 1
        elif isinstance(e, Crossed):  # what strangers give to an appeal, and custom lost to a pile-on
            purses[actor] += e.coins
    assert min(paid, lent, earned) > 0
    assert purses == coins(engine.world)


def test_a_day_costs_the_log_little(day: Day) -> None:
    assert 20 < len(day.of(Paid)) <= 150


def test_an_act_has_its_price_where_it_is_for_sale(larkspur: Scenario) -> None:
    w = Stage(larkspur).world
    assert larkspur.money is not None
    for who, block, where, thing in [
        ("mara", "drink", TAPROOM, "a pint"),
        ("mara", "quiz", TAPROOM, "a pint"),
        ("mara", "soup", TABLES, "the soup"),
        ("mara", "supper", KITCHEN, ""),  # a home
        ("zeno", "drink", TAPROOM, ""),  # who works and lives there
        ("esme", "soup", TABLES, ""),
        ("mara", "walk", TABLES, ""),
    ]:
        price = larkspur.money.prices.get(thing, 0)
        assert cost(w, who, CurrentAct(block, block, where, "", 0, 60, 60)) == (thing, price)


def test_what_one_has_just_paid_for_is_paid_for(larkspur: Scenario) -> None:
    stage = Stage(larkspur)
    drink = begins(stage, "mara", "drink", TAPROOM)
    (first,) = spent(stage, MINUTE, ("mara", drink))
    assert isinstance(first, Paid)
    assert (first.amount, first.what, first.to) == (4, "a pint", "")
    assert spent(stage, SATED, ("mara", drink)) == []
    assert len(spent(stage, MINUTE + SATED, ("mara", drink))) == 1


@pytest.mark.parametrize("change", [{"money": None}, {"rules": {"drama": "off"}}])
def test_a_world_without_money_has_none(larkspur: Scenario, change: dict[str, object]) -> None:
    engine = run(engine_of(replace(larkspur, **change)), 90)
    assert not [r for r in log_of(engine).all() if isinstance(r.event, (Paid, Earned))]
    assert set(coins(engine.world).values()) == {0}


def test_who_says_nothing_has_the_wages_of_a_week(larkspur: Scenario) -> None:
    plain = replace(larkspur, cast=tuple(replace(p, purse=None, wage=None) for p in larkspur.cast))
    own = replace(plain, cast=tuple(replace(p, wage=7) for p in plain.cast))
    assert plain.money is not None
    assert coins(World.found(founding(plain)))["mara"] == plain.money.wages["baker"]
    assert set(coins(World.found(founding(own))).values()) == {7}
    assert wage(Money(wages={"default": 3}), "baker", None) == 3
    assert wage(Money(), "baker", None) == 0


# ---- going without


def broke(larkspur: Scenario, who: str = "mara") -> Stage:
    stage = Stage(larkspur)
    stage.world.people.residents[who].purse.coins = 3
    return stage


def test_who_cannot_pay_goes_without_feels_it_and_goes_home(larkspur: Scenario) -> None:
    stage = broke(larkspur)
    w = stage.world
    w.town.spots["mara"].tile = w.map.areas[TAPROOM].tiles[0]  # nobody is near
    lacked, felt, needed = spent(stage, MINUTE, ("mara", begins(stage, "mara", "drink", TAPROOM)))
    assert lacked == Lacked("a pint", 4)
    assert isinstance(felt, Felt)
    assert (felt.why, felt.emotion) == (SHORT, "distress")
    assert isinstance(needed, Needed)
    assert needed.block.where == w.cast["mara"].home
    assert w.people.residents["mara"].purse.coins == 3


def test_no_meal_feeds_who_cannot_pay_for_it(larkspur: Scenario) -> None:
    rich, poor = Stage(larkspur), broke(larkspur)
    fed = []
    for stage in (rich, poor):
        w = stage.world
        step = stage.step(MINUTE)
        step.emit(begins(stage, "mara", "soup", TABLES), t=MINUTE, actor="mara")
        fed.append(level(w.people.residents["mara"].needs, "food", MINUTE, w.need_parameters))
    assert fed[0] > fed[1] + 0.3


def test_a_friend_who_is_near_may_lend_it(larkspur: Scenario) -> None:
    lent = 0
    for seed in range(12):
        stage = broke(replace(larkspur, seed=seed))
        w = stage.world
        tiles = w.map.areas[TABLES].tiles
        for i, who in enumerate(("mara", "basil")):
            w.town.spots[who].tile = tiles[i]
            w.people.residents[who].awake = True
        sum_ = sum(coins(w).values())
        found = spent(stage, MINUTE, ("mara", begins(stage, "mara", "soup", TABLES)))
        began = next((e for e in found if isinstance(e, Began) and e.kind == "debt"), None)
        if began is None:
            assert any(isinstance(e, Felt) and e.why == SHORT for e in found)
            continue
        lent += 1
        assert found[0] == Lacked("the soup", 5, "basil")
        assert (began.about, began.amount) == ("basil", 5)
        assert [(e.what, e.amount, e.to) for e in found if isinstance(e, Paid)] == [
            (LENT, 5, "mara"),
            ("the soup", 5, ""),
        ]
        assert sum(coins(w).values()) == sum_ - 5
    assert 0 < lent < 12


def test_the_deck_has_what_comes_of_being_short(larkspur: Scenario) -> None:
    assert {LOAN, SEEN} <= larkspur.drama.children.keys()
    assert larkspur.drama.children[LOAN].lends


# ---- wages


def test_wages_come_once_on_their_day_and_hour(larkspur: Scenario) -> None:
    stage = Stage(larkspur)
    clock, money = stage.world.clock, larkspur.money
    assert money is not None
    before = coins(stage.world)
    paid = [
        r.stamp.t
        for t in range(0, 8 * DAY, 10 * MINUTE)
        for r in _slice(stage, t, 10 * MINUTE)
        if isinstance(r.event, Earned)
    ]
    (t,) = paid
    assert (clock.weekday(t), clock.hhmm(t)) == ("fri", "12:00")
    got = {who: left - before[who] for who, left in coins(stage.world).items()}
    trades = {"zeno": larkspur.claims.trades["the evening trade of Larkspur"]}
    assert got == {p.id: wage(money, p.job, p.wage) + trades.get(p.id, 0) for p in larkspur.cast}


def _slice(stage: Stage, t: int, seconds: int) -> Sequence[Record]:
    stage.world.step_seconds = seconds
    step = stage.step(t)
    asyncio.run(spend(step, stage.world))
    return step.records


@given(st.integers(0, 20 * DAY), st.sampled_from(DAYS), st.integers(0, DAY))
def test_pay_day_is_the_first_of_its_name_from_then_on(after: int, day: str, at: int) -> None:
    clock = Clock(parse_start("2025-03-04 07:30"))
    t = payday(Money(day=day, at=at), clock, after)
    assert 0 <= t - after < 7 * DAY
    assert clock.weekday(t - at) == day
    assert clock.second_of_day(t - at) == 0


# ---- debts


def test_a_debt_is_repaid_only_by_who_has_the_money(larkspur: Scenario) -> None:
    assert may(owing(larkspur, 62, 62), "repay", "mara", "basil")
    assert not may(owing(larkspur, 62, 61), "repay", "mara", "basil")
    assert may(owing(larkspur, 0, 0), "repay", "mara", "basil")  # a wheel needs no money
    assert may(owing(replace(larkspur, money=None), 62, 0), "repay", "mara", "basil")


def test_an_hour_that_goes_by_for_want_of_money_says_so(larkspur: Scenario) -> None:
    stage = owing(larkspur, 62, 9)
    stage.world.people.residents["mara"].awake = True
    (ended,) = (r.event for r in stage.press(hours(6)) if isinstance(r.event, Ended))
    assert ended.how == "defaulted"
    assert ended.why == "Mara had nine and owed sixty-two"


def test_what_is_repaid_moves_from_purse_to_purse(larkspur: Scenario) -> None:
    stage = owing(larkspur, 62, 70)
    w = stage.world
    before = coins(w)
    found = stage.move(hours(1), the_debt(stage), GIVE_IN, "mara", "basil", "repay", answer="accept")
    assert isinstance(found[0], Ended)
    (paid,) = (e for e in found if isinstance(e, Paid))
    assert paid == Paid(62, DEBT, 8, "basil", "debt")
    assert coins(w) == {**before, "mara": 8, "basil": before["basil"] + 62}


def test_who_gives_in_and_cannot_pay_pays_a_part_and_is_given_until_the_wages(larkspur: Scenario) -> None:
    stage = owing(larkspur, 62, 30)
    w, p = stage.world, the_debt(stage)
    assert w.money is not None
    found = stage.move(hours(1), p, GIVE_IN, "basil", "mara", "confront", answer="accept", hostile=True)
    stirred, paid = found[0], next(e for e in found if isinstance(e, Paid))
    assert isinstance(stirred, Stirred)
    assert stirred.delta < 0
    assert stirred.due == payday(w.money, w.clock, hours(1)) + WAGES
    assert paid == Paid(10, PART, 20, "basil", "debt")
    assert p.amount == 52


@given(st.integers(0, 2000), st.integers(1, 2000))
def test_a_part_is_half_at_most_and_leaves_a_little(larkspur: Scenario, has: int, amount: int) -> None:
    w = World.found(founding(larkspur))
    w.people.residents["mara"].purse.coins = has
    sum_ = some_of(w, "mara", amount)
    assert 0 <= sum_ <= amount // 2
    assert not sum_ or has - sum_ >= FEW


def test_a_loan_moves_money_as_it_is_born_and_who_has_none_lends_none(larkspur: Scenario) -> None:
    for has, born in ((100, True), (2, False)):
        stage = Stage(larkspur)
        w = stage.world
        w.people.residents["basil"].purse.coins = has
        before = coins(w)
        step = stage.step(MINUTE)
        bear(step, w, LOAN, (1,), "basil", "mara")
        events = [r.event for r in step.records]
        assert bool(events) == born
        if born:
            began, paid = events
            assert isinstance(began, Began)
            assert isinstance(paid, Paid)
            least, most = larkspur.drama.children[LOAN].amount
            assert least <= began.amount == paid.amount <= most
            assert spelt(began.amount) in began.stakes.lower()
            assert w.pressures.open[began.id].amount == began.amount
            after = {"mara": before["mara"] + began.amount, "basil": before["basil"] - began.amount}
            assert coins(w) == {**before, **after}


def test_whether_one_can_spare_it_weighs_under_a_name(larkspur: Scenario) -> None:
    assert FEATURES["flush"] == ("can spare the money", "would be left with nothing")
    for has, sign in ((62, -1), (200, 1)):
        stage = owing(larkspur, 62, has)
        w, p = stage.world, the_debt(stage)
        x = feature_values(w, "mara", "basil", hours(1), p)["flush"]
        assert x * sign > 0
        assert feature_values(w, "kit", "basil", hours(1), p)["flush"] == 0.0
    assert ease(w, "mara", 0, "mara") == 0.0
    assert spare(0) < 0 < spare(AMPLE)
    exchanges = larkspur.drama.exchanges
    assert exchanges["repay"].wish["flush"] > 0 > exchanges["put_off"].wish["flush"]


def test_the_cast_cannot_pay_all_it_owes_before_the_wages(larkspur: Scenario) -> None:
    purses = {p.id: p.purse or 0 for p in larkspur.cast}
    debts = [p for p in larkspur.pressures if p.amount]
    assert len(debts) == 5
    assert {p.id for p in debts if p.amount > purses[p.holder]} == {
        "short_float",
        "two_months",
        "oak_bill",
        "flour_account",
    }


# ---- what comes from saves


def test_a_log_cannot_take_what_is_not_there(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    has = w.people.residents["mara"].purse.coins
    bad = [
        Paid(has + 1, "a pint", 0),
        Paid(4, "a pint", has),
        Paid(4, LENT, has - 4, "mara"),
        Earned({"nobody": 4}),
        Paid(4, LENT, has - 4, "nobody"),
    ]
    for event in bad:
        with pytest.raises((ValueError, KeyError)):
            w.apply(Record(Stamp(2, 1, 0, "mara", ()), event))
        assert w.people.residents["mara"].purse.coins == has


def test_more_than_is_owed_is_not_paid_back(larkspur: Scenario) -> None:
    stage = owing(larkspur, 10, 100)
    with pytest.raises(ValueError, match="more is paid"):
        stage.world.apply(Record(Stamp(9, 1, hours(1), "mara", ()), Paid(20, PART, 80, "basil", "debt")))


def test_a_snapshot_from_before_there_was_money_opens(larkspur: Scenario) -> None:
    old = World.found(founding(replace(larkspur, money=None)))
    content = msgspec.msgpack.decode(old.snapshot())
    for resident in content["residents"].values():
        del resident["purse"]
    old.restore(msgspec.msgpack.encode(content))
    assert set(coins(old).values()) == {0}
    assert run(engine_of(old.scenario, world=old), 30).world.step == 30


def test_a_snapshot_keeps_purses_and_refuses_impossible_ones(larkspur: Scenario) -> None:
    stage = owing(larkspur, 62, 17)
    again = World.found(founding(stage.world.scenario))
    again.restore(stage.world.snapshot())
    assert again.people.residents["mara"].purse == Purse(17)
    assert again.pressures.open["debt"].amount == 62
    stage.world.people.residents["mara"].purse.coins = -1
    with pytest.raises(ValueError, match="no snapshot"):
        again.restore(stage.world.snapshot())


@pytest.mark.parametrize(
    "change",
    [
        {"money": Money(prices={"a pint": -1})},
        {"money": Money(wages={"baker": 10**9})},
        {"money": Money(day="someday")},
        {"money": Money(at=-5)},
        {"pressures": (Pressure("x", "debt", "mara", "basil", 0.5, 0, 0, None, "y", (), "x", "z", -3),)},
    ],
)
def test_a_scenario_with_impossible_sums_is_refused(larkspur: Scenario, change: dict[str, object]) -> None:
    larkspur = replace(larkspur, calendar=(), goals=())  # nothing there waits for the pressures that are changed
    check_scenario(larkspur)
    strange = msgspec.json.encode(replace(larkspur, **change))
    with pytest.raises(ValueError, match=r"\$\.(money|pressures)"):
        check_scenario(msgspec.json.decode(strange, type=Scenario))


# ---- words


@pytest.mark.parametrize(
    ("n", "words"),
    [(0, "nothing"), (9, "nine"), (14, "fourteen"), (62, "sixty-two"), (90, "ninety"), (840, "eight hundred and forty"),
     (300, "three hundred"), (1000, "1000")],
)  # fmt: skip
def test_sums_are_said_in_words(n: int, words: str) -> None:
    assert spelt(n) == words


def test_pay_day_is_written_as_a_day_and_an_hour() -> None:
    assert parse_payday("friday 16:00") == parse_payday("Fri 16:00") == ("fri", 16 * HOUR)
    for text in ("friday", "someday 12:00", "friday noon"):
        with pytest.raises(ValueError, match="write it as"):
            parse_payday(text)
