"""What is no ordinary file is never replaced and never waited for: a pipe stays a pipe."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from clishell import Shell

from sandbox.cli.main import cli
from sandbox.core.places import read_ordinary
from sandbox.people.mood_words import SHIPPED
from sandbox.tui.app.settingsfile import own_anchors, read_settings, write_setting


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


# ---- a pipe in the place of a file that is read: nobody ever writes into it, so whoever waited would wait for ever


@pytest.fixture
def patience() -> Iterator[None]:
    """A test that waits for a pipe fails, instead of waiting for it."""

    def over(number: int, frame: object) -> None:
        pytest.fail("it waits")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


WORLD_FILES = ["world.yaml", "areas.yaml", "map.txt", "activities.yaml", "lines.yaml", "drama.yaml", "pressures.yaml"]


@pytest.mark.sampled(1)
@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("name", [*WORLD_FILES, "personas/mara.yaml"])
def test_a_pipe_among_the_files_of_a_world_is_told(shell: Shell, world: Path, name: str) -> None:
    (world / name).parent.mkdir(exist_ok=True)
    (world / name).unlink(missing_ok=True)
    os.mkfifo(world / name)
    for command in (["worlds", "check"], ["run", "--steps", "1"]):
        done = shell(*command, world)
        assert done.code == 2
        assert f"{Path(name).name}: cannot be read: no ordinary file" in done.out + done.err


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    "command", [["run"], ["replay"], ["saves", "info"], ["saves", "branch", "--at", 1, "--out", "b.db"]]
)
def test_a_pipe_is_no_save(shell: Shell, pipe: Path, command: list[str]) -> None:
    done = shell(*command, pipe)
    assert done.code == 2
    assert f"{pipe}: is not a file" in done.err
    assert shell("saves", "list", pipe.parent).code == 0


@pytest.mark.usefixtures("patience")
def test_a_pipe_that_takes_the_place_of_a_file_when_it_is_looked_at_is_refused(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = os.stat(__file__)
    monkeypatch.setattr("sandbox.core.places.os.stat", lambda path: here)
    with pytest.raises(OSError, match="no ordinary file"):
        read_ordinary(pipe)


@pytest.mark.usefixtures("patience")
def test_pipes_among_the_settings_are_told(tmp_path: Path) -> None:
    names = ("settings.yaml", "notable.yaml", "themes.yaml", "anchors.csv")
    for name in names:
        os.mkfifo(tmp_path / name)
    settings, faults = read_settings(tmp_path / names[0])
    assert own_anchors(tmp_path, faults) is SHIPPED
    told = [str(fault) for fault in faults]
    assert [name for name in names if any(name in text and "no ordinary file" in text for text in told)] == [*names]
    with pytest.raises(OSError, match="no ordinary file"):
        write_setting("theme", settings["theme"], tmp_path / names[0])
    assert stat.S_ISFIFO((tmp_path / names[0]).stat().st_mode)
