"""The calendar: occasions that bring people together, by day and by person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec

from sandbox.core.clock import DAY, Clock, day_matches
from sandbox.core.events import Event, Stamp
from sandbox.town.plan import Occasion, arena_of


class Calendar:
    """A world's occasions, looked up by day. Immutable; lookups are cached."""

    def __init__(self, occasions: Sequence[Occasion], clock: Clock) -> None:
        self._clock = clock
        self.occasions = tuple(sorted(occasions, key=lambda o: (o.from_, o.id)))
        self._days: dict[int, tuple[Occasion, ...]] = {}
        self._people: dict[tuple[str, int], tuple[Occasion, ...]] = {}
        self.of_groups = tuple(o for o in self.occasions if o.of)
        self.deciding = tuple(o for o in self.occasions if o.decides is not None)
        self._votes = {
            o.decides.about: clock.midnight(clock.day_of(o.on)) + o.from_ + o.decides.at
            for o in self.deciding
            if o.decides is not None and o.decides.kind == "vote" and o.on
        }

    def on(self, day: int) -> tuple[Occasion, ...]:
        """The occasions of a day (1 = the first), earliest first."""
        found = self._days.get(day)
        if found is None:
            noon = self._clock.midnight(day) + DAY // 2
            weekday, date = self._clock.weekday(noon), f"{self._clock.at(noon):%Y-%m-%d}"
            found = self._days[day] = tuple(
                o for o in self.occasions if o.on == date or any(day_matches(d, weekday) for d in o.days)
            )
        return found

    def of(self, who: str, day: int) -> tuple[Occasion, ...]:
        """The occasions of a day that a person comes to, earliest first."""
        found = self._people.get((who, day))
        if found is None:
            found = self._people[who, day] = tuple(o for o in self.on(day) if who in o.who)
        return found

    def hour(self, o: Occasion, day: int) -> int:
        """The second at which an occasion of that day decides something; when it begins, if it decides nothing."""
        return self._clock.midnight(day) + o.from_ + (o.decides.at if o.decides is not None else 0)

    def decided(self, topic: str, t: int) -> bool:
        """Whether the hour of the vote about a topic has passed: it is no longer a thing to have opinions about."""
        hour = self._votes.get(topic)
        return hour is not None and hour <= t


# ---- occasions called while the town runs, in addition to those of its files


class CalledState(msgspec.Struct):
    """occasions: those that were called, the oldest first."""

    occasions: list[Occasion] = msgspec.field(default_factory=list)


class OccasionCalled(Event, frozen=True):
    """An occasion is added: on one date, for those who are invited."""

    KIND: ClassVar[str] = "occasion_called"
    occasion: Occasion


def apply_occasion(w: Any, e: OccasionCalled, stamp: Stamp) -> None:
    _sound(w, e.occasion)
    w.called.occasions.append(e.occasion)
    derive(w)


def derive(w: Any) -> None:
    """Rebuild the calendar from the scheduled and the called occasions."""
    w.calendar = Calendar((*w.scheduled, *w.called.occasions), w.clock)


def check_occasions(w: Any, state: CalledState, now: int) -> None:
    """Raise ValueError unless called occasions have places and people of this town."""
    for o in state.occasions:
        _sound(w, o)


def _sound(w: Any, occasion: Occasion) -> None:
    if (
        arena_of(occasion.where) not in w.map.areas
        or not {*occasion.who} <= w.cast.keys()
        or not occasion.on
        or occasion.decides is not None
    ):
        raise ValueError("an occasion of another town")


HANDLERS: dict[type[Event], Callable[..., None]] = {OccasionCalled: apply_occasion}
