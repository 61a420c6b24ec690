"""The sheet of a place: what became of it, who lives and works there and since when, who is there, today's events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import upper
from sandbox.readers.places import Here, of_place
from sandbox.town.plan import sector_of
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.deal_context import directs
from sandbox.tui.sheets.town_sheet import TownSheet, leads
from sandbox.tui.view.text_lines import hung, ink, outside, to_width
from sandbox.tui.widgets.entries import Entry, heading

NAME = 10  # width of the name column, in cells


class PlaceSheet(TownSheet):
    """Enter on a person goes to them; on something that became of the place, to the event that caused it."""

    kind = "place"
    whole = True

    def __init__(self, stage: TownLayout, sector: str) -> None:
        super().__init__(stage, upper(stage.viewer.world.handbook.place(sector)))
        self.sector = sector

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.world
        facts = of_place(world, self.sector)
        out = [self._now(one, width) for one in facts.now]
        groups = (
            ("Live here", facts.lives),
            ("Work here", facts.works),
            ("Not any more", facts.gone),
            ("Here now", self._there()),
        )
        for title, found in groups:
            out += [*_head(title, out), *(self._person(one, width) for one in found)] if found else []
        day = world.clock.day(int(self.viewer.shown))
        today = [o for o in world.calendar.on(day) if sector_of(o.where) == self.sector]
        out += _head("Today", out) if today else []
        for o in today:
            hours = ink(f"{world.clock.hhmm(world.clock.midnight(day) + o.from_)}  ", "link")
            out.append(Entry(hung([hours], o.title, width)))
        out = out or [Entry([[ink("Nobody lives or works here.", "dim")]])]
        return [*out, *directs(self.stage, "this place")]

    def _now(self, one: Here, width: int) -> Entry:
        lines = hung([ink("= ", "accent")], _dated(one), width, "text" if one.seq else "soft")
        return Entry(lines, leads(self.stage, one.seq), ("now", one.text))

    def _person(self, one: Here, width: int) -> Entry:
        name = self.viewer.name(one.who)
        lines = hung(to_width([outside(name, bold=True)], NAME), _dated(one), width, "soft")
        return Entry(lines, partial(self.go_to_person, one.who), (one.who, one.text))

    def _there(self) -> tuple[Here, ...]:
        view, town = self.viewer.view, self.world.map
        rows = view.rows(self.viewer.shown)
        there = (row for row in rows if sector_of(town.area_of[int(row.y) * town.width + int(row.x)]) == self.sector)
        return tuple(Here(row.id, row.doing) for row in there)


def _head(title: str, above: Sequence[Entry]) -> list[Entry]:
    """A heading, with a blank line above it unless it comes first."""
    return [heading(title) if above else Entry([[ink(title, "accent", bold=True)]])]


def _dated(one: Here) -> str:
    return f"{one.text} ({one.since})" if one.since else one.text
