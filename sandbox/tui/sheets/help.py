"""The help: keys of a pane from the action table, mouse, what marks mean; enter does a row. And facts of the town."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sandbox.core.faults import path_text, safe
from sandbox.engine.scenario import founding_of
from sandbox.people.mood_words import MARKS
from sandbox.store.errors import SaveError
from sandbox.store.session import versions
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.saves import size_words
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view import mind_progress
from sandbox.tui.view.action import LIVE, REPLAY, SHEET, Action, shown_key
from sandbox.tui.view.text_lines import Line, flow, hung, ink, key_line, of_mood
from sandbox.tui.widgets.entries import Entry, heading

COLUMN, NAMES = 14, 10  # cells of the left column, of keys and of facts
ARROWS = ("town.left", "town.right", "town.up", "town.down")
MOUSE = (
    ("click", "Choose a person, a row, a tab or a key of the last row."),
    ("again, double", "Go in: follow the person, open the row."),
    ("drag, wheel", "Move the map or the list; with ctrl the wheel zooms."),
    ("rest on", "Name what is under it."),
)
OVER_PEOPLE = ("… thinking", '" talk', "! row", "♥ tender", "? gossip or secret", "# phone", "z asleep", "& spark")


class HelpSheet(TownSheet):
    """The help on one pane. where: the pane's name, or SHEET."""

    kind = "help"

    def __init__(self, stage: TownLayout, where: str) -> None:
        super().__init__(stage, f"Keys: {'a sheet' if where == SHEET else stage.panes[where].PLACE.says}")
        self.where = where

    def entries(self, width: int) -> Sequence[Entry]:
        out: list[Entry] = [Entry([key_line("enter", "or a click does what a row says")])]
        group = ""
        for action in self.stage.usable(self.where, REPLAY if self.viewer.replaying else LIVE):
            if not action.says or action.id == "app.help":
                continue
            if action.group != group:
                group = action.group
                out.append(heading(group))
            out.append(Entry(_told(self._keys(action), action.says, width), partial(self._do, action.id), action.id))
        out.append(heading("Mouse"))
        out += [Entry(_told(what, does, width)) for what, does in MOUSE]
        out.append(heading("Marks over people"))
        out.append(Entry(flow(([ink(text, "soft")] for text in OVER_PEOPLE), width, 0)))
        out.append(heading("Moods"))
        out.append(Entry(flow(([ink(f"{mark} {mood}", of_mood(mood))] for mood, mark in MARKS.items()), width, 0)))
        return out

    def _keys(self, action: Action[Any]) -> str:
        own = self.viewer.keys
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
    """A word and, beside it, a sentence on as many lines as it needs."""
    return hung([ink(f"{what:{COLUMN}}", bold=True)], does, width, "soft")


# ---- facts of the town


async def open_facts(stage: TownLayout) -> None:
    """Show the facts as of now, or close them; an error in reading the save is shown as a fact."""
    if stage.close_kind(FactsSheet.kind):
        return
    session = stage.viewer.session
    world, save = session.world, session.save
    step, t, events = world.step, world.now, world.seq
    scenario, clock = world.scenario, world.clock
    facts = [
        ("town", f"{scenario.title} ({scenario.name}), {len(scenario.cast)} people"),
        ("seed", str(scenario.seed)),
        ("time", f"{clock.words(t)}, day {clock.day(t)}; {t:,} s since it began"),
        ("step", f"{step:,}, of {world.step_seconds} s each now"),
        ("events", f"{events:,}"),
    ]
    facts += mind_progress.model_facts(stage.viewer)
    if world.memories.live:
        facts.append(("memories", f"{sum(len(s) for s in world.memories.streams.values()):,}"))
    try:
        (row,) = await save.steps(step, step)
        info = await save.info()
        founding = founding_of(await save.found())
    except SaveError as error:
        facts.append(("save", str(error)))
    else:
        facts.append(("digest", row.digest.hex()))
        if info.step == step and info.unversioned:
            facts.append(("", f"{info.unversioned} without versions"))
        where = "in memory only" if session.path is None else f"{path_text(session.path)}, {size_words(info.size)}"
        facts.append(("save", where))
        if info.parent:
            facts.append(("branch of", f"{info.parent}, at step {info.parent_step:,}"))
        facts.append(("made with", _listed(founding.versions)))
    facts.append(("this is", _listed(versions())))
    stage.open_sheet(FactsSheet(stage, facts))


def _listed(parts: dict[str, str]) -> str:
    return ", ".join(f"{safe(name, 20)} {safe(value, 20)}" for name, value in parts.items())


class FactsSheet(TownSheet):
    """Names and values, a line each."""

    kind, title = "facts", "Facts"
    short = True

    def __init__(self, stage: TownLayout, facts: Sequence[tuple[str, str]]) -> None:
        super().__init__(stage)
        self.facts = facts

    def entries(self, width: int) -> Sequence[Entry]:
        told = (hung([ink(f"{name:{NAMES}}", "dim")], value, width) for name, value in self.facts)
        return [Entry([line]) for lines in told for line in lines]
