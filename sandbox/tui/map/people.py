"""How people are drawn: on the map as 2x4 pixels with a shadow, with a line on the ground between two who talk; from
close by as figures a tile wide; as portraits, whose brows, eyes and mouth tell the mood. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import floor
from typing import Final, NamedTuple, TypeAlias

from sandbox.tui.theme.colours import HAIR, PANEL, SKIN, mix, mood_colour, scale
from sandbox.tui.view.speech import HOSTILE, PLAIN, WARM

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


# ---- people from close by


TALL = {"short": 1.7, "tall": 2.3}  # tiles from head to feet; anybody else: 2
EYES = 8  # grain from which eyes are drawn
EYE = 0x241C1A


@lru_cache(1024)
def body(hair: str, skin: str, clothes: int, build: str, grain: int, asleep: bool = False) -> tuple[Dot, ...]:
    """A person's pixels: rows below the feet's own row, columns to the right of the left edge, colour.

    grain: pixels a tile is wide. A sleeper lies in the tile, the head on the pillow.
    """
    dark, face = HAIR.get(hair, HAIR["brown"]), SKIN.get(skin, SKIN["light"])
    return _lying(dark, face, clothes, grain) if asleep else _standing(dark, face, clothes, build, grain)


def _standing(dark: int, face: int, clothes: int, build: str, grain: int) -> tuple[Dot, ...]:
    high = round(grain * TALL.get(build, 2.0))
    out: dict[tuple[int, int], int] = {}

    def rect(x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        for row in range(round(y0 * high), max(round(y0 * high) + 1, round(y1 * high))):
            for column in range(round(x0 * grain), max(round(x0 * grain) + 1, round(x1 * grain))):
                out[row, column] = colour

    trousers = scale(clothes, 0.5)
    rect(0.27, 0.70, 0.73, 0.97, trousers)
    rect(0.47, 0.78, 0.53, 0.97, scale(trousers, 0.72))
    rect(0.22, 0.95, 0.48, 1, scale(trousers, 0.55))
    rect(0.52, 0.95, 0.78, 1, scale(trousers, 0.55))
    rect(0.2, 0.36, 0.8, 0.72, clothes)
    rect(0.62, 0.36, 0.8, 0.72, scale(clothes, 0.84))
    rect(0.05, 0.38, 0.22, 0.64, scale(clothes, 0.78))
    rect(0.78, 0.38, 0.95, 0.64, scale(clothes, 0.66))
    rect(0.05, 0.64, 0.22, 0.70, face)
    rect(0.78, 0.64, 0.95, 0.70, scale(face, 0.86))
    rect(0.4, 0.32, 0.6, 0.38, scale(face, 0.86))
    rect(0.24, 0.06, 0.76, 0.33, face)
    rect(0.62, 0.12, 0.76, 0.33, scale(face, 0.92))
    rect(0.24, 0, 0.76, 0.12, dark)
    rect(0.2, 0.04, 0.3, 0.22, dark)
    rect(0.7, 0.04, 0.8, 0.22, scale(dark, 0.86))
    if grain >= EYES:
        for eye in (0.38, 0.58):
            out[round(0.19 * high), round(eye * grain)] = EYE
        rect(0.42, 0.26, 0.58, 0.27, scale(face, 0.62))
    first = 1 - high
    return tuple((first + row, column, colour) for (row, column), colour in sorted(out.items()))


def _lying(dark: int, face: int, clothes: int, grain: int) -> tuple[Dot, ...]:
    cover = mix(clothes, 0x50566A, 0.45)
    out = []
    for row in range(grain):
        for column in range(grain):
            x, y = column / grain, row / grain
            if y < 0.5 and 0.25 <= x < 0.75:
                out.append((row - grain + 1, column, dark if y < 0.2 else face))
            elif y >= 0.5:
                out.append((row - grain + 1, column, cover if x < 0.6 else scale(cover, 0.86)))
    return tuple(out)


# ---- the line on the ground between two people who talk, by the tone of the talk


LINK_REACH = 12  # most pixels between the two; a longer line would not be read as joining them
LINK_INKS: Final[dict[str, dict[str, int]]] = {
    "default": {WARM: 0xFFE08A, PLAIN: 0xD7DCE6, HOSTILE: 0xFF5A4D},
    "colour-blind": {WARM: 0xF0E442, PLAIN: 0xD7DCE6, HOSTILE: 0xD55E00},
    "grey": {WARM: 0xF4F4F4, PLAIN: 0xBEBEBE, HOSTILE: 0x6E6E6E},
}
LINK_SIGNS: Final = {WARM: "=", PLAIN: "-", HOSTILE: "~"}
LINK_MOODS: Final = {WARM: "joy", PLAIN: "vague", HOSTILE: "angry"}  # mood whose colour the line has in characters


class TalkLink(NamedTuple):
    """Two who talk, by id, and the tone: WARM, PLAIN or HOSTILE."""

    a: str
    b: str
    tone: str


def link_pixels(a: MapFigure, b: MapFigure, tone: str, palette: str) -> Iterator[tuple[int, int, int]]:
    """Pixels under the feet of the two and between them: row, column, colour."""
    left, right = sorted((a, b), key=lambda f: (f.column, f.feet, f.id))
    x0, y0, x1, y1 = left.column, left.feet + 1, right.column + 1, right.feet + 1
    count = max(abs(x1 - x0), abs(y1 - y0))
    if count > LINK_REACH:
        return
    colour = LINK_INKS.get(palette, LINK_INKS["default"])[tone]
    for i in range(count + 1):
        if tone == PLAIN and i % 2:
            continue
        share = i / max(1, count)
        jag = i % 2 if tone == HOSTILE else 0
        yield round(y0 + (y1 - y0) * share) + jag, round(x0 + (x1 - x0) * share), colour


def cells_between(x0: int, y0: int, x1: int, y1: int) -> Iterator[tuple[int, int]]:
    """The cells (column, row) between two cells, without these; none if they are farther apart than LINK_REACH."""
    count = max(abs(x1 - x0), abs(y1 - y0))
    if count > LINK_REACH:
        return
    for i in range(1, count):
        yield round(x0 + (x1 - x0) * i / count), round(y0 + (y1 - y0) * i / count)


# ---- portraits


DARK, WHITE, TEAR, LIP = 0x241C1A, 0xF4F0E8, 0x9CC8F0, 0xB06A5C


class Face(NamedTuple):
    """The features of a mood. brows: row of a brow's outer and inner end, 0 upper, 1 lower, -1 none.

    eyes: open, wide, low, shut or smiling. mouth: for each of five columns which row is dark: "u"pper, "l"ower, "b"oth
    or " " none; teeth: whether the middle shows teeth. letters: brows, eyes and mouth in characters.
    """

    brows: tuple[int, int]
    eyes: str
    mouth: str
    teeth: bool = False
    letters: tuple[str, str, str] = ("- -", "o o", " - ")


FACES: Mapping[str, Face] = {
    "joy": Face((-1, -1), "smiling", "ulllu", True, ("' '", "^ ^", "\\_/")),
    "sad": Face((1, 0), "low", "luuul", False, ("/ \\", "o o", ".-.")),
    "angry": Face((0, 1), "open", "lbbbl", True, ("\\ /", "o o", "===")),
    "afraid": Face((0, 0), "wide", " bbb ", True, ("^ ^", "O O", "ooo")),
    "disgust": Face((1, 1), "shut", "ululu", False, ("_ _", "> <", "~~~")),
    "surprise": Face((0, 0), "wide", "  b  ", False, ("^ ^", "O O", " O ")),
    "contempt": Face((1, 0), "shut", " lluu", False, ("- '", "- -", "__/")),
    "calm": Face((0, 0), "open", "ulllu", False, ("- -", "o o", "'-'")),
    "vague": Face((1, 1), "open", " lll ", False, ("- -", "o o", " - ")),
}


class FacePlan(NamedTuple):
    """The geometry of a portrait of width x height pixels. brows: the upper of the two rows of brows; left: columns of
    the left brow and eye, outermost first; pupil: index of the dark one; mouth: its upper row and first column.
    """

    width: int
    height: int
    brows: int
    eyes: int
    left: tuple[int, ...]
    pupil: int
    mouth: tuple[int, int]
    hair: tuple[str, ...]


# Hair (h), its shaded side (H), skin (s), its shaded side (S), clothes (c), nothing (.).
LARGE = FacePlan(11, 12, 4, 6, (2, 3, 4), 1, (8, 3), (
    "..hhhhhhh..", ".hhhhhhhhH.", "hhhhhhhhhHH", "hhsssssshHH", "hsssssssssH", "hsssssssssH", "ssssssssssS",
    ".sssssssSS.", ".sssssssSS.", "..ssssssS..", "...ssSSS...", ".ccccccccc.",
))  # fmt: skip
SMALL = FacePlan(7, 8, 2, 4, (1, 2), 1, (5, 1), (
    ".hhhhh.", "hhssshH", "hsssssH", "hsssssH", "ssssssS", ".ssssS.", ".ssssS.", "ccccccc",
))  # fmt: skip


def face_of(mood: str) -> Face:
    """The features of a mood; those of "vague" for an unknown one."""
    return FACES.get(mood, FACES["vague"])


@lru_cache(512)
def draw_portrait(
    hair: str, skin: str, mood: str, palette: str = "default", small: bool = False, ground: int = PANEL, worn: str = ""
) -> tuple[tuple[int, ...], ...]:
    """A portrait as rows of colours. hair, skin: as in the look; ground: background colour; worn: mood that colours the
    clothes, if other than that of the face.
    """
    plan, face = (SMALL if small else LARGE), face_of(mood)
    dark, light = HAIR.get(hair, HAIR["brown"]), SKIN.get(skin, SKIN["light"])
    clothes = mood_colour(worn or mood, palette)
    inks = {
        "h": dark, "H": scale(dark, 0.8), "s": light, "S": scale(light, 0.88), "c": clothes, ".": ground,
    }  # fmt: skip
    out = [[inks[letter] for letter in row] for row in plan.hair]
    brow = mix(scale(dark, 0.7), DARK, 0.4)
    lids = scale(light, 0.7)
    for columns in (plan.left, tuple(plan.width - 1 - x for x in plan.left)):
        ends = (face.brows[0], *(face.brows[:1] * (len(columns) - 2)), face.brows[1])
        for column, row in zip(columns, ends, strict=True):
            if row >= 0:
                out[plan.brows + row][column] = brow
        _eye(out, plan, face.eyes, columns, lids)
    if face.eyes == "low":
        out[plan.eyes + 1][plan.left[0]] = TEAR
    row, first = plan.mouth
    lip = DARK if face.teeth else mix(LIP, scale(light, 0.5), 0.5)
    for column, rows in enumerate(face.mouth, first):
        for n, where in enumerate("ul"):
            if rows in (where, "b"):
                out[row + n][column] = lip
    if face.teeth:
        for column in range(first + 1, first + 4):
            out[row][column] = WHITE
    return tuple(map(tuple, out))


def _eye(out: list[list[int]], plan: FacePlan, how: str, columns: Sequence[int], lids: int) -> None:
    """Draw an eye: a dark pupil, white beside it if there is room or the eye is wide open."""
    row, pupil = out[plan.eyes], columns[plan.pupil]
    if how == "smiling":
        for column in columns:
            row[column] = DARK
        out[plan.eyes][pupil] = out[plan.eyes - 1][pupil] if len(columns) > 2 else DARK
        if len(columns) > 2:
            out[plan.eyes - 1][pupil] = DARK
        return
    wide = how == "wide"
    for column in columns:
        if wide or (len(columns) > 2 and how != "shut"):
            row[column] = WHITE
        elif how == "shut":
            row[column] = lids
        if wide and len(columns) > 2:
            out[plan.eyes - 1][column] = WHITE
    row[pupil] = DARK
    if how == "low":
        row[columns[0]] = lids


def letter_portrait(mood: str, name: str, small: bool = False) -> tuple[str, ...]:
    """A portrait in ASCII rows; the first letter of the name is on the chest."""
    brows, eyes, mouth = face_of(mood).letters
    first = name[:1] if name[:1].isascii() and name[:1].isprintable() else "?"
    if small:
        return (f".-{brows}-.", f"| {eyes} |", f"| {mouth} |", f"'--{first}--'")
    return (" .-----. ", f" | {brows} | ", f" | {eyes} | ", f" | {mouth} | ", f" '--{first}--' ")
