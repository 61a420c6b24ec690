"""`sandbox talk`: whether the lines of a world are right, which of them a save used, and how well people talk in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from sandbox.cli.judged import CHECK, SHOULD, MeasureTable, check_mark, require_table
from sandbox.cli.options import JSON, SAVE, help_text
from sandbox.cli.telling import Moved, align_columns, progress_bar, say_json, say_text, wait_for
from sandbox.core.faults import Faults, path_text
from sandbox.core.places import data_dir
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.readers.talk_measures import TalkReading
    from sandbox.store.read import SaveReader

T = TypeVar("T")
WORLD = "larkspur"
NEVER, OFTENEST = 40, 10  # how many are listed: unused lines; each of frames, repeated lines and false citations


@click.group()
def talk() -> None:
    """Check the lines that people say, and measure how they talk."""


@talk.command("lint")
@click.argument("world", metavar="[WORLD]", default=WORLD)
def lint_command(world: str) -> None:
    """Check the lines of a world: a folder, or a name from `worlds list`. Exit code 2 if there are faults.

    It finds what `worlds check` finds, and also lines and variants that can never be said, slots that no line uses, and
    question marks in moves that wait for no answer; as notes, it lists traits and places that nobody of the world has,
    and variants that share four words in a row.

    \b
    Examples:
      sandbox talk lint
      sandbox talk lint worlds/green
    """
    from sandbox.engine.loading import FEED_LINES, PRESSED_LINES, RUMOUR_LINES, SHOWDOWN_LINES, find_world, read
    from sandbox.engine.world import World
    from sandbox.talk.lint import line_places, lint, people_of, report_findings

    folder = find_world(world)
    scenario, faults = read(folder)
    found = Faults()
    if scenario is not None:
        files = [
            data_dir() / name for name in ("lines.yaml", *PRESSED_LINES, *SHOWDOWN_LINES, *RUMOUR_LINES, *FEED_LINES)
        ]
        own = folder / "lines.yaml"
        files += [own] if own.exists() else []
        people = people_of(World(scenario))
        report_findings(
            lint(scenario.lines, scenario.drama, people), line_places(files, found), found, path_text(files[0])
        )
    for fault in sorted([*faults.at("error", "warning"), *found]):
        say_text(str(fault))
    errors = len(faults.errors) + len(found.errors)
    if scenario is None or errors:
        say_text(count_of(errors, "fault"), err=True)
        raise SystemExit(2)
    book = scenario.lines
    counts = (
        count_of(len(book.lines), "line"),
        count_of(sum(len(line.say) for line in book.lines), "variant"),
        count_of(len(book.slots), "slot"),
        count_of(len(found.at("warning")), "warning"),
        count_of(len(found.at("note")), "note"),
    )
    say_text(f"{scenario.name}: ok ({', '.join(counts)})")


@talk.command("coverage")
@SAVE
@JSON
def coverage_command(save: str, as_json: bool) -> None:
    """Show which lines of its book a save has used, by move, and which it has not.

    JSON is {"save", "moves": [{"move", "lines", "lines_used", "variants", "variants_used", "said"}], "lines_never":
    [id], "variants_never": [variant], "said": {variant: times}}; variants_never holds unused variants of lines that
    were used. A variant is named by its line and its number there, from 0.

    \b
    Examples:
      sandbox talk coverage week.db
      sandbox talk coverage week.db --json
    """
    from sandbox.readers.talk_measures import coverage

    found = wait_for(_read(save, coverage))
    moves = found.moves()
    lines, variants = found.never()
    if as_json:
        say_json(
            {
                "save": save,
                "moves": [row._asdict() for row in moves[:-1]],
                "lines_never": lines,
                "variants_never": variants,
                "said": dict(sorted(found.said.items())),
            }
        )
        return
    rows = [
        (row.move or "all", f"{row.lines_used}/{row.lines}", f"{row.variants_used}/{row.variants}", f"{row.said:,}")
        for row in moves
    ]
    say_text(align_columns(("MOVE", "LINES", "VARIANTS", "SAID"), rows, right=(1, 2, 3)))
    if lines:
        say_text(f"\n{count_of(len(lines), 'line')} never used:")
        say_text("\n".join(f"  {x}" for x in lines[:NEVER]))
        if len(lines) > NEVER:
            say_text(f"  and {len(lines) - NEVER:,} more; --json lists all")
    if variants:
        say_text(f"\n{count_of(len(variants), 'variant')} of lines that were used went unsaid.")


@talk.command("stats", help=help_text("talk_stats"))
@SAVE
@CHECK
@JSON
def stats_command(save: str, check: bool, as_json: bool) -> None:
    """Measure how well the people of a save talk."""
    require_table(check, as_json)

    from sandbox.readers.talk_measures import measure_save

    read = wait_for(_read(save, measure_save))
    if as_json:
        days = [{"day": n, **day.figures()} for n, day in sorted(read.talk.days.days.items())]
        say_json({"save": save, "days": days, "whole": read.stats})
    else:
        _table(read, MeasureTable(check))


async def _read(name: str, how: Callable[[SaveReader, Moved], Awaitable[T]]) -> T:
    """Apply a function to a save, with a progress bar. Raises SaveError, and WorldFaults if nobody lives there."""
    from sandbox.store.save import read_save
    from sandbox.store.session import require_people

    async with await read_save(name) as save:
        require_people((await save.beginning()).scenario, path_text(save.path))
        with progress_bar("reading", "events") as moved:
            return await how(save, moved)


def _table(read: TalkReading, judged: MeasureTable) -> None:
    """Print a row for each measure, then what was said too often."""
    from sandbox.readers.talkstats import TARGETS

    rows = []
    for key, target in TARGETS.items():
        x, should = read.stats[key], target.range
        state = "" if should is None else "-" if x is None else check_mark(should.holds(x))
        rows.append((target.label, target.value(x), state, target.words()))
    say_text(judged.table(("MEASURE", "HERE", "", SHOULD), rows, right=(1,)))
    often = sorted(read.talk.frames.items(), key=lambda x: (-x[1], x[0]))[:OFTENEST]
    if often:
        say_text("\nSaid most often in a day: " + ", ".join(f"{frame} {n}" for frame, n in often))
    for text, _ in read.talk.again.most_common(OFTENEST):
        say_text(f"Heard again: {text}")
    for text in read.facts.false_ones[:OFTENEST]:
        say_text(f"False: {text}")
    judged.end()
