"""`sandbox play` in a real terminal: the town shows, a key leaves, and what was lived is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest
from clishell import ROOT, Shell

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals here", allow_module_level=True)

import fcntl
import pty
import struct
import termios

HALF_BLOCK = "▀".encode()


def until(leader: int, enough: int, words: bytes = b"") -> bytes:
    """What the screen wrote until it held so many half blocks and those words, or ended."""
    seen = b""
    while seen.count(HALF_BLOCK) < enough or words not in seen:
        try:
            got = os.read(leader, 65536)
        except OSError:
            break
        if not got:
            break
        seen += got
    return seen


def screen(
    args: list[str], home: Path, keys: bytes, then: Callable[[subprocess.Popen[bytes]], object] = lambda child: None
) -> tuple[int, bytes]:
    """Play in a terminal of 120x40, press keys once the map shows (and the menu, if it begins with it), then do more.

    Returns the exit code and all that was written.
    """
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "SANDBOX_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "sandbox", *args]
    child = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=env, cwd=home, start_new_session=True
    )
    os.close(follower)
    try:
        written = until(leader, 400, b"" if args else b"Quit")
        os.write(leader, keys)
        then(child)
        written += until(leader, sys.maxsize)
        return child.wait(30), written
    finally:
        child.kill()
        child.wait()
        os.close(leader)


@pytest.mark.slow
def test_a_town_is_shown_left_and_gone_on_with(shell: Shell, tmp_path: Path) -> None:
    code, written = screen([], tmp_path, b"q")  # from the menu: it was not played
    assert code == 0
    assert b"kept in" not in written
    assert [*(tmp_path / "saves").iterdir()] == []
    code, written = screen([], tmp_path, b"\rq")  # played, and left
    text = written.decode(errors="replace")
    assert code == 0, text[-2000:]
    assert written.count(HALF_BLOCK) > 400
    assert "Traceback" not in text
    kept = tmp_path / "saves" / "larkspur-1.db"
    assert f"kept in {kept}" in text.replace("\r\n", "")
    assert [p.name for p in kept.parent.iterdir()] == ["larkspur-1.db"]
    lived = shell("replay", kept, "--verify", "--json").json
    assert lived["ok"]
    code, _ = screen(["play", str(kept)], tmp_path, b".q")  # one step, and away
    assert code == 0
    assert shell("replay", kept, "--verify", "--json").json["steps"] > lived["steps"]


@pytest.mark.slow
@pytest.mark.skipif(which("bash") is None, reason="needs a shell with jobs")
def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_draws_it_anew(tmp_path: Path) -> None:
    child, leader = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "SANDBOX_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        os.execvp("bash", ["bash", "--norc", "-i"])
    try:
        fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.write(leader, f"{sys.executable} -m sandbox play larkspur\n".encode())
        until(leader, 400)
        os.write(leader, b" \x1a")
        left = until(leader, 0, b"Stopped")
        assert b"\x1b[?1049l" in left  # the other screen, its mouse, the hidden cursor
        assert b"\x1b[?1003l" in left
        assert b"\x1b[?25h" in left
        os.write(leader, b"stty -a; echo over-$((1+1))\n")
        said = until(leader, 0, b"over-2").split()
        assert {b"icanon", b"echo", b"isig"} <= set(said)
        os.write(leader, b"fg\n")
        assert b"\x1b[?1049h" in until(leader, 400)
        os.write(leader, b"q")
        assert b"Traceback" not in until(leader, 0, b"kept in")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(leader)


@pytest.mark.slow
def test_faults_of_the_settings_are_told_and_the_rest_holds(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("theme: dsk\nglyphs: pictures\n")
    code, written = screen([], tmp_path, b"q")
    assert code == 0
    assert b'"dusk"?' in written
    assert (tmp_path / "settings.yaml").read_text() == "theme: dsk\nglyphs: pictures\n"


@pytest.mark.slow
def test_a_save_is_watched_again_and_stays_what_it_was(shell: Shell, tmp_path: Path) -> None:
    kept = tmp_path / "day.db"
    assert shell("run", "larkspur", "--steps", "30", "--save", kept).code == 0
    before = kept.read_bytes()
    code, written = screen(["replay", str(kept), "--at", "07:45"], tmp_path, b"q")
    text = written.decode(errors="replace")
    assert code == 0, text[-2000:]
    assert written.count(HALF_BLOCK) > 400
    assert "REPLAY" in text
    assert kept.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".db"] == []


@pytest.mark.slow
def test_what_cannot_be_played_is_told_without_a_screen(tmp_path: Path) -> None:
    (tmp_path / "bad.db").write_text("nonsense")
    code, written = screen(["play", "bad.db"], tmp_path, b"q")
    assert code == 2
    assert b"bad.db: is not a save" in written
    assert b"Traceback" not in written
    code, written = screen(["play", "nowhere"], tmp_path, b"q")
    assert code == 2
    assert b'no world "nowhere"' in written


@pytest.mark.slow
def test_whoever_ends_the_program_leaves_the_save_closed(shell: Shell, tmp_path: Path) -> None:
    left, written = screen(["play", "larkspur"], tmp_path, b"", lambda child: child.send_signal(signal.SIGHUP))
    assert left == 129
    kept = tmp_path / "saves" / "larkspur-1.db"
    assert f"kept in {kept}".encode() in written
    assert [p.name for p in kept.parent.iterdir()] == ["larkspur-1.db"]
    assert shell("replay", kept, "--verify").code == 0


@pytest.mark.slow
def test_a_save_that_goes_while_it_is_on_the_screen_is_kept_elsewhere_and_says_so(shell: Shell, tmp_path: Path) -> None:
    kept = tmp_path / "saves" / "larkspur-1.db"

    def lose(child: subprocess.Popen[bytes]) -> None:
        kept.unlink()
        child.send_signal(signal.SIGTERM)

    left, written = screen(["play", "larkspur"], tmp_path, b"", lose)
    assert left == 1
    assert f"{kept}: was deleted while it was played".encode() in written
    other = tmp_path / "saves" / "larkspur-1-kept.db"
    assert f"kept in {other}".encode() in written.replace(b"\r\n", b"")
    assert [p.name for p in kept.parent.iterdir()] == [other.name]
    assert shell("replay", other, "--verify").code == 0
