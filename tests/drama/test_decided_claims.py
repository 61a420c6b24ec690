"""What an occasion decides changes what is so, and what one can visit a week later: a place that is shut, another work,
a prize that is somebody's.
"""

from __future__ import annotations

from functools import partial

from lived import again, founding
from msgspec.structs import replace
from staged import Stage, pressure
from test_outcomes import AT, FOR, RACE, START, VOTES, gather, occasion, settle, staged

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record, Stamp
from sandbox.drama.outcomes import Decided
from sandbox.drama.seeking import expected_place
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_handlers import claims_of, closed, opens
from sandbox.people.claim_model import Broken, ClaimChanges, Made, Making
from sandbox.people.daily_life import Living
from sandbox.people.mark_model import Marked
from sandbox.people.planning import plan_question, usual_blocks
from sandbox.people.pressure_deck import Effect
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.incidents import Incidents
from sandbox.readers.story import Teller
from sandbox.talk import news
from sandbox.town.plan import Breaks, Decision, Makes

MEADOW, MILL, OVEN = "Mill Meadow / meadow", "Mill Meadow / old mill", "Tansy Bakery / kitchen"
SOLD, KEPT = "the hotel people's", "the town's for good"
MAKES = {
    "yes": (Makes("place", terms=SOLD, where=MEADOW), Makes("employs", "mara", "basil", "baker", OVEN)),
    "no": (Makes("place", terms=KEPT, where=MEADOW),),
}
AGAINST = {who: -x for who, x in FOR.items()}


def voted(larkspur: Scenario, stances: dict[str, float], **more: object) -> Stage:
    """Larkspur after a vote on its meadow, of people with such opinions."""
    stage = staged(larkspur, replace(VOTES, makes=MAKES, **more), stances=stances)
    stage.records += settle(stage)
    return stage


def places(w: World, who: str) -> set[str]:
    """Where somebody's days usually take them."""
    return {b.where for day in range(4, 11) for b in usual_blocks(w, who, day)}


def test_a_meadow_that_is_sold_is_shut_and_who_worked_there_works_elsewhere(larkspur: Scenario) -> None:
    before = staged(larkspur, VOTES, stances=FOR).world
    assert {MEADOW, MILL} & places(before, "ivo")
    assert MILL in places(before, "basil")
    s = voted(larkspur, FOR)
    w = s.world
    changed = [r for r in s.records if isinstance(r.event, (Made, Broken))]
    assert [event_sentence(r, Teller(w.handbook)) for r in changed] == [
        "The mill meadow is the hotel people's now",
        "Basil no longer works as miller at the mill meadow",
        "Basil works as baker at the bakery now",
    ]
    (vote,) = (r.stamp.seq for r in s.records if isinstance(r.event, Decided))
    assert {(r.event.why, r.stamp.causes) for r in changed} == {("the clock is bought, 3 to 2", (vote,))}
    assert closed(w, MEADOW)
    assert closed(w, MILL)
    for who in w.cast:
        assert not {MEADOW, MILL} & places(w, who), who
        assert not {MEADOW, MILL} & {where for _, where in plan_question(w, who, AT + DAY).leisure}
    assert OVEN in places(w, "basil")
    assert (w.cast["basil"].job, w.cast["basil"].work) == ("baker", OVEN)
    elsewhere = [b for day in range(4, 11) for b in usual_blocks(w, "ivo", day) if b.why]
    assert {(b.do, b.where, b.why) for b in elsewhere} == {("walk", "Riverside Park / lawn", "the mill meadow is shut")}


def test_who_has_no_other_place_for_it_stays_at_home(larkspur: Scenario) -> None:
    w = voted(larkspur, FOR).world
    found = [b for b in usual_blocks(w, "clem", 8) if b.why]  # a Tuesday: an errand at the mill
    assert [(b.do, b.where) for b in found] == [("rest", w.cast["clem"].home)]


def test_a_meadow_that_is_kept_is_what_it_was_and_gives_more_to_do(larkspur: Scenario) -> None:
    w = voted(larkspur, AGAINST).world
    assert (w.uses[MILL].terms, w.uses[MEADOW].label, closed(w, MILL)) == (KEPT, "the town's meadow", False)
    assert MILL in places(w, "basil")
    options = partial(Living().options, w, "work", MILL, "miller")
    assert {a.do for a in options(opens(w, "basil", MILL))} - {a.do for a in options(frozenset())} == {
        "let the wheel turn"
    }


def test_what_places_are_is_the_same_after_a_jump_and_in_a_replay(larkspur: Scenario) -> None:
    s = voted(larkspur, FOR)
    assert [r.event for r in again(s.records)] == [r.event for r in s.records]
    fresh = World.found(founding(s.world.scenario))
    fresh.restore(s.world.snapshot())
    assert (fresh.uses, fresh.cast["basil"]) == (s.world.uses, s.world.cast["basil"])
    assert fresh.snapshot() == s.world.snapshot()
    assert [c.terms for c in claims_of(fresh, "")] == [SOLD]


def test_a_place_is_one_thing_at_a_time_and_a_vote_that_changes_nothing_makes_nothing(larkspur: Scenario) -> None:
    s = voted(larkspur, AGAINST)
    for d in (
        replace(VOTES, makes={"no": MAKES["no"], "yes": MAKES["no"]}),
        replace(VOTES, makes={"no": MAKES["yes"][:1]}),
    ):
        w = s.world
        w.calendar = type(w.calendar)((occasion(d),), w.clock)
        s.records += settle(s)
    assert [(r.event.KIND, r.event.terms) for r in s.records if isinstance(r.event, (Made, Broken))] == [
        ("claim_made", KEPT),
        ("claim_broken", KEPT),
        ("claim_made", SOLD),
    ]


def test_the_prize_of_a_contest_is_the_winners_and_what_it_takes_from_the_second_is_not_theirs(
    larkspur: Scenario,
) -> None:
    race = replace(
        RACE,
        about="the dented pan",
        makes={"won": (Makes("holds", "winner", terms="{stakes}"),)},
        breaks={"won": (Breaks("couple", "second"),)},
    )
    stage = staged(larkspur, race)
    records = settle(stage)
    won = next(r.event for r in records if r.event.KIND == "decided").parts
    w = stage.world
    assert [c.a for c in w.claims.open.values() if c.terms == "the dented pan"] == [won[0].who]
    assert not list(claims_of(w, won[1].who, "couple"))


def test_only_whoever_has_the_solo_sings_it(larkspur: Scenario) -> None:
    d = next(o for o in larkspur.calendar if o.id == "choir").decides
    assert isinstance(d, Decision)
    solo = replace(d, who=("mara", "vera"), judge="", settles={})
    stage = staged(larkspur, replace(solo, at=VOTES.at))
    won = next(r.event for r in settle(stage) if r.event.KIND == "decided").parts[0].who
    bars = {
        who for who in stage.world.cast
        if "the alto solo at Easter" in opens(stage.world, who, "Chapel / nave")
    }  # fmt: skip
    assert bars == {won}
    options = Living().options(stage.world, "service", "Chapel / nave", "", opens(stage.world, won, "Chapel / nave"))
    assert "sing the sixteen bars" in {a.do for a in options}


def test_a_vote_that_is_put_off_changes_nothing(larkspur: Scenario) -> None:
    stage = staged(larkspur, replace(VOTES, makes=MAKES), stances=FOR)
    gather(stage.world, ("mara", "basil"))
    assert [r.event.KIND for r in settle(stage)] == ["decided"]


def test_nobody_looks_for_anybody_behind_a_fence(larkspur: Scenario) -> None:
    midday = 4 * DAY + 12 * HOUR - START
    assert expected_place(staged(larkspur, VOTES, stances=FOR).world, "basil", midday) == MILL
    w = voted(larkspur, FOR).world
    assert expected_place(w, "basil", midday) == OVEN
    assert not {expected_place(w, who, 4 * DAY + n * HOUR) for who in w.cast for n in range(24)} & {MEADOW, MILL}


def test_who_is_put_out_sleeps_on_the_settee(larkspur: Scenario) -> None:
    w = staged(larkspur, VOTES).world
    room = w.map.areas["Rowan House / sitting room"]
    assert {thing.kind for thing in room.beds()} == {"sofa"}
    assert {thing.kind for thing in w.map.areas[w.cast["kit"].home].beds()} == {"bed"}
    home = next(claims_of(w, "kit", "lodges"))
    w.apply(Record(Stamp(w.seq + 1, 0, 0, "kit", (1,)), Broken(home.id, "lodges", "kit", "zeno")))
    w.apply(Record(Stamp(w.seq + 1, 0, 0, "kit", (1,)), Made("settee", "lodges", "kit", where=room.address)))
    assert w.bed_tile("kit") in {spot for thing in room.beds() for spot in thing.spots}


def test_an_incident_ends_with_what_is_so_since(larkspur: Scenario) -> None:
    out = ClaimChanges((Making("lodges", "holder", "nobody", "the settee", "Rowan House / sitting room"),))
    s = Stage(larkspur, pressure("debt", "kit", "zeno", ends={"defaulted": out}))
    s.press(0)
    p = next(iter(s.world.pressures.open.values()))
    found = Incidents(s.world.handbook, s.world.clock)
    s.move(3600, p, Effect(by=0.1, stage=1), "zeno", "kit", "confront", answer="refuse")
    s.move(7200, p, Effect(by=0.1, stage=1), "zeno", "kit", "confront", answer="refuse")
    s.move(10800, p, Effect(end="defaulted"), "zeno", "kit", "confront", answer="refuse")
    found.read(s.records)
    (one,) = found.of(1).incidents
    assert "Kit moved to Rowan House." in one.says


def test_who_changes_rooms_has_not_left_the_house_and_has_no_news_of_a_home(larkspur: Scenario) -> None:
    out = ClaimChanges((Making("lodges", "holder", "nobody", "the sofa by the gas meter", "Number Nine / lounge"),))
    s = Stage(larkspur, pressure("grudge", "ivo", "kit", ends={"parted_in_anger": out}))
    p = s.wake()
    s.move(7200, p, Effect(end="parted_in_anger"), "ivo", "kit", "confront", answer="refuse")
    w = s.world
    rows = [event_sentence(r, Teller(w.handbook)) for r in s.records if isinstance(r.event, Broken | Made)]
    assert rows == ["Ivo has left room one at Number Nine", "Ivo lives in the lounge at Number Nine now"]
    assert not [r for r in s.records if isinstance(r.event, Marked) and r.event.kind == "lodges"]
    assert w.cast["ivo"].home == "Number Nine / lounge"
    assert not [n for n in news.news_to_tell(w, "ivo", "dov", 7300) if "Number Nine" in n.says]
