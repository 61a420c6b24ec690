"""What the keys do in a pane, what the mouse does, what the marks mean."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment

from sandbox.people.words import MARKS
from sandbox.tui import actions
from sandbox.tui.ink import GOLD, SOFT, TEXT, Line, ink, of_mood, width_of, wrap


def help_lines(where: str, keymap: Mapping[str, str], width: int) -> list[Line]:
    """What the keys do in a kind of pane, from the action table, then what the mouse does."""
    out: list[Line] = []
    group = ""
    for action in actions.usable(where):
        if not action.says:
            continue
        if action.group != group:
            group = action.group
            out += [[], [ink(group, GOLD, bold=True)]] if out else [[ink(group, GOLD, bold=True)]]
        keys = " ".join(actions.shown_key(key) for key in actions.keys_of(action, keymap))
        if action.id == "town.left":
            keys = "← → ↑ ↓"
        parts = wrap(action.says, max(10, width - 14))
        out.append([ink(f"{keys:14}", TEXT, bold=True), ink(parts[0], SOFT)])
        out += [[ink(" " * 14), ink(part, SOFT)] for part in parts[1:]]
    out += [[], [ink("Mouse", GOLD, bold=True)]]
    for what, does in (
        ("click", "Choose a person, or a row of the timeline; the map goes there."),
        ("double click", "Follow the person; read the row's talk."),
        ("drag, wheel", "Move the map, or the list."),
    ):
        parts = wrap(does, max(10, width - 14))
        out.append([ink(f"{what:14}", TEXT, bold=True), ink(parts[0], SOFT)])
        out += [[ink(" " * 14), ink(part, SOFT)] for part in parts[1:]]
    out += [[], [ink("Marks over people", GOLD, bold=True)]]
    talks = ('" talk', "! row", "♥ tender", "? gossip", "z asleep")
    out += _flow([ink(text, SOFT) for text in talks], width)
    out += _flow([ink(f"{mark} {mood}", of_mood(mood)) for mood, mark in MARKS.items()], width)
    return out


def _flow(parts: list[Segment], width: int) -> list[Line]:
    """Short texts side by side, in as many rows as they need."""
    out: list[Line] = [[]]
    for part in parts:
        if out[-1] and width_of(out[-1]) + 3 + part.cell_length > width:
            out.append([])
        out[-1] += [ink("   "), part] if out[-1] else [part]
    return out
