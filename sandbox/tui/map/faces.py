"""Portraits: hair and skin by a person's look; brows, eyes and mouth by their mood.

Pure functions: rows of pixels, two to a cell, or rows of characters for terminals without pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sandbox.tui.theme.colours import HAIR, PANEL, SKIN, mix, mood_colour, scale

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
