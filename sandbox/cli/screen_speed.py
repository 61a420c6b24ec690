"""Measuring the screen, for `sandbox bench` and for benchmarks: its first frame, frames of the map, and keys."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import TYPE_CHECKING, NamedTuple

from sandbox.cli.telling import say_json_text
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import SPEEDS, run_free
from sandbox.engine.scenario import Scenario

if TYPE_CHECKING:
    from sandbox.tui.app.app import SandboxApp

SIZE = (120, 40)  # columns and lines of a terminal
COLUMNS, ROWS = 100, 40  # cells of the map
TRIES = 3  # starts, of which the fastest counts
PATIENCE = 20.0  # seconds to wait for a first frame, or for what a key does
BLOCKS = 400  # half blocks by which a frame of the map is known
HALF_BLOCK = "▀".encode()
CALL = "import sys; from {module} import {name} as work; work(*sys.argv[1:])"


# ---- from the command to the first frame


class StartCost(NamedTuple):
    """wall: seconds to the first frame; memory: bytes; modules: unwanted ones imported. Each None if not measured."""

    wall: float | None
    memory: int | None
    modules: list[str] | None
    note: str = ""


def measure_start(world: str, home: Path) -> StartCost:
    """The fastest of three starts, each a process in a terminal; else without one. home: of settings and saves."""
    if sys.platform == "win32":
        return start_without_screen(world)._replace(note="without the screen: imports, world, a step, a frame")
    seen = [start for start in (_start_on_screen(world, home) for _ in range(TRIES)) if start.wall is not None]
    if not seen:
        return start_without_screen(world)._replace(note="no first frame seen; imports, world, a step, a frame")
    return min(seen, key=lambda start: start.wall or 0.0)


def start_without_screen(world: str, unwanted: Collection[str] = ()) -> StartCost:
    """The fastest of three starts without a terminal: all imports and work up to the first frame."""
    return min((_start_alone(world, unwanted) for _ in range(TRIES)), key=lambda start: start.wall or 0.0)


def _start_alone(world: str, unwanted: Collection[str]) -> StartCost:
    began = monotonic()
    command = call_command(paint_first_frame, world, *unwanted)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        modules = json.loads(child.stdout.readline())
        wall, memory = monotonic() - began, resident_bytes(child.pid)
        child.stdin.close()
    return StartCost(wall, memory, modules)


def paint_first_frame(world: str, *unwanted: str) -> None:
    """The work of such a process: paint a frame, print which unwanted modules were imported, and wait."""
    import sandbox.cli.main
    import sandbox.cli.play
    import sandbox.tui.app.app  # noqa: F401  # as `sandbox play` does
    from sandbox.store.session import open_session
    from sandbox.tui.map.painter import Painter
    from sandbox.tui.map.picture import Picture
    from sandbox.tui.view.cells import Box

    async def paint() -> None:
        async with open_session(world) as session:
            await session.engine.step()
            painter = Painter(Picture(session.world.scenario.plan))
            painter.compose(Box(0, 0, COLUMNS, ROWS), session.world.clock.second_of_day(session.world.now), [])
            for y in range(ROWS):
                painter.line(y)

    asyncio.run(paint())
    say_json_text(json.dumps([module for module in unwanted if module in sys.modules]))
    sys.stdin.read()


def _start_on_screen(world: str, home: Path) -> StartCost:
    """Run `sandbox play` in a terminal until the map has been drawn."""
    import select

    began = monotonic()
    leader, child = in_terminal([sys.executable, "-m", "sandbox", "play", world], home)
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


def call_command(work: Callable[..., object], *words: str) -> list[str]:
    """The command that calls a module's function with these arguments in its own process."""
    return [sys.executable, "-c", CALL.format(module=work.__module__, name=work.__name__), *words]


def in_terminal(command: Sequence[str], home: Path) -> tuple[int, subprocess.Popen[bytes]]:
    """Run a command in a pseudo terminal of 120x40: its leading end, and the process."""
    import fcntl
    import pty
    import struct
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "SANDBOX_HOME": str(home)}
    child = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True)
    os.close(follower)
    return leader, child


def resident_bytes(pid: int) -> int | None:
    """Bytes of a process in memory, None if the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return None


# ---- frames


class Frames(NamedTuple):
    """cpu, worst: CPU seconds of the median and the slowest frame; size: bytes of the median; first: of a new view."""

    cpu: float
    worst: float
    size: float
    first: int


async def measure_frames(scenario: Scenario, frames: int) -> Frames:
    """Paint that many frames of the middle of the town at half past eight, with everybody walking."""
    from rich.color import ColorSystem

    from sandbox.cli.town_speed import unkept_engine
    from sandbox.engine.view import View
    from sandbox.tui.map.painter import Painter
    from sandbox.tui.map.people import MapFigure
    from sandbox.tui.map.picture import Picture
    from sandbox.tui.view.cells import Box
    from sandbox.tui.view.diff_writer import Pen, Shadow

    engine = unkept_engine(scenario)
    world = engine.world
    view = View(world)
    await run_free(engine, until=HOUR)
    looks = {person.id: person.look for person in scenario.cast}
    people = view.rows(float(world.now))
    painter = Painter(Picture(scenario.plan))
    left = max(0, (world.map.width - COLUMNS) // 2)
    top = max(0, (world.map.height - ROWS) // 2)
    area = Box(left, top, COLUMNS, ROWS)
    roofs = {sector.name: 0.0 for sector in scenario.plan.sectors}
    times, sizes, shadow = list[float](), list[int](), Shadow()
    for frame in range(frames + 1):
        figures = [
            MapFigure(
                *(p.id, p.name, left + (p.x + i * 3 + frame) % COLUMNS, top + p.y % ROWS, p.mood),
                *(looks[p.id].hair, looks[p.id].skin, looks[p.id].build),
            )
            for i, p in enumerate(people)
        ]
        began = process_time()
        change = painter.compose(area, world.clock.second_of_day(world.now), figures, roofs=roofs, frame=frame)
        for y in change.rows:
            painter.line(y)
        times.append(process_time() - began)
        pen = Pen(ColorSystem.TRUECOLOR, shadow)
        for y in change.rows:
            pen.write(0, y, painter.line(y))
        sizes.append(len(pen.text().encode()))
    first, *sizes = sizes
    return Frames(median(times[1:]), max(times[1:]), median(sizes), first)


# ---- keys


async def key_wait(app: SandboxApp, key: str, seen: Callable[[], object], patience: float = PATIENCE) -> float:
    """Wall seconds from a key to its effect. seen: the value it changes; patience: most seconds to wait for that."""
    before, began = seen(), monotonic()
    app.simulate_key(key)
    while seen() == before and monotonic() - began < patience:
        await asyncio.sleep(0)
    return monotonic() - began


async def measure_keys(world: str, save: Path, keys: int) -> list[float]:
    """Wall seconds from each key to its effect, sorted, while a town written to a new save runs at full speed."""
    from sandbox.store.session import open_session
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen
    from sandbox.tui.view.settings import Settings

    waits = []
    async with open_session(world, save=save, paced=True) as session:
        app = SandboxApp(session, Settings().with_("quiet_skip", "off"))  # no page about the night over the map
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            pace, screen = app.viewer.pace, app.screen
            assert isinstance(screen, TownScreen)
            pace.faster(len(SPEEDS))
            await asyncio.sleep(1.0)
            over = screen.town.over
            for _ in range(keys):
                await asyncio.sleep(0.03)
                waits.append(await key_wait(app, "v", lambda: over.cursor is not None))
        await pace.stop()
    return sorted(waits)
