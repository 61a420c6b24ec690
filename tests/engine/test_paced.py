"""Time on the screen: the four speeds, the pause, and a disk that is full for a while."""

from collections.abc import Callable, Sequence

import pytest
from lived import founding

from sandbox.core.events import Record
from sandbox.core.protocols import JournalFull
from sandbox.engine import drivers
from sandbox.engine.drivers import SPEEDS, Paced
from sandbox.engine.engine import Engine
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind


class Shelf:
    """A journal that can be full: it takes every step and complains until there is room."""

    def __init__(self) -> None:
        self.kept: list[int] = []
        self.waiting: list[int] = []
        self.full = False

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        self.waiting.append(step)
        await self.retry()

    async def retry(self) -> None:
        if self.full:
            raise JournalFull("disk full: a.db")
        self.kept += self.waiting
        self.waiting.clear()

    async def settle(self) -> None:
        await self.retry()


class Wall:
    """A clock on the wall that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    clock = Wall()
    monkeypatch.setattr(drivers, "perf_counter", clock)
    return clock


def paced(larkspur: Scenario, speed: int) -> tuple[Paced, Shelf]:
    world = World.found(founding(larkspur))
    shelf = Shelf()
    return Paced(Engine(world, EmbeddedMind(world.chance, larkspur.lines), shelf), speed), shelf


@pytest.mark.parametrize("speed", [0, 1, 2])
async def test_a_second_on_the_wall_is_as_long_as_the_speed_says(larkspur: Scenario, wall: Wall, speed: int) -> None:
    time, _ = paced(larkspur, speed)
    for _ in range(20):
        wall.now += 0.05
        await time.tick()
    assert time.shown == pytest.approx(SPEEDS[speed].rate, rel=0.01)
    assert 0 <= time.engine.world.now - time.shown <= time.engine.world.step_seconds


async def test_at_full_speed_every_tick_makes_steps(larkspur: Scenario, wall: Wall) -> None:
    time, shelf = paced(larkspur, 3)

    time.engine.watchers.append(lambda records: setattr(wall, "now", wall.now + 1.0))
    await time.tick()
    await time.tick()
    assert shelf.kept == [1, 2]
    assert time.shown == time.engine.world.now


async def test_a_long_sleep_of_the_machine_does_not_make_the_town_rush(larkspur: Scenario, wall: Wall) -> None:
    time, _ = paced(larkspur, 1)
    wall.now += 3600.0
    await time.tick()
    assert time.shown <= 0.25 * SPEEDS[1].rate


async def test_a_pause_stops_time_and_a_step_moves_it_by_one(larkspur: Scenario, wall: Wall) -> None:
    time, shelf = paced(larkspur, 1)
    time.pause()
    wall.now += 0.2
    await time.tick()
    assert (time.shown, shelf.kept, time.reason) == (0.0, [], "you paused")
    await time.step()
    assert (time.shown, shelf.kept) == (60.0, [1])
    wall.now += 5.0
    time.go()
    await time.tick()
    assert time.shown == 60.0


async def test_a_full_disk_pauses_says_so_and_loses_nothing(larkspur: Scenario, wall: Wall) -> None:
    time, shelf = paced(larkspur, 2)
    wall.now += 0.1
    await time.tick()
    shelf.full = True
    wall.now += 0.2
    await time.tick()
    assert (time.paused, time.reason) == (True, "disk full: a.db")
    stood = time.engine.world.step
    time.go()
    wall.now += 0.2
    await time.tick()
    assert time.paused
    assert time.engine.world.step == stood  # no step is made while others wait
    shelf.full = False
    time.go()
    for _ in range(5):
        wall.now += 0.2
        await time.tick()
    assert not time.paused
    assert shelf.kept == list(range(1, time.engine.world.step + 1))
