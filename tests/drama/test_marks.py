"""What outcomes of rank leave: who is marked, how often, and what they do otherwise for days."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lived import again, engine_of, founding, log_of, run
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.drama.marks import MarkCause, leave_marks
from sandbox.drama.seeking import seek
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds import prompt_plans
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.mark_habits import apply_habits, habit_words, mark_of, shunned
from sandbox.people.mark_model import Marked
from sandbox.people.model import Block, Planned
from sandbox.people.mood import MoodMark, Pad, enter_mark
from sandbox.people.mood_queries import mood_of, rest_of
from sandbox.people.planning import PlanChange, expected_place, parlour, plan_causes, plan_question
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import Ended, Sought
from sandbox.people.question_plan import PlanDay, plan_day
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller
from sandbox.talk import meeting

NOON = 12 * HOUR


def turned_down(larkspur: Scenario, **more: object) -> Stage:
    """Mara is in love with Otis, and is told no."""
    s = Stage(replace(larkspur, **more), pressure("crush", "mara", "otis", stage=2))
    s.move(600, s.wake(), Effect(end="turned_down"), "mara", "otis", "declare", answer="refuse")
    return s


def marks(s: Stage) -> list[tuple[str, str, str]]:
    return [(r.stamp.actor, r.event.emotion, r.event.habit) for r in s.records if isinstance(r.event, Marked)]


# ---- who is marked


def test_who_is_turned_down_is_marked_by_it_and_the_mark_leads_to_the_answer(larkspur: Scenario) -> None:
    s = turned_down(larkspur)
    assert marks(s) == [("mara", "distress", "avoid")]
    record = next(r for r in s.records if isinstance(r.event, Marked))
    ended = next(r for r in s.records if isinstance(r.event, Ended))
    assert record.stamp.causes == (ended.stamp.seq,)
    assert record.event.why == "Otis has turned Mara down"
    assert record.event.kind == mark_of(record.event, record.stamp).kind == "crush"
    w = s.world
    assert [m.seq for m in w.people.residents["mara"].mood.marks] == [ended.stamp.seq]
    assert rest_of(w, "mara", 700).p < w.people.residents["mara"].mood.rest.p - 0.3
    assert event_sentence(record, Teller(w.handbook)) == "It stays with Mara: Otis has turned Mara down"
    assert habit_words(w.handbook, record.event) == "keeps out of Otis's way"


def test_marks_replay(larkspur: Scenario) -> None:
    s = turned_down(larkspur)
    fresh = World.found(founding(s.world.scenario))
    for record in again(s.records):
        fresh.apply(record)
    assert fresh.people.residents["mara"] == s.world.people.residents["mara"]
    other = World.found(founding(s.world.scenario))
    other.restore(s.world.snapshot())
    assert other.snapshot() == s.world.snapshot()
    assert mood_of(other, "mara", 900) == mood_of(s.world, "mara", 900)


@pytest.mark.parametrize("off", [{"mood.marks": 0}, {"mood.decay": False}, {"mood.on": False}])
def test_where_nothing_stays_nobody_is_marked(larkspur: Scenario, off: dict) -> None:
    assert marks(turned_down(larkspur, parameters={**larkspur.parameters, **off})) == []


def test_without_drama_nobody_is_marked(larkspur: Scenario) -> None:
    s = Stage(replace(larkspur, rules={**larkspur.rules, "drama": "off"}))
    step = s.step(600)
    leave_marks(step, s.world, MarkCause("couple", "broken", "mara", "basil", "Mara and Basil have parted"), 600, 1)
    assert step.records == []


def leaves(s: Stage, t: int, *two: str, kind: str = "couple", how: str = "broken", **more: object) -> int:
    """How many an outcome between these two marks."""
    step = s.step(t)
    leave_marks(step, s.world, MarkCause(kind, how, *two, "so it is", **more), t, s.world.seq + 1)
    return len(step.records)


def test_so_many_outcomes_a_day_leave_a_mark_in_the_whole_town(larkspur: Scenario) -> None:
    s = Stage(replace(larkspur, parameters={**larkspur.parameters, "mood.marks": 3}))
    couples = (("mara", "basil"), ("greta", "dov"), ("vera", "quentin"), ("noor", "lev"))
    assert [leaves(s, 600 * i, *two) for i, two in enumerate(couples, 1)] == [2, 2, 2, 0]
    assert leaves(s, DAY, *couples[3]) == 2, "the next day is another"
    s = Stage(larkspur)
    assert [leaves(s, 600 * i, *two) for i, two in enumerate(couples, 1)] == [2] * 4, "as it ships, all do"


def test_what_comes_as_several_outcomes_marks_somebody_once(larkspur: Scenario) -> None:
    s = Stage(larkspur)
    assert leaves(s, 600, "mara", "basil") == 2
    assert leaves(s, 660, "mara", "", kind="owns") == 0
    assert leaves(s, 600 + 2 * HOUR, "mara", "", kind="owns") == 1


def test_to_be_forgiven_stays_only_after_a_day_or_more(larkspur: Scenario) -> None:
    s = Stage(larkspur)
    assert leaves(s, 600, "mara", "basil", kind="guilt", how="forgiven", age=HOUR) == 0
    assert leaves(s, 600, "mara", "basil", kind="guilt", how="forgiven", age=2 * DAY) == 1


def test_of_two_rules_that_fit_the_last_is_taken(larkspur: Scenario) -> None:
    for at, does in (("quiz", "read"), ("choir", "music"), ("market", "")):
        s = Stage(larkspur)
        leaves(s, 600, "mara", "basil", kind="contest", how="won", at=at)
        loser = s.world.people.residents["basil"].mood.marks
        assert [(m.do, m.habit) for m in loser] == [(does, "do" if does else "stay_in")]


# ---- what they do


@pytest.fixture
def world(larkspur: Scenario) -> World:
    return World.found(founding(larkspur))


def marked(world: World, who: str, habit: str, whom: str = "", do: str = "", where: str = "", t: int = 0) -> None:
    found = MoodMark(-0.1, 0.0, 0.0, t, 7, "Otis has said no", 3 * DAY, habit, whom, do, where)
    enter_mark(world.people.residents[who].mood, found, Pad(0.0, 0.0, 0.0))


def asked(world: World, who: str, day: int = 2) -> PlanDay:
    return plan_question(world, who, world.clock.midnight(day) + world.cast[who].routine.wake)


def planned(world: World, who: str, day: int = 2) -> tuple[list[Block], Sequence[Block]]:
    """The blocks that are there for a mark, and the plan of the day."""
    q, bent = apply_habits(world, asked(world, who, day))
    plan = plan_day(q, world.chance.stream(1, who, "plan")).blocks
    assert set(plan_causes(bent, plan)) <= {7}
    return [b for b in plan if b.why == "Otis has said no"], plan


def test_who_avoids_somebody_is_not_where_they_are_to_be_expected(world: World) -> None:
    changed = 0
    for who in ("jory", "saskia", "dov", "flora"):
        for whom in ("esme", "zeno", "kit"):
            q = asked(world, who)
            marked(world, who, "avoid", whom)
            new, bent = apply_habits(world, q)
            changed += len(bent)
            for b in {*new.usual} & {*q.usual}:
                there = expected_place(world, whom, b.start + 15 * MINUTE)
                same = b.where.split(" / ")[0] == there.split(" / ")[0]
                own = {world.cast[who].home.split(" / ")[0], world.cast[who].work.split(" / ")[0]}
                assert not same or b.do in q.bound or b.where.split(" / ")[0] in own
            assert whom not in {f.who for f in new.friends}
            world.people.residents[who].mood.marks.clear()
    assert changed > 6


def test_who_stays_in_misses_one_thing_that_brings_people_together_and_never_a_decision(world: World) -> None:
    for who in world.cast:
        marked(world, who, "stay_in")
        q, bent = apply_habits(world, asked(world, who))
        assert len(bent) <= 1
        for x in bent:
            assert x.block.where == parlour(world, world.cast[who].home)
        deciding = {o.title for o in world.calendar.on(2) if o.decides is not None and who in o.who}
        assert deciding <= {o.why for o in q.occasions}
        world.people.residents[who].mood.marks.clear()


@pytest.mark.parametrize(
    ("do", "where", "at"), [("letter", "home", "Rowan House"), ("visit", "theirs", ""), ("walk", "outdoors", "")]
)
def test_a_habit_takes_an_hour_of_the_day_and_says_why(world: World, do: str, where: str, at: str) -> None:
    marked(world, "jory", "do", "yara", do, where)
    mine, plan = planned(world, "jory")
    assert {b.do for b in mine} == {do}
    assert all(b.where.startswith(at) for b in mine)
    evening = [b for b in plan if b.start >= world.clock.midnight(2) + 20 * HOUR]
    assert (mine[0] in evening) is (where == "home")


def test_a_habit_is_kept_once_a_day_and_ends_with_its_days(world: World) -> None:
    marked(world, "jory", "do", "", "drink", "drink")
    q = asked(world, "jory")
    world.people.residents["jory"].plan = (Block(q.now - HOUR, q.now, "drink", "The Lantern / taproom", "done"),)
    assert apply_habits(world, q)[1] == []
    world.people.residents["jory"].plan = ()
    assert apply_habits(world, q)[1]
    assert apply_habits(world, asked(world, "jory", 5))[1] == []
    assert apply_habits(world, asked(world, "jory", 5))[0] == asked(world, "jory", 5)


def test_what_is_settled_gives_way_to_no_mood_and_no_model(world: World) -> None:
    marked(world, "jory", "do", "", "drink", "drink")
    q = replace(apply_habits(world, asked(world, "jory"))[0], mood=Pad(-0.9, 0.9, 0.0), shaken=True)
    plan = plan_day(q, world.chance.stream(1, "jory", "plan")).blocks
    assert [b.do for b in plan if b.why == "Otis has said no"] == ["drink"]
    offered = prompt_plans._options(q, world.chance.stream(1, "jory", "offered"))
    assert offered is not None
    assert {slot.value[0].why for slot in offered["slots"].values()} == {""}
    assert any("Otis has said no" in line for line in prompt_plans._lines(q)["usual"])


def test_a_plan_names_the_outcome_it_is_another_for(larkspur: Scenario) -> None:
    world = World.found(founding(larkspur))
    marked(world, "jory", "do", "", "drink", "drink")
    records = log_of(run(engine_of(larkspur, world=world), 2)).all()
    plans = [r for r in records if isinstance(r.event, Planned) and r.stamp.actor == "jory"]
    assert any(7 in r.stamp.causes for r in plans)
    for r in plans:
        assert (7 in r.stamp.causes) is any(b.why == "Otis has said no" for b in r.event.blocks)
    assert (
        plan_causes([PlanChange(Block(600, 0, "drink", "A / b", "x"), 7)], (Block(0, 9000, "drink", "A / c", "x"),))
        == ()
    )


# ---- whom they meet


def test_who_keeps_out_of_anothers_way_has_no_small_talk_with_them(larkspur: Scenario) -> None:
    def pairs(world: World) -> set[frozenset[str]]:
        world.pressures.open.clear()  # what presses brings them together all the same
        found = set()
        for _ in range(80):
            world.step += 1
            step = Running(world, EmbeddedMind(world.chance, larkspur.lines))
            found |= {frozenset(m[:2]) for m in meeting._encounters(step, world)}
        assert found
        return found

    engine = run(engine_of(larkspur), 25)
    world = engine.world
    met = pairs(world)
    a, b = sorted(min(met, key=sorted))
    marked(world, a, "avoid", b, t=world.now)
    assert shunned(world, world.now) == {f"{a}|{b}"}
    assert frozenset((a, b)) not in pairs(world)


def test_nobody_goes_looking_for_whom_they_avoid_unless_its_hour_is_near(larkspur: Scenario) -> None:
    def sought(due: int, avoids: bool) -> bool:
        s = Stage(larkspur, pressure("grudge", "mara", "otis", intensity=1.0, stage=2, due=due), turns=0)
        p, w = s.wake(), s.world
        if avoids:
            marked(w, "mara", "avoid", "otis")
        r = w.people.residents["mara"]
        r.awake, r.plan = (
            True,
            (Block(0, 9 * HOUR, "walk", "Mill Meadow / meadow", ""), Block(9 * HOUR, DAY, "sleep", "", "")),
        )
        for t in range(10 * MINUTE, 4 * HOUR, MINUTE):
            step = s.step(t)
            seek(step, w, p)
            if any(isinstance(x.event, Sought) for x in step.records):
                return True
        return False

    assert sought(None, avoids=False)
    assert not sought(None, avoids=True)
