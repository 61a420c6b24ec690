"""Day plans and how blocks are cut: whatever the hour and the mood, a plan one can follow."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import founding

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.language_mind import PROMPTS
from sandbox.minds.prompt_form import understood
from sandbox.people.handbook import Activity
from sandbox.people.model import Block
from sandbox.people.mood import Pad
from sandbox.people.planning import plan_question
from sandbox.people.question_plan import CutBlock, DayPlan, Items, PlanDay, cut_block, plan_day

BY_QUESTION = {prompt.question: prompt for prompt in PROMPTS}

CHANCE = Chance(13)
unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)


@pytest.fixture(scope="module")
def world(larkspur: Scenario) -> World:
    return World.found(founding(larkspur))


def occasion(midnight: int, start: int, minutes: int) -> Block:
    at = midnight + start * MINUTE
    return Block(at, at + minutes * MINUTE, "quiz", "The Lantern / taproom", "Quiz night")


@given(
    st.data(),
    st.integers(0, 4 * DAY),
    pads,
    st.floats(0, 45),
    st.lists(st.tuples(st.integers(0, 1439), st.integers(5, 240)), max_size=4),
    st.integers(0, 10**6),
)
def test_a_plan_runs_without_gaps_from_now_to_waking(
    world: World, data: st.DataObject, now: int, mood: Pad, jitter: float, extra: list, n: int
) -> None:
    who = data.draw(st.sampled_from(sorted(world.cast)))
    q = plan_question(world, who, now)
    more = tuple(occasion(q.midnight, *x) for x in sorted(extra))
    q = msgspec.structs.replace(q, mood=mood, jitter=jitter, occasions=(*q.occasions, *more), why="a test")
    blocks = plan_day(q, CHANCE.stream(1, who, "plan", n)).blocks
    assert blocks[0].start == now
    assert all(a.end == b.start for a, b in pairwise(blocks))
    assert all(b.start < b.end for b in blocks)
    assert [b.do for b in blocks].index("sleep") == len(blocks) - 1
    bed = blocks[-1]
    assert bed.where == world.cast[who].home
    assert bed.end - bed.start >= 3 * HOUR
    assert bed.end - now <= 2 * DAY
    assert all(b.where in world.map.areas for b in blocks)
    assert all(b.why for b in blocks)


@given(st.data(), st.integers(0, 3), st.integers(0, 10**6))
def test_a_morning_plan_sleeps_at_night_and_wakes_the_next_day(
    world: World, data: st.DataObject, days: int, n: int
) -> None:
    who = data.draw(st.sampled_from(sorted(world.cast)))
    routine = world.cast[who].routine
    now = world.clock.midnight(2 + days) + routine.wake
    q = plan_question(world, who, now)
    assert q.day == 2 + days
    bed = plan_day(q, CHANCE.stream(1, who, "plan", n)).blocks[-1]
    assert abs(bed.end - (now + DAY)) <= HOUR
    assert bed.end - bed.start <= 14 * HOUR


def test_an_occasion_finds_room_in_the_plan(world: World) -> None:
    kept = asked = 0
    for who in world.cast:
        for day in (2, 3, 4):
            q = plan_question(world, who, world.clock.midnight(day) + world.cast[who].routine.wake)
            blocks = plan_day(q, CHANCE.stream(day, who, "plan")).blocks
            for o in q.occasions:
                if o.end <= blocks[-1].start and o.start > q.now:
                    asked += 1
                    kept += any(b.where == o.where and b.start < o.end and b.end > o.start for b in blocks)
    assert asked > 50
    assert kept >= 0.97 * asked


def activity(i: int, low: int, extra: int) -> Activity:
    return Activity(f"act {i}", f"acting {i}", f"acted {i}", ("work",), (low, low + extra))


options = st.lists(st.tuples(st.integers(5, 60), st.integers(0, 30)), max_size=6).map(
    lambda rows: tuple(activity(i, *row) for i, row in enumerate(rows))
)


@given(st.integers(1, 900), options, st.integers(0, 10**6))
def test_a_block_is_filled_to_the_minute_with_what_is_possible(minutes: int, acts: tuple, n: int) -> None:
    q = CutBlock("mara", 0, "work", "Tansy Bakery / kitchen", minutes, acts, ("act 0", "act 1"))
    items = cut_block(q, CHANCE.stream(1, "mara", "cut", n)).items
    assert sum(i.minutes for i in items) == minutes
    assert all(i.minutes >= 1 for i in items)
    assert {i.do for i in items} <= ({a.do for a in acts} or {"work"})
    assert len(acts) < 5 or all(a.do != b.do for a, b in pairwise(items))


def test_sleep_is_not_cut() -> None:
    items = cut_block(CutBlock("mara", 0, "sleep", "", 480), CHANCE.stream(1, "mara", "cut")).items
    assert [(i.do, i.minutes) for i in items] == [("sleep", 480)]


def test_a_model_that_names_nothing_to_do_leaves_even_the_shortest_block_full() -> None:
    options = tuple(Activity(do, do, do, ("work",), (5, 30)) for do in ("sweep", "serve"))
    prompt = BY_QUESTION[CutBlock]
    for minutes in (1, 4, 5, 60):
        q = CutBlock("ann", do="work", where="shop", minutes=minutes, options=options)
        offered = prompt.offer(q, CHANCE.stream(1, "ann", "cut"))
        assert isinstance(offered, dict)
        found = understood(prompt, q, '{"items": []}', offered, CHANCE.stream(1, "ann", "cut"))
        assert isinstance(found, Items)
        assert sum(item.minutes for item in found.items) == minutes


def test_a_models_reason_stands_with_the_hours_it_changes_and_no_others(world: World) -> None:
    q = plan_question(world, "mara", world.clock.midnight(2) + world.cast["mara"].routine.wake)
    prompt, chance = BY_QUESTION[PlanDay], CHANCE.stream(2, "mara", "plan")
    offered = prompt.offer(q, chance)
    assert isinstance(offered, dict)
    found = understood(prompt, q, '{"changes": [{"slot": "1", "do": "a", "why": "my feet hurt"}]}', offered, chance)
    assert isinstance(found, DayPlan)
    assert [b.do for b in found.blocks if b.why == "my feet hurt"] == ["rest"]
    assert any(b.why == "as usual" for b in found.blocks)
