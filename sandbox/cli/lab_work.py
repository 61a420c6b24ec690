"""What the laboratory's commands share: the folder, the workers, progress, and printing the result."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from sandbox.cli.telling import STOPPED, Moving, heeding, progress_bar, say_json_text, say_text, wrap_entry
from sandbox.core.places import expand_path
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sandbox.lab.laboratory import Moved
    from sandbox.lab.parallel_runs import Noted
    from sandbox.lab.results import Results

COUNTED = {"judging": "questions", "running": "runs"}  # part of the work -> its unit, if not replicas
MINUTE, HOUR = 60.0, 3600.0  # seconds
FORETOLD = ("living", "measuring", "running")  # parts whose pieces take equally long: time is estimated


class LabWork(NamedTuple):
    """Runs a lab's work. executor: the workers (None: this process); moved: reports progress; noted: a remark on it."""

    executor: Executor | None
    moved: Moved
    noted: Noted


@contextmanager
def working(out: Path, jobs: int, cluster: str, what: str, sorts: int = 0) -> Iterator[LabWork]:
    """Provide workers, with a progress bar for each part of the work. If it is stopped, the message says what is kept;
    at the end, how many processes were killed. what: the things made, in words. sorts: how many sorts of pieces there
    are (arms): once one of each is done, the remaining time is estimated; 0 = no estimate.
    """
    from sandbox.lab.parallel_runs import Processes, workers

    bars: dict[str, Moving] = {}
    forecasts: dict[str, Forecast] = {}
    whose = "on this cluster" if cluster else f"on this machine with {count_of(jobs, 'job')}"
    killed = 0
    kept = f"{STOPPED}; of the {what}, all that are complete are kept in {out}: the same command goes on"
    with heeding(lambda: kept), ExitStack() as stack:

        def moved(part: str, done: int, of: int) -> None:
            if part not in bars:
                stack.pop_all().close()
                bars[part] = stack.enter_context(progress_bar(part, COUNTED.get(part, "replicas")))
                forecasts[part] = Forecast(max(sorts, jobs) if sorts and part in FORETOLD else 0, whose)
            bars[part](done, of)
            if said := forecasts[part].after(done, of):
                bars[part].tell(f"{said}; then they are measured" if part == "living" else said)

        def noted(said: str) -> None:
            for bar in list(bars.values())[-1:]:
                bar.note(said)

        with workers(jobs, cluster) as executor:
            yield LabWork(executor, moved, noted)
            killed = executor.killed if isinstance(executor, Processes) else 0
    if killed:
        say_text(f"{count_of(killed, 'worker')} killed meanwhile; the work of each was begun again, once", err=True)


def lab_folder(out: str) -> Path:
    """The folder that a word names. Raises BadParameter for an empty word, as from an unset shell variable."""
    if not out:
        raise click.BadParameter("is empty; name a folder, or . for this one", param_hint="DIR")
    return expand_path(out)


def tell_summary(made: Results, out: Path) -> None:
    """Print a summary of the report, and its path."""
    from sandbox.lab.report import report_summary

    for entry in report_summary(made):
        say_text(wrap_entry(entry.replace("--out DIR", shlex.join(["--out", str(out)]))))
    say_text(f"report: {out / 'report.md'}")


def show_results(made: Results, out: Path, as_json: bool) -> None:
    """Print a summary of the report, or all numbers, and end the command."""
    from sandbox.lab.wording import as_json as text

    if as_json:
        say_json_text(text(made).rstrip())
    else:
        tell_summary(made, out)
    end_with_faults(made)


def end_with_faults(made: Results) -> None:
    """Print missing answers and failed measures; exit with code 1 for these, or for failed replicas."""
    from sandbox.lab.results import failed_judges, failed_measures

    failed = [*failed_measures(made), *failed_judges(made)]
    for line in failed:
        say_text(line, err=True)
    if failed or any(row.error for row in made.rows):
        raise SystemExit(1)


# ---- how long the rest will take


class Forecast:
    """Estimates the remaining time once, after `first` pieces: these should be of all sorts, as some take longer.
    whose: who does the work, in words. clock: seconds on the wall.
    """

    def __init__(self, first: int, whose: str, clock: Callable[[], float] = monotonic) -> None:
        self._first, self._whose, self._clock = first, whose, clock
        self._began: tuple[int, float] | None = None
        self._told = False

    def after(self, done: int, of: int) -> str:
        """The line to print when so many pieces are done, else "". Those done at the first call do not count."""
        if self._began is None:
            self._began = done, self._clock()
        before, since = self._began
        made, left = done - before, of - done
        if self._told or not self._first or made < self._first or left <= 0:
            return ""
        self._told = True
        took = self._clock() - since
        rest = rough_duration(took * left / made)
        return f"{made:,} took {rough_duration(took)}; the other {left:,} will take about {rest} {self._whose}"


def rough_duration(seconds: float) -> str:
    """A duration in words, as rough as an estimate: "40 seconds", "25 minutes", "2 hours 10 minutes"."""
    if seconds < 1.5 * MINUTE:
        return count_of(max(1, round(seconds)), "second")
    minutes = round(seconds / MINUTE)
    if seconds < 1.5 * HOUR:
        return count_of(minutes, "minute")
    hours, minutes = divmod(round(minutes / 10) * 10, 60)
    return f"{count_of(hours, 'hour')} {minutes} minutes" if minutes else count_of(hours, "hour")
