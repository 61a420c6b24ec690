"""A shell for the tests: `sandbox ARGS` run in this process, with saves in a folder of the test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from clishell import Done, Shell

from sandbox.cli.main import cli
from sandbox.core.places import shipped_folder


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run a command. An exception that is no exit fails the test: a person would see its traceback."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()

    def run(*args: object) -> Done:
        result = runner.invoke(cli, [str(a) for a in args], prog_name="sandbox")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Done(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save of Larkspur, 60 steps long. Copy it before you change it."""
    path = tmp_path_factory.mktemp("made") / "made.db"
    result = CliRunner().invoke(cli, ["run", "larkspur", "--steps", "60", "--save", str(path), "--json"])
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture
def save(made: Path, tmp_path: Path) -> Path:
    """A copy of that save that the test may change."""
    return Path(shutil.copy(made, tmp_path / "a.db"))


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A copy of Larkspur that the test may break."""
    return Path(shutil.copytree(shipped_folder("worlds") / "larkspur", tmp_path / "broken"))
