"""The settings, listed from their schema: enter or ] sets the next value, [ the one before; it applies at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.faults import path_text
from sandbox.core.places import settings_file
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.settings import FIELDS, Setting
from sandbox.tui.view.text_lines import DIM, FAINT, GOLD, TEXT, Line, as_lines, hung, ink, justify, key_line, outside
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet


class SettingsSheet(Sheet[TownLayout]):
    """All settings in groups, each with its explanation below. start: the key of the setting the cursor starts on."""

    kind, title = "settings", "Settings"
    picks = runs = turns = True

    def __init__(self, stage: TownLayout, start: str = "") -> None:
        super().__init__(stage)
        self.start = start or None

    def entries(self, width: int) -> Sequence[Entry]:
        out = [Entry([[*key_line("enter ]", "next value   "), *key_line("[", "the one before")]])]
        group = ""
        for f in FIELDS:
            if f.group != group:
                group = f.group
                out.append(heading(group))
            out.append(Entry(self._lines(f, width), partial(self._turn, f, 1), f.key))
        says = f"Kept in {path_text(settings_file())}. Keys are changed there, under `keys:`; docs/keys.md tells how."
        out.append(Entry([[], *as_lines(says, width, DIM)]))
        return out

    def _lines(self, setting: Setting, width: int) -> list[Line]:
        settings = self.stage.program.settings
        choices, value = settings.choices(setting), settings[setting.key]
        values: Line = []
        for choice in choices:
            values.append(outside(choice, GOLD if choice == value else DIM, bold=choice == value))
            values.append(ink(" · " if choice != choices[-1] else "", FAINT))
        if sum(s.cell_length for s in values) > width - 26:
            values = [ink("‹ ", DIM), outside(value, GOLD, bold=True), ink(f" ›  of {len(choices)}", DIM)]
        return [justify([ink(setting.title, TEXT)], values, width), *hung([ink("  ")], setting.says, width, DIM)]

    def _turn(self, setting: Setting, by: int) -> None:
        house = self.stage.program
        choices = house.settings.choices(setting)
        now = house.settings[setting.key]
        index = choices.index(now) + by if now in choices else 0
        house.change(setting.key, choices[index % len(choices)])
        self.stage.update()

    def turned(self, by: int) -> Sheet[TownLayout] | None:
        """Set the setting under the cursor to its next value, or the one before."""
        entry = self.stage.sheets.chosen
        field = next((f for f in FIELDS if entry is not None and f.key == entry.key), None)
        if field is not None:
            self._turn(field, by)
        return None


def open_settings(stage: TownLayout, start: str) -> None:
    """Open the settings with the cursor on the setting `start`."""
    stage.open_sheet(SettingsSheet(stage, start), instead=stage.sheets.kind == SettingsSheet.kind)
