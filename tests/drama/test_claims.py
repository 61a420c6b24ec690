"""Claims: what people do makes and breaks what is so between them; homes and work follow; a broken claim is minded."""

from __future__ import annotations

import pytest
from lived import again, founding
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.events import Stamp
from sandbox.drama.claims import make_claim, react_to_breach
from sandbox.drama.new_pressures import bear
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.beliefs import SAW, SEEN, BeliefUpdate
from sandbox.people.claim_handlers import EMPLOYS, LODGES, between, claims_of, person
from sandbox.people.claim_model import (
    NO_CLAIM,
    Breach,
    Breaking,
    Broken,
    Claim,
    ClaimChanges,
    ClaimCondition,
    ClaimDeck,
    ClaimKind,
    Made,
    Making,
)
from sandbox.people.planning import usual_blocks
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_handlers import fact_of
from sandbox.people.pressure_model import Began
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.talk.pressure_aims import feature_values, is_way_open, with_bars


def kind(called: str, **more: object) -> ClaimKind:
    plain = ClaimKind("{a} and {b}: " + called, "{a} and {b} made " + called, "{a} and {b} broke " + called)
    return replace(plain, **more)


KINDS = {
    "couple": kind("couple", mutual=True, hard=True),
    "ally": kind("alliance", mutual=True),
    "confidence": kind("confidence", private=True),
    "role": kind("office", needs=("a",), one="terms", hard=True, says="{a} is {terms}"),
    LODGES: kind("home", needs=("a",), one="a", hard=True, says="{a} lives in {where}"),
    EMPLOYS: kind("place", needs=("b",), one="b", hard=True, says="{b} works in {where}"),
}
JEALOUS = Breach("couple", "jealous", "what is between {breaker} and {third}", "crush", ("open", "together"))


@pytest.fixture
def town(larkspur: Scenario) -> Scenario:
    """Mara and Basil are a couple, Greta is mayor, Otis has told Anselm something."""
    claims = (
        Claim("mara_basil", "couple", "mara", "basil"),
        Claim("mayor", "role", "greta", terms="mayor"),
        Claim("told", "confidence", "otis", "anselm", terms="the bell is cracked"),
    )
    return replace(larkspur, claims=ClaimDeck(KINDS, (JEALOUS,), claims))


def stage(town: Scenario, *pressures: object) -> Stage:
    return Stage(town, *pressures)  # type: ignore[arg-type]


def open_kinds(w: World, who: str) -> list[str]:
    return [c.kind for c in claims_of(w, who)]


def test_a_world_begins_with_what_it_says_and_with_homes_and_work_by_the_files(town: Scenario) -> None:
    w = stage(town).world
    assert open_kinds(w, "mara") == ["couple", LODGES, EMPLOYS]
    assert [c.id for c in between(w, "basil", "mara")] == ["mara_basil"]
    assert w.cast["mara"] is w.files["mara"]
    bare = stage(replace(town, claims=ClaimDeck())).world
    assert (bare.claims.open, bare.cast["mara"] is bare.files["mara"]) == ({}, True)


def test_an_ending_makes_and_breaks_claims_and_says_how_it_came_to_that(town: Scenario) -> None:
    s = stage(town, pressure("crush", "mara", "otis"))
    p = s.wake()
    effect = Effect(
        end="together",
        makes=(Making("couple", "holder", "about"), Making("ally", "actor", "target", "{stakes}")),
        breaks=(Breaking("couple", "holder", "anybody"),),
    )
    events = s.move(3600, p, effect, "mara", "otis", "declare", answer="accept")
    changed = [e for e in events if isinstance(e, (Made, Broken))]
    assert [(e.KIND, e.kind, e.a, e.b) for e in changed] == [
        ("claim_broken", "couple", "mara", "basil"),
        ("claim_made", "couple", "mara", "otis"),
        ("claim_made", "ally", "mara", "otis"),
    ]
    assert {e.why for e in changed} == {"Mara and Otis are walking out together"}
    assert [c.b for c in claims_of(s.world, "mara", "couple")] == ["otis"]
    assert list(claims_of(s.world, "basil", "couple")) == []
    teller = Teller(s.world.handbook)
    assert [event_sentence(r, teller) for r in s.records if isinstance(r.event, Broken)] == [
        "Mara and Basil broke couple"
    ]
    assert s.world.claims.open[changed[1].id].seq > 0
    assert [r.event for r in again(s.records)] == [r.event for r in s.records]


def test_what_a_deed_makes_says_whose_deed_it_was(town: Scenario) -> None:
    s = stage(town, pressure("grudge", "mara", "otis"))
    effect = Effect(makes=(Making("ally", "actor", "target", "{stakes}"),))
    events = s.move(3600, s.wake(), effect, "mara", "wilf", "complain", answer="accept")
    assert [e.why for e in events if isinstance(e, Made)] == ["Mara complained to Wilf"]


def test_a_pressure_of_the_cast_has_consequences_of_its_own_one_can_visit(town: Scenario) -> None:
    moves = Making(LODGES, "holder", "nobody", where="Rowan House / front bedroom")
    out = ClaimChanges((moves,), (Breaking(EMPLOYS, "about", "anybody"),))
    s = stage(town, pressure("debt", "kit", "zeno", ends={"defaulted": out}))
    p = s.wake()
    s.move(3600, p, Effect(end="defaulted"), "zeno", "kit", "confront", answer="refuse")
    w = s.world
    assert w.cast["kit"].home == "Rowan House / front bedroom"
    assert w.cast["kit"].household == w.files["mara"].household
    assert (w.cast["zeno"].work, w.cast["zeno"].job, w.cast["zeno"].wage) == ("", "out of work", 0)
    where = {b.where for b in usual_blocks(w, "kit", 2)}
    assert not any(x.startswith("Number Nine") for x in where)  # breakfast is eaten where one lives now
    assert {b.do for b in usual_blocks(w, "zeno", 2) if b.do == "work"} == set()  # who has no work stays at home
    assert [c.where for c in claims_of(w, "kit", LODGES)] == ["Rowan House / front bedroom"]


def test_who_is_put_out_and_has_a_bed_by_the_same_ending_is_not_taken_in_elsewhere(larkspur: Scenario) -> None:
    settee = Making(LODGES, "holder", "nobody", "the settee", "Rowan House / sitting room")
    s = stage(larkspur, pressure("debt", "kit", "zeno", ends={"defaulted": ClaimChanges((settee,))}))
    events = s.move(3600, s.wake(), Effect(end="defaulted"), "zeno", "kit", "confront", answer="refuse")
    changed = [(e.KIND, e.where) for e in events if isinstance(e, (Made, Broken)) and e.kind == LODGES]
    assert changed == [("claim_broken", "Number Nine / room one"), ("claim_made", "Rowan House / sitting room")]


def test_a_child_of_the_deck_has_consequences_of_its_own_by_the_ending_it_comes_to(larkspur: Scenario) -> None:
    ends = {"reached": ClaimChanges((Making(EMPLOYS, "about", "holder", "help"),))}
    plan = replace(larkspur.drama.children["idea"], ends=ends, wants=NO_CLAIM)
    s = stage(replace(larkspur, drama=replace(larkspur.drama, children={"idea": plan})))
    w = s.world
    step = s.step(60)
    bear(step, w, "idea", (1,), "una", "mara")
    (p,) = w.pressures.open.values()
    s.move(3600, p, Effect(end="reached"), "una", "mara", "ask_help", answer="accept")
    assert (w.cast["una"].work, w.cast["una"].job) == (w.cast["mara"].work, "help"), "one works where she works"
    (made,) = (r for r in s.records if isinstance(r.event, Made))
    assert event_sentence(made, Teller(w.handbook)) == "Una works as help at the bakery now"
    other = stage(larkspur, pressure("ambition", "una", "mara"))
    other.move(3600, other.wake(), Effect(end="reached"), "una", "mara", "ask_help", answer="accept")
    assert not [r for r in other.records if isinstance(r.event, Made)], "another of the kind has none of it"


def test_a_matter_that_hangs_on_a_claim_wakes_only_while_it_stands(town: Scenario) -> None:
    """It waits for what may come, until it would be due; what it hangs on is asked of both ends."""
    mayor = ClaimCondition("role", "greta", terms="mayor")
    pair = ClaimCondition("couple", "kit", "flora")
    s = stage(
        town,
        pressure("worry", id="stands", hangs_on=(mayor, ClaimCondition("couple", "basil", "mara"))),
        pressure("worry", id="fell", hangs_on=(ClaimCondition("role", "greta", terms="vicar"),)),
        pressure("worry", id="comes", hangs_on=(pair,), due=7200),
        pressure("worry", id="too late", hangs_on=(pair,), due=600),
    )
    s.press(0)
    assert list(s.world.pressures.woken) == ["stands"]
    make_claim(s.step(3600), s.world, Claim("", "couple", "flora", "kit"), "a song", 3600, 1)
    s.press(3660)
    assert list(s.world.pressures.woken) == ["stands", "comes"]


def test_of_what_there_is_one_the_one_before_ends_and_what_is_so_is_not_made_again(town: Scenario) -> None:
    s = stage(town)
    step = s.step(60)
    for new in (Claim("", "role", "vera", "", "mayor"),) * 2 + (Claim("", "couple", "basil", "mara"),):
        make_claim(step, s.world, new, "the vote", 60, 1)
    assert [(r.event.KIND, r.event.a) for r in step.records if isinstance(r.event, (Made, Broken))] == [
        ("claim_broken", "greta"),
        ("claim_made", "vera"),
    ]
    gone, new = (r.event for r in step.records if isinstance(r.event, (Made, Broken)))
    assert gone.instead == new.id  # the story of what takes its place tells both


def test_where_people_live_and_work_is_what_their_claims_say_also_after_a_jump(town: Scenario) -> None:
    s = stage(town)
    w = s.world
    home = next(claims_of(w, "kit", LODGES))
    work = next(claims_of(w, "kit", EMPLOYS))
    step = s.step(60)
    step.emit(Broken(home.id, LODGES, "kit", why="the rent"), t=60, actor="kit")
    step.emit(Made("settee", LODGES, "kit", where=w.files["jory"].home), t=60, actor="kit")
    step.emit(Broken(work.id, EMPLOYS, "", "kit", why="late again"), t=60, actor="kit")
    assert (w.cast["kit"].home, w.cast["kit"].household) == (w.files["jory"].home, w.files["jory"].household)
    assert (w.cast["kit"].work, w.cast["kit"].job) == ("", "out of work")
    assert w.bed_tile("kit") in {spot for t in w.map.areas[w.files["jory"].home].things for spot in t.spots}
    fresh = World.found(founding(replace(town, rules=w.scenario.rules, pressures=(), step=60)))
    fresh.restore(w.snapshot())
    assert fresh.cast["kit"] == w.cast["kit"] == person(w, "kit")
    assert fresh.snapshot() == w.snapshot()


@pytest.mark.parametrize(
    "event",
    [
        Made("x", "couple", "mara", "nobody"),
        Made("x", "couple", "mara", ""),
        Made("x", "couple", "mara", "mara"),
        Made("mayor", "role", "vera", terms="mayor"),
        Made("x", LODGES, "mara", where="the moon"),
        Made("x", "feud", "mara", "otis"),
        Broken("gone", "couple", "mara", "basil"),
    ],
)
def test_what_cannot_be_so_is_no_event(town: Scenario, event: Made | Broken) -> None:
    w = stage(town).world
    handler = w.registry.handlers[type(event)][0]
    with pytest.raises((ValueError, KeyError)):
        handler(w, event, Stamp(9, 1, 60, "mara", ()))


def test_nobody_flirts_past_a_couple_they_know_of_unless_something_else_weighs_more(town: Scenario) -> None:
    s = stage(town, pressure("crush", "otis", "mara"))
    p = s.wake()
    w = s.world
    flirt = w.drama.exchanges["flirt"]
    assert flirt.bars == ("couple",)
    assert flirt.wish["barred"] < 0
    of_it = with_bars(w, flirt, "otis", "mara", feature_values(w, "otis", "mara", 60, p))
    assert of_it["barred"] == 1.0
    assert with_bars(w, flirt, "otis", "una", {})["barred"] == 0.0
    assert with_bars(w, flirt, "mara", "basil", {})["barred"] == 0.0  # that claim is between these two


def test_what_an_exchange_needs_must_be_so_between_the_two(town: Scenario) -> None:
    s = stage(town, pressure("grudge", "mara", "basil", stage=2), pressure("crush", "otis", "una"))
    p = s.wake()
    w = s.world
    way = next(x for x in w.drama.kinds["grudge"].ways if x.do == "confront" and x.by == "holder")
    for claim, open_ in (("couple", True), ("role", False)):
        exchanges = {**w.drama.exchanges, "confront": replace(w.drama.exchanges["confront"], needs=(claim,))}
        w.drama = replace(w.drama, exchanges=exchanges)
        assert is_way_open(w, p, way, "mara", "basil", "holder", 60 * 600) is open_


@pytest.mark.parametrize(
    ("who", "a", "b", "minds"),
    [
        ("basil", "mara", "otis", "mara"),  # their partner, with somebody
        ("basil", "otis", "mara", "mara"),
        ("una", "mara", "otis", ""),  # it is nothing to her
        ("basil", "otis", "una", ""),
        ("basil", "mara", "basil", ""),
    ],
)
def test_who_comes_to_believe_that_a_claim_of_theirs_is_broken_has_it_against_the_breaker(
    town: Scenario, who: str, a: str, b: str, minds: str
) -> None:
    s = stage(town, pressure("crush", "mara", "otis"))
    p = s.wake()
    w = s.world
    step = s.step(600)
    react_to_breach(step, w, p.seq, BeliefUpdate(who, p.id, a, b, "", 0, SEEN, SAW), fact_of(p), 600)
    born = [(r.stamp.actor, r.event) for r in step.records if isinstance(r.event, Began)]
    assert [(holder, e.about) for holder, e in born] == ([(who, minds)] if minds else [])
    if minds:
        assert born[0][1].stakes == "what is between Mara and Otis"
        assert p.seq in step.records[0].stamp.causes


def test_a_look_up_goes_through_ones_own_claims_alone(town: Scenario) -> None:
    w = stage(town).world
    assert len(w.claims.open) > 40
    assert len(w.claims.of["mara"]) == 3


# ---- the controls


def test_without_claims_people_live_as_their_files_say_whatever_comes_to_pass(town: Scenario) -> None:
    off = replace(town, parameters={**town.parameters, "claims.on": False})
    s = stage(
        off,
        pressure("debt", "kit", "zeno", ends={"defaulted": ClaimChanges((), (Breaking(LODGES, "holder", "anybody"),))}),
    )
    p = s.wake()
    s.move(3600, p, Effect(end="defaulted", makes=(Making("ally", "actor", "target"),)), "zeno", "kit", "confront")
    assert not [r for r in s.records if isinstance(r.event, (Made, Broken))]
    assert s.world.claims.open == {}
    assert all(s.world.cast[who] is s.world.files[who] for who in s.world.cast)
    assert s.world.drama.exchanges["flirt"].bars == ("couple",)
    assert with_bars(s.world, s.world.drama.exchanges["flirt"], "otis", "mara", {})["barred"] == 0.0


@pytest.mark.parametrize(("on", "born"), [(True, 1), (False, 0)])
def test_blind_people_make_nothing_of_a_broken_claim(town: Scenario, on: bool, born: int) -> None:
    s = stage(replace(town, parameters={**town.parameters, "claims.breaches": on}), pressure("crush", "mara", "otis"))
    p = s.wake()
    step = s.step(600)
    react_to_breach(
        step, s.world, p.seq, BeliefUpdate("basil", p.id, "mara", "otis", "", 0, SEEN, SAW), fact_of(p), 600
    )
    assert len([r for r in step.records if isinstance(r.event, Began)]) == born


@pytest.mark.parametrize(("most", "goes_on"), [(2, False), (0, True)])
def test_without_exhaustion_people_go_on_for_ever(town: Scenario, most: int, goes_on: bool) -> None:
    s = Stage(town, pressure("grudge", "mara", "otis", stage=1), tries=most)
    p = s.wake()
    way = next(x for x in s.world.drama.kinds["grudge"].ways if x.do == "confront")
    for n in (1, 2, 3):
        s.move(7 * 3600 * n, p, Effect(), "mara", "otis", "confront", answer="refuse")
    assert is_way_open(s.world, p, way, "mara", "otis", "holder", 30 * 3600) is goes_on
