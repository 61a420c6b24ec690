#!/usr/bin/env bash
# textual 8.2.8 (its driver for Linux): an app draws on standard error, not on standard output.
#
# A good guess: `app 2>errors.log` keeps complaints apart and leaves the screen where it was, as with other programs of
# the terminal (curses draws on standard output). Seen: with standard error in a file the terminal stays empty, every
# frame goes into the file with its escape codes, and the app runs on, blind, and takes keys. With standard output in a
# file instead, the screen is drawn as usual.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" --quiet --disable-pip-version-check install textual==8.2.8
cat > "$dir/app.py" <<'PY'
from textual.app import App, ComposeResult
from textual.widgets import Static


class Hello(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("MARKED WORDS")

    def on_mount(self) -> None:
        self.set_timer(1.0, self.exit)


Hello().run()
PY
"$dir/venv/bin/python" - "$dir" <<'PY'
import os
import pty
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

folder = Path(sys.argv[1])
print("textual", version("textual"))


def run(redirected: str) -> tuple[bool, bool]:
    """Whether the words reach the terminal, and the file into which one of the streams goes."""
    ours, theirs = pty.openpty()
    file = folder / f"{redirected}.txt"
    with file.open("wb") as out:
        streams = {"stdout": theirs, "stderr": theirs, redirected: out}
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "60", "LINES": "10"}
        app = subprocess.Popen([sys.executable, str(folder / "app.py")], stdin=theirs, env=env, **streams)
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 65536):
                seen += part
        except OSError:  # the other end is closed
            pass
        app.wait(30)
    os.close(ours)
    return b"MARKED" in seen, b"MARKED" in file.read_bytes()


for redirected in ("stderr", "stdout"):
    terminal, file = run(redirected)
    print(f"{redirected} in a file: drawn on the terminal {terminal}, in the file {file}")
    assert (terminal, file) == ((False, True) if redirected == "stderr" else (True, False)), "it has changed"
PY
