"""What came to be so, and what is so no longer, is told as such: in rows, where time stops, and on the day's page."""

from __future__ import annotations

import pytest
from lived import founding
from rich.cells import cell_len

from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, Made
from sandbox.readers.all_stories import STORIES
from sandbox.readers.day import make_digest
from sandbox.readers.edition import digest_page
from sandbox.readers.story import Teller, WrappedText, default_notable
from sandbox.readers.timeline import Timeline

PARTED = Broken("saskia_zeno", "couple", "saskia", "zeno", why="Saskia told Zeno, and was not forgiven")
LEFT = Broken(
    "zeno_kit", "lodges", "kit", "zeno", where="Number Nine / room one", why="Kit did not pay", instead="settee"
)
MOVED = Made("settee", "lodges", "kit", where="Rowan House / sitting room", why="Kit did not pay")
ALLY = Made("allies", "ally", "mara", "otis", "the slate", why="Mara complained to Otis")
TRUST = Made("told", "confidence", "mara", "otis", "where the flour goes", why="Mara confided in Otis")


@pytest.fixture
def world(larkspur: Scenario) -> World:
    return World.found(founding(larkspur))


def records(*events: Event) -> list[Record]:
    """These events, an hour apart on the first morning."""
    return [Record(Stamp(i + 2, i + 1, 3600 * (i + 1), e.a, (1,)), e) for i, e in enumerate(events)]  # type: ignore[attr-defined]


def test_a_row_says_who_what_and_why(world: World) -> None:
    rows = Timeline(world.handbook, world.clock).read(records(PARTED, LEFT, MOVED, ALLY))
    assert [(r.mark, r.text, r.why) for r in rows] == [
        ("#", "Saskia and Zeno have parted", "Saskia told Zeno, and was not forgiven"),
        ("#", "Kit has left Number Nine", "Kit did not pay"),
        ("#", "Kit lives in Rowan House now", "Kit did not pay"),
        ("#", "Mara and Otis stand by each other now, over the slate", "Mara complained to Otis"),
    ]
    assert {"saskia", "zeno"} == {*rows[0].who}


def test_what_is_told_in_trust_has_its_row_by_the_telling_and_one_of_its_own_when_it_is_broken(world: World) -> None:
    broken = Broken("told", "confidence", "mara", "otis", "where the flour goes", why="it has come round again")
    rows = Timeline(world.handbook, world.clock).read(records(TRUST, broken))
    assert [r.text for r in rows] == ["Otis has not kept what Mara told in trust: where the flour goes"]


def test_time_stops_once_for_what_takes_the_place_of_something_else(world: World) -> None:
    rows = Timeline(world.handbook, world.clock).read(records(PARTED, LEFT, MOVED))
    assert [r.weight >= default_notable()["notable"] for r in rows] == [True, False, True]


def test_the_page_says_what_began_and_ended_what_changes_a_life_before_all(world: World) -> None:
    told = make_digest(records(ALLY, TRUST, LEFT, MOVED, PARTED), world)
    assert told.top is not None
    assert [x.text for x in (told.top, *told.turns)] == [
        "Saskia and Zeno parted. Saskia told Zeno, and was not forgiven.",
        "Kit moved to Rowan House. He did not pay.",
        "Mara and Otis stood by each other from then on over the slate. Mara complained to Otis.",
    ]  # what was told in trust is nobody else's
    assert [x.life for x in (told.top, *told.turns)] == [True, True, False]
    page = digest_page(told)
    assert "── What changed a life ──" in page
    assert all(cell_len(line) <= 80 for line in page.split("\n"))


def test_a_couple_that_parts_leads_the_page_of_a_day_of_talk(larkspur: Scenario, hour) -> None:
    last = hour.records[-1].stamp
    parted = Record(Stamp(last.seq + 1, last.step, last.t, "saskia", (1,)), PARTED)
    page = make_digest([*hour.records, parted], hour.world)
    assert page.headline == "Saskia and Zeno parted"
    assert page.lead == "Saskia told Zeno, and was not forgiven"


def test_the_sheet_of_what_ended_says_since_when_it_was_so(world: World) -> None:
    teller = Teller(world.handbook)
    blocks = STORIES[Broken].sheet(teller, Broken("mara_basil", "couple", "mara", "basil", why="a row"), world.clock)
    assert [x.text for x in blocks if isinstance(x, WrappedText)] == [
        "so since a wet spring twenty-seven years ago",
        "a row",
    ]
