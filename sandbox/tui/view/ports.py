"""Interfaces that the screen uses: TimeKeeper, which watches time run, and AppPort, the program around the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock
from sandbox.core.events import Record
from sandbox.play.system import goes_on
from sandbox.readers.timeline import TimelineRow
from sandbox.talk.model import Opened
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.viewer import Viewer

PATIENCE = DAY  # seconds of town time after which an uncertain goal is given up
STANDS = 30 * MINUTE  # the same for a played person with nothing to do
HOURS = (("the morning", 6 * HOUR), ("noon", 12 * HOUR), ("the evening", 18 * HOUR))


class TimeGoal(NamedTuple):
    """Something to run to.

    says: what follows "▶" while time runs. reached: given each step's records and rows, returns what follows "■" once
    the goal is reached, else "". vain: the message if it is not reached within `patience` seconds; "" = never give up.
    rows: tests which timeline rows time stops at and shows; None = none. at: the second of the goal, if known.
    steady: run at normal speed, so that everything can be seen.
    """

    says: str
    reached: Callable[[Sequence[Record], Sequence[TimelineRow]], str]
    vain: str = ""
    rows: Callable[[TimelineRow], bool] | None = None
    at: int | None = None
    steady: bool = False
    patience: int = PATIENCE


def until_hour(viewer: Viewer, second_of_day: int) -> TimeGoal:
    """A goal at the next time the clock shows that second of the day."""
    world = viewer.world
    t = world.clock.next_time(int(viewer.shown), second_of_day)
    return until_moment(viewer, t, world.clock.hhmm(t))


def until_moment(viewer: Viewer, t: int, name: str) -> TimeGoal:
    """A goal at a later second. name: words that can follow "until"."""
    return TimeGoal(
        f"until {name}", lambda records, rows: f"until {name} reached" if viewer.world.now >= t else "", at=t
    )


def until_talk(viewer: Viewer, who: str) -> TimeGoal:
    """A goal at a person's next talk."""
    name, world = viewer.name(who), viewer.world

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        for stamp, e in records:
            if isinstance(e, Opened) and who in (stamp.actor, e.other):
                other = e.other if who == stamp.actor else stamp.actor
                return f"{name} talks with {viewer.name(other)}, {world.handbook.place(e.place)}"
        return ""

    return TimeGoal(f"until {name} talks", reached, f"{name} talked to nobody in a whole day")


def until_mood_turns(viewer: Viewer, who: str) -> TimeGoal:
    """A goal at the moment a person's mood is of another category than now."""
    name, before = viewer.name(who), viewer.view.row(who, viewer.shown).mood

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        now = viewer.view.row(who, viewer.world.now).mood
        return f"{name} is {now}, no longer {before}" if now != before else ""

    return TimeGoal(f"until {name}'s mood turns", reached, f"{name} was {before} a whole day")


def until_stop(viewer: Viewer) -> TimeGoal:
    """A goal at the next notable row, or, while somebody is played, at what next concerns them."""
    return until_player_stop(viewer, viewer.plays) if viewer.plays else until_notable(viewer)


def until_notable(viewer: Viewer) -> TimeGoal:
    """A goal at the next notable row."""
    line = viewer.notable.line

    def notable(row: TimelineRow) -> bool:
        return row.weight >= line

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        return "STOP" if any(map(notable, rows)) else ""

    return TimeGoal("to the next notable event", reached, "nothing notable in a whole day", notable)


def until_player_stop(viewer: Viewer, me: str) -> TimeGoal:
    """A goal at what next concerns the played person: a notable row about them, somebody who comes to talk to them, or
    the end of what they are doing. If they do nothing, it is given up after STANDS.
    """
    w, name, began, line = viewer.world, viewer.name(me), viewer.world.now, viewer.notable.line
    busy = goes_on(w, began)

    def mine(row: TimelineRow) -> bool:
        return row.weight >= line and me in row.who

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        if not viewer.plays:
            return "as you wished"
        if any(map(mine, rows)):
            return "STOP"
        comes = next((r.stamp.actor for r in records if isinstance(r.event, Opened) and r.event.other == me), "")
        if comes:
            return f"{viewer.name(comes)} comes to talk with {name}"
        return f"{name}: what now?" if busy and not goes_on(viewer.world, began) else ""

    vain = "" if busy else f"{name}: nothing in half an hour"
    return TimeGoal(f"to what concerns {name}", reached, vain, mine, patience=STANDS)


def tomorrow(clock: Clock, now: int, t: int) -> str:
    """ "tomorrow" if t lies on the next day, the weekday if later, else ""."""
    days = clock.day(t) - clock.day(now)
    return "" if not days else "tomorrow" if days == 1 else f"{clock.at(t):%A}"


class TimeKeeper(Protocol):
    """Sees every step before the screen does, and pauses or slows time. Implemented by `commands.watch.Watch`."""

    @property
    def seeks_row(self) -> bool:
        """Whether time runs to the next notable row."""

    def begin(self) -> None:
        """Called once the layout is mounted."""

    def run(self, goal: TimeGoal) -> None:
        """Run to a goal."""

    def stop_at(self, number: int) -> None:
        """Pause at a row of the timeline; show whom it is about and why it happened."""

    def touched(self, id: str) -> bool:
        """Called before the action `id` is done; return whether that was all and the action is not to be done."""

    def look_back(self) -> None:
        """Show the weightiest rows that were not seen."""

    def back_from(self, t: float) -> None:
        """Called on return to the live town from a replay that last showed second t."""


class AppPort(Protocol):
    """The program around a screen: other towns, saves and settings. The App is one."""

    settings: Settings

    def play(self, target: str | Path, seed: int | None = None) -> None:
        """Leave the town shown; open a new town of that world, or continue that save.

        seed: random seed of a new town, instead of the world's own.
        """

    def show(self, save: Path, step: int | None = None) -> None:
        """Leave the town shown and replay that save from a step (default: its beginning)."""

    def reopen(self) -> None:
        """Close the live town and continue its save, with what the player has permitted meanwhile."""

    async def rewind(self, viewer: Viewer, t: float | None = None) -> None:
        """Replay the town shown from second t (default: this moment); the live town waits."""

    def branch(self, viewer: Viewer, title: str = "") -> None:
        """Continue live from the moment a replay shows, in a new save of that title."""

    def take_back(self, viewer: Viewer, step: int, title: str = "") -> None:
        """Continue live from the end of an earlier step of the town shown, with the same random seed, in a new save.
        title: its title, "" = none yet.
        """

    async def leave_replay(self) -> None:
        """Return to the town a replay was opened from, or to the menu if there is none."""

    def change(self, key: str, value: str) -> None:
        """Change a setting, apply it at once and save it in the settings file."""

    def keep(self) -> None:
        """Keep the save of the town behind the menu, because it is being played."""
