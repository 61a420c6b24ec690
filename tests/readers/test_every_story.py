"""One story for each type of event: none is forgotten, and what one declares is all that any reader needs."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from storyworld import Lived, Village

from sandbox.core.events import Event, Stamp
from sandbox.engine.registry import EVENTS
from sandbox.engine.view import View
from sandbox.people.model import Woke
from sandbox.people.mood import Pad
from sandbox.people.pressure_model import Turned
from sandbox.readers import bonds, idleness, incidents, life, places, stories_of_people, tielines, weeks
from sandbox.readers.all_stories import STORIES, complete, event_people, event_sentence, kinds_where
from sandbox.readers.day import Day
from sandbox.readers.facts import MoodChange, Payment
from sandbox.readers.story import Story, Teller, WrappedText, default_notable, ties_from_feelings
from sandbox.readers.tables import TABLES
from sandbox.readers.tielines import TieChange, TieLines
from sandbox.tui.sheets.town_sheet import lines_of
from sandbox.tui.view.recent_moods import RecentMoods

GLAD = Pad(0.2, 0.1, 0.0)


class Helped(Event, frozen=True):
    """The actor helps somebody with something, who likes them the more for it. Of no domain: a new event."""

    KIND: ClassVar[str] = "helped"
    whom: str
    what: str
    feelings: tuple[Turned, ...]


HELPED = Story(
    sentence=lambda teller, e, at: f"{teller.name(at.actor)} helped {teller.name(e.whom)} with {e.what}",
    mark="+",
    weight="mood.joy",
    about=lambda e: (e.whom,),
    sheet=lambda teller, e, clock: [WrappedText(f"it was about {e.what}")],
    moods=lambda e, at: [MoodChange(e.whom, GLAD, GLAD, "was helped", "event")],
    ties=lambda e: ties_from_feelings(e.feelings),
    counts=lambda e: [("walks", 1)],
    payments=lambda e, at: [Payment(at.actor, e.whom, 3, e.what, left=4)],
)


def test_a_type_of_event_without_a_story_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="without a story: Helped; declare one in a module readers/stories_of_"):
        complete((STORIES,), (*EVENTS.values(), Helped))


def test_no_event_is_told_by_two_stories_and_no_story_tells_what_is_no_event() -> None:
    with pytest.raises(TypeError, match="two stories: Arrived, Came, Chose, Cut"):
        complete((STORIES, stories_of_people.STORIES), EVENTS.values())
    with pytest.raises(TypeError, match=r"no event of .*: Helped"):
        complete((STORIES, {Helped: HELPED}), EVENTS.values())


@pytest.mark.parametrize(
    "row",
    [{}, {"mark": "+"}, {"weight": "day.woke"}, {"mark": "+", "weight": "day.woke", "untold": "of no interest"}],
)
def test_a_story_says_how_its_row_is_marked_or_why_there_is_none(row: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="one of the three"):
        Story(sentence=lambda teller, e, at: "", **row)


def test_every_weight_is_one_that_players_can_change() -> None:
    keys = {story.weight for story in STORIES.values() if story.weight}
    assert "day.woke" in keys
    assert keys <= set(default_notable().weights)


def test_what_weighs_nothing_makes_no_row(village: Village) -> None:
    weightless = type(default_notable())({**default_notable().weights, "day.woke": 0.0})
    at = Stamp(2, 1, 0, "ann", ())
    assert STORIES[Woke].weighed(Teller(village.handbook), Woke(), at) is not None
    assert STORIES[Woke].weighed(Teller(village.handbook, notable=weightless), Woke(), at) is None


def test_readers_load_every_kind_of_event_whose_story_declares_what_they_ask_for() -> None:
    asked = {
        bonds.KINDS: kinds_where(lambda story: story.ties or story.claims or story.begins or story.ends),
        idleness.KINDS: kinds_where(lambda story: story.stages),
        incidents.KINDS: kinds_where(lambda story: story.outside),
        life.KINDS: kinds_where(lambda story: story.ties or story.payments or story.begins or story.intent),
        places.KINDS: kinds_where(lambda story: story.thing),
        tielines.KINDS: kinds_where(lambda story: story.ties),
        weeks.KINDS: kinds_where(lambda story: story.moods or story.payments),
    }
    assert all(asked.values())
    assert all({*kinds} <= {*loaded} for loaded, kinds in asked.items())


@pytest.mark.slow
def test_a_new_event_is_known_to_every_reader_by_its_story_alone(
    village: Village, hour: Lived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STORIES, Helped, HELPED)
    event = Helped("ben", "the loaves", (Turned("ben", "ann", 0.1, 0.3, "the help"),))
    (row,) = village.rows(event)
    assert (row.mark, row.text, row.who) == ("+", "Ann helped Ben with the loaves", ("ann", "ben"))
    assert row.weight == default_notable()["mood.joy"]
    record, teller = village.add(event), Teller(village.handbook)
    assert event_sentence(record, teller) == row.text
    assert event_people(record, teller, aside=True) == ("ann", "ben")
    blocks = STORIES[Helped].sheet(teller, event, village.clock)
    assert [part.text for part in lines_of(blocks, 60)[0]] == ["  ", "it was about the loaves"]

    (tie,) = TABLES["ties"](hour.world).feed(record)
    assert tie[2:] == ("ben", "ann", "feeling", 0.1, 0.3, "the help", "", record.stamp.seq)
    lines = TieLines(hour.world)
    lines.read([record])
    assert lines.line("ben", "ann")[-1] == TieChange(record.stamp.t, record.stamp.seq, "feeling", 0.1, 0.3, "the help")
    (mood,) = TABLES["moods"](hour.world).feed(record)
    assert mood[2:] == ("ben", *GLAD, *GLAD, "was helped", record.stamp.seq)

    (coins,) = TABLES["money"](hour.world).feed(record)
    assert coins[2:] == ("ann", "ben", 3, "the loaves", "", record.stamp.seq)

    later = village.add(Helped("mara", "the loaves", ()), hour.world.now + 60)
    day, pulses = Day(hour.world), RecentMoods()
    day.read([later])
    assert day.done().numbers["walks"] == 1
    pulses.saw([later])
    assert pulses.felt(View(hour.world), "mara", later.stamp.t, 1, 60) == [GLAD.p]
