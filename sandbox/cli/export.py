"""`sandbox export`: a save's tables as JSON lines or CSV, for a script or spreadsheet; its ties also as a graph."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from sandbox.cli.moments import SaveMoment, at_moment, step_of
from sandbox.cli.options import SAVE, check_force, help_text
from sandbox.cli.telling import say_text, wait_for
from sandbox.core.faults import path_text
from sandbox.core.places import expand_path
from sandbox.core.plain import cell, escape_json

if TYPE_CHECKING:
    from sandbox.engine.world import World
    from sandbox.store.save import Save

EVENTS = ("seq", "step", "t", "kind", "v", "actor", "causes", "data")
WHAT = (
    "events", "moods", "talk", "ties", "memories", "walks", "money", "feed", "phones",  # of readers.tables
    "feed-users", "feed-follows", "feed-posts", "feed-comments",  # of readers.tables_feed
    "society",
)  # fmt: skip
FEEDLESS = "export another table, or a save of a world with a feed (`sandbox run WORLD --crowd N`)"
LOADABLE = ("feed-users", "feed-follows", "feed-posts")  # tables that a world can load as its population
ROWS, GRAPHS = ("jsonl", "csv"), ("graphml", "gexf")
GRAPHED = ("ties", "society")
SHOWN = 20  # lines of a table that a terminal shows
PAUSE = 5000  # rows written before Ctrl-C can take effect

Put = Callable[[Sequence[Any]], None]


@click.command(help=help_text("export"))
@SAVE
@click.option("--what", type=click.Choice(WHAT), default="events", show_default=True, help="Which table; see above.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*ROWS, *GRAPHS]),
    default=None,
    help="JSON lines or CSV; for ties, society also a graph. Default: by the ending of FILE, else jsonl.",
)
@at_moment('For ties, society: at a step (780) or a time (12:40, "day 3 18:00"). Default for a graph: the end.')
@click.option(
    "--out",
    metavar="FILE",
    help="Write to a file, which appears when it is complete. Default: standard output, of which a terminal shows the "
    f"first {SHOWN} lines; - shows all.",
)
@click.option("--force", is_flag=True, help="Replace the file of --out if it exists.")
@click.option(
    "--loadable", is_flag=True, help="For feed-users, feed-follows, feed-posts: only the columns that a world can load."
)
def export(
    save: str, what: str, form: str | None, at: SaveMoment | None, out: str | None, force: bool, loadable: bool
) -> None:
    """Write a table of a save, or its ties, or a society's network, as a graph."""
    from sandbox.store.files import appearing

    check_force(force, out, "--out")
    if loadable and what not in LOADABLE:
        raise click.UsageError(f"--loadable goes with --what {', '.join(LOADABLE)}; no world loads {what}")
    form = form or next((known for known in (*ROWS, *GRAPHS) if (out or "").lower().endswith(f".{known}")), ROWS[0])
    if what not in GRAPHED and form in GRAPHS:
        told = " or ".join(GRAPHED)
        raise click.UsageError(f"{form} goes with --what {told}: {what} is not a graph; choose {' or '.join(ROWS)}")
    if loadable and form == "csv" and out in (None, "-") and stdout_is_terminal():
        raise click.UsageError(
            "--loadable as CSV keeps every text unchanged, even codes that a terminal obeys; give --out FILE"
        )
    if what not in GRAPHED and at is not None:
        raise click.UsageError(f"--at goes with --what {' or '.join(GRAPHED)}: {what} is written whole")
    path = None if out is None or out == "-" else expand_path(out)
    with _quiet_pipe() if path is None else appearing(path, force) as file:
        first = FirstLines(file) if out is None and stdout_is_terminal() else None
        wait_for(_write(save, what, form, at, cast("TextIO", first or file), loadable))
    if path is not None:
        say_text(f"written to {path_text(path)}", err=True)
    if first is not None and first.more:
        say_text(f"\nand {first.more:,} more lines; --out FILE keeps them all, `--out -` shows them", err=True)


def stdout_is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


class FirstLines:
    """A file that takes only the first SHOWN lines. more: how many lines were left out."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._room = SHOWN
        self.more = 0

    def write(self, text: str) -> int:
        """Write as many of these whole lines as there is room for."""
        lines = text.splitlines(keepends=True)
        self._file.write("".join(lines[: self._room]))
        self.more += len(lines[self._room :])
        self._room -= len(lines[: self._room])
        return len(text)


async def _write(name: str, what: str, form: str, at: SaveMoment | None, file: TextIO, loadable: bool) -> None:
    """Write one table of a save, row by row, or a graph. Raises SaveError, and BadParameter for a moment it lacks."""
    from sandbox.readers.tables import TABLES
    from sandbox.readers.tables_feed import STATES
    from sandbox.store.errors import SaveError
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        if what == "society":
            _society(save, await save.seek(await step_of(save, at)), form, file)
        elif form in GRAPHS or at is not None:
            _ties(await save.seek(await step_of(save, at)), form, file)
        elif what == "events":
            await _events(save, _writer(EVENTS, form, file))
        elif what in STATES:
            world = await save.seek()
            if world.scenario.feed is None:
                raise SaveError(save.path, "is of a world without a feed", FEEDLESS)
            state = STATES[what](world, loadable)
            await _rows(save, state.cells(), _writer(state.columns[: state.width], form, file, loadable))
        else:
            world = await save.beginning()
            if what in ("feed", "phones") and world.scenario.feed is None:
                raise SaveError(save.path, "is of a world without a feed", FEEDLESS)
            table = TABLES[what](world)
            put = _writer(table.columns, form, file)
            async for records in save.slices(table.reads):
                await _rows(save, (row for record in records for row in table.feed(record)), put)
            await _rows(save, table.rest(), put)


def _society(save: Save, world: World, form: str, file: TextIO) -> None:
    """Write the network of a society that is a world by itself, as rows or as a graph. Raises SaveError."""
    from sandbox.lab.tiegraph import graph_text
    from sandbox.society.growth import Growth
    from sandbox.society.model import COORDINATES
    from sandbox.store.errors import SaveError

    if world.grown.parameters is None:
        raise SaveError(save.path, "is of no society", "name one that open_society made (docs/society.md)")
    society = Growth(world.grown.parameters)
    for event in world.grown.steps:
        society.apply(event)
    if form in GRAPHS:
        file.write(graph_text(society.graph(), form))
        return
    put = _writer(("source", "target", "source_type", "target_type", *COORDINATES, "weight"), form, file)
    types = ["R" if of_r else "B" for of_r in society.types.tolist()]
    for (source, target), weight in society.arcs.items():
        put((source, target, types[source], types[target], *weight.tolist(), weight.sum().item()))


def _ties(world: World, form: str, file: TextIO) -> None:
    """Write the ties between all people as the world has them, as rows or as a graph."""
    from sandbox.lab.tiegraph import TieRecord, graph, graph_text, tie_records

    if form in GRAPHS:
        file.write(graph_text(graph(world), form))
        return
    put = _writer(TieRecord._fields, form, file)
    for tie in tie_records(world):
        put(tie)


async def _events(save: Save, put: Put) -> None:
    """Write all events of the log. Raises SaveError."""
    from sandbox.store.errors import COPY, SaveError

    async for _, rows in save.runs():
        for row in rows:
            try:
                put(row)
            except ValueError as error:
                raise SaveError(save.path, f"holds an event that cannot be read ({error})", COPY) from error


async def _rows(save: Save, rows: Iterable[Sequence[Any]], put: Put) -> None:
    """Write rows as they are made. Raises SaveError for an event that no row can be made of."""
    import asyncio

    from sandbox.store.errors import explain_unfitting

    def made() -> Iterator[Sequence[Any]]:
        with explain_unfitting(save.path):
            yield from rows

    for count, row in enumerate(made(), 1):
        put(row)
        if count % PAUSE == 0:
            await asyncio.sleep(0)


def _writer(columns: Sequence[str], form: str, file: TextIO, exact: bool = False) -> Put:
    """A function that writes a row. In events, causes and data are already JSON. exact: write texts unchanged."""
    if form == "csv":
        import csv

        out = csv.writer(file, lineterminator="\r\n" if exact else "\n")  # CSV quotes texts that contain these
        out.writerow(columns)

        def put_csv(row: Sequence[Any]) -> None:
            out.writerow(row if exact else [cell(value) for value in row])

        return put_csv
    import msgspec

    encode, raw = msgspec.json.Encoder().encode, msgspec.json.Decoder(msgspec.Raw).decode
    places = [i for i, name in enumerate(columns) if columns is EVENTS and name in ("causes", "data")]

    def put(row: Sequence[Any]) -> None:
        values = list(row)
        for i in places:
            values[i] = raw(values[i])  # JSON already; checked here, since it may come from anywhere
        file.write(escape_json(encode(dict(zip(columns, values, strict=True))).decode()) + "\n")

    return put


@contextmanager
def _quiet_pipe() -> Iterator[TextIO]:
    """Standard output as UTF-8; if its reader closes it (`| head`), the rest is dropped silently."""
    raw = sys.stdout.buffer
    out = io.TextIOWrapper(raw, encoding="utf-8", newline="")
    try:
        yield out
        out.flush()
    except BrokenPipeError:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, raw.fileno())
            os.close(nowhere)
    finally:
        with suppress(OSError, ValueError):
            out.detach()
