"""What hangs on a claim begins and ends with it: a home, work and its wage, an office, a group's days, a trade."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest
from lived import engine_of, run
from msgspec.structs import replace
from staged import Silent, Stage, pressure

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.core.protocols import Step
from sandbox.drama.claims import MOVING, change_claims, end_claim, make_claim, move_in
from sandbox.drama.needs import trade_coins
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_effects import GUESTS, is_barred, occasions_of
from sandbox.people.claim_handlers import EMPLOYS, MEMBER, between, claims_of, superiors
from sandbox.people.claim_model import Breaking, Broken, Claim, Made
from sandbox.people.planning import EVENING, plan_question, usual_blocks
from sandbox.people.pressure_deck import Effect
from sandbox.readers.contradictions import Contradictions
from sandbox.talk.content import partner_of, tie_of
from sandbox.talk.lines import unfit_variants
from sandbox.talk.meeting import approach_question
from sandbox.talk.saying import CLOSE, address
from sandbox.town.plan import sector_of

TRADE = "the evening trade of Larkspur"
WHY = "it came to that"
NOON = 12 * HOUR
Change = Callable[[Step, World, int], None]


def part(a: str, b: str, kind: str = "couple") -> Change:
    """End what there is of a kind between two, as an ending does."""
    breaks = (Breaking(kind, "holder", "about"),)
    return lambda step, w, t: change_claims(step, w, (), breaks, {"holder": a, "about": b}, "", WHY, t, 1)


def gets(claim: Claim) -> Change:
    return lambda step, w, t: make_claim(step, w, claim, WHY, t, 1)


def leaves(who: str, group: str) -> Change:
    def change(step: Step, w: World, t: int) -> None:
        for claim in [c for c in claims_of(w, who, MEMBER) if c.terms == group]:
            end_claim(step, w, claim, WHY, t, 1)

    return change


MAYOR = gets(Claim("", "role", "vera", "", "mayor"))
CAFE_EVENINGS = gets(Claim("", "owns", "esme", "", TRADE))


def stage(larkspur: Scenario, *changes: Change, entails: bool = True) -> World:
    """The town at noon of the first day, after these changes."""
    s = Stage(replace(larkspur, parameters={**larkspur.parameters, "claims.entails": entails}))
    step = s.step(NOON)
    for change in changes:
        change(step, s.world, NOON)
    return s.world


def titles(w: World, who: str, day: int) -> list[str]:
    return [o.id for o in occasions_of(w, who, day)]


def test_an_office_takes_its_work_its_wage_and_those_who_work_for_it_along(larkspur: Scenario) -> None:
    w = stage(larkspur, MAYOR)
    greta, vera = w.cast["greta"], w.cast["vera"]
    assert (vera.job, vera.work) == ("mayor", w.files["greta"].work)
    assert (greta.work, greta.wage) == ("", 0)
    assert next(claims_of(w, "quentin", EMPLOYS)).a == "vera"
    assert "vera" in superiors(w, "quentin")
    assert "greta" not in superiors(w, "quentin")


def test_what_presumes_a_claim_is_not_said_without_it(larkspur: Scenario) -> None:
    before, w = stage(larkspur), stage(larkspur, MAYOR, part("greta", "dov"))
    assert "speaking as mayor" in before.cast["greta"].speech.starts
    assert "speaking as mayor" not in w.cast["greta"].speech.starts
    assert "until the chain went to somebody else" in w.cast["greta"].about
    assert unfit_variants(w.files["greta"], w.cast["greta"]) == ("greta's confront#1",)
    assert "My wife denies it, officially." not in w.cast["dov"].speech.asides


@pytest.mark.parametrize(("a", "b", "goes"), [("greta", "dov", "dov"), ("saskia", "zeno", "saskia")])
def test_of_two_who_part_the_one_whose_home_it_is_less_sleeps_elsewhere(
    larkspur: Scenario, a: str, b: str, goes: str
) -> None:
    w = stage(larkspur, part(a, b))
    moved = [who for who in (a, b) if sector_of(w.cast[who].home) != sector_of(w.files[who].home)]
    assert moved == [goes]


def test_two_who_have_parted_make_no_small_talk_for_days(larkspur: Scenario) -> None:
    w = stage(larkspur, part("greta", "dov"))
    assert approach_question(w, "greta", "dov", NOON + HOUR).options == ()
    assert approach_question(w, "greta", "dov", NOON + 5 * DAY).options
    assert not [f for f in plan_question(w, "greta", NOON + HOUR).friends if f.who == "dov"]


def test_who_has_left_a_group_keeps_away_from_it_and_who_has_joined_comes(larkspur: Scenario) -> None:
    before = stage(larkspur)
    w = stage(larkspur, leaves("quentin", "the choir"), gets(Claim("", MEMBER, "flora", "", "the band")))
    assert "choir" in titles(before, "quentin", 1)
    assert "choir" not in titles(w, "quentin", 1)
    assert "band_practice" in titles(w, "flora", 3)
    rooms = {o.where for o in w.calendar.of_groups if o.of == "the choir"}
    assert not rooms & {b.where for day in range(1, 8) for b in usual_blocks(w, "quentin", day)}
    assert not rooms & {where for _, where in plan_question(w, "quentin", NOON).leisure}


def test_who_has_lost_the_work_is_not_at_its_hours(larkspur: Scenario) -> None:
    before, w = stage(larkspur), stage(larkspur, part("lev", "saskia", EMPLOYS))
    assert "drawing_class" in titles(before, "saskia", 3)
    assert "drawing_class" not in titles(w, "saskia", 3)


def test_a_trade_brings_coins_and_guests_to_whoever_has_it(larkspur: Scenario) -> None:
    before, w = stage(larkspur), stage(larkspur, CAFE_EVENINGS)
    assert [trade_coins(before, who) for who in ("zeno", "esme")] == [30, 0]
    assert [trade_coins(w, who) for who in ("zeno", "esme")] == [0, 30]

    def guests(w: World, sector: str) -> int:
        blocks = (b for who in w.cast for b in usual_blocks(w, who, 1) if w.clock.second_of_day(b.start) >= EVENING)
        return sum(sector_of(b.where) == sector for b in blocks)

    assert guests(w, "The Lantern") < guests(before, "The Lantern")
    assert guests(w, "Blue Heron Cafe") > guests(before, "Blue Heron Cafe")


ALL = (
    MAYOR,
    CAFE_EVENINGS,
    part("greta", "dov"),
    part("mara", "basil"),
    part("noor", "flora", EMPLOYS),
    part("zeno", "kit", "lodges"),
    *(leaves(who, "the choir") for who in ("thea", "greta", "quentin")),
)


def lived_against(larkspur: Scenario, entails: bool) -> list[str]:
    """The contradictions of two days and a night, in a town where all that changes at the first noon."""
    engine = engine_of(replace(larkspur, parameters={**larkspur.parameters, "claims.entails": entails}))
    w, found = engine.world, Contradictions(engine.world)

    def read(records: Sequence[Record]) -> None:
        for record in records:
            found.read(record)

    engine.watchers.append(read)
    run(engine, 5 * HOUR // w.step_seconds)
    step = Running(w, Silent())
    for change in ALL:
        change(step, w, w.now)
    read(step.records)
    run(engine, (DAY + 12 * HOUR) // w.step_seconds)
    return [x.says for _, x in found.told()]


def test_nobody_lives_against_what_is_so_and_without_entails_people_do(larkspur: Scenario) -> None:
    assert lived_against(larkspur, entails=True) == []
    off = lived_against(larkspur, entails=False)
    assert len(off) >= 10, off
    assert "greta works as mayor, and is not" in off
    assert "greta and dov live in Bridge Terrace / west bedroom, and have parted" in off


@pytest.mark.parametrize("who", ["greta", "mara"])
def test_without_entails_the_file_holds(larkspur: Scenario, who: str) -> None:
    w = stage(larkspur, MAYOR, part("greta", "dov"), part("mara", "basil"), entails=False)
    assert (w.cast[who].home, w.cast[who].job, w.cast[who].speech) == (
        w.files[who].home,
        w.files[who].job,
        w.files[who].speech,
    )
    assert not list(between(w, "greta", "dov", "couple"))


# ---- bans


def fall_out(s: Stage, holder: str, about: str, t: int = 600) -> list[object]:
    p = s.wake()
    for u, v in ((holder, about), (about, holder)):
        s.world.people.ties[u][v] = replace(tie_of(s.world, u, v), feeling=-0.8)
    return s.move(t, p, Effect(end="fell_out"), holder, about, "confront", answer="refuse", hostile=True)


def test_who_falls_out_for_good_with_whoever_keeps_a_bar_is_barred_from_it_for_days(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("grudge", "zeno", "otis"))
    w, bar = s.world, "The Lantern / taproom"
    assert not is_barred(w, "otis", bar)
    made = [e for e in fall_out(s, "zeno", "otis") if isinstance(e, Made)]
    assert [(e.kind, e.a, e.b, sector_of(e.where)) for e in made] == [("ban", "otis", "zeno", "The Lantern")]
    assert is_barred(w, "otis", bar)
    assert not is_barred(w, "zeno", bar)
    assert not is_barred(w, "otis", "Market Square / stalls")
    assert not any(sector_of(b.where) == "The Lantern" for day in range(2, 9) for b in usual_blocks(w, "otis", day))
    assert not any(sector_of(o.where) == "The Lantern" for day in range(2, 9) for o in occasions_of(w, "otis", day))
    w.claim_parameters = replace(w.claim_parameters, entails=False)
    assert not is_barred(w, "otis", bar)
    w.claim_parameters = replace(w.claim_parameters, entails=True)
    for day, over in ((3, False), (5, True)):
        step = s.step(w.clock.midnight(day) + MOVING)
        asyncio.run(move_in(step, w))
        assert [e.kind for _, e in step.records if isinstance(e, Broken)] == ["ban"] * over
    assert not is_barred(w, "otis", bar)


def test_who_keeps_no_place_for_guests_bars_nobody(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("grudge", "una", "ivo"))
    assert not [e for e in fall_out(s, "una", "ivo") if isinstance(e, Made)]


def test_whoever_lost_the_work_that_took_them_to_a_place_has_no_breakfast_there(larkspur: Scenario) -> None:
    s = Stage(larkspur)
    w = s.world
    free = {where for where, area in w.map.areas.items() if not {*area.arena.tags} & GUESTS}
    days = {p.id: {b.where for day in range(2, 9) for b in usual_blocks(w, p.id, day)} for p in w.cast.values()}
    at_work = [p.id for p in w.cast.values() if p.work in free & days[p.id]]
    assert len(at_work) > 5
    for who in at_work:
        where, step = w.cast[who].work, s.step(600)
        for job in [c for c in claims_of(w, who, "employs") if c.b == who]:
            end_claim(step, w, job, "so it is", 600, 1)
        if where != w.cast[who].home:
            assert where not in {b.where for day in range(2, 9) for b in usual_blocks(w, who, day) if b.do != "rest"}


# ---- how one is addressed


def test_formal_people_call_who_holds_an_office_by_it_and_no_longer_once_it_has_passed(larkspur: Scenario) -> None:
    def called(w: World, me: str, other: str) -> str:
        return address(w, me, other, partner_of(w, me, other, 0))

    w = stage(larkspur)
    assert called(w, "kit", "greta") == "Greta", "who is not formal uses the name"
    far = [who for who, p in w.cast.items() if p.voice == "formal" and tie_of(w, who, "greta").closeness < CLOSE]
    formal = [who for who in far if who not in ("greta", "vera")]
    assert formal
    assert {called(w, who, "greta") for who in formal if w.cast[who].household != w.cast["greta"].household} == {
        "Mayor"
    }
    w = stage(larkspur, MAYOR)
    assert {called(w, who, "greta") for who in formal} == {"Greta"}
    assert "Mayor" in {called(w, who, "vera") for who in formal}
    w = stage(larkspur, MAYOR, entails=False)
    assert {called(w, who, "vera") for who in formal} == {"Vera"}


def test_who_is_put_out_does_not_lodge_where_they_have_parted_from_somebody(larkspur: Scenario) -> None:
    s = Stage(larkspur)
    w, step = s.world, s.step(600)
    make_claim(step, w, Claim("", "couple", "kit", "yara"), WHY, 600, 1)
    (claim,) = between(w, "kit", "yara", "couple")
    end_claim(step, w, claim, WHY, 600, 1)
    make_claim(step, w, Claim("", "lodges", "yara", "", where="Rowan House / sitting room"), WHY, 600, 1)
    for who in w.cast:
        w.people.ties["kit"].pop(who, None)
    w.people.ties["kit"]["mara"] = replace(tie_of(w, "kit", "mara"), feeling=0.9)  # who lives at Rowan House
    change_claims(
        step, w, (), (Breaking("lodges", "holder", "anybody"),), {"holder": "kit", "about": ""}, "", WHY, 600, 1
    )
    assert w.cast["kit"].household != w.cast["yara"].household


def test_an_ally_over_a_group_that_one_has_left_does_not_bring_one_back(larkspur: Scenario) -> None:
    w = stage(larkspur, leaves("jory", "the band"))
    assert any((c.kind, c.terms) == ("ally", "the band") for c in claims_of(w, "jory"))
    assert not any(o.of == "the band" for day in range(2, 9) for o in occasions_of(w, "jory", day))
