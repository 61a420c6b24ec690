"""The colours of the town as 0xRRGGBB integers, one table for each kind of thing, and functions that mix them."""

from __future__ import annotations

from typing import Final

DARK: Final = 0x0D1017  # beyond the map
PANEL: Final = 0x15181F  # behind names, marks and bubbles
PAPER: Final = 0xE8E6DF  # text on a panel

PALETTES: Final = ("default", "colour-blind", "grey")
# Mood -> colour of clothes in each palette. No two colours differ by red against green alone.
MOODS: Final = {
    "joy": (0xFFD54A, 0xF0E442, 0xF4F4F4),
    "sad": (0x5AA0FF, 0x0072B2, 0x686868),
    "angry": (0xFF5A4D, 0xD55E00, 0x404040),
    "afraid": (0xB57BFF, 0xCC79A7, 0x545454),
    "disgust": (0x9A8A2C, 0x8C6D1F, 0x7C7C7C),
    "surprise": (0x6FE0F5, 0x56B4E9, 0xDCDCDC),
    "contempt": (0xD98243, 0xE69F00, 0x949494),
    "calm": (0xB4DACB, 0x009E73, 0xC4C4C4),
    "vague": (0x9C9C9C, 0x999999, 0xACACAC),
}
HAIR: Final = {
    "black": 0x1A1715,
    "brown": 0x4E321E,
    "chestnut": 0x6E3B1E,
    "blond": 0xC89B4A,
    "red": 0x9C4420,
    "grey": 0x8E8C88,
    "white": 0xD8D5CE,
}
SKIN: Final = {"pale": 0xF6D9BE, "light": 0xEEC39A, "tan": 0xD2A06C, "brown": 0x9A6642, "dark": 0x6B4430}
ROOFS: Final = {
    "terracotta": 0xA85E44,
    "slate": 0x5A6B7D,
    "plum": 0x7E556A,
    "moss": 0x66774C,
    "ochre": 0xB28744,
    "blue": 0x557092,
    "thatch": 0xA8905A,
}
# Four shades of each ground, dark to light; value noise picks among them.
GROUNDS: Final[dict[str, tuple[int, int, int, int]]] = {
    "grass": (0x507A3C, 0x588341, 0x608C47, 0x68954E),
    "meadow": (0x64803E, 0x6F8A44, 0x7B954B, 0x889F54),
    "lawn": (0x588443, 0x5D8A47, 0x62904B, 0x689650),
    "road": (0xAF9873, 0xB39C77, 0xB7A07A, 0xBBA47E),
    "path": (0xBCA67F, 0xC0AA83, 0xC4AE87, 0xC8B28B),
    "gravel": (0x9C9585, 0xA39C8C, 0xAAA393, 0xB1AA9A),
    "paving": (0xACA495, 0xAFA798, 0xB2AA9B, 0xB6AE9F),
    "stone": (0x8C8983, 0x8F8C86, 0x928F89, 0x95928C),
    "sand": (0xC6B283, 0xCAB687, 0xCEBA8B, 0xD2BE90),
    "soil": (0x6B5138, 0x71573D, 0x775D42, 0x7D6348),
    "planks": (0x8B6C47, 0x91724C, 0x977851, 0x9D7E56),
    "wood": (0xA38460, 0xA88964, 0xAD8E69, 0xB2936D),
    "tile": (0xB2B5AE, 0xB4B7B0, 0xB7B9B2, 0xB9BBB4),
    "carpet": (0x80605A, 0x83635D, 0x866660, 0x896963),
    "carpet1": (0x5E6B7C, 0x616E7F, 0x647182, 0x677485),
    "carpet2": (0x6E7258, 0x71755B, 0x74785E, 0x777B61),
    "plaster": (0xB5A78F, 0xB8AA92, 0xBBAD95, 0xBEB098),
    "water": (0x336C98, 0x38729E, 0x3D78A4, 0x427EAA),
}
_CALLED = {  # ground -> other looks that are painted as it
    "road": ("street", "lane"),
    "paving": ("cobbles", "square"),
    "soil": ("dirt", "earth"),
    "meadow": ("field",),
    "water": ("river", "pond"),
    "planks": ("bridge", "jetty"),
    "wood": ("floor",),
    "sand": ("beach",),
    "grass": ("flowers",),
}
ALIASES: Final = {look: ground for ground, looks in _CALLED.items() for look in looks}
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
