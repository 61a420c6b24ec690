"""Any key, click, wheel and size at any moment, at full speed: no exception, a whole screen, and memory that is flat.

SOAK=600 pytest -m long tests/tui/test_tui_soak.py runs for ten minutes. SOAK_SEED chooses other inputs.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import sys
import traceback
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from larkspur import settle, text
from textual.events import Click, MouseDown, MouseEvent, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.pilot import Pilot

from sandbox.people.memory_stream import Memory
from sandbox.store.session import open_session
from sandbox.tui.app import actions
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.view.speech import KEPT as KEPT_TURNS
from sandbox.tui.view.timeline_rows import KEPT

SECONDS = float(os.environ.get("SOAK", "60"))
SEED = int(os.environ.get("SOAK_SEED", "1"))
INPUTS = 30
SMALLEST, LARGEST = (40, 10), (200, 60)
LEAVES = frozenset(("ctrl+q", "ctrl+c", "ctrl+z", "q"))
TYPED = (*"abemnor 0123:", "enter", "escape", "backspace", "up", "down", "tab", "ctrl+p", "ctrl+u")
KEYS = tuple(sorted({key for action in actions.ACTIONS for key in action.keys.split(",") if key and key not in LEAVES}))
ROOM = 60_000_000  # bytes that may come besides the town's own memories: caches that have ends are still filling
A_MEMORY = 2_500  # bytes of one memory of one resident, what it hangs on included
TOLD = 60.0  # seconds after which it is told what is held
LATE = 5  # screens that a timer, or the very first composing, still holds
OURS = ("sandbox.", "textual.", "rich.")


@asynccontextmanager
async def seated(path: Path) -> AsyncIterator[Pilot[None]]:
    """The real program over a real save."""
    async with open_session("larkspur", seed=42, save=path, paced=True) as session:
        app = SandboxApp(session)
        try:
            async with app.run_test(size=(120, 40)) as pilot:
                await pilot.pause(0)
                yield pilot
        finally:
            await app.end()


class Monkey:
    """Presses, clicks, turns the wheel and drags the window's corner, as chance will have it."""

    def __init__(self, pilot: Pilot[None], seed: int) -> None:
        self.pilot, self.chance = pilot, Random(seed)
        self.done: list[str] = []

    async def act(self) -> None:
        """One input, now and then without waiting for what it does."""
        chance, app = self.chance, self.pilot.app
        kind = chance.random()
        if kind < 0.70:
            key = chance.choice(KEYS) if chance.random() < 0.8 else chance.choice(TYPED)
            self.done.append(key)
            app.simulate_key(key)
        elif kind < 0.92:
            self._mouse()
        else:
            size = tuple(chance.randint(a, b) for a, b in zip(SMALLEST, LARGEST, strict=True))
            self.done.append(f"size {size[0]}x{size[1]}")
            await self.pilot.resize_terminal(*size)
        if chance.random() < 0.25:
            await self.pilot.pause(0)
        if chance.random() < 0.1:
            await asyncio.sleep(0.03)

    def _mouse(self) -> None:
        """Any cell: a click, two, a wheel, a drag."""
        chance, screen = self.chance, self.pilot.app.screen
        width, height = screen.size
        x, y = chance.randrange(max(1, width)), chance.randrange(max(1, height))
        kind = chance.choice(("click", "click", "twice", "up", "down", "drag"))
        self.done.append(f"{kind} {x},{y}")
        if kind in ("up", "down"):
            self._send(MouseScrollUp if kind == "up" else MouseScrollDown, x, y)
            return
        self._send(MouseDown, x, y, 1)
        if kind == "drag":
            x, y = chance.randrange(max(1, width)), chance.randrange(max(1, height))
            self._send(MouseMove, x, y, 1)
        self._send(MouseUp, x, y, 1)
        if kind != "drag":
            for chain in range(1, 3 if kind == "twice" else 2):
                self._send(Click, x, y, 1, chain)

    def _send(self, kind: type[MouseEvent], x: int, y: int, button: int = 0, chain: int = 1) -> None:
        screen = self.pilot.app.screen
        more = {"chain": chain} if kind is Click else {}
        event = kind(None, x, y, 0, 0, button, False, False, False, screen_x=x, screen_y=y, **more)
        screen._forward_event(event)


def app_of(pilot: Pilot[None]) -> SandboxApp:
    app = pilot.app
    assert isinstance(app, SandboxApp)
    return app


async def sound(app: SandboxApp) -> None:
    """Nothing broke, and the screen is whole; a screen that is about to open has a moment for it."""
    for _ in range(100):
        if all(sitting.screen in app.screen_stack for sitting in app._towns.sittings):
            break
        await asyncio.sleep(0.02)
    assert app._exception is None
    assert app._exit is False
    assert app.viewer.pace.fault is None, app.viewer.pace.words
    assert all(sitting.screen in app.screen_stack for sitting in app._towns.sittings)
    rows = text(app)
    assert len(rows) == app.size.height
    assert all(c.isprintable() for row in rows for c in row)


def full_speed(app: SandboxApp) -> None:
    """Whatever the keys did, let time run again, as fast as it goes."""
    pace = app.viewer.pace
    pace.faster(4)
    if not pace.running:
        pace.toggle()


def memories(app: SandboxApp) -> int:
    """What the residents remember, of all towns that are open."""
    worlds = [sitting.viewer.world for sitting in app._towns.sittings]
    return sum(len(stream) for world in worlds for stream in world.memories.streams.values())


def resident() -> int:
    """Bytes of this process in memory, without what the allocator holds for later."""
    gc.collect()
    with suppress(OSError, AttributeError):  # another system's allocator
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def alive(kind: type[object]) -> int:
    """How many of a class there are."""
    gc.collect()
    return sum(isinstance(o, kind) for o in gc.get_objects())


def census() -> Counter[str]:
    """How many objects there are of each class of ours and of what draws them."""
    gc.collect()
    names = (f"{type(o).__module__}.{type(o).__qualname__}" for o in gc.get_objects())
    return Counter(name for name in names if name.startswith(OURS))


@pytest.mark.slow
async def test_thirty_inputs_break_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    async with seated(tmp_path / "larkspur-1.db") as pilot:
        app = app_of(pilot)
        monkeypatch.setattr(app, "exit", lambda *_, **__: None)  # a click may find the way out
        monkey = Monkey(pilot, SEED)
        full_speed(app)
        for i in range(INPUTS):
            await monkey.act()
            if i % 30 == 29:
                await settle(pilot)  # a screen just opened is laid out first
                await sound(app)
                full_speed(app)


@pytest.mark.long
async def test_a_long_storm_of_inputs_leaves_memory_flat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    async with seated(tmp_path / "larkspur-1.db") as pilot:
        app = app_of(pilot)
        monkeypatch.setattr(app, "exit", lambda *_, **__: None)  # a click may find the way out
        monkey = Monkey(pilot, SEED)
        began, warm = monotonic(), 0.0
        before = census()
        size = known = 0
        told = TOLD
        try:
            while (now := monotonic() - began) < SECONDS:
                full_speed(app)
                for _ in range(40):
                    await monkey.act()
                await settle(pilot)  # a screen just opened is laid out first
                await sound(app)
                if now > told:
                    told = now + TOLD
                    held = f"{resident() / 1e6:.0f} MB, {sys.getallocatedblocks():,} blocks"
                    print(f"{now:5.0f} s: {len(monkey.done)} inputs, {memories(app):,} memories, {held}", flush=True)
                if not warm and now > SECONDS / 2:
                    await back(pilot)
                    warm, before, size, known = now, census(), resident(), memories(app)
            await back(pilot)
        except BaseException:
            traceback.print_exc()
            print("the last inputs:", *monkey.done[-60:], sep="\n  ")
            raise
        after = census()
        grown = resident() - size
        allowed = ROOM + max(0, memories(app) - known) * A_MEMORY
        print(f"\n{len(monkey.done)} inputs, {memories(app)} memories")
        print(f"{grown / 1e6:.1f} MB more, {allowed / 1e6:.1f} allowed")
        print(*(after - before).most_common(25), sep="\n")
        chronicle = app.viewer.chronicle
        assert len(chronicle) <= KEPT * 9 // 8
        assert grown < allowed
        assert alive(TownScreen) <= len(app._towns.sittings) + LATE
        assert after["sandbox.readers.story.SpeechTurn"] <= KEPT_TURNS * (len(app._towns.sittings) + LATE)


@pytest.mark.slow
async def test_replays_that_were_left_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    async with seated(tmp_path / "larkspur-1.db") as pilot:
        app = app_of(pilot)
        app.viewer.pace.paced.pause()
        remembered = alive(Memory)
        for _ in range(5):
            await app.viewer.pace.ask_step()
        for key in ("r", "r") * 8:
            app.simulate_key(key)
            await settle(pilot)
        assert len(app._towns.sittings) == 1
        assert alive(Memory) - remembered <= 2 * memories(app)  # a screen that a timer holds remembers nothing


async def back(pilot: Pilot[None]) -> None:
    """Out of all sheets and replays, the world paused: so that two censuses can be compared."""
    app = app_of(pilot)
    app.viewer.pace.pause()
    for _ in range(12):
        app.simulate_key("escape")
        await pilot.pause(0)
    while len(app._towns.sittings) > 1:
        await app.leave_replay()
    await pilot.resize_terminal(120, 40)
    app.viewer.pace.pause()
    await pilot.pause(0)
