"""Textual's command palette, as it is used here."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import Any

from textual import work
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.events import Click, Mount
from textual.timer import Timer, TimerCallback

GATHER: Any = inspect.unwrap(CommandPalette._gather_commands)


class Commands(CommandList):
    """The list of it."""

    async def _on_click(self, event: Click) -> None:
        event.prevent_default()
        with suppress(IndexError):  # it has grown shorter since the row that was clicked was drawn
            await super()._on_click(event)


class Palette(CommandPalette):
    """The palette. A second click beside it, made before the first was heard, closes no more than the palette."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield Commands() if type(widget) is CommandList else widget

    def _on_mount(self, event: Mount) -> None:
        if self not in self.app.screen_stack[1:]:  # it was taken away before it was there
            event.prevent_default()

    def _on_click(self, event: Click) -> None:  # type: ignore[override]
        event.prevent_default()
        try:
            super()._on_click(event)
        except NoWidget:  # made where the terminal, smaller by now, has no cell any more: beside it, too
            self._action_escape()

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        with suppress(NoMatches):  # it was closed before it began to look
            await GATHER(self, search_value)

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """What it means to show later it shows only while it is there."""

        def still() -> None:
            with suppress(NoMatches):
                callback() if callback is not None else None

        return super().set_timer(delay, still, **more)

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):  # a page up or down before the list was ever laid out
            super()._action_command_list(action)

    def dismiss(self, result: object = None) -> AwaitComplete:
        return super().dismiss() if self.is_active else AwaitComplete()


def open_palette(app: App[Any]) -> None:
    """Show it, unless it is open."""
    if not CommandPalette.is_open(app):
        app.push_screen(Palette(id="--command-palette"))
