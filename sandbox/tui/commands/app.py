"""Actions of the program: help, settings, menu, a picture of the screen, facts, quit."""

from __future__ import annotations

from sandbox.core.faults import path_text
from sandbox.core.text import clean
from sandbox.tui.commands.svg import keep_picture
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.help import HelpSheet, open_facts
from sandbox.tui.sheets.menu import MenuSheet, SettingsSheet, open_menu
from sandbox.tui.view.action import SHEET, Action


def help_here(stage: TownLayout) -> None:
    """Show or close the keys of the pane in focus, or of sheets if one other than the menu is open."""
    if not stage.close_kind(HelpSheet.kind):
        stage.open_sheet(HelpSheet(stage, stage.current if stage.sheets.kind in ("", "menu") else SHEET))


async def menu(stage: TownLayout) -> None:
    """Show or close the menu."""
    if not stage.close_kind(MenuSheet.kind):
        await open_menu(stage)


def save_screenshot(stage: TownLayout) -> None:
    """Write the screen as SVG into the folder of saves, and say where."""
    try:
        path = keep_picture(stage)
    except OSError as error:
        stage.notify(clean(str(error), 300), severity="error", markup=False)
    else:
        stage.notify(path_text(path), title="picture kept", markup=False)


def close_or_quit(stage: TownLayout) -> None:
    """Close the topmost sheet; without one, or at the start menu, leave the program."""
    sheet = stage.sheets.topmost
    begins = isinstance(sheet, MenuSheet) and sheet.begins
    if begins or not stage.close_sheet():
        stage.app.exit()


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("app.help", "question_mark,f1", "help", "The keys of this pane; enter does what the row says.",
           help_here, "help: keys", rank=0),
    Action("app.settings", "f2", "", "Colours, marks, motion, time.",
           lambda stage: stage.toggle(SettingsSheet), "settings: open"),
    Action("app.menu", "f10", "", "The menu: another town, another save, a recorded day.", menu, "app: menu"),
    Action("app.picture", "f12", "", "The screen as a picture (SVG), in the folder of saves.",
           save_screenshot, "app: picture of the screen"),
    Action("app.facts", "", "", "Seed, step, sizes, versions.", open_facts, "world: facts"),
    Action("app.quit", "q", "quit", "Close the sheet; without one leave. What is shown as saved stays saved.",
           close_or_quit, "app: quit", rank=0),
)
