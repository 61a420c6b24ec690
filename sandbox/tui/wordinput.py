"""A field to type words into, of any script."""

from __future__ import annotations

from textual.events import Key
from textual.widgets import Input

from sandbox.core.letters import ZWJ, ZWNJ


class WordInput(Input):
    """A field that takes joiners of words, too: to Textual they are keys without a sign."""

    def on_key(self, event: Key) -> None:
        """Put a joiner where the cursor stands."""
        if event.character in (ZWNJ, ZWJ):
            event.stop()
            event.prevent_default()
            self.insert_text_at_cursor(event.character)
