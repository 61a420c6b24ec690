"""Colours of the town as 0xRRGGBB integers, a table for each kind of thing (colours.yaml), and how they are mixed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

DARK: Final = 0x0D1017  # beyond the map
PANEL: Final = 0x15181F  # behind names, marks and bubbles
PAPER: Final = 0xE8E6DF  # text on a panel


class ThingColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What colours.yaml holds, each by name. moods: clothes, one colour a palette; grounds: four shades; painted_as:
    ground -> other looks that are painted as it.
    """

    moods: dict[str, tuple[int, int, int]]
    hair: dict[str, int]
    skin: dict[str, int]
    roofs: dict[str, int]
    grounds: dict[str, tuple[int, int, int, int]]
    painted_as: dict[str, tuple[str, ...]]


_READ = msgspec.yaml.decode(Path(__file__).with_name("colours.yaml").read_bytes(), type=ThingColours)
PALETTES: Final = ("default", "colour-blind", "grey")
MOODS: Final = _READ.moods
HAIR: Final = _READ.hair
SKIN: Final = _READ.skin
ROOFS: Final = _READ.roofs
GROUNDS: Final = _READ.grounds
ALIASES: Final = {look: ground for ground, looks in _READ.painted_as.items() for look in looks}
OUTDOOR: Final = frozenset({"grass", "meadow", "lawn", "road", "path", "gravel", "paving", "sand", "soil", "water"})
WALL_TOPS: Final = (0xE4D9C2, 0xDFD2B8, 0xE2D6CA, 0xD9D3C4)  # plaster; a building takes one of them
WALL_FACE: Final = 0.66  # brightness of a wall's face relative to its top
DOOR: Final = (0x7A4E2C, 0x5C3A20)
GLASS: Final = 0x8FB4C8
GLASS_NIGHT: Final = 0x2A3850
GLASS_LIT: Final = 0xFFD27A
TREES: Final = ((0x2C5E33, 0x3A7A3E, 0x509A4C), (0x35602F, 0x477D38, 0x62994A), (0x2A5A40, 0x357350, 0x4A8F62))
TRUNK: Final = 0x57402A
FLOWERS: Final = (0xB08A9C, 0xB9A468, 0xA7A3BC, 0xAE7F78)
LEAF: Final = (0x35602F, 0x42733A, 0x528646)
FENCE: Final = (0x9A7C56, 0x6B5238)


def split(colour: int) -> tuple[int, int, int]:
    """Red, green and blue, each 0..255."""
    return colour >> 16, colour >> 8 & 255, colour & 255


def join_colour(red: float, green: float, blue: float) -> int:
    """A 0xRRGGBB colour of three parts, each clamped to 0..255."""
    r, g, b = (min(255, max(0, round(v))) for v in (red, green, blue))
    return r << 16 | g << 8 | b


def mix(first: int, second: int, share: float) -> int:
    """The colour `share` (0..1) of the way from the first to the second."""
    a, b = split(first), split(second)
    return join_colour(*(p + (q - p) * share for p, q in zip(a, b, strict=True)))


def scale(colour: int, factor: float) -> int:
    """A colour made darker (factor below 1) or lighter (above 1)."""
    r, g, b = split(colour)
    return join_colour(r * factor, g * factor, b * factor)


def ground_name(look: str) -> str:
    """The ground (a key of GROUNDS) that a look is painted as; "" if it is no ground."""
    name = ALIASES.get(look, look)
    return name if name in GROUNDS else ""


def mood_colour(mood: str, palette: str) -> int:
    """The colour of a mood; an unknown mood counts as vague, an unknown palette as the default."""
    column = PALETTES.index(palette) if palette in PALETTES else 0
    return MOODS.get(mood, MOODS["vague"])[column]
