"""`sandbox worlds`: list worlds, and check their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.options import JSON_ROWS, LENIENT, with_crowd
from sandbox.cli.telling import align_columns, say_json, say_text
from sandbox.core.faults import Faults, path_text, safe
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.engine.scenario import Scenario


@click.group()
def worlds() -> None:
    """List worlds and check their files."""


@worlds.command("list")
@JSON_ROWS
def worlds_list_command(as_json: bool) -> None:
    """List the worlds that ship, your own, and those of this folder."""
    from sandbox.engine.loading import list_worlds

    rows = [{"name": name, **_facts(path), "path": path_text(path)} for name, path in sorted(list_worlds().items())]
    if as_json:
        say_json(rows)
        return
    if not rows:
        say_text("no worlds found; a world is a folder in worlds/ with a world.yaml")
        return
    table = []
    for row in rows:
        size = f"{row['width']}x{row['height']}" if row["width"] else "-"
        table.append((safe(str(row["name"]), 40), str(row["title"]) or "-", str(row["people"]), size, str(row["path"])))
    say_text(align_columns(("NAME", "TITLE", "PEOPLE", "SIZE", "PATH"), table))


@worlds.command("check")
@click.argument("path", metavar="PATH")
@click.option("--notes", is_flag=True, help="Show notes for authors, too.")
@LENIENT
def check_command(path: str, notes: bool, lenient: bool) -> None:
    """Check all files of a world: a folder, or a name from `worlds list`. Exit code 2 if there are faults."""
    from sandbox.engine.loading import find_world, read

    scenario, faults = read(find_world(path), settings=with_crowd((), None, lenient))
    for fault in faults.at("error", "warning", "note") if notes else faults.at("error", "warning"):
        say_text(str(fault))
    if scenario is None:
        say_text(count_of(len(faults.errors), "fault"), err=True)
        raise SystemExit(2)
    areas = scenario.map.areas.values()
    town = (
        f"{len(scenario.cast)} people",
        f"{len(scenario.plan.sectors)} sectors",
        f"{len(areas)} arenas",
        f"{sum(len(area.things) for area in areas)} objects",
        f"{len(scenario.calendar)} occasions",
        f"{len(scenario.pressures)} pressures",
        f"{len(scenario.deck.activities)} activities",
        f"{len(scenario.lines.lines)} lines",
    )
    counts = [*town * bool(scenario.cast), *_of_feed(scenario)]
    say_text(f"{scenario.name}: ok ({', '.join(counts)})")


def _of_feed(scenario: Scenario) -> list[str]:
    """Counts of the users, follows and posts of a world's feed."""
    from sandbox.feed.loaded_tables import unpack_cards, unpack_follows

    crowd = scenario.parameters.get("feed.crowd", 0)
    tables = None if scenario.feed is None else scenario.feed.population
    if tables is None:
        return [count_of(crowd, "user")] * bool(crowd)
    follows, cards = unpack_follows(tables), unpack_cards(tables)
    return [
        f"{count_of(crowd, 'user')}, {tables.count:,} of them from tables",
        f"{0 if follows is None else len(follows[1]):,} follows",
        count_of(0 if cards is None else len(cards.t), "post"),
    ]


def _facts(path: Path) -> dict[str, str | int]:
    """What the list shows of a world, read without checking it; unreadable parts are left empty."""
    from sandbox.core.textfiles import MappingReader, open_yaml
    from sandbox.core.yamlnodes import read_text

    ignored = Faults()
    r = MappingReader(open_yaml(path / "world.yaml", ignored))
    rows = (read_text(path / "map.txt", ignored) or "").rstrip("\n").split("\n")
    return {
        "title": r.text("title", limit=80),
        "people": len(r.items("cast")),
        "width": max(map(len, rows)),
        "height": len(rows) if rows[0] else 0,
    }
