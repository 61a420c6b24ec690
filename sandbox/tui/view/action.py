"""Actions, which keys, clicks, the palette and the help all refer to, and the names of keys."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from textual.binding import Binding, BindingType
from textual.keys import Keys

LIST, SHEET, ANYWHERE = "list", "sheet", "anywhere"
LIVE, REPLAY, BOTH = "live", "replay", "both"
GO_ON = "time.go_on"  # id of the action offered while a step waits for a mind
KEPT = frozenset(("ctrl+c", "ctrl+q", "ctrl+p", "ctrl+z"))  # kept for the terminal: no action takes them
_GROUPS = {"list": "Lists", "tab": "Panes", "pane": "Panes"}  # area -> heading; other areas give their own name

On = TypeVar("On")  # what an action acts on: the layout, or the pane that declares it

# Textual's name of a key -> the short name shown; a key not listed is shown under its own name. Textual names most
# signs as Unicode does ("full_stop", "less_than_sign"); slash, plus and minus are exceptions.
_SHOWN = {
    **{unicodedata.name(sign).lower().replace("-", "_").replace(" ", "_"): sign for sign in ".,<>?!*=[]{}"},
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "escape": "esc",
    "backspace": "bksp",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "pgup",
    "pagedown": "pgdn",
}
_NAMED = {shown: name for name, shown in _SHOWN.items()}
_ORDER = ("alt", "ctrl", "shift")  # the order in which Textual names modifiers
_KNOWN = frozenset((*_SHOWN, *(key.value for key in Keys if "+" not in key.value and "<" not in key.value)))


class Action(NamedTuple, Generic[On]):
    """Something a player can do. id: "area.verb". keys: Textual's names, comma between, the first is shown; "" = only
    by palette and menu.

    label: a word for the footer ("" = not shown there). says: a sentence for the help ("" = another action's covers
    it). does: called with the layout or the pane that declares the action; an awaitable result is awaited. palette: its
    entry, "area: verb", or "". where: ANYWHERE, LIST (any list) or the name of the pane that must have the focus. rank:
    lower ones stay longest in a narrow footer. when: LIVE, REPLAY or BOTH.
    """

    id: str
    keys: str
    label: str
    says: str
    does: Callable[[On], object]
    palette: str = ""
    where: str = ANYWHERE
    rank: int = 5
    when: str = BOTH

    @property
    def group(self) -> str:
        """The heading of the help that lists this action."""
        area = self.id.partition(".")[0]
        return _GROUPS.get(area, area.capitalize())


def bindings(rows: Iterable[Action[Any]]) -> list[BindingType]:
    """Textual bindings for the actions of a screen or a pane."""
    return [
        Binding(a.keys, f"screen.do('{a.id}')", a.says, show=bool(a.label), id=a.id, priority=a.id == "pane.next")
        for a in rows
        if a.keys
    ]


def keys_of(action: Action[Any], keymap: Mapping[str, str]) -> list[str]:
    """The keys of an action by Textual's names. keymap: action id -> remapped keys, which replace the action's own."""
    keys = keymap.get(action.id, action.keys)
    return keys.split(",") if keys else []


def first_key(id: str, keys: Mapping[str, str]) -> str:
    """The key to show for an action, by its short name; "" if it has none. keys: keys of every action by id."""
    return shown_key(keys[id].partition(",")[0])


def shown_key(key: str) -> str:
    """The short name to show for a key."""
    return _SHOWN.get(key, key)


def named_key(key: str) -> str:
    """Textual's name for a key that a person typed ("?", "esc", "Ctrl+N"); "" if there is no such key."""
    key = key.strip()
    if len(key) == 1:
        return _NAMED.get(key, key) if key.isprintable() and not key.isspace() else ""
    *held, last = key.lower().split("+") if not key.endswith("++") else [*key.lower()[:-2].split("+"), "+"]
    last = _NAMED.get(last, last)
    if not set(held) <= set(_ORDER) or not (last in _KNOWN or (held and len(last) == 1 and last.isprintable())):
        return ""
    if held == ["shift"] and len(last) == 1:
        return last.upper()
    return "+".join((*(h for h in _ORDER if h in held), last))
