"""What looking back costs: jumps into a save, replaying it, and jumps on the screen of a replay."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from time import monotonic

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import set_heap_aside
from sandbox.cli.screen_speed import SIZE
from sandbox.cli.town_speed import measure_replay, measure_seeks
from sandbox.core.chance import Stream
from sandbox.core.plain import count_of

MOMENTS = 100  # jumps


async def measure_seek_group(run: BenchmarkRun) -> list[Reading]:
    """Measure jumps into a save of some days."""
    path, days = await run.saved_days()
    times = await measure_seeks(path)
    note = f"{count_of(days, 'day')}, worst {max(times) * 1e3:.0f} ms, middle {median(times) * 1e3:.0f} ms"
    return [Reading("seek.worst", max(times), note)]


async def measure_replay_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a replay of those days, without a screen and on one."""
    path, days = await run.saved_days()
    set_heap_aside()  # a program that only replays has no such heap
    rate = await measure_replay(path)
    note = count_of(days, "day")
    told, jumps = await measure_jumps(path)
    middle = f"{note}, 120x40, worst {max(jumps) * 1e3:.0f} ms, middle of {MOMENTS} {median(jumps) * 1e3:.0f} ms"
    return [
        Reading("replay.rate", rate, note),
        Reading("replay.told", told, note),
        Reading("replay.jump", max(jumps), middle),
    ]


async def measure_jumps(save: Path) -> tuple[float, list[float]]:
    """Wall seconds until a replay's screen has read the log; and of MOMENTS jumps, each with its frame."""
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen
    from sandbox.tui.panes.replay_jumps import jump_to
    from sandbox.tui.view.opening import open_replay

    chance, times = Stream(b"bench jump"), []
    async with open_replay(save) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SIZE) as pilot:
            began, screen = monotonic(), app.screen
            assert isinstance(screen, TownScreen)
            tape = screen.scrubber.tape
            assert tape is not None
            while not tape.whole:
                await asyncio.sleep(0.002)
            told = monotonic() - began
            set_heap_aside()  # as the app does once it has settled
            for _ in range(MOMENTS):
                began = monotonic()
                await jump_to(screen, 60.0 + chance.below(tape.end - 60))
                await pilot.pause(0)
                times.append(monotonic() - began)
            await app.end()
    return told, times


SEEK_GROUP = FigureGroup(
    "seek",
    (FigureSpec("seek.worst", "loops", "the slowest of 20 jumps into a just opened save of seven days, wall", 10.0),),
    measure_seek_group,
    usual=True,
)
REPLAY_GROUP = FigureGroup(
    "replay",
    (
        FigureSpec("replay.rate", "steps/s", "those days replayed from the log, not verified", 11_000, more=True),
        FigureSpec("replay.told", "s", "until the screen of a replay shows their log, wall", 2.0),
        FigureSpec("replay.jump", "loops", "the slowest of 100 jumps on that screen, with the frame, wall", 5.0),
    ),
    measure_replay_group,
    usual=True,
)
