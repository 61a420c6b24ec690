"""Incidents: what in a log can be told as a story, by its causes; the sentence; and the measures of a day."""

from __future__ import annotations

import re
from datetime import datetime

import msgspec
import pytest
from lived import Day, founding
from storyworld import Square, persona

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.feed.events import Browsed, Posted, WritingDetails
from sandbox.feed.model import DIMENSIONS
from sandbox.feed.packing import CrowdActed
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.handbook import Deck, Handbook
from sandbox.people.model import Block, Chose, Planned, Woke
from sandbox.people.pressure_model import Began, Ended, Sought, Sparked, Stirred, Turned
from sandbox.phones.model import Crossed, Read
from sandbox.readers.idleness import Idleness
from sandbox.readers.incidents import Incidents
from sandbox.readers.measures import KEYS, TARGETS, DramaStats, incident_overlap, range_words, value
from sandbox.readers.numbers import gini
from sandbox.readers.threads import DayFacts, Incident
from sandbox.talk.model import Closed, Declined, Exchanged, Opened, Relation, Utterance

CLOCK = Clock(datetime(2025, 3, 4, 7, 30))
NOON = CLOCK.midnight(1) + 12 * HOUR


class Log:
    """A log written by hand. Each method adds one event and returns its number."""

    def __init__(self, larkspur: Scenario) -> None:
        cast = {who: persona(who) for who in ("ann", "ben", "cy")}
        self.handbook = Handbook(cast, Deck({}, ()), Square(), larkspur.drama, ClaimDeck())  # type: ignore[arg-type]
        self.records: list[Record] = []

    def add(self, t: int, actor: str, event: Event, *causes: int) -> int:
        self.records.append(Record(Stamp(len(self.records) + 2, t // 60 + 1, t, actor, causes), event))
        return self.records[-1].stamp.seq

    def begins(
        self, t: int, kind: str = "debt", *causes: int, id: str = "p", stage: int = 0, about: str = "ben"
    ) -> int:
        event = Began(id, kind, about, 0.6, stage, -1, "a borrowed ladder", "Ben lent it to Ann.", "loan", ())
        return self.add(t, "ann", event, *causes)

    def opens(self, t: int, aim: str = "p", *causes: int, who: tuple[str, str] = ("ann", "ben")) -> int:
        return self.add(t, who[0], Opened(f"{t}", who[1], "Mill / yard", "repay", 4, (), aim=aim), *causes)

    def says(self, t: int, talk: int, do: str, answer: str, *causes: int, aim: str = "p") -> int:
        lines = tuple(Utterance(who, "Here.", "pay_back", "", "", 0.1, ()) for who in ("ann", "ben"))
        return self.add(t, "ann", Exchanged(f"{talk}", 1, "pay_back", lines, (), aim, do, answer), *causes)

    def closes(self, t: int, talk: int, tone: str, *causes: int, close: float = 0.0) -> int:
        relations = (Relation("ann", "ben", 0.0, 0.1, close, 0.3, 0.0, "talked"),)
        return self.add(t, "ann", Closed(f"{talk}", ("ann", "ben"), "ladders", tone, "", relations), *causes)

    def repaid(self, t: int = NOON) -> tuple[int, int, int, int]:
        """Ann owes Ben, comes to him and pays: the numbers of the four events."""
        first = self.begins(0)
        talk = self.opens(t, "p", first)
        said = self.says(t + 5, t, "repay", "accept", talk)
        last = self.add(t + 5, "ann", Ended("p", "repaid", True, "repay", "accept", "ben"), said, first)
        return first, talk, said, last

    def read(self) -> Incidents:
        found = Incidents(self.handbook, CLOCK)
        found.read(self.records)
        return found

    def one(self) -> Incident:
        (incident,) = self.read().of(1).incidents
        return incident


@pytest.fixture
def log(larkspur: Scenario) -> Log:
    return Log(larkspur)


# ---- what is an incident


def test_a_debt_paid_face_to_face_is_one(log: Log) -> None:
    numbers = log.repaid()
    found = log.one()
    assert (found.day, found.thread, found.kind, found.pair) == (1, "loan", "debt", ("ann", "ben"))
    assert found.people == ("ann", "ben")
    assert found.events == numbers
    assert [(x.seq, x.tone, x.how) for x in found.turns] == [(numbers[-1], "good", "ended")]
    assert found.good
    assert not found.quarrel
    assert found.complete
    assert (found.begin, found.end, found.t) == (0, NOON + 5, NOON + 5)


def test_its_sentence_fills_itself_from_the_events(log: Log) -> None:
    log.repaid()
    assert log.one().says == "Ann paid Ben what was owed, which was a borrowed ladder."


def test_two_events_are_none(log: Log) -> None:
    first = log.begins(0)
    log.add(NOON, "ann", Ended("p", "defaulted", False, "late", "", "ben"), first)
    assert not log.read().of(1).incidents
    assert len(log.read().of(1).turns) == 1, "it was a turn all the same"


def test_three_that_nothing_links_are_none(log: Log) -> None:
    first = log.begins(0)
    log.opens(NOON)
    log.add(NOON, "ann", Ended("p", "repaid", True, "repay", "accept", "ben"), first)
    assert not log.read().of(1).incidents


def test_one_person_alone_makes_none(log: Log) -> None:
    last = log.begins(0)
    for t in (HOUR, 2 * HOUR):
        last = log.add(t, "ann", Stirred("p", "late", "", "ben", 0.1, 0.7, 1), last)
    log.add(NOON, "ann", Ended("p", "defaulted", False, "late", "", "ben"), last)
    assert not log.read().of(1).incidents


def test_without_a_turn_there_is_none(log: Log) -> None:
    first = log.begins(0)
    talk = log.opens(NOON, "p", first)
    said = log.says(NOON, NOON, "put_off", "accept", talk)
    last = log.add(NOON, "ann", Stirred("p", "put_off", "accept", "ben", -0.05, 0.5, 1), said, first)
    log.add(NOON + 9 * HOUR, "ann", Ended("p", "faded", True, turn=False), last)
    assert not log.read().of(1).incidents
    assert not log.read().of(1).turns


def test_midnight_divides(log: Log) -> None:
    log.repaid(CLOCK.midnight(2) + HOUR)
    found = log.read()
    assert found.days() == (1, 2)
    assert not found.of(1).incidents
    (second,) = found.of(2).incidents
    assert len(second.events) == 3, "its beginning was yesterday"
    assert second.complete, "causes reach back all the same"
    assert found.of(9) == DayFacts()


# ---- what is a turn


def stirred(log: Log, kind: str, event: Stirred) -> Incident | None:
    first = log.begins(0, kind)
    talk = log.opens(NOON, "p", first)
    said = log.says(NOON, NOON, event.how, event.answer, talk)
    log.add(NOON, "ann", event, said, first)
    return next(iter(log.read().of(1).incidents), None)


def test_a_break_in_anger_is_a_row(log: Log) -> None:
    found = stirred(log, "debt", Stirred("p", "confront", "refuse", "ben", 0.2, 0.8, 3, hostile=True, turn=True))
    assert found is not None
    assert ([x.how for x in found.turns], found.good, found.quarrel) == (["broke"], False, "row")
    assert found.says == "Ann and Ben came to hard words over a borrowed ladder."


def test_a_secret_told_on_is_a_betrayal(log: Log) -> None:
    found = stirred(log, "secret", Stirred("p", "leak", "accept", "cy", 0.1, 0.7, 2, told=("cy",)))
    assert found is not None
    assert ([x.how for x in found.turns], found.quarrel) == (["known"], "betrayal")
    assert found.says == "Cy learnt what Ann kept from Ben: a borrowed ladder."


def test_a_secret_confided_to_somebody_else_is_no_turn(log: Log) -> None:
    assert stirred(log, "secret", Stirred("p", "confide", "accept", "cy", -0.05, 0.5, 1, told=("cy",))) is None


@pytest.mark.parametrize(("moved", "turns"), [(-0.15, ["felt"]), (0.2, ["felt"]), (-0.149, [])])
def test_a_feeling_that_moves_by_much_is_a_turn(log: Log, moved: float, turns: list[str]) -> None:
    feelings = (Turned("ben", "ann", moved, moved, "the ladder"),)
    found = stirred(log, "grudge", Stirred("p", "confront", "dodge", "ben", 0.1, 0.7, 2, feelings=feelings))
    assert ([x.how for x in found.turns] if found else []) == turns
    if found:
        assert found.says == "Ann had it out with Ben, who would not be drawn."


def test_two_who_talk_it_over_may_grow_close(log: Log) -> None:
    first = log.begins(0, "worry")
    talk = log.opens(NOON, "p", first)
    said = log.says(NOON, NOON, "share_trouble", "accept", talk)
    log.add(NOON, "ann", Stirred("p", "share_trouble", "accept", "ben", -0.1, 0.5, 1), said, first)
    log.closes(NOON + 60, NOON, "warm", talk, close=0.16)
    assert log.one().says == "Ann and Ben talked it over."


NO = Stirred("p", "confront", "dodge", "ben", 0.1, 0.7, 2, hostile=True)


def went_looking(log: Log, met: bool, kind: str = "grudge", came: Stirred = NO) -> list[Incident]:
    first = log.begins(0, kind, stage=1)
    block = Block(NOON, NOON + HOUR, "seek", "Mill / yard", "to find Ben", "ben")
    seek = log.add(NOON, "ann", Sought("p", "ben", block, "to find Ben to have it out"), first)
    log.add(NOON, "ann", Planned(1, (block,), "to find Ben"), seek)
    if met:
        talk = log.opens(NOON + 300, "p", first)
        said = log.says(NOON + 300, NOON + 300, came.how, came.answer, talk)
        log.add(NOON + 300, "ann", came, said, first)
    return list(log.read().of(1).incidents)


def test_a_plan_changed_for_it_counts_once_they_have_met(log: Log) -> None:
    (found,) = went_looking(log, True)
    (turn,) = found.turns
    assert (turn.t, turn.tone, turn.how) == (NOON, "neutral", "planned")
    assert found.says == "Ann had it out with Ben over a borrowed ladder, and Ben would not be drawn."


def test_who_is_refused_is_told_so(log: Log) -> None:
    (found,) = went_looking(log, True, "ambition", Stirred("p", "ask_help", "refuse", "ben", -0.03, 0.5, 1))
    assert found.says == "Ann asked Ben for help, and Ben refused."


def test_who_looked_in_vain_has_no_story(log: Log) -> None:
    assert went_looking(log, False) == []


# ---- causes and signs


def test_what_came_of_ordinary_talk_is_whole_with_that_talk(log: Log) -> None:
    talk = log.opens(NOON, "")
    end = log.closes(NOON + 60, NOON, "tense", talk)
    first = log.begins(NOON + 60, "grudge", end)
    again = log.opens(NOON + HOUR, "p", first)
    said = log.says(NOON + HOUR, NOON + HOUR, "confront", "accept", again)
    log.add(NOON + HOUR, "ann", Ended("p", "made_up", True, "confront", "accept", "ben"), said, first)
    assert log.one().events[:2] == (talk, end)
    assert log.one().complete


def test_what_came_of_a_spark_is_whole_and_was_seen_coming(log: Log) -> None:
    spark = log.add(HOUR, "", Sparked("ladder", {"actor": "ann", "target": "ben"}, "A ladder fell."))
    first = log.begins(HOUR, "debt", spark)
    talk = log.opens(NOON, "p", first)
    said = log.says(NOON, NOON, "repay", "accept", talk)
    log.add(NOON, "ann", Ended("p", "repaid", True, "repay", "accept", "ben"), said, first)
    assert log.one().complete
    assert log.one().sign


@pytest.mark.parametrize("what", ["an event that is not there", "a stranger's deed", "no cause"])
def test_a_chain_with_a_gap_is_not_complete(log: Log, what: str) -> None:
    log.repaid()
    stamp, event = log.records[-1]
    if what == "an event that is not there":
        stamp = stamp._replace(causes=(*stamp.causes, 999))
    elif what == "a stranger's deed":
        stamp = stamp._replace(actor="cy")
    else:
        began = log.records[0]
        assert isinstance(began.event, Began)
        log.records[0] = Record(began.stamp, msgspec.structs.replace(began.event, parent="gone"))
    log.records[-1] = Record(stamp, event)
    assert not log.one().complete


def test_holders_that_do_not_fit_what_it_came_of_break_the_chain(log: Log) -> None:
    talk = log.opens(NOON, "", who=("ben", "cy"))
    end = log.closes(NOON + 60, NOON, "tense", talk)
    first = log.begins(NOON + 60, "grudge", end)
    again = log.opens(NOON + HOUR, "p", first)
    said = log.says(NOON + HOUR, NOON + HOUR, "confront", "accept", again)
    log.add(NOON + HOUR, "ann", Ended("p", "made_up", True, "confront", "accept", "ben"), said, first)
    assert not log.one().complete


@pytest.mark.parametrize(("minutes", "seen"), [(60, True), (59, False)])
def test_a_sign_is_one_an_hour_before(log: Log, minutes: int, seen: bool) -> None:
    first = log.begins(0)
    last = log.add(NOON - minutes * MINUTE, "ann", Stirred("p", "shows", "", "cy", 0.0, 0.6, 1, ("cy",)), first)
    talk = log.opens(NOON, "p", last)
    said = log.says(NOON, NOON, "repay", "accept", talk)
    log.add(NOON, "ann", Ended("p", "repaid", True, "repay", "accept", "ben"), said, last)
    assert log.one().sign == seen


def test_who_is_turned_away_before_a_word_still_has_a_scene(log: Log) -> None:
    first = log.begins(0, "grudge")
    no = log.add(NOON, "ben", Declined("ann", "refuse", "confront", (), aim="p"), first)
    feelings = (Turned("ann", "ben", -0.2, -0.2, "the ladder"),)
    log.add(NOON, "ann", Stirred("p", "confront", "dodge", "ben", 0.1, 0.7, 1, feelings=feelings), no, first)
    assert log.one().people == ("ann", "ben")
    assert log.one().says == "Ann came to Ben to have it out, and was turned away."


# ---- what goes by the feed


def posted(log: Log, who: str, *causes: int, t: int = NOON - HOUR, **about: object) -> int:
    """A post, with what it is about; its number."""
    details = WritingDetails(move="post_news", **about)  # type: ignore[arg-type]
    post = Posted(len(log.records), bytes(DIMENSIONS), 1, None, user=1, text="So it is.", about=details)
    return log.add(t, who, post, *causes)


def read(log: Log, who: str, wrote: int, by: str, t: int = NOON - HOUR) -> int:
    look = log.add(t, who, Browsed(user=2, act="refresh"))
    return log.add(t, who, Read("post", 1, by, "the ladder"), look, wrote)


def apologised(log: Log, gap: bool = False) -> int:
    """Ann has Ben on her conscience, says so for all to read, and Ben takes it; the number of the post."""
    first = log.begins(0, "guilt")
    wrote = posted(log, "ann", first, matter="p", whom="ben", rule="apology")
    by = 999 if gap else read(log, "ben", wrote, "ann")
    ran = log.add(NOON, "ben", Crossed("apology", "street", "ben 1", "so", "ann", 1), by)
    log.add(NOON, "ann", Ended("p", "forgiven", True, "apologise", "accept", "ben"), ran, first)
    return wrote


def test_what_ends_on_the_feed_is_an_incident_with_all_its_causes(log: Log) -> None:
    wrote = apologised(log)
    found = log.one()
    assert found.complete
    assert {wrote - 1, wrote, wrote + 2, wrote + 3} <= {*found.events}
    assert found.people == ("ann", "ben")
    assert found.sign, "the post was there an hour before"
    assert found.says == "Ben forgave Ann for a borrowed ladder."


def test_a_gap_on_the_feed_is_one_too(log: Log) -> None:
    apologised(log, gap=True)
    assert not log.one().complete


def test_a_matter_that_is_born_of_what_was_read_is_whole_with_the_post(log: Log) -> None:
    wrote = posted(log, "ben", t=HOUR)
    ran = log.add(HOUR, "ann", Crossed("screenshot", "street", "ann 1", "so", "ben", 1), read(log, "ann", wrote, "ben"))
    first = log.begins(HOUR, "grudge", ran)
    talk = log.opens(NOON, "p", first)
    said = log.says(NOON, NOON, "confront", "accept", talk)
    log.add(NOON, "ann", Ended("p", "made_up", True, "confront", "accept", "ben"), said, first)
    found = log.one()
    assert found.complete
    assert wrote in found.events


@pytest.mark.parametrize("pile", [True, None])
def test_whoever_worries_about_somebody_all_turn_on_need_not_have_had_a_part(log: Log, pile: bool | None) -> None:
    wrote = posted(log, "ben", t=HOUR)
    acts = log.add(HOUR, "", CrowdActed(300, b"", b"", b"", b"", b"", b""))
    ran = log.add(HOUR, "ben", Crossed("pile_on", "street", "ben", "so", "cy", 1, pile=pile, hostile=9), wrote, acts)
    first = log.begins(HOUR, "worry", ran)
    talk = log.opens(NOON, "p", first)
    said = log.says(NOON, NOON, "comfort", "accept", talk)
    log.add(NOON, "ann", Ended("p", "relieved", True, "comfort", "accept", "ben"), said, first)
    assert log.one().complete == bool(pile)


def test_who_only_passes_a_matter_on_for_all_to_read_has_no_part_in_it(log: Log) -> None:
    numbers = log.repaid()
    posted(log, "cy", numbers[-1], matter="p", t=NOON + HOUR)
    assert log.one().people == ("ann", "ben")
    wrote = posted(log, "ben", numbers[0], matter="q", t=NOON + HOUR)
    assert wrote not in log.one().events


def test_a_post_touches_the_matter_it_is_about(log: Log) -> None:
    first = log.begins(0)
    posted(log, "ann", first, matter="p", t=CLOCK.midnight(3))
    assert log.read().of(3).untouched == 0


# ---- bad input


def test_events_of_pressures_and_talks_nobody_began_are_passed_over(log: Log) -> None:
    log.add(0, "ann", Stirred("none", "confront", "refuse", "ben", 0.1, 0.7, 3, turn=True), 77)
    log.add(0, "ann", Ended("none", "repaid", True))
    log.says(0, 0, "repay", "accept")
    log.closes(0, 0, "warm")
    log.add(0, "ann", Planned(1, (), "why"), 3)
    assert log.read().of(1) == DayFacts()
    assert Incidents(log.handbook, CLOCK).days() == ()


def test_words_with_braces_are_only_words(log: Log) -> None:
    log.repaid()
    began = log.records[0]
    assert isinstance(began.event, Began)
    log.records[0] = Record(began.stamp, msgspec.structs.replace(began.event, stakes="{about!r} {0}"))
    assert log.one().says == "Ann paid Ben what was owed, which was {about!r} {0}."


# ---- who stands about


def awake(log: Log, seconds: int) -> None:
    log.add(0, "ann", Woke())
    log.add(0, "ann", Planned(1, (Block(0, DAY, "read", "Mill / yard", ""),)))
    log.add(0, "ann", Chose("read", "read", "Mill / yard", "", 1, 1, seconds, 1, True))


def idle_and_stuck(log: Log, t: int) -> tuple[int, int]:
    reader = Idleness(CLOCK)
    reader.read(log.records)
    return reader.idle(1, t), reader.stuck(1, t)


def test_ninety_minutes_without_an_act_are_idle(log: Log) -> None:
    awake(log, HOUR)
    assert idle_and_stuck(log, HOUR + 89 * MINUTE) == (0, 0)
    assert idle_and_stuck(log, HOUR + 90 * MINUTE) == (1, 0)


def test_who_is_busy_asleep_or_in_talk_is_not_idle(log: Log) -> None:
    awake(log, 6 * HOUR)
    log.opens(6 * HOUR, "")
    assert idle_and_stuck(log, 9 * HOUR) == (0, 0)
    log.closes(9 * HOUR, 6 * HOUR, "plain")
    log.add(9 * HOUR, "ann", Chose("sleep", "sleep", "Mill / room", "", 1, 1, 600, 1, True))
    assert idle_and_stuck(log, 12 * HOUR) == (0, 0)


def test_who_has_a_goal_and_takes_no_step_is_stuck(log: Log) -> None:
    awake(log, 600)
    log.add(600, "ann", Chose("read", "read", "Mill / loft", "", 9, 9, 600, 2, False))
    assert idle_and_stuck(log, 600 + 30 * MINUTE) == (0, 1)
    log.add(0, "ben", Woke())
    assert idle_and_stuck(log, 600 + 30 * MINUTE) == (0, 2), "and so is who has no plan"


def test_what_comes_of_something_heard_days_ago_has_its_reason(log: Log) -> None:
    first = log.begins(0)
    talk = log.opens(NOON, "p", first)
    heard = log.says(NOON + 5, NOON, "remind", "dodge", talk)
    t = NOON + 3 * DAY
    late = log.begins(t, "grudge", heard, id="late")
    again = log.opens(t + HOUR, "late", late)
    said = log.says(t + HOUR + 5, t + HOUR, "apologise", "accept", again, aim="late")
    log.add(t + HOUR + 5, "ann", Ended("late", "made_up", True, "apologise", "accept", "ben"), said, late)
    (incident,) = log.read().of(4).incidents
    assert incident.complete


@pytest.mark.parametrize("open_still", [True, False])
def test_what_shows_of_a_matter_is_a_cause_as_long_as_that_is_open(log: Log, open_still: bool) -> None:
    first = log.begins(0, "secret")
    row = BeliefUpdate("cy", "p/0", "ann", "", "", 0, 20.0, "saw")
    clue = log.add(NOON, "cy", Stirred("p", "clue", "", "ann", 0.0, 0.6, 0, learned=(row,)), first)
    t = NOON + 12 * DAY
    end = Ended("p", "found_out", False, "learned", "", "ann")
    if not open_still:  # what comes of it long after has lost its reason
        log.add(NOON + DAY, "ann", end, first)
        log.begins(t - DAY, "secret", id="q")
        clue, end = first, Ended("q", "found_out", False, "learned", "", "ann")
    log.add(t, "ann", end, clue)
    facts = log.read().of(13)
    assert [x.complete for x in facts.turns] == [open_still]


# ---- measures


def test_a_thread_is_over_when_nothing_of_it_is_open(log: Log) -> None:
    *_, last = log.repaid()
    assert log.read().of(1).ended == {"loan"}
    log.begins(NOON + HOUR, "guilt", last, id="child")
    assert log.read().of(1).ended == frozenset()
    log.add(NOON + 2 * HOUR, "ann", Ended("child", "faded", True, turn=False), last)
    assert log.read().of(1).ended == {"loan"}, "fading is an end, too"


def test_gini_is_nothing_among_equals_and_near_one_for_a_star() -> None:
    assert gini([2, 2, 2]) == 0.0
    assert gini([0] * 9 + [5]) == 0.9
    assert gini([0, 0]) is None


def test_shared_is_by_kind_and_the_people_in_them(log: Log, larkspur: Scenario) -> None:
    log.repaid()
    mine, other = log.one(), Log(larkspur)
    other.repaid(NOON + HOUR)
    theirs = other.one()
    assert incident_overlap([mine], [theirs]) == 1.0
    assert incident_overlap([mine], [msgspec.structs.replace(theirs, people=(*theirs.people, "cy"))]) == 0.0
    assert incident_overlap([mine], []) == 0.0
    assert incident_overlap([], [mine]) is None


def test_each_measure_has_a_range_and_words_for_it() -> None:
    assert tuple(TARGETS) == (*KEYS, "shared_with_seed")
    assert range_words("incidents", TARGETS["incidents"].first) == "5 to 18"
    assert range_words("foreshadowed", TARGETS["foreshadowed"].first) == "at least 80 %"
    assert range_words("complete_causes", TARGETS["complete_causes"].first) == "100 %"
    assert range_words("longest_quiet_hours", TARGETS["longest_quiet_hours"].later) == "under 4 h"
    assert (value("gini", None), value("good_turns", 0.5), value("idle", 0)) == ("-", "50 %", "0")
    assert not TARGETS["good_turns"].first.holds(None)


# ---- a day of Larkspur


@pytest.fixture(scope="module")
def told(day: Day) -> DramaStats:
    drama = DramaStats(World.found(founding(day.scenario)))
    drama.read(day.all())
    return drama


def test_a_day_of_larkspur_has_incidents_that_all_can_be_told(told: DramaStats) -> None:
    incidents = told.incidents.of(1).incidents
    assert len(incidents) >= 5
    for i in incidents:
        text = i.says
        assert text, i
        assert text[0].isupper()
        assert not re.search(r"[{}]|\.\.|  |;;|, ;| ;|,\.", text), text
        assert i.complete, text
        assert len(i.events) >= 3
        assert len(i.people) >= 2
        assert {x.seq for x in i.turns} <= set(i.events)
        assert i.begin <= i.t <= i.end
    assert [i.t for i in incidents] == sorted(i.t for i in incidents)


@pytest.mark.slow
def test_read_bit_by_bit_it_is_the_same(told: DramaStats, day: Day) -> None:
    bits = DramaStats(World.found(founding(day.scenario)))
    for step in day.steps:
        bits.read(step)
        bits.incidents.of(1)
    assert bits.incidents.of(1) == told.incidents.of(1)
    assert bits.whole((1,), DAY) == told.whole((1,), DAY)


def test_it_needs_no_more_than_the_kinds_it_names(told: DramaStats, day: Day) -> None:
    from sandbox.readers.measures import EVENTS

    few = DramaStats(World.found(founding(day.scenario)))
    few.read([r for r in day.all() if r.event.KIND in EVENTS])
    assert few.whole((1,), DAY) == told.whole((1,), DAY)


def test_its_measures_are_measures(told: DramaStats) -> None:
    found = told.whole((1,), DAY)
    for key in KEYS:
        x = found[key]
        assert x is not None
        assert x >= 0
        if TARGETS[key].unit == "%" or key == "gini":
            assert x <= 1
    assert told.days(DAY) == (1,), "the second day has only begun"
    assert told.whole((1,), DAY) == found
    assert found["complete_causes"] == 1.0
    assert found["idle"] == found["stuck"] == 0
    assert (found["everyday_talk"] or 0) > (found["hostile_talk"] or 0)
