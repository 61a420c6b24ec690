"""Reads a town: `areas.yaml` (legend and areas) and `map.txt`, checked together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from sandbox.core.faults import Faults, in_quotes, path_text
from sandbox.core.fields import fields
from sandbox.core.structs import add_faults, read, section
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.core.textvalues import NOTHING
from sandbox.core.yamlnodes import read_text
from sandbox.engine.rules_town import of_areas, of_legend
from sandbox.town.grid import Addresses, TownMap
from sandbox.town.plan import ROOFS, SIDE, Arena, FloorPlan, Glyph, Sector
from sandbox.town.reach import StartTile, cut_off


class Places(NamedTuple):
    """A plan, its addresses (of faulty areas as well), and its town, which is None if there are faults."""

    plan: FloorPlan
    addresses: Addresses
    town: TownMap | None


def read_floor_plan(folder: Path, faults: Faults) -> Places:
    """The plan in a folder. With faults, as much of it as checking other files needs."""
    before = len(faults.errors)
    root = open_yaml(folder / "areas.yaml", faults)
    r = MappingReader(root)
    letters = section(FloorPlan, "legend", r)
    legend = _legend(letters, faults)
    rows = _rows(folder / "map.txt", legend if letters.value is not None else None, faults, {*"".join(letters.bad)})
    names: dict[str, tuple[str, ...] | None] = {}
    sectors_of = section(FloorPlan, "sectors", r)
    sectors = [s for name, value in sectors_of.entries() if (s := _sector(name, value, names)) is not None]
    whole = (0, 0, len(rows[0]), len(rows)) if rows else (0, 0, SIDE, SIDE)
    add_faults(of_areas(sectors, whole), faults)
    _twins(names, sectors_of)
    if "sectors" in r and not names:
        r.key_fault("sectors", f"is empty; write for example `{fields(FloorPlan)['sectors'].more['need']}`")
    r.rest()
    plan = FloorPlan(tuple(rows), legend, tuple(sectors))
    town = TownMap(plan) if len(faults.errors) == before else None
    return Places(plan, Addresses(names, town), town)


def _legend(reader: MappingReader, faults: Faults) -> dict[str, Glyph]:
    out: dict[str, Glyph] = {}
    names: dict[str, str] = {}
    for letter, value in reader.entries():
        if len(letter) != 1:
            reader.key_fault(letter, f"{in_quotes(letter)} is {len(letter)} characters; a letter of the map is one")
            reader.bad.add(letter)
            continue
        g = value.mapping()
        glyph = out[letter] = read(Glyph, g)
        if "kind" in g.bad:
            g.bad |= {"affords", "idle"}  # only objects have these
        if glyph.kind == "object" and names.setdefault(glyph.name, letter) != letter:
            first = in_quotes(names[glyph.name])
            value.fault(f"{in_quotes(glyph.name)} is the name of {first}, too; one kind of object, one letter", "note")
    add_faults(of_legend(out), faults)
    return out


def _rows(path: Path, legend: dict[str, Glyph] | None, faults: Faults, meant: Collection[str]) -> list[str]:
    """The rows of a map, padded to one length, unknown letters replaced. meant: letters already reported as a legend's
    misspelling.
    """
    text = read_text(path, faults)
    if text is None:
        return []
    name = path_text(path)
    rows = [row.removesuffix("\r") for row in text.split("\n")]
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        faults.add(name, 0, 0, "is empty; draw the town with the letters of the legend")
        return []
    if len(rows) > SIDE or max(map(len, rows)) > SIDE:
        faults.add(name, 0, 0, f"is more than {SIDE} tiles long or wide; divide the town")
        return []
    width = Counter(map(len, rows)).most_common(1)[0][0]
    for y, row in enumerate(rows):
        if len(row) != width:
            mend = f"add {width - len(row)}" if len(row) < width else f"take {len(row) - width} off"
            faults.add(name, y + 1, 1, f"this row (y {y}) is {len(row)} letters long, the others {width}; {mend}")
    if legend is not None:
        _letters(name, rows, {*legend, *meant}, faults)
    known = legend or {".": Glyph("ground", "ground", "grass")}
    fill = next(iter(known))
    return ["".join(c if c in known else fill for c in row[:width].ljust(width)) for row in rows]


def _letters(name: str, rows: list[str], known: set[str], faults: Faults) -> None:
    strange = set().union(*rows) - known
    for letter in sorted(strange):
        count = sum(row.count(letter) for row in rows)
        y = next(i for i, row in enumerate(rows) if letter in row)
        x = rows[y].index(letter)
        more = f", and {count - 1} times more" if count > 1 else ""
        mend = "indent with letters of the map" if letter == "\t" else "add it to the legend of areas.yaml"
        faults.add(name, y + 1, x + 1, f"x {x}, y {y}: no letter {in_quotes(letter)} in the legend{more}; {mend}")


def _sector(name: str, value: Value, names: dict[str, tuple[str, ...] | None]) -> Sector | None:
    """A sector; None if its place is unknown. names: gets the names of its arenas, None if unreadable."""
    r = value.mapping()
    look = r.section("look")
    roof = look.choice("roof", "none", (*ROOFS, *NOTHING), "roof")
    look.rest()
    of = section(Sector, "arenas", r)
    arenas = [arena for arena_name, v in of.entries() if (arena := _arena(arena_name, v)) is not None]
    names[name] = tuple(n for n, _ in of.entries()) if "arenas" in r or "arenas" not in r.bad else None
    sector = read(Sector, r, name=name, arenas=tuple(arenas), roof="" if roof in ("none", *NOTHING) else roof)
    return None if "rect" in r.bad else sector


def _arena(name: str, value: Value) -> Arena | None:
    r = value.mapping()
    arena = read(Arena, r, name=name)
    return None if "rect" in r.bad else arena


def _twins(names: Iterable[str], sectors: MappingReader) -> None:
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault(name.casefold(), name)
        if first != name:
            sectors.key_fault(name, f"{in_quotes(name)} and {in_quotes(first)} differ in capitals only; rename one")


def check_reach(town: TownMap, path: Path, starts: Iterable[StartTile], faults: Faults) -> None:
    """Check that all of a town can be reached on foot; report in its map what cannot."""
    for lost in cut_off(town, starts):
        faults.add(path_text(path), lost.y + 1, lost.x + 1, f"x {lost.x}, y {lost.y}: {lost.what}: {lost.mend}")
