"""The study of friends: it finds what it should, harms no run by another, and takes people of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.lab.friends.measures import off, off_chance, slope, swing
from sandbox.lab.friends.model import POST, PRE, REWARDS
from sandbox.lab.friends.persona import SHIPPED, shipped_cast
from sandbox.lab.friends.play import CONTROL, TEXT, GameSetup, play_game
from sandbox.lab.published import FRIENDSHIP
from sandbox.lab.rewiring import at_random
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.performing import perform
from sandbox.lab.studies.study import Case, Found

STUDY = STUDIES["friends"]


def late(way: GameSetup, seed: int) -> float:
    cast = shipped_cast()
    return float(np.array(play_game(cast, cast.rules, way, seed).totals)[10:].mean())


@pytest.mark.slow
def test_learners_earn_more_than_the_control_and_than_those_who_never_learn() -> None:
    ways = (GameSetup(), GameSetup(mind=CONTROL), GameSetup(learn=0.0))
    for learning, control, fixed in (rows := [[late(way, seed) for way in ways] for seed in (1, 2, 3)]):
        assert learning > control + 0.05
        assert learning > fixed + 0.05, "it is learning that does it, not the mind"
    assert abs(np.mean([fixed - control for _, control, fixed in rows])) < 0.04


@pytest.mark.slow
def test_the_kind_of_tie_and_the_coach_leave_the_first_round_as_it_is() -> None:
    cast = shipped_cast()
    ways = (GameSetup(), GameSetup(coach=True), GameSetup(ties=TEXT), GameSetup(learn=0.0))
    first = [[a for a in play_game(cast, cast.rules, way, 4).acts if a.round == 1] for way in ways]
    assert all(acts == first[0] for acts in first)


def test_slopes_begin_with_round_3() -> None:
    assert slope([0.1, 0.9, 0.3, 0.4, 0.5]) == pytest.approx(0.1)
    assert slope([0.1, 0.9, 0.3]) is None


def test_networks_are_counted_against_the_middle_half_of_real_ones() -> None:
    real = {key: middle for key, (middle, _, _) in FRIENDSHIP.items()}
    assert off(dict(real)) == 0
    assert off({**real, "density": 0.9, "path_length": None}) == 2


@pytest.mark.slow
def test_how_far_measures_move_with_the_threshold_does_not_rest_on_how_strong_ties_are() -> None:
    cast = shipped_cast()
    ties = play_game(cast, cast.rules, GameSetup(), 5).ties
    found = swing(ties)
    assert found is not None
    assert found > 0
    assert swing(0.2 * ties) == found
    assert swing(np.zeros((30, 30))) is None
    few = np.zeros((30, 30))
    few[0, 1:] = 1.0
    assert swing(few) is None, "a fifteenth of all pairs is tied, and .40 would have to be"


@pytest.mark.slow
def test_beyond_chance_there_is_nothing_in_a_random_graph() -> None:
    found = [off_chance(at_random(25, edges, seed), seed + 50) for edges in (30, 80) for seed in range(10)]
    assert abs(np.mean(found)) < 0.5
    assert off_chance(np.zeros((9, 9), dtype=np.bool_), 1) == 0
    circles = np.kron(np.eye(5, dtype=np.bool_), np.ones((5, 5), dtype=np.bool_)) & ~np.eye(25, dtype=np.bool_)
    assert off_chance(circles, 1) != 0


@pytest.mark.slow
def test_a_run_that_crashes_harms_no_other_and_a_rerun_does_what_is_missing(tmp_path: Path) -> None:
    log, broken, out = tmp_path / "log", tmp_path / "broken", tmp_path / "out"
    broken.touch()

    def run(case: Case, seed: int) -> Found:
        with log.open("a") as file:
            file.write(f"{seed} ")
        if seed == 2 and broken.exists():
            raise RuntimeError("the plan was eaten")
        return STUDY.run(case, seed)

    study, cases = replace(STUDY, run=run), ("control",)
    report = perform(study, (1, 2, 3), cases, "C", out)
    assert [bool(r.error) for r in report.runs] == [False, True, False]
    assert "the plan was eaten" in (out / "report.md").read_text()
    broken.unlink()
    report = perform(study, (1, 2, 3), cases, "C", out)
    assert log.read_text() == "1 2 3 2 "
    assert not any(r.error for r in report.runs)


@pytest.mark.slow
def test_people_of_ones_own_are_played_and_told_in_the_command(tmp_path: Path) -> None:
    whole = SHIPPED.read_text(encoding="utf-8")
    few = tmp_path / "few.yaml"
    few.write_text(whole[: whole.index("  olek:")], encoding="utf-8")
    words = ["lab", "run", "friends", "--seeds", "1", "--arm", "control", "--personas", str(few), "--out"]
    done = CliRunner().invoke(cli, [*words, str(tmp_path / "out")], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "--personas few.yaml" in (tmp_path / "out" / "report.md").read_text()
    few.write_text(few.read_text().replace("SOC: 0.5, COORD: 0.2", "SOC: 0.5, COORD: 0.1"), encoding="utf-8")
    done = CliRunner().invoke(cli, [*words, str(tmp_path / "two")])
    assert done.exit_code != 0
    told = done.output + str(done.exception or "")
    assert "few.yaml:13" in told
    assert "make them sum to 1" in told
    done = CliRunner().invoke(cli, ["lab", "run", "herd", "--personas", str(few), "--out", str(tmp_path / "three")])
    assert "--personas is for a study that has people" in done.output


def test_each_reward_is_wanted_alone_in_two_cases_that_differ_in_the_coach_alone() -> None:
    for reward in REWARDS:
        alone, coached = (dict(STUDY.case(f"only_{reward}{end}").settings) for end in ("", "_coach"))
        assert alone["wants"] == coached["wants"] == reward
        assert (alone.pop("coach"), coached.pop("coach")) == (False, True)
        assert alone == coached
        keys = {effect.key: effect for effect in STUDY.effects}
        for key in (f"{reward}_alone", f"{reward}_coach_early", f"{reward}_coach_late"):
            assert {keys[key].case, keys[key].against} <= {f"only_{reward}", f"only_{reward}_coach", "control"}


def test_whoever_wants_one_reward_is_paid_that_one_and_tipped_for_no_other() -> None:
    cast = shipped_cast().wanting(PRE)
    assert shipped_cast().wanting("") == shipped_cast()
    rules = msgspec.structs.replace(cast.rules, rounds=4)
    played = play_game(cast, rules, GameSetup(coach=True), 3)
    scores, totals = np.array(played.scores), np.array(played.totals)
    assert np.array_equal(totals, scores[:, :, REWARDS.index(PRE)])
    assert played.tips >= 3 * 3 * len(cast.people), "three tips a plan, from round 2 on"
    posts = [a for a in played.acts if a.round > 2]
    assert np.mean([a.kind == POST for a in posts]) > 0.6, "for PRE a coach knows posts, and nothing else"
    alone = play_game(cast, rules, GameSetup(), 3)
    assert np.array(alone.totals)[1:].mean() < totals[1:].mean()


@pytest.mark.long
def test_over_twenty_seeds_each_arm_earns_more_than_its_control(tmp_path: Path) -> None:
    cases = ("heuristic", "heuristic_coach", "text", "text_coach", "control", "control_text", "again")
    report = perform(STUDY, STUDY.usual(), cases, "C", tmp_path)
    for arm in cases[:4]:
        found = report.effect(f"late_{arm}")
        assert found is not None
        assert found.difference.shown
        assert (found.difference.estimate.low or 0.0) > 0.05
    again = report.effect("again")
    assert again is not None
    assert not again.difference.shown
