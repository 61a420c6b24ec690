"""However a program ends, the save it plays is closed whole, with nothing beside it, and the exit code says why."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.cli.telling import ProgramStopped, wait_for
from sandbox.store.save import Save
from sandbox.store.session import Session, open_session
from sandbox.tui.app.program import run_app

if sys.platform == "win32":
    pytest.skip("no such signals there", allow_module_level=True)

AtEachStep = Callable[[Callable[[], object]], None]
ENDS = [(signal.SIGTERM, 143), (signal.SIGHUP, 129)]


async def killed_twice(number: signal.Signals, path: Path) -> None:
    """Live a while, and be ended; and again when the save is being closed."""
    async with open_session("larkspur", save=path) as session:
        for _ in range(3):
            await session.engine.step()
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), number)


@pytest.mark.parametrize(("number", "code"), ENDS)
def test_a_signal_closes_what_is_open(shell: Shell, tmp_path: Path, number: signal.Signals, code: int) -> None:
    path = tmp_path / "kept" / "a.db"
    with pytest.raises(ProgramStopped) as stopped:
        wait_for(killed_twice(number, path))
    assert stopped.value.code == code
    assert [p.name for p in path.parent.iterdir()] == ["a.db"]
    assert shell("replay", path, "--verify", "--json").json["steps"] == 3
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_terminal_that_is_gone_is_no_fault_of_the_input() -> None:
    async def writing() -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError(5, "Input/output error")

    with pytest.raises(ProgramStopped) as stopped:
        wait_for(writing())
    assert stopped.value.code == 129


def test_a_signal_that_is_to_be_ignored_is(tmp_path: Path) -> None:
    async def hung_up() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.to_thread(os.getpid)
        return "goes on"

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert wait_for(hung_up()) == "goes on"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_screen_that_is_still_opening_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    path = tmp_path / "kept" / "a.db"

    async def slow(session: Session) -> Session:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()
        return session

    monkeypatch.setattr("sandbox.tui.app.program.to_show", slow)
    shown = run_app(lambda: open_session("larkspur", save=path, paced=True))
    assert (shown.code, shown.kept) == (143, None)
    assert [p.name for p in path.parent.iterdir()] == ["a.db"]


@pytest.fixture
def at_each_step(monkeypatch: pytest.MonkeyPatch) -> AtEachStep:
    """Have something done when a session has made a step."""

    def done(deed: Callable[[], object]) -> None:
        made = Session.__new__

        def watched(*args: object) -> Session:
            session = made(*args)
            session.engine.watchers.append(lambda records: deed())
            return session

        monkeypatch.setattr(Session, "__new__", watched)

    return done


ARGS = {"run": ["--days", "300", "--save", "home/saves/larkspur-1.db"], "play": ["--log", "--speed", "max"]}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("number", "code"), ENDS)
@pytest.mark.parametrize("command", ARGS)
def test_a_command_that_is_ended_says_what_is_kept(
    shell: Shell, at_each_step: AtEachStep, tmp_path: Path, command: str, number: signal.Signals, code: int
) -> None:
    at_each_step(lambda: os.kill(os.getpid(), number))
    done = shell(command, "larkspur", *ARGS[command])
    assert done.code == code
    assert "larkspur-1.db" in (done.out if command == "play" else done.err).splitlines()[-1]
    path = tmp_path / "home" / "saves" / "larkspur-1.db"
    assert [p.name for p in path.parent.iterdir()] == ["larkspur-1.db"]
    assert shell("replay", path, "--verify").code == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ARGS)
def test_a_save_that_is_deleted_is_not_called_kept(
    shell: Shell, at_each_step: AtEachStep, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "home" / "saves" / "larkspur-1.db"
    at_each_step(lambda: path.unlink(missing_ok=True))
    done = shell(command, "larkspur", *ARGS[command])
    assert done.code == 1
    assert "kept in" not in done.out
    other = path.with_name("larkspur-1-kept.db")
    told = done.err.splitlines()[-1]
    assert f"{path.name}: was deleted while it was played; all of it is kept in " in told
    assert other.name in told
    assert [p.name for p in path.parent.iterdir()] == [other.name]
    assert shell("replay", other, "--verify").code == 0
    assert shell("run", other, "--steps", "1").code == 0


@pytest.mark.parametrize(("number", "code"), ENDS)
def test_an_export_that_is_ended_leaves_no_half(
    shell: Shell, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, code: int
) -> None:
    async def ended(*args: object) -> None:
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()

    monkeypatch.setattr(Save, "rows", ended)
    (tmp_path / "out").mkdir()
    assert shell("export", made, "--out", tmp_path / "out" / "a.jsonl").code == code
    assert list((tmp_path / "out").iterdir()) == []
