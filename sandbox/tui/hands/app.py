"""The program: help, settings, menu, a picture of the screen, facts, the way out."""

from __future__ import annotations

from sandbox.core.faults import shown
from sandbox.core.text import clean
from sandbox.tui import actions
from sandbox.tui.hands.hand import Hand
from sandbox.tui.leaves.facts import open_facts
from sandbox.tui.leaves.help import HelpLeaf
from sandbox.tui.leaves.menu import MenuLeaf, open_menu
from sandbox.tui.leaves.settings import SettingsLeaf
from sandbox.tui.svg import keep_picture


class AppHand(Hand):
    """`app.*`"""

    def _closes(self, kind: str) -> bool:
        """Whether such a leaf lay on top; its key has taken it away."""
        return self.stage.sheet.kind == kind and self.stage.close_sheet()

    def help(self) -> None:
        """The keys of the pane in focus, or of sheets if one is open; over the menu those of the pane behind it."""
        stage = self.stage
        if not self._closes("help"):
            stage.open_sheet(HelpLeaf(stage, stage.current if stage.sheet.kind in ("", "menu") else actions.SHEET))

    def settings(self) -> None:
        """The settings."""
        if not self._closes("settings"):
            self.stage.open_sheet(SettingsLeaf(self.stage))

    async def menu(self) -> None:
        """The menu."""
        if not self._closes("menu"):
            await open_menu(self.stage)

    def picture(self) -> None:
        """The screen as SVG, in the folder of saves."""
        stage = self.stage
        try:
            path = keep_picture(stage)
        except OSError as error:
            stage.notify(clean(str(error), 300), severity="error", markup=False)
        else:
            stage.notify(shown(path), title="picture kept", markup=False)

    async def facts(self) -> None:
        """Seed, step, sizes, versions."""
        if not self._closes("facts"):
            await open_facts(self.stage)

    def quit(self) -> None:
        """Out of a sheet; without one, or from the menu at the start, out of the town."""
        stage = self.stage
        leaf = stage.sheet.leaf
        begins = isinstance(leaf, MenuLeaf) and leaf.begins
        if begins or not stage.close_sheet():
            stage.app.exit()
