"""The menu: what to play or watch, the list of worlds, the settings, quit. The town goes on behind it.

At the start the town behind it has a save that is kept only if that town is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from secrets import randbelow
from typing import NamedTuple

from sandbox.core.faults import Faults, path_text, safe
from sandbox.core.places import settings_file
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.engine.loading import list_worlds
from sandbox.store.branch import SaveListing
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.saves import open_saves, other_saves, recorded_day, save_time_words
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.action import first_key
from sandbox.tui.view.settings import FIELDS, Setting
from sandbox.tui.view.text_lines import Line, as_lines, hung, ink, justify, key_line, outside
from sandbox.tui.widgets.entries import Deed, Entry, heading

SEEDS = 10_000  # a random seed is below this, so that it is short enough to say and type


async def open_menu(stage: TownLayout, start: bool = False) -> None:
    """Show the menu. start: whether the town behind it is not played yet."""
    stage.open_sheet(MenuSheet(stage, await other_saves(stage.viewer.session.path), start))


class MenuSheet(TownSheet):
    """The menu. saves: the other saves, the newest first. begins: whether the town behind it is not played yet."""

    kind, title = "menu", "sandbox"
    small = True

    def __init__(self, stage: TownLayout, saves: Sequence[SaveListing], begins: bool) -> None:
        super().__init__(stage)
        self.saves, self.begins = saves, begins

    def entries(self, width: int) -> Sequence[Entry]:
        stage, viewer = self.stage, self.viewer
        world, t = viewer.world, int(viewer.shown)
        out: list[Entry] = []
        lived = [(save.path, save.info) for save in self.saves if save.info is not None]
        if lived:
            path, info = lived[0]
            name = f"Continue {safe(path.stem, 20)}"
            out.append(self._entry(name, save_time_words(info), partial(stage.program.play, path), width))
        here = f"{world.scenario.title}, {world.clock.hhmm(t)}"
        elsewhere = "Back to the recording" if viewer.replaying else "Back to the town"
        back = "Play this town" if self.begins else elsewhere
        out.append(self._entry(back, here, stage.close_all, width))
        out.append(self._entry("New town ...", "", lambda: stage.open_sheet(WorldsSheet(stage)), width))
        if self.saves:
            out.append(self._entry("Open a save ...", "", partial(open_saves, self.stage), width))
        day = recorded_day()
        if day is not None and day != viewer.session.path:
            out.append(self._entry("Watch a recorded day", "", partial(stage.program.show, day), width))
        for name, id in (("Settings", "app.settings"), ("Keys", "app.help")):
            out.append(self._entry(name, first_key(id, stage.viewer.keys), partial(stage.do, id), width))
        out.append(self._entry("Quit", "", stage.app.exit, width))
        return out

    def _entry(self, name: str, says: str, does: Deed, width: int) -> Entry:
        return Entry([justify([ink(name)], [outside(says, "dim")], width)], does, name.split()[0])

    def closed(self) -> None:
        self.stage.program.keep()


class Offered(NamedTuple):
    """A world as described in its file, unchecked. people: how many are in its cast."""

    path: Path
    name: str
    title: str
    about: str
    people: int


def read_world_offer(name: str, path: Path) -> Offered:
    """Read what the list shows of a world. Faults are ignored here; they are reported when a town is begun."""
    r = MappingReader(open_yaml(path / "world.yaml", Faults()))
    return Offered(path, name, r.text("title", name, limit=80), r.text("about", limit=600), len(r.items("cast")))


class WorldsSheet(TownSheet):
    """The list of worlds. seed: the random one that is offered beside each world's own."""

    kind, title = "worlds", "A new town"
    picks = runs = short = True

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self.worlds = [read_world_offer(name, path) for name, path in sorted(list_worlds().items())]
        self.seed = 1 + randbelow(SEEDS - 1)

    def entries(self, width: int) -> Sequence[Entry]:
        out: list[Entry] = []
        play = self.stage.program.play
        for world in self.worlds:
            folder = world.path.resolve()
            people = ink(f"{world.people} people" if world.people else "", "dim")
            head = justify([outside(safe(world.title, 40), "accent", bold=True)], [people], width)
            told = as_lines(world.about, width, most=4) if world.about else []
            out.append(Entry([*([[]] if out else []), head, *told]))
            out.append(Entry([[ink("  begin, as its author meant it")]], partial(play, folder), world.name))
            other = [ink("  begin, with other chances "), ink(f"(seed {self.seed})", "dim")]
            out.append(Entry([other], partial(play, folder, self.seed), (world.name, "seed")))
        if not out:
            out.append(Entry([[ink("No worlds found: a world is a folder in worlds/ with a world.yaml.", "soft")]]))
        return out


# ---- the settings, listed from their schema: enter or ] sets the next value, [ the one before; it applies at once


class SettingsSheet(TownSheet):
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
        out.append(Entry([[], *as_lines(says, width, "dim")]))
        return out

    def _lines(self, setting: Setting, width: int) -> list[Line]:
        settings = self.stage.program.settings
        choices, value = settings.choices(setting), settings[setting.key]
        values: Line = []
        for choice in choices:
            values.append(outside(choice, "accent" if choice == value else "dim", bold=choice == value))
            values.append(ink(" · " if choice != choices[-1] else "", "faint"))
        if sum(s.cell_length for s in values) > width - 26:
            values = [ink("‹ ", "dim"), outside(value, "accent", bold=True), ink(f" ›  of {len(choices)}", "dim")]
        return [justify([ink(setting.title)], values, width), *hung([ink("  ")], setting.says, width, "dim")]

    def _turn(self, setting: Setting, by: int) -> None:
        house = self.stage.program
        choices = house.settings.choices(setting)
        now = house.settings[setting.key]
        index = choices.index(now) + by if now in choices else 0
        house.change(setting.key, choices[index % len(choices)])
        self.stage.update()

    def turned(self, by: int) -> TownSheet | None:
        """Set the setting under the cursor to its next value, or the one before."""
        field = next((f for f in FIELDS if f.key == self.cursor_key), None)
        if field is not None:
            self._turn(field, by)
        return None


def open_settings(stage: TownLayout, start: str) -> None:
    """Open the settings with the cursor on the setting `start`."""
    stage.open_sheet(SettingsSheet(stage, start), instead=stage.sheets.kind == SettingsSheet.kind)
