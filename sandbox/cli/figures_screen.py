"""What `bench` measures of the screen: frames of the map, and the way from the command to the first of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import NamedTuple

from sandbox.core.clock import HOUR
from sandbox.engine.drivers import SPEEDS, run_free
from sandbox.engine.scenario import Scenario

SIZE = (120, 40)  # of a terminal
COLUMNS, ROWS = 100, 40
PATIENCE = 20.0  # seconds to wait for a first frame
BLOCKS = 400  # half blocks that make a frame, not a splash
HALF_BLOCK = "▀".encode()

# What the screen imports and does up to its first frame, where there is no terminal to give it.
WITHOUT_SCREEN = """
import asyncio, json, sys
import sandbox.cli.main, sandbox.cli.play, sandbox.tui.app.app
from sandbox.store.session import open_session
from sandbox.tui.view.cells import Area
from sandbox.tui.map.painter import Painter
from sandbox.tui.map.picture import Picture

async def first():
    async with open_session(sys.argv[1]) as session:
        await session.engine.step()
        painter = Painter(Picture(session.world.scenario.plan))
        painter.compose(Area(0, 0, 100, 40), 27000, [])
        [painter.line(y) for y in range(40)]

asyncio.run(first())
print(json.dumps([m for m in sys.argv[2:] if m in sys.modules]), flush=True)
sys.stdin.read()
"""


class StartCost(NamedTuple):
    """wall: seconds; memory: bytes resident; modules: those of the unwanted that were imported. None: not measured."""

    wall: float | None
    memory: int | None
    modules: list[str] | None
    note: str = ""


class Frames(NamedTuple):
    """cpu, worst: seconds of the middle and the slowest frame; size, first: bytes of the middle one, of a new view."""

    cpu: float
    worst: float
    size: float
    first: int


def measure_start(world: str, folder: Path, unwanted: Collection[str]) -> StartCost:
    """The best of three starts, each in a process of its own."""
    bare = min((_without_screen(world, unwanted) for _ in range(3)), key=lambda s: s.wall or 0.0)
    if sys.platform == "win32":
        return bare._replace(note="without the screen: imports, world, a step, a frame")
    shows = [s for s in (_with_screen(world, folder) for _ in range(3)) if s.wall is not None]
    if not shows:
        return bare._replace(note="no first frame seen; imports, world, a step, a frame")
    best = min(shows, key=lambda s: s.wall or 0.0)
    return best._replace(modules=bare.modules, note=f"without the screen {bare.wall:.2f} s")


def _without_screen(world: str, unwanted: Collection[str]) -> StartCost:
    import json

    began = monotonic()
    command = [sys.executable, "-c", WITHOUT_SCREEN, world, *unwanted]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        modules = json.loads(child.stdout.readline())
        wall, memory = monotonic() - began, resident_bytes(child.pid)
        child.stdin.close()
    return StartCost(wall, memory, modules)


def _with_screen(world: str, folder: Path) -> StartCost:
    """`sandbox play` in a terminal, until the map has been drawn."""
    import select

    began = monotonic()
    leader, child = in_terminal(["-m", "sandbox", "play", world], folder)
    wall, memory, seen, tail = None, None, 0, b""
    try:
        while monotonic() - began < PATIENCE and wall is None:
            if not select.select([leader], [], [], 0.2)[0]:
                continue
            try:
                got = os.read(leader, 65536)
            except OSError:  # it ended
                break
            text = tail + got
            seen += text.count(HALF_BLOCK)
            tail = text[-2:]
            if seen >= BLOCKS:
                wall, memory = monotonic() - began, resident_bytes(child.pid)
    finally:
        child.kill()
        child.wait()
        os.close(leader)
    return StartCost(wall, memory, None)


def in_terminal(words: Sequence[str], home: Path) -> tuple[int, subprocess.Popen[bytes]]:
    """Python with these words of a command line, in a pseudo terminal of 120x40: its leading end, and the process."""
    import fcntl
    import pty
    import struct
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "SANDBOX_HOME": str(home)}
    child = subprocess.Popen(
        [sys.executable, *words], stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True
    )
    os.close(follower)
    return leader, child


def resident_bytes(pid: int) -> int | None:
    """Bytes of a process in memory, None where that is not told."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return None


async def measure_frames(scenario: Scenario, frames: int) -> Frames:
    """Paint that many frames of the middle of the town at half past eight, everybody walking."""
    from rich.color import ColorSystem

    from sandbox.cli.figures_parts import unkept
    from sandbox.engine.view import View
    from sandbox.tui.map.painter import Painter
    from sandbox.tui.map.people import MapFigure
    from sandbox.tui.map.picture import Picture
    from sandbox.tui.view.cells import Box, Span

    engine = unkept(scenario)
    world = engine.world
    view = View(world)
    await run_free(engine, until=HOUR)
    looks = {p.id: p.look for p in scenario.cast}
    people = view.rows(float(world.now))
    painter = Painter(Picture(scenario.plan))
    left = max(0, (world.map.width - COLUMNS) // 2)
    top = max(0, (world.map.height - ROWS) // 2)
    area = Box(left, top, COLUMNS, ROWS)
    roofs = {sector.name: 0.0 for sector in scenario.plan.sectors}

    def sent(spans: Collection[Span]) -> int:
        """Bytes of these stretches of rows, each with the move of the cursor to it."""
        out = 0
        for y, start, stop in spans:
            out += len(f"\x1b[{y + 1};{start + 1}H")
            x = 0
            for segment in painter.line(y):
                text = segment.text[max(0, start - x) : max(0, stop - x)]
                x += segment.cell_length
                if text and segment.style is not None:
                    text = segment.style.render(text, color_system=ColorSystem.TRUECOLOR)
                out += len(text.encode())
        return out

    times, sizes = [], []
    first = 0
    for frame in range(frames + 1):
        figures = [
            MapFigure(
                p.id,
                p.name,
                left + (p.x + i * 3 + frame) % COLUMNS,
                top + p.y % ROWS,
                p.mood,
                looks[p.id].hair,
                looks[p.id].skin,
                looks[p.id].build,
            )
            for i, p in enumerate(people)
        ]
        began = process_time()
        delta = painter.compose(area, world.clock.second_of_day(world.now), figures, roofs=roofs, frame=frame)
        for y in delta.rows:
            painter.line(y)
        spent = process_time() - began
        if frame:
            times.append(spent)
            sizes.append(sent(delta.spans))
        else:
            first = sent(delta.spans)
    return Frames(median(times), max(times), median(sizes), first)


async def measure_jumps(save: Path, jumps: int) -> tuple[float, list[float]]:
    """Seconds until the log is told on the screen of a replay; and of that many jumps, each with its frame."""
    import asyncio
    import gc

    from sandbox.core.chance import Stream
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
            gc.collect()
            gc.freeze()  # as the app does once it has settled
            for _ in range(jumps):
                began = monotonic()
                await jump_to(screen, 60.0 + chance.below(tape.end - 60))
                await pilot.pause(0)
                times.append(monotonic() - began)
            await app.end()
    return told, times


async def measure_graph(save: Path, pictures: int) -> list[float]:
    """CPU seconds of that many pictures of the graph of ties, each a step of its layout on."""
    import asyncio

    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.graph import layout
    from sandbox.tui.panes.ties import TiesPane
    from sandbox.tui.view.opening import open_replay

    times = []
    async with open_replay(save) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=(COLUMNS + 2, ROWS)) as pilot:
            await pilot.press("6")
            await pilot.pause()
            pane = app.screen.query_one(TiesPane)
            while pane.measuring:
                await asyncio.sleep(0.01)
            for _ in range(pictures):
                easel = pane.easel
                assert easel.force is not None
                began = process_time()
                easel.force = layout.step_layout(easel.force._replace(heat=layout.WARM), easel.pull)
                pane.pull()
                times.append(process_time() - began)
            await app.end()
    return times


async def measure_keys(world: str, save: Path, keys: int) -> list[float]:
    """Seconds from a key to its effect, while the town runs as fast as it goes and is kept in a file."""
    import asyncio

    from sandbox.store.session import open_session
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen
    from sandbox.tui.view.settings import Settings

    waits = []
    async with open_session(world, save=save, paced=True) as session:
        app = SandboxApp(session, Settings().with_("quiet_skip", "off"))  # no page of the night over the map
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            pace, screen = app.viewer.pace, app.screen
            assert isinstance(screen, TownScreen)
            pace.faster(len(SPEEDS))
            await asyncio.sleep(1.0)
            for _ in range(keys):
                await asyncio.sleep(0.03)
                over, began = screen.town.over, monotonic()
                wanted = over.cursor is None
                app.simulate_key("v")
                while (over.cursor is not None) != wanted and monotonic() - began < PATIENCE:
                    await asyncio.sleep(0)
                waits.append(monotonic() - began)
        await pace.stop()
    return waits
