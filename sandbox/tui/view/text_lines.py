"""Lines of text as segments: cleaned, measured in cells, cut, wrapped. Nothing here is ever read as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from sandbox.core.text import clean
from sandbox.people.mood_words import MARKS
from sandbox.tui.theme.colours import mix, mood_colour, split
from sandbox.tui.theme.themes import USUAL, shipped_themes
from sandbox.tui.view.cells import cut_to_cells, drop_joiners, fold_words

Line: TypeAlias = list[Segment]

# Inks: a theme's colours by name, or moods as negative numbers; usable instead of a 0xRRGGBB colour, for `style`.
InkName: TypeAlias = Literal[
    "text", "soft", "dim", "faint", "accent", "link", "alarm", "warm", "cool", "sour", "tender", "chosen",
    "pane", "bar", "ground",
]  # fmt: skip
Ink: TypeAlias = InkName | int
INKS: tuple[InkName, ...] = get_args(InkName)
_MOODS = {mood: -101 - i for i, mood in enumerate(MARKS)}
_LEGIBLE = 3.2  # least contrast (WCAG 2) of a mood's colour with its background

_colours: dict[Ink, int] = {}


def use_colours(colours: Mapping[str, int], palette: str) -> None:
    """Set the theme's colours (0xRRGGBB for each of INKS) and the palette of moods for all further styles."""
    _colours.update({name: colours[name] for name in INKS})
    grounds = sorted((colours[name] for name in ("pane", "bar", "now", "chosen")), key=luminance)
    ground = grounds[-1] if luminance(colours["text"]) > luminance(colours["pane"]) else grounds[0]  # the worst case
    _colours.update({token: make_legible(mood_colour(mood, palette), ground) for mood, token in _MOODS.items()})
    style.cache_clear()


def of_mood(mood: str) -> int:
    """The ink of a mood: its colour in the palette, made legible on the theme's panes."""
    return _MOODS.get(mood, _MOODS["vague"])


def make_legible(colour: int, ground: int) -> int:
    """A colour mixed with black or white just enough to be legible on `ground`. Both 0xRRGGBB."""
    away = 0xFFFFFF if luminance(ground) < 0.18 else 0x000000
    for share in range(21):
        out = mix(colour, away, share / 20)
        light, dark = sorted((luminance(out), luminance(ground)), reverse=True)
        if (light + 0.05) / (dark + 0.05) >= _LEGIBLE:
            return out
    return away


def luminance(colour: int) -> float:
    """The relative luminance of a colour (WCAG 2), in [0, 1]."""
    parts = [v / 255 for v in split(colour)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


@lru_cache(4096)
def style(fg: Ink, bold: bool = False, bg: Ink | None = None, reverse: bool = False) -> Style:
    """A style of two colours, each 0xRRGGBB or an ink; bg None leaves the pane's own."""
    return Style(
        color=_colour(fg), bgcolor=None if bg is None else _colour(bg), bold=bold or None, reverse=reverse or None
    )


def _colour(value: Ink) -> Color:
    if isinstance(value, str) or value < 0:
        if not _colours:
            use_colours(shipped_themes()[USUAL].colours, "default")
        value = _colours[value]
    return Color.from_rgb(value >> 16, value >> 8 & 255, value & 255)


def ink(text: str, fg: Ink = "text", bold: bool = False) -> Segment:
    """A segment of trusted text, spaces kept."""
    return Segment(drop_joiners(text), style(fg, bold))


def outside(text: str, fg: Ink = "text", bold: bool = False) -> Segment:
    """A segment of untrusted text (from a file or a mind), cleaned first."""
    return Segment(drop_joiners(clean(text)), style(fg, bold))


def width_of(line: Iterable[Segment]) -> int:
    """The width of a line in cells."""
    return sum(segment.cell_length for segment in line)


def fit(line: Line, width: int) -> Line:
    """The line cut to a width, with an ellipsis if something was cut off."""
    if width_of(line) <= width:
        return line
    out: Line = []
    left = width - 1
    for segment in line:
        if segment.cell_length <= left:
            out.append(segment)
            left -= segment.cell_length
            continue
        kept = cut_to_cells(segment.text, left)
        out.append(Segment(f"{kept}…" if width > 0 else "", segment.style))
        break
    return out


def to_width(line: Line, width: int) -> Line:
    """The line cut or padded to a width."""
    cut = fit(line, width)
    return [*cut, ink(" " * (width - width_of(cut)))]


def justify(left: Line, right: Line, width: int) -> Line:
    """A row with a left and a right part. If there is too little room, the right is dropped, then the left is cut."""
    gap = width - width_of(left) - width_of(right)
    if not right or gap < 2:
        return fit(left, width)
    return [*left, ink(" " * gap), *right]


def with_end(line: Line, end: Line, width: int) -> Line:
    """The line, cut if need be, with `end` at the right."""
    return justify(fit(line, width - width_of(end) - 2), end, width)


def with_background(line: Line, bg: Ink, width: int) -> Line:
    """The line on a background colour, padded to a width."""
    ground = Style(bgcolor=_colour(bg))
    return [Segment(s.text, (s.style or Style.null()) + ground) for s in to_width(line, width)]


def wrap_cells(text: str, width: int, most: int = 99) -> list[str]:
    """Untrusted text in one to `most` lines of at most so many cells; text cut off is marked by an ellipsis."""
    out = fold_words(drop_joiners(clean(text, 1200)), width)
    if len(out) > most:
        rest = " ".join(out[most - 1 :])
        out = [*out[: most - 1], cut_to_cells(rest, width - 1).rstrip() + "…"]
    return out or [""]


def key_line(key: str, says: str) -> Line:
    """A key and what it does."""
    return [ink(f"{key} ", "accent", bold=True), ink(says, "soft")]


def as_lines(text: str, width: int, fg: Ink = "soft", bold: bool = False, most: int = 99) -> list[Line]:
    """Untrusted text as at most `most` lines of at most `width` cells."""
    return [[ink(part, fg, bold)] for part in wrap_cells(text, width, most)]


def hung(head: Line, text: str, width: int, fg: Ink = "text", bold: bool = False, most: int = 99) -> list[Line]:
    """Untrusted text wrapped at the right of a head; further lines are indented by the head's width."""
    indent = width_of(head)
    first, *rest = as_lines(text, max(8, width - indent), fg, bold, most)
    return [[*head, *first], *([ink(" " * indent), *line] for line in rest)]


def flow(parts: Iterable[Line], width: int, indent: int = 2, gap: int = 3) -> list[Line]:
    """Short pieces side by side in as many indented rows as they need. A piece that is too long is cut before its last
    segment, which is a number.
    """
    out: list[Line] = []
    for part in parts:
        if out and width_of(out[-1]) + gap + width_of(part) <= width:
            out[-1] += [ink(" " * gap), *part]
        else:
            *words, end = part
            kept = fit([ink(" " * indent), *words], width - end.cell_length) if words else []
            out.append(fit([*kept, end] if words else [ink(" " * indent), end], width))
    return out


def as_text(lines: Iterable[Line]) -> str:
    """Lines as text to be copied, without trailing blanks."""
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)


def signed_bar(value: float, width: int, fg: Ink) -> Line:
    """A number in [-1, 1] as a bar from the middle to the left (negative) or right."""
    half = (width - 1) // 2
    value = max(-1.0, min(1.0, value))
    filled = round(abs(value) * half)
    if not filled and abs(value) >= 0.02:
        filled = 1
    left = filled if value < 0 else 0
    right = filled if value > 0 else 0
    return [
        ink("─" * (half - left), "faint"),
        ink("━" * left, fg),
        ink("┼", "dim"),
        ink("━" * right, fg),
        ink("─" * (half - right), "faint"),
    ]


def gauge(value: float, width: int, fg: Ink) -> Line:
    """A number in [0, 1] as a bar from the left."""
    filled = round(max(0.0, min(1.0, value)) * width)
    return [ink("━" * filled, fg), ink("─" * (width - filled), "faint")]
