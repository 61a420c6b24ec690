"""What `bench` measures of the running screen: panning, a long timeline, a talk, many steps, and a slow line."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from pathlib import Path
from statistics import median
from time import monotonic, process_time, sleep
from typing import TYPE_CHECKING, NamedTuple

from sandbox.cli.figures_screen import SIZE, in_terminal
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.store.session import open_session

if TYPE_CHECKING:
    from sandbox.tui.app.screen import TownScreen

NOON = 5 * HOUR  # after the start: the market is full
ROWS = 200_000
TURNS = 60
MANY, FRAMES = 500, 12  # steps and frames a second
RATE = 200_000  # bytes a second that the slow line takes
LINE_SECONDS = 24.0
KEY, ANSWER = b" ", b"you paused"
SYNC_END = b"\x1b[?2026l"

# The program with everybody walking over the square all the time, 8 tiles a second.
CROWD = """
import sys
from sandbox.engine.view import View
from sandbox.town.rules import Spot
row = View.row
def crowd(self, who, t):
    i = list(self.world.cast).index(who)
    x = 20 + (i * 7.3 + t / 60 * 8 * (1 if i % 2 else -1)) % 66
    return row(self, who, t)._replace(x=x, y=26.0 + i * 5 % 22, awake=True)
View.row = crowd
import sandbox.tui.map.scene as scene
near = scene.seen_in
scene.position = lambda spot, t, width: (54.0, 36.0)
sys.argv = ["sandbox", "play", sys.argv[1]]
from sandbox.cli.main import main
main()
"""


class ScreenTimes(NamedTuple):
    """Seconds: pan, scroll and talk are middles; watch: of the screen's watchers, a step; steps: how many times as much
    a second's frames cost at MANY steps a second as at one step a frame.
    """

    pan: float
    scroll: float
    talk: float
    watch: float
    steps: float


class Slow(NamedTuple):
    """frames: a second; keys: seconds from a key to its effect on the terminal, in order of size."""

    frames: float
    keys: list[float]


async def measure_screen(world: str, save: Path) -> ScreenTimes:
    """A screen of 120x40 over a town at noon."""
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen
    from sandbox.tui.sheets.talk import open_talk

    async with open_session(world, save=save, step=10) as session:
        await run_free(session.engine, until=NOON)
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            screen, viewer = app.screen, app.viewer
            assert isinstance(screen, TownScreen)
            gc.collect()
            gc.freeze()  # as the app does once it has settled
            pans = []
            for turn in range(TURNS):
                began = process_time()
                screen.town.pan(2 if turn % 8 < 4 else -2, 0)
                for y in range(screen.town.content_size.height):
                    screen.town.render_line(y)
                pans.append(process_time() - began)

            def drawn() -> float:
                began = process_time()
                screen._update()
                screen.town.pull()
                return process_time() - began

            after: dict[int, list[float]] = {1: [], MANY // FRAMES: []}
            for _ in range(FRAMES):
                for steps, times in after.items():
                    await run_free(session.engine, steps=steps)
                    viewer.pace.paced.shown = float(session.world.now)
                    times.append(drawn())
            watchers, records = session.engine.watchers, await session.engine.step()
            began = process_time()
            for _ in range(20):
                for watcher in watchers:
                    watcher(records)
            watch = (process_time() - began) / 20

            story = next(row.talk for row in reversed(viewer.chronicle.since(0)) if row.talk)
            talks = []
            for _ in range(9):
                start = monotonic()
                await open_talk(screen, story)
                while not _told(screen):
                    await asyncio.sleep(0)
                talks.append(monotonic() - start)
                screen.close_all()
                await pilot.pause()

            rows = viewer.chronicle.since(0)
            viewer.chronicle.kept = 0
            viewer.chronicle.add(())
            viewer.chronicle.kept = ROWS
            viewer.chronicle.add(rows[i % len(rows)]._replace(t=i) for i in range(ROWS))
            screen.timeline.pull()
            scrolls = []
            for turn in range(TURNS):
                began = process_time()
                screen.timeline.page(-1 if turn % 20 else -500)
                scrolls.append(process_time() - began)
        await app.end()
    return ScreenTimes(median(pans), median(scrolls), median(talks), watch, sum(after[MANY // FRAMES]) / sum(after[1]))


def _told(screen: TownScreen) -> bool:
    """Whether the open sheet has been drawn with the words of a talk."""
    return sum(bool(strip.text.strip()) for strip in screen.sheets._strips) > 8


class _Line:
    """A terminal behind a line that takes RATE bytes a second, and answers what is asked of it as it arrives."""

    def __init__(self, save: Path, home: Path) -> None:
        self.leader, self.child = in_terminal(["-c", CROWD, str(save)], home)
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
            last = max(last, monotonic() - 4096 / RATE)  # what waited for nothing has no credit
            credit -= len(got)
            text, fresh = tail + got, len(tail)
            for asked, answer in ((b"\x1b[?2026$p", b"\x1b[?2026;2$y"), (b"\x1b[6n", b"\x1b[1;1R")):
                for _ in range(_new(text, asked, fresh)):
                    os.write(self.leader, answer)
            self.updates += _new(text, SYNC_END, fresh)
            if self.wanted and self.wanted in text:
                self.wanted = b""
                self.came.set()
            tail = text[-24:]

    def press(self, key: bytes, answer: bytes) -> float | None:
        """Seconds until the answer has arrived, None if it does not."""
        self.came.clear()
        self.wanted, began = answer, monotonic()
        os.write(self.leader, key)
        return monotonic() - began if self.came.wait(5.0) else None

    def end(self) -> None:
        self.child.kill()
        self.child.wait()
        os.close(self.leader)


def _new(text: bytes, word: bytes, fresh: int) -> int:
    """How often a word ends in what is fresh."""
    return text.count(word) - text[:fresh].count(word)


async def measure_line(world: str, folder: Path) -> Slow | None:
    """Everybody in motion on a slow line; None where there is no pseudo terminal."""
    if sys.platform == "win32":
        return None
    save = folder / "line.db"
    async with open_session(world, save=save) as session:
        await run_free(session.engine, until=NOON)
    return await asyncio.to_thread(_watched, save, folder)


def _watched(save: Path, folder: Path) -> Slow:
    line = _Line(save, folder)
    try:
        sleep(4.0)
        before, began = line.updates, monotonic()
        sleep(LINE_SECONDS / 2)
        frames = (line.updates - before) / (monotonic() - began)
        keys, until = [], monotonic() + LINE_SECONDS / 2
        while monotonic() < until:
            waited = line.press(KEY, ANSWER)
            keys.append(5.0 if waited is None else waited)
            os.write(line.leader, KEY)
            sleep(0.35 + 0.1 * (len(keys) % 4))
        return Slow(frames, sorted(keys))
    finally:
        line.end()
