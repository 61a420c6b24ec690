"""What the screen costs: its start, frames of the map, keys, panning, showing a talk, a long timeline."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figures import FigureSpec, Reading, key_reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import set_heap_aside
from sandbox.cli.screen_speed import SIZE, measure_frames, measure_keys, measure_start, start_without_screen
from sandbox.cli.town_speed import WORLD
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.store.session import open_session

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from sandbox.store.session import Session
    from sandbox.tui.app.screen import TownScreen

KEYS = 100
FRAMES = 200
UNWANTED = ("litellm", "scipy")  # modules that a start must not import
NOON = 5 * HOUR  # seconds after the start: the market is full
ROWS = 200_000  # of the timeline
TURNS = 60  # pans or pages that are timed
STEPS, UPDATES = 500, 12  # steps and frames a second


async def measure_start_group(run: BenchmarkRun) -> list[Reading]:
    """Measure starts in processes of their own."""
    bare = start_without_screen(WORLD, UNWANTED)
    got = measure_start(WORLD, run.folder)
    assert bare.modules is not None
    return [
        Reading("start.wall", got.wall, got.note or f"without the screen {bare.wall:.2f} s"),
        Reading("start.memory", got.memory),
        Reading("start.modules", len(bare.modules), ", ".join(bare.modules)),
    ]


async def measure_frame_group(run: BenchmarkRun) -> list[Reading]:
    """Measure frames of the map, with nothing else on the screen."""
    got = await measure_frames(run.scenario, FRAMES)
    return [
        Reading("frame.cpu", got.cpu, f"worst {got.worst * 1e3:.1f} ms"),
        Reading("frame.size", got.size, f"a new view {got.first / 1e3:.0f} kB"),
    ]


async def measure_key_group(run: BenchmarkRun) -> list[Reading]:
    """Measure keys while the town runs at full speed."""
    return [key_reading("key.wait", await measure_keys(WORLD, run.folder / "keys.db", KEYS))]


# ---- a screen over a town at noon


class ScreenTimes(NamedTuple):
    """Seconds: pan, scroll and talk are medians; watch: of the screen's watchers for a step; steps: cost of a second's
    frames at STEPS steps a second, divided by that at one step a frame.
    """

    pan: float
    scroll: float
    talk: float
    watch: float
    steps: float


async def measure_play_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a screen over a town at noon."""
    got = await measure_screen(run.folder / "play.db")
    return [
        Reading("play.pan", got.pan),
        Reading("play.steps", got.steps, f"watching costs {got.watch * 1e6:.0f} microseconds a step"),
        Reading("play.talk", got.talk),
        Reading("play.timeline", got.scroll, f"{ROWS:,} rows"),
    ]


async def measure_screen(save: Path) -> ScreenTimes:
    """Measure a screen of 120x40."""
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen

    async with open_session(WORLD, save=save, step=10) as session:
        await run_free(session.engine, until=NOON)
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, TownScreen)
            set_heap_aside()  # as the app does once it has settled
            pans = _pan_times(screen)
            few, many = await _update_times(screen, session)
            watch = await _watch_time(session)
            talks = await _talk_times(screen, pilot)
            scrolls = _scroll_times(screen)
        await app.end()
    return ScreenTimes(median(pans), median(scrolls), median(talks), watch, sum(many) / sum(few))


def _pan_times(screen: TownScreen) -> list[float]:
    """CPU seconds of frames while the map is panned."""
    times = []
    for turn in range(TURNS):
        began = process_time()
        screen.town.pan(2 if turn % 8 < 4 else -2, 0)
        for y in range(screen.town.content_size.height):
            screen.town.render_line(y)
        times.append(process_time() - began)
    return times


async def _update_times(screen: TownScreen, session: Session) -> tuple[Sequence[float], Sequence[float]]:
    """CPU seconds of frames after one step, and after as many as pass in a frame at STEPS a second."""
    after: dict[int, list[float]] = {1: [], STEPS // UPDATES: []}
    for _ in range(UPDATES):
        for steps, times in after.items():
            await run_free(session.engine, steps=steps)
            screen.viewer.pace.paced.shown = float(session.world.now)
            began = process_time()
            screen._update()
            screen.town.pull()
            times.append(process_time() - began)
    few, many = after.values()
    return few, many


async def _watch_time(session: Session) -> float:
    """CPU seconds of the screen's watchers for a step."""
    watchers, records = session.engine.watchers, await session.engine.step()
    began = process_time()
    for _ in range(20):
        for watcher in watchers:
            watcher(records)
    return (process_time() - began) / 20


async def _talk_times(screen: TownScreen, pilot: Pilot[None]) -> list[float]:
    """Wall seconds until the sheet of a talk has been drawn with its words."""
    from sandbox.tui.sheets.talk import open_talk

    story = next(row.talk for row in reversed(screen.viewer.chronicle.since(0)) if row.talk)
    times = []
    for _ in range(9):
        began = monotonic()
        await open_talk(screen, story)
        while sum(bool(strip.text.strip()) for strip in screen.sheets._strips) <= 8:
            await asyncio.sleep(0)
        times.append(monotonic() - began)
        screen.close_all()
        await pilot.pause()
    return times


def _scroll_times(screen: TownScreen) -> list[float]:
    """CPU seconds to show a page of a timeline of ROWS rows."""
    chronicle = screen.viewer.chronicle
    rows = chronicle.since(0)
    chronicle.kept = 0
    chronicle.add(())
    chronicle.kept = ROWS
    chronicle.add(rows[i % len(rows)]._replace(t=i) for i in range(ROWS))
    screen.timeline.pull()
    times = []
    for turn in range(TURNS):
        began = process_time()
        screen.timeline.page(-1 if turn % 20 else -500)
        times.append(process_time() - began)
    return times


START_GROUP = FigureGroup(
    "start",
    (
        FigureSpec("start.wall", "s", "from the command to the first frame of the screen, wall", 1.0),
        FigureSpec("start.memory", "MB", "resident memory at that moment", 150.0),
        FigureSpec("start.modules", "", "how many of litellm and scipy were imported by then", 0.0),
    ),
    measure_start_group,
    usual=True,
)
FRAME_GROUP = FigureGroup(
    "frame",
    (
        FigureSpec("frame.cpu", "ms", "a frame of the map, 100x40 cells, 25 people walking, middle of 200", 4.0),
        FigureSpec("frame.size", "kB", "what such a frame sends to the terminal, middle of 200", 8.0),
    ),
    measure_frame_group,
    usual=True,
)
KEY_GROUP = FigureGroup(
    "key",
    (FigureSpec("key.wait", "ms", "from a key to its effect at full speed, 95 of 100 keys, wall", 50.0),),
    measure_key_group,
    usual=True,
)
PLAY_GROUP = FigureGroup(
    "play",
    (
        FigureSpec("play.pan", "ms", "a frame while the map is panned, 120x40", 8.0),
        FigureSpec("play.steps", "", "how much more its frames cost at 500 steps a second than at one a frame", 1.5),
        FigureSpec("play.talk", "ms", "until a talk is shown in full, wall", 50.0),
        FigureSpec("play.timeline", "ms", "a page of a timeline of 200,000 rows", 5.0),
    ),
    measure_play_group,
    usual=True,
)
