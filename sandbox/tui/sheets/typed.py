"""Asks for one line of text: the words of a card, a number of coins."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from sandbox.core.letters import ZWJ, ZWNJ
from sandbox.tui.view.base_screen import BaseScreen

SHORT = 40  # letters of a hint that stands in the line


class TypedLine(BaseScreen[str | None], ModalScreen[str | None]):
    """Gives the line, or None where it was left. hint: what could be typed, in the line itself where it is short, else
    beneath it. check: raises ValueError, in a sentence, for what cannot be.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "back", show=False)]

    def __init__(self, title: str, value: str, hint: str, most: int, check: Callable[[str], object]) -> None:
        super().__init__()
        self._title, self._value, self._hint, self._most, self._check = title, value, hint, most, check

    def compose(self) -> ComposeResult:
        with Vertical(id="line") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = "enter takes it, esc leaves"
            short = self._hint if len(self._hint) <= SHORT else ""
            yield WordInput(self._value, placeholder=short, max_length=self._most, id="line-input")
            yield Static("" if short else self._hint, id="line-fault", classes="-hint", markup=False)

    def on_input_changed(self) -> None:
        below = self.query_one("#line-fault", Static)
        if not below.has_class("-hint"):
            below.update("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self._check(event.value)
        except ValueError as fault:
            below = self.query_one("#line-fault", Static)
            below.remove_class("-hint")
            below.update(str(fault))
        else:
            self.dismiss(event.value)

    def action_leave(self) -> None:
        self.dismiss(None)


# ---- a field to type words into, of any script


class WordInput(Input):
    """A field that takes joiners of words, too: to Textual they are keys without a sign."""

    def on_key(self, event: Key) -> None:
        """Put a joiner where the cursor stands."""
        if event.character in (ZWNJ, ZWJ):
            event.stop()
            event.prevent_default()
            self.insert_text_at_cursor(event.character)
