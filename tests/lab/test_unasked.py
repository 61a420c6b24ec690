"""Files that may come from anybody, on the command line: what they name that costs money is told and not asked."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sandbox.cli.main import cli
from sandbox.lab.experiment import read_experiment
from sandbox.lab.replica import replicas, run_replica

Shell = Callable[..., Result]


@pytest.fixture
def shell(village: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run `sandbox` beside the village, whose file names a model that costs money. Nobody may be called."""
    file = village / "world.yaml"
    file.write_text(f"{file.read_text()}\nmind: openai/gpt-4o\n")
    monkeypatch.chdir(tmp_path)

    def nobody(*_: object, **__: object) -> None:
        raise AssertionError("something was called over the network")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)

    def run(*args: object) -> Result:
        result = CliRunner().invoke(cli, [*map(str, args)], prog_name="sandbox")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


def test_a_world_is_checked_for_what_it_would_spend(shell: Shell, village: Path) -> None:
    done = shell("worlds", "check", village)
    assert done.exit_code == 0
    lines = (village / "world.yaml").read_text().splitlines()
    place = f"world.yaml:{lines.index('mind: openai/gpt-4o') + 1}: warning: mind"
    assert any(place in line and "money" in line for line in done.stdout.splitlines())


def test_it_is_lived_by_the_embedded_mind_and_one_line_says_how_to_allow_more(
    shell: Shell, village: Path, tmp_path: Path
) -> None:
    done = shell("run", village, "--steps", 2, "--save", "a.db", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["minds"] is None
    (line,) = done.stderr.splitlines()
    assert "the world green (a.db) names openai/gpt-4o" in line
    assert "--mind openai/gpt-4o" in line
    again = shell("run", "a.db", "--steps", 1)
    assert again.exit_code == 0
    assert again.stderr == done.stderr
    quiet = shell("run", "a.db", "--steps", 1, "--mind", "embedded")
    assert (quiet.exit_code, quiet.stderr) == (0, "")
    plain = shell("run", village, "--steps", 3, "--mind", "embedded", "--json")
    whole = json.loads(shell("run", village, "--steps", 3, "--json").stdout)
    assert whole["digest"] == json.loads(plain.stdout)["digest"]


@pytest.mark.slow
def test_an_experiment_asks_nobody_whom_its_world_names(shell: Shell, small: Path, tmp_path: Path) -> None:
    todo = replicas(read_experiment(small))
    assert [r.config.asked for r in todo] == [""] * 4, "nobody is asked anything"
    assert run_replica(todo[0].config, str(tmp_path)).error == ""


@pytest.mark.slow
def test_an_experiment_is_not_run_with_others_than_it_seems_to_have(shell: Shell, small: Path, tmp_path: Path) -> None:
    done = shell("lab", "run", small, "--out", "out", "--seeds", 1, "--mind", "ada=embedded")
    assert done.exit_code == 2
    assert "--mind: the world green names openai/gpt-4o" in done.stderr
    assert not (tmp_path / "out" / "runs").exists()
