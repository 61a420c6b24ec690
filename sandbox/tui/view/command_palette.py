"""Textual's command palette, hardened against events that arrive before it is mounted or after it is closed."""

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
    """The palette's list of commands."""

    def on_click(self, event: Click) -> None:
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:  # the list has grown shorter since that row was drawn
            event.prevent_default()

    def action_page_down(self) -> None:
        with suppress(KeyError):  # before the list was ever laid out
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]


class Palette(CommandPalette):
    """The palette. A second click outside it, made before the first was handled, closes nothing else."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield Commands() if type(widget) is CommandList else widget

    def on_mount(self, event: Mount) -> None:
        if self not in self.app.screen_stack[1:]:  # it was dismissed before it was mounted
            event.prevent_default()

    def on_click(self, event: Click) -> None:
        event.prevent_default()
        try:
            beside = self.get_widget_at(event.screen_x, event.screen_y)[0] is self
        except NoWidget:  # the terminal has shrunk and has no cell there any more
            beside = True
        if beside:
            self.workers.cancel_node(self)
            self.app.post_message(self.Closed(option_selected=False))
            self.dismiss()

    def run_worker(self, work: Any, *given: Any, **more: Any) -> Worker[Any]:
        """Run the search for commands; it ends quietly if the palette was closed before it began."""

        async def looked() -> None:
            with suppress(NoMatches):
                await work()

        return super().run_worker(looked, *given, **more)

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """Call back later; a callback after the palette was closed is ignored."""

        def still() -> None:
            with suppress(NoMatches):
                callback() if callback is not None else None

        return super().set_timer(delay, still, **more)

    def dismiss(self, result: object = None) -> AwaitComplete:
        return super().dismiss() if self.is_active else AwaitComplete()


def open_palette(app: App[Any]) -> None:
    """Show the palette unless it is open."""
    if not CommandPalette.is_open(app):
        app.push_screen(Palette(id="--command-palette"))
