"""The program: help, settings, menu, a picture of the screen, facts, the way out."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand


class AppHand(Hand):
    """`app.*`"""

    def help(self) -> None:
        """The keys of the pane in focus."""

    def settings(self) -> None:
        """The settings."""

    def menu(self) -> None:
        """The menu."""

    def picture(self) -> None:
        """The screen as SVG."""

    def facts(self) -> None:
        """Seed, step, sizes, versions."""

    def quit(self) -> None:
        """Out of a sheet; without one that can be seen, out of the town."""
        stage = self.stage
        if stage.has_class("-tiny") or not stage.close_sheet():
            stage.app.exit()
