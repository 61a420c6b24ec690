"""What all our screens have in common: how they are drawn, and how they bear with hasty terminals and clicks."""

from __future__ import annotations

from typing import Any, TypeVar

from textual.await_complete import AwaitComplete
from textual.events import Resize
from textual.screen import Screen

from sandbox.tui.view.textual_internals import LeanLine, why_plain

Answer = TypeVar("Answer")


class BaseScreen(Screen[Answer]):
    """A screen that sends only what differs from what the terminal shows, if that can be done."""

    def __init__(self) -> None:
        super().__init__()
        self.line = None if why_plain() else LeanLine(self)
        self._under: Screen[Any] | None = None

    def on_mount(self) -> None:
        self.app.app_resume_signal.subscribe(self, lambda _: self._anew())

    def on_unmount(self) -> None:
        self.app.app_resume_signal.unsubscribe(self)  # else it would be kept, and its town with it
        self._under = None

    def _anew(self) -> None:
        """Somebody else has written on the terminal."""
        self._forget()
        self.refresh(layout=True)

    def _forget(self) -> None:
        if self.line is not None:
            self.line.shadow.forget()

    def on_resize(self, event: Resize) -> None:
        """A size that is not the terminal's any more is passed over.

        Textual tells a screen of each size twice; of two sizes in quick succession each would bring back the other,
        without end.
        """
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close it, once: a second click must not close what lies beneath."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def on_screen_suspend(self) -> None:
        self._under = self.app.screen

    def on_screen_resume(self) -> None:
        if not isinstance(self._under, BaseScreen):  # it has written over what is known
            self._forget()
        self._under = None
