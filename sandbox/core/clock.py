"""Simulated time: whole seconds since a world's start, and how people say it.

The clock knows when the world began; everything else is arithmetic on seconds.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import NamedTuple

MINUTE = 60
HOUR = 3600
DAY = 86400
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPAN = re.compile(r"(\d+)\s*(s|m|h)$")
_TIME = re.compile(r"(\d{1,2}):(\d{2})$")
_WHEN = re.compile(r"(?:(tomorrow)|(?:day +)?0*([1-9]\d{0,3})) +(\d{1,2}:\d{2})$")
_MOMENT = re.compile(r"day (\d{1,4}) (\d{1,2}:\d{2})$")
STEP_MIN, STEP_MAX = 10, HOUR  # seconds
YEARS = (1900, 2999)  # allowed years of a start: no run then reaches a year that cannot be written


def parse_time(text: str) -> int:
    """ "07:30" as seconds after midnight. Raises ValueError."""
    m = _TIME.match(text.strip())
    if not m or int(m[1]) > 24 or int(m[2]) > 59 or int(m[1]) * 60 + int(m[2]) > 1440:
        raise ValueError(f'"{text}" is no time of day; write it as "07:30"')
    return int(m[1]) * HOUR + int(m[2]) * MINUTE


def parse_step(text: str) -> int:
    """ "20m", "10s" or "1h" as seconds, from 10 seconds to 1 hour. Raises ValueError."""
    m = _SPAN.match(text.strip())
    if not m:
        raise ValueError(f'"{text}" is no step length; write it as "1m", "20m", "10s" or "1h"')
    seconds = int(m[1]) * {"s": 1, "m": MINUTE, "h": HOUR}[m[2]]
    if not STEP_MIN <= seconds <= STEP_MAX:
        raise ValueError(f'a step of "{text}" is outside 10s to 1h')
    return seconds


def parse_date(text: str) -> str:
    """ "2025-03-06", checked and unchanged. Raises ValueError that says how to write a date."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f'"{text}" is no date; write it as "2025-03-06"') from None


def parse_moment(text: str) -> tuple[int, int]:
    """ "day 3 18:45" as the day number, from 1, and seconds after its midnight. Raises ValueError."""
    m = _MOMENT.match(text.strip())
    if not m or int(m[1]) < 1:
        raise ValueError(f'"{text}" is no moment; write it as "day 1 07:30"')
    return int(m[1]), parse_time(m[2])


def parse_start(text: str) -> datetime:
    """ "2025-03-04 07:30" as a date and time, in a year from 1900 to 2999. Raises ValueError."""
    try:
        start = datetime.strptime(text.strip(), "%Y-%m-%d %H:%M")
    except ValueError:
        raise ValueError(f'"{text}" is no start; write it as "2025-03-04 07:30"') from None
    if not YEARS[0] <= start.year <= YEARS[1]:
        raise ValueError(f'"{text}" is out of range; the year must be between {YEARS[0]} and {YEARS[1]}')
    return start


class When(NamedTuple):
    """A moment as people type it. second: after midnight. day: number from 1; None if no day is named, or `tomorrow` is
    set.
    """

    second: int
    day: int | None = None
    tomorrow: bool = False

    def seen_from(self, clock: Clock, now: int) -> int:
        """The t of this moment, which may be past. Without a day: the next time after `now` that the clock shows it."""
        if self.tomorrow:
            return clock.midnight(clock.day(now) + 1) + self.second
        return clock.next_time(now, self.second) if self.day is None else clock.midnight(self.day) + self.second


def parse_when(text: str) -> When:
    """ "14:30", "tomorrow 09:00", "day 3 09:00" or "3 09:00" as a moment. Raises ValueError."""
    text = text.strip()
    found = _WHEN.match(text)
    if found is None and " " in text:
        raise ValueError(f'"{text}" is no moment; write it as "14:30", "tomorrow 09:00" or "day 3 09:00"')
    if found is None:
        return When(parse_time(text))
    return When(parse_time(found[3]), int(found[2]) if found[2] else None, tomorrow=bool(found[1]))


class Clock:
    """Converts seconds since the start to days, hours and words."""

    __slots__ = ("offset", "start")

    def __init__(self, start: datetime) -> None:
        self.start = start
        self.offset = start.hour * HOUR + start.minute * MINUTE + start.second

    def day(self, t: int) -> int:
        """The day's number, 1 for the day the world starts on."""
        return (t + self.offset) // DAY + 1

    def day_of(self, date: str) -> int:
        """The day number of a date such as "2025-03-06"; 0 or less before the world starts."""
        return (datetime.fromisoformat(date).date() - self.start.date()).days + 1

    def moment(self, text: str) -> int:
        """t of "day 3 18:45"; less than zero before the world starts. Raises ValueError."""
        day, second = parse_moment(text)
        return self.midnight(day) + second

    def second_of_day(self, t: int) -> int:
        """Seconds after midnight, in [0, 86400)."""
        return (t + self.offset) % DAY

    def midnight(self, day: int) -> int:
        """t at which that day begins (negative or zero for day 1)."""
        return (day - 1) * DAY - self.offset

    def weekday(self, t: int) -> str:
        """One of mon, tue, wed, thu, fri, sat, sun."""
        return DAYS[self.at(t).weekday()]

    def at(self, t: int) -> datetime:
        """The date and time at t."""
        return self.start + timedelta(seconds=t)

    def hhmm(self, t: int) -> str:
        """The time of day, "07:30"."""
        s = self.second_of_day(t)
        return f"{s // HOUR:02d}:{s % HOUR // MINUTE:02d}"

    def words(self, t: int) -> str:
        """The date and time in words, "Tue 4 Mar 07:30"."""
        d = self.at(t)
        return f"{d:%a} {d.day} {d:%b} {d:%H:%M}"

    def next_time(self, t: int, second_of_day: int) -> int:
        """The first moment after t at that time of day."""
        ahead = (second_of_day - self.second_of_day(t)) % DAY
        return t + (ahead or DAY)


def day_matches(rule: str, weekday: str) -> bool:
    """Whether a rule (mon..sun, weekdays, weekend or every) covers the weekday."""
    if rule == "every" or rule == weekday:
        return True
    if rule == "weekdays":
        return weekday not in ("sat", "sun")
    return rule == "weekend" and weekday in ("sat", "sun")


DAY_RULES = (*DAYS, "weekdays", "weekend", "every")
# The hour at which each part of a day ends.
_PARTS = ((5, "night"), (11, "morning"), (14, "midday"), (17, "afternoon"), (22, "evening"), (24, "night"))


def part_of_day(second: int) -> str:
    """The part of day at a second after midnight: morning, midday, afternoon, evening or night."""
    return next(part for until, part in _PARTS if second < until * HOUR)
