"""What an action is: what a key, a click, the palette and a row of the help can do; and what keys are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from textual.binding import Binding, BindingType
from textual.keys import Keys

LIST, SHEET, ANYWHERE = "list", "sheet", "anywhere"
LIVE, REPLAY, BOTH = "live", "replay", "both"
GO_ON = "time.go_on"  # there while a mind is waited for
KEPT = frozenset(("ctrl+c", "ctrl+q", "ctrl+p", "ctrl+z"))
_GROUPS = {"list": "Lists", "tab": "Panes", "pane": "Panes"}  # the others are called as their area

On = TypeVar("On")  # what an action acts on: the stage, or the pane that declares it

# What a key is called on a small screen; all others are called by their own name. Textual calls a sign as Unicode does,
# apart from three: "full_stop", "less_than_sign".
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
_ORDER = ("alt", "ctrl", "shift")  # as Textual names what is held
_KNOWN = frozenset((*_SHOWN, *(key.value for key in Keys if "+" not in key.value and "<" not in key.value)))


class Action(NamedTuple, Generic[On]):
    """A thing that can be done. id: "area.verb". keys: Textual's names, the first is the one shown; "" = by palette and
    menu alone.

    label: a word for the footer ("" = not shown there). says: a sentence for the help ("" = told with another).
    does: it, upon the stage or the pane that declares it; what can be awaited is. palette: "area: verb" or "".
    where: ANYWHERE, LIST (any list) or the name of the pane that must have the focus. rank: lower ones stay longest in
    a narrow footer. when: LIVE, REPLAY or BOTH.
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
        """The heading it stands under."""
        area = self.id.partition(".")[0]
        return _GROUPS.get(area, area.capitalize())


def bindings(rows: Iterable[Action[Any]]) -> list[BindingType]:
    """Textual's bindings of a screen or a pane."""
    return [
        Binding(a.keys, f"screen.do('{a.id}')", a.says, show=bool(a.label), id=a.id, priority=a.id == "pane.next")
        for a in rows
        if a.keys
    ]


def keys_of(action: Action[Any], keymap: Mapping[str, str]) -> list[str]:
    """The keys that do it, as Textual calls them, remapped ones included; none if it has none."""
    keys = keymap.get(action.id, action.keys)
    return keys.split(",") if keys else []


def first_key(id: str, keys: Mapping[str, str]) -> str:
    """The key that is shown for an action, as a person calls it; "" if it has none. keys: of every action."""
    return shown_key(keys[id].partition(",")[0])


def shown_key(key: str) -> str:
    """A key as a person calls it."""
    return _SHOWN.get(key, key)


def named_key(key: str) -> str:
    """A key as Textual calls it, from what a person calls it ("?", "esc", "Ctrl+N"); "" if there is no such key."""
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
