"""What branches cost: comparing two, making one of a long save, and listing a folder of them as a tree."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.core.clock import DAY
from sandbox.core.plain import count_of
from sandbox.engine.drivers import run_free
from sandbox.readers.branch_difference import Forks
from sandbox.readers.save_compare import compare_saves
from sandbox.store.branch import branch, saves_list
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.store.tree import tree

ROUNDS = 3  # of which the median counts
MANY, LIVED = 50, 10  # saves in the folder, and steps that each branch runs on
LUCK = 7  # seed of the branch that is compared
MONTH = 30  # days


class CompareCost(NamedTuple):
    """CPU seconds (of all threads) to compare two branches; rows: notable timeline rows that only one has."""

    seconds: float
    rows: int


async def measure_branches_group(run: BenchmarkRun) -> list[Reading]:
    """Measure with a save of some days, and with a longer one."""
    path, days = await run.saved_days()
    async with await Save.open(path, read_only=True) as save:
        fork = save.last_step // days if days > 1 else save.last_step // 2
    side = await measure_compare(path, fork, run.folder / "other.db")
    long = path
    if not run.quick:
        long = run.folder / "month.db"
        async with open_session(path, save=long) as session:
            await run_free(session.engine, until=MONTH * DAY)
    made = await measure_branch(long, run.folder / "branch.db")
    told = await measure_tree(path, run.folder / "tree")
    rows = f"{count_of(days, 'day')}, parted after {fork:,} steps, {side.rows} rows in one only"
    return [
        Reading("branch.compare", side.seconds, rows),
        Reading("branch.made", made, f"of {long.stat().st_size / 1e6:.0f} MB"),
        Reading("branch.tree", told, f"{MANY} saves"),
    ]


async def measure_compare(path: Path, fork: int, out: Path) -> CompareCost:
    """Compare a save with a branch of it that ran on from that step with another seed, up to the same end."""
    await branch(path, fork, out)
    async with await Save.open(path, read_only=True) as save:
        until = save.now
    async with open_session(out, seed=LUCK) as session:
        await run_free(session.engine, until=until)
    times, rows = [], 0
    for _ in range(ROUNDS):
        began = process_time()
        async with await Save.open(path, read_only=True) as one, await Save.open(out, read_only=True) as two:
            rows = sum(map(len, (await compare_saves(one, two)).rows))
        times.append(process_time() - began)
    return CompareCost(median(times), rows)


async def measure_branch(path: Path, out: Path) -> float:
    """CPU seconds (of all threads) to make a branch at the step before the last."""
    async with await Save.open(path, read_only=True) as save:
        last = save.last_step
    times = []
    for _ in range(ROUNDS):
        began = process_time()
        await branch(path, last - 1, out, overwrite=True)
        times.append(process_time() - began)
    return median(times)


async def measure_tree(path: Path, folder: Path) -> float:
    """CPU seconds (of all threads) to list a folder of a save and its branches, with how each differs."""
    folder.mkdir()
    await branch(path, 1000, folder / "trunk.db")
    for n in range(MANY - 1):
        out = folder / f"branch-{n}.db"
        await branch(folder / "trunk.db", 200 + 10 * n, out)
        async with open_session(out, seed=n) as session:
            await run_free(session.engine, steps=LIVED)
    began = process_time()
    forks = Forks()
    for place in tree(await saves_list(folder)):
        await forks.of(place)
    return process_time() - began


BRANCHES_GROUP = FigureGroup(
    "branches",
    (
        FigureSpec("branch.compare", "s", "comparing two branches of seven days that part after the first", 2.0),
        FigureSpec("branch.made", "s", "making a branch of a save of thirty days", 1.0),
        FigureSpec("branch.tree", "s", "listing a folder of fifty branches as a tree", 2.0),
    ),
    measure_branches_group,
    "saves and branches of them; two minutes",
)
