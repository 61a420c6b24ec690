"""The calendar: what brings people together, by day and by person."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import DAY, Clock, day_matches
from sandbox.town.plan import Occasion


class Calendar:
    """A world's occasions, looked up by day. Nothing in it changes; what was looked up is kept."""

    def __init__(self, occasions: Sequence[Occasion], clock: Clock) -> None:
        self._clock = clock
        self._occasions = tuple(sorted(occasions, key=lambda o: (o.from_, o.id)))
        self._days: dict[int, tuple[Occasion, ...]] = {}
        self._people: dict[tuple[str, int], tuple[Occasion, ...]] = {}

    def on(self, day: int) -> tuple[Occasion, ...]:
        """The occasions of a day (1 = the first), earliest first."""
        found = self._days.get(day)
        if found is None:
            noon = self._clock.midnight(day) + DAY // 2
            weekday, date = self._clock.weekday(noon), f"{self._clock.at(noon):%Y-%m-%d}"
            found = self._days[day] = tuple(
                o for o in self._occasions if o.on == date or any(day_matches(d, weekday) for d in o.days)
            )
        return found

    def of(self, who: str, day: int) -> tuple[Occasion, ...]:
        """Those of a day that a person comes to, earliest first."""
        found = self._people.get((who, day))
        if found is None:
            found = self._people[who, day] = tuple(o for o in self.on(day) if who in o.who)
        return found
