"""Studies of policies: learners are held against chance and an oracle of the same seed, and find what there is to find
and nothing where there is nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.feed.claims import Beliefs
from sandbox.feed.model import CLAIM, REBUTTAL, UNIT
from sandbox.lab.studies.policy_cards import ABLATION, CROSS, CROWD
from sandbox.lab.studies.policy_misinformation import MISINFORMATION, SAID, ClaimSetup, post_claims
from sandbox.lab.studies.policy_news import NEWS
from sandbox.lab.studies.policy_runs import Setup, crowd_platform, read_stances, trace
from sandbox.lab.studies.reporting import study_markdown
from sandbox.lab.studies.study import Found, Study
from sandbox.lab.studies.study_results import StudyRun, study_report

SHORT = {"rounds": 10, "readers": 32, "users": 300}


def found(study: Study, name: str, seed: int = 1, **settings: Any) -> Found:
    case = study.case(name)
    return study.run(replace(case, settings={**case.settings, **SHORT, **settings}), seed)


def values(study: Study, name: str, seed: int = 1, **settings: Any) -> Mapping[str, float]:
    return {key: x for key, x in found(study, name, seed, **settings).values.items() if x is not None}


# ---- cards


def test_shares_and_regret_are_between_chance_and_the_oracle_of_the_same_seed() -> None:
    chance, oracle, linucb = (values(CROSS, f"talkative_{arm}") for arm in ("random", "oracle", "linucb"))
    assert (chance["share_10"], oracle["share_10"], oracle["regret_10"]) == (0, 1, 0)
    gain = oracle["reward_10"] - chance["reward_10"]
    assert gain > 0.02
    assert linucb["share_10"] == pytest.approx((linucb["reward_10"] - chance["reward_10"]) / gain)
    assert linucb["regret_10"] == pytest.approx(oracle["reward_10"] - linucb["reward_10"])


def test_without_a_policy_there_is_no_reward_and_what_all_do_is_measured() -> None:
    alone = found(CROSS, "talkative_origin")
    assert [alone.values[f"{key}_10"] for key in ("reward", "share", "regret")] == [None] * 3
    assert {*alone.curves} == {"stance", "sd", "cross"}
    assert all(len(curve) == SHORT["rounds"] for curve in alone.curves.values())
    assert alone.values["sd_10"] == alone.curves["sd"][-1]
    assert 0 < (alone.values["cross_10"] or 0) < 1
    assert alone.values["cross_50"] is None, "there are only ten rounds"


def test_a_run_is_the_same_each_time_and_with_other_chance_another() -> None:
    first = found(CROSS, "usual_linucb", rounds=4)
    trace.cache_clear()
    assert found(CROSS, "usual_linucb", rounds=4) == first
    assert found(CROSS, "usual_linucb", rounds=4, chance=1) != first


def test_the_first_rounds_of_a_long_run_are_those_of_a_short_one() -> None:
    few, many = (trace(Setup("talkative", "linucb", users=300, rounds=n), 3) for n in (3, 5))
    assert all(a == b[:3] for a, b in zip(few, many, strict=True))  # type: ignore[index]


def test_a_policy_that_fails_fails_its_run_instead_of_giving_the_numbers_of_nobody() -> None:
    with pytest.raises(ValueError, match=r"the policy failed in \d+ rounds"):
        trace(Setup(arm="linucb", levers=("mix",), nothing=True, users=100, rounds=2), 1)


@pytest.mark.slow
def test_linucb_learns_with_products_and_nothing_without_stances() -> None:
    means = {
        name: np.array(
            [values(CROSS, f"talkative_{name}", seed, users=1000, readers=64)["share_10"] for seed in range(1, 6)]
        )
        for name in ("linucb", "linucb_plain", "linucb_bare", "networks")
    }
    assert means["linucb"].min() > 0.5
    assert means["networks"].min() > 0.4
    assert means["linucb_plain"].mean() < 0.4
    assert abs(means["linucb_bare"].mean()) < 0.15


def test_where_a_reward_is_a_lot_nobody_has_more_of_it_than_chance() -> None:
    names = [f"{crowd}_lots_{arm}" for crowd in ("usual", "talkative") for arm in ("random", "epsilon", "linucb")]
    rewards = np.array([values(CROSS, name, users=1000)["reward_10"] for name in names])
    assert np.abs(rewards - 0.5).max() < 5 / np.sqrt(12 * 900), "a mean of about 960 even lots"


def test_a_report_has_the_share_of_each_learner_beside_the_papers_numbers() -> None:
    names = ("talkative_origin", "talkative_linucb", "talkative_epsilon")
    runs = tuple(StudyRun(name, seed, "", found(CROSS, name, seed, rounds=2)) for name in names for seed in (1, 2))
    text = study_markdown(CROSS, study_report(CROSS, "x", (1, 2), runs), ())
    for name in names[1:]:
        assert f"| share of the oracle's gain, 10 rounds | `{name}` |" in text
        assert f"| share of the oracle's gain, 50 rounds | `{name}` |" in text
    assert "| paper: PolicySim | .376 | .48 | 38.6 | .56 |" in text


@pytest.mark.slow
def test_a_quick_run_has_settings_of_its_own_and_says_how_it_is_made_again(tmp_path: Path) -> None:
    run = ("lab", "run", "policy-cross", "--quick", "--arm", "usual_origin", "--out", str(tmp_path / "out"))
    assert CliRunner().invoke(cli, run).exit_code == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "`sandbox lab run policy-cross --quick --arm usual_origin --out DIR`" in text
    kept = [json.loads(path.read_text()) for path in (tmp_path / "out" / "runs").iterdir()]
    assert [len(run["curves"]["sd"]) for run in kept] == [10, 10, 10]


# ---- exposure


CLAIMED = {"users": 400, "rounds": 10, "authors": 100}


def misinformed(name: str, seed: int = 1, **settings: Any) -> list[float]:
    case = MISINFORMATION.case(name)
    return MISINFORMATION.run(replace(case, settings={**case.settings, **CLAIMED, **settings}), seed).curves[
        "misinformed"
    ]


def test_before_the_first_round_a_fifth_has_posted_the_claim_and_a_few_its_rebuttal() -> None:
    s = ClaimSetup(users=400)
    site = crowd_platform(s, 1, doubts=True)
    post_claims(site, s, 1)
    assert sorted(site.feed.claims.values()) == [REBUTTAL] * 20 + [CLAIM] * 80
    assert len({*site.feed.posts.author[:100].tolist()}) == 100
    assert Beliefs(site.feed).misinformed.sum() == 80
    assert {*site.feed.texts.values()} == {*SAID}


def test_a_claim_spreads_and_less_where_those_who_spread_it_are_turned_down() -> None:
    alone, lot, oracle = (misinformed(name) for name in ("origin", "candidates", "oracle"))
    assert alone[-1] > 0.28
    assert oracle[-1] < lot[-1] - 0.05
    assert misinformed("oracle", silenced=0.0) == misinformed("candidates", silenced=0.0) == alone


@pytest.mark.slow
def test_our_reward_teaches_whom_to_turn_down_and_the_printed_one_does_not() -> None:
    last = {
        name: np.array([misinformed(name, seed, users=1000, authors=256)[-1] for seed in range(1, 6)])
        for name in ("candidates", "oracle", "linucb", "printed_linucb")
    }
    gain = (last["candidates"] - last["oracle"]).mean()
    assert (last["candidates"] - last["linucb"]).mean() > 0.3 * gain
    assert (last["candidates"] - last["printed_linucb"]).mean() < 0.2 * gain


# ---- news, opinions, parts of learners


def test_bad_news_moves_stances_down_and_good_news_up_and_none_leaves_them() -> None:
    few = {"users": 300}
    told, quiet = (
        NEWS.run(replace(case, settings={**case.settings, **few}), 1)
        for case in map(NEWS.case, ("degroot_mix", "degroot_quiet"))
    )
    assert all(len(curve) == 10 for found in (told, quiet) for curve in found.curves.values())
    fall, rise = ((told.values[key] or 0) - (quiet.values[key] or 0) for key in ("fall", "rise"))
    assert fall < -0.03
    assert rise > 0.03
    assert told.curves["stance"][0] < quiet.curves["stance"][0] - 0.03, "at once"


def test_a_crowd_that_averages_comes_to_be_of_one_mind_and_gives_a_policy_less() -> None:
    reading, averaging = (values(CROWD, f"{name}_linucb", opinion=name) for name in ("reading", "degroot"))
    assert averaging["sd_10"] < reading["sd_10"]
    assert averaging["unit_sd"] == pytest.approx(averaging["sd_10"] / 2)
    assert averaging["unit_stance"] == pytest.approx((averaging["stance_10"] + 1) / 2)


def test_a_policy_that_chooses_no_cards_is_measured_by_all_answers() -> None:
    for name in ("mix", "exposure"):
        found = values(ABLATION, name, rounds=10)
        assert not {"reward_10", "share_10"} & {*found}
        assert found["worth_10"] > 0


# ---- stances of one's own


def test_stances_are_drawn_from_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "stances.csv"
    path.write_text("stance,count\n-1,3\n0.5,1\n\n")
    given = tuple(read_stances(path))
    assert given == ((-1.0, 3.0), (0.5, 1.0))
    drawn = crowd_platform(Setup(users=2000, stances=given), 1).feed.users.stance[:2000] / UNIT
    assert {*drawn.tolist()} == {-1.0, 0.5}
    assert (drawn < 0).mean() == pytest.approx(0.75, abs=0.05)
    path.write_text("0.5\n-1\n-1\n-1\n")
    assert read_stances(path) == [(-1.0, 3.0), (0.5, 1.0)], "one a line is the same"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0.5\n1.2\n", r"s\.csv:2: a line is a stance from -1 to 1, .*correct or remove it"),
        ("stance,count\n0,many\n", r"s\.csv:2: .*correct or remove it"),
        ("0.1,2,3\n", r"s\.csv:1: .*correct or remove it"),
        ("0.1,-2\n", r"s\.csv:1: .*correct or remove it"),
        ("stance\n", "nobody has a stance; give a line for each person"),
    ],
)
def test_a_line_that_is_no_stance_is_refused_with_its_number_and_a_mend(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=why):
        read_stances(path)


def test_stances_are_for_studies_of_policies_and_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    run = ("lab", "run", "--out", str(tmp_path / "out"), "--stances", str(tmp_path / "none.csv"))
    for name, told in (("herd", "--stances is for a study of policies"), ("policy-cross", "cannot be read")):
        done = CliRunner().invoke(cli, [*run, name])
        assert done.exit_code == 2
        assert told in done.stderr
