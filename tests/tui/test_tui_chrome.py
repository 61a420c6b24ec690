"""What stands around the map, cell by cell: words, borders and the names of their colours, against stored files.

After a change that is meant: `pytest tests/tui/test_tui_chrome.py --snapshot-update`, and look at the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import pytest
from larkspur import SIZES, press, screen_of, settle
from rich.color import Color
from rich.style import Style
from syrupy.assertion import SnapshotAssertion

from sandbox.people.mood_words import MARKS
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.theme.colours import mood_colour

STATES = {
    "somebody chosen": ("j",),
    "the timeline": ("2",),
    "the people": ("4",),
    "why": ("j", "w"),
    "the keys": ("question_mark",),
    "who steers": ("P",),
}
COLOURED = ("somebody chosen", "the timeline")
MAP = "·"
Cell = tuple[str, str]


def names_of(app: SandboxApp) -> dict[str, str]:
    """Colours of the theme by their hex; of several names the first."""
    moods = {f"#{mood_colour(mood, 'default'):06x}": mood for mood in MARKS}
    return {**moods, **{f"#{value:06x}": name for name, value in reversed(app.settings.theme.colours.items())}}


def told_style(style: Style | None, names: dict[str, str]) -> str:
    """A style in words: "soft on pane", "accent on pane bold"."""
    if style is None:
        return "plain"

    def name(colour: Color | None) -> str:
        found = colour.get_truecolor().hex if colour else ""
        return names.get(found, found)

    marks = [mark for mark in ("bold", "reverse", "underline", "italic", "dim") if getattr(style, mark)]
    return " ".join([name(style.color), "on", name(style.bgcolor), *marks])


def cells(app: SandboxApp) -> Iterator[list[Cell]]:
    """Each row's characters with their styles, the map masked."""
    screen, names = screen_of(app), names_of(app)
    town = screen.town.content_region if screen.town.display else None
    sheet = screen.sheets.region if screen.sheets.display else None
    for y, strip in enumerate(screen._compositor.render_strips()):
        row: list[Cell] = []
        for segment in strip:
            for character in segment.text:
                x = len(row)
                over = sheet is not None and sheet.contains(x, y)
                masked = town is not None and town.contains(x, y) and not over
                row.append((MAP, "") if masked else (character, told_style(segment.style, names)))
        yield row


def chrome(app: SandboxApp, told: Callable[[Iterable[Cell]], str]) -> str:
    """The rows in words; equal ones are counted."""
    rows = list(cells(app))
    return "\n".join(_folded(map(told, rows)))


def letters(row: Iterable[Cell]) -> str:
    """A row as text."""
    out = ""
    for masked, run in groupby(row, lambda cell: cell[0] == MAP):
        got = "".join(character for character, _ in run)
        out += f"[map {len(got)}]" if masked else got
    return out.rstrip()


def inks(row: Iterable[Cell]) -> str:
    """A row's styles, run by run."""
    runs = [(name, len(list(run))) for name, run in groupby(style for _, style in row)]
    return " | ".join(f"{name or 'map'} {count}" for name, count in runs)


def _folded(rows: Iterable[str]) -> Iterator[str]:
    """Equal rows in a row as one, with their number."""
    for row, same in groupby(rows):
        count = len(list(same))
        yield row if count == 1 else f"{count} x {row}"


@SIZES
@pytest.mark.parametrize("state", STATES)
async def test_the_frame_around_the_map(
    app: SandboxApp, size: tuple[int, int], state: str, snapshot: SnapshotAssertion
) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, *STATES[state])
        await settle(pilot)
        assert chrome(app, letters) == snapshot
        if state in COLOURED:
            assert chrome(app, inks) == snapshot
