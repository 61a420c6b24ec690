"""The weighty turns of a day: what belongs to one, how they are weighed and worded, and what stands on the page."""

from __future__ import annotations

import re

import pytest
from lived import Day, founding
from test_incidents import CLOCK, NOON, Log

from sandbox.core.clock import HOUR
from sandbox.drama.outcomes import Decided
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, Made
from sandbox.people.mark_model import Marked
from sandbox.people.mood import Pad
from sandbox.people.pressure_model import Began, Ended, Stirred, Turned
from sandbox.readers.big_turns import BigTurns
from sandbox.readers.chapters import ChapterTeller, chapters_of
from sandbox.readers.chronicle import chronicle, chronicle_entries, week_page
from sandbox.readers.day import Day as DayReader
from sandbox.readers.day import make_digest
from sandbox.readers.edition import digest_page, turn_parts
from sandbox.readers.measures import TARGETS, DramaStats
from sandbox.readers.told_turns import ToldTurn, ToldTurns, told_groups, told_paragraph
from sandbox.readers.turn_words import WORDS, prose

ENOUGH = TARGETS["big_told"].first  # where the share of big turns should lie


class Told(Log):
    """A log written by hand in Larkspur, and the turns found in it."""

    def __init__(self, larkspur: Scenario) -> None:
        super().__init__(larkspur)
        self.world = World.found(founding(larkspur))
        self.handbook = self.world.handbook

    def turns(self) -> tuple[ToldTurn, ...]:
        found = ToldTurns(self.world)
        found.read(self.records)
        return found.of(1)

    def put_out(self) -> int:
        """Kit does not pay Zeno and loses the room: the number of the ending."""
        first = self.begins(0, id="rent", about="zeno")
        self.records[0] = self.records[0]._replace(stamp=self.records[0].stamp._replace(actor="kit"))
        feelings = (Turned("zeno", "kit", -0.15, -0.2, "the rent"),)
        last = self.add(NOON, "kit", Ended("rent", "defaulted", False, "late", "", "zeno", feelings), first)
        out = Broken("home", "lodges", "kit", "zeno", where="Number Nine / room one")
        self.add(NOON, "kit", out, last)
        self.add(NOON, "kit", Made("home2", "lodges", "kit", where="Rowan House / sitting room"), last)
        self.add(NOON, "kit", Marked(Pad(-0.2, 0, 0), Pad(0, 0, 0), "distress", "Kit has left", 3600), last + 1)
        return last


@pytest.fixture
def log(larkspur: Scenario) -> Told:
    return Told(larkspur)


def test_what_comes_of_a_turn_at_once_belongs_to_it(log: Told) -> None:
    last = log.put_out()
    (turn,) = log.turns()
    assert turn.life
    assert not turn.good
    assert turn.seqs == (last, last + 1, last + 2, last + 3)
    assert {"kit", "zeno"} <= {*turn.people}
    text = told_paragraph(turn, log.handbook, CLOCK)
    assert text.startswith("Kit had to leave Number Nine, and moved to Rowan House.")
    assert "Kit did not pay Zeno, though the day had come: a borrowed ladder." in text
    assert "took it hard" in text


def test_what_comes_of_it_hours_later_is_a_turn_of_its_own(log: Told) -> None:
    last = log.put_out()
    log.add(NOON + 2 * HOUR, "greta", Broken("choir", "member", "greta", terms="the choir"), last)
    assert sorted(x.news for x in log.turns()) == [
        "Greta left the choir",
        "Kit had to leave Number Nine, and moved to Rowan House",
    ]


def test_a_life_that_changed_weighs_more_than_a_promise_kept(log: Told) -> None:
    log.put_out()
    first = log.begins(HOUR, "promise", id="word")
    log.add(NOON, "ann", Ended("word", "kept", True, "keep", "accept", "ben"), first)
    heavy, light = log.turns()
    assert heavy.life
    assert heavy.weight > light.weight
    assert light.plain


def test_a_change_of_rooms_and_what_is_private_are_no_turns(log: Told) -> None:
    log.add(NOON, "kit", Made("x", "lodges", "kit", where="Number Nine / room two", within=True))
    log.add(NOON, "kit", Broken("y", "holds", "kit", terms="the pan", instead="z"))
    log.add(NOON, "kit", Made("v", "confidence", "kit", "mara", "a tune"))
    log.add(NOON, "", Decided("quiz", "off", "The quiz", "ham", "Too few came"))
    assert log.turns() == ()


def test_turns_of_one_matter_are_told_together_by_the_hour(log: Told) -> None:
    first = log.begins(0, "grudge")
    feelings = (Turned("ann", "ben", -0.2, -0.2, "the ladder"),)
    row = Stirred("p", "confront", "refuse", "ben", 0.2, 0.7, 2, feelings=feelings, hostile=True)
    row_seq = log.add(NOON, "ann", row, first)
    log.add(NOON + HOUR, "ann", Ended("p", "settled", True, "bargain", "accept", "ben"), first)
    ((top, *others),) = told_groups(log.turns())
    assert [x.seq for x in others] == [row_seq] or top.seq == row_seq
    text = told_paragraph(top, log.handbook, CLOCK, others)
    assert text.index("12:00") < text.index("13:00")


def test_every_ending_that_ships_has_its_words(larkspur: Scenario) -> None:
    for kind, of in larkspur.drama.kinds.items():
        told = WORDS.ended[kind]
        assert {*of.ends} - {"faded"} <= {*told}, kind
        for text in told.values():
            assert {*re.findall(r"\{(\w+)\}", text)} <= {"holder", "about", "stakes"}
    assert {*larkspur.claims.kinds} <= {*WORDS.claims}
    assert {rule.emotion for rule in larkspur.drama.marks} <= {*WORDS.felt}


def test_whoever_two_sentences_begin_with_is_named_once(larkspur: Scenario) -> None:
    book = World.found(founding(larkspur)).handbook
    assert prose(book, ["Kit sang", "Kit left", "Greta left", "Mara and Kit met", "Mara stayed"]) == (
        "Kit sang. He left. Greta left. Mara and Kit met. Mara stayed."
    )


# ---- a day of Larkspur


@pytest.fixture(scope="module")
def drama(day: Day) -> DramaStats:
    found = DramaStats(World.found(founding(day.scenario)))
    found.read(day.all())
    return found


def test_the_big_turns_of_a_day_stand_on_its_page(day: Day, drama: DramaStats) -> None:
    world = World.found(founding(day.scenario))
    digest = make_digest(day.all(), world, 1)
    big = BigTurns(world)
    big.read(day.all())
    assert len(big.of(1)) >= 4
    assert ENOUGH is not None
    assert ENOUGH.holds(drama.big_told([1]))
    assert drama.big_told([1]) == round(sum(seq in digest.told for seq in big.of(1)) / len(big.of(1)), 4)


def test_a_page_of_three_turns_leaves_big_ones_out(day: Day, drama: DramaStats) -> None:
    assert ENOUGH is not None
    assert not ENOUGH.holds(drama.big_told([1], most=3))
    page = DayReader(World.found(founding(day.scenario)), 1, most=3)
    page.read(day.all())
    found = page.done()
    assert len(found.turns) + (found.top is not None) == 3


def test_without_big_turns_there_is_nothing_to_measure(larkspur: Scenario) -> None:
    assert DramaStats(World.found(founding(larkspur))).big_told([1]) is None


def test_a_page_tells_what_was_begun_on_the_day_before(log: Told) -> None:
    first = log.begins(0, "promise")
    log.add(CLOCK.midnight(2) + HOUR, "ann", Ended("p", "broken", False, "late", "", "ben"), first)
    before, today = log.records[:1], log.records[1:]
    assert "broke a promise" not in digest_page(make_digest(today, log.world)).lower()
    assert "broke a promise" in digest_page(make_digest(today, log.world, before=before)).lower()


def test_a_page_tells_its_turns_by_weight_and_in_english(day: Day) -> None:
    found = make_digest(day.all(), World.found(founding(day.scenario)), 1)
    assert found.top is not None
    titles = [title for title, _ in turn_parts(found)]
    order = ("What changed a life", "What came to a head", "In brief")
    assert titles == [title for title in order if title in titles]
    for x in (found.top, *found.turns):
        assert re.fullmatch(r"[A-Z].+\.", x.text), x.text
        assert not re.search(r"[{}]|\.\.|  |, ,|in the matter of", x.text), x.text
    assert len(found.told) == len([seq for x in (found.top, *found.turns) for seq in x.seqs])


# ---- chapters, the week, the chronicle


def test_what_came_of_one_beginning_is_one_chapter(log: Told) -> None:
    first = log.begins(0, "grudge")
    row = log.add(NOON, "ann", Ended("p", "fell_out", False, "confront", "refuse", "ben", hostile=True), first)
    second = log.begins(NOON, "guilt", row, id="sorry")
    log.add(NOON + 2 * HOUR, "ann", Ended("sorry", "forgiven", True, "apologise", "accept", "ben"), second)
    log.begins(0, "debt", id="other", about="cy")
    chapters = chapters_of(log.turns(), lambda threads: [f"{len(threads)} open"])
    (one,) = chapters
    text = ChapterTeller(log.world).paragraph(one)
    assert text.index("fell out for good") < text.index("forgave")
    assert text.endswith("It is not over: 1 open.")


def test_a_cause_that_was_told_as_a_turn_is_not_told_again(log: Told) -> None:
    first = log.begins(0, "secret")
    found = log.add(NOON, "ben", Ended("p", "found_out", False, "learned", "", "ann"), first)
    cause = "ben found out what ann had kept quiet."
    began = Began("sorry", "guilt", "ben", 0.6, 0, -1, "a silence", cause, "loan", ())
    second = log.add(NOON, "ann", began, found)
    log.add(NOON + 2 * HOUR, "ann", Ended("sorry", "forgiven", True, "apologise", "accept", "ben"), second)
    (one,) = chapters_of(log.turns(), lambda threads: [])
    assert ChapterTeller(log.world).paragraph(one).count("found out what") == 1


def test_the_chronicle_keeps_what_weighs_and_each_line_has_its_moment(log: Told) -> None:
    last = log.put_out()
    first = log.begins(HOUR, "promise", id="word")
    log.add(NOON, "ann", Ended("word", "kept", True, "keep", "accept", "ben"), first)
    (entry,) = chronicle_entries(log.turns(), CLOCK)
    assert (entry.seq, entry.t, entry.at, entry.day) == (last, NOON, "day 1 12:00", 1)
    assert f"(event {last})" in " ".join(x.text for x in chronicle(log.turns(), log.world))


def test_an_empty_week_and_an_empty_chronicle_say_so(log: Told) -> None:
    assert "Nothing came to a head" in week_page((), log.world, 1)[-1].text
    assert "Nothing has happened yet" in chronicle((), log.world)[-1].text


def test_a_week_tells_its_threads_then_who_lost_then_its_numbers(day: Day) -> None:
    world = World.found(founding(day.scenario))
    found = ToldTurns(world)
    found.read(day.all())
    world.now = day.all()[-1].stamp.t
    heads = [x.text for x in week_page(found.of(1), world, 1) if x.sort == "head"]
    assert 3 <= len(heads[:-2]) <= 5
    assert heads[-2:] == ["Who gained and who lost", "The week in numbers"]
