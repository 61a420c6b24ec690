"""Times of other people's tables, as seconds since a world begins.

A time that says its offset is put on the clock of UTC, which the world's is taken for; one that says none is by the
world's own. What is a number is what its column says: seconds before the start, or since 1970.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from sandbox.core.faults import in_quotes
from sandbox.feed import loaded_tables

EPOCHS = {"epoch": 1, "epoch_ms": 1000}  # columns of times since 1970, and how many to a second
COLUMNS = ("time", *EPOCHS)
_DATE = r"(?P<year>\d{4})(?:-?(?P<month>\d{2})-?(?P<day>\d{2})|-?W(?P<week>\d{2})-?(?P<weekday>[1-7])|-?(?P<of>\d{3}))"
_BEGUN = re.compile(r"(?P<month>\d{4}-\d{2})|\d{4}-?W\d{2}", re.ASCII | re.IGNORECASE)  # the first day of it
_CLOCK = r"(?P<hour>\d{2})(?::?(?P<minute>\d{2})(?::?(?P<second>\d{2}))?)?(?:[.,](?P<part>\d{1,12}))?"
_ZONE = r"(?P<zone>Z|[-+\u2212]\d{2}(?::?\d{2})?)"
_ISO = re.compile(rf"{_DATE}(?:[Tt ]{_CLOCK} ?{_ZONE}?)?", re.ASCII | re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SPELT = re.compile(
    rf"[A-Z]{{3}} (?P<name>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}) (?P<clock>\d\d:\d\d:\d\d) (?P<zone>[-+]\d{{4}}) "
    r"(?P<year>\d{4})",
    re.ASCII | re.IGNORECASE,
)
_SECONDS = re.compile(r"[-+]?[0-9]{1,15}(?:\.[0-9]{0,9})?")
_EXAMPLE = 'write it as "2025-03-04 07:12", or as seconds before the start: -1080'


def seconds_since_start(cell: str, start: datetime, column: str) -> int:
    """Whole seconds from a world's start to a time, 0 or less. cell: without blanks around it. column: of COLUMNS.

    Raises ValueError with a sentence and its mend.
    """
    if column in EPOCHS:
        seconds = _epoch(cell, column) - start.replace(tzinfo=UTC).timestamp()
    elif _SECONDS.fullmatch(cell) and not _ISO.fullmatch(cell):  # 20250304 is a day: so many seconds are none
        seconds = float(cell)
        if seconds > 0:
            mend = "if it is since 1970, call the column epoch, or epoch_ms where it is in milliseconds"
            raise ValueError(f"{in_quotes(cell)} is after the world's start; {mend}")
    else:
        seconds = (_moment(cell) - start).total_seconds()
    if seconds > 0:
        raise ValueError(f"{in_quotes(cell)} is after the world's start, {start:%Y-%m-%d %H:%M}; leave the post out")
    if seconds < -loaded_tables.OLDEST:
        raise ValueError(f"{in_quotes(cell)} is more than 30 years before the world's start; leave the post out")
    return int(seconds // 1)


def _epoch(cell: str, column: str) -> float:
    if not _SECONDS.fullmatch(cell):
        unit = "seconds" if EPOCHS[column] == 1 else "milliseconds"
        raise ValueError(f"{in_quotes(cell)} is no number; write {unit} since 1970, or call the column time")
    return float(cell) / EPOCHS[column]


def _moment(cell: str) -> datetime:
    """A date, perhaps with a time of day and an offset, to the second; a month or a week as it begins. Raises
    ValueError.
    """
    begun = _BEGUN.fullmatch(cell)
    iso = _ISO.fullmatch(cell if begun is None else cell + ("-01" if begun["month"] else "-1"))
    spelt = _SPELT.fullmatch(cell)
    try:
        if iso is not None:
            return _of_iso(iso)
        if spelt is not None:
            day = date(int(spelt["year"]), _MONTHS.index(spelt["name"].lower()) + 1, int(spelt["day"]))
            again = _ISO.fullmatch(f"{day}T{spelt['clock']}{spelt['zone']}")
            assert again is not None
            return _of_iso(again)
    except (ValueError, OverflowError):
        raise ValueError(f"{in_quotes(cell)} is no date; {_EXAMPLE}") from None
    raise ValueError(f"{in_quotes(cell)} is no time; {_EXAMPLE}" if cell else f"is empty; {_EXAMPLE}")


def _of_iso(found: re.Match[str]) -> datetime:
    """What ISO 8601 says: a date by month, week or day of the year. Raises ValueError, OverflowError."""
    year = int(found["year"])
    if found["week"]:
        day = date.fromisocalendar(year, int(found["week"]), int(found["weekday"]))
    elif found["of"]:
        day = date(year, 1, 1) + timedelta(int(found["of"]) - 1)
        if found["of"] == "000" or day.year != year:
            raise ValueError(found["of"])
    else:
        day = date(year, int(found["month"]), int(found["day"]))
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    unit = 1 if found["second"] else 60 if found["minute"] else 3600  # a fraction is of the last that is said
    part = found["part"] or "0"
    time = timedelta(hours=hour, minutes=minute, seconds=second + unit * int(part) // 10 ** len(part))
    if minute > 59 or second > 60 or time + timedelta(seconds=int(part) > 0) > timedelta(1):
        raise ValueError(found[0])
    return datetime.combine(day, datetime.min.time()) + time - timedelta(seconds=_offset(found["zone"]))


def _offset(zone: str | None) -> int:
    """Seconds that a clock goes before that of UTC. Raises ValueError."""
    if zone is None or zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:]) if len(zone) > 3 else 0
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    return (1 if zone[0] == "+" else -1) * (3600 * hours + 60 * minutes)
