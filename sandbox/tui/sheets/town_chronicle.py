"""The sheet of the chronicle: what came to a head in town, day by day, each line leading to its event."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.readers.chronicle import ChronicleEntry, chronicle_entries, read_turns
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.town_sheet import ReadSheet, leads
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import hung, ink
from sandbox.tui.widgets.entries import Entry, group, remark


class ChronicleSheet(ReadSheet):
    """The chronicle of the town up to what is shown, the latest day first."""

    kind = "chronicle"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, "The chronicle")
        self._found: Sequence[ChronicleEntry] = ()

    async def read(self) -> None:
        viewer = self.viewer
        if not viewer.knower:
            turns = await read_turns(viewer.session.save, viewer.world)
            self._found = chronicle_entries(turns, viewer.world.clock)

    def entries(self, width: int) -> Sequence[Entry]:
        self.keep_up(self.state_key)
        if self.viewer.knower:
            key = first_key("play.see_all", self.viewer.keys)
            return [remark(f"It tells what you cannot know; {key} (all-knowing view) shows it.", width)]
        out: list[Entry] = [Entry([line]) for line in self.waiting(width)]
        clock = self.world.clock
        for day in sorted({x.day for x in self._found}, reverse=True):
            at = clock.at(clock.midnight(day))
            rows = [
                Entry(hung([ink(f"{clock.hhmm(x.t)}  ", "soft")], x.text, width), leads(self.stage, x.seq), x.seq)
                for x in self._found
                if x.day == day
            ]
            out += group(f"Day {day}, {at:%A} {at.day} {at:%B}", rows)
        if self.ready and not out:
            out.append(remark("Nothing has happened yet that a chronicle would keep.", width))
        return out
