"""What the commands share in talking to a person or a script: clean text, progress, JSON, and stopping.

Words of a save, a world, a file's name or the command line may come from anywhere. Commands print by `say` and
`say_json` only, which clean them on their way out, so that a terminal never takes them for commands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from sandbox.core.plain import escaped, lines

T = TypeVar("T")
Moved = Callable[[int, int], None]  # done, of how many (0: unknown)
STOPPED = "stopped"


class Stopped(Exception):
    """Ctrl-C was pressed and everything is closed; the text tells what is kept."""


def wait_for(work: Coroutine[Any, Any, T], kept: Callable[[], str] = lambda: STOPPED) -> T:
    """Run a coroutine to its end. Ctrl-C cancels it, lets it close what is open, and raises Stopped with `kept()`."""
    import asyncio

    try:
        return asyncio.run(work)
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise Stopped(kept()) from None


def say(text: str, err: bool = False, mark: str = "", colour: str = "") -> None:
    """Lines on standard output (or error), each of them clean. mark: a word of ours before them, in a colour."""
    click.echo((click.style(mark, fg=colour) if mark else "") + lines(text), err=err)


def say_json(value: object) -> None:
    """One JSON value on standard output. Never NaN or infinity."""
    import json

    say_json_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def say_json_text(text: str) -> None:
    """JSON that is text already."""
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
        task = bar.add_task(lines(title), total=0)

        def move(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None)

        yield move


def count(number: int, noun: str) -> str:
    """ "1 step", "2,000 steps"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
