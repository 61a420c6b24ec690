"""Why somebody feels as they do, in the order it is told: what befell them today, their own thoughts, their nature."""

from __future__ import annotations

import re

import msgspec
import pytest

from sandbox.core.chance import Chance
from sandbox.core.clock import HOUR
from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.world import World
from sandbox.people.asking import make_interview
from sandbox.people.interview_rule import answer
from sandbox.people.mood import Cause, Pad
from sandbox.people.mood_queries import describe
from sandbox.people.question_mood import describe_mood

NOW = 20 * HOUR
REST = Pad(-0.3, 0.2, -0.2)


@pytest.fixture
def world(larkspur: Scenario) -> World:
    return World.found(Record(Stamp(1, 0, 0, "", ()), Founded(larkspur, {})))


def feels(world: World, who: str, *causes: Cause) -> None:
    """Put these causes, newest last, into somebody's ledger."""
    mood = world.people.residents[who].mood
    mood.t, mood.rest, mood.causes = NOW, REST, list(causes)
    mood.pad = Pad(*(x + sum(c[axis] for c in map(msgspec.structs.astuple, causes)) for axis, x in enumerate(REST)))


def worry(t: int, why: str = "woke thinking about the rent") -> Cause:
    return Cause(-0.3, 0.2, -0.2, t, 5, why, "waking")


ROW = Cause(-0.06, 0.03, -0.01, NOW, 9, "a row with Otis")


def test_a_row_is_told_before_what_one_woke_thinking_of(world: World) -> None:
    feels(world, "mara", worry(NOW), ROW)
    asked = describe(world, "mara", NOW)
    assert asked.causes == (ROW.why, "woke thinking about the rent")
    told = describe_mood(asked).text
    assert told.index(ROW.why) < told.index("woke thinking about")
    felt = make_interview(world, "mara", "Why do you feel so?", NOW).felt
    assert felt is not None
    assert felt.causes == asked.causes


def test_today_is_told_before_yesterday_however_large_that_was(world: World) -> None:
    world.people.residents["mara"].day = 2
    old = Cause(-0.3, 0.2, -0.2, world.clock.midnight(2) - HOUR, 4, "the barn burnt down")
    feels(world, "mara", old, worry(NOW, "could not stop thinking about the rent"), ROW)
    assert describe(world, "mara", NOW).causes[0] == ROW.why
    feels(world, "mara", old, worry(NOW, "could not stop thinking about the rent"))
    assert describe(world, "mara", NOW).causes == ("could not stop thinking about the rent", old.why)


def test_a_day_lasts_until_the_next_is_planned_not_until_midnight(world: World) -> None:
    late = world.clock.midnight(2)
    feels(
        world, "mara", msgspec.structs.replace(ROW, t=late - 60), worry(late + 60, "could not stop thinking about it")
    )
    assert describe(world, "mara", late + 60).causes[0] == ROW.why


def test_what_comes_to_mind_is_not_told_as_a_reason(world: World) -> None:
    feels(world, "mara", ROW)
    asked = msgspec.structs.replace(describe(world, "mara", NOW), memories=("saw Kit trading a roll",))
    reasons = describe_mood(asked).text.split(". ")[1]
    assert reasons == "For the most part it is how Mara is; what has moved it: a row with Otis"


def test_what_goes_against_ones_nature_is_no_reason_for_a_mood_that_is_of_it(world: World) -> None:
    feels(world, "mara", Cause(0.08, 0.0, 0.0, NOW, 9, "praise from Otis"))
    asked = describe(world, "mara", NOW)
    assert (asked.nature, asked.against, asked.causes) == (True, ("praise from Otis",), ())
    assert "It is how Mara is; against it: praise from Otis." in describe_mood(asked).text
    feels(world, "mara", Cause(0.08, 0.0, 0.0, NOW, 8, "praise from Otis"), msgspec.structs.replace(ROW, p=-0.03))
    both = describe_mood(describe(world, "mara", NOW)).text
    assert "It is how Mara is, and more so for this: a row with Otis; against it: praise from Otis." in both


def test_a_mood_of_another_name_than_ones_nature_was_brought_on(world: World) -> None:
    feels(world, "mara", Cause(0.25, -0.1, 0.2, NOW, 9, "praise from Otis"))  # less than her nature, and past it
    asked = describe(world, "mara", NOW)
    assert not asked.nature
    assert "What brought it on: praise from Otis." in describe_mood(asked).text


def test_a_reason_that_came_often_counts_with_all_it_did(world: World) -> None:
    often = [msgspec.structs.replace(ROW, t=NOW - n, seq=20 + n) for n in range(3)]
    bread, rain = (Cause(-x, 0.0, 0.0, NOW, 8, why) for x, why in ((0.1, "burnt bread"), (0.09, "rain")))
    feels(world, "mara", bread, rain, *often)
    assert describe(world, "mara", NOW).causes == (ROW.why, bread.why)


def test_what_is_no_longer_told_apart_is_told_where_it_did_most(world: World) -> None:
    feels(world, "mara", ROW)
    mood = world.people.residents["mara"].mood
    mood.pad = Pad(*(x + y for x, y in zip(mood.pad, (-0.3, 0.1, -0.1), strict=True)))
    assert describe(world, "mara", NOW).causes == (ROW.why, "many small things of the hours before")


def test_of_today_a_trifle_is_not_told_before_what_did_ten_times_as_much(world: World) -> None:
    feels(
        world,
        "mara",
        worry(NOW),
        worry(NOW, "could not stop thinking about it"),
        Cause(-0.03, 0.0, 0.0, NOW, 9, "rain"),
    )
    assert "rain" not in describe(world, "mara", NOW).causes


def test_what_pleased_brings_on_no_bad_mood(world: World) -> None:
    comfort, loss = (
        Cause(0.01, 0.5, -0.3, NOW, 8, "comfort from Otis"),
        Cause(-0.05, 0.03, -0.1, NOW, 9, "a lost place"),
    )
    feels(world, "mara", comfort, loss)
    asked = describe(world, "mara", NOW)
    assert asked.labels[0] == "Fear"
    assert asked.causes == ("a lost place",)


def test_nothing_is_told_for_a_mood_and_against_it(world: World) -> None:
    feels(world, "mara", Cause(0.02, -0.05, -0.1, NOW, 8, "comfort from Otis"), Cause(0.05, 0.0, 0.02, NOW, 9, "tea"))
    asked = describe(world, "mara", NOW)
    assert not {*asked.causes} & {*asked.against}


@pytest.mark.parametrize("roused", [0.5, -0.5])
def test_how_roused_a_sleeper_is_is_not_told(world: World, roused: float) -> None:
    feels(world, "mara", Cause(0.5, roused - REST.a, 0.5, NOW, 9, "praise from Otis"))
    told = {}
    for awake in (True, False):
        world.people.residents["mara"].awake = awake
        told[awake] = describe_mood(describe(world, "mara", NOW)).text
    assert ("wide awake" if roused > 0 else "slow") in told[True]
    assert not re.search("awake|slow", told[False])
    assert told[False].startswith("Mara is asleep, and feels ")
    assert told[False].endswith(" on waking.")


def test_a_sleeper_who_is_asked_is_not_glad_to_be_up(world: World) -> None:
    feels(world, "mara", Cause(1.0, 0.0, 0.5, NOW, 9, "praise from Otis"))
    world.people.residents["mara"].awake = False
    asked = make_interview(world, "mara", "How are you?", NOW)
    assert asked.felt is not None
    assert asked.felt.labels[0] == "Happiness"
    said = {answer(asked, Chance(seed).stream(1, "mara", "asked")).text for seed in range(20)}
    assert any("happy" in text for text in said)
    assert not any("up and about" in text for text in said)
