"""The chronicle: what is told, how it reads, and what is kept."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from sandbox.people.model import Chose, Felt, Insight, Planned, Reflected, Woke
from sandbox.people.needs import NEEDS
from sandbox.readers.timeline import Timeline
from sandbox.talk.model import Closed, Declined, Exchanged, Opened, Relation, Replan, ScoredRule, Shift, Utterance
from sandbox.town.calendar import Calendar
from sandbox.town.plan import Occasion

NONE = (0.0, 0.0, 0.0)
CROSS, ANGRY = (-0.3, 0.4, 0.2), (-0.5, 0.55, 0.25)


def talk(
    village, id_="1.ann.ben", t=60, tone="plain", move="small_talk", valence=0.1, relations=(), shifts=(), replans=()
):
    """A talk of one exchange between Ann and Ben; returns the records."""
    lines = (
        Utterance("ann", "Fine day.", move, "", "", valence, ()),
        Utterance("ben", "It is.", "small_talk_back", "", "", valence, ()),
    )
    start = len(village.records)
    village.add(
        Opened(id_, "ben", "Mill / room", "chat", 2, (ScoredRule("fond of them", 0.5), ScoredRule("shy", -0.2))), t
    )
    village.add(Exchanged(id_, 1, move, lines, shifts), t)
    village.add(Closed(id_, ("ann", "ben"), "the weather", tone, "", relations, replans), t + 59)
    return village.records[start:]


def told(village, records, calendar=None):
    return Timeline(village.handbook, village.clock, calendar).read(records)


def test_a_talk_is_one_row_when_it_closes(village):
    timeline = Timeline(village.handbook, village.clock)
    opened, exchanged, closed = talk(village)
    assert timeline.read([opened, exchanged]) == []
    (row,) = timeline.read([closed])
    assert (row.mark, row.text) == ('"', "Ann and Ben at the square: the weather (2 lines)")
    assert (row.t, row.seq, row.who, row.talk) == (119, closed.stamp.seq, ("ann", "ben"), "1.ann.ben")


@pytest.mark.parametrize(
    ("tone", "text"),
    [
        ("plain", "Ann and Ben passed the time of day at the square: the weather"),
        ("tense", "Ann and Ben had words at the square: the weather"),
    ],
)
def test_a_talk_without_words_is_told_without_lines_and_in_full_has_none(village, tone, text):
    opened, exchanged, closed = talk(village, tone=tone)
    unheard = tuple(Utterance(x.who, "", x.move, "", "", x.valence, ()) for x in exchanged.event.lines)
    exchanged = exchanged._replace(event=replace(exchanged.event, lines=unheard))
    timeline = Timeline(village.handbook, village.clock)
    (row,) = timeline.read([opened, exchanged, closed])
    assert row.text == text
    story = timeline.talk("1.ann.ben")
    assert story.quiet
    assert (story.lines, story.warmth) == ([], pytest.approx(0.1))
    assert village.told(exchanged.event) == "Ann and Ben: a few words that nobody listens to"


@pytest.mark.parametrize(
    ("tone", "move", "valence", "mark", "part"),
    [
        ("tense", "disagree", -0.4, "!", "Ann and Ben had words at the square"),
        ("hostile", "snap", -0.9, "!", "Ann and Ben fell out at the square"),
        ("warm", "comfort", 0.6, "♥", "Ann and Ben had a good talk at the square"),
        ("plain", "gossip", 0.1, "?", "Ann and Ben at the square"),
        ("tense", "gossip", -0.2, "!", "had words"),
    ],
)
def test_the_mark_tells_what_kind_of_talk_it_was(village, tone, move, valence, mark, part):
    (row,) = told(village, talk(village, tone=tone, move=move, valence=valence))
    assert row.mark == mark
    assert part in row.text


def test_a_row_weighs_more_than_a_chat(village):
    weights = [told(village, talk(village, tone=tone))[0].weight for tone in ("plain", "warm", "tense", "hostile")]
    assert weights == sorted(weights)
    assert len(set(weights)) == 4


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Woke(), "Ann woke"),
        (Chose("sleep", "sleep", "Mill / room", "", 0, 0, 60, 1, False), "Ann went to bed"),
        (Declined("ben", "refuse", "share_news", ()), "Ann turned Ben away, who came with news"),
        (Declined("ben", "deflect", "unheard of", ()), "Ann had no time for Ben"),
        (Planned(1, (), "the talk with Ben ran over", "overrun"), "Ann changed plans: the talk with Ben ran over"),
        (
            Reflected((), (Insight("a", (), 2, ""), Insight("Ben does me good", (), 6, "ben")), NONE, NONE),
            "Ann, looking back: Ben does me good",
        ),
        (Felt(CROSS, ANGRY, "anger", "Ben lost the key", "ben"), "Ann grew angry: Ben lost the key"),
        (Felt(CROSS, ANGRY, "anger", "lost the key", sort="deed"), "Ann lost the key and grew angry"),
    ],
)
def test_what_stands_alone_is_told_in_a_sentence(village, event, text):
    (row,) = village.rows(event)
    assert row.text == text


@pytest.mark.parametrize(
    "event",
    [Planned(1, (), ""), Felt((0.01, 0.0, 0.0), (0.01, 0.0, 0.0), "joy", "tea"), Reflected((), (), NONE, NONE)],
)
def test_what_changes_nothing_worth_telling_is_not_told(village, event):
    assert village.rows(event) == []


def test_moods_that_turn_in_a_talk_are_told_with_their_reason_after_it(village):
    shifts = (Shift("ben", (0.5, 0.3, 0.3), (0.55, 0.3, 0.3), "Ann praised them"),)
    row = told(village, talk(village, shifts=shifts))[1]
    assert (row.mark, row.text, row.who, row.talk) == ("+", "Ben cheered up: Ann praised them", ("ben",), "1.ann.ben")


@pytest.mark.parametrize(
    ("old", "delta", "text"),
    [
        ((0.5, 0.3, 0.3), (-0.5, -0.5, -0.2), "Ben felt worse: Ann"),  # being hungry calms nobody
        ((-0.5, 0.5, 0.2), (0.5, -0.7, -0.1), "Ben settled down: Ann"),
        ((0.0, 0.0, 0.0), (-0.5, 0.6, 0.25), "Ben grew angry: Ann"),
        ((-0.6, 0.2, 0.25), (0.1, 0.4, 0.0), "Ben was stirred up: Ann"),  # nor does a kindness anger them
    ],
)
def test_a_mood_is_told_by_what_moved_with_its_cause(village, old, delta, text):
    after = tuple(x + y for x, y in zip(old, delta, strict=True))
    (row,) = village.rows(Felt(delta, after, "joy", "Ann"), actor="ben")
    assert row.text == text


@pytest.mark.parametrize(("sort", "need"), [(need.sort, need.word) for need in NEEDS])
def test_what_somebody_lacks_is_said_of_them_as_a_sentence(village, sort, need):
    felt = Felt((-0.5, 0.6, 0.25), (-0.5, 0.6, 0.25), "distress", need, sort=sort)
    (row,) = village.rows(felt, actor="ben")
    assert row.text == f"Ben was {need} and grew angry"


def test_ties_that_cross_a_line_are_told_once_where_both_agree(village):
    relations = (
        Relation("ann", "ben", 0.01, 0.3, 0.1, 0.6, 0.1, "talked about the weather"),
        Relation("ben", "ann", 0.01, 0.3, 0.1, 0.6, 0.1, "talked about the weather"),
    )
    assert [r.text for r in told(village, talk(village, relations=relations))[1:]] == ["Ann and Ben have grown close"]
    one = (Relation("ben", "ann", -0.2, -0.3, 0.0, 0.1, 0.0, "talked about the weather"),)
    assert [r.text for r in told(village, talk(village, relations=one))[1:]] == ["Ben has soured on Ann"]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("The soup at the Heron", "Time for the soup at the Heron: it is hot"),
        ("The square dance", "Time for the square dance: it is hot"),
        ("Soup", "Time for soup at the square: it is hot"),
    ],
)
def test_a_place_is_named_once(village, title, text):
    soup = Occasion("soup", title, 8 * 3600, 9 * 3600, "Green", "eat", ("every",), "", ("ann",), "it is hot")
    timeline = Timeline(village.handbook, village.clock, Calendar((soup,), village.clock))
    assert timeline.read([], now=0) == []
    (row,) = timeline.read([], now=7200)
    assert (row.text, row.occasion) == (text, "soup")


def test_occasions_are_told_as_they_begin_and_only_once(village):
    fair = Occasion("fair", "The fair", 8 * 3600, 9 * 3600, "Green", "play", ("every",), "", ("ann",), "there is cake")
    early = Occasion("early", "The bell", 7 * 3600, 8 * 3600, "Green", "play", ("every",))
    timeline = Timeline(village.handbook, village.clock, Calendar((fair, early), village.clock))
    assert timeline.read([], now=60) == []
    assert timeline.read([], now=1740) == []
    (row,) = timeline.read([village.add(Woke(), 1801), village.add(Woke(), 1805)][1:], now=1860)[:1]
    bell, cake = "Time for the bell at the square", "Time for the fair at the square: there is cake"
    assert (row.t, row.mark, row.text, row.who) == (1800, "*", cake, ("ann",))
    assert timeline.read([], now=7200) == []
    assert [r.text for r in timeline.read([], now=2 * 86400)] == [bell, cake, bell]


def test_a_talk_can_be_opened_in_full(village):
    timeline = Timeline(village.handbook, village.clock)
    shifts = (Shift("ben", (0.5, 0.3, 0.3), (0.55, 0.3, 0.3), "Ann praised them"),)
    records = talk(village, shifts=shifts, replans=(Replan("ben", "the talk with Ann ran over", True),))
    timeline.read(records[:2])
    story = timeline.talk("1.ann.ben")
    assert story.ended == -1
    assert [(line.who, line.text, line.mood) for line in story.lines] == [
        ("ann", "Fine day.", ""),
        ("ben", "It is.", "+"),
    ]
    timeline.read(records[2:])
    assert [c.text for c in story.changes] == [
        "Ben cheered up: Ann praised them",
        "Ben changes plans: the talk with Ann ran over",
    ]


def test_only_the_latest_talks_are_kept(village):
    timeline = Timeline(village.handbook, village.clock, kept=3)
    for n in range(8):
        timeline.read(talk(village, f"{n}.ann.ben", 60 + n * 200))
    assert [timeline.talk(f"{n}.ann.ben") is not None for n in range(8)] == [False] * 5 + [True] * 3


def test_a_talk_whose_beginning_was_not_read_is_told_all_the_same(village):
    timeline = Timeline(village.handbook, village.clock)
    (row,) = timeline.read(talk(village, tone="tense")[1:])
    assert (row.mark, row.text) == ("!", "Ann and Ben: the weather")
    assert timeline.talk("1.ann.ben") is None


def test_an_hour_of_larkspur_reads_as_a_chronicle(hour):
    w = hour.world
    out = Timeline(w.handbook, w.clock, w.calendar).read(hour.records, w.now)
    assert len(out) > 40
    assert all(a.t <= b.t for a, b in pairwise(out))
    assert all(0 <= r.weight <= 10 and len(r.mark) == 1 and r.text and "\n" not in r.text for r in out)
    closed = sum(r.event.KIND == "talk_closed" for r in hour.records)
    assert sum(r.mark in '"!♥?' for r in out) == closed


def test_reading_step_by_step_tells_the_same(hour):
    w = hour.world
    whole = Timeline(w.handbook, w.clock).read(hour.records)
    assert len(whole) > 40
    timeline = Timeline(w.handbook, w.clock)
    steps = {}
    for record in hour.records:
        steps.setdefault(record.stamp.step, []).append(record)
    assert [row for records in steps.values() for row in timeline.read(records)] == whole
