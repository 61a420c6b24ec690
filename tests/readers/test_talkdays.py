"""What a reader hears of a town day by day, on a log written by hand."""

from __future__ import annotations

from datetime import datetime

import pytest

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock
from sandbox.core.events import Record, Stamp
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.mood import Pad
from sandbox.readers.talkstats import GREETINGS, READS, WHOLE, TalkDays
from sandbox.talk.lines import PARTING, BookLine, LineBook
from sandbox.talk.model import Exchanged, Shift, Utterance

CLOCK = Clock(datetime(2025, 3, 4, 7, 30))
BOOK = LineBook((BookLine("hello", "greet", ("Hello.",)), BookLine("rain", "small_talk", ("It rains.",))), {})
SAID = ("small_talk", "It rains.", "rain#0")
BACK = ("small_talk_back", "It does.", "does#0")
NOTHING = ("small_talk", "", "")


class Log:
    """Exchanges of Ann and Ben, each a minute after the one before."""

    def __init__(self) -> None:
        self.days = TalkDays(CLOCK, BOOK)
        self.t = self.n = 0

    def say(self, talk: str, *lines: tuple[str, str, str], p: float | None = None, **more: object) -> None:
        """What is said in a talk: move, words, variant. p: the pleasure of whoever leads before it."""
        said = tuple(
            Utterance(who, text, move, "", "", 0.0, (variant,) if variant else ())
            for who, (move, text, variant) in zip(("ann", "ben"), lines, strict=False)
        )
        shifts = () if p is None else (Shift("ann", Pad(0.1, 0.0, 0.0), Pad(p + 0.1, 0.0, 0.0), "talk"),)
        event = Exchanged(talk, 1, lines[0][0], said, shifts, **more)
        self.n += 1
        self.days.read([Record(Stamp(self.n, self.n, self.t, "ann", ()), event)])
        self.t += MINUTE

    def of(self, day: int) -> dict[str, float | int | None]:
        return self.days.days[day].figures()


@pytest.fixture
def log() -> Log:
    return Log()


def test_talks_with_words_are_counted_each_day_and_those_without_never(log: Log) -> None:
    log.say("a", SAID, BACK)
    log.say("a", SAID, BACK)
    log.say("b", SAID, ("bye", "", ""))
    log.say("c", NOTHING, NOTHING)
    log.t += DAY
    log.say("d", NOTHING, NOTHING)
    log.say("e", SAID, BACK)
    assert [(n, x.figures()["voiced_talks"]) for n, x in log.days.days.items()] == [(1, 2), (2, 1)]


def test_of_the_whole_it_is_the_mean_of_days_that_were_lived(log: Log) -> None:
    for talk in "ab":
        log.say(talk, SAID, BACK)
    assert log.days.figures()["voiced_talks"] == 2  # no day was: all there are
    log.t = WHOLE
    log.say("c", SAID, BACK)
    assert log.days.figures()["voiced_talks"] == 3.0
    log.t = DAY
    log.say("d", SAID, BACK)
    assert log.days.figures()["voiced_talks"] == 3.0  # the second has only begun
    log.t = DAY + WHOLE
    log.say("e", SAID, BACK)
    assert log.days.figures()["voiced_talks"] == 2.5


def test_of_parts_of_days_alone_it_is_the_mean_of_these(log: Log) -> None:
    for talk in "abc":
        log.say(talk, SAID, BACK)
    log.t = DAY
    log.say("d", SAID, BACK)
    assert log.days.figures()["voiced_talks"] == 2.0


def test_a_greeting_counts_before_something_else_too(log: Log) -> None:
    both = Utterance("ann", "Hello. It rains.", "small_talk", "", "", 0.0, ("hello#0", "rain#0"))
    back = Utterance("ben", "It does.", "small_talk_back", "", "", 0.0, ("does#0",))
    log.days.read([Record(Stamp(1, 1, 0, "ann", ()), Exchanged("a", 1, "small_talk", (both, back), ()))])
    assert log.of(1)["greeting"] == 0.5


def test_what_was_said_without_a_line_is_known_again_by_its_words(log: Log) -> None:
    log.say("0", ("small_talk", "It rains.", ""), ("small_talk_back", "It rains.", ""))
    assert log.of(1)["seen_before"] == 0.5


def test_nothing_said_is_no_figure(log: Log) -> None:
    assert log.days.figures() == {
        "voiced_talks": 0,
        "leave_taking": None,
        "greeting": None,
        "led_by_matter": None,
        "seen_before": None,
        "tone_correlation": None,
    }
    assert log.days.days == {}


@pytest.mark.parametrize("move", sorted(PARTING | GREETINGS))
def test_greetings_and_goodbyes_are_shares_of_what_is_said_in_words(log: Log, move: str) -> None:
    log.say("a", (move, "Well.", ""), (move, "", ""))
    log.say("a", SAID, BACK)
    log.say("a", SAID, ("bye", "", ""))
    figures = log.of(1)
    assert figures["leave_taking"] == (0.25 if move in PARTING else 0.0)
    assert figures["greeting"] == (0.25 if move in GREETINGS else 0.0)


@pytest.mark.parametrize(
    "more",
    [
        {"aim": "debt", "do": "remind", "answer": "accept"},
        {"over": "mark #7"},
        {"told": (BeliefUpdate("ben", "#1", "cy", "", "", 0, 0.6, "ann"),)},
    ],
    ids=["what presses", "news", "what goes round"],
)
def test_what_is_led_by_a_matter_counts_both_lines(log: Log, more: dict[str, object]) -> None:
    log.say("a", SAID, BACK, **more)
    log.say("a", SAID, BACK)
    assert log.of(1)["led_by_matter"] == 0.5
    log.say("b", NOTHING, NOTHING, **more)
    assert log.of(1)["led_by_matter"] == 0.5


def test_a_reader_of_one_talk_in_ten_has_read_what_stood_in_those(log: Log) -> None:
    for n in range(READS + 1):  # the first and the last are read
        log.say(f"{n}", SAID, BACK if n < READS else ("small_talk_back", "Indeed.", "indeed#0"))
    assert log.of(1)["seen_before"] == 0.25  # one line of the four read
    log.say(f"{READS}", SAID, BACK)  # the talk goes on, and is read on
    assert log.of(1)["seen_before"] == 0.5


def test_what_stood_in_talks_that_are_not_read_is_new(log: Log) -> None:
    log.say("0", ("small_talk", "It snows.", "snow#0"), ("small_talk_back", "Indeed.", "indeed#0"))
    for n in range(1, READS):
        log.say(f"{n}", SAID, BACK)
    log.say(f"{READS}", SAID, BACK)
    assert log.of(1)["seen_before"] == 0.0


def test_what_was_read_on_a_day_before_has_been_read(log: Log) -> None:
    for n in range(READS):
        log.say(f"{n}", SAID, BACK)
    log.t += DAY
    log.say(f"{READS}", SAID, BACK)
    assert log.of(1)["seen_before"] == 0.0
    assert log.of(2)["seen_before"] == 1.0
    assert log.days.figures()["seen_before"] == 0.5


def test_whether_they_sound_as_they_feel_is_told_within_each_move(log: Log) -> None:
    for _ in range(3):
        log.say("a", ("small_talk", "What a lovely, wonderful morning!", ""), p=0.5)
        log.say("a", ("small_talk", "What a horrible, dreadful morning.", ""), p=-0.5)
    assert log.of(1)["tone_correlation"] == pytest.approx(1.0, abs=1e-3)
    assert log.days.figures()["tone_correlation"] == log.of(1)["tone_correlation"]


def test_first_and_last_words_bound_a_day(log: Log) -> None:
    log.t = HOUR
    log.say("a", SAID, BACK)
    log.t = 3 * HOUR
    log.say("a", NOTHING, NOTHING)
    assert (log.days.days[1].first, log.days.days[1].last) == (HOUR, HOUR)
