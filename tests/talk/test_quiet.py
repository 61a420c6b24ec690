"""Small talk runs without words until something matters; one goodbye does for both."""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter
from pathlib import Path

import pytest
from alone import Two, exchanges, words
from hypothesis import given
from hypothesis import strategies as st
from lived import Day
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.events import Record
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.people.beliefs import Belief, BeliefUpdate, rows_of
from sandbox.people.model import CurrentAct
from sandbox.phones.question_write import Write
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.talk import played_talk
from sandbox.talk.content import NOTHING, Content
from sandbox.talk.lines import FOLLOWED, LOUD, SORRY
from sandbox.talk.model import ASIDES, SMALL, Exchanged, Opened
from sandbox.talk.played_talk import ROUND, begins_unheard
from sandbox.talk.question_wishes import INTENTS, Chosen
from sandbox.talk.saying import Say, TalkTurn
from sandbox.talk.sentiment import manner

CLOSING = ("preclose", "bye")


@pytest.fixture
def two(larkspur: Scenario) -> Two:
    return Two(larkspur)


def goes(two: Two, who: str) -> None:
    """Have somebody about to leave."""
    two.world.people.residents[who].going = CurrentAct("work", "", "", "", 0, 60)


# ---- which talks


@pytest.mark.parametrize("intent", sorted(INTENTS))
def test_small_talk_and_a_second_talk_of_a_day_begin_without_words(two: Two, intent: str) -> None:
    w, want = two.world, Chosen(intent, (), "")
    tie = w.people.ties["mara"]["basil"]
    tie.last_talk = -1
    assert begins_unheard(w, "mara", "basil", 0, want) is (intent in SMALL)
    tie.last_talk = 0
    assert begins_unheard(w, "mara", "basil", 3600, want)
    assert begins_unheard(w, "mara", "basil", 24 * 3600, want) is (intent in SMALL)  # a new day


def test_who_comes_with_something_that_presses_or_talks_to_who_is_played_has_words(two: Two) -> None:
    w = two.world
    assert begins_unheard(w, "mara", "basil", 0, Chosen("chat", (), ""))
    assert not begins_unheard(w, "mara", "basil", 0, Chosen("repay", (), "", "frozen_rolls"))
    w.played.who = "basil"
    assert not begins_unheard(w, "mara", "basil", 0, Chosen("chat", (), ""))
    assert not begins_unheard(w, "basil", "mara", 0, Chosen("chat", (), ""))
    assert begins_unheard(w, "mara", "otis", 0, Chosen("chat", (), ""))


def test_where_no_silence_is_wanted_there_is_none(larkspur: Scenario, spoken: Day) -> None:
    loud = Two(replace(larkspur, parameters={**larkspur.parameters, "talk.quiet": False}))
    assert not begins_unheard(loud.world, "mara", "basil", 0, Chosen("chat", (), ""))
    assert not any(e.quiet for _, e in spoken.of(Opened))
    assert all(line.text for _, e in spoken.of(Exchanged) for line in e.lines)  # each goodbye included


# ---- what they are like


def test_without_words_nothing_is_asked_and_moods_move_all_the_same(two: Two) -> None:
    two.begin("compliment")
    e = two.exchange()
    assert e.lead == "compliment"
    assert [(line.text, line.variants) for line in e.lines] == [("", ()), ("", ())]
    assert two.heard == []
    assert e.shifts[1].delta.p > 0.0
    assert two.talk.quiet


def test_a_day_asks_for_a_line_only_where_one_is_said(day: Day) -> None:
    asked = [(q.who, q.now) for q, _ in day.heard if isinstance(q, Say) and not isinstance(q, Write)]
    said = [(line.who, stamp.t) for stamp, e in day.of(Exchanged) for line in e.lines if line.text]
    assert sorted(asked) == sorted(said)
    assert 0 < len(said) < sum(len(e.lines) for _, e in day.of(Exchanged)) / 2


def test_no_words_are_remembered_where_none_were_said_but_the_talk_is(day: Day) -> None:
    silent = {stamp.seq for stamp, e in day.of(Exchanged) if not words(e)}
    assert not [m for s in day.world.memories.streams.values() for m in s if m.seq in silent]
    had = {talk for talk, es in exchanges(day.all()).items() if not any(map(words, es))}
    whole = [e for _, e in day.of(Opened) if e.id in had]
    assert whole
    assert all(day.world.people.ties[e.id.split(".")[1]][e.other].last_talk >= 0 for e in whole)


@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(0, 1000))
def test_who_is_in_better_spirits_sounds_kinder_whatever_they_say(a: float, b: float, seed: int) -> None:
    low, high = (manner(x, Chance(seed).stream(1, "mara", "manner")) for x in sorted((a, b)))
    assert -1.0 <= low <= high <= 1.0


def test_silence_sounds_as_words_do_that_mostly_follow_the_mood_and_not_always() -> None:
    chance = Chance(1).stream(1, "mara", "manner")
    heard = [manner(0.3, chance) for _ in range(2000)]
    assert statistics.mean(heard) == pytest.approx(0.161, abs=0.03)
    assert statistics.stdev(heard) == pytest.approx(0.34, abs=0.03)


def test_a_kind_manner_pleases_more_than_a_harsh_one(larkspur: Scenario) -> None:
    pleased = []
    for pleasure in (-0.8, 0.8):
        two = Two(larkspur)
        mood = two.world.people.residents["mara"].mood
        mood.pad = mood.rest = mood.rest._replace(p=pleasure)
        two.begin("compliment")
        pleased.append(two.exchange().shifts[1].delta.p)
    assert pleased[0] < pleased[1]


# ---- what gives them words


def hushed(two: Two, intent: str, move: str, content: Content = NOTHING, **more: object) -> bool:
    """Whether a turn of a talk that has no words so far has none either."""
    talk = two.begin(intent)
    return played_talk.leads_unheard(two.world, TalkTurn(talk, "mara", "basil", [move], content, **more), two.world.now)


@pytest.mark.parametrize(
    ("move", "silent"),
    [("small_talk", True), ("vent", True), *((move, False) for move in sorted(LOUD))],
)
def test_sharp_words_warnings_and_what_is_new_in_a_life_are_heard(two: Two, move: str, silent: bool) -> None:
    assert hushed(two, "opinion", move) is silent


@pytest.mark.parametrize(
    ("intent", "strength", "broken", "silent"),
    [
        ("gossip", 0.6, False, False),
        ("gossip", 0.0, False, True),  # not believed
        ("vent", 0.6, False, True),
        ("vent", 0.6, True, False),
        ("vent", 0.0, True, True),
    ],
)
def test_what_goes_round_is_heard_in_small_talk_and_what_breaks_a_claim_everywhere(
    two: Two, monkeypatch: pytest.MonkeyPatch, intent: str, strength: float, broken: bool, silent: bool
) -> None:
    monkeypatch.setattr(played_talk, "breaks_claim", lambda w, told: broken)
    told = BeliefUpdate("basil", "#1", "otis", "kit", "", 0, strength, "mara")
    assert hushed(two, intent, "pass_on", Content(told=told)) is silent


def test_who_comes_to_what_presses_them_says_so(two: Two) -> None:
    assert not hushed(two, "chat", "remind", aim="frozen_rolls", do="remind")


def test_a_talk_that_has_found_its_words_has_them_for_what_matters_and_one_thing_beside(day: Day) -> None:
    begun = {e.id for _, e in day.of(Opened) if e.quiet}
    found = went_on = 0
    told, rounds = Counter[str](), dict[tuple[str, int], int]()  # as the day went: talks overlap
    for record in day.all():
        rows = [row for row in rows_of(record.event) if row.strength > 0.0 and row.source in day.world.cast]
        told.update(row.fact for row in rows)
        if isinstance(record.event, Exchanged):
            rounds[record.event.talk, record.event.n] = max((told[row.fact] for row in rows), default=0)
    for talk, es in exchanges(day.all()).items():
        spoke, asides, before = talk not in begun, 0, False
        for e in es:
            if e.lead in CLOSING:
                assert spoke or not words(e)  # of a talk without words nobody takes leave
                continue
            assert len(words(e)) in (0, 2)
            if e.aim or e.lead in LOUD:
                assert words(e)
                found += not spoke
                spoke = True
            elif any(row.strength > 0.0 for row in e.told):
                # a talk of another kind that has none keeps what goes round to itself, and what all know has none
                kin = {day.world.cast[line.who].family for line in e.lines}
                of_kin = any(day.world.cast[x].family in kin for row in e.told for x in (row.a, row.b) if x)
                assert words(e) or not spoke or of_kin or rounds[e.talk, e.n] > ROUND
                found += bool(words(e)) and not spoke
                spoke = spoke or bool(words(e))
            elif e.lead in FOLLOWED:  # what stays with something has words if that had
                assert bool(words(e)) is before
            elif not spoke:
                assert not words(e) or e.over  # what presses somebody, and this one has not heard of
                spoke = bool(words(e))
                asides += spoke
            else:
                assert bool(words(e)) is (asides < ASIDES)
                asides += bool(words(e))
                went_on += not words(e)
            if any(line.move == SORRY for line in e.lines):
                asides = ASIDES  # after bad news nobody comes to something else
            before = bool(words(e))
    assert found
    assert went_on


def test_what_has_gone_round_is_passed_on_without_words(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_talk, "breaks_claim", lambda w, told: False)
    content = Content(told=BeliefUpdate("basil", "#1", "otis", "kit", "", 0, 0.6, "mara"))
    held = two.world.beliefs.held
    for times in (0, ROUND - 1, ROUND):
        held["mara"] = {"#1": Belief("#1", "otis", "kit", "", 0, 20.0, 0, 0, "saw", 1, told=["x"] * times)}
        assert hushed(two, "gossip", "pass_on", content) is (times >= ROUND)
        two.world.talk.open.clear()


def test_what_goes_round_of_ones_family_is_not_told_aloud_as_of_strangers(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    for broken in (False, True):
        monkeypatch.setattr(played_talk, "breaks_claim", lambda w, told, broken=broken: broken)
        for a, kin in (("otis", False), ("jory", True)):  # Jory is the son of both
            two.world.talk.open.clear()
            content = Content(told=BeliefUpdate("basil", "#1", a, "kit", "", 0, 0.6, "mara"))
            assert hushed(two, "gossip", "pass_on", content) is (kin and not broken)


def test_what_presses_somebody_is_heard_by_whom_it_is_new_to(two: Two) -> None:
    content = Content("the loan", "concern", slots={"topic": "the loan"}, over="loan")
    assert not hushed(two, "vent", "vent", content)
    two.world.talk.open.clear()
    two.world.talk.spoken_of["mara basil"] = ["loan"]
    assert hushed(two, "vent", "vent", content)


def test_whom_they_tell_what_is_new_hears_it_late_in_a_talk_too(two: Two) -> None:
    talk = two.begin("vent", quiet=False)
    talk.asides = ASIDES
    turn = TalkTurn(talk, "mara", "basil", ["opinion"], NOTHING)
    assert played_talk.leads_unheard(two.world, turn, two.world.now)
    assert not played_talk.leads_unheard(two.world, turn._replace(moves=["my_news"]), two.world.now)
    assert not played_talk.leads_unheard(two.world, turn._replace(aim="frozen_rolls", do="remind"), two.world.now)
    two.world.played.who = "basil"
    assert not played_talk.leads_unheard(two.world, turn, two.world.now)


# ---- who is played


def test_who_is_taken_over_in_a_talk_without_words_is_spoken_to(two: Two) -> None:
    two.begin(length=4)
    assert not words(two.exchange())
    two.world.played.who = "basil"
    e = two.exchange()
    assert len(words(e)) == 2
    assert not two.talk.quiet


def test_who_is_played_is_taken_leave_of_in_words_and_answers(two: Two) -> None:
    two.begin(length=2)
    two.exchange()
    two.world.played.who = "basil"
    e = two.to_the_goodbye()
    assert e.lead in CLOSING
    assert len(words(e)) == 2


# ---- goodbyes


def goodbyes(scenario: Scenario, n: int) -> list[Exchanged]:
    """The goodbyes of so many talks in words after which somebody goes."""
    out = []
    two = Two(scenario)
    for _ in range(n):
        goes(two, "mara")
        talk = two.begin(length=2, quiet=False)
        out.append(two.to_the_goodbye())
        del two.world.talk.open[talk.id]
    return out


def test_one_goodbye_does_for_both_mostly(larkspur: Scenario) -> None:
    ends = goodbyes(larkspur, 30)
    assert all(e.lead in CLOSING and e.lines[0].text for e in ends)
    answered = sum(bool(e.lines[1].text) for e in ends)
    assert 0 < answered < 15


def test_nobody_takes_leave_where_both_stay(two: Two) -> None:
    for who in ("mara", "basil"):
        two.world.people.residents[who].going = None
    two.begin(length=2, quiet=False)
    assert words(two.exchange())
    two.mind.heard.clear()
    e = two.to_the_goodbye()
    assert e.lead in CLOSING
    assert not words(e)
    assert not [q for q in two.heard if isinstance(q, Say)]


def test_a_row_ends_in_words_wherever_one_stays(two: Two) -> None:
    two.begin(length=3, quiet=False)
    two.exchange()
    talk = two.talk
    talk.warmth = [-1.0, -1.0]
    e = two.to_the_goodbye()
    assert e.lead == "bye"
    assert e.lines[0].text


# ---- replays


@pytest.mark.slow
def test_a_life_with_talks_without_words_verifies(tmp_path: Path) -> None:
    async def go() -> list[Record]:
        path = tmp_path / "a.db"
        async with open_session("larkspur", seed=4, save=path) as session:
            await run_free(session.engine, steps=240)
        async with await Save.open(path, read_only=True) as save:
            verdict = await save.verify()
            assert verdict.ok, verdict
            return await save.records((Exchanged.KIND,), 0, save.last_seq)

    talks = exchanges(asyncio.run(go())).values()
    assert any(not any(map(words, es)) for es in talks)
