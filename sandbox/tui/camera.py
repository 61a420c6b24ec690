"""Where on the map the Town pane looks. Arithmetic over cells; a cell is a tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.tui.render.bubbles import Area

NEAR_X, NEAR_Y = 14.0, 8.0


class Camera:
    """A window of `width` x `height` cells over a map; x, y is its first cell.

    It stays on the map where the map is larger than the window, and centres the map where it is not.
    """

    def __init__(self, map_width: int, map_height: int) -> None:
        self.map_width, self.map_height = map_width, map_height
        self.x = self.y = 0
        self.width = self.height = 0

    @property
    def area(self) -> Area:
        """The window."""
        return Area(self.x, self.y, self.width, self.height)

    @property
    def middle(self) -> tuple[float, float]:
        """The place in the middle of the window."""
        return self.x + self.width / 2, self.y + self.height / 2

    def resize(self, width: int, height: int) -> None:
        """Another size; the middle stays in the middle."""
        if (width, height) == (self.width, self.height):
            return
        x, y = self.x + self.width / 2, self.y + self.height / 2
        self.width, self.height = width, height
        self.centre(x, y)

    def centre(self, x: float, y: float) -> None:
        """Put a place into the middle, as far as the map allows."""
        self._put(round(x - self.width / 2), round(y - self.height / 2))

    def pan(self, dx: int, dy: int) -> None:
        """Move by cells."""
        self._put(self.x + dx, self.y + dy)

    def _put(self, x: int, y: int) -> None:
        self.x = _held(x, self.width, self.map_width)
        self.y = _held(y, self.height, self.map_height)

    def sees(self, x: float, y: float, margin: int = 0, below: int = 0) -> bool:
        """Whether a place is in the window, `margin` cells from its edge at least; below: rows covered at its foot."""
        right, bottom = self.x + self.width - margin, self.y + self.height - margin - below
        return self.x + margin <= x < right and self.y + margin <= y < bottom

    def keep(self, x: float, y: float, below: int = 0) -> None:
        """Keep a walking person well inside. It moves in strides, so that most frames need no new picture."""
        height = self.height - below
        edge_x, edge_y = self.width // 4, height // 4
        dx = dy = 0
        if x < self.x + edge_x or x >= self.x + self.width - edge_x:
            dx = round(x - (self.x + self.width / 2))
        if y < self.y + edge_y or y >= self.y + height - edge_y:
            dy = round(y - (self.y + height / 2))
        if dx or dy:
            self.pan(_stride(dx, max(6, edge_x // 2)), _stride(dy, max(4, edge_y // 2)))
        if not self.sees(x, y, min(2, self.width // 4), below):
            self.centre(x, y + below / 2)


def _stride(distance: int, most: int) -> int:
    return max(-most, min(most, distance))


def _held(first: int, window: int, whole: int) -> int:
    if window >= whole:
        return -((window - whole) // 2)
    return max(0, min(first, whole - window))


def densest(
    places: Sequence[tuple[float, float]], otherwise: Iterable[tuple[float, float]] = ()
) -> tuple[float, float]:
    """The middle of the largest group among places; of equal ones the first. Without places: the first of otherwise."""
    best: tuple[int, float, float] = (0, 0.0, 0.0)
    for x, y in places:
        group = [(u, v) for u, v in places if abs(u - x) <= NEAR_X and abs(v - y) <= NEAR_Y]
        if len(group) > best[0]:
            best = (len(group), sum(u for u, _ in group) / len(group), sum(v for _, v in group) / len(group))
    if best[0]:
        return best[1], best[2]
    return next(iter(otherwise), (0.0, 0.0))
