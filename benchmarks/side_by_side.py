"""Two builds side by side: the same commands of both, in turn, so that a ratio holds on a machine that is not quiet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

WORLD, SEED = "larkspur", "5"
CROWD = "1000000"  # users
ROOT = Path(__file__).resolve().parent.parent


class Work(NamedTuple):
    """A command that is timed. words: "{}" in them stands for the save it writes; reads: for the one it reads, which
    the work of that name wrote. kept: whether the size of the save is a figure, too.
    """

    name: str
    says: str
    words: tuple[str, ...]
    reads: str = ""
    kept: bool = False


WORKS = (
    Work("help", "the help", ("--help",)),
    Work("start", "one step of a town", ("run", WORLD, "--seed", SEED, "--steps", "1")),
    Work("check", "the check of a world", ("worlds", "check", WORLD)),
    Work("day", "a day, saved", ("run", WORLD, "--seed", SEED, "--days", "1", "--save", "{}", "--force"), kept=True),
    Work("info", "what a save holds", ("saves", "info", "{}"), "day"),
    Work("replay", "each step of that day rebuilt and verified", ("replay", "{}", "--verify"), "day"),
    Work(
        "crowd",
        "twenty steps of a county of a million, saved",
        ("run", "county", "--crowd", CROWD, "--steps", "20", "--save", "{}", "--force"),
        kept=True,
    ),
)


# A process runs the command and notes what it cost. It is small: Linux counts the memory of whoever starts a process
# as that process's own.
WATCHER = """
import json, os, sys, time
began = time.monotonic()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(child, 0)
code, cpu = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
with open(sys.argv[1], "w") as file:
    json.dump((code, cpu, time.monotonic() - began, used.ru_maxrss), file)
"""


class Spent(NamedTuple):
    """What a command cost. cpu, wall: seconds; memory: bytes at most at once; size: bytes of its save, 0 for none."""

    cpu: float
    wall: float
    memory: int
    size: int


class Comparison(NamedTuple):
    """A figure of a work in both builds. ratio: the median of this build's to that of the other in the same round,
    with the least and the greatest of them.
    """

    work: str
    figure: str
    unit: str
    other: float
    this: float
    ratio: float
    least: float
    greatest: float


FIGURES: tuple[tuple[str, str, Callable[[Spent], float]], ...] = (
    ("cpu", "s", lambda spent: spent.cpu),
    ("wall", "s", lambda spent: spent.wall),
    ("memory", "MB", lambda spent: spent.memory / 1e6),
    ("size", "MB", lambda spent: spent.size / 1e6),
)


@contextmanager
def other_build(revision: str, folder: Path) -> Iterator[Path]:
    """The files of this repository at a revision, in a folder below that one. Raises ValueError if there is none."""
    tree = folder / "other"
    git = ("git", "-C", str(ROOT), "worktree")
    try:
        subprocess.run([*git, "add", "--detach", str(tree), revision], capture_output=True, text=True, check=True)
    except OSError as error:
        raise ValueError(f"cannot run git: {error.strerror}; install it to compare builds") from None
    except subprocess.CalledProcessError as error:
        why = error.stderr.strip().splitlines()[-1]
        raise ValueError(f"no build {revision}: {why}; name a commit of this checkout") from None
    try:
        yield tree
    finally:
        subprocess.run([*git, "remove", "--force", str(tree)], capture_output=True, check=False)


def compare_builds(
    this: Path, other: Path, folder: Path, works: Sequence[Work], rounds: int, moved: Callable[[int, int], object]
) -> list[Comparison]:
    """Run each work in both builds in turn, once without counting and then for so many rounds. this, other: the folders
    that hold their packages; moved: called with the runs done and all. Raises ValueError if a command fails.
    """
    builds = {"other": other, "this": this}
    found: list[Comparison] = []
    runs, done = len(works) * (rounds + 1) * len(builds), 0
    for work in works:
        spent: dict[str, list[Spent]] = {name: [] for name in builds}
        for _ in range(rounds + 1):
            for name, tree in builds.items():
                home = folder / f"home-{name}"
                spent[name].append(run_work(tree, home, work))
                done += 1
                moved(done, runs)
        found += compare_spent(work, spent["other"][1:], spent["this"][1:])
    return found


def compare_spent(work: Work, other: Sequence[Spent], this: Sequence[Spent]) -> list[Comparison]:
    """Every figure of a work, from what it cost in each round."""
    found = []
    for figure, unit, value in FIGURES:
        if figure == "size" and not work.kept:
            continue
        there, here = [value(spent) for spent in other], [value(spent) for spent in this]
        ratios = [b / a for a, b in zip(there, here, strict=True)]
        found.append(
            Comparison(work.name, figure, unit, median(there), median(here), median(ratios), min(ratios), max(ratios))
        )
    return found


def run_work(tree: Path, home: Path, work: Work) -> Spent:
    """Run a command of the package in that folder, as a process of its own with that home. Raises ValueError."""
    home.mkdir(parents=True, exist_ok=True)
    save = home / f"{work.reads or work.name}.db"
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPATH": str(tree), "SANDBOX_HOME": str(home)}
    words = [sys.executable, "-m", "sandbox", *(word.format(save) for word in work.words)]
    with open(home / "said", "w+", encoding="utf-8") as said, open(home / "cost", "w+", encoding="utf-8") as cost:
        watcher = (sys.executable, "-I", "-S", "-c", WATCHER, cost.name, *words)
        subprocess.run(watcher, cwd=tree, env=env, stdout=said, stderr=said, check=True)
        code, cpu, wall, memory = json.load(cost)
        if code:
            said.seek(0)
            raise ValueError(f"{work.name} fails in {tree}: {said.read()[-300:].strip()}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Spent(cpu, wall, memory * unit, save.stat().st_size if work.kept else 0)
