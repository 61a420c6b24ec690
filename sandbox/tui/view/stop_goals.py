"""What time can run to: an hour, a talk, a mood that turns, the next notable event. Each tells what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock
from sandbox.core.events import Record
from sandbox.play.system import goes_on
from sandbox.readers.timeline import TimelineRow
from sandbox.talk.model import Opened
from sandbox.tui.view.viewer import Viewer

PATIENCE = DAY  # how long time runs to what may not come
STANDS = 30 * MINUTE  # how long whoever is played stands about for it
HOURS = (("the morning", 6 * HOUR), ("noon", 12 * HOUR), ("the evening", 18 * HOUR))


class TimeGoal(NamedTuple):
    """Something to run to.

    says: what follows "▶" while time runs. reached: looks at a step's records and rows, and gives what follows "■" once
    it is there, "" until then. vain: what is said if it does not come within `patience` seconds; "" = it surely comes.
    rows: which rows of the timeline it stops at, and shows; None = it is at none. at: the second it lies at, if that is
    known. steady: whether time runs to it at a pace at which all of it can be seen.
    """

    says: str
    reached: Callable[[Sequence[Record], Sequence[TimelineRow]], str]
    vain: str = ""
    rows: Callable[[TimelineRow], bool] | None = None
    at: int | None = None
    steady: bool = False
    patience: int = PATIENCE


def until_hour(viewer: Viewer, second_of_day: int) -> TimeGoal:
    """The next time the clock shows that second of the day."""
    world = viewer.world
    t = world.clock.next_time(int(viewer.shown), second_of_day)
    return until_moment(viewer, t, world.clock.hhmm(t))


def until_moment(viewer: Viewer, t: int, name: str) -> TimeGoal:
    """A second that lies ahead, by a name that can follow "until"."""
    return TimeGoal(
        f"until {name}", lambda records, rows: f"until {name} reached" if viewer.world.now >= t else "", at=t
    )


def until_talk(viewer: Viewer, who: str) -> TimeGoal:
    """The person's next talk."""
    name, world = viewer.name(who), viewer.world

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        for stamp, e in records:
            if isinstance(e, Opened) and who in (stamp.actor, e.other):
                other = e.other if who == stamp.actor else stamp.actor
                return f"{name} talks with {viewer.name(other)}, {world.handbook.place(e.place)}"
        return ""

    return TimeGoal(f"until {name} talks", reached, f"{name} talked to nobody in a whole day")


def until_mood_turns(viewer: Viewer, who: str) -> TimeGoal:
    """The person's mood as it becomes another word and colour than it is now."""
    name, before = viewer.name(who), viewer.view.row(who, viewer.shown).mood

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        now = viewer.view.row(who, viewer.world.now).mood
        return f"{name} is {now}, no longer {before}" if now != before else ""

    return TimeGoal(f"until {name}'s mood turns", reached, f"{name} was {before} a whole day")


def until_stop(viewer: Viewer) -> TimeGoal:
    """The next row that is notable; of somebody who is played what next concerns them."""
    return until_player_stop(viewer, viewer.plays) if viewer.plays else until_notable(viewer)


def until_notable(viewer: Viewer) -> TimeGoal:
    """The next row that is notable."""
    line = viewer.notable.line

    def notable(row: TimelineRow) -> bool:
        return row.weight >= line

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        return "STOP" if any(map(notable, rows)) else ""

    return TimeGoal("to the next notable event", reached, "nothing notable in a whole day", notable)


def until_player_stop(viewer: Viewer, me: str) -> TimeGoal:
    """A notable row about whoever is played, somebody who comes to talk to them, or that they are done with what they
    are at; who is at nothing does not stand about for longer than half an hour.
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
