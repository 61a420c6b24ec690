"""Words on the map: names of places (near: on closed roofs and far walls; from afar: one on each plot); arrows at the
edge towards people out of view (the selected one, favourites, people in a quarrel); descriptions of tiles, and the
line of the look cursor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from sandbox.core.text import clean
from sandbox.people.claim_model import Use
from sandbox.readers.places import MapThing, dwellers, use_of
from sandbox.town.plan import sector_of
from sandbox.tui.map.picture import Picture
from sandbox.tui.view.cells import NEAR, Box, MapScale, bounds, fit_text
from sandbox.tui.view.person_words import person_title
from sandbox.tui.view.text_lines import Line, ink, outside, with_end
from sandbox.tui.view.viewer import Viewer

MOSTLY = 0.7  # share of a building that must be in view for its name to be shown
MARGIN = 1  # free cells at each side of a name, at near zoom
SPOTS = 60  # most places tried for a name
LEAST = 5  # least cells a shortened name keeps
ARROWS, NAMES = 3, 16  # most arrows, and cells of a name on one
NAMELESS = frozenset(("ground", "wall"))  # kinds of tiles described by their place alone

Spots = tuple[tuple[int, int], ...]
Uses = Mapping[str, Use]  # address -> what the place is


class Chip(NamedTuple):
    """A text in the view's own cells. For an arrow, who: the person it leads to; mood: theirs, which colours it."""

    x: int
    y: int
    text: str
    who: str = ""
    mood: str = ""

    @property
    def area(self) -> Box:
        """The cells it covers."""
        return Box(self.x, self.y, cell_len(self.text), 1)


class MapLabel(NamedTuple):
    """A name with its possible places on the map, in cells, best first: under a closed roof and under an open one.

    area: the cells that must (mostly) be in view.
    """

    sector: str
    text: str
    area: Box
    closed: Spots
    opened: Spots


class Labels:
    """Places the names; a name stays in its place as long as that is free. shown: whether names are shown at all."""

    def __init__(self, picture: Picture) -> None:
        self.shown = True
        self._picture = picture
        self._scale = NEAR
        self._uses: Uses = {}
        self._near: dict[tuple[int, str], MapLabel | None] = {}  # (building, name) -> its label, None: does not fit
        self._plots = self._near_plots({})
        self._last: dict[str, tuple[bool, tuple[int, int]]] = {}
        self.chips: list[Chip] = []

    def lay(
        self, view: Box, scale: MapScale, taken: Sequence[Box], roofs: Mapping[str, float], uses: Uses
    ) -> list[Chip]:
        """Place the names of a frame. view: the cells in view; taken: areas to keep clear; roofs: sector -> alpha;
        uses: what places are used as.
        """
        if scale != self._scale or uses != self._uses:
            self._scale, self._uses = scale, uses
            now = {sector_of(place): use.label for place, use in uses.items() if use.label}
            self._plots = self._near_plots(now) if scale == NEAR else _far_plots(self._picture, scale, now)
            self._last.clear()
        busy = np.zeros((view.height, view.width), np.bool_)
        for area in taken:
            _mark(busy, area)
        self.chips = []
        for plot in self._plots if self.shown else ():
            if chip := self._chip(plot, view, busy, roofs):
                self.chips.append(chip)
                _mark(busy, chip.area)
        return self.chips

    def _near_plots(self, now: Mapping[str, str]) -> list[MapLabel]:
        """The labels at near zoom. now: sector -> name of its present use."""
        keys = [(number, f" {_name(self._picture, number, now)} ") for number in range(len(self._picture.plan.sectors))]
        for key in keys:
            if key not in self._near:
                self._near[key] = _near_plot(self._picture, *key)
        return [plot for key in keys if (plot := self._near[key]) is not None]

    def _chip(self, plot: MapLabel, view: Box, busy: npt.NDArray[np.bool_], roofs: Mapping[str, float]) -> Chip | None:
        was, last = self._last.pop(plot.sector, (False, None))
        if plot.area.overlap(view) < MOSTLY * plot.area.width * plot.area.height:
            return None
        closed = roofs.get(plot.sector, 1.0) > 0.5
        wide, margin = cell_len(plot.text), MARGIN if self._scale == NEAR else 0
        spots = plot.closed if closed else plot.opened
        for spot in (last, *spots) if was == closed and last is not None else spots:
            x, y = spot[0] - view.x, spot[1] - view.y
            inside = 0 <= x <= view.width - wide and 0 <= y < view.height
            if inside and not busy[y, max(0, x - margin) : x + wide + margin].any():
                self._last[plot.sector] = (closed, spot)
                return Chip(x, y, plot.text)
        return None


def _mark(busy: npt.NDArray[np.bool_], area: Box) -> None:
    busy[max(0, area.y) : max(0, area.y + area.height), max(0, area.x) : max(0, area.x + area.width)] = True


def _name(picture: Picture, number: int, now: Mapping[str, str]) -> str:
    """The name of a plot on the map. now: sector -> name of its present use."""
    sector = picture.plan.sectors[number]
    return clean((now.get(sector.name) or sector.called or sector.name).removeprefix("the "), 22)


def _near_plot(picture: Picture, number: int, text: str) -> MapLabel | None:
    """The label of a building; None if its plot is too narrow for the name."""
    sector, wide = picture.plan.sectors[number], cell_len(text)
    house = picture.terrain.building == number
    if not house.any() or wide > sector.rect[2]:
        return None
    area = bounds(house)
    roof = np.zeros_like(house)
    for part in picture.roofs:
        if part.number == number:
            ys, xs = np.nonzero(part.mask > 0.5)
            roof[(ys + part.area.y) // 2, xs + part.area.x] = True
    closed = tuple(_spots(roof & house, wide, area.y + (area.height - 1) / 2)[:SPOTS])
    opened = tuple(_spots(house[: area.y + 1], wide, area.y))
    return MapLabel(sector.name, text, area, closed, opened)


def _spots(tiles: npt.NDArray[np.bool_], wide: int, row: float) -> list[tuple[int, int]]:
    """Places where `wide` of the tiles lie side by side, nearest to the row and the middle first.

    If there are none, the middle of each row of tiles.
    """
    rows = np.flatnonzero(tiles.any(1)).tolist()
    out: list[tuple[float, tuple[int, int]]] = []
    narrow: list[tuple[float, tuple[int, int]]] = []
    for y in rows:
        columns = np.flatnonzero(tiles[y])
        middle = (int(columns[0]) + int(columns[-1]) + 1 - wide) / 2
        narrow.append((abs(y - row), (max(0, round(middle)), y)))
        fitting = [x for x in columns.tolist() if tiles[y, x : x + wide].sum() == wide]
        out += [(2 * abs(y - row) + abs(x - middle), (x, y)) for x in fitting]
    return [at for _, at in sorted(out or narrow)]


def _far_plots(picture: Picture, scale: MapScale, now: Mapping[str, str]) -> list[MapLabel]:
    """The labels from afar, for all sectors, narrowest first; a name much wider than its plot is shortened."""
    out = []
    for number, sector in enumerate(picture.plan.sectors):
        x, y, width, height = sector.rect
        left, top, wide, high = x / scale.x, y / scale.y, width / scale.x, height / scale.y
        text = fit_text(_name(picture, number, now), max(LEAST, round(wide) + 2))
        spots = _around(left + wide / 2 - cell_len(text) / 2, top + (high - 1) / 2, wide / 2, high / 2)
        middle = Box(round(left + wide / 2), round(top + high / 2 - 0.5), 1, 1)
        out.append(MapLabel(sector.name, text, middle, spots, spots))
    return sorted(out, key=lambda plot: picture.plan.sectors[picture.names[plot.sector]].rect[2:])


def _around(x: float, y: float, reach_x: float, reach_y: float) -> Spots:
    """Cells around a place, nearest first, at most one beyond the reach."""
    found = [
        (2.5 * abs(dy) + abs(dx) + 3.0 * (abs(dy) > reach_y), (round(x) + dx, round(y) + dy))
        for dy in range(-int(reach_y) - 1, int(reach_y) + 2)
        for dx in range(-int(reach_x) - 1, int(reach_x) + 2)
    ]
    return tuple(at for _, at in sorted(found)[:SPOTS])


# ---- arrows


def edge_arrows(targets: Iterable[Chip], width: int, height: int, taken: Sequence[Box] = ()) -> list[Chip]:
    """At most ARROWS arrows on the edge of a window of width x height cells, for the first targets that find room.
    targets: people out of view, where they are. taken: areas to keep clear.
    """
    out: list[Chip] = []
    for target in targets:
        if len(out) == ARROWS:
            break
        busy = [*taken, *(arrow.area for arrow in out)]
        for arrow in _places(target, width, height):
            if not any(arrow.area.overlap(area) for area in busy):
                out.append(arrow)
                break
    return out


def _places(target: Chip, width: int, height: int) -> Iterable[Chip]:
    """Possible arrows to a target: where the line from the middle leaves the window, then farther and farther along
    that edge.
    """
    dx, dy = target.x - (width - 1) / 2, target.y - (height - 1) / 2
    flat = abs(dx) * height > abs(dy) * width  # the line leaves by the left or right edge
    name = fit_text(target.text, NAMES)
    if flat:
        text = f" {name} → " if dx > 0 else f" ← {name} "
        column = max(0, width - cell_len(text)) if dx > 0 else 0
        row = round((height - 1) / 2 + dy * (width / 2) / abs(dx))
    else:
        text = f" {'↓' if dy > 0 else '↑'} {name} "
        row = height - 1 if dy > 0 else 0
        crossing = (width - 1) / 2 + (dx * (height / 2) / abs(dy) if dy else 0.0)
        column = round(crossing - cell_len(text) / 2)
    for off in range(max(width, height)):
        for sign in (1, -1) if off else (1,):
            x = column if flat else min(max(0, column + sign * off), max(0, width - cell_len(text)))
            y = min(max(0, row + sign * off), height - 1) if flat else row
            yield target._replace(x=x, y=y, text=text)


# ---- the look cursor


def tile_words(viewer: Viewer, picture: Picture, x: int, y: int, roofs: Mapping[str, float]) -> str:
    """A tile in words: "oven, the bakery"; under a closed roof only the building; "" beyond the map."""
    town = viewer.world.map
    if not picture.holds(x, y):
        return ""
    sector = picture.sector_at(x, y)
    if picture.covered(x, y, roofs):
        return _named(viewer, sector)
    glyph = picture.plan.legend.get(picture.plan.rows[y][x])
    thing = clean(glyph.name, 30) if glyph is not None and glyph.kind not in NAMELESS else ""
    address = town.area_of[y * town.width + x] or sector
    room = address.split(" / ")[1] if " / " in address else ""
    parts = [thing, room, _named(viewer, address) if address else ""]
    if not address:
        parts = [thing or (clean(glyph.name, 30) if glyph is not None else "")]
    out: list[str] = []
    for part in parts:
        if part and not any(part in other for other in out):
            out.append(part)
    return clean(", ".join(out), 80)


def _named(viewer: Viewer, address: str) -> str:
    """The name of a place, and words for its present use if it has one."""
    use = use_of(viewer.world, address)
    name = viewer.world.handbook.place(address)
    return f"{name}: {use.says}" if use is not None else name


def look_line(viewer: Viewer, who: str, thing: MapThing | None, place: str, sector: str, width: int) -> Line:
    """The line at the map's foot for the look cursor. who: the person there, or ""; thing: what lies there; place: the
    tile in words; sector: its sector, or "".
    """
    if who:
        row = viewer.view.row(who, viewer.shown)
        says = [outside(person_title(viewer, who), "accent", bold=True), ink("  "), outside(row.doing)]
        keys = [ink("enter ", "accent"), ink("choose", "soft"), ink("  esc ", "accent"), ink("end", "soft")]
    elif thing is not None:
        clock = viewer.world.clock
        today = clock.day(thing.t) == clock.day(int(viewer.shown))
        since = clock.hhmm(thing.t) if today else clock.words(thing.t)
        says = [
            outside(thing.text, "accent", bold=True),
            ink(", "),
            outside(f"{viewer.name(thing.who)}'s since {since}"),
        ]
        says += [ink("  "), outside(place, "soft")]
        keys = [ink("enter ", "accent"), ink("how it came  ", "soft"), ink("esc ", "accent"), ink("end", "soft")]
    else:
        says = [outside(place)] if place else [ink("beyond the map", "faint")]
        if here := dwellers(viewer.world, sector) if sector else "":
            says += [ink("  "), outside(here, "soft")]
        keys = [ink("enter ", "accent"), ink("the place  ", "soft")] if sector else []
        keys += [ink("esc ", "accent"), ink("end", "soft")]
    return with_end([ink("look ", "dim"), *says], keys, width)
