"""Marks: what an outcome leaves in the rest of a mood for days, and how that is told."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import founding

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.asking import make_interview
from sandbox.people.interview_rule import answer
from sandbox.people.mark_model import Marked
from sandbox.people.mood import (
    CAUSES_KEPT,
    FOLD,
    MARKS,
    OCC,
    Cause,
    Mood,
    MoodMark,
    Pad,
    emotion_vector,
    enter_cause,
    enter_mark,
    ledger,
    mood_at,
    rest_at,
    shift_mood,
)
from sandbox.people.mood_queries import describe
from sandbox.people.question_mood import describe_mood

HALF = 120.0
unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)
deltas = st.tuples(*[st.floats(-0.5, 0.5)] * 3)
AT_REST = Pad(0.2, 0.0, -0.1)


def mark(mood: Mood, by: tuple[float, float, float], t: int, seq: int = 1, days: int = 3) -> None:
    after, applied = shift_mood(mood_at(mood, t, HALF), by)
    enter_mark(mood, MoodMark(*applied, t, seq, f"outcome {seq}", days * DAY), after)


def close(a: Pad, b: Pad) -> bool:
    return all(math.isclose(x, y, abs_tol=1e-5) for x, y in zip(a, b, strict=True))


@given(pads, st.lists(st.tuples(st.booleans(), st.integers(1, 2 * DAY), deltas), max_size=40), st.integers(0, 5 * DAY))
def test_nature_marks_and_causes_are_the_mood_exactly(rest: Pad, changes: list, later: int) -> None:
    mood, t = Mood(rest, rest, 0, []), 0
    for seq, (stays, wait, change) in enumerate(changes, 1):
        t += wait
        if stays:
            mark(mood, change, t, seq)
        else:
            after, applied = shift_mood(mood_at(mood, t, HALF), change)
            enter_cause(mood, Cause(*applied, t, seq, f"cause {seq}"), after)
    assert len(mood.causes) <= CAUSES_KEPT
    assert len(mood.marks) <= MARKS
    t += later
    found = ledger(mood, t, HALF)
    now = mood_at(mood, t, HALF)
    for axis, x in enumerate(rest):
        assert math.isclose(x + sum((c.p, c.a, c.d)[axis] for c in found), now[axis], abs_tol=1e-9)
    assert all(-1 <= x <= 1 for x in (*now, *rest_at(mood, t)))
    assert [c.sort == "mark" for c in found] == sorted((c.sort == "mark" for c in found), reverse=True)
    assert all(max(abs(c.p), abs(c.a), abs(c.d)) >= FOLD for c in found if c.sort != "older")


def test_a_mark_moves_a_mood_and_what_it_goes_back_to_alike() -> None:
    mood = Mood(Pad(0.5, 0.1, 0.0), AT_REST, 0, [])
    before, rest = mood_at(mood, HOUR, HALF), rest_at(mood, HOUR)
    mark(mood, (-0.3, 0.2, 0.1), HOUR)
    assert close(Pad(*(x - y for x, y in zip(mood_at(mood, HOUR, HALF), before, strict=True))), Pad(-0.3, 0.2, 0.1))
    assert close(Pad(*(x - y for x, y in zip(rest_at(mood, HOUR), rest, strict=True))), Pad(-0.3, 0.2, 0.1))


def test_half_of_a_mark_is_left_after_its_days_when_the_moment_is_long_forgotten() -> None:
    mood = Mood(AT_REST, AT_REST, 0, [])
    mark(mood, (-0.4, 0.2, 0.0), 0, days=2)
    assert close(mood_at(mood, 2 * DAY, HALF), Pad(0.0, 0.1, -0.1))


def test_marks_that_have_all_but_gone_are_dropped_as_another_comes() -> None:
    mood = Mood(AT_REST, AT_REST, 0, [])
    mark(mood, (0.3, 0.0, 0.0), 0, 1, days=2)
    mark(mood, (0.3, 0.0, 0.0), 7 * DAY, 2, days=2)
    assert [m.seq for m in mood.marks] == [1, 2]
    mark(mood, (0.3, 0.0, 0.0), 9 * DAY, 3, days=2)
    assert [m.seq for m in mood.marks] == [2, 3]


def test_a_mood_without_marks_is_kept_as_it_was_before_there_were_any() -> None:
    mood = Mood(AT_REST, AT_REST, 0, [])
    assert sorted(msgspec.msgpack.decode(msgspec.msgpack.encode(mood))) == ["causes", "pad", "rest", "t"]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(mood), type=Mood) == mood


@pytest.mark.parametrize("emotion", sorted(OCC))
def test_a_mark_goes_the_way_of_its_emotion_as_far_as_its_size(emotion: str) -> None:
    found = emotion_vector(emotion, 0.4)
    assert max(map(abs, found)) == pytest.approx(0.4, abs=1e-6)
    assert all(x * y >= 0 for x, y in zip(found, OCC[emotion], strict=True))


# ---- how it is told


@pytest.fixture
def world(larkspur: Scenario) -> World:
    return World.found(founding(larkspur))


def test_what_stays_is_told_first_and_since_when(world: World) -> None:
    mood = world.people.residents["jory"].mood
    t = world.clock.midnight(2) + 12 * HOUR
    after, applied = shift_mood(mood_at(mood, t, HALF), (-0.4, -0.2, -0.4))
    enter_mark(mood, MoodMark(*applied, t, 7, "Yara has turned Jory down", 4 * DAY), after)
    since = (("noon", t + HOUR), ("yesterday", t + DAY), ("Wednesday", t + 3 * DAY))
    for words, now in since:
        world.people.residents["jory"].day = world.clock.day(now)
        after, applied = shift_mood(mood_at(mood, now - 60, HALF), (-0.3, 0.0, -0.3))
        enter_cause(mood, Cause(*applied, now - 60, 9, "burnt a tray of buns", "deed"), after)
        asked = describe(world, "jory", now)
        assert asked.causes[0].startswith(f"since {words}")
        assert asked.causes[0].endswith(", Yara has turned Jory down")
        assert "burnt a tray of buns" in asked.causes
        assert asked.causes[0] in describe_mood(asked).text
    told = answer(
        make_interview(world, "jory", "Why do you feel like that?", now), world.chance.stream(1, "jory", "asked")
    )
    assert "since Wednesday, Yara has turned me down" in told.text


def test_what_was_felt_as_it_came_about_is_told_once(world: World) -> None:
    mood = world.people.residents["jory"].mood
    enter_cause(mood, Cause(-0.2, 0.0, -0.2, HOUR, 8, "Yara said no", "event"), Pad(-0.4, 0.0, -0.4))
    enter_mark(mood, MoodMark(-0.4, 0.0, -0.4, HOUR, 7, "Yara has turned Jory down", DAY), Pad(-0.8, 0.0, -0.8))
    assert describe(world, "jory", HOUR + 60).causes == ("since this morning, Yara has turned Jory down",)


def test_a_mark_of_nothing_or_about_nobody_is_no_event(world: World) -> None:
    fine = Marked(Pad(0.1, 0, 0), Pad(0.1, 0, 0), "joy", "Una won", 2 * DAY, "avoid", "una")
    (handler,) = world.registry.handlers[Marked]
    for event, causes in ((fine, ()), (msgspec.structs.replace(fine, whom="nobody"), (5,))):
        with pytest.raises(ValueError, match=r"nothing|nobody"):
            handler(world, event, Stamp(9, 1, 60, "jory", causes))
