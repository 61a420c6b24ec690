"""Textual's command palette, as it is used here."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.events import Click, Mount
from textual.timer import Timer, TimerCallback
from textual.worker import Worker


class Commands(CommandList):
    """The list of it."""

    def on_click(self, event: Click) -> None:
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:  # it has grown shorter since that row was drawn
            event.prevent_default()

    def action_page_down(self) -> None:
        with suppress(KeyError):  # before the list was ever laid out
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]


class Palette(CommandPalette):
    """The palette. A second click beside it, made before the first was heard, closes no more than the palette."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield Commands() if type(widget) is CommandList else widget

    def on_mount(self, event: Mount) -> None:
        if self not in self.app.screen_stack[1:]:  # it was taken away before it was there
            event.prevent_default()

    def on_click(self, event: Click) -> None:
        event.prevent_default()
        try:
            beside = self.get_widget_at(event.screen_x, event.screen_y)[0] is self
        except NoWidget:  # made where the terminal, smaller by now, has no cell any more
            beside = True
        if beside:
            self.workers.cancel_node(self)
            self.app.post_message(self.Closed(option_selected=False))
            self.dismiss()

    def run_worker(self, work: Any, *given: Any, **more: Any) -> Worker[Any]:
        """What looks for commands gives up if the palette is closed before it begins."""

        async def looked() -> None:
            with suppress(NoMatches):
                await work()

        return super().run_worker(looked, *given, **more)

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """What it means to show later it shows only while it is there."""

        def still() -> None:
            with suppress(NoMatches):
                callback() if callback is not None else None

        return super().set_timer(delay, still, **more)

    def dismiss(self, result: object = None) -> AwaitComplete:
        return super().dismiss() if self.is_active else AwaitComplete()


def open_palette(app: App[Any]) -> None:
    """Show it, unless it is open."""
    if not CommandPalette.is_open(app):
        app.push_screen(Palette(id="--command-palette"))
