"""How pressures are born: of others and of ordinary talk; who cannot have them, and how many there may be."""

import asyncio
import re
from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lived import Day
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event, Record, Stamp
from sandbox.drama.new_pressures import (
    ADULT,
    AGAIN,
    APART,
    LOVE,
    MOST,
    bear,
    child_of,
    family,
    is_in_couple,
    pressure_fits,
    renew,
)
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.claim_model import Broken, Claim, ClaimDeck, Made
from sandbox.people.daily_life import Living
from sandbox.people.model import Block, Felt, Needed, Planned, set_due
from sandbox.people.mood import CALM
from sandbox.people.pressure_beginnings import Renewal, Role
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sought, Stirred, Turned
from sandbox.talk.model import Closed


def lovers(scenario: Scenario) -> tuple[str, str]:
    """The first two who could fall in love."""
    w = Stage(scenario).world
    liking = scenario.drama.children["liking"]
    return next((a, b) for a in w.cast for b in w.cast if a != b and pressure_fits(w, liking, a, b))


def born(
    stage: Stage, child: str, actor: str, target: str, t: int = MINUTE, since: int = 0, thread: str = ""
) -> list[Event]:
    """What comes of it that a child of the deck is born to these two."""
    step = stage.step(t)
    bear(step, stage.world, child, (1,), actor, target, since=since, thread=thread)
    stage.records += step.records
    return [r.event for r in step.records]


def talked(w: World, a: str, b: str, tone: str, n: int = 1) -> tuple[Stamp, Closed]:
    """A talk that has ended."""
    return Stamp(1, 1, w.now, a, ()), Closed(f"{n}.{a}.{b}", (a, b), "this and that", tone, "", ())


@pytest.fixture
def stage(larkspur: Scenario) -> Stage:
    return Stage(larkspur)


# ---- a birth


def test_what_is_born_of_nothing_older_has_a_thread_of_its_own(stage: Stage) -> None:
    (slight,) = born(stage, "slight", "mara", "basil")
    assert isinstance(slight, Began)
    assert (slight.kind, slight.about, slight.parent) == ("grudge", "mara", "")
    assert slight.thread == slight.id
    assert stage.records[0].stamp.actor == "basil"
    assert stage.records[0].stamp.causes == (1,)


def test_what_is_born_of_a_pressure_keeps_its_thread(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("promise"))
    p = stage.wake()
    ended, *rest = stage.move(MINUTE, p, Effect(end="broken", children=("broken_word",)), "mara", "basil", "late")
    assert isinstance(ended, Ended)
    (child,) = (e for e in rest if isinstance(e, Began))
    assert (child.thread, child.parent) == ("ladders", "promise")
    (record,) = (r for r in stage.records if r.event is child)
    assert [r.stamp.seq for r in stage.records if r.event is ended] == list(record.stamp.causes)


def test_what_is_promised_can_be_brought_to_whom_it_is_promised(larkspur: Scenario) -> None:
    """It is kept by a talk with them: what takes a word with a third would be said to be done that was not."""
    made = [
        x for x in larkspur.drama.children.values() if (x.kind, x.holder, x.about) == ("promise", "target", "actor")
    ]
    assert len(made) > 3
    assert [s for x in made for s in x.stakes if "{about}" in s and not s.startswith("news of")] == []


def test_what_is_at_stake_is_named_once_however_many_have_taken_it_up(larkspur: Scenario) -> None:
    loaves = "two hundred loaves, eleven Christmases late"
    stage = Stage(larkspur, pressure("grudge", "mara", "vera", stakes=loaves))
    p = stage.wake()
    for hour, (child, friend) in enumerate((("taken_up", "basil"), ("peacemaker", "clem")), start=1):
        step = stage.step(hour * HOUR)
        bear(step, stage.world, child, (1,), p.holder, friend, p)
        (p,) = (stage.world.pressures.open[r.event.id] for r in step.records if isinstance(r.event, Began))
    assert p.stakes.endswith(f", in the matter of {loaves}")
    assert "Mara" not in p.stakes, "nor is whose word it was before"


@pytest.mark.slow
@given(st.data())
def test_every_child_of_the_deck_can_be_born_and_finds_its_words(larkspur: Scenario, data: st.DataObject) -> None:
    hide = ("kit", "flora", "mara", "basil", "una")  # each something of another matter, since nobody suspects nothing
    hidden = [pressure("secret", who, "wilf", id=who, thread="x") for who in hide]
    stage = Stage(larkspur, pressure("crush"), *hidden)
    p = stage.wake()
    name = data.draw(st.sampled_from(sorted(larkspur.drama.children)))
    made = larkspur.drama.children[name]
    assume(made.kind != "crush")
    step = stage.step(MINUTE)
    bear(step, stage.world, name, (1,), "kit", "flora", p, other="una")
    ((stamp, event),) = ((r.stamp, r.event) for r in step.records if isinstance(r.event, Began))
    assert event.intensity == made.intensity
    if made.due:
        routine, up = stage.world.cast[stamp.actor].routine, stage.world.clock.second_of_day(event.due)
        assert 0 <= event.due - MINUTE - made.due < DAY
        assert not routine.asleep(up), "nothing falls due in somebody's sleep"
        assert not routine.asleep((up - 2 * HOUR) % DAY), "or as they wake"
    else:
        assert event.due == -1
    assert not set("{}") & set(event.stakes + event.cause)
    assert event.stakes
    assert event.cause


def test_what_is_said_of_causes_is_english_and_what_is_wanted_is_what_they_explain(larkspur: Scenario) -> None:
    """A claim is no infinitive ("says to have slept"), and nobody wants to be rid of a worry because it began."""
    causes = [text for child in larkspur.drama.children.values() for text in child.cause]
    assert not [text for text in causes if re.search(r"\bsa(ys|id)( \{place\})? to have\b", text)]
    took = [x for exchange in larkspur.drama.exchanges.values() for x in exchange.took.values()]
    assert not [x for x in took if x.startswith("will ")]  # told days later, too
    assert larkspur.drama.kinds["worry"].wanted == "know that {about} is all right ({stakes})"


def test_nobody_holds_something_about_themselves_or_nobody(stage: Stage) -> None:
    assert born(stage, "slight", "mara", "mara") == []
    assert born(stage, "slight", "mara", "") == []
    assert born(stage, "broken_word", "mara", "basil") == [], "there is no promise that was broken"


@pytest.mark.parametrize(("child", "matter"), [("slight", "ladders"), ("liking", "")])
def test_the_same_once_more_makes_the_first_stronger(larkspur: Scenario, stage: Stage, child: str, matter: str) -> None:
    """A grudge over the same matter; and there is one love between two, whatever it came of."""
    two = lovers(larkspur)
    (first,) = born(stage, child, *two, thread=matter)
    (again,) = born(stage, child, *two, t=2 * MINUTE, thread=matter)
    assert isinstance(first, Began)
    assert isinstance(again, Stirred)
    assert (again.id, again.how, again.delta) == (first.id, "again", AGAIN)
    assert again.intensity == pytest.approx(first.intensity + AGAIN)
    for t in range(3, 13):
        born(stage, child, *two, t=t * MINUTE, thread=matter)
    assert [p.intensity for p in stage.world.pressures.open.values()] == [1.0]


def test_the_other_way_round_is_another(stage: Stage) -> None:
    assert isinstance(born(stage, "slight", "mara", "basil")[0], Began)
    assert isinstance(born(stage, "slight", "basil", "mara")[0], Began)


def test_no_id_is_given_twice(larkspur: Scenario) -> None:
    ids = [f"slight.{who}.mara.{MINUTE}" for who in ("basil", "wilf")]
    cast = (pressure("worry", id=ids[0]), pressure("worry", "una", id=ids[1], wakes=hours(9), due=hours(20)))
    stage = Stage(larkspur, *cast)
    stage.wake()
    for other in ("basil", "wilf", "kit"):
        born(stage, "slight", "mara", other)
    stage.press(hours(9))
    given = [r.event.id for r in stage.records if isinstance(r.event, Began)]
    assert len(given) == len(set(given)) == 5
    assert {f"{id}_" for id in ids} < set(given), "two of play would have had those of the cast"


def test_an_id_tells_which_child_of_the_deck_it_is(larkspur: Scenario) -> None:
    for name in (*larkspur.drama.children, "a word. in passing"):
        assert child_of(f"{name}.mara.basil.{MINUTE}") == child_of(f"{name}.mara.basil.{MINUTE}_") == name
        assert child_of(f"{name}_12") == child_of(f"{name}_12_") == name, "as saves have it that were made before"


# ---- love


def test_love_is_for_grown_ups_who_are_free_for_it_and_no_family(larkspur: Scenario) -> None:
    liking = larkspur.drama.children["liking"]
    w = Stage(larkspur).world
    free = 0
    for a in larkspur.cast:
        for b in larkspur.cast:
            may = a is not b and pressure_fits(w, liking, a.id, b.id)
            apart = abs(a.age - b.age) <= APART and not family(w, a.id, b.id)
            free_for_it = not is_in_couple(w, a.id, a.id) and not is_in_couple(w, b.id, a.id)
            assert may == (a is not b and min(a.age, b.age) >= ADULT and apart and free_for_it)
            free += may
    assert free
    assert is_in_couple(w, "mara", "otis")
    assert not is_in_couple(w, "otis", "mara")
    assert born(Stage(larkspur), "liking", "mara", "otis") == []


def test_who_is_taken_is_what_claims_say_and_else_who_share_house_and_heart(larkspur: Scenario) -> None:
    alone = Stage(replace(larkspur, claims=replace(larkspur.claims, claims=())), pressure("grudge"))
    w = alone.world
    assert not is_in_couple(w, "mara", "otis"), "nobody has said that she is"
    w.claim_deck = ClaimDeck()
    assert is_in_couple(w, "mara", "otis"), "she shares a house with Basil, and is fond of him"
    hidden = replace(larkspur.claims.kinds["couple"], private=True)
    kept = replace(larkspur.claims, kinds={**larkspur.claims.kinds, "couple": hidden})
    w = Stage(replace(larkspur, claims=kept)).world
    assert [is_in_couple(w, "mara", by) for by in ("mara", "basil", "otis")] == [True, True, False]


def test_lodgers_of_one_landlord_are_no_family_and_kin_who_live_apart_are(larkspur: Scenario) -> None:
    w = Stage(larkspur).world
    assert not family(w, "ivo", "flora"), "they share a roof, and a landlord"
    assert family(w, "clem", "esme")
    assert family(w, "saskia", "zeno"), "a household that lodges with nobody"
    assert not family(w, "una", "clem")
    apart = Claim("twins", "kin", "ivo", "jory", "brother")
    kin = replace(larkspur.claims, claims=(*larkspur.claims.claims, apart))
    assert family(Stage(replace(larkspur, claims=kin)).world, "jory", "ivo")
    bare = Stage(replace(larkspur, claims=ClaimDeck())).world
    assert family(bare, "ivo", "flora"), "where nothing is said, a household is one"


def test_who_is_in_love_does_not_fall_for_another(larkspur: Scenario) -> None:
    a, b = lovers(larkspur)
    stage = Stage(larkspur, pressure("crush", b, "mara"))
    stage.wake()
    assert born(stage, "liking", a, b) == [], "he holds it who is liked"


def flirted(stage: Stage, p: ActivePressure, t: int) -> list[Began]:
    """What is born of it that whom it is about flirts back."""
    ways = [x for x in stage.world.drama.kinds["crush"].ways if x.do == "flirt" and x.stage <= p.stage]
    effect = max(ways, key=lambda way: way.stage).accept
    return [e for e in stage.move(t, p, effect, p.holder, p.about, "flirt", answer="accept") if isinstance(e, Began)]


def test_who_flirts_back_once_more_is_in_love_as_well_and_one_yes_is_for_both(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("crush", "jory", "flora"))
    p = stage.wake()
    assert flirted(stage, p, 4 * HOUR) == []
    (back,) = flirted(stage, p, 8 * HOUR)
    assert (back.kind, back.about, back.thread, child_of(back.id)) == ("crush", "jory", p.thread, "flirted_back")
    said = stage.move(20 * HOUR, p, Effect(end="together"), "jory", "flora", "declare", answer="accept")
    assert {e.id for e in said if isinstance(e, Ended)} == {"crush", back.id}
    assert [(e.kind, {e.a, e.b}) for e in said if isinstance(e, Made)] == [("couple", {"jory", "flora"})]


def test_one_yes_ends_each_love_between_the_two_once(larkspur: Scenario) -> None:
    loves = [pressure("crush", *two, id=f"love{n}", thread="letters") for n, two in enumerate(2 * [("una", "clem")])]
    stage = Stage(larkspur, *loves, pressure("crush", "clem", "una", id="back", thread="letters"))
    stage.wake()
    one = stage.world.pressures.open["love0"]
    said = stage.move(20 * HOUR, one, Effect(end="together"), "una", "clem", "declare", answer="accept")
    assert sorted(e.id for e in said if isinstance(e, Ended)) == ["back", "love0", "love1"]


def test_a_couple_parts_over_a_first_evening_that_did_not_come(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("crush", "una", "clem"))
    end = Effect(end="together", children=("first_date",))
    stage.move(60, stage.wake(), end, "una", "clem", "declare", answer="accept")
    (date,) = stage.world.pressures.open.values()
    events = stage.move(2 * DAY, date, Effect(end="broken"), "una", "clem", "late")
    assert [(e.kind, e.a, e.b) for e in events if isinstance(e, Broken)] == [("couple", "una", "clem")]


# ---- of ordinary talk


def renewals(stage: Stage, tones: Sequence[str]) -> int:
    """How many are born in as many talks."""
    before = len(stage.world.pressures.open)
    for n, tone in enumerate(tones):
        step = stage.step((n + 1) * MINUTE)
        a, b = ("mara", "una") if n % 2 else ("kit", "clem")
        renew(step, stage.world, *talked(stage.world, a, b, tone, n))
    return len(stage.world.pressures.open) - before


def test_talk_starts_something_small_now_and_then(larkspur: Scenario) -> None:
    stage = Stage(larkspur)
    assert 1 <= renewals(stage, ["tense", "warm", "plain", "hostile"] * 10) < 20
    children = stage.world.drama.children
    assert stage.world.drama.renewal
    small = (children[r.child] for r in stage.world.drama.renewal)
    assert all(x.intensity < 0.6 or x.kind == LOVE for x in small)


@pytest.mark.parametrize("crowd", [0.0, 1.6])
def test_a_town_that_has_enough_to_do_starts_nothing_new(larkspur: Scenario, crowd: float) -> None:
    pairs = [(a.id, b.id) for a in larkspur.cast[:7] for b in larkspur.cast[7:14]]
    cast = [pressure("grudge", a, b, id=f"{a} {b}") for a, b in (pairs if crowd else [])]
    stage = Stage(larkspur, *cast, crowd=crowd)
    stage.press(0)
    assert renewals(stage, ["tense", "hostile"] * 20) == 0


def test_nobody_is_given_more_than_a_handful(larkspur: Scenario) -> None:
    others = [p.id for p in larkspur.cast if p.id not in ("mara", "una", "kit", "clem")]
    cast = [pressure("grudge", who, others[i], id=f"{who}{i}") for who in ("mara", "una", "kit", "clem")
            for i in range(MOST)]  # fmt: skip
    stage = Stage(larkspur, *cast, crowd=100.0)
    stage.press(0)
    assert renewals(stage, ["tense", "hostile"] * 20) == 0


def test_talk_starts_only_what_the_two_are_such_as_for(larkspur: Scenario) -> None:
    place = Renewal("warm", "hired_help", 1.0, {}, {"actor": Role(jobs=("out of work",))})
    drama = replace(larkspur.drama, renewal=(place,))
    stage = Stage(replace(larkspur, drama=drama))
    assert renewals(stage, ["warm"] * 8) == 0, "all of them have work"
    stage = Stage(replace(larkspur, drama=drama))
    stage.world.cast["una"] = replace(stage.world.cast["una"], job="out of work")
    assert renewals(stage, ["warm"] * 8) == 1
    assert [p.holder for p in stage.world.pressures.open.values()] == ["una"]


# ---- between three


def test_what_befalls_three_is_one_matter_of_three(larkspur: Scenario) -> None:
    stage = Stage(larkspur)
    step = stage.step(MINUTE)
    three = {"actor": "mara", "target": "quentin", "other": "lev"}
    first = bear(step, stage.world, "chair_promised", (1,), "mara", "quentin", other="lev")
    bear(step, stage.world, "chair_rival", (1,), "mara", "quentin", thread=first, other="lev")
    promised, rival = (r.event for r in step.records)
    assert isinstance(promised, Began)
    assert isinstance(rival, Began)
    assert promised.thread == rival.thread == first == promised.id
    assert [r.stamp.actor for r in step.records] == ["quentin", "lev"]
    assert {*promised.known_by, "quentin"} == {*rival.known_by, "lev"} == {*three.values()}, "all three know"
    assert "Lev" in promised.cause or "Mara" in promised.cause


# ---- in time


def test_a_child_is_not_born_before_what_it_comes_of(stage: Stage) -> None:
    born(stage, "slight", "mara", "basil", since=MINUTE + 50)
    born(stage, "slight", "mara", "basil", since=MINUTE + 20)
    assert [r.stamp.t for r in stage.records] == [MINUTE + 50, MINUTE + 50]


def test_what_befalls_somebody_who_was_about_to_do_something_does_not_stop_the_town(larkspur: Scenario) -> None:
    """A secret is told at the end of a slice; whoever kept it had something to do before that second."""
    w = Stage(larkspur).world
    step = Running(w, EmbeddedMind(w.chance, larkspur.lines))
    set_due(w.people, "mara", 10)
    step.emit(Felt(CALM, CALM, "shame", "it has come out"), t=40, actor="mara")
    asyncio.run(Living()(step, w))
    times = [r.stamp.t for r in step.records if r.stamp.actor == "mara"]
    assert len(times) > 2
    assert min(times) == 40


def test_an_event_that_does_not_fit_is_refused(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt"))
    stage.wake()
    w = stage.world
    fine = Began("x", "debt", "basil", 0.5, 0, -1, "s", "c", "x", ())
    odd: list[tuple[str, Event]] = [
        ("nobody", fine),
        ("mara", replace(fine, about="nobody")),
        ("mara", replace(fine, known_by=("nobody",))),
        ("mara", replace(fine, kind="nothing")),
        ("mara", replace(fine, id="debt")),
        ("mara", Stirred("nothing", "late", "", "", 0.0, 0.5, 0)),
        ("mara", Ended("nothing", "faded", True, turn=False)),
        ("mara", Sought("debt", "basil", Block(1, 9, "seek", "Nowhere / room", "to find Basil", "basil"), "")),
        ("mara", Sought("debt", "nobody", Block(1, 9, "seek", w.cast["mara"].home, "to find nobody", "nobody"), "")),
        ("mara", Needed("food", Block(1, 9, "lunch", "Nowhere / room", "hungry"), "")),
        ("mara", Planned(1, (Block(1, 9, "lunch", "home", ""),))),
    ]
    before = w.snapshot()
    for actor, event in odd:
        with pytest.raises((KeyError, ValueError)):
            w.apply(Record(Stamp(w.seq + 1, 1, 1, actor, ()), event))
        assert w.snapshot() == before


def test_feelings_that_an_ending_moves_are_in_the_ledger(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", stage=2))
    p = stage.wake()
    (event, *_) = stage.move(MINUTE, p, Effect(end="fell_out", actor=-0.2, target=-0.1), "mara", "basil", "confront")
    assert isinstance(event, Ended)
    assert [(f.u, f.v) for f in event.feelings] == [("mara", "basil"), ("basil", "mara")]
    for f in event.feelings:
        assert isinstance(f, Turned)
        tie = stage.world.people.ties[f.u][f.v]
        assert (tie.feeling, tie.causes[-1].delta, tie.causes[-1].why) == (f.feeling, f.delta, f.why)
        assert f.delta < 0


def test_a_day_gives_births_that_say_what_they_are_of(day: Day) -> None:
    born_ = [(stamp, e) for stamp, e in day.of(Began) if stamp.causes]
    assert born_
    for _, e in born_:
        assert e.thread
        assert e.stakes
        assert e.cause


# ---- what fills the room


def test_a_second_matter_between_the_same_two_is_a_second_pressure(larkspur: Scenario) -> None:
    stage = Stage(larkspur)
    for t in (MINUTE, HOUR):
        (began,) = born(stage, "slight", "mara", "basil", t)
        assert isinstance(began, Began)
    assert len(stage.world.pressures.open) == 2


def test_what_is_born_to_be_settled_in_words_is_strong_enough_to_be_acted_on(larkspur: Scenario) -> None:
    """Nobody would go looking for anybody else, and it would be gone unsaid."""
    seek = Stage(larkspur).world.pressure_parameters.seek
    weak = [
        name
        for name, child in larkspur.drama.children.items()
        if child.kind in ("worry", "suspicion", "crush", "guilt") and child.intensity <= seek
    ]
    assert not weak
