"""How well people talk: each measure on a log written by hand, and what feelings do on a day that was lived."""

from __future__ import annotations

import asyncio
import itertools
from datetime import datetime

import msgspec
import pytest
from lived import Day
from storyworld import Lived, live

from sandbox.core.clock import DAY, MINUTE, Clock
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.world import World
from sandbox.readers.numbers import Measures
from sandbox.readers.talk_measures import Coverage
from sandbox.readers.talkagain import Moments
from sandbox.readers.talkfacts import TalkFacts
from sandbox.readers.talkstats import KEYS, TARGETS, TalkStats, Voices, word_tokens
from sandbox.talk.lines import STANCES, BookLine, LineBook
from sandbox.talk.model import Closed, Declined, Exchanged, Opened, Utterance
from sandbox.talk.saying import Say
from sandbox.talk.situations import FORMS, situations

CLOCK = Clock(datetime(2025, 3, 4, 7, 30))
BOOK = LineBook((BookLine("hi", "greet", ("Hello.",)), BookLine("rain", "small_talk", ("It rains.", "It pours."))), {})
GOODBYE = (("bye", "Bye then.", ()), ("bye", "Bye.", ()))
Said = tuple[str, str, tuple[str, ...]]


class Log:
    """A log written by hand: talks of Ann and Ben, each exchange a minute."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.t = 0

    def add(self, event: Event) -> None:
        self.records.append(Record(Stamp(len(self.records) + 2, self.t // 60 + 1, self.t, "ann", ()), event))

    def talk(self, *exchanges: tuple[Said, Said], closed: bool = True, other: str = "ben") -> None:
        """What Ann says, and what the other answers: move, words, variants."""
        id_ = f"{self.t}.{other}"
        self.add(Opened(id_, other, "Mill", "chat", 3, ()))
        for n, said in enumerate(exchanges, 1):
            who = ("ann", other)
            lines = tuple(Utterance(x, s[1], s[0], "", "", 0.0, s[2]) for x, s in zip(who, said, strict=True))
            self.add(Exchanged(id_, n, said[0][0], lines, ()))
            self.t += MINUTE
        if closed:
            self.add(Closed(id_, ("ann", other), "rain", "plain", "", ()))

    def stats(self) -> Measures:
        stats = TalkStats(CLOCK, BOOK)
        stats.read(self.records)
        return stats.stats(self.t)


def small(text: str, back: str = "Quite.", variant: str = "") -> tuple[Said, Said]:
    return ("small_talk", text, (variant,) if variant else ()), ("small_talk_back", back, ())


def test_what_one_hears_twice_from_the_same_person_in_a_day_is_counted() -> None:
    log = Log()
    log.talk(small("It rains on the mill."), GOODBYE)
    log.talk(small("it rains, on the MILL!"), GOODBYE)
    log.talk(small("It rains on the mill."), GOODBYE, other="cy")
    log.talk(small("It rains."), small("It rains."), GOODBYE)
    assert log.stats()["repeated_to_same_listener"] == 1
    log.t += DAY
    log.talk(small("It rains on the mill."), GOODBYE)
    assert log.stats()["repeated_to_same_listener"] == 1


def test_a_frame_may_be_said_three_times_a_day_and_a_greeting_eight_times() -> None:
    log = Log()
    for _ in range(3):
        log.talk(small("It rains.", variant="rain#0"), small("It pours.", variant="rain#1"), GOODBYE)
    for _ in range(8):
        log.talk((("greet", "Hello.", ("hi#0",)), ("greet", "Hello.", ())), GOODBYE)
    assert log.stats()["frames_over_limit"] == 0
    log.talk(small("It rains.", variant="rain#0"), (("greet", "Hello.", ("hi#0",)), ("bye", "Bye.", ())), GOODBYE)
    assert log.stats()["frames_over_limit"] == 2


def test_words_of_ones_own_have_no_frames() -> None:
    log = Log()
    log.talk(small("It rains."), GOODBYE)
    assert log.stats()["frames_over_limit"] is None


@pytest.mark.parametrize(
    ("asked", "answer", "open_"),
    [
        (("how_are_you", "How are you?", ()), ("answer_fine", "Fine.", ()), 0),
        (("how_are_you", "How are you?", ()), ("dodge", "Oh, you know.", ()), 0),
        (("how_are_you", "How are you?", ()), ("bye", "Bye.", ()), 1),
        (("how_are_you", "How are you?", ()), ("small_talk_back", "It rains.", ()), 1),
        (("small_talk", "Does it rain?", ()), ("small_talk_back", "It does.", ()), 0),
        (("confront", "How could you?", ()), ("bye", "Bye.", ()), 1),
        (("scoff", "You?", ()), ("bye", "Bye.", ()), 0),
    ],
)
def test_a_question_is_answered_by_the_other_or_stays_open(asked: Said, answer: Said, open_: int) -> None:
    log = Log()
    log.talk((asked, answer), GOODBYE)
    assert log.stats()["unanswered_questions"] == open_


def test_a_question_that_answers_is_answered_in_the_next_exchange() -> None:
    log = Log()
    log.talk((("small_talk", "It rains.", ()), ("ask_plans", "Where to?", ())), small("Home."), GOODBYE)
    log.talk(
        (("small_talk", "It rains.", ()), ("ask_plans", "Where to?", ())),
        (("tell_plans", "Home.", ()), ("bye", "Bye.", ())),
    )
    assert log.stats()["unanswered_questions"] == 1


def test_a_talk_ends_with_a_goodbye_or_counts_as_not_closed() -> None:
    log = Log()
    log.talk(small("It rains."), GOODBYE)
    log.talk(small("It rains."), (("preclose", "Well.", ()), ("bye", "Bye.", ())))
    assert log.stats()["unclosed_conversations"] == 0
    log.talk(small("It rains."))
    log.talk(small("It rains."), closed=False)
    assert log.stats()["unclosed_conversations"] == 1
    log.t += 31 * MINUTE
    assert log.stats()["unclosed_conversations"] == 2


def test_variety_is_that_of_the_dullest_words_in_a_row() -> None:
    log = Log()
    for i in range(300):
        log.talk(small(f"one{i} two{i} three{i} four{i}", f"five{i} six{i} seven{i} eight{i}"))
    assert log.stats()["distinct_4"] == 1.0
    for _ in range(250):
        log.talk(small("one two three four", "five six seven eight"))
    dull = log.stats()["distinct_4"]
    assert dull == pytest.approx(8 / 1997, abs=0.001)
    for i in range(300, 600):
        log.talk(small(f"one{i} two{i} three{i} four{i}", f"five{i} six{i} seven{i} eight{i}"))
    assert log.stats()["distinct_4"] == dull


def test_words_are_counted_without_case_and_punctuation() -> None:
    assert word_tokens("Don't – I say: DON'T!") == ["don't", "i", "say", "don't"]


def test_people_are_told_by_their_words_or_not_at_all() -> None:
    apart, alike = Voices(), Voices()
    for i in range(40):
        for who, word in (("ann", "aye"), ("ben", "nay"), ("cy", "hm")):
            apart.add(who, [word, f"x{i}"])
            alike.add(who, ["aye", "nay"])
    assert apart.accuracy() == 1.0
    assert alike.accuracy() == pytest.approx(1 / 3, abs=1e-4)
    assert Voices().accuracy() is None


def test_coverage_counts_lines_and_variants_by_move() -> None:
    log = Log()
    log.talk(small("It rains.", variant="rain#0"), small("It rains.", variant="rain#0"), GOODBYE)
    found = Coverage(BOOK)
    found.read(log.records)
    *moves, whole = found.moves()
    assert [tuple(row) for row in moves] == [("greet", 1, 0, 1, 0, 0), ("small_talk", 1, 1, 2, 1, 2)]
    assert found.never() == (["hi"], ["rain#1"])
    assert whole.variants == 3


# ---- in the state in which it was said


def again(hour: Lived, upto: int) -> tuple[Moments, TalkFacts]:
    """Every line and decision of the first steps made again."""
    world = World.found(hour.founding)
    said = {r.stamp.seq for r in hour.records if isinstance(r.event, Exchanged)}
    met = {r.stamp.seq for r in hour.records if isinstance(r.event, Opened | Declined)}
    asked = itertools.product(met, ("Approach", "Accept"))
    pressed = {(r.stamp.seq, "Respond") for r in hour.records if isinstance(r.event, Exchanged) and r.event.answer}
    moments, facts = Moments(world, said, {*asked, *pressed}), TalkFacts(world.scenario.lines)

    async def go() -> None:
        for _, group in itertools.groupby(hour.records, lambda r: r.stamp.step):
            records = list(group)
            while world.step + 1 < records[0].stamp.step:
                world.advance(world.step + 1)
            for at, record in enumerate(records):
                await moments.before(records, at)
                if isinstance(record.event, Exchanged):
                    facts.read(world, record.stamp, record.event)  # type: ignore[arg-type]
                world.apply(record)
            world.advance(records[0].stamp.step)
            if world.step >= upto:
                break

    asyncio.run(go())
    return moments, facts


def test_every_line_and_decision_can_be_had_again_as_it_was(hour: Lived) -> None:
    moments, facts = again(hour, 60)
    exchanges = [r for r in hour.records if isinstance(r.event, Exchanged)]
    said = sum(bool(line.text) for r in exchanges for line in r.event.lines)
    meetings = [r for r in hour.records if isinstance(r.event, Opened | Declined)]
    assert moments.said == said == facts.lines
    assert 0 < said < 2 * len(exchanges)
    assert moments.taken == 2 * len(meetings) + sum(bool(r.event.answer) for r in exchanges)
    assert 0 < moments.by_mood < moments.said
    assert 0 < moments.by_tie < moments.said
    assert 0 < moments.otherwise < moments.taken
    assert facts.false == 0
    assert 0 < facts.cites < facts.lines
    assert 0 < facts.new < facts.lines


def test_to_say_it_again_leaves_the_world_as_it_was(hour: Lived) -> None:
    plain = World.found(hour.founding)
    for record in hour.records:
        while plain.step + 1 < record.stamp.step:
            plain.advance(plain.step + 1)
        plain.apply(record)
    moments, _ = again(hour, 60)
    assert moments._w.people.residents == plain.people.residents
    assert {k: v for k, v in moments._w.people.ties.items() if v} == {k: v for k, v in plain.people.ties.items() if v}


def test_what_another_mind_said_has_no_such_measures(hour: Lived) -> None:
    def own(r: Record) -> Record:
        if not isinstance(r.event, Exchanged):
            return r
        lines = tuple(Utterance(x.who, "I say!", x.move, x.topic, x.about, x.valence, ()) for x in r.event.lines)
        return Record(r.stamp, msgspec.structs.replace(r.event, lines=lines))

    moments, facts = again(hour._replace(records=[own(r) for r in hour.records]), 20)
    assert moments.stats()["changed_by_mood"] is None
    assert moments.stats()["changed_by_tie"] is None
    assert facts.stats()["false_citations"] is None


@pytest.mark.slow
def test_a_line_that_is_not_what_the_speaker_remembers_is_false() -> None:
    hour = live(60, settings=("talk.quiet=false",))  # small talk recalls most
    slots = TalkFacts(World.found(hour.founding).scenario.lines)._slots

    def twisted(r: Record) -> Record:
        if not isinstance(r.event, Exchanged):
            return r
        lines = tuple(
            Utterance(x.who, "It was all quite different.", x.move, x.topic, x.about, x.valence, x.variants, x.memory)
            if any("recall" in slots[v] for v in x.variants)
            else x
            for x in r.event.lines
        )
        return Record(r.stamp, msgspec.structs.replace(r.event, lines=lines))

    records = [twisted(r) for r in hour.records]
    changed = sum(a != b for a, b in zip(records, hour.records, strict=True))
    _, facts = again(hour._replace(records=records), 60)
    assert facts.false >= changed > 0


def test_measures_have_the_keys_that_were_promised() -> None:
    assert KEYS == tuple(TARGETS) == (
        "utterances", "conversations", "repeated_to_same_listener", "frames_over_limit", "unanswered_questions",
        "unclosed_conversations", "distinct_4", "new_to_listener", "cites_event", "false_citations",
        "new_fact", "matter_words", "fact_taken_up", "misplaced_jokes", "jokes",
        "speaker_accuracy", "voiced_talks", "leave_taking", "greeting", "led_by_matter", "seen_before",
        "tone_correlation", "changed_by_mood", "changed_by_tie", "decisions_changed_without_emotion",
    )  # fmt: skip


def test_what_a_day_asks_to_be_said_is_a_situation_the_linter_knows(spoken: Day) -> None:
    """The linter calls a line dead by these situations, so they must hold all there are."""
    reach = situations(spoken.scenario.drama)
    for q, _ in spoken.heard:
        if isinstance(q, Say):
            filled = {name for name, said in q.slots.items() if said}
            has = {key: q.context.get(key, "") for key in ("topic_kind", "pressure", "stage", "stance")}
            for move in q.moves:
                own = filled if move in STANCES else filled - FORMS - {"more"}
                assert any(
                    own <= s.slots and all(not value or value in s.has[key] for key, value in has.items())
                    for s in reach[move]
                ), (move, has, filled)


@pytest.mark.parametrize(("x", "told"), [(0.2, "20 %"), (0.1996, "19.96 %"), (0.24, "24 %"), (None, "-")])
def test_a_share_is_told_so_that_it_shows_whether_it_is_as_it_should_be(x: float | None, told: str) -> None:
    assert TARGETS["speaker_accuracy"].value(x) == told
