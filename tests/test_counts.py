"""What two hours of Larkspur count, held against the numbers in pyproject.toml: where time is too unsteady to fail a
build, what is done can be counted. A number that grew is a cost that somebody decided on, or a fault.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import budget
import pytest

from sandbox.cli.screen_speed import measure_frames
from sandbox.core.chance import Chance, Stream
from sandbox.core.clock import HOUR
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.store.log_reader import LogReader
from sandbox.store.save import Save
from sandbox.store.session import open_session

SEED, HOURS, JUMPS, FRAMES = 5, 2, 40, 8


@pytest.fixture(scope="module")
def counts(larkspur: Scenario, tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    """The counts, by their rows in pyproject.toml."""
    path = tmp_path_factory.mktemp("counts") / "town.db"
    found: Counter[str] = Counter()
    unit, lots, answered, fetch = Stream.unit, Chance.lots, Running._answered, LogReader._fetch

    def drawn(self: Stream) -> float:
        found["chances"] += 1
        return unit(self)

    def cast(self: Chance, step: int, agents: Sequence[str], purpose: str) -> list[float]:
        found["chances"] += len(agents)
        return lots(self, step, agents, purpose)

    async def asked(self: Running, questions: Sequence[Any]) -> list[Any]:
        found["questions"] += len(questions)
        return await answered(self, questions)

    async def fetched(self: LogReader, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        rows = await fetch(self, sql, values)
        found["rows"] += len(rows)
        return rows

    async def live() -> None:
        async with open_session("larkspur", seed=SEED, save=path) as session:
            await session.engine.step()
            gc.collect()
            gc.disable()
            try:
                while session.world.now < HOURS * HOUR:
                    await session.engine.step()
                found["events"], found["in_cycles"] = session.world.seq, gc.collect()
            finally:
                gc.enable()

    async def jump() -> None:
        async with await Save.open(path, read_only=True) as save:
            for k in range(JUMPS):
                found["rows"] = 0
                await save.seek(1 + k * save.last_step // JUMPS)
                found["rows_of_a_jump"] = max(found["rows_of_a_jump"], found.pop("rows"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stream, "unit", drawn)
        patch.setattr(Chance, "lots", cast)
        patch.setattr(Running, "_answered", asked)
        asyncio.run(live())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LogReader, "_fetch", fetched)
        asyncio.run(jump())
    found["bytes_of_a_save"] = packed_size(path)
    found["bytes_of_a_frame"] = round(asyncio.run(measure_frames(larkspur, FRAMES)).size)
    return found


def packed_size(path: Path) -> int:
    """Bytes of a save without the empty room that the order of its commits has left."""
    copy = path.with_name("packed.db")
    with sqlite3.connect(path) as db:
        db.execute("VACUUM INTO ?", (str(copy),))
    return copy.stat().st_size


@pytest.mark.slow
def test_what_a_town_does_is_as_it_is_written(counts: Counter[str]) -> None:
    counted = {name: n for name, n in counts.items() if name != "in_cycles"}
    assert budget.moved("counts", counted, budget.budgets()["counts"], 0.02) == []


@pytest.mark.slow
def test_what_a_town_drops_is_freed_at_once(counts: Counter[str]) -> None:
    """Not only by the search for cycles, which is put off: what a cycle held was 14 MB a day."""
    assert counts["in_cycles"] < 200
