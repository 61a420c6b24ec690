"""Any event in a sentence, and what a talk's story keeps of the log."""

from __future__ import annotations

import pytest

from sandbox.core.clock import DAY, HOUR, Clock, parse_start
from sandbox.engine.domain import StepSet
from sandbox.people.impressions import Remains
from sandbox.people.model import Block, BlockItem, Chose, Cut, Felt, Noticed, Planned, Recalled, Reflected, Sight
from sandbox.people.paying import DEBT, LOAN, PART, Earned, Lacked, Paid
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.readers.day_headline import lead_of_talk
from sandbox.readers.phrases import REPLY, last_talk_effect, remains_words, the_talk
from sandbox.readers.talks import TalkStory
from sandbox.readers.timeline import Timeline
from sandbox.talk.model import Closed, Exchanged, Opened, ScoredRule, Utterance
from sandbox.town.model import Arrived, Placed, Stopped, Walked

NONE = (0.0, 0.0, 0.0)
WARM = (0.1, 0.0, 0.0)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (StepSet(60), "From the next step on a step lasts 60 seconds"),
        (Placed(1, 2), "Ann was there"),
        (Walked(1, 2, "NN", 20, "Mill / room"), "Ann set out for the square"),
        (Arrived(1, 2), "Ann arrived"),
        (Stopped(1, 2), "Ann stopped on the way"),
        (Planned(1, (Block(0, 9, "bake", "Mill / room", ""),) * 2), "Ann planned the day: bake"),
        (Planned(1, ()), "Ann planned the day: nothing in particular"),
        (Cut(0, tuple(BlockItem(do, 5) for do in "abcde")), "Ann settled what to do: a, b, c, d and more"),
        (Chose("bake", "work", "Mill / room", "", 0, 0, 60, 1, True), "Ann began bake at the square"),
        (Chose("bake", "work", "Mill / room", "", 0, 0, 60, 1, False), "Ann went to work at the square"),
        (Noticed((Sight("ben", "bake", ""), Sight("cy", "dig", ""))), "Ann saw Ben bake and Cy dig"),
        (Felt(WARM, WARM, "joy", "the sight of Ben", "ben"), "It moved Ann: the sight of Ben"),
        (Felt(WARM, WARM, "joy", "slept well", sort="sleep"), "Ann slept well"),
        (Felt(WARM, WARM, "shame", "turned away by Ben", "ben", "rejection"), "Ann was turned away by Ben"),
        (Recalled((4,)), "A memory came to Ann's mind"),
        (Recalled((4, 7)), "2 memories came to Ann's mind"),
        (Paid(4, "a pint", 8), "Ann paid four for a pint"),
        (Lacked("a pint", 4), "Ann had not got four for a pint"),
        (Lacked("a pint", 4, "ben"), "Ann had not got four for a pint; Ben was there"),
        (Paid(4, LOAN, 8, "ben"), "Ann gave Ben four, to be paid back"),
        (Paid(4, DEBT, 8, "ben", "x"), "Ann paid Ben four"),
        (Reflected((), (), NONE, NONE), "Ann looked back on the day"),
        (Opened("1.ann.ben", "ben", "Mill / room", "vent", 2, ()), "Ann went to Ben to let off steam"),
    ],
)
def test_what_makes_no_row_has_words_too(village, event, text):
    assert village.rows(event) == []
    assert village.told(event) == text


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Paid(12, PART, 8, "ben", "x"), "Ann paid Ben twelve of what was owed"),
        (Earned({"ann": 4, "ben": 4}), "Pay day: 2 people have their wages of the week"),
    ],
)
def test_notable_money_makes_a_row(village, event, text):
    (row,) = village.rows(event)
    assert row.text == village.told(event) == text


def test_what_makes_a_row_is_told_in_its_words(village):
    plan = Planned(1, (), "the talk with Ben ran over", "overrun")
    (row,) = village.rows(plan)
    assert village.told(plan) == row.text


def test_the_end_of_a_talk_has_words_of_its_own_beside_the_row_of_the_talk(village):
    ended = Closed("1.ann.ben", ("ann", "ben"), "the mill", "plain", "", ())
    assert village.told(ended) == "Ann and Ben talked about the mill"


def test_a_story_knows_its_events_and_who_brought_news(village):
    lines = (
        Utterance("ann", "The mill is sold.", "share_news", "", "", 0.1, (), 12),
        Utterance("ben", "Is it?", "small_talk_back", "", "", 0.1, ()),
    )
    opened = village.add(Opened("1.ann.ben", "ben", "Mill / room", "share_news", 2, ()), 60)
    exchanged = village.add(Exchanged("1.ann.ben", 1, "share_news", lines, ()), 60)
    timeline = Timeline(village.handbook, village.clock)
    timeline.read([opened, exchanged])
    story = timeline.talk("1.ann.ben")
    assert (story.seq, story.close) == (opened.stamp.seq, 0)
    assert [line.news for line in story.lines] == [True, False]
    closed = village.add(Closed("1.ann.ben", ("ann", "ben"), "the mill", "plain", "", ()), 119)
    timeline.read([closed])
    assert story.close == closed.stamp.seq


@pytest.mark.parametrize(
    ("left", "came", "fades"),
    [
        (Remains("sore", -0.2, 6 * HOUR, True, 10 * HOUR), "still sore from the talk at 14:00", "faded by 18:00"),
        (Remains("warm", 0.2, 6 * HOUR, True, DAY), "still glad of the talk at 14:00", "faded by tomorrow morning"),
        (
            Remains("sore", -0.2, 6 * HOUR - DAY, False, 3 * DAY + 18 * HOUR),
            "still sore from what was before the talk on Monday at 14:00",
            "faded by Saturday morning",
        ),
        (
            Remains("sore", -0.2, 6 * HOUR - 8 * DAY, True, 9 * DAY),
            "still sore from the talk on Mon 24 Feb at 14:00",
            "faded by Thu 13 Mar morning",
        ),
    ],
)
def test_what_a_talk_left_has_its_hour_and_its_end(left: Remains, came: str, fades: str) -> None:
    assert remains_words(Clock(parse_start("2025-03-04 08:00")), left, 8 * HOUR) == (came, fades)


def test_a_reason_of_the_last_talk_says_what_it_did() -> None:
    warm, sore = FEATURES["left"]
    talk = "the talk at 14:20"
    assert last_talk_effect(ScoredRule(sore, 0.2), "small_talk", talk) == f"still sore from {talk}: keeps to small talk"
    assert last_talk_effect(ScoredRule(sore, -0.2), REPLY, talk) == f"still sore from {talk}: answers coldly"
    assert last_talk_effect(ScoredRule(warm, 0.4), "remember", talk) == f"still glad of {talk}: the readier for it"
    assert last_talk_effect(ScoredRule("fond of them", 0.4), "remember", talk) == ""


def test_the_day_of_a_talk_is_named_alike_on_a_page_and_in_a_tie(village) -> None:
    story = TalkStory("1", ("ann", "ben"), "Mill / room", 6 * HOUR, "chat", (), "", tone="hostile", gist="the rent")
    lead = lead_of_talk(story, village.handbook, village.clock, 2, today=3)
    assert lead is not None
    assert " on Tuesday at 13:30" in lead.text
    assert the_talk(village.clock, story.since, 2 * DAY) == "the talk on Tuesday at 13:30"
