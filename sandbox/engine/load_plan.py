"""Reading a town: `areas.yaml` (legend and areas) and `map.txt`, checked together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import cast, get_args

from sandbox.core.faults import Faults, quoted, shown, suggestion
from sandbox.core.textfiles import NOTHING, Reader, Value, open_yaml
from sandbox.core.yamlnodes import read_text
from sandbox.town.grid import Town
from sandbox.town.plan import Arena, Glyph, Plan, Rect, Sector, TileKind
from sandbox.town.reach import Start, cut_off

KINDS: tuple[str, ...] = get_args(TileKind)
FLOORS = ("wood", "tile", "stone", "carpet", "plaster", "grass", "gravel", "sand", "paving", "planks")
TAGS = (
    "indoors",
    "outdoors",
    "home",
    "shop",
    "food",
    "drink",
    "worship",
    "school",
    "office",
    "water",
    "green",
)
ROOFS = ("terracotta", "slate", "plum", "moss", "ochre", "blue", "thatch", "none")
SIDE = 2000


class Places:
    """The addresses of a town, and a way to check one.

    town is None if the plan has faults: then less is checked.
    """

    def __init__(self, plan: Plan, names: dict[str, tuple[str, ...]], whole: bool) -> None:
        """names: sector -> names of its arenas, those with faults too.

        whole: whether the plan has no fault.
        """
        self.plan = plan
        self.town = Town(plan) if whole else None
        self._sectors = names
        self._arenas = {f"{s} / {a}" for s, arenas in names.items() for a in arenas}

    def check(self, value: Value, words: Iterable[str] = (), objects: bool = False) -> str | None:
        """The address in a value, with its blanks put right, or None with a fault.

        words: what may stand instead ("home", "work"). objects: whether "Sector / arena / object" is allowed.
        """
        raw = value.text()
        if raw is None or raw in words:
            return raw
        names = [part.strip() for part in raw.split("/")]
        address = " / ".join(names)
        arena = " / ".join(names[:2])
        if not self._arenas:
            return address
        if len(names) == 1 and raw in self._sectors:
            of = self._sectors[raw]
            mend = f"; write {quoted(f'{raw} / {of[0]}')}" if of else ""
            value.fault(f"{quoted(raw)} is a whole sector{mend}")
            return None
        if arena not in self._arenas or len(names) > 3:
            hint = suggestion(arena, (*self._arenas, *words))
            if not hint and names[0] in self._sectors and self._sectors[names[0]]:
                hint = f"; {safe_names(names[0], self._sectors[names[0]])}"
            value.fault(f"no area {quoted(address)}{hint}")
            return None
        if len(names) == 3:
            if not objects:
                value.fault(f"{quoted(address)} is an object; an area belongs here: {quoted(arena)}")
                return None
            if self.town is not None and address not in self.town.things:
                there = [t.address for t in self.town.areas[arena].things]
                value.fault(f"no object {quoted(address)}{suggestion(address, there)}")
                return None
        return address


def safe_names(sector: str, arenas: Iterable[str]) -> str:
    """`"Tansy Bakery" has shop, kitchen`."""
    return f"{quoted(sector)} has {', '.join(arenas)}"


def read_plan(folder: Path, faults: Faults) -> Places:
    """The plan of the world in a folder. With faults, as much of it as other files need to be checked."""
    before = len(faults.errors)
    root = open_yaml(folder / "areas.yaml", faults)
    reader = Reader(root)
    legend = _legend(reader.section("legend", need='{".": {name: grass, kind: ground, look: grass}}'))
    rows = _rows(folder / "map.txt", legend if root is not None else None, faults)
    width, height = (len(rows[0]), len(rows)) if rows else (0, 0)
    names: dict[str, tuple[str, ...]] = {}
    sectors: list[tuple[Sector, Value]] = []
    for name, value in reader.section("sectors", need="{Town Square: {rect: [0, 0, 9, 9]}}").entries():
        sector = _sector(name, value, (0, 0, width, height), names)
        if sector is not None:
            sectors.append((sector, value))
    _overlaps([(s.name, s.rect, v) for s, v in sectors], "sector")
    _twins(names, reader)
    reader.rest()
    plan = Plan(tuple(rows), legend, tuple(s for s, _ in sectors))
    return Places(plan, names, whole=len(faults.errors) == before)


def _legend(reader: Reader) -> dict[str, Glyph]:
    out: dict[str, Glyph] = {}
    names: dict[str, str] = {}
    for letter, value in reader.entries():
        if len(letter) != 1:
            reader.key_fault(letter, f"{quoted(letter)} is {len(letter)} characters; a letter of the map is one")
            continue
        r = value.mapping()
        name = r.text("name", letter, need="grass", limit=40)
        kind = r.choice("kind", "ground", KINDS, "kind of tile", need="ground")
        look = r.text("look", name, need="grass", limit=40)
        walk_value = r.get("walk")
        walk = walk_value.flag() if walk_value is not None else None
        affords = r.texts("affords", limit=40)
        idle = r.text("idle", limit=60)
        if kind != "object":
            for key in ("affords", "idle"):
                if key in r:
                    r.key_fault(key, f'"{key}" is for objects; write kind: object, or take it out')
        if "/" in name:
            value.fault(f'the name {quoted(name)} holds a "/", which parts addresses; choose another')
        if kind == "object" and names.setdefault(name, letter) != letter:
            value.fault(
                f"{quoted(name)} is the name of {quoted(names[name])}, too; one kind of object, one letter",
                "note",
            )
        r.rest()
        out[letter] = Glyph(name, cast(TileKind, kind), look, affords, idle, walk)
    return out


def _rows(path: Path, legend: dict[str, Glyph] | None, faults: Faults) -> list[str]:
    """The rows of a map, made even and of known letters, whatever the file holds."""
    text = read_text(path, faults)
    if text is None:
        return []
    name = shown(path)
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
        _letters(name, rows, legend, faults)
    known = legend or {".": Glyph("ground", "ground", "grass")}
    fill = next(iter(known))
    return ["".join(c if c in known else fill for c in row[:width].ljust(width)) for row in rows]


def _letters(name: str, rows: list[str], legend: dict[str, Glyph], faults: Faults) -> None:
    strange = set().union(*rows) - legend.keys()
    for letter in sorted(strange):
        count = sum(row.count(letter) for row in rows)
        y = next(i for i, row in enumerate(rows) if letter in row)
        x = rows[y].index(letter)
        more = f", and {count - 1} times more" if count > 1 else ""
        mend = "indent with letters of the map" if letter == "\t" else "add it to the legend of areas.yaml"
        faults.add(name, y + 1, x + 1, f"x {x}, y {y}: no letter {quoted(letter)} in the legend{more}; {mend}")


def _rect(r: Reader) -> tuple[Rect, Value] | None:
    value = r.get("rect", need="[10, 4, 22, 9]")
    if value is None:
        return None
    items = value.values()
    numbers = [v.integer(0 if i < 2 else 1, SIDE) for i, v in enumerate(items[:4])]
    if len(items) != 4:
        value.fault(f"has {len(items)} entries; write four: [x, y, width, height]")
        return None
    x, y, w, h = numbers
    if x is None or y is None or w is None or h is None:
        return None
    return (x, y, w, h), value


def _inside(inner: Rect, outer: Rect) -> bool:
    (x, y, w, h), (ox, oy, ow, oh) = inner, outer
    return x >= ox and y >= oy and x + w <= ox + ow and y + h <= oy + oh


def _span(rect: Rect) -> str:
    x, y, w, h = rect
    return f"x {x} to {x + w - 1}, y {y} to {y + h - 1}"


def _sector(name: str, value: Value, whole: Rect, names: dict[str, tuple[str, ...]]) -> Sector | None:
    r = value.mapping()
    if "/" in name:
        value.fault(f'the name {quoted(name)} holds a "/", which parts addresses; choose another')
    placed = _rect(r)
    if placed is not None and whole[2] and not _inside(placed[0], whole):
        placed[1].fault(f"{_span(placed[0])} reaches outside the map ({_span(whole)})")
    look = r.section("look")
    roof = look.choice("roof", "none", (*ROOFS, *NOTHING), "roof")
    look.rest()
    section = r.section("arenas", need="{room: {rect: [11, 5, 10, 7]}}")
    arenas: list[tuple[Arena, Value]] = []
    for arena_name, arena_value in section.entries():
        arena = _arena(arena_name, arena_value, name, placed[0] if placed else None)
        if arena is not None:
            arenas.append((arena, arena_value))
    names[name] = tuple(n for n, _ in section.entries())
    _overlaps([(a.name, a.rect, v) for a, v in arenas], "arena")
    called = r.text("called", "")
    r.rest()
    if placed is None:
        return None
    return Sector(name, placed[0], tuple(a for a, _ in arenas), "" if roof in ("none", *NOTHING) else roof, called)


def _arena(name: str, value: Value, sector: str, outer: Rect | None) -> Arena | None:
    r = value.mapping()
    if "/" in name:
        value.fault(f'the name {quoted(name)} holds a "/", which parts addresses; choose another')
    placed = _rect(r)
    floor = r.choice("floor", "", FLOORS, "floor")
    tags = r.choices("tags", TAGS, "tag")
    if "indoors" in tags and "outdoors" in tags:
        value.fault("is tagged indoors and outdoors; keep one")
    r.rest()
    if placed is None:
        return None
    if outer is not None and not _inside(placed[0], outer):
        placed[1].fault(f"{_span(placed[0])} reaches outside {quoted(sector)} ({_span(outer)})")
    return Arena(name, placed[0], floor, tags)


def _overlaps(areas: list[tuple[str, Rect, Value]], what: str) -> None:
    for i, (name, (x, y, w, h), value) in enumerate(areas):
        for other, (ox, oy, ow, oh), _ in areas[:i]:
            left, top, right, bottom = max(x, ox), max(y, oy), min(x + w, ox + ow), min(y + h, oy + oh)
            if left < right and top < bottom:
                common = _span((left, top, right - left, bottom - top))
                value.fault(f"{what} {quoted(name)} overlaps {quoted(other)} at {common}; move or shrink one")


def _twins(names: dict[str, tuple[str, ...]], reader: Reader) -> None:
    sectors = reader.section("sectors")
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault(name.casefold(), name)
        if first != name:
            sectors.key_fault(name, f"{quoted(name)} and {quoted(first)} differ in capitals only; rename one")


def check_reach(places: Places, path: Path, starts: Iterable[Start], faults: Faults) -> None:
    """Prove that all of a whole plan can be reached, or name in its map what cannot."""
    if places.town is None:
        return
    for lost in cut_off(places.town, starts):
        faults.add(shown(path), lost.y + 1, lost.x + 1, f"x {lost.x}, y {lost.y}: {lost.what}: {lost.mend}")
