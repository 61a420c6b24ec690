"""The last row: the keys that act now, from the action table. Each can be clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from sandbox.tui.view.action import GO_ON, LIST, LIVE, REPLAY, SHEET, Action, keys_of, shown_key
from sandbox.tui.view.text_lines import GOLD, SOFT, Line, ink, width_of
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane, make_clickable

ACT, AS = "play.act", "play.as"  # what one can do as somebody
OPEN = "chosen.open"
TYPED = (("enter", "go"), ("esc", "close"))  # while letters are typed
Usable: TypeAlias = Callable[[str, str], Sequence[Action[Any]]]  # what can be done in a pane, live or in a replay


def footer_actions(
    where: str,
    rows: Sequence[Action[Any]],
    chosen: bool,
    keymap: Mapping[str, str],
    width: int,
    still: bool = False,
    turns: bool = True,
    waits: bool = False,
    played: Mapping[str, str] = MappingProxyType({}),
) -> list[Action[Any]]:
    """What fits into the row, in the table's order. rows: what can be done there.

    chosen: whether somebody is selected; still: nothing scrolls; turns: whether the open sheet has another beside it;
    waits: whether a mind is waited for; played: other words for what some actions do now, by their id.
    """
    rows = [a._replace(label=played[a.id], rank=0) if a.id in played else a for a in rows]
    usable = [a for a in rows if a.label and keys_of(a, keymap)]
    usable = [a for a in usable if waits or a.id != GO_ON]
    if not chosen:
        lists = any(a.where == LIST for a in usable)
        usable = [a for a in usable if a.group != "Chosen" or a.id in played or (lists and a.id == OPEN)]
    if where == SHEET:
        usable = [a for a in usable if not (still and a.group == "Lists") and (turns or a.group != "Panes")]
    kept: list[Action[Any]] = []
    left = width + 1  # nothing need follow the last
    for action in sorted(usable, key=lambda a: a.rank):
        need = width_of(_entry(action, keymap))
        if need <= left:
            kept.append(action)
            left -= need
    return [a for a in usable if a in kept]


def play_key_labels(viewer: Viewer) -> Mapping[str, str]:
    """What the keys of play do while somebody is played; nothing else, or in a replay."""
    if viewer.replaying or not viewer.world.played.who:
        return {}
    return {ACT: "act", AS: "give back"} if viewer.plays else {AS: "take over"}


def _entry(action: Action[Any], keymap: Mapping[str, str]) -> Line:
    return make_clickable(_key(shown_key(keys_of(action, keymap)[0]), action.label), "does", action.id)


def _key(key: str, label: str) -> Line:
    return [ink(f" {key}", GOLD, bold=True), ink(f" {label} ", SOFT)]


class KeyFooter(LinesPane):
    """Row 40 or 24. `where` is the kind of pane in focus; `still`: all of the open sheet is in view; `turns`: whether
    it has another beside it; typed: whether letters go to a line over the screen; chosen: whether a cursor is on
    somebody.
    """

    def __init__(self, viewer: Viewer, id: str, usable: Usable, where: str) -> None:
        super().__init__(viewer, id)
        self._usable = usable
        self.where = where
        self.still = True
        self.turns = False
        self.typed = self.chosen = False

    def lines(self, width: int, height: int) -> list[Line]:
        viewer = self.viewer
        rows = self._usable(self.where, REPLAY if viewer.replaying else LIVE)
        chosen, waits = self.chosen or bool(viewer.selected), bool(viewer.asked)
        says = {**play_key_labels(viewer), **({OPEN: "watch"} if viewer.stages else {})}
        more = (self.still, self.turns, waits, says)
        shown = footer_actions(self.where, rows, chosen, viewer.keys, width, *more)
        keys = [_key(*key) for key in TYPED] if self.typed else [_entry(action, viewer.keys) for action in shown]
        *line, last = [segment for key in keys for segment in key] or [ink("")]  # there may be room for none
        return [[*line, last._replace(text=last.text.rstrip())]]
