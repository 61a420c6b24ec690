"""Actions of the program: help, settings, menu, a picture of the screen, facts, quit."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import count, groupby
from pathlib import Path

from rich.segment import Segment
from textual.screen import Screen

from sandbox.core.faults import path_text
from sandbox.core.places import saves_dir
from sandbox.core.text import clean
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.help import HelpSheet, open_facts
from sandbox.tui.sheets.menu import MenuSheet, SettingsSheet, open_menu
from sandbox.tui.view.action import SHEET, Action
from sandbox.tui.view.textual_internals import strips_of


def help_here(layout: TownLayout) -> None:
    """Show or close the keys of the pane in focus, or of sheets if one other than the menu is open."""
    if not layout.close_kind(HelpSheet.kind):
        layout.open_sheet(HelpSheet(layout, layout.current if layout.sheets.kind in ("", "menu") else SHEET))


async def menu(layout: TownLayout) -> None:
    """Show or close the menu."""
    if not layout.close_kind(MenuSheet.kind):
        await open_menu(layout)


def save_screenshot(layout: TownLayout) -> None:
    """Write the screen as SVG into the folder of saves, and say where."""
    try:
        path = keep_picture(layout)
    except OSError as error:
        layout.notify(clean(str(error), 300), severity="error")
    else:
        layout.notify(path_text(path), title="picture kept")


def close_or_quit(layout: TownLayout) -> None:
    """Close the topmost sheet; without one, or at the start menu, leave the program."""
    sheet = layout.sheets.topmost
    begins = isinstance(sheet, MenuSheet) and sheet.begins
    if begins or not layout.close_sheet():
        layout.app.exit()


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("app.help", "question_mark,f1", "help", "The keys of this pane; enter does what the row says.",
           help_here, "help: keys", rank=0),
    Action("app.settings", "f2", "", "Colours, marks, motion, time.",
           lambda layout: layout.toggle(SettingsSheet), "settings: open"),
    Action("app.menu", "f10", "", "The menu: another town, another save, a recorded day.", menu, "app: menu"),
    Action("app.picture", "f12", "", "The screen as a picture (SVG), in the folder of saves.",
           save_screenshot, "app: picture of the screen"),
    Action("app.facts", "", "", "Seed, step, sizes, versions.", open_facts, "world: facts"),
    Action("app.quit", "q", "quit", "Close the sheet; if none is open, leave. What is shown as saved stays saved.",
           close_or_quit, "app: quit", rank=0),
)


# ---- pictures of the screen as SVG


CELL, LINE = 8, 16  # pixels: width and height of a cell
PAPER, INK = "#0d1017", "#dcdcdc"  # colours of cells that have none


def keep_picture(layout: TownLayout) -> Path:
    """Write the screen to a new SVG file in the folder of saves; return its path. Raises OSError."""
    clock, t = layout.viewer.world.clock, int(layout.viewer.shown)
    name = f"{layout.viewer.world.scenario.name}-day{clock.day(t)}-{clock.hhmm(t).replace(':', '')}"
    text = shot(layout)
    folder = saves_dir()
    folder.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        path = folder / (f"{name}.svg" if number == 1 else f"{name}-{number}.svg")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path
    raise AssertionError("unreachable")


def shot(screen: Screen[None]) -> str:
    """What a screen shows now, as SVG; Textual's own export if the cells cannot be read."""
    strips = strips_of(screen)
    return svg_of(strips, *screen.size) if strips is not None else screen.app.export_screenshot()


def svg_of(lines: Iterable[Iterable[Segment]], width: int, height: int) -> str:
    """Rows of segments as an SVG. width, height: in cells. Blocks and half blocks become shapes, the rest text."""
    shapes: list[str] = []
    texts: list[str] = []
    for y, line in enumerate(lines):
        halves: tuple[list[str], list[str]] = ([], [])
        for segment in line:
            if segment.control:
                continue
            fg, bg = _colours(segment)
            if segment.text.strip(" ▀▄█"):
                weight = ' font-weight="bold"' if segment.style and segment.style.bold else ""
                lead = len(segment.text) - len(segment.text.lstrip())
                at, said = (len(halves[0]) + lead) * CELL, segment.text.strip()
                texts.append(
                    f'<text x="{at}" y="{y * LINE + 12}" fill="{fg}" textLength="{len(said) * CELL}"{weight}>'
                    f"{escape(said)}</text>"
                )
            for character in segment.text:
                halves[0].append(fg if character in "▀█" else bg)
                halves[1].append(fg if character in "▄█" else bg)
        whole = halves[0] == halves[1]
        for k, half in enumerate(halves[:1] if whole else halves):
            top = y * LINE + k * LINE // 2
            shapes += _runs(half, top, LINE if whole else LINE // 2)
    w, h = width * CELL, height * LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">'
        f'<rect width="{w}" height="{h}" fill="{PAPER}"/><g shape-rendering="crispEdges">'
        + "".join(shapes)
        + "</g>"
        + "".join(texts)
        + "</svg>\n"
    )


def _colours(segment: Segment) -> tuple[str, str]:
    style = segment.style
    fg = style.color.get_truecolor().hex if style and style.color else INK
    bg = style.bgcolor.get_truecolor(foreground=False).hex if style and style.bgcolor else PAPER
    return (bg, fg) if style and style.reverse else (fg, bg)


def _runs(half: list[str], top: int, tall: int) -> list[str]:
    """SVG paths, one for each colour of a row of cells. top, tall: y and height in pixels."""
    paths: dict[str, str] = {}
    x = 0
    for colour, run in groupby(half):
        wide = CELL * len([*run])
        if colour != PAPER:
            paths[colour] = paths.get(colour, "") + f"M{x} {top}h{wide}v{tall}h-{wide}z"
        x += wide
    return [f'<path fill="{colour}" d="{d}"/>' for colour, d in paths.items()]
