"""`sandbox export`: what a save holds as JSON lines or CSV, row by row, for a script or a spreadsheet."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

from sandbox.cli.telling import wait_for
from sandbox.core.places import typed
from sandbox.core.plain import cell, escaped

EVENTS = ("seq", "step", "t", "kind", "v", "actor", "causes", "data")
WHAT = ("events", "moods", "talk", "ties", "memories", "walks", "money")  # and the tables of stories.tables


@click.command()
@click.argument("save", metavar="SAVE")
@click.option("--what", type=click.Choice(WHAT), default="events", show_default=True, help="Which table; see above.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv"]),
    default=None,
    help="JSON lines or CSV. Default: csv if FILE ends in .csv, else jsonl.",
)
@click.option("--out", metavar="FILE", help="Write to a file, which appears when all is written. Default: the screen.")
@click.option("--force", is_flag=True, help="Replace the file of --out if it exists.")
def export(save: str, what: str, form: str | None, out: str | None, force: bool) -> None:
    """Write what a save holds as JSON lines or CSV.

    SAVE is a file, or the name of one among your saves. It is read only, and may be played meanwhile.

    t is simulated seconds since the world's start, time is in the world ("2025-03-04 07:31:05"), seq the number of
    the event a row comes from. People are ids, places are addresses. One row is:

    \b
    events    an event, as it is stored
              seq, step, t, kind, v, actor, causes, data
    moods     a change of somebody's mood: the mood after it (pleasure, arousal,
              dominance, each in [-1, 1]), the change, and its reason
              t, time, who, p, a, d, dp, da, dd, why, seq
    talk      something said; n: which exchange of the talk; valence in [-1, 1]:
              how warm the move is
              t, time, talk, n, place, who, to, move, topic, about, valence,
              text, seq
    ties      a change in how who is tied to whom; what: feeling, in [-1, 1],
              or closeness, in [0, 1]
              t, time, who, whom, what, delta, after, why, talk, seq
    memories  something remembered; kind: event, chat, thought or plan; poignancy
              1 to 10; about: ids; p, a, d: the mood it was made in
              t, time, who, id, kind, text, about, poignancy, topic, p, a, d,
              evidence, seq
    walks     a walk, once it has ended; x, y: tiles, column and row from the
              top left; ended: arrived, stopped, moved or going (still on the
              way); seconds and tiles: as far as it went
              t, time, who, x, y, to_x, to_y, goal, tiles, seconds, pace, ended,
              seq
    money     coins that changed hands, of a world that has money; who: nobody
              where wages are paid; to: nobody where something is bought; what:
              "wages", what was bought, or what it was paid for; debt: the one
              that it was of, if any
              t, time, who, to, amount, what, debt, seq

    In CSV a text that a spreadsheet could take for a formula (it begins with = + - @) gets an apostrophe before
    it; lists are joined with spaces. JSON lines have neither.

    \b
    Examples:
      sandbox export day.db --what talk --format csv --out talk.csv
      sandbox export day.db --what moods | head
    """
    from sandbox.store.files import appearing

    if force and out is None:
        raise click.UsageError("--force goes with --out FILE; name the file to replace")
    form = form or ("csv" if out and out.lower().endswith(".csv") else "jsonl")
    with _quiet_pipe() if out in (None, "-") else appearing(typed(out or ""), force) as file:
        wait_for(_write(save, what, form, file))


async def _write(name: str, what: str, form: str, file: TextIO) -> None:
    """Write one table of a save, a slice of the log at a time. Raises SaveError."""
    from sandbox.store.errors import COPY, SaveError, fitting
    from sandbox.store.read import MANY
    from sandbox.store.session import read_save
    from sandbox.stories.tables import TABLES

    async with await read_save(name) as save:
        if what == "events":
            put = _writer(EVENTS, form, file)
            for after in range(0, save.last_seq, MANY):
                for event in await save.rows(after, min(after + MANY, save.last_seq)):
                    try:
                        put(event)
                    except ValueError as error:
                        raise SaveError(save.path, f"holds an event that cannot be read ({error})", COPY) from error
            return
        table = TABLES[what](await save.beginning())
        put = _writer(table.columns, form, file)
        async for records in save.slices(table.reads):
            with fitting(save.path):
                rows = [row for record in records for row in table.feed(record)]
            for row in rows:
                put(row)
        for row in table.rest():
            put(row)


def _writer(columns: Sequence[str], form: str, file: TextIO) -> Callable[[Sequence[Any]], None]:
    """What writes a row. Of events, causes and data are JSON text already."""
    if form == "csv":
        import csv

        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)

        def put_csv(row: Sequence[Any]) -> None:
            out.writerow([cell(value) for value in row])

        return put_csv
    import msgspec

    encode, raw = msgspec.json.Encoder().encode, msgspec.json.Decoder(msgspec.Raw).decode
    places = [i for i, name in enumerate(columns) if columns is EVENTS and name in ("causes", "data")]

    def put(row: Sequence[Any]) -> None:
        values = list(row)
        for i in places:
            values[i] = raw(values[i])  # JSON already; checked here, since it may come from anywhere
        file.write(escaped(encode(dict(zip(columns, values, strict=True))).decode()) + "\n")

    return put


@contextmanager
def _quiet_pipe() -> Iterator[TextIO]:
    """Standard output as UTF-8; when its reader has had enough (`| head`), the rest is dropped without a word."""
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
