"""`sandbox bench`: how fast the town and the screen are on this computer, and what each figure means for a user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import click

from sandbox.cli.lab_work import rough_duration
from sandbox.cli.telling import progress_bar, say_json, wait_for
from sandbox.core.faults import unknown

if TYPE_CHECKING:
    from sandbox.cli.calibration import BenchFigure

MORNING = 4 * 3600  # seconds of town time whose lines and decisions are timed
FRAMES, KEYS = 100, 100  # how many are timed
WEEK = 7  # days
DAY_SAVE = "day.db"  # in the temporary folder

# figure -> its unit, and what it measures.
FIGURES = {
    "day.cpu": ("s", "CPU time of a day of Larkspur: 25 people, steps of a minute, kept in a save"),
    "day.wall": ("s", "real time of that day"),
    "day.rate": ("min/s", "minutes of town time in a second of real time"),
    "day.size": ("MB", "the save of that day"),
    "seek.jump": ("ms", "real time of a jump into that save, freshly opened, the middle of 20"),
    "replay.rate": ("steps/s", "steps of that day replayed from its save, without verifying"),
    "talk.line": ("ms", "CPU time of a line that somebody says"),
    "talk.decision": ("ms", "CPU time of a decision: whom to talk to and why, whether to, how to take it"),
    "start.wall": ("s", "real time from the command to the first frame of the screen"),
    "start.memory": ("MB", "memory of the program at that moment"),
    "frame.cpu": ("ms", "CPU time of a frame of the map, 100x40 cells, all 25 walking"),
    "frame.size": ("kB", "what such a frame sends to the terminal"),
    "key.wait": ("ms", "real time from a key to its effect at full speed, for 95 of 100 keys"),
}


class MeasuredValue(NamedTuple):
    """value: seconds, bytes or a count, None if it cannot be measured. means: its meaning for a user, in words."""

    value: float | None
    means: str


def _bench_help() -> str:
    """The command's help, which lists all figures by group."""
    rows, before = [], ""
    for name, (unit, what) in FIGURES.items():
        group = name.partition(".")[0]
        rows.append(f"  {'' if group == before else group:8}{name:15}{what} ({unit})")
        before = group
    return "\n".join(
        (
            "Measure how fast the town and the screen are on this computer, in about a minute.\n",
            "Other programs that run meanwhile make every figure worse.\n",
            "\b",
            "The groups and their figures:",
            *rows,
            "",
            "\b",
            "Examples:",
            "  sandbox bench",
            "  sandbox bench --only day,frame --json",
        )
    )


@click.command(help=_bench_help())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
@click.option("--only", metavar="NAMES", help="Only these groups, separated by commas.")
def bench(as_json: bool, only: str | None) -> None:
    named = [*GROUPS] if only is None else [name.strip() for name in only.split(",")]
    for name in named:
        if name not in GROUPS:
            raise click.UsageError(unknown("group of figures", name, GROUPS))
    figures = wait_for(_measure([name for name in GROUPS if name in named]))
    if as_json:
        say_json({"figures": [figure._asdict() for figure in figures]})
    else:
        _say_table(figures)


async def _measure(chosen: Sequence[str]) -> list[BenchFigure]:
    import tempfile

    from sandbox.cli.calibration import calibration_time, make_figure, set_heap_aside

    figures = []
    with tempfile.TemporaryDirectory(prefix="sandbox-bench-") as folder, progress_bar("measuring", "groups") as moved:
        for done, group in enumerate(chosen):
            moved(done, len(chosen))
            set_heap_aside()
            loop = calibration_time()
            for name, found in (await GROUPS[group](Path(folder))).items():
                figures.append(make_figure(name, found.value, FIGURES[name][0], loop, found.means))
    return figures


def _say_table(figures: Sequence[BenchFigure]) -> None:
    from rich.console import Console
    from rich.table import Table

    from sandbox.cli.calibration import shown_value

    table = Table(box=None, pad_edge=False)
    for head in ("FIGURE", "VALUE", "UNIT", "WHAT IT IS", "WHAT IT MEANS HERE"):
        table.add_column(head, justify="right" if head == "VALUE" else "left")
    for figure in figures:
        what = FIGURES[figure.name][1]
        table.add_row(figure.name, shown_value(figure.value), figure.unit, what, figure.note)
    console = Console()
    if not console.is_terminal:
        console.width = 120
    console.print(table)


# ---- the groups


async def _day(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.town_speed import measure_day
    from sandbox.core.clock import DAY, MINUTE

    got = await measure_day(folder / DAY_SAVE)
    hour = got.wall / 24
    return {
        "day.cpu": MeasuredValue(got.cpu, f"a week takes about {rough_duration(got.cpu * WEEK)} of one core"),
        "day.wall": MeasuredValue(got.wall, f"a week takes about {rough_duration(got.wall * WEEK)}"),
        "day.rate": MeasuredValue(DAY / MINUTE / got.wall, f"at top speed, an hour takes {hour:.2f} seconds"),
        "day.size": MeasuredValue(got.size, f"a week takes less than {got.size * WEEK / 1e6:.0f} MB of the disk"),
    }


async def _saved_day(folder: Path) -> Path:
    """The save of a day, run now if the group `day` has not."""
    from sandbox.cli.town_speed import measure_day

    path = folder / DAY_SAVE
    if not path.exists():
        await measure_day(path)
    return path


async def _seek(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.town_speed import measure_seeks

    jumps = await measure_seeks(await _saved_day(folder))
    return {"seek.jump": MeasuredValue(median(jumps), f"{_felt(median(jumps))}; the slowest {max(jumps) * 1e3:.0f} ms")}


async def _replay(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.town_speed import STEP, measure_replay
    from sandbox.core.clock import DAY

    rate = await measure_replay(await _saved_day(folder))
    week = rough_duration(WEEK * DAY / STEP / rate)
    return {"replay.rate": MeasuredValue(rate, f"a week is replayed in about {week}")}


async def _talk(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.town_speed import load_measured, measure_talk

    got = await measure_talk(load_measured(), MORNING)
    lines, decisions = got.line * got.lines, got.decision * got.decisions
    return {
        "talk.line": MeasuredValue(got.line, f"{got.lines:,} lines of a morning take {lines:.2f} seconds"),
        "talk.decision": MeasuredValue(got.decision, f"{got.decisions:,} of a morning take {decisions:.2f} seconds"),
    }


async def _start(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.screen_speed import measure_start
    from sandbox.cli.town_speed import WORLD

    got = measure_start(WORLD, folder)
    note = f" ({got.note})" * bool(got.note)
    return {
        "start.wall": MeasuredValue(got.wall, ("not measured" if got.wall is None else _felt(got.wall)) + note),
        "start.memory": MeasuredValue(
            got.memory, "this system does not say" if got.memory is None else "each town on a screen takes this much"
        ),
    }


async def _frame(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.screen_speed import measure_frames
    from sandbox.cli.town_speed import load_measured
    from sandbox.tui.panes import townview

    got = await measure_frames(load_measured(), FRAMES)
    a_second = f"at {townview.FRAMES} frames a second"
    sent = got.size * townview.FRAMES
    return {
        "frame.cpu": MeasuredValue(got.cpu, f"{a_second} the map takes {got.cpu * townview.FRAMES:.0%} of one core"),
        "frame.size": MeasuredValue(
            got.size, f"{a_second} {sent / 1e3:,.0f} kB, which takes a line of {sent * 8 / 1e6:.1f} Mbit/s"
        ),
    }


async def _key(folder: Path) -> dict[str, MeasuredValue]:
    from sandbox.cli.screen_speed import measure_keys
    from sandbox.cli.town_speed import WORLD

    waits = await measure_keys(WORLD, folder / "keys.db", KEYS)
    usual = waits[KEYS * 95 // 100]
    return {"key.wait": MeasuredValue(usual, f"{_felt(usual)}; middle {median(waits) * 1e3:.0f} ms")}


def _felt(seconds: float) -> str:
    """How a wait of so many seconds feels, in words."""
    if seconds < 0.1:
        return "nobody notices a wait"
    if seconds < 0.3:
        return "a wait that is just noticed"
    return "a short wait" if seconds < 1.0 else f"a wait of {rough_duration(seconds)}"


GROUPS: dict[str, Callable[[Path], Awaitable[dict[str, MeasuredValue]]]] = {
    "day": _day,
    "seek": _seek,
    "replay": _replay,
    "talk": _talk,
    "start": _start,
    "frame": _frame,
    "key": _key,
}
