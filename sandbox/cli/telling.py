"""Output of the commands, for a person or a script: clean text, tables, progress, JSON, and stopping.

Words of a save, a world, a file's name or the command line may come from anywhere. Commands print only through
`say_text`, `say_json` and their like, which clean them, so that a terminal never obeys them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sandbox.core.plain import json_lines, lines

if TYPE_CHECKING:
    from sandbox.store.read import SaveReader

T = TypeVar("T")
Moved = Callable[[int, int], None]  # called with (done, total); total 0: unknown
STOPPED = "stopped"
BY_KEY = 130  # exit code after Ctrl-C
WIDTH = 80  # columns of a terminal
# What is not broken at the end of a line, and what stands for its spaces meanwhile.
_WHOLE, _STAY = re.compile(r"`[^`]*`|\[[^]]*\]|\b[pq] (?:< )?(?=\.)"), "\0"
EVERY = 10.0  # seconds between two lines of progress where there is no terminal


class ProgramStopped(Exception):
    """The program was told to stop, and everything is closed; the text says what is kept. code: exit code."""

    def __init__(self, text: str, code: int = BY_KEY) -> None:
        super().__init__(text)
        self.code = code


def digests(whole: bytes, unversioned: bytes) -> str:
    """Two lines: the digest of a run, and its digest without versions."""
    return f"digest {whole.hex()}\nunversioned {unversioned.hex()}"


def wait_for(work: Coroutine[Any, Any, T], kept: Callable[[], str] = lambda: STOPPED) -> T:
    """Run a coroutine to its end. Ctrl-C, SIGTERM and SIGHUP cancel it, let it close what is open, and raise
    ProgramStopped with `kept()`.
    """
    import asyncio

    from sandbox.core.ending import heed_signals

    codes: list[int] = []
    found: list[T] = []  # not the task's result: asyncio would format all of it at the end
    failed: list[Exception] = []

    async def heeding() -> None:
        task = asyncio.current_task()
        assert task is not None

        def leave(code: int) -> None:
            codes.append(code)
            if len(codes) == 1:  # a second signal does not interrupt the close
                task.cancel()

        heed_signals(leave)
        try:
            found.append(await work)
        except Exception as error:
            failed.append(error)
            raise

    with _stopped(codes, kept):
        try:
            asyncio.run(heeding())
        except (MemoryError, RuntimeError):
            # asyncio starts one more thread to end; the outcome of the work is what counts
            if failed:
                raise failed[0] from None
            if not found:
                raise
        return found[0]


@contextmanager
def heeding(kept: Callable[[], str]) -> Iterator[None]:
    """Raise ProgramStopped with `kept()` when a signal ends the work inside, which is not one coroutine."""
    from sandbox.core.ending import as_by_key

    with as_by_key() as codes, _stopped(codes, kept):
        yield


@contextmanager
def _stopped(codes: Sequence[int], kept: Callable[[], str]) -> Iterator[None]:
    """Turn what a signal causes inside into ProgramStopped. codes: exit codes of the signals so far."""
    import asyncio

    try:
        yield
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise ProgramStopped(kept(), *codes[:1]) from None
    except OSError:
        if not codes:
            raise
        raise ProgramStopped(kept(), codes[0]) from None  # the terminal is gone, and took no more output


def say_text(text: str, err: bool = False, mark: str = "", colour: str = "") -> None:
    """Print lines, cleaned, on standard output (or error). mark: a trusted word before them, in a colour."""
    click.echo((click.style(mark, fg=colour) if mark else "") + lines(text), err=err)


def say_wrapped(text: str, first: str = "", rest: str = "") -> None:
    """Print text wrapped to the page's width; first and rest stand before the first and the other lines."""
    from sandbox.readers.edition import wrap_text

    say_text("\n".join(wrap_text(text, first, rest)))


def warn(text: str) -> None:
    """Print lines on standard error; nothing if the text is empty."""
    if text:
        say_text(text, err=True)


def say_json(value: object) -> None:
    """Print one JSON value on standard output. Never NaN or infinity."""
    import json

    say_json_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def say_json_text(text: str) -> None:
    """Print JSON that is already text."""
    click.echo(json_lines(text))


class Moving:
    """The progress of long work: called with (done, total). This one prints a line on standard error now and then."""

    def __init__(self, title: str, unit: str) -> None:
        self._title, self._unit, self._told = title, unit, monotonic()
        self.done, self.total, self.at = 0, 0, ""

    def __call__(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        self.show()

    def note(self, at: str) -> None:
        """Show more: what is being done now."""
        self.at = at
        self.show()

    def show(self) -> None:
        """Show the progress, unless it was shown less than EVERY seconds ago."""
        now = monotonic()
        if now - self._told < EVERY:
            return
        self._told = now
        of = f" of {self.total:,}" if self.total else ""
        say_text(f"{self._title}: {self.done:,}{of} {self._unit}{self.at and f'; {self.at}'}", err=True)

    def tell(self, text: str) -> None:
        """Print a line that stays above the progress."""
        say_text(f"{self._title}: {text}", err=True)


@contextmanager
def progress_bar(title: str, unit: str = "") -> Iterator[Moving]:
    """A progress bar on standard error; if that is no terminal, a line every ten seconds."""
    if not sys.stderr.isatty():
        yield Moving(title, unit)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} " + unit),
        TextColumn("{task.fields[at]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=8) as bar:
        task = bar.add_task(lines(title), total=0, at="")

        class Bar(Moving):
            def show(self) -> None:
                bar.update(task, completed=self.done, total=self.total or None, at=lines(self.at))

            def tell(self, text: str) -> None:
                bar.console.print(lines(f"{title}: {text}"), markup=False, highlight=False)

        yield Bar(title, unit)


@contextmanager
def reading_bar(save: SaveReader) -> Iterator[Moving]:
    """A progress bar for reading a save's events. Raises SaveError for an event that does not fit its world."""
    from sandbox.store.errors import explain_unfitting

    with explain_unfitting(save.path), progress_bar("reading", "events") as moved:
        yield moved


def wrap_entry(entry: str) -> str:
    """An entry of a list, wrapped to WIDTH. Text in backticks (to copy), intervals and p values are not broken."""
    whole = _WHOLE.sub(lambda found: found[0].replace(" ", _STAY), entry)
    made = fill(
        whole, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return made.replace(_STAY, " ")


def align_columns(head: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> str:
    """A table: rows as lines, each column as wide as its widest cell. right: indexes of columns aligned right."""
    table = [*([head] if head else []), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    out = []
    for row in table:
        cells = (c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)
