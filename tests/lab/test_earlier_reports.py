"""A report of what a later run leaves out is kept beside the new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandbox.lab.custom_minds import CustomMinds
from sandbox.lab.experiment import Comparison, read_experiment
from sandbox.lab.folder import archive_report, write_lab_plan
from sandbox.lab.replica import replicas
from sandbox.lab.results import LabPlan
from sandbox.lab.scores import Judging


def rule(question: object, chance: object) -> Any:
    return None


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("changed", "settings", "rules", "kept"),
    [
        ({}, (), {}, False),
        ({"seeds": (1, 2, 3), "metrics": ("talks", "lines"), "title": "Other"}, (), {}, False),
        ({"seeds": (1,)}, (), {}, True),
        ({"metrics": ("lines",)}, (), {}, True),
        ({"steps": 5}, (), {}, True),
        ({}, ("mood.fast=0.5",), {}, True),
        ({}, (), {"Accept": rule}, True),
    ],
)
def test_it_is_kept_if_replicas_or_measures_of_it_are_left_out(
    shared: Path, tmp_path: Path, changed: Any, settings: Any, rules: Any, kept: bool
) -> None:
    experiment = replace(read_experiment(shared, ["with"]), metrics=("talks",))
    runs = tuple((r.arm, r.config) for r in replicas(experiment))
    write_lab_plan(LabPlan("sandbox lab run small.yaml", experiment, runs), tmp_path)
    (tmp_path / "report.md").write_text("old")
    (tmp_path / "earlier-1").mkdir()
    other = replace(experiment, settings=(*experiment.settings, *settings), **changed)
    told = archive_report(tmp_path, other, replicas(other, own={"with": CustomMinds(rules)}), None)
    assert told.endswith("; it was made by `sandbox lab run small.yaml`") == kept
    assert (tmp_path / "report.md").exists() == (not kept)
    assert (tmp_path / "earlier-2" / "report.md").exists() == kept


A, B = "openai/a", "openai/b"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("changed", "judging", "kept"),
    [
        ({}, Judging((A, B), 5), False),
        ({}, Judging((A + "@http://127.0.0.1:9/v1", B, "openai/c"), 20), False),  # the same model, and more
        ({}, None, True),
        ({}, Judging((A,), 5), True),
        ({}, Judging((A, B), 4), True),
        ({"judge": (Comparison("without", "with"),)}, Judging((A, B), 5), True),
        ({"comparisons": (), "judge": (Comparison("with", "without"),)}, Judging((A, B), 5), True),
    ],
)
def test_it_is_kept_if_comparisons_or_judges_of_it_are_left_out(
    shared: Path, tmp_path: Path, changed: Any, judging: Judging | None, kept: bool
) -> None:
    experiment = replace(read_experiment(shared), metrics=("talks",))
    runs = replicas(experiment)
    before = LabPlan("before", experiment, tuple((r.arm, r.config) for r in runs), Judging((A, B), 5))
    write_lab_plan(before, tmp_path)
    (tmp_path / "report.md").write_text("old")
    assert bool(archive_report(tmp_path, replace(experiment, **changed), runs, judging)) == kept


@pytest.mark.slow
def test_where_it_is_kept_is_told_however_long_its_command(shared: Path, tmp_path: Path) -> None:
    experiment = read_experiment(shared, ["with"])
    runs = replicas(experiment)
    plan = LabPlan(f"lab.run({'x' * 2000})", experiment, tuple((r.arm, r.config) for r in runs))
    write_lab_plan(plan, tmp_path)
    (tmp_path / "report.md").write_text("old")
    assert str(tmp_path / "earlier-1") in archive_report(tmp_path, experiment, runs[:1], None)
