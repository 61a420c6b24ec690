"""The keys of a pane, from the action table: enter does what a row says. Then the mouse, and what the marks mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sandbox.people.words import MARKS
from sandbox.tui.action import LIVE, REPLAY, SHEET, Action, shown_key
from sandbox.tui.ink import SOFT, TEXT, Line, flow, hung, ink, keyed, of_mood
from sandbox.tui.panes.entries import Entry, heading
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

COLUMN = 14
ARROWS = ("town.left", "town.right", "town.up", "town.down")
MOUSE = (
    ("click", "Choose a person, a row, a tab or a key of the last row."),
    ("again, double", "Go in: follow the person, open the row."),
    ("drag, wheel", "Move the map or the list; with ctrl the wheel zooms."),
    ("rest on", "Name what lies under it."),
)
OVER_PEOPLE = ("… thinking", '" talk', "! row", "♥ tender", "? gossip or secret", "# phone", "z asleep", "& spark")


class HelpLeaf(Leaf[Stage]):
    """Where: the kind of pane it is about."""

    kind = "help"

    def __init__(self, stage: Stage, where: str) -> None:
        super().__init__(stage, f"Keys: {'a sheet' if where == SHEET else stage.panes[where].PLACE.says}")
        self.where = where

    def entries(self, width: int) -> Sequence[Entry]:
        out: list[Entry] = [Entry([keyed("enter", "or a click does what a row says")])]
        group = ""
        for action in self.stage.usable(self.where, REPLAY if self.stage.viewer.replaying else LIVE):
            if not action.says or action.id == "app.help":
                continue
            if action.group != group:
                group = action.group
                out.append(heading(group))
            out.append(Entry(_told(self._keys(action), action.says, width), partial(self._do, action.id), action.id))
        out.append(heading("Mouse"))
        out += [Entry(_told(what, does, width)) for what, does in MOUSE]
        out.append(heading("Marks over people"))
        out.append(Entry(flow(([ink(text, SOFT)] for text in OVER_PEOPLE), width, 0)))
        out.append(heading("Moods"))
        out.append(Entry(flow(([ink(f"{mark} {mood}", of_mood(mood))] for mood, mark in MARKS.items()), width, 0)))
        return out

    def _keys(self, action: Action[Any]) -> str:
        own = self.stage.viewer.keys
        ids = ARROWS if action.id == ARROWS[0] else (action.id,)
        keys = [shown_key(key) for id in ids for key in own[id].split(",") if key]
        return " ".join(keys) or "here"

    async def _do(self, id: str) -> None:
        if self.where == SHEET:
            self.stage.close_sheet()
        else:
            self.stage.close_all()
        await self.stage.do(id)


def _told(what: str, does: str, width: int) -> list[Line]:
    """A word and, beside it, a sentence in as many lines as it needs."""
    return hung([ink(f"{what:{COLUMN}}", TEXT, bold=True)], does, width, SOFT)
