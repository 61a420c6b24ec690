"""`sandbox lab` as a person and a script meet it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sandbox.cli.main import cli

Shell = Callable[..., Result]


@pytest.fixture
def shell(village: Path, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run `sandbox lab`, of what has no figures. An exception that is no exit fails the test."""
    monkeypatch.chdir(tmp_path)
    small.write_text(small.read_text() + "metrics: [sentiment]\n")

    def run(*args: object) -> Result:
        result = CliRunner().invoke(cli, ["lab", *map(str, args)], prog_name="sandbox")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


def test_it_lists_what_ships(shell: Shell) -> None:
    assert shell("list").stdout.startswith("sentipolis: Sentipolis in Larkspur\n")
    found = {row["name"]: row for row in json.loads(shell("list", "--json").stdout)}
    studies = ["cascade", "polarization", "herd", "counterfactual", "friends"]
    policies = ["policy-cross", "policy-misinformation", "policy-news", "policy-crowd", "policy-ablation"]
    societies = ["glass-ceiling", "glass-rumour", "glass-beta"]
    assert [*found] == ["sentipolis", *studies, *policies, *societies]
    assert found["sentipolis"]["arms"][:2] == ["on", "off"]
    assert found["herd"]["arms"][:3] == ["human", "herd", "null"]


@pytest.mark.slow
def test_it_runs_a_file_of_ones_own_and_goes_on_where_it_was(shell: Shell, small: Path, tmp_path: Path) -> None:
    done = shell("run", small, "--out", "out")
    assert done.exit_code == 0
    assert done.stdout.startswith("Small: 4 replicas run, 0 there already, 0 failed; in out/runs\n")
    assert "\n- No judge was asked: " in done.stdout
    assert done.stdout.endswith("report: out/report.md\n")
    told = r"2 took .+; the other 2 will take about .+ on this machine with 1 job"  # once there was one of each arm
    assert re.search(rf"^living: {told}; then they are measured$", done.stderr, re.M)
    assert re.search(rf"^measuring: {told}$", done.stderr, re.M)
    assert "Made by `sandbox lab run small.yaml --seeds 2 --out DIR`." in (tmp_path / "out" / "report.md").read_text()
    found = json.loads(shell("run", small, "--seeds", 3, "--out", "out", "--json").stdout)
    assert (found["replicas"], found["lived"], found["skipped"], found["failed"]) == (6, 2, 4, {})
    assert json.loads(Path(found["results"]).read_text())["plan"]["experiment"]["seeds"] == [1, 2, 3]


@pytest.mark.slow
def test_a_quick_run_takes_the_first_seeds_of_the_file_and_others_may_be_named(shell: Shell, small: Path) -> None:
    small.write_text(small.read_text().replace("seeds: 2", "seeds: [401-460, 7]\nquick: 1"))
    shell("run", small, "--quick", "--arm", "with", "--out", "out")
    shell("run", small, "--seeds", "8,11-12", "--arm", "with", "--out", "other")
    for folder, seeds, told in (("out", "7-7", "7"), ("other", "8,11-12", "8, 11 to 12")):
        text = Path(folder, "report.md").read_text()
        assert f"--seeds {seeds} --arm with --out DIR`" in text
        assert f"| seeds | {told} |" in text


@pytest.mark.slow
def test_a_report_with_what_a_later_run_leaves_out_is_kept_and_that_is_told(shell: Shell, small: Path) -> None:
    before = []
    for more in ((), ("--seeds", 1)):
        done = shell("run", small, *more, "--out", "out")
        before.append(Path("out", "report.md").read_bytes())
    made = "`sandbox lab run small.yaml --seeds 2 --out DIR`"
    kept = "the earlier report has more than this run, and is kept in out/earlier-1, its saves in runs; it was made by"
    kept = f"{kept} {made}"
    assert done.stderr.strip() == kept
    assert Path("out", "earlier-1", "report.md").read_bytes() == before[0] != before[1]
    assert shell("report", "out/earlier-1").exit_code == 2  # there are no saves to make it anew from
    assert "earlier report" not in shell("run", small, "--out", "out").stderr  # for there are more seeds


@pytest.mark.slow
def test_reports_are_made_anew_from_the_saves(shell: Shell, small: Path, tmp_path: Path) -> None:
    shell("run", small, "--arm", "with", "--seeds", 1, "--out", "out")
    report = tmp_path / "out" / "report.md"
    before = report.read_bytes()
    report.unlink()
    assert shell("report", "out").exit_code == 0
    assert report.read_bytes() == before
    assert json.loads(shell("report", "out", "--json").stdout) == json.loads(
        (tmp_path / "out" / "results.json").read_text()
    )


@pytest.mark.slow
def test_a_replica_that_is_missing_is_exit_1(shell: Shell, small: Path, tmp_path: Path) -> None:
    shell("run", small, "--seeds", 1, "--out", "out")
    next((tmp_path / "out" / "runs").glob("*.db")).unlink()
    assert shell("report", "out").exit_code == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["run", "sentipoli", "--out", "out"], 'no experiment or study "sentipoli"; did you mean "sentipolis"?'),
        (["run", "herdd", "--out", "out"], 'no experiment or study "herdd"; did you mean "herd"?'),
        (["run", "none.yaml", "--out", "out"], "none.yaml: no such file"),
        (["run", "small.yaml"], "--out"),
        (["run", "small.yaml", "--out", "small.yaml"], "is a file; name a folder"),
        (["run", "small.yaml", "--out", "out", "--arm", "wiht"], '--arm: no arm "wiht"; did you mean "with"?'),
        (["run", "small.yaml", "--out", "out", "--mind", "no model"], "is no model; write it as litellm does"),
        (["run", "small.yaml", "--out", "out", "--seeds", "0"], "--seeds: 0 seeds are not possible"),
        (
            ["run", "small.yaml", "--out", "out", "--seeds", "1-5,3"],
            "--seeds: seed 3 is listed twice; name each once",
        ),
        (
            ["run", "small.yaml", "--out", "out", "--seeds", "some"],
            '--seeds: "some" is neither a seed nor a range of seeds',
        ),
        (["run", "small.yaml", "--out", "out", "--seeds", "3", "--quick"], "exclude each other; give one"),
        (["run", "small.yaml", "--out", "out", "--jobs", "2", "--cluster", "tcp://x:1"], "exclude each other"),
        (["run", "bad.yaml", "--out", "out"], 'bad.yaml:6: no key "stepps"; did you mean "steps"?'),
        (["report", "nowhere"], "holds no plan.json"),
    ],
)
def test_bad_input_is_exit_2_with_file_place_and_mend(shell: Shell, small: Path, args: list[str], says: str) -> None:
    small.with_name("bad.yaml").write_text(small.read_text().replace("steps: 4", "stepps: 4"))
    done = shell(*args)
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.split())
    assert not Path("out").exists()
