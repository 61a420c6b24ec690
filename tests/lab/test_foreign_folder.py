"""A folder of an experiment that comes from anybody: nothing is written outside it; what is odd is told in a line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox.core.places import cache_dir
from sandbox.lab.experiment import Experiment, LabFaults, read_experiment
from sandbox.lab.folder import PLAN, check_links, read_lab_plan, ready, write, write_lab_plan
from sandbox.lab.laboratory import run_experiment
from sandbox.lab.replica import Config, replicas
from sandbox.lab.results import LabPlan

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def out(small: Path, tmp_path: Path) -> Path:
    """A folder with a plan and nothing lived: what somebody may send."""
    experiment = read_experiment(small)
    folder = tmp_path / "out"
    (folder / "runs").mkdir(parents=True)
    config = Config("green", experiment.start, 1200, 4, (), 1, ("embedded",), "", "content", {}, "code")
    write_lab_plan(LabPlan("sandbox lab run small.yaml", experiment, (("with", config),)), folder)
    return folder


def change(out: Path, by: Change) -> None:
    plan = json.loads((out / PLAN).read_text())
    by(plan)
    (out / PLAN).write_text(json.dumps(plan))


def named(name: str) -> Change:
    def rename(plan: dict[str, Any]) -> None:
        plan["experiment"]["arms"][0]["name"] = plan["runs"][0][0] = name
        plan["experiment"]["comparisons"] = []

    return rename


PLANS: dict[str, Change] = {
    "an arm up": named("../../a"),
    "an arm of another folder": named("/tmp/a"),
    "an arm that turns": named("a\u202eb"),
    "an arm of a formula": named("$\\frac$"),
    "two arms of a name": lambda p: p["experiment"]["arms"].append(p["experiment"]["arms"][0]),
    "an experiment up": lambda p: p["experiment"].update(name="../../x"),
    "an experiment of nothing": lambda p: p["experiment"].update(name=""),
    "an experiment of dots": lambda p: p["experiment"].update(name=".."),
    "an experiment with a folder": lambda p: p["experiment"].update(name="a/b"),
    "an experiment too long": lambda p: p["experiment"].update(name="x" * 200),
    "a metric": lambda p: p["experiment"].update(metrics=["../../m"]),
    "a paper": lambda p: p["experiment"].update(beside="../../p"),
    "a start": lambda p: p["experiment"].update(start="junk"),
    "a step": lambda p: p["experiment"].update(step=0),
    "steps": lambda p: p["experiment"].update(steps=-1),
    "seeds": lambda p: p["experiment"].update(seeds=[1, 1]),
    "no arms": lambda p: p["experiment"].update(arms=[], comparisons=[]),
}


@pytest.mark.parametrize("odd", PLANS)
def test_a_plan_that_no_run_could_have_written_is_refused(out: Path, odd: str) -> None:
    read_lab_plan(out)
    change(out, PLANS[odd])
    before = sorted(out.parent.rglob("*"))
    with pytest.raises(LabFaults, match=r"plan\.json: is not the plan of an experiment .*; run the experiment again"):
        read_lab_plan(out)
    with pytest.raises(LabFaults, match="--force"):
        ready(out, "small")
    assert sorted(out.parent.rglob("*")) == before


@pytest.mark.parametrize("name", ["report.md", "judges.jsonl", "runs/x.db", "runs/x.half.db", "small-density.svg"])
def test_a_link_out_of_the_folder_is_refused(out: Path, tmp_path: Path, name: str) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (out / name).symlink_to(mine)
    with pytest.raises(LabFaults, match="is a link that leads out of the folder; remove it"):
        read_lab_plan(out)
    with pytest.raises(LabFaults, match="is a link"):
        ready(out, "small", force=True)
    assert mine.read_text() == "mine"


def test_a_folder_of_saves_that_is_a_link_is_refused_and_links_within_are_not(out: Path, tmp_path: Path) -> None:
    (out / "notes.md").symlink_to(out / PLAN)
    read_lab_plan(out)
    (out / "runs").rmdir()
    (out / "runs").symlink_to(tmp_path)
    with pytest.raises(LabFaults, match="runs: is a link"):
        check_links(out)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_the_folder_is_refused_instead_of_waited_for(out: Path) -> None:
    os.mkfifo(out / "report.md")
    with pytest.raises(LabFaults, match="is not an ordinary file"):
        read_lab_plan(out)


def test_a_report_takes_the_place_of_a_link_and_is_not_written_through_it(tmp_path: Path) -> None:
    mine, link = tmp_path / "mine", tmp_path / "report.md"
    mine.write_text("mine")
    link.symlink_to(mine)
    write(link, "ours")
    assert (mine.read_text(), link.read_text(), link.is_symlink()) == ("mine", "ours", False)


@pytest.mark.parametrize("stem", [".hidden", "-x", "..", "x" * 130, "é" * 70])
def test_a_file_whose_name_no_figure_can_have_is_told(small: Path, stem: str) -> None:
    path = small.with_name(f"{stem}.yaml")
    small.rename(path)
    with pytest.raises(LabFaults, match=r"figures are named after this file.*begin it with a letter"):
        read_experiment(path)


@pytest.mark.parametrize("arm", ["../../a", "/etc/a", "a/b", "..", "a b", "é", "x" * 41, "a\u202eb", '""'])
def test_an_arm_whose_name_is_none_is_told_with_its_line(small: Path, arm: str) -> None:
    small.write_text(small.read_text().replace("without:", f"{arm}:").replace("without", "with"), encoding="utf-8")
    with pytest.raises(LabFaults) as caught:
        read_experiment(small)
    assert any(fault.line == 11 for fault in caught.value.faults), caught.value.faults


@pytest.mark.slow
def test_nothing_is_written_outside_the_folder_but_what_worlds_gave(
    small: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("SANDBOX_HOME", str(home))
    experiment: Experiment = read_experiment(small, ["with"])
    outside = set(tmp_path.rglob("*"))
    run_experiment(experiment, replicas(experiment)[:1], "sandbox lab run", tmp_path / "in" / "out")
    new = set(tmp_path.rglob("*")) - outside
    assert all(p == tmp_path / "in" or p.is_relative_to(tmp_path / "in" / "out") for p in new)
    assert {p.suffix for p in home.rglob("*") if p.is_file()} == {".world"}
    assert {p.parent for p in home.rglob("*.world")} == {cache_dir()}


def test_a_link_to_itself_in_a_folder_leads_nowhere_and_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    check_links(tmp_path)
    (tmp_path / "out").symlink_to(tmp_path.parent)
    with pytest.raises(LabFaults, match="out: is a link that leads out"):
        check_links(tmp_path)


@pytest.mark.parametrize("name", ["small-pleasure.svg", "small-density.svg", "judges.jsonl", "report.md"])
def test_what_is_not_of_the_experiment_is_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(LabFaults, match=f"{name}: is there already, and comes from no experiment that was run"):
        ready(tmp_path, "small")
    ready(tmp_path, "small", force=True)
    assert (tmp_path / name).read_text() == "mine"
