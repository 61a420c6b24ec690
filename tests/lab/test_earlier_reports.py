"""A report of what a later run leaves out is kept beside the new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandbox.lab.experiment import read_experiment
from sandbox.lab.folder import set_aside, write_plan
from sandbox.lab.own import Own
from sandbox.lab.replica import replicas
from sandbox.lab.results import Plan


def rule(question: object, chance: object) -> Any:
    return None


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
    write_plan(Plan("sandbox lab run small.yaml", experiment, runs), tmp_path)
    (tmp_path / "report.md").write_text("old")
    (tmp_path / "earlier-1").mkdir()
    other = replace(experiment, settings=(*experiment.settings, *settings), **changed)
    told = set_aside(tmp_path, other, replicas(other, own={"with": Own(rules)}))
    assert ("held the report of `sandbox lab run small.yaml`" in told) == kept
    assert (tmp_path / "report.md").exists() == (not kept)
    assert (tmp_path / "earlier-2" / "report.md").exists() == kept
