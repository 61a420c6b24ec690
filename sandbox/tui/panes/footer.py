"""The last row: the keys that act now, from the action table. Each can be clicked."""

from __future__ import annotations

from collections.abc import Mapping

from textual.events import Click
from textual.message import Message

from sandbox.tui import actions
from sandbox.tui.actions import Action
from sandbox.tui.ink import GOLD, SOFT, Line, ink, width_of
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.viewer import Viewer

TYPED = (("enter", "go"), ("esc", "close"))  # while letters are typed


def footer_actions(
    where: str,
    chosen: bool,
    keymap: Mapping[str, str],
    width: int,
    still: bool = False,
    when: str = actions.LIVE,
    turns: bool = True,
    waits: bool = False,
) -> list[Action]:
    """What fits into the row, in the table's order.

    chosen: whether somebody is selected; still: nothing scrolls; turns: whether the open sheet has another beside it;
    waits: whether a mind is waited for.
    """
    usable = [a for a in actions.usable(where, when) if a.label and actions.keys_of(a, keymap)]
    usable = [a for a in usable if waits or a.id != actions.GO_ON]
    if not chosen:
        lists = where in actions.LISTS
        usable = [a for a in usable if a.group != "Chosen" or (lists and a.id == "chosen.open")]
    if where == actions.SHEET:
        usable = [a for a in usable if not (still and a.group == "Lists") and (turns or a.group != "Panes")]
    kept: list[Action] = []
    left = width + 1  # nothing need follow the last
    for action in sorted(usable, key=lambda a: a.rank):
        need = width_of(_entry(action, keymap))
        if need <= left:
            kept.append(action)
            left -= need
    return [a for a in usable if a in kept]


def _entry(action: Action, keymap: Mapping[str, str]) -> Line:
    return _key(actions.shown_key(actions.keys_of(action, keymap)[0]), action.label)


def _key(key: str, label: str) -> Line:
    return [ink(f" {key}", GOLD, bold=True), ink(f" {label} ", SOFT)]


class KeyFooter(LinesPane):
    """Row 40 or 24. `where` is the kind of pane in focus; `still`: all of the open sheet is in view; `turns`: whether
    it has another beside it; typed: whether letters go to a line over the screen."""

    class Pressed(Message):
        """An entry was clicked."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(self, viewer: Viewer, id: str, keymap: Mapping[str, str]) -> None:
        super().__init__(viewer, id)
        self.keymap = keymap
        self.where = actions.TOWN
        self.still = True
        self.turns = False
        self.typed = False

    def lines(self, width: int, height: int) -> list[Line]:
        keys = [_key(*key) for key in TYPED] if self.typed else [_entry(a, self.keymap) for a in self._shown(width)]
        line = [segment for key in keys for segment in key]
        return [[*line[:-1], ink(line[-1].text.rstrip(), SOFT)]]

    def _shown(self, width: int) -> list[Action]:
        viewer = self.viewer
        when = actions.REPLAY if viewer.replaying else actions.LIVE
        chosen, waits = bool(viewer.selected), bool(viewer.asked)
        return footer_actions(self.where, chosen, self.keymap, width, self.still, when, self.turns, waits)

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        x = 0
        for action in self._shown(self.content_size.width):
            x += width_of(_entry(action, self.keymap))
            if offset.x < x:
                self.post_message(self.Pressed(action))
                return
