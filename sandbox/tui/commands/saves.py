"""Actions on saves: the list of them as a tree, compare two, name one, branch, take back the last act."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sandbox.core.protocols import JournalFull
from sandbox.core.text import clean
from sandbox.store.branch import LONGEST_TITLE, give_title
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import TypedLine, ask_back
from sandbox.tui.sheets.compare import CompareSheet, compare_with
from sandbox.tui.sheets.saves import COMPARES, SavesSheet, open_saves
from sandbox.tui.view.action import LIVE, REPLAY, Action


async def toggle_saves(layout: TownLayout) -> None:
    """Show or close the list of saves."""
    if not layout.close_kind(SavesSheet.kind):
        await open_saves(layout)


async def compare_chosen_save(layout: TownLayout) -> None:
    """Compare the save under the list's cursor with the open one; if the list is not open, open it to choose from."""
    sheet = layout.sheets.topmost
    if layout.close_kind(CompareSheet.kind):
        return
    if not isinstance(sheet, SavesSheet):
        await open_saves(layout, COMPARES)
    elif (chosen := sheet.chosen()) is not None:
        await compare_with(layout, chosen.path)


def name_save(layout: TownLayout) -> None:
    """Ask for a name for the save under the list's cursor; if the list is not open, for the open save."""
    sheet, session = layout.sheets.topmost, layout.viewer.session
    path, title = session.path, ""
    if isinstance(sheet, SavesSheet):
        chosen = sheet.chosen()
        path = chosen.path if chosen is not None else None
        title = chosen.info.title if chosen is not None and chosen.info is not None else ""
    if path is not None:
        layout.app.push_screen(_naming(f"Call {path.stem}", title), partial(_name, layout, path))


def _naming(asks: str, old: str = "") -> TypedLine:
    """The input line for a save's name. asks: its title; old: the name so far."""
    return TypedLine(clean(asks, 36), clean(old, LONGEST_TITLE), "what if", LONGEST_TITLE, _a_name)


def _a_name(text: str) -> None:
    """Raise ValueError if the name is empty."""
    if not clean(text, LONGEST_TITLE):
        raise ValueError("type a name, or leave with esc")


async def _name(layout: TownLayout, path: Path, typed: str | None) -> None:
    if typed is None:
        return
    title = clean(typed, LONGEST_TITLE)
    viewer = layout.viewer
    save, own = viewer.session.save, viewer.session.path
    try:
        if own is not None and own.resolve() == path.resolve() and isinstance(save, Save) and save.writes:
            await viewer.pace.between(partial(give_title, save, title))
        else:
            await give_title(path, title)
    except (SaveError, JournalFull) as error:
        layout.notify(clean(str(error), 600), severity="warning", timeout=8)
        return
    layout.notify(title, title=f"{path.stem} is now called", timeout=3)
    sheet = layout.sheets.topmost
    if isinstance(sheet, SavesSheet):
        layout.close_kind(SavesSheet.kind)
        await open_saves(layout, sheet.verb, path)


def branch_with_name(layout: TownLayout) -> None:
    """Ask for a name, and go on live from the moment of the replay in a new save of that name."""

    def go(title: str | None) -> None:
        if title is not None:
            layout.program.branch(layout.viewer, clean(title, LONGEST_TITLE))

    layout.app.push_screen(_naming("Go on live in a save called"), go)


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("saves.undo", "U", "", "Take back your last act: go on from before it, in a save of its own.",
           ask_back, "time: take back your last act", rank=4, when=LIVE),
    Action("saves.branch", "", "", "Go on live from here, in a save that you name.",
           branch_with_name, "replay: go on live from here, in a save called ...", when=REPLAY),
    Action("saves.list", "", "", "The saves, each branch beneath what it was made from.", toggle_saves, "saves: list"),
    Action("saves.compare", "C", "", "Compare the save under that list's cursor with the one that is open.",
           compare_chosen_save, "saves: compare with the one that is open"),
    Action("saves.name", "R", "", "Give the save under the cursor, or the one that is open, a name.",
           name_save, "saves: name"),
)
