"""The day's page: it fits, it is true to the log, and it has something to say about any day."""

from __future__ import annotations

import tracemalloc

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from storyworld import live

from sandbox.core.clock import HOUR
from sandbox.core.events import Record
from sandbox.play.model import SawAll
from sandbox.readers.day import Day, make_digest
from sandbox.readers.edition import digest_page, wrap_text


def test_the_page_is_eighty_columns_wide_and_complete(hour):
    page = digest_page(make_digest(hour.records, hour.world))
    assert all(cell_len(line) <= 80 for line in page.split("\n"))
    assert page == page.rstrip()
    for part in ("L A R K S P U R", "Tuesday 4 March, 07:30 to 08:30", "Who with whom", "Overheard", "Spirits"):
        assert part in page


def test_of_a_day_that_goes_on_nobody_has_ended_it(hour):
    found = make_digest(hour.records, hour.world)
    page = digest_page(found)
    assert "Spirits by now" in page
    assert "are in better spirits" in page
    assert "ended the day" not in page
    assert "ended the day" in digest_page(replace(found, over=True))


def test_its_numbers_are_those_of_the_log(hour):
    found = make_digest(hour.records, hour.world).numbers
    kinds = [r.event.KIND for r in hour.records]
    assert found["talks"] == kinds.count("talk_closed")
    assert found["exchanges"] == kinds.count("exchanged")
    assert found["walks"] == kinds.count("walked")


def test_what_it_quotes_was_said_and_is_no_greeting(hour):
    said = {u.text: u for r in hour.records if r.event.KIND == "exchanged" for u in r.event.lines}
    quotes = make_digest(hour.records, hour.world).overheard
    assert 5 <= len(quotes) <= 8
    assert len({q.text for q in quotes}) == len(quotes)
    for q in quotes:
        assert said[q.text].who == q.who
        assert said[q.text].move not in ("greet", "bye", "preclose", "how_are_you")


def test_records_may_stream_by_and_are_not_kept(hour):
    whole = make_digest(hour.records, hour.world)
    assert make_digest(iter(hour.records), hour.world) == whole
    day = Day(hour.world)
    for record in hour.records:
        day.read([record])
    assert day.done() == whole


@pytest.mark.slow
def test_memory_stays_bounded_over_many_days(hour):
    def grown(times):
        tracemalloc.start()
        day = Day(hour.world)
        for _ in range(times):
            day.read(hour.records)
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return size

    assert grown(20) < 2 * grown(4)


def test_the_same_log_gives_the_same_page_whatever_the_state(hour):
    from sandbox.engine.world import World

    fresh = World.found(hour.founding)
    fresh.now = hour.world.now
    assert make_digest(hour.records, fresh) == make_digest(hour.records, hour.world)


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [20, 60])
def test_long_steps_are_told_too(minutes):
    lived = live(15 * 60 // minutes, 60 * minutes)
    found = make_digest(lived.records, lived.world)
    assert found.numbers["talks"] > 0
    assert found.until == "Tuesday 4 March, 22:30"
    assert "WHO" in digest_page(found).upper()


def test_a_day_without_talk_has_its_page():
    lived = live(40, settings=("talk.rate=0", "rules.drama=off"))
    found = make_digest(lived.records, lived.world)
    assert found.numbers["talks"] == 0
    assert not found.company
    page = digest_page(found)
    assert "0 talks" in page
    assert "Overheard" not in page


def test_no_records_at_all_give_a_quiet_page(hour):
    page = digest_page(make_digest([], hour.world))
    assert "Nothing is on record" in page


@pytest.mark.slow
def test_one_day_of_many_is_told_alone():
    lived = live(26, HOUR)
    first, second, third = (make_digest(lived.records, lived.world, day) for day in (1, 2, 3))
    both = make_digest(lived.records, lived.world)
    assert first.numbers["walks"] + second.numbers["walks"] == both.numbers["walks"]
    assert first.since.startswith("Tuesday")
    assert second.since.startswith("Wednesday")
    assert third.numbers["walks"] == 0


@pytest.mark.parametrize("text", ["", "x" * 300, "字" * 100, "a " * 100, "word " + "y" * 200 + " word"])
def test_any_text_is_wrapped_within_the_page_and_nothing_is_lost(text):
    lines = wrap_text(text, "- ", "  ")
    assert all(cell_len(line) <= 78 for line in lines)
    assert "".join("".join(lines).split()).replace("-", "") == "".join(text.split())


def test_that_all_was_shown_to_a_player_is_told_once(hour):
    assert make_digest(hour.records, hour.world).saw_all == ""
    last = hour.records[-1].stamp
    shown = [Record(last._replace(seq=last.seq + n, actor="mara"), SawAll(on)) for n, on in enumerate((True, False), 1)]
    again = Record(last._replace(seq=last.seq + 3, t=last.t + 60, actor="mara"), SawAll(True))
    page = digest_page(make_digest([*hour.records, *shown, again], hour.world))
    at = hour.world.clock.hhmm(last.t)
    assert page.count("All-knowing view used") == 1
    assert f"All-knowing view used on day 1 at {at}" in page
