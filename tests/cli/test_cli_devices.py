"""What is no ordinary file is never replaced: a pipe named as output stays a pipe."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_a_save_does_not_take_the_place_of_a_pipe(pipe: Path) -> None:
    done = CliRunner().invoke(cli, ["run", "larkspur", "--steps", "2", "--save", str(pipe), "--force"])
    assert done.exit_code == 2
    assert "is no ordinary file" in done.output
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_an_export_writes_into_a_pipe(pipe: Path, tmp_path: Path) -> None:
    save = tmp_path / "a.db"
    assert CliRunner().invoke(cli, ["run", "larkspur", "--steps", "2", "--save", str(save)]).exit_code == 0
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    done = CliRunner().invoke(cli, ["export", str(save), "--what", "walks", "--out", str(pipe)])
    reader.join(timeout=10)
    assert done.exit_code == 0, done.output
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert read[0].count("\n") > 0
