"""People as 2x4 pixels: hair, skin, clothes in the colour of the mood, dark legs, a shadow on the ground."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import floor
from typing import NamedTuple, TypeAlias

from sandbox.tui.theme.colours import HAIR, SKIN, mix, mood_colour, scale

Dot: TypeAlias = tuple[int, int, int]  # rows below the row of the feet, columns to the right, colour
RING = 0xFFF2B8  # colour of the selected person's ring
SHADOW = 0.58  # factor on the ground in a person's shadow


class MapFigure(NamedTuple):
    """A person to draw. x, y: tile coordinates, fractional while walking; mood: a key of colours.MOODS;
    hair, skin: keys of HAIR and SKIN; build: short, tall or anything else; mark: one glyph above the head, or "";
    name_shown: whether a chip with the name stands below."""

    id: str
    name: str
    x: float
    y: float
    mood: str = "vague"
    hair: str = "brown"
    skin: str = "light"
    build: str = ""
    asleep: bool = False
    mark: str = ""
    selected: bool = False
    name_shown: bool = False

    @property
    def column(self) -> int:
        """The left of the two columns drawn."""
        return floor(self.x + 0.5)

    @property
    def row(self) -> int:
        """The tile row the person stands on."""
        return floor(self.y + 0.5)

    @property
    def feet(self) -> int:
        """The pixel row of the feet."""
        return floor(2 * self.y + 0.5) + 1

    @property
    def tall(self) -> int:
        """Pixels from head to feet."""
        return 2 if self.asleep else {"short": 3, "tall": 5}.get(self.build, 4)

    @property
    def head_row(self) -> int:
        """The cell row that holds the top of the head."""
        return (self.feet - self.tall + 1) // 2


def in_depth(figures: Iterable[MapFigure]) -> list[MapFigure]:
    """The figures sorted farthest first, so that nearer ones are painted over farther ones."""
    return sorted(figures, key=lambda f: (f.feet, f.x, f.id))


@lru_cache(4096)
def sprite(hair: str, skin: str, clothes: int, build: str, stride: int, asleep: bool) -> tuple[Dot, ...]:
    """A person's pixels relative to the left foot. clothes: colour; stride: 0 or 1, which leg is in front."""
    dark = HAIR.get(hair, HAIR["brown"])
    face = SKIN.get(skin, SKIN["light"])
    if asleep:
        cover = mix(clothes, 0x50566A, 0.45)
        return ((-1, 0, dark), (-1, 1, face), (0, 0, cover), (0, 1, scale(cover, 0.8)))
    head: list[tuple[int, int]] = [(dark, scale(dark, 0.86)), (face, scale(face, 0.88))]
    if build == "short":
        head = [(dark, face)]
    body = [(clothes, scale(clothes, 0.84))] * (2 if build == "tall" else 1)
    near, far = scale(clothes, 0.62), scale(clothes, 0.44)
    legs = (near, far) if stride else (far, near)
    rows = [*head, *body, legs]
    first = 1 - len(rows)
    return tuple((first + i, j, pair[j]) for i, pair in enumerate(rows) for j in (0, 1))


def dots(figure: MapFigure, palette: str) -> tuple[Dot, ...]:
    """The pixels of a figure as it stands now."""
    stride = (figure.column + figure.feet) % 2
    clothes = mood_colour(figure.mood, palette)
    return sprite(figure.hair, figure.skin, clothes, figure.build, stride, figure.asleep)


def ring() -> tuple[Dot, ...]:
    """The bright ground ring of the selected person."""
    soft = scale(RING, 0.82)
    return ((0, -1, soft), (0, 2, soft), (1, 0, RING), (1, 1, RING))
