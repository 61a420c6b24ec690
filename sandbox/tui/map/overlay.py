"""What the Town pane writes over the picture: arrows at the edge, the look cursor, the hint under the mouse, names of
places, things, closed places; the lines at its foot; and the weather of a world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from sandbox.core.clock import DAY
from sandbox.core.text import clean
from sandbox.engine.world import World
from sandbox.readers.facts import SpeechTurn
from sandbox.readers.places import MapThing
from sandbox.town.conditions import TownCondition
from sandbox.town.plan import sector_of
from sandbox.town.ways import map_position
from sandbox.tui.map.camera import Camera
from sandbox.tui.map.close import Close
from sandbox.tui.map.labels import Chip, Labels, Uses, edge_arrows
from sandbox.tui.map.painter import Painter
from sandbox.tui.map.picture import CLEAR, Picture, Weather
from sandbox.tui.theme.colours import PANEL
from sandbox.tui.view.cells import Box, Canvas, to_ascii
from sandbox.tui.view.speech import talk_mark
from sandbox.tui.view.text_lines import Line, ink, with_background
from sandbox.tui.view.viewer import Viewer

SHUT = " shut "
WEATHER = ("rain", "blackout")
LETTERS = 40  # most characters of a condition's words


class MapMark(NamedTuple):
    """A text over a place of the map. x, y: in tiles."""

    x: float
    y: float
    text: str


def weather(world: World) -> Weather:
    """The sectors with rain and with a blackout; a condition of a room counts for its whole sector."""
    found = world.conditions.open.values()
    if not found:
        return CLEAR
    rain, dark = (frozenset(sector_of(c.where) for c in found if c.kind == kind) for kind in WEATHER)
    return Weather(rain, dark)


def marks(world: World, picture: Picture) -> list[MapMark]:
    """The marks over places that are shut: at their door, else in their middle."""
    found = (sector_of(c.where) for c in world.conditions.open.values() if c.kind == "shut" and c.where)
    return [_mark(picture, sector) for sector in dict.fromkeys(found) if sector in picture.names]


def _mark(picture: Picture, sector: str) -> MapMark:
    terrain, number = picture.terrain, picture.names[sector]
    rows, columns = np.nonzero(terrain.door & (terrain.building == number) & terrain.outer)
    if not len(rows):
        rows, columns = np.nonzero(terrain.door & (terrain.sector == number))
    if len(rows):
        at = int(rows.argmax())  # the southernmost door, nearest to the observer
        return MapMark(float(columns[at]), float(rows[at]), SHUT)
    x, y, wide, high = picture.plan.sectors[number].rect
    return MapMark(x + wide / 2, y + high / 2, SHUT)


def weather_words(viewer: Viewer) -> list[str]:
    """Current conditions and their end, those of the whole town first: "rain to 13:00", "the bakery shut to 12:00"."""
    world, t = viewer.world, int(viewer.shown)
    found = sorted(world.conditions.open.values(), key=lambda c: (c.where != "" or c.who != "", c.until, c.seq))
    return [clean(_words(viewer, c, t), LETTERS) for c in found if c.until > t]


def _words(viewer: Viewer, c: TownCondition, t: int) -> str:
    world = viewer.world
    clock = world.clock
    to = clock.hhmm(c.until) if c.until - t < DAY else clock.words(c.until)
    place = world.handbook.place(c.where) if c.where else ""
    if c.kind == "shut":
        return f"{place or 'everything'} shut to {to}"
    if c.kind == "muted":
        return f"{viewer.name(c.who)} off the feed to {to}"
    return f"{'a post shown to all' if c.kind == 'pushed' else c.kind}{f' in {place}' if place else ''} to {to}"


Cells: TypeAlias = Callable[[float, float], tuple[int, int]]  # the cell of a place in tiles
THING = "♦"  # mark of a thing that lies somewhere
BESIDE = ((0, 0), (-1, 0), (2, 0), (1, 1), (-1, 1), (3, 0), (-2, 0), (0, 2))  # cells tried for its mark
RESTED, TIRED = 0.5, 8.0  # seconds without a move from which the mouse counts as resting, and until which


class Hover:
    """The mouse over the map. at: its cell of the pane, None if it is elsewhere."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._moved = 0.0
        self.at: tuple[int, int] | None = None

    def move(self, at: tuple[int, int] | None) -> None:
        """Note the cell of the pane under the mouse, None if it left."""
        if at != self.at:
            self.at, self._moved = at, self._clock()

    @property
    def resting(self) -> tuple[int, int] | None:
        """The cell the mouse rests on, or None."""
        return self.at if RESTED <= self._clock() - self._moved < TIRED else None


class MapOverlay:
    """Writes on finished frames. cursor: place of the look cursor in tiles, or None. marks: texts over places."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.labels = Labels(picture)
        self.cursor: tuple[float, float] | None = None
        self.hint = ""  # words for what the mouse rests on, or ""
        self.hint_at = (0, 0)
        self.marks: Sequence[MapMark] = ()
        self.targets: list[Chip] = []
        self.things: Sequence[MapThing] = ()
        self._lying: dict[tuple[int, int], MapThing] = {}  # cell -> the thing marked there
        self.arrows: list[Chip] = []

    def write(
        self, canvas: Canvas, painter: Painter, camera: Camera, foot: int, roofs: dict[str, float], uses: Uses
    ) -> None:
        """Write everything. foot: covered rows at the bottom; roofs: sector -> alpha; uses: what places are used as."""
        taken = [*painter.bodies.values(), *painter.words]
        free = canvas.height - foot
        covered = Box(0, free, canvas.width, foot)
        bubbles = [area for area in painter.words if area.height > 1]
        self.arrows = edge_arrows(self.targets, canvas.width, free, bubbles)
        for arrow in self.arrows:
            canvas.write(arrow.x, arrow.y, arrow.text, painter.mood_ink(arrow.mood), painter.bright[1], bold=True)
        chips = [arrow.area for arrow in self.arrows]
        chips += self._over_places(canvas, painter, camera, free, [*taken, *chips])
        if self.cursor is not None:
            chips.append(self._brackets(canvas, painter, *camera.cell(*self.cursor)))
        if self.hint:
            chips.append(self._hint(canvas, painter, free))
        chips += self._mark(canvas, painter, camera.cell, free, roofs)
        for chip in self.labels.lay(camera.area, camera.scale, [*taken, *chips, covered], roofs, uses):
            canvas.write(chip.x, chip.y, chip.text, *painter.chip)

    def _over_places(self, canvas: Canvas, painter: Painter, camera: Camera, free: int, taken: list[Box]) -> list[Box]:
        """Write `marks`, each in the row of its place or one near it, where the cells are free; return their areas."""
        out: list[Box] = []
        for one in self.marks:
            column, row = camera.cell(one.x, one.y)
            wide = cell_len(one.text)
            x = max(0, min(column - wide // 2, canvas.width - wide))
            spots = [Box(x, y, wide, 1) for y in (row, row + 1, row - 1, row + 2) if 0 <= y < free]
            spot = next((s for s in spots if not any(s.overlap(area) for area in (*taken, *out))), None)
            if spot is not None and -wide < column < canvas.width + wide:
                canvas.write(spot.x, spot.y, one.text, painter.mood_ink("angry"), painter.bright[1], bold=True)
                out.append(spot)
        return out

    def write_close(self, canvas: Canvas, painter: Painter, close: Close, foot: int) -> None:
        """Mark the things in the close view of a room."""

        def cell(x: float, y: float) -> tuple[int, int]:
            column, row = close.pixel(x, y)
            return column, (row + close.grain) // 2 - 1

        self._mark(canvas, painter, cell, canvas.height - foot, {})

    def _mark(self, canvas: Canvas, painter: Painter, cell: Cells, free: int, roofs: Mapping[str, float]) -> list[Box]:
        """Mark each thing that no roof hides, beside any person who covers it; return the cells marked."""
        self._lying = {}
        taken = [*painter.bodies.values(), *painter.words]
        for thing in self.things:
            if roofs and self.picture.covered(thing.x, thing.y, roofs):
                continue
            column, row = cell(thing.x, thing.y)
            for dx, dy in BESIDE:
                spot = Box(column + dx, row + dy, 1, 1)
                inside = 0 <= spot.x < canvas.width and 0 <= spot.y < free
                if inside and (spot.x, spot.y) not in self._lying and not any(spot.overlap(area) for area in taken):
                    canvas.write(spot.x, spot.y, THING, *painter.bright, bold=True)
                    self._lying[spot.x, spot.y] = thing
                    break
        return [Box(x, y, 1, 1) for x, y in self._lying]

    def thing_at(self, column: int, row: int) -> MapThing | None:
        """The thing marked at a cell, or None."""
        return self._lying.get((column, row))

    def _brackets(self, canvas: Canvas, painter: Painter, x: int, y: int) -> Box:
        for column, sign in ((x - 1, "["), (x + 1, "]")):
            canvas.write(column, y, sign, *painter.bright, bold=True)
        return Box(x - 1, y, 3, 1)

    def _hint(self, canvas: Canvas, painter: Painter, free: int) -> Box:
        x, y = self.hint_at
        text = f" {self.hint} "
        wide = cell_len(text)
        x = max(0, min(x + 2, canvas.width - wide))
        y = y + 1 if y + 1 < free else y - 1
        canvas.write(x, y, text, painter.bright[0], painter.chip[1])
        return Box(x, y, wide, 1)

    def arrow_at(self, x: int, y: int) -> str:
        """The person to whom the arrow at a cell leads, or ""."""
        return next((a.who for a in self.arrows if a.y == y and a.x <= x < a.x + a.area.width), "")


def targets(viewer: Viewer, camera: Camera, turns: Iterable[SpeechTurn], t: float, below: int) -> list[Chip]:
    """Arrow targets out of view: the selected person, people in a quarrel, favourites. below: rows covered."""
    view, width = viewer.view, viewer.world.map.width
    rows = [turn.who for turn in turns if talk_mark(turn) == "!"]
    meant = [*([(viewer.selected,)] if viewer.selected else []), *rows, *((who,) for who in sorted(viewer.favourites))]
    groups = [who for who in meant if all(map(viewer.is_known, who))]
    out: list[Chip] = []
    said: set[str] = set()
    for who in groups:
        places = [map_position(view.spot(id, t), t, width) for id in who]
        if said & {*who} or any(camera.sees(x, y, below=below) for x, y in places):
            continue
        said |= {*who}
        column, row = camera.cell(*places[0])
        text = ", ".join(viewer.name(id) for id in who)
        text = f"! {text}" if who in rows else text
        out.append(Chip(column, row, text, who[0], view.row(who[0], t).mood))
    return out


def foot_strips(lines: Sequence[Line], width: int, ascii_only: bool) -> list[Strip]:
    """Lines as strips on a dark background."""
    rows = (with_background([ink(" "), *line], PANEL, width) for line in lines)
    if ascii_only:
        rows = ([Segment(to_ascii(s.text), s.style) for s in row] for row in rows)
    return [Strip(row).adjust_cell_length(width) for row in rows]
