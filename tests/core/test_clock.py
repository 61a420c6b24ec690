from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.clock import (
    DAY,
    DAY_RULES,
    DAYS,
    Clock,
    day_matches,
    parse_start,
    parse_step,
    parse_time,
    part_of_day,
)

starts = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).map(lambda d: d.replace(second=0, microsecond=0))
TUESDAY = Clock(datetime(2025, 3, 4, 7, 30))


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_of_day_reads_as_seconds_after_midnight(h: int, m: int) -> None:
    assert parse_time(f" {h:02d}:{m:02d}\n") == parse_time(f"{h}:{m:02d}") == h * 3600 + m * 60


def test_midnight_may_be_written_as_24_00() -> None:
    assert parse_time("24:00") == DAY


@pytest.mark.parametrize("text", ["24:01", "25:00", "7:60", "7:5", "730", "", "07:30:00", "-1:00"])
def test_what_is_no_time_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match="is no time of day"):
        parse_time(text)


@pytest.mark.parametrize(
    ("text", "seconds"), [("10s", 10), ("60s", 60), ("1m", 60), ("20m", 1200), ("1h", 3600), (" 1 h ", 3600)]
)
def test_a_step_reads_as_seconds(text: str, seconds: int) -> None:
    assert parse_step(text) == seconds


@pytest.mark.parametrize("text", ["9s", "61m", "2h", "0m", "m", "1d", "1.5m", ""])
def test_a_step_outside_its_bounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="step"):
        parse_step(text)


def test_a_start_reads_as_date_and_time_or_says_how_to_write_it() -> None:
    assert parse_start("2025-03-04 07:30") == datetime(2025, 3, 4, 7, 30)
    for text in ("2025-02-30 07:30", "07:30", "2025-03-04T07:30"):
        with pytest.raises(ValueError, match='write it as "2025-03-04 07:30"'):
            parse_start(text)


@given(starts, st.integers(0, 400 * DAY))
def test_day_second_and_weekday_agree_with_the_calendar(start: datetime, t: int) -> None:
    clock = Clock(start)
    at = clock.at(t)
    assert clock.day(t) == (at.date() - start.date()).days + 1
    assert clock.second_of_day(t) == at.hour * 3600 + at.minute * 60 + at.second
    assert clock.midnight(clock.day(t)) + clock.second_of_day(t) == t
    assert clock.weekday(t) == DAYS[at.weekday()]
    assert clock.hhmm(t) == f"{at:%H:%M}"


def test_a_new_day_begins_on_the_second_of_midnight() -> None:
    midnight = TUESDAY.midnight(2)
    assert (TUESDAY.day(midnight - 1), TUESDAY.day(midnight)) == (1, 2)
    assert (TUESDAY.weekday(midnight - 1), TUESDAY.weekday(midnight)) == ("tue", "wed")
    assert TUESDAY.words(midnight) == "Wed 5 Mar 00:00"
    assert TUESDAY.midnight(1) == -(7 * 3600 + 1800)


@given(starts, st.integers(0, 10 * DAY), st.integers(0, DAY - 1))
def test_the_next_such_time_lies_ahead_within_a_day(start: datetime, t: int, second: int) -> None:
    clock = Clock(start)
    found = clock.next_time(t, second)
    assert t < found <= t + DAY
    assert clock.second_of_day(found) == second


def test_the_next_midnight_written_as_24_00_is_tonight() -> None:
    assert TUESDAY.next_time(0, parse_time("24:00")) == TUESDAY.midnight(2)


def test_day_rules_cover_the_days_they_say() -> None:
    covers = {rule: [d for d in DAYS if day_matches(rule, d)] for rule in DAY_RULES}
    assert covers["every"] == list(DAYS)
    assert covers["weekdays"] == list(DAYS[:5])
    assert covers["weekend"] == list(DAYS[5:])
    assert all(covers[d] == [d] for d in DAYS)


@pytest.mark.parametrize(
    ("hour", "part"),
    [(0, "night"), (4, "night"), (5, "morning"), (10, "morning"), (11, "midday"), (13, "midday"), (14, "afternoon"),
     (16, "afternoon"), (17, "evening"), (21, "evening"), (22, "night"), (23, "night")],
)  # fmt: skip
def test_parts_of_the_day_change_on_the_hour(hour: int, part: str) -> None:
    assert part_of_day(hour * 3600) == part_of_day(hour * 3600 + 3599) == part
