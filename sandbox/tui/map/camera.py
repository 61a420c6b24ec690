"""The Town pane's camera: position and zoom over tiles and cells; and the automatic camera, which ranks scenes and
decides when to move to one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import ceil, floor
from typing import NamedTuple

from sandbox.engine.view import PersonRow
from sandbox.readers.facts import SpeechTurn
from sandbox.tui.view.cells import NEAR, Box, MapScale
from sandbox.tui.view.speech import RANK, talk_mark
from sandbox.tui.view.viewer import Viewer

NEAR_X, NEAR_Y = 14.0, 8.0  # tiles from a place that count as its group, in `densest`
HALF = 2.0  # tiles a cell is high at the middle zoom level
DISTINCT = 1.3  # least ratio of a zoom level to the one before
JUMP = 1.2  # window sizes: to places farther away it jumps instead of gliding
AFTER = 8.0  # seconds without a key before the automatic camera starts
STAY = 8.0  # least seconds it stays at a scene
REACH_X, REACH_Y = 12.0, 7.0  # tiles from a scene that count as its crowd


class Camera:
    """A window of `width` x `height` cells over the map; x, y is its first cell.

    Places (`centre`, `middle`, `sees`, `keep`) are in tiles at every scale; x, y, `pan` and `area` are in cells, of
    `scale` tiles each. The window stays on the map, or centres a map that is smaller. covered: rows at its foot that
    hide the map, so that it can move so much farther down.
    """

    def __init__(self, map_width: int, map_height: int) -> None:
        self.map_width, self.map_height = map_width, map_height
        self.scale = NEAR
        self.x = self.y = 0
        self.width = self.height = self.covered = 0

    def cover(self, rows: int) -> None:
        """Set the number of covered rows at the foot."""
        if rows != self.covered:
            self.covered = rows
            self._put(self.x, self.y)

    @property
    def area(self) -> Box:
        """The window in cells."""
        return Box(self.x, self.y, self.width, self.height)

    @property
    def tiles(self) -> Box:
        """The window in tiles, including those partly shown."""
        x0, y0 = floor(self.x * self.scale.x), floor(self.y * self.scale.y)
        x1, y1 = ceil((self.x + self.width) * self.scale.x), ceil((self.y + self.height) * self.scale.y)
        return Box(x0, y0, x1 - x0, y1 - y0)

    @property
    def middle(self) -> tuple[float, float]:
        """The place in the middle of the window."""
        return (self.x + self.width / 2) * self.scale.x, (self.y + self.height / 2) * self.scale.y

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """The column and row of the window that show a place."""
        return floor(x / self.scale.x) - self.x, floor(y / self.scale.y) - self.y

    def place(self, column: int, row: int) -> tuple[float, float]:
        """The place in the middle of a cell of the window; at near zoom the tile itself."""
        if self.scale == NEAR:
            return float(column + self.x), float(row + self.y)
        return (column + self.x + 0.5) * self.scale.x, (row + self.y + 0.5) * self.scale.y

    def resize(self, width: int, height: int) -> None:
        """Change the size; the middle stays in the middle."""
        if (width, height) == (self.width, self.height):
            return
        middle = self.middle
        self.width, self.height = width, height
        self.centre(*middle)

    def zoom(self, scale: MapScale) -> None:
        """Change the scale; the middle stays in the middle."""
        middle = self.middle
        self.scale = scale
        self.centre(*middle)

    def centre(self, x: float, y: float) -> None:
        """Put a place into the middle, as far as the map allows."""
        self._put(round(x / self.scale.x - self.width / 2), round(y / self.scale.y - self.height / 2))

    def pan(self, dx: int, dy: int) -> None:
        """Move by cells."""
        self._put(self.x + dx, self.y + dy)

    def _put(self, x: int, y: int) -> None:
        self.x = _held(x, self.width, ceil(self.map_width / self.scale.x - 1e-6))
        self.y = _held(y, self.height - self.covered, ceil(self.map_height / self.scale.y - 1e-6))

    def sees(self, x: float, y: float, margin: int = 0, below: int = 0) -> bool:
        """Whether a place is in the window, at least `margin` cells from its edge; below: rows covered at its foot."""
        x, y = x / self.scale.x, y / self.scale.y
        right, bottom = self.x + self.width - margin, self.y + self.height - margin - below
        return self.x + margin <= x < right and self.y + margin <= y < bottom

    def keep(self, x: float, y: float, below: int = 0) -> None:
        """Keep a walking person well inside the window; moves in strides, so that most frames need no full redraw."""
        column, row = x / self.scale.x, y / self.scale.y
        height = self.height - below
        edge_x, edge_y = self.width // 4, height // 4
        dx = dy = 0
        if column < self.x + edge_x or column >= self.x + self.width - edge_x:
            dx = round(column - (self.x + self.width / 2))
        if row < self.y + edge_y or row >= self.y + height - edge_y:
            dy = round(row - (self.y + height / 2))
        if dx or dy:
            self.pan(_stride(dx, max(6, edge_x // 2)), _stride(dy, max(4, edge_y // 2)))
        if not self.sees(x, y, min(2, self.width // 4), below):
            self.centre(x, y + below * self.scale.y / 2)

    def glide(self, x: float, y: float, columns: int, rows: int) -> bool:
        """Move by at most so many cells towards centring a place, or jump to it if it is far.

        Returns whether it jumped.
        """
        dx = round(x / self.scale.x - (self.x + self.width / 2))
        dy = round(y / self.scale.y - (self.y + self.height / 2))
        if abs(dx) > JUMP * self.width or abs(dy) > JUMP * self.height:
            self.centre(x, y)
            return True
        self.pan(_stride(dx, columns), _stride(dy, rows))
        return False


def levels(map_width: int, map_height: int, width: int, height: int) -> tuple[MapScale, ...]:
    """The zoom levels of a window of width x height cells, nearest first: near, half, and the whole map as large as it
    fits. Half is left out if it is hardly nearer than the whole.
    """
    if width <= 0 or height <= 0:
        return (NEAR,)
    down = max(map_height / height, map_width / width, 1.0)
    if down <= 1.0:
        return (NEAR,)
    whole = MapScale(_across(down, map_width, width), down)
    half = MapScale(_across(HALF, map_width, width), HALF)
    return (NEAR, half, whole) if down >= HALF * DISTINCT else (NEAR, whole)


def _across(down: float, map_width: int, width: int) -> float:
    """Tiles a cell is wide at a height of `down` tiles. Half of `down` keeps proportions (a cell is twice as high as
    wide, a tile is square); it is more only where the map would not fit otherwise.
    """
    return min(down, max(down / 2, map_width / width, 1.0))


def _stride(distance: int, most: int) -> int:
    return max(-most, min(most, distance))


def _held(first: int, window: int, whole: int) -> int:
    if window >= whole:
        return -((window - whole) // 2)
    return max(0, min(first, whole - window))


def densest(
    places: Sequence[tuple[float, float]], otherwise: Iterable[tuple[float, float]] = ()
) -> tuple[float, float]:
    """The middle of the largest group of places, the first of equals; without places the first of `otherwise`."""
    best: tuple[int, float, float] = (0, 0.0, 0.0)
    for x, y in places:
        group = [(u, v) for u, v in places if abs(u - x) <= NEAR_X and abs(v - y) <= NEAR_Y]
        if len(group) > best[0]:
            best = (len(group), sum(u for u, _ in group) / len(group), sum(v for _, v in group) / len(group))
    if best[0]:
        return best[1], best[2]
    return next(iter(otherwise), (0.0, 0.0))


# ---- the automatic camera


class CameraScene(NamedTuple):
    """Something to watch, at x, y in tiles. key: identifies it from frame to frame; mark: that of its talk, "" without
    one; change: how far the talk moves moods; favourites, crowd: how many of them are near and awake.
    """

    key: str
    x: float
    y: float
    mark: str = ""
    change: float = 0.0
    favourites: int = 0
    crowd: int = 0


def scene_score(scene: CameraScene) -> tuple[int, int, int, float]:
    """The rank of a scene: by its talk (quarrel, tenderness, gossip, any talk, none), then favourites, then the crowd,
    then how far the talk moves moods.
    """
    return RANK.get(scene.mark, -1), scene.favourites, scene.crowd, scene.change


def camera_scenes(
    rows: Sequence[PersonRow], turns: Iterable[SpeechTurn], favourites: Collection[str]
) -> list[CameraScene]:
    """All scenes now: each talk, and each person awake with those around."""
    awake = {row.id: row for row in rows if row.awake}
    out = []
    for turn in turns:
        who = [awake[id] for id in turn.who if id in awake]
        if who:
            x, y = sum(r.x for r in who) / len(who), sum(r.y for r in who) / len(who)
            scene = _scene(turn.talk, x, y, awake.values(), favourites)
            out.append(scene._replace(mark=talk_mark(turn), change=turn.change))
    out += [_scene(row.id, row.x, row.y, awake.values(), favourites) for row in awake.values()]
    return out


def _scene(key: str, x: float, y: float, rows: Iterable[PersonRow], favourites: Collection[str]) -> CameraScene:
    near = [row for row in rows if abs(row.x - x) <= REACH_X and abs(row.y - y) <= REACH_Y]
    return CameraScene(key, x, y, favourites=sum(row.id in favourites for row in near), crowd=len(near))


def left_alone(viewer: Viewer) -> bool:
    """Whether the automatic camera may move: it is on, time runs, and the player does nothing."""
    busy = viewer.selected or viewer.hovered or not viewer.pace.running or viewer.idle < AFTER
    return viewer.settings.on("auto_camera") and not busy


class AutoCamera:
    """Chooses a scene to look at, and stays there at least STAY seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = 0.0
        self.at: CameraScene | None = None

    def rest(self) -> None:
        """Stop; the next `aim` chooses afresh."""
        self.at = None

    def aim(self, found: Callable[[], list[CameraScene]]) -> CameraScene | None:
        """The scene to look at, or None. found: lists the scenes; called only when it is time to choose."""
        now = self._clock()
        if self.at is None or now - self._since >= STAY:
            best = max(found(), key=lambda scene: (scene_score(scene), scene.key), default=None)
            if best is not None:
                self._since = now
                if self.at is None or best.mark or self.at.mark or not _close(best, self.at):
                    self.at = best
        return self.at


def _close(a: CameraScene, b: CameraScene) -> bool:
    """Whether two scenes are too near each other to move between them."""
    return abs(a.x - b.x) <= REACH_X / 2 and abs(a.y - b.y) <= REACH_Y / 2
