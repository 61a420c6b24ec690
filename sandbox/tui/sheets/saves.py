"""The list of saves, newest first, each branch below the save it was made from: enter plays a save, watches it, or
compares it with the open one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import time

from rich.cells import cell_len

from sandbox.core.clock import HOUR, Clock, parse_start
from sandbox.core.places import saves_dir, shipped_folder
from sandbox.readers.branch_difference import Forks
from sandbox.store.branch import SaveListing, read_listing, saves_list
from sandbox.store.facts import SaveInfo
from sandbox.store.tree import TreePlace, tree, with_parents
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.compare import compare_with
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.action import first_key
from sandbox.tui.view.person_words import age
from sandbox.tui.view.text_lines import Line, hung, ink, justify, key_line, outside, to_width
from sandbox.tui.widgets.entries import Entry

TITLE = 12  # least cells of a save's title; it also gets what file names leave
DAY_THAT_SHIPS = "larkspur-day.db"
VERBS = PLAYS, WATCHES, COMPARES = "plays", "watches", "compares"
VERB_WORDS = {PLAYS: "from where it ended", WATCHES: "from its beginning", COMPARES: "with the one that is open"}
DOES = {PLAYS: "play", WATCHES: "watch", COMPARES: "compare"}  # labels in the footer
FORKS = Forks()  # remembers how branches differ, so that none is read twice


async def other_saves(here: Path | None) -> list[SaveListing]:
    """The saves of the folder, newest first, without the open one and the one that ships (which is only watched)."""
    aside = {path.resolve() for path in (here, shipped_folder("saves") / DAY_THAT_SHIPS) if path is not None}
    return [save for save in await saves_list(saves_dir()) if save.path.resolve() not in aside]


def recorded_day() -> Path | None:
    """The path of the recorded day that ships; None if the file is missing."""
    path = shipped_folder("saves") / DAY_THAT_SHIPS
    return path if path.is_file() else None


def save_time_words(info: SaveInfo) -> str:
    """The town time a save has reached: "day 2, 14:10"; in hours if its file does not say when it began."""
    try:
        clock = Clock(parse_start(info.start))
    except ValueError:
        return f"{info.t / HOUR:.1f} hours"
    return f"day {clock.day(info.t)}, {clock.hhmm(info.t)}"


def size_words(size: int) -> str:
    """A size in bytes as words: "2.9 MB"."""
    return f"{size / 1e6:.1f} MB"


async def open_saves(stage: TownLayout, verb: str = "", chosen: Path | None = None) -> None:
    """Open the list, and read in the background how each branch differs. verb: what enter does at first, "" = it plays;
    chosen: the save the cursor starts on.
    """
    viewer = stage.viewer
    here = None if viewer.fleeting else viewer.session.path
    saves = [s for s in await saves_list(saves_dir()) if not _ships(s.path) and not _is(s.path, viewer.session.path)]
    if here is not None and (own := await read_listing(here)).info is not None:
        saves.insert(0, own)
    sheet = SavesSheet(stage, await with_parents(saves), verb, chosen)
    stage.open_sheet(sheet)
    stage.run_worker(sheet.read(), name="forks", group="forks", exclusive=True, exit_on_error=False)


def _is(path: Path, other: Path | None) -> bool:
    return other is not None and path.resolve() == other.resolve()


def _ships(path: Path) -> bool:
    return _is(path, shipped_folder("saves") / DAY_THAT_SHIPS)


class SavesSheet(TownSheet):
    """The list, each branch below the save it was made from; saves that cannot be opened come last, with the reason.

    verb: what enter does: play a save from its end, watch it from its beginning, or compare it with the open one.
    """

    kind, title = "saves", "Saves"
    picks = runs = short = turns = True
    keys = frozenset(("saves.compare", "saves.name"))

    def __init__(
        self, stage: TownLayout, saves: Sequence[SaveListing], verb: str = "", chosen: Path | None = None
    ) -> None:
        super().__init__(stage)
        self.start = str(chosen) if chosen is not None else None
        self.places = tree(saves)
        self.short = not any(place.parent for place in self.places)  # lines on branches come later
        self.verb = verb or PLAYS
        self._now = time()

    async def read(self) -> None:
        """Find out how each branch differs from its parent, one after another; stops when the list is closed."""
        try:
            for place in self.places:
                if not self.stage.sheets.holds(self):
                    return
                if FORKS.known(place) is None and await FORKS.of(place) is not None:
                    self.stage.sheets.pull()
        finally:
            FORKS.let_go()

    def chosen(self) -> SaveListing | None:
        """The save under the cursor."""
        return next((p.save for p in self.places if str(p.save.path) == self.cursor_key), None)

    def entries(self, width: int) -> Sequence[Entry]:
        out = [Entry([self._head(), []])]
        wide = _wide(width)
        longest = (cell_len(_drawn(p.over, wide)[0]) + cell_len(p.save.path.stem) for p in self.places)
        names = min(wide, max(longest, default=0))
        for place in sorted(self.places, key=lambda place: place.save.info is None):
            save = place.save
            if save.info is None:
                told = save.error.removeprefix(str(save.path)).lstrip(": ")  # the line above shows its path
                reason = hung([ink("  ")], told, width, "alarm", most=3)
                out.append(Entry([[outside(save.path.name, "dim")], *reason]))
                continue
            lines = [self._row(place, save.info, width, names), *self._forked(place, save.info, width)]
            out.append(Entry(lines, partial(self._enter, save.path), str(save.path)))
        if len(out) == 1:
            out.append(Entry([[ink("There is none yet. A town that is played is kept here.", "soft")]]))
        return out

    async def _enter(self, path: Path) -> None:
        stage = self.stage
        open_now = _is(path, stage.viewer.session.path)
        if self.verb == COMPARES:
            await compare_with(stage, path)
        elif open_now and (self.verb == PLAYS) != stage.viewer.replaying:
            stage.close_all()
        elif self.verb == PLAYS and not _ships(path):  # the shipped save, listed if it has a branch, is only watched
            stage.program.play(path)
        else:
            stage.program.show(path)

    def labels(self) -> Mapping[str, str]:
        after = VERBS[(VERBS.index(self.verb) + 1) % len(VERBS)]
        labels = {"chosen.open": DOES[self.verb], "tab.next": f"{DOES[after]} instead", "saves.name": "name"}
        return labels if self.verb == COMPARES else {**labels, "saves.compare": "compare"}

    def _head(self) -> Line:
        keys = self.viewer.keys
        after = VERBS[(VERBS.index(self.verb) + 1) % len(VERBS)]
        line = [*key_line("enter", f"{self.verb} {VERB_WORDS[self.verb]}  "), *key_line("]", f"{after} instead")]
        if key := first_key("saves.name", keys):
            line += [ink("  "), *key_line(key, "names it")]
        return line

    def _row(self, place: TreePlace, info: SaveInfo, width: int, names: int) -> Line:
        """A save in one line. names: cells for tree and file name; the rest of their column goes to the title."""
        path = place.save.path
        try:
            when = age(self._now - path.stat().st_mtime)
        except OSError:
            when = ""
        if _is(path, self.viewer.session.path):
            when = "open now"
        wide = _wide(width)
        right = [ink(f"{size_words(info.size):>8}  {when:>11}", "dim")]
        name = [ink(_drawn(place.over, wide)[0], "faint"), outside(path.stem)]
        left = [*to_width(name, names), ink(" "), *to_width([outside(info.title, "soft")], TITLE + wide - names)]
        return justify([*left, ink(f" {save_time_words(info):13}", "soft")], right, width)

    def _forked(self, place: TreePlace, info: SaveInfo, width: int) -> Sequence[Line]:
        """When a branch left its parent, and how it differs; "..." until that is read."""
        head = [ink(_drawn(place.over, _wide(width))[1], "faint")]
        if place.lost:
            return hung(head, place.lost, width, "dim", most=2)
        if place.parent is None or info.fork is None:
            return ()
        known = FORKS.known(place)
        told = f": {known.text}" if known is not None else " ..."
        return hung(head, f"left {save_time_words(info._replace(t=info.fork.t))}{told}", width, "dim", most=3)

    def turned(self, by: int) -> TownSheet | None:
        """Keep the list, and change what enter does to the next verb, or the one before."""
        self.verb = VERBS[(VERBS.index(self.verb) + by) % len(VERBS)]
        self.stage.update()
        return None


def _wide(width: int) -> int:
    """The most cells that tree and file name may take in a list of `width` cells."""
    return max(14, width - 52)


def _drawn(over: Sequence[bool], wide: int) -> tuple[str, str]:
    """The tree lines before a save, and before its second line. over: for each level, whether more siblings follow;
    wide: cells for tree and name; where that is too little, the outer levels are cut.
    """
    if not over:
        return "", "   "
    before = "".join("│ " if more else "  " for more in over[:-1])[-max(0, wide - 14) :] if wide > 14 else ""
    return before + ("├ " if over[-1] else "└ "), before + ("│ " if over[-1] else "  ") + "  "
