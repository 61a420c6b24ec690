"""A long work tells how long its rest will take, by how long its beginning took."""

from __future__ import annotations

import pytest

from sandbox.cli.lab_work import Forecast, rough_duration


def test_the_rest_is_foretold_once_by_what_was_done_since_it_began() -> None:
    now = [50.0]
    forecast = Forecast(4, "here", lambda: now[0])
    assert forecast.after(100, 200) == ""  # which had been done before
    now[0] += 30.0
    assert forecast.after(103, 200) == ""
    now[0] += 10.0
    assert forecast.after(104, 200) == "4 took 40 seconds; the other 96 will take about 16 minutes here"
    now[0] += 10.0
    assert forecast.after(105, 200) == ""


@pytest.mark.parametrize(("first", "done", "of"), [(0, 9, 20), (4, 3, 20), (4, 20, 20)])
def test_nothing_is_foretold_before_each_sort_was_done_or_where_nothing_is_left(first: int, done: int, of: int) -> None:
    forecast = Forecast(first, "here", iter([0.0, 9.0]).__next__)
    assert forecast.after(0, of) == ""
    assert forecast.after(done, of) == ""


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "1 second"),
        (89, "89 seconds"),
        (95, "2 minutes"),
        (5300, "88 minutes"),
        (5500, "1 hour 30 minutes"),
        (7300, "2 hours"),
        (90000, "25 hours"),
    ],
)
def test_a_stretch_of_time_is_told_as_exactly_as_it_is_known(seconds: float, said: str) -> None:
    assert rough_duration(seconds) == said
