"""Programs that do a part of our work and nothing else, beside that part here: what a town could cost at best.

OASIS, the platform of seed 003's paper, pins packages that this program cannot live with, and is not measured.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import best_time
from sandbox.core.events import EventRow
from sandbox.feed.model import DIMENSIONS
from sandbox.store.save import Save

USERS, POSTS, SHOWN = 100_000, 544, 20  # of the ranking
BLOCK = 4096  # users ranked together, as many as a crowd plans
AT_ONCE = 20  # steps of a transaction, about as many as a save writes at full speed
WIDE, HIGH, REACH = 111, 74, 2  # tiles of Larkspur, and how near two must be to talk
STEPS, MEETS = 200, 0.02  # steps of Mesa, and the chance that two who are near talk
TOWN = 25  # people


async def measure_peers(run: BenchmarkRun) -> list[Reading]:
    """Measure bare sqlite3, bare numpy and Mesa, and our writer beside the first."""
    async with await Save.open(await run.saved_day(), read_only=True) as save:
        rows, size = await save.rows(0, save.last_seq), len((await save.seek()).snapshot())
    bare = best_time(3, lambda: write_bare(run.folder / "bare.db", rows))
    ours = await write_ours(run.folder / "ours.db", rows, size)
    ranked = best_time(3, rank_bare)
    return [
        Reading("peers.sqlite", len(rows) / bare, f"{len(rows):,} rows, {AT_ONCE} steps a transaction"),
        Reading("peers.writer", len(rows) / ours, "with digests, packing and snapshots"),
        Reading("peers.numpy", USERS / ranked, f"{USERS:,} users, a matrix product and the best {SHOWN}"),
        Reading("peers.mesa25", *walk_in_mesa(TOWN)),
        Reading("peers.mesa1000", *walk_in_mesa(40 * TOWN)),
    ]


def write_bare(path: Path, rows: Sequence[EventRow]) -> None:
    """Write the events of a save with sqlite3 alone."""
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, step, t, kind, v, actor, causes, data)")
    for _, some in groupby(rows, lambda row: row.step // AT_ONCE):
        db.execute("BEGIN")
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", some)
        db.execute("COMMIT")
    db.close()


async def write_ours(path: Path, rows: Sequence[EventRow], size: int) -> float:
    """CPU seconds of writing the same events as a save, each snapshot of `size` bytes that hardly compress."""
    state = np.random.default_rng(1).integers(0, 64, size, np.uint8).tobytes()
    began = process_time()
    async with await Save.of_row(path, rows[0], {}, overwrite=True) as save:
        for step, some in groupby(rows[1:], lambda row: row.step):
            made = [*some]
            while save.last_step < step - 1:
                await save.write_rows(save.last_step + 1, save.now, [], lambda: state)
            await save.write_rows(step, made[-1].t, made, lambda: state)
    return process_time() - began


def rank_bare() -> None:
    """Rank posts for users by nothing but how alike their vectors are."""
    draw = np.random.default_rng(1)
    users = draw.standard_normal((USERS, DIMENSIONS), np.float32)
    posts = draw.standard_normal((POSTS, DIMENSIONS), np.float32).T
    for at in range(0, USERS, BLOCK):
        np.argpartition(users[at : at + BLOCK] @ posts, POSTS - SHOWN, axis=1)


def walk_in_mesa(people: int) -> tuple[float | None, str]:
    """CPU seconds of a step of one agent that walks to a tile beside it and talks by chance to who is near, and a note;
    as many towns side by side as it takes for so many people to be no denser than in ours.
    """
    if find_spec("mesa") is None:
        return None, "not installed: pip install 'mesa>=3,<4'"
    mesa, space = import_module("mesa"), import_module("mesa.discrete_space")
    model = mesa.Model(rng=1)
    grid = space.OrthogonalVonNeumannGrid((WIDE * max(1, people // TOWN), HIGH), random=model.random)
    talks = 0

    class Walker(space.CellAgent):  # type: ignore[misc,name-defined]  # Mesa is not needed to check types
        cell: Any

        def step(self) -> None:
            nonlocal talks
            self.cell = self.cell.neighborhood.select_random_cell()
            for other in self.cell.get_neighborhood(radius=REACH).agents:
                talks += other is not self and self.random.random() < MEETS

    for cell in model.random.sample(grid.all_cells.cells, people):
        Walker(model).cell = cell
    began = process_time()
    for _ in range(STEPS):
        model.agents.shuffle_do("step")
    return (
        process_time() - began
    ) / STEPS / people, f"Mesa {mesa.__version__}, {talks} talks; ours: head.{people} / 120"


PEERS_GROUP = FigureGroup(
    "peers",
    (
        FigureSpec("peers.sqlite", "rows/s", "the events of a day written by sqlite3 alone"),
        FigureSpec("peers.writer", "rows/s", "the same events written as a save"),
        FigureSpec("peers.numpy", "users/s", "544 posts ranked for each by numpy alone, no reading or acting"),
        FigureSpec("peers.mesa25", "us", "a step of one of 25 agents that walk and meet in Mesa"),
        FigureSpec("peers.mesa1000", "us", "a step of one of 1,000"),
    ),
    measure_peers,
    "programs that do a part of this and nothing else",
)
