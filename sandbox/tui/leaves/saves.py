"""The saves there are, newest first: enter plays one, or watches it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import time

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock, parse_start
from sandbox.core.places import saves_dir, shipped
from sandbox.core.plain import counted
from sandbox.store.branch import Listed, saves_list
from sandbox.store.facts import SaveInfo
from sandbox.tui.ink import ALARM, DIM, SOFT, TEXT, Line, apart, column, hung, ink, keyed, outside
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

DAY_THAT_SHIPS = "larkspur-day.db"


async def other_saves(here: Path | None) -> list[Listed]:
    """The saves of the folder, newest first, without the one that is open and without what ships (it is watched)."""
    aside = {path.resolve() for path in (here, shipped("saves") / DAY_THAT_SHIPS) if path is not None}
    return [save for save in await saves_list(saves_dir()) if save.path.resolve() not in aside]


def recorded_day() -> Path | None:
    """The day that ships, to be watched; None if it is not there."""
    path = shipped("saves") / DAY_THAT_SHIPS
    return path if path.is_file() else None


def when(info: SaveInfo) -> str:
    """How far a save is lived: "day 2, 14:10"; in hours if its file does not say when it began."""
    try:
        clock = Clock(parse_start(info.start))
    except ValueError:
        return f"{info.t / HOUR:.1f} hours"
    return f"day {clock.day(info.t)}, {clock.hhmm(info.t)}"


def ago(seconds: float) -> str:
    """A span of real time in words: "just now", "5 min ago", "3 h ago", "12 days ago"."""
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)} min ago"
    if seconds < DAY:
        return f"{int(seconds // HOUR)} h ago"
    return f"{counted(int(seconds // DAY), 'day')} ago"


def size_words(size: int) -> str:
    """ "2.9 MB"."""
    return f"{size / 1e6:.1f} MB"


class SavesLeaf(Leaf[Stage]):
    """The list; what cannot be opened stands last, with the reason.

    watch: enter shows a save from its beginning, and does not live in it.
    """

    kind, title = "saves", "Saves"
    picks = short = turns = True

    def __init__(self, stage: Stage, saves: Sequence[Listed]) -> None:
        super().__init__(stage)
        self.saves = saves
        self.watch = False
        self._now = time()

    def entries(self, width: int) -> Sequence[Entry]:
        out = [Entry([self._head(), []])]
        for save in sorted(self.saves, key=lambda save: save.info is None):
            house = self.stage.house
            if save.info is None:
                reason = hung([ink("  ")], _reason(save), width, ALARM, most=3)
                out.append(Entry([[outside(save.path.name, DIM)], *reason]))
                continue
            deed = partial(house.show, save.path) if self.watch else partial(house.play, save.path)
            out.append(Entry([self._row(save.path, save.info, width)], deed, str(save.path)))
        if len(out) == 1:
            out.append(Entry([[ink("There is none yet. A town that is played is kept here.", SOFT)]]))
        return out

    def _head(self) -> Line:
        verb, other = ("watches", "plays") if self.watch else ("plays", "watches")
        begins = "its beginning" if self.watch else "where it ended"
        return [*keyed("enter", f"{verb} from {begins}   "), *keyed("]", f"{other} instead")]

    def _row(self, path: Path, info: SaveInfo, width: int) -> Line:
        try:
            age = ago(max(0.0, self._now - path.stat().st_mtime))
        except OSError:
            age = ""
        wide = max(14, width - 52)
        right = [ink(f"{size_words(info.size):>8}  {age:>11}", DIM)]
        left = [*column([outside(path.stem, TEXT)], wide), ink(" "), *column([outside(info.title, SOFT)], 12)]
        return apart([*left, ink(f" {when(info):13}", SOFT)], right, width)

    def turned(self, by: int) -> Leaf[Stage] | None:
        """The same list; enter does the other thing."""
        self.watch = not self.watch
        self.stage.update()
        return None


def _reason(save: Listed) -> str:
    """Why it cannot be opened, without the path, which stands above."""
    return save.error.removeprefix(str(save.path)).lstrip(": ")
