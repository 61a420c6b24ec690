"""What the commands share in talking to a person or a script: clean text, progress, JSON, and stopping.

Words of a save or a world may come from anywhere. They pass `clean` (or `say`, or `escaped` in JSON) on their way out,
so that a terminal never takes them for commands.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

T = TypeVar("T")
Moved = Callable[[int, int], None]  # done, of how many (0: unknown)
STOPPED = "stopped"
BY_KEY = 130  # the code after Ctrl-C
# What JSON leaves as it is and a terminal may act on: control characters, and marks that turn or break a line.
_ACTIVE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Stopped(Exception):
    """The program was told to end and everything is closed; the text tells what is kept. code: for the shell."""

    def __init__(self, text: str, code: int = BY_KEY) -> None:
        super().__init__(text)
        self.code = code


def wait_for(work: Coroutine[Any, Any, T], kept: Callable[[], str] = lambda: STOPPED) -> T:
    """Run a coroutine to its end. Ctrl-C, SIGTERM and SIGHUP cancel it, let it close what is open, and raise Stopped
    with `kept()`.
    """
    import asyncio

    from sandbox.core.ending import heed_signals

    codes: list[int] = []

    async def heeding() -> T:
        task = asyncio.current_task()
        assert task is not None

        def leave(code: int) -> None:
            codes.append(code)
            if len(codes) == 1:  # whoever says it twice does not break off the close
                task.cancel()

        heed_signals(leave)
        return await work

    try:
        return asyncio.run(heeding())
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise Stopped(kept(), *codes[:1]) from None
    except OSError:
        if not codes:
            raise
        raise Stopped(kept(), codes[0]) from None  # a terminal that is gone took no last words


def clean(text: str) -> str:
    """Text in one line without characters that a terminal could take for commands; they show as code points."""
    from sandbox.core.faults import safe

    return text if text.isprintable() else safe(text, len(text) * 8)


def say(text: str) -> None:
    """Lines on standard output, each of them clean."""
    click.echo("\n".join(map(clean, text.split("\n"))))


def escaped(line: str) -> str:
    """A line of JSON that means the same, with what a terminal could act on written as escapes."""
    return _ACTIVE.sub(lambda m: f"\\u{ord(m[0]):04x}", line)


def say_json(value: object) -> None:
    """One JSON value on standard output. Never NaN or infinity."""
    import json

    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    click.echo("\n".join(map(escaped, text.split("\n"))))


@contextmanager
def progress(title: str, unit: str = "") -> Iterator[Moved]:
    """A bar on standard error while a long work goes on; nothing if that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} " + unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=8) as bar:
        task = bar.add_task(clean(title), total=0)

        def move(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None)

        yield move


def count(number: int, noun: str) -> str:
    """ "1 step", "2,000 steps"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
