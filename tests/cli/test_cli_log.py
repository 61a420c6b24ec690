"""`sandbox play --log`: the town as lines of text, without a screen; and what `play` takes besides."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clishell import ROOT, Shell, heeding

from sandbox.cli.lines import LineTeller
from sandbox.core.clock import DAY, HOUR
from sandbox.readers.story import default_notable
from sandbox.store.session import open_session

LINE = re.compile(r"(\d\d:\d\d .+|[A-Z][a-z]+day \d+ [A-Z][a-z]+, day \d+\.)")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send there")
def test_lines_come_as_they_happen_and_ctrl_c_ends_it(shell: Shell, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sandbox", "play", "--log", "--speed", "max", "--ascii"]
    env = {"SANDBOX_HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        cwd=tmp_path,
        preexec_fn=heeding,
    )
    assert child.stdout is not None
    seen = [child.stdout.readline() for _ in range(8)]  # through a pipe: each is flushed, or this waits
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0, err
    *lines, last = (b"".join(seen) + out).decode("ascii").splitlines()
    assert lines[0] == "Larkspur, max; Ctrl-C ends."
    assert lines[1] == "Tuesday 4 March, day 1."
    assert all(LINE.fullmatch(line) for line in lines[1:])
    assert err == b""
    kept = tmp_path / "saves" / "larkspur-1.db"
    assert str(kept) in last
    assert [p.name for p in kept.parent.iterdir()] == ["larkspur-1.db"]
    assert shell("replay", kept, "--verify", "--json").json["ok"]


async def told(until: int, speed: str = "max") -> list[str]:
    out: list[str] = []
    async with open_session("larkspur") as session:
        await LineTeller(session, speed, out.append, default_notable()).run(until)
    return out


@pytest.mark.slow
async def test_hours_go_forward_and_the_night_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.cli.lines.NAP", 0)
    lines = await told(DAY + HOUR)
    days = [line for line in lines if "day " in line and ":" not in line]
    assert days == ["Tuesday 4 March, day 1.", "Wednesday 5 March, day 2."]
    assert sum("Everybody is asleep." in line for line in lines) == 1
    second = lines.index("Wednesday 5 March, day 2.")
    hours = [line[:5] for line in lines[1:second]]
    assert len(hours) > 20
    assert hours == sorted(hours)
    assert not any("\x1b" in line for line in lines)
    assert not any(line.endswith("..") for line in lines)


@pytest.mark.slow
async def test_at_a_walking_pace_no_more_is_told_than_time_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = iter(range(10**6))
    monkeypatch.setattr("sandbox.engine.drivers.perf_counter", lambda: next(wall) * 0.01)
    monkeypatch.setattr("sandbox.cli.lines.NAP", 0)
    slow = await told(30 * 60, "normal")
    fast = await told(30 * 60, "fast")
    assert len(slow) > len(fast), "the faster, the less is told"
    assert any(line.endswith("woke.") for line in slow)


# ---- what is wrong is told before anything begins


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--log", "--look", "theme=paper"], "--look is for the screen"),
        (["--log", "nowhere"], 'no world "nowhere"'),
        (["--speed", "quick"], "'quick' is not one of"),
    ],
)
def test_a_wrong_option_is_told(shell: Shell, args: list[str], says: str) -> None:
    done = shell("play", *args)
    assert done.code == 2
    assert says in done.err


@pytest.mark.parametrize(
    ("look", "says"),
    [
        ("theme", '"theme" is not a setting; write it as theme=dusk'),
        ("them=paper", 'no setting "them"; did you mean "theme"?'),
        ("palette=x", 'palette: no choice "x"; choose from'),
    ],
)
def test_a_wrong_look_is_told(shell: Shell, monkeypatch: pytest.MonkeyPatch, look: str, says: str) -> None:
    monkeypatch.setattr("sandbox.cli.play.no_terminal", lambda: "")
    done = shell("play", "--look", look)
    assert done.code == 2
    assert says in " ".join(done.err.split())


def test_looks_reach_the_screen(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandbox.tui.app.program import AppResult

    got: dict[str, object] = {}

    def run(opener: object, greet: bool = False, look: object = ()) -> AppResult:
        got.update(greet=greet, look=look)
        return AppResult(0, None)

    monkeypatch.setattr("sandbox.cli.play.no_terminal", lambda: "")
    monkeypatch.setattr("sandbox.tui.app.program.run_app", run)
    assert shell("play", "--ascii", "--speed", "fast", "--look", "motion=reduced").code == 0
    assert got == {"greet": True, "look": ("motion=reduced", "glyphs=ascii", "speed=fast")}
    assert shell("play", "larkspur").code == 0
    assert got == {"greet": False, "look": ()}


def test_a_screen_needs_a_terminal_at_all_three_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen is drawn on standard error: with that in a file the terminal would stay empty."""
    from sandbox.cli.play import no_terminal

    class Stream:
        def __init__(self, there: bool) -> None:
            self.isatty = lambda: there

    monkeypatch.setenv("TERM", "xterm")
    for missing, why in (
        (None, ""),
        ("stdin", "input"),
        ("stdout", "output"),
        ("stderr", "error, on which the screen"),
    ):
        for name in ("stdin", "stdout", "stderr"):
            monkeypatch.setattr(f"sys.{name}", Stream(name != missing))
        found = no_terminal()
        monkeypatch.undo()
        monkeypatch.setenv("TERM", "xterm")
        assert found.startswith(f"standard {why}") if why else found == ""
