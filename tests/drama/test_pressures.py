"""Pressures: when they wake, how they climb, what answers do to them, how they end, and what holds them back."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lived import Day, Log, engine_of, founding, log_of, restored, run
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event, Record
from sandbox.drama.consequences import draw_consequences
from sandbox.drama.new_pressures import child_of
from sandbox.drama.pressure_clock import press
from sandbox.drama.seeking import SEARCH
from sandbox.engine.engine import Engine
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.claim_effects import occasions_of
from sandbox.people.claim_model import Broken, Made
from sandbox.people.domain import dealt
from sandbox.people.model import Chose, CurrentAct, Felt, Planned, Woke
from sandbox.people.planning import expected_place, resolve
from sandbox.people.pressure_deck import ANSWERS, AWAY, Effect, PressureWay
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sought, Sparked, Stirred, Turned
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk.model import Declined, Exchanged, Opened
from sandbox.talk.pressure_aims import aim_content, is_way_open, part_of
from sandbox.town.model import Walked

KINDS = (Began, Stirred, Ended, Sought, Sparked)
INSULT = Effect(stage=3, by=0.1)


def of_drama(records: Sequence[Record]) -> list[Record]:
    return [r for r in records if isinstance(r.event, KINDS)]


def turns(records: Sequence[Record]) -> int:
    return sum(isinstance(r.event, (Stirred, Ended)) and r.event.turn for r in records)


def way_of(s: Scenario, kind: str, do: str, stage: int) -> PressureWay:
    return next(w for w in s.drama.kinds[kind].ways if (w.do, w.stage) == (do, stage))


def may(stage: Stage, do: str, me: str, other: str, t: int) -> bool:
    """Whether somebody may do that now because of the first pressure."""
    w = stage.world
    p = next(iter(w.pressures.open.values()))
    ways = [way for way in w.drama.kinds[p.kind].ways if way.do == do]
    return any(is_way_open(w, p, way, me, other, part_of(p, me), t) for way in ways)


# ---- waking and climbing


def test_a_pressure_of_the_cast_wakes_at_its_hour_and_once(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt", wakes=hours(1) + 20, due=hours(20)))
    seen = [r for t in range(0, hours(2), MINUTE) for r in stage.press(t) if isinstance(r.event, Began)]
    assert [(r.stamp.t, r.stamp.actor, r.stamp.causes) for r in seen] == [(hours(1) + 20, "mara", ())]


@given(st.integers(0, 2**63 - 1), st.integers(0, 3))
def test_one_that_waits_for_no_hour_wakes_some_days_later_at_most(larkspur: Scenario, seed: int, drift: int) -> None:
    stage = Stage(replace(larkspur, seed=seed), pressure("debt", wakes=hours(1) + 20), drift=drift)
    days = [d for d in range(-1, 5) for r in stage.press(max(0, d * DAY + hours(1))) if isinstance(r.event, Began)]
    assert len(days) == 1
    assert 0 <= days[0] <= drift


@given(st.integers(0, 2**63 - 1), st.integers(0, 3))
def test_no_two_towns_begin_alike_and_each_has_all_that_is_written(larkspur: Scenario, seed: int, most: int) -> None:
    written, found = larkspur.pressures, dealt(larkspur.pressures, Chance(seed), most)
    assert [(p.id, p.kind, p.holder, p.about) for p in found] == [(p.id, p.kind, p.holder, p.about) for p in written]
    for old, new in zip(written, found, strict=True):
        if old.due is None:
            kin = {p.wakes for p in written if p.kind == old.kind and p.due is None}
            assert new.due is None
            assert any(new.wakes - DAY * later in kin for later in range(most + 1 if new.wakes else 1))
        else:
            assert new.due is not None
            later = new.due - old.due
            assert later == new.wakes - old.wakes
            assert later in range(0, (old.drift + 1) * DAY, DAY)
    assert found == dealt(written, Chance(seed), most)
    assert found != dealt(written, Chance(seed + 1), most)


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 3)), min_size=1, max_size=12))
def test_stages_come_one_at_a_time_and_an_hour_apart(larkspur: Scenario, blows: list[tuple[int, int]]) -> None:
    stage = Stage(larkspur, pressure("grudge"), breaks=1000)
    p = stage.wake()
    before, last, t = p.stage, -DAY, MINUTE
    for minutes, to in blows:
        t += minutes * MINUTE
        (event,) = stage.move(t, p, Effect(stage=to), "mara", "basil", "complain")
        assert isinstance(event, Stirred)
        assert event.stage in (before, before + 1)
        assert event.turn == (event.stage == 3 != before)
        if event.stage > before:
            assert to > before
            assert t - last >= HOUR
            last = t
        before = event.stage


# ---- answers and endings


@given(st.data())
def test_an_answer_does_what_the_deck_says(larkspur: Scenario, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(larkspur.drama.kinds)))
    way = data.draw(st.sampled_from(larkspur.drama.kinds[kind].ways))
    answer = data.draw(st.sampled_from(ANSWERS))
    effect = way.effect(answer)
    due = data.draw(st.sampled_from([None, hours(30)]))
    own = pressure(kind, stage=min(2, way.stage), due=due, known_by=("wilf",))
    people = ("mara", "basil", "wilf", "kit", "greta")  # each hides something of another matter, for suspicions
    stage = Stage(larkspur, own, *(pressure("secret", who, "una", id=who, thread="x") for who in people))
    p = stage.wake()
    me, other = stage.who(p, way)
    event, *rest = stage.move(hours(1), p, effect, me, other, way.do, answer=answer)
    if effect.end:
        assert isinstance(event, Ended)
        ends = larkspur.drama.kinds[kind].ends
        ending = ends[event.how]
        assert event.how in (effect.end, ends[effect.end].else_)
        assert (event.good, event.by, event.answer) == (ending.good, way.do, answer)
        assert not stage.world.pressures.open.get(kind)
        expected = {(p.holder, ending.holder), (p.about, ending.about)}
        claims = {r.stamp.seq for r in stage.records if isinstance(r.event, Made | Broken)}  # worth something as well
        felt = {
            (r.stamp.actor, r.event.emotion)
            for r in stage.records
            if isinstance(r.event, Felt) and not claims & {*r.stamp.causes}
        }
        assert felt == {(who, emotion) for who, emotion in expected if emotion}
    else:
        assert isinstance(event, Stirred)
        assert event.intensity == pytest.approx(min(1.0, 0.6 + effect.by))
        assert event.stage == min(max(p.stage, effect.stage), min(2, way.stage) + 1)
        assert (other in event.told) == (effect.tells and other not in (p.holder, "wilf"))
        assert event.due == (due + effect.later if due and effect.later else due or -1)
        assert p.tried[f"{me} {way.do}"] == hours(1)
    moved = {(f.u, f.v): f.delta for f in event.feelings}
    wanted = {(me, other): effect.actor, (other, me): effect.target}
    assert set(moved) == {pair for pair, x in wanted.items() if x}
    assert all((delta > 0) == (wanted[pair] > 0) for pair, delta in moved.items())
    born = [e for e in rest if isinstance(e, Began)]
    free = [child for child in effect.children if larkspur.drama.children[child].kind != "crush"]  # these are married
    assert [child_of(e.id) for e in born] == free
    assert all(e.thread == "ladders" and e.parent == kind for e in born)


def test_what_nobody_touches_fades_and_says_so(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge"))
    p = stage.wake()
    q = stage.world.pressure_parameters
    assert intensity_at(p, hours(q.quiet), q) == 0.6
    assert intensity_at(p, hours(q.quiet + q.half_life), q) == pytest.approx(0.3)
    for t in range(0, 4 * DAY, HOUR):
        for r in stage.press(t):
            if isinstance(r.event, Ended):
                assert (r.event.how, r.event.turn) == ("faded", False)
                assert intensity_at(p, t - HOUR, q) >= q.least > intensity_at(p, t, q)
                return
    raise AssertionError("it never faded")


def test_an_hour_that_passes_unkept_breaks_a_promise(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("promise", due=hours(2), stage=1))
    stage.wake()
    for who in ("mara", "basil"):
        stage.world.people.residents[who].awake = True
    ended = [r for t in range(0, hours(4), MINUTE) for r in stage.press(t) if isinstance(r.event, Ended)]
    assert [r.event.how for r in ended] == ["broken"]
    assert hours(2) < ended[0].stamp.t <= hours(3)
    born = [(r.event.kind, r.stamp.actor, r.event.thread) for r in stage.records if isinstance(r.event, Began)][1:]
    assert born == [("grudge", "basil", "ladders"), ("guilt", "mara", "ladders")]


def test_who_lets_an_hour_go_by_did_something_else(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("promise", about="otis", due=hours(2), stage=1))
    stage.wake()
    mara = stage.world.people.residents["mara"]
    mara.awake, mara.act = True, CurrentAct("knead", "work", "Tansy Bakery / oven", "", 0, 60, 60)
    (ended,) = [r.event for t in range(0, hours(4), MINUTE) for r in stage.press(t) if isinstance(r.event, Ended)]
    doing = stage.world.handbook.doing("knead")
    assert ended.why == f"{stage.world.handbook.name('mara')} was {doing} and let the hour go by"


def missed(larkspur: Scenario, t: int, since: int, before: str, wakes: bool = False) -> str:
    """Why Mara has not kept a promise by its hour, two, who does something since then, after something else."""
    stage = Stage(larkspur, pressure("promise", about="otis", due=hours(2), stage=1))
    stage.wake()
    world = stage.world
    mara, step = world.people.residents["mara"], stage.step(t)
    if wakes:
        step.emit(Woke(), t=t, actor="mara")
    mara.awake, mara.acted = True, [before, "knead"]
    mara.act = CurrentAct("knead", "work", "Tansy Bakery / oven", "", 0, 600, since + 600)
    asyncio.run(press(step, world))
    return next(r.event.why for r in step.records if isinstance(r.event, Ended))


def test_who_wakes_after_the_hour_slept_through_it(larkspur: Scenario) -> None:
    """Nobody is said to have been at work, or beside the other, at an hour at which they were in bed."""
    late = hours(2) + 30 * MINUTE
    slept = "Mara slept through the hour"
    assert missed(larkspur, late, late - 5 * MINUTE, "sleep") == slept
    assert missed(larkspur, late, late - 5 * MINUTE, "sleep soundly") == slept
    assert missed(larkspur, late, late - HOUR, "knead", wakes=True) == slept
    assert missed(larkspur, late, late - HOUR, "sleep") != slept


def test_what_began_after_the_hour_is_no_reason_to_have_missed_it(larkspur: Scenario) -> None:
    assert "let the hour go by" in missed(larkspur, hours(3), hours(2), "wash up")
    assert missed(larkspur, hours(3), hours(2) + 25 * MINUTE, "wash up") == ""


def test_who_makes_it_up_is_forgiven_too(larkspur: Scenario) -> None:
    mine, other = pressure("guilt", "basil", "mara"), pressure("guilt", "basil", "wilf", id="else")
    stage = Stage(larkspur, pressure("grudge"), mine, other)
    p = stage.wake()
    ends = stage.move(hours(1), p, Effect(end="made_up"), "mara", "basil", "confront", answer="accept")
    found = [(e.id, e.how, e.turn) for e in ends if isinstance(e, Ended)]
    assert found == [("grudge", "made_up", True), ("guilt", "forgiven", False)]
    assert list(stage.world.pressures.open) == ["else"]


# ---- the brakes


def test_a_matter_is_told_to_whom_it_concerns_and_kept_under_its_own_name(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", "mara", "vera", stakes="what Vera was told in trust"))
    found = aim_content(stage.world, stage.wake().id, "mara", "vera")
    assert found.slots["topic"] == found.slots["matter"] == "what you were told in trust"
    assert found.topic == "what Vera was told in trust", "what the talk was about is for all to read"


def test_somebody_who_has_had_a_turn_rests(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", stage=2), pressure("worry", "vera", "basil"), faces=0)
    p = stage.wake()
    q = stage.world.pressure_parameters
    assert may(stage, "confront", "mara", "basil", hours(1))
    worry = stage.world.pressures.open["worry"]
    stage.move(hours(1), worry, Effect(end="shared"), "vera", "basil", "ask_straight")
    assert worry.id not in stage.world.pressures.open
    rest = hours(1) + round(q.turns * MINUTE)
    assert not may(stage, "confront", "mara", "basil", rest - 1)
    assert may(stage, "complain", "mara", "una", rest - 1), "only turns wait"
    assert may(stage, "confront", "mara", "basil", rest)
    assert p.stage == 2


def test_what_has_just_begun_to_show_is_not_settled_within_the_hour(larkspur: Scenario) -> None:
    """A blow is foreshadowed, and so is an end."""
    stage = Stage(larkspur, pressure("grudge"), faces=0)
    p = stage.wake()
    stage.move(hours(1), p, Effect(stage=1), "mara", "una", "complain")
    assert not may(stage, "confront", "mara", "basil", hours(2) - 1)
    assert may(stage, "confront", "mara", "basil", hours(2))


@pytest.mark.parametrize("turns_", [150.0, 10080.0])
def test_a_day_begins_with_everybody_rested(larkspur: Scenario, turns_: float) -> None:
    stage = Stage(larkspur, pressure("grudge", stage=2), turns=turns_, faces=turns_)
    stage.wake()
    assert may(stage, "confront", "mara", "basil", MINUTE)


def test_a_pair_confronts_once_in_six_hours(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", stage=1), turns=0)
    p = stage.wake()
    way = replace(way_of(larkspur, "grudge", "confront", 1), every=0)
    stage.move(hours(1), p, way.dodge, "mara", "basil", "confront", answer="dodge", hostile=True)
    p.tried.clear()
    assert not may(stage, "confront", "mara", "basil", hours(7) - 1)
    assert may(stage, "confront", "mara", "basil", hours(7))


@pytest.mark.parametrize("most", [0, 2, 12])
def test_so_much_breaks_in_a_day_and_no_more(larkspur: Scenario, most: int) -> None:
    about = [p.id for p in larkspur.cast if p.id != "mara"][:14]
    cast = [pressure("rivalry", "mara", who, id=who, stage=2) for who in about]
    stage = Stage(larkspur, *cast, breaks=most)
    stage.wake()
    for day in (0, 1):
        broke = 0
        for who, p in stage.world.pressures.open.items():
            if p.stage == 2:
                event = stage.move(day * DAY + hours(2), p, INSULT, "mara", who, "challenge")[0]
                assert isinstance(event, Stirred)
                broke += event.turn
        assert broke == (most if day == 0 or most < 12 else 2)


# ---- looking for somebody


def test_who_seeks_goes_where_they_believe_the_other_is(day: Day) -> None:
    """At once, whatever they were on the way to before, unless it is nearly bedtime or somebody speaks to them."""
    moves = list(day.of(Sought, Planned, Walked, Chose, Opened))
    went = 0
    for i, (stamp, e) in enumerate(moves):
        if not isinstance(e, Sought) or child_of(e.id) == day.world.drama.mercy:
            continue  # who comes to be kind looks right there first
        where = expected_place(day.world, e.whom, stamp.t)
        assert (e.block.where, e.block.whom, e.block.start) == (where, e.whom, stamp.t)
        plan, first = [r for r in moves[i + 1 :] if r.stamp.actor == stamp.actor][:2]
        if e.block.end - stamp.t == SEARCH and isinstance(plan.event, Planned) and not isinstance(first.event, Opened):
            assert stamp.seq in plan.stamp.causes
            assert any(b.whom == e.whom and b.where == where for b in plan.event.blocks)
            assert where in (getattr(first.event, "to", ""), getattr(first.event, "where", "")), day.at(stamp.t)
            went += 1
    assert went > 3


def test_an_occasion_goes_before_the_usual_day(day: Day) -> None:
    w = day.world
    assert any(occasions_of(w, who, 1) for who in w.cast)
    for who in w.cast:
        for o in occasions_of(w, who, 1):
            t = w.clock.midnight(1) + o.from_
            first = next(x for x in occasions_of(w, who, 1) if x.from_ - 600 <= o.from_ < x.to - 300)
            assert expected_place(w, who, t) == resolve(w.cast[who], first.where)


# ---- as a whole


@pytest.mark.slow
def test_no_drama_no_pressures(larkspur: Scenario) -> None:
    off = load(find_world("larkspur"), set=["rules.drama=off"])
    for scenario in (off, replace(larkspur, drama=replace(larkspur.drama, kinds={}, exchanges={}))):
        records = log_of(run(engine_of(scenario), 90)).all()
        assert not of_drama(records)
        assert not any(r.event.aim for r in records if isinstance(r.event, (Opened, Exchanged, Declined)))
        assert any(isinstance(r.event, Exchanged) for r in records)


def test_a_deck_that_lists_little_can_be_lived(larkspur: Scenario) -> None:
    bare = {name: replace(kind, ways=()) for name, kind in larkspur.drama.kinds.items()}
    empty = replace(larkspur.drama, kinds=bare, exchanges={}, renewal=(), sparks={})
    records = log_of(run(engine_of(replace(larkspur, drama=empty, pressures=())), 30)).all()
    assert not of_drama(records)


def test_what_comes_of_something_does_not_come_before_it(day: Day) -> None:
    at = {r.stamp.seq: r.stamp.t for r in day.all()}
    pressed = of_drama(day.all())
    assert len(pressed) > 50
    for stamp, e in pressed:
        assert all(at[cause] <= stamp.t for cause in stamp.causes), e
        assert stamp.causes or not isinstance(e, (Stirred, Ended, Sought)), e


def test_a_pressure_begins_before_it_is_stirred_and_ends_once(day: Day) -> None:
    open_: set[str] = set()
    assert day.of(Ended)
    for _, e in day.of(Began, Stirred, Ended):
        if isinstance(e, Began):
            assert e.id not in open_
            open_.add(e.id)
        else:
            assert e.id in open_
            if isinstance(e, Ended):
                open_.remove(e.id)
    assert open_ == set(day.world.pressures.open)


@given(st.integers(1, 60))
@settings(max_examples=4, deadline=None)
def test_going_on_is_as_if_never_interrupted(day: Day, tens: int) -> None:
    world = World.found(founding(day.scenario))
    restored(world, day.snapshots[tens * 10], [r for step in day.steps[: tens * 10] for r in step])
    log = Log()
    log.steps = [list(step) for step in day.steps[: tens * 10]]
    asyncio.run(world.memories.catch_up(log, world.seq))
    engine = run(Engine(world, EmbeddedMind(world.chance, day.scenario.lines), Log()), 30)
    lived = [r for step in day.steps[tens * 10 : tens * 10 + 30] for r in step]
    assert of_drama(log_of(engine).all()) == of_drama(lived)


@pytest.mark.slow
def test_an_hour_a_step_gives_as_many_turns_as_a_minute_a_step(day: Day, larkspur: Scenario) -> None:
    minute = turns(day.all())
    long = [replace(larkspur, step=HOUR, seed=seed) for seed in (larkspur.seed, 7)]
    hour = sum(turns(log_of(run(engine_of(scenario), 24)).all()) for scenario in long) / len(long)
    assert minute > 5
    assert minute / 2 <= hour <= minute * 2


@pytest.mark.parametrize(
    "more", [{"to": "nobody"}, {"told": ("nobody",)}, {"feelings": (Turned("mara", "nobody", 0.1, 0.1, ""),)}]
)
def test_an_event_that_speaks_of_nobody_is_refused(larkspur: Scenario, more: dict[str, object]) -> None:
    stage = Stage(larkspur, pressure("grudge"))
    stage.wake()
    e = replace(Stirred("grudge", "confront", "refuse", "basil", 0.0, 0.5, 1, turn=True), **more)
    with pytest.raises(KeyError):
        stage.step(hours(1)).emit(e, t=hours(1), actor="mara")


def decline(stage: Stage, p: ActivePressure, way: PressureWay, t: int) -> list[Event]:
    """Somebody comes for that, and the other has no time."""
    me, other = stage.who(p, way)
    step = stage.step(t)
    step.emit(Declined(me, "deflect", way.do, (), aim=p.id), t=t, actor=other)
    asyncio.run(draw_consequences(step, stage.world))
    return [r.event for r in step.records if not isinstance(r.event, Declined)]


def test_who_is_turned_away_before_a_word_is_said_has_told_nothing(larkspur: Scenario) -> None:
    telling = [
        (kind, way)
        for kind, deck in larkspur.drama.kinds.items()
        for way in deck.ways
        if way.dodge.tells and not way.dodge.end and way.by in ("holder", "about") and way.to in ("holder", "about")
    ]
    assert telling
    for kind, way in telling:
        stage = Stage(larkspur, pressure(kind, stage=way.stage))
        p = stage.wake()
        (stirred,) = (e for e in decline(stage, p, way, 2 * MINUTE) if isinstance(e, Stirred))
        assert (stirred.how, stirred.answer) == (way.do, AWAY)
        assert not stirred.told, (kind, way.do)
        assert not stirred.learned, (kind, way.do)


def test_who_comes_in_time_and_is_not_heard_has_two_hours_more_and_not_four(larkspur: Scenario) -> None:
    way = next(w for w in larkspur.drama.kinds["promise"].ways if w.do == "keep")
    stage = Stage(larkspur, pressure("promise", due=hours(1), stage=way.stage))
    p = stage.wake()
    (stirred,) = decline(stage, p, way, 2 * MINUTE)
    assert isinstance(stirred, Stirred)
    assert (stirred.answer, stirred.due, p.due) == (AWAY, hours(3), hours(3))
    (again,) = decline(stage, p, way, 45 * MINUTE)
    assert isinstance(again, Stirred)
    assert (again.tries, again.due, p.due) == (2, hours(3), hours(3))
