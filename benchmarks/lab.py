"""The time of an experiment, with its report."""

from __future__ import annotations

from pathlib import Path

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup, run_sandbox

SEEDS = 60  # seeds in the paper's experiment
TRIED = 10  # seeds that are timed
ARMS = ("drama_on", "drama_on_emotion_off")


async def measure_lab_group(run: BenchmarkRun) -> list[Reading]:
    """Measure some seeds, and extrapolate to all."""
    seeds = 2 if run.quick else TRIED
    took = measure_lab(run.folder / "lab", seeds)
    return [Reading("lab.sixty", took * SEEDS / seeds, f"by {seeds} seeds of two arms, in {took:.0f} s")]


def measure_lab(folder: Path, seeds: int) -> float:
    """Wall seconds of so many seeds of the first comparison that ships, in two processes, with its report."""
    arms = [word for arm in ARMS for word in ("--arm", arm)]
    return run_sandbox("lab", "run", "sentipolis", *arms, "--seeds", str(seeds), "--jobs", "2", "--out", str(folder))


LAB_GROUP = FigureGroup(
    "lab",
    (FigureSpec("lab.sixty", "s", "what sixty seeds would take, judging by ten, wall", 240.0),),
    measure_lab_group,
    "two arms of sentipolis in two processes, with the report; half a minute",
)
