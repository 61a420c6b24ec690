"""How well the screen works over a slow line."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.figures import FigureSpec, Reading, key_reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.screen_speed import call_command, in_terminal
from sandbox.cli.town_speed import WORLD
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.engine.view import PersonRow, View
from sandbox.store.session import open_session

NOON = 5 * HOUR  # seconds after the start: the market is full
RATE = 200_000  # bytes a second over the line
SECONDS = 24.0  # of measuring
KEY, ANSWER = b" ", b"you paused"
SYNC_END = b"\x1b[?2026l"


class LineSpeed(NamedTuple):
    """frames: a second; keys: seconds from a key to its effect on the terminal, sorted."""

    frames: float
    keys: list[float]


async def measure_line_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a town in which everybody moves, over such a line."""
    if sys.platform == "win32":
        return [Reading("line.frames", None, "no pseudo terminal here")]
    save = run.folder / "line.db"
    async with open_session(WORLD, save=save) as session:
        await run_free(session.engine, until=NOON)
    got = await asyncio.to_thread(_watch, save, run.folder)
    return [
        Reading("line.frames", got.frames, "25 people moving, 200 kB/s, 120x40"),
        key_reading("line.key", got.keys, 0.9),
    ]


def play_in_motion(save: str) -> None:
    """`sandbox play` with everybody walking over the square all the time, 8 tiles a second."""
    from sandbox.cli.main import main
    from sandbox.tui.map import scene

    row = View.row

    def walking(self: View, who: str, t: float) -> PersonRow:
        i = list(self.world.cast).index(who)
        x = 20 + (i * 7.3 + t / 60 * 8 * (1 if i % 2 else -1)) % 66
        return row(self, who, t)._replace(x=x, y=26.0 + i * 5 % 22, awake=True)

    sys.argv = ["sandbox", "play", save]
    with patch.object(View, "row", walking), patch.object(scene, "map_position", lambda *where: (54.0, 36.0)):
        main()


class SlowLine:
    """A terminal behind a line of RATE bytes a second, which answers the program's queries as they arrive."""

    def __init__(self, save: Path, home: Path) -> None:
        self.leader, self.child = in_terminal(call_command(play_in_motion, str(save)), home)
        self.updates = 0
        self.wanted, self.came = b"", threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        tail, credit, last = b"", 0.0, monotonic()
        while True:
            now = monotonic()
            credit, last = min(4096.0, credit + (now - last) * RATE), now
            if credit < 256:
                sleep(0.001)
                continue
            try:
                got = os.read(self.leader, int(credit))
            except OSError:  # it ended
                return
            last = max(last, monotonic() - 4096 / RATE)  # time without data gives no credit
            credit -= len(got)
            text, fresh = tail + got, len(tail)
            for asked, answer in ((b"\x1b[?2026$p", b"\x1b[?2026;2$y"), (b"\x1b[6n", b"\x1b[1;1R")):
                for _ in range(_count_new(text, asked, fresh)):
                    os.write(self.leader, answer)
            self.updates += _count_new(text, SYNC_END, fresh)
            if self.wanted and self.wanted in text:
                self.wanted = b""
                self.came.set()
            tail = text[-24:]

    def press(self, key: bytes, answer: bytes) -> float | None:
        """Press a key; seconds until the answer has arrived, None after 5 seconds."""
        self.came.clear()
        self.wanted, began = answer, monotonic()
        os.write(self.leader, key)
        return monotonic() - began if self.came.wait(5.0) else None

    def end(self) -> None:
        """End the program, and close the terminal."""
        self.child.kill()
        self.child.wait()
        os.close(self.leader)


def _count_new(text: bytes, word: bytes, fresh: int) -> int:
    """How often a word ends after the first `fresh` bytes."""
    return text.count(word) - text[:fresh].count(word)


def _watch(save: Path, folder: Path) -> LineSpeed:
    line = SlowLine(save, folder)
    try:
        sleep(4.0)
        before, began = line.updates, monotonic()
        sleep(SECONDS / 2)
        frames = (line.updates - before) / (monotonic() - began)
        keys, until = [], monotonic() + SECONDS / 2
        while monotonic() < until:
            waited = line.press(KEY, ANSWER)
            keys.append(5.0 if waited is None else waited)
            os.write(line.leader, KEY)
            sleep(0.35 + 0.1 * (len(keys) % 4))
        return LineSpeed(frames, sorted(keys))
    finally:
        line.end()


LINE_GROUP = FigureGroup(
    "line",
    (
        FigureSpec("line.frames", "1/s", "frames on a line of 200 kB/s, 25 people moving", 5.0, more=True),
        FigureSpec("line.key", "ms", "from a key to its effect on that terminal, 9 of 10 keys, wall", 100.0),
    ),
    measure_line_group,
    usual=True,
)
