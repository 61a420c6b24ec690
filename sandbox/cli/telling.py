"""What the commands share in talking to a person or a script: clean text, tables, progress, JSON, and stopping.

Words of a save, a world, a file's name or the command line may come from anywhere. Commands print by `say` and
`say_json` only, which clean them on their way out, so that a terminal never takes them for commands.
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
Moved = Callable[[int, int], None]  # done, of how many (0: unknown)
STOPPED = "stopped"
BY_KEY = 130  # the code after Ctrl-C
WIDTH = 80  # columns of a terminal
# What stays whole, and a space within it meanwhile.
_WHOLE, _STAY = re.compile(r"`[^`]*`|\[[^]]*\]|\b[pq] (?:< )?(?=\.)"), "\0"
EVERY = 10.0  # seconds between two lines of progress where there is no terminal


class ProgramStopped(Exception):
    """The program was told to end and everything is closed; the text tells what is kept. code: for the shell."""

    def __init__(self, text: str, code: int = BY_KEY) -> None:
        super().__init__(text)
        self.code = code


def digests(whole: bytes, unversioned: bytes) -> str:
    """Two lines: the digest of a run, and the one that leaves out what it was made with."""
    return f"digest {whole.hex()}\nunversioned {unversioned.hex()}"


def wait_for(work: Coroutine[Any, Any, T], kept: Callable[[], str] = lambda: STOPPED) -> T:
    """Run a coroutine to its end. Ctrl-C, SIGTERM and SIGHUP cancel it, let it close what is open, and raise Stopped
    with `kept()`.
    """
    import asyncio

    from sandbox.core.ending import heed_signals

    codes: list[int] = []
    found: list[T] = []  # not what the task returns: asyncio would write all of that out as it ends
    failed: list[Exception] = []

    async def heeding() -> None:
        task = asyncio.current_task()
        assert task is not None

        def leave(code: int) -> None:
            codes.append(code)
            if len(codes) == 1:  # whoever says it twice does not break off the close
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
            # to end, asyncio starts a thread more; what came of the work is what counts
            if failed:
                raise failed[0] from None
            if not found:
                raise
        return found[0]


@contextmanager
def heeding(kept: Callable[[], str]) -> Iterator[None]:
    """The same for work that is not one coroutine."""
    from sandbox.core.ending import as_by_key

    with as_by_key() as codes, _stopped(codes, kept):
        yield


@contextmanager
def _stopped(codes: Sequence[int], kept: Callable[[], str]) -> Iterator[None]:
    """Stopped, for whatever comes of an end from outside. codes: of the signals that have come."""
    import asyncio

    try:
        yield
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise ProgramStopped(kept(), *codes[:1]) from None
    except OSError:
        if not codes:
            raise
        raise ProgramStopped(kept(), codes[0]) from None  # a terminal that is gone took no last words


def say_text(text: str, err: bool = False, mark: str = "", colour: str = "") -> None:
    """Lines on standard output (or error), each of them clean. mark: a word of ours before them, in a colour."""
    click.echo((click.style(mark, fg=colour) if mark else "") + lines(text), err=err)


def say_wrapped(text: str, first: str = "", rest: str = "") -> None:
    """Text in lines of the width of a page; first and rest stand before the first line and before the others."""
    from sandbox.readers.edition import wrap_text

    say_text("\n".join(wrap_text(text, first, rest)))


def warn(text: str) -> None:
    """A line on standard error; nothing for no text."""
    if text:
        say_text(text, err=True)


def say_json(value: object) -> None:
    """One JSON value on standard output. Never NaN or infinity."""
    import json

    say_json_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def say_json_text(text: str) -> None:
    """JSON that is text already."""
    click.echo(json_lines(text))


class Moving:
    """How far a long work is: called with what is done, of how many. Here: a line on standard error now and then."""

    def __init__(self, title: str, unit: str) -> None:
        self._title, self._unit, self._told = title, unit, monotonic()
        self.done, self.total, self.at = 0, 0, ""

    def __call__(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        self.show()

    def note(self, at: str) -> None:
        """Say more: what is under way is at."""
        self.at = at
        self.show()

    def show(self) -> None:
        now = monotonic()
        if now - self._told < EVERY:
            return
        self._told = now
        of = f" of {self.total:,}" if self.total else ""
        say_text(f"{self._title}: {self.done:,}{of} {self._unit}{self.at and f'; {self.at}'}", err=True)

    def tell(self, text: str) -> None:
        """A line that stays, whatever moves below it."""
        say_text(f"{self._title}: {text}", err=True)


@contextmanager
def progress_bar(title: str, unit: str = "") -> Iterator[Moving]:
    """A bar on standard error while a long work goes on; where that is no terminal, a line every ten seconds."""
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
    """A bar while the events of a save are read. Raises SaveError for one that does not fit its world."""
    from sandbox.store.errors import explain_unfitting

    with explain_unfitting(save.path), progress_bar("reading", "events") as moved:
        yield moved


def wrap_entry(entry: str) -> str:
    """An entry of a list, in lines of WIDTH at most. What is in backticks (to copy), an interval and a p stay whole."""
    whole = _WHOLE.sub(lambda found: found[0].replace(" ", _STAY), entry)
    made = fill(
        whole, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return made.replace(_STAY, " ")


def align_columns(head: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> str:
    """A table: rows as lines, each column as wide as its widest cell. right: numbers of columns that hold figures."""
    table = [*([head] if head else []), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    out = []
    for row in table:
        cells = (c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)
