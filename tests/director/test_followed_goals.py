"""Goals of the player: chosen by a command, judged at the moment they are decided, and nothing to the town."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from lived import engine_of, founding, log_of, restored, run
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.places import shipped_folder
from sandbox.director.conditions import ClaimPattern, EndingPattern, Predicate
from sandbox.director.goal_domain import (
    ALWAYS,
    END,
    ChooseGoal,
    GoalChosen,
    GoalDropped,
    GoalJudged,
    PlayerGoal,
    goal_progress,
    judge_goals,
)
from sandbox.director.history import AnnalsOpened
from sandbox.engine.loading import read
from sandbox.engine.registry import REGISTRY
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.pressure_deck import Effect
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller

QUITS = PlayerGoal(
    "quits", "The ladder", "Mara and Basil are quits.", "day 1 12:00", Predicate(ended=EndingPattern("debt", good=True))
)
PAN = Predicate(claim=ClaimPattern("holds", "jory", terms="the dented pan"))


def staged(larkspur: Scenario, *goals: PlayerGoal) -> Stage:
    """Larkspur with these goals, where Mara owes Basil a ladder and nothing else presses."""
    return Stage(replace(larkspur, goals=goals), pressure("debt", due=10 * 3600))


def choose(stage: Stage, id: str, t: int = 0, follow: bool = True) -> None:
    """Follow a goal, or let it go."""
    step = stage.step(t)
    for event, actor, causes in REGISTRY.acts(stage.world, ChooseGoal(id=id, follow=follow)):
        step.emit(event, actor=actor, causes=causes)
    stage.records += step.records


def judged(stage: Stage, t: int) -> list[GoalJudged]:
    """What is judged in the minute at t."""
    step = stage.step(t)
    asyncio.run(judge_goals(step, stage.world))
    stage.records += step.records
    return [r.event for r in step.records if isinstance(r.event, GoalJudged)]


def test_a_goal_is_won_as_soon_as_it_is_so(larkspur: Scenario) -> None:
    stage = staged(larkspur, QUITS)
    choose(stage, "quits")
    p = stage.wake()
    assert judged(stage, 60) == []
    stage.move(120, p, Effect(end="let_off"), "basil", "mara", "let_off")
    (won,) = judged(stage, 180)
    assert won.won
    assert won.why == ""
    assert judged(stage, 240) == []  # once
    assert event_sentence(stage.records[-1], Teller(stage.world.handbook)) == 'Your goal "The ladder" is won'


def test_a_goal_whose_hour_passes_is_lost_with_what_stood_in_the_way(larkspur: Scenario) -> None:
    stage = staged(larkspur, QUITS)
    choose(stage, "quits")
    stage.wake()
    hour = stage.world.clock.moment(QUITS.by)
    assert judged(stage, hour - 60) == []
    (lost,) = judged(stage, hour)
    assert not lost.won
    assert lost.why.startswith("Mara owes Basil: a ladder, by Tue 4 Mar 17:30")


def test_what_must_be_so_at_the_end_is_judged_then_alone(larkspur: Scenario) -> None:
    stage = staged(larkspur, replace(QUITS, wants=PAN, judged=END))
    choose(stage, "quits")
    assert judged(stage, 60) == []
    (won,) = judged(stage, stage.world.clock.moment(QUITS.by))
    assert won.won


def test_what_must_always_be_so_is_lost_the_moment_it_is_not(larkspur: Scenario) -> None:
    kept = replace(QUITS, wants=Predicate(not_=Predicate(ended=EndingPattern("debt"))), judged=ALWAYS)
    stage = staged(larkspur, kept)
    choose(stage, "quits")
    p = stage.wake()
    assert judged(stage, 60) == []
    stage.move(120, p, Effect(end="let_off"), "basil", "mara", "let_off")
    (lost,) = judged(stage, 180)
    assert not lost.won


def test_a_goal_is_let_go_and_chosen_anew(larkspur: Scenario) -> None:
    stage = staged(larkspur, QUITS)
    choose(stage, "quits")
    with pytest.raises(ValueError, match='follow "The ladder" already'):
        choose(stage, "quits")
    choose(stage, "quits", 60, follow=False)
    assert stage.world.aims.followed == {}
    with pytest.raises(ValueError, match="nothing to drop"):
        choose(stage, "quits", follow=False)
    choose(stage, "quits", 120)
    assert [type(r.event) for r in stage.records] == [AnnalsOpened, GoalChosen, GoalDropped, GoalChosen]
    assert GoalChosen.BY_HAND
    assert GoalDropped.BY_HAND


def test_a_goal_that_is_none_or_too_late_is_refused_in_a_sentence(larkspur: Scenario) -> None:
    stage = staged(larkspur, QUITS)
    with pytest.raises(ValueError, match='no goal "quit"; did you mean "quits"'):
        choose(stage, "quit")
    with pytest.raises(ValueError, match="choose a goal that is still open"):
        choose(stage, "quits", 20_000)
    with pytest.raises(ValueError, match="this world has no goals"):
        choose(staged(larkspur), "quits")


def test_a_goal_that_is_decided_already_is_refused(larkspur: Scenario) -> None:
    stage = staged(larkspur, replace(QUITS, wants=PAN))
    with pytest.raises(ValueError, match="it is so already"):
        choose(stage, "quits")
    lost = Predicate(not_=PAN)
    with pytest.raises(ValueError, match="no longer to be had"):
        choose(staged(larkspur, replace(QUITS, wants=lost, judged=ALWAYS)), "quits")


def test_progress_tells_parts_and_what_may_undo_them(larkspur: Scenario) -> None:
    rent = Predicate(all_=(Predicate(claim=ClaimPattern("lodges", "kit", "zeno")), PAN, QUITS.wants))
    stage = Stage(
        replace(larkspur, goals=(replace(QUITS, wants=rent),)),
        pressure("debt", "kit", "zeno", due=3600, stakes="two months' rent"),
    )
    stage.wake()
    found = goal_progress(stage.world, stage.world.aim_deck["quits"])
    assert [(p.holds, p.says) for p in found.parts] == [
        (True, f"Kit lives in {stage.world.handbook.place(stage.world.cast['kit'].home)}"),
        (True, "Jory holds the dented pan"),
        (False, "two months' rent has ended well"),
    ]
    assert found.lacks == ("Kit owes Zeno: two months' rent, by Tue 4 Mar 08:30",)
    assert found.threats == ("Kit owes Zeno: two months' rent, by Tue 4 Mar 08:30",)
    assert found.left == stage.world.clock.moment(QUITS.by) - stage.world.now


@pytest.mark.slow
def test_a_town_without_a_goal_chosen_is_the_same_to_the_event(larkspur: Scenario) -> None:
    assert larkspur.goals
    with_, without = (run(engine_of(replace(larkspur, step=600, goals=g)), 20) for g in (larkspur.goals, ()))
    assert log_of(with_).rows()[1:] == log_of(without).rows()[1:]
    assert with_.world.snapshot() == without.world.snapshot()


@pytest.mark.slow
def test_following_a_goal_changes_nothing_else_in_the_town(larkspur: Scenario) -> None:
    idle, followed = (engine_of(replace(larkspur, step=600)) for _ in range(2))
    followed.do(ChooseGoal(id=larkspur.goals[0].id))
    logs = [[(r.stamp.t, r.stamp.actor, type(r.event)) for r in log_of(run(e, 20)).all()] for e in (idle, followed)]
    assert logs[0] == [x for x in logs[1] if x[2] not in (AnnalsOpened, GoalChosen, GoalJudged)]


def test_what_is_followed_stands_in_snapshots_and_replays(larkspur: Scenario) -> None:
    engine = engine_of(replace(larkspur, step=600))
    engine.do(ChooseGoal(id=larkspur.goals[0].id))
    w, records = run(engine, 2).world, log_of(engine).all()
    again = restored(World.found(founding(w.scenario)), w.snapshot(), records)
    assert again.aims == w.aims != type(w.aims)()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('by: "day 4 22:00"', 'by: "day 1 07:00"', "is before the world starts"),
        ("matter: two_months", "matter: two_month", 'no matter "two_month"; did you mean "two_months"'),
        ("judged: end", "judged: often", "often"),
        ("id: meadow_sold", "id: deed_known", "is taken; choose another"),
        ('by: "day 3 18:45"', 'by: "Thursday"', "is no moment; write it as"),
    ],
)
def test_a_fault_in_goals_is_told_with_its_file_and_line(tmp_path: Path, old: str, new: str, fault: str) -> None:
    world = shutil.copytree(shipped_folder("worlds") / "larkspur", tmp_path / "larkspur")
    text = (world / "goals.yaml").read_text(encoding="utf-8")
    assert old in text
    (world / "goals.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    scenario, faults = read(world)
    assert scenario is None
    assert any("goals.yaml:" in str(f) and fault in str(f) for f in faults.errors), [*map(str, faults.errors)]
