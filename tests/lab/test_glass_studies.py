"""The studies of societies: what they measure is what the networks have, and their controls stay silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.glass_runs import GlassSetup, grown, network_seeds
from sandbox.lab.studies.performing import perform
from sandbox.lab.studies.study import Found, Study
from sandbox.lab.studies.study_results import check_run, check_study
from sandbox.society import BetaGranter, Growth
from sandbox.society.items import shipped_items

CEILING, RUMOUR, BETA = (STUDIES[f"glass-{name}"] for name in ("ceiling", "rumour", "beta"))


def lived(study: Study, case: str, seed: int = 7, **given: Any) -> dict[str, Any]:
    """What a run finds, with fewer networks."""
    return dict(found(study, case, seed, **given).values)


def found(study: Study, case: str, seed: int = 7, **given: Any) -> Found:
    own = study.case(case)
    settings = {**own.settings, "networks": 40, "heard": 4} | given
    return check_run(study, case, study.run(type(own)(case, "", settings), seed), study.run)


@pytest.mark.parametrize("study", [CEILING, RUMOUR, BETA], ids=lambda study: study.name)
def test_each_is_sound_and_measures_all_that_it_declares(study: Study) -> None:
    check_study(study)
    check_study(study.with_minds())
    for case in (study.cases[0].name, study.cases[-1].name):
        assert found(study, case).faults == {}


def test_networks_grown_together_have_the_arcs_of_each_alone() -> None:
    s = GlassSetup(means="roles", networks=3)
    of = grown(s.growth, s.mu, network_seeds(s, 11))
    alone = Growth(s.growth, BetaGranter(s.mu), network_seeds(s, 11)[2])
    for steps in range(101):
        if steps in (0, 40, 100):
            assert of.network(2, steps).weights == pytest.approx(alone.network().weights)
            assert of.network(2, steps).types.tolist() == alone.network().types.tolist()
            assert of.course[steps, :, :, 2] == pytest.approx(np.array(alone.theta))
        if steps < 100:
            alone.step()


def test_a_ceiling_is_found_where_it_was_put_and_nowhere_else() -> None:
    aligned, neutral, single = (lived(CEILING, case) for case in ("aligned", "neutral", "single"))
    assert aligned["in_r"] > 1.15 > 0.85 > aligned["in_b"]
    assert aligned["influence_r"] < aligned["influence_b"], "as printed it is low for the type that others seek"
    assert aligned["lead"] > 0.4 > 0.2 > max(abs(neutral["lead"]), abs(single["lead"]))
    assert aligned["tail"] > 0.04 > abs(neutral["tail"])
    assert aligned["tail_p"] <= 0.02
    assert aligned["uneven_strength"] > 0.2
    for moment in ("", "_33", "_67"):
        assert aligned[f"gini_degree{moment}"] > aligned[f"gini_degree_lots{moment}"] + 0.1


@pytest.mark.slow
def test_the_mean_field_is_right_and_what_is_printed_only_where_its_means_are_made_so() -> None:
    x = lived(CEILING, "aligned", networks=200)
    assert x["forecast"] == pytest.approx(0.654, abs=0.002)
    assert x["mse"] < 5e-4 < min(x["mse_constant"], x["mse_last"])
    assert x["better"] == pytest.approx(min(x["mse_constant"], x["mse_last"]) - x["mse"])
    assert x["printed_raw"] == pytest.approx(0.27, abs=0.02)
    assert x["printed_normalised"] == pytest.approx(0.11, abs=0.02)
    assert x["printed_scaled"] == pytest.approx(0.645, abs=0.02)
    assert x["fit_forecast"] == pytest.approx(x["forecast"], abs=0.01)
    assert x["fit_test"] < 0.6 * x["fit_constant"]
    assert abs(x["above_white"]) < 0.15
    assert x["levels_max_acf"] > 0.9
    assert x["bound"] > 1 > x["contraction"]


@pytest.mark.slow
def test_a_claim_goes_farther_from_who_is_heard_more_and_capability_matters_only_to_types() -> None:
    s = {"heard": 8, "networks": 8}
    for case in ("aligned", "rewired"):
        x = lived(RUMOUR, case, **s)
        for reading in ("along", "back"):
            assert x[f"false_{reading}_gap"] > 0.015
            assert x[f"false_{reading}_central"] > x[f"false_{reading}_quiet"] + 0.03
            assert x[f"false_{reading}_gap"] == pytest.approx(
                x[f"false_{reading}_central"] - x[f"false_{reading}_peripheral"]
            )
    one, other = (lived(RUMOUR, f"untyped_{able}", **s) for able in ("aligned", "misaligned"))
    assert one["true_back_quiet"] == pytest.approx(other["true_back_quiet"], abs=0.12)


@pytest.mark.slow
def test_beta_raises_who_is_asked_and_answers_only_where_who_gains_is_able() -> None:
    at = {(able, beta): lived(BETA, f"{able}_{beta}", heard=40)
          for able in ("aligned", "misaligned", "equal") for beta in (0, 2)}  # fmt: skip
    assert at["aligned", 2]["asked"] > at["aligned", 0]["asked"] + 0.06
    assert at["aligned", 2]["asked"] == at["equal", 2]["asked"], "who is able changes nothing of how they grow"
    change = {
        able: at[able, 2]["right_back"] - at[able, 0]["right_back"] for able in ("aligned", "misaligned", "equal")
    }
    assert change["aligned"] > change["equal"] > change["misaligned"]
    assert change["aligned"] - change["misaligned"] > 0.01 > abs(change["equal"])
    assert at["aligned", 0]["alone"] == at["misaligned", 0]["alone"] == pytest.approx(0.2, abs=0.02)


@pytest.mark.slow
def test_questions_of_ones_own_are_talked_about_and_faulty_ones_told_with_their_line(tmp_path: Path) -> None:
    few = [{"name": x.name, "question": x.question, "answers": [*x.answers], "gold": x.gold, "claims": x.claims,
            "false_claim": x.false_claim, "snippets": [{"text": s.text, "excludes": [*s.excludes]} for s in x.snippets]}
           for x in shipped_items("debate")[:2]]  # fmt: skip
    file, out = tmp_path / "own.yaml", tmp_path / "out"
    file.write_text(yaml.safe_dump({"items": few}))
    words = ["lab", "run", "glass-rumour", "--arm", "aligned", "--quick", "--items", str(file), "--out"]
    told = CliRunner().invoke(cli, [*words, str(out)])
    assert told.exit_code == 0, told.output
    assert "--items own.yaml" in (out / "report.md").read_text()
    few[1]["snippets"] = few[1]["snippets"][:4]
    file.write_text(yaml.safe_dump({"items": few}))
    told = CliRunner().invoke(cli, [*words, str(tmp_path / "no")])
    assert told.exit_code == 2
    assert "items[2].snippets: 4 snippets; give 5" in told.output
    assert "own.yaml:" in told.output
    assert not (tmp_path / "no").exists()
    for study in ("glass-ceiling", "herd"):
        told = CliRunner().invoke(cli, ["lab", "run", study, "--items", str(file), "--out", str(tmp_path / "no")])
        assert told.exit_code == 2
        assert "lab run glass-rumour" in told.output


@pytest.mark.slow
def test_pooled_over_fresh_seeds_the_ceiling_is_clear_and_what_makes_none_holds_one(tmp_path: Path) -> None:
    seeds = range(880101, 880111)
    made = perform(CEILING, seeds, ("aligned", "neutral", "single"), "C", tmp_path, given={"networks": 40})
    under, none, single = (made.effect(key) for key in ("under_aligned", "none_neutral", "none_single"))
    assert under is not None
    assert (under.difference.estimate.high or 0) < -0.1
    for effect in (none, single):
        assert effect is not None
        assert not effect.difference.estimate.clear
