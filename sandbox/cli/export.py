"""`sandbox export`: what a save holds as JSON lines or CSV, row by row, for a script or a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

WHAT = ("events", "moods", "talk", "ties", "memories", "walks")


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
def export(save: str, what: str, form: str | None, out: str | None) -> None:
    """Write what a save holds as JSON lines or CSV.

    SAVE is a file, or the name of one among your saves. It is read only, and may be played meanwhile.

    All tables have t (simulated seconds since the world's start), time ("2025-03-04 07:31:05" in the world) and
    seq (the event it comes from). People are ids, places are addresses. One row is:

    \b
    events    an event, as it is stored
              seq, step, t, kind, v, actor, causes, data
    moods     a change of somebody's mood: the mood after it (pleasure, arousal,
              dominance, each in [-1, 1]), the change, and its reason
              t, time, who, p, a, d, dp, da, dd, why, seq
    talk      something said; valence in [-1, 1]: how warm; memory: the number of
              the speaker's memory told, or -1
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

    In CSV a text that a spreadsheet could take for a formula (it begins with = + - @) gets an apostrophe before
    it; lists are joined with spaces. JSON lines have neither.

    \b
    Examples:
      sandbox export day.db --what talk --format csv --out talk.csv
      sandbox export day.db --what moods | head
    """
    import asyncio

    from sandbox.cli.tables import TABLES, write
    from sandbox.cli.telling import quiet_pipe
    from sandbox.store.session import is_save

    path = is_save(save) or Path(save)
    form = form or ("csv" if out and out.lower().endswith(".csv") else "jsonl")
    with quiet_pipe():
        asyncio.run(write(path, TABLES[what], form, Path(out) if out else None))
