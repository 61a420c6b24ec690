"""The embedded mind: the same question, the same answer; rules that have names."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import Day

from sandbox.core.chance import Chance
from sandbox.core.protocols import Question
from sandbox.engine.scenario import Scenario
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.model import Block, Note
from sandbox.people.mood import OCC
from sandbox.people.persona import BigFive, Persona, Routine
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.people.question_plan import CutBlock, Friend, PlanDay, React, plan_day
from sandbox.people.question_reflection import FindInsights, Focus, Reflect, find_insights, focus, reflect
from sandbox.phones.question_use import UsePhone
from sandbox.phones.question_write import Write
from sandbox.talk.lines import MOVES
from sandbox.talk.move_rules import LEADS
from sandbox.talk.question_effects import Appraise, FeelAbout, Rate, Summarise, feel_about
from sandbox.talk.question_replies import Accept, Respond, choose_acceptance
from sandbox.talk.question_wishes import INTENTS, MOODS, Approach, Chosen, Exchange, Partner, choose_exchange
from sandbox.talk.saying import Say

CHANCE = Chance(11)
unit = st.floats(-1, 1)


def some(day: Day, each: int = 40) -> list[Question]:
    """Questions of every type that a day asked, spread over it."""
    by_type: dict[type, list[Question]] = {}
    for q, _ in day.heard:
        by_type.setdefault(type(q), []).append(q)
    assert set(by_type) == {
        PlanDay,
        CutBlock,
        Focus,
        FindInsights,
        Reflect,
        React,
        Approach,
        Exchange,
        Accept,
        FeelAbout,
        Respond,
        Say,
        Appraise,
        Summarise,
        Rate,
        UsePhone,
        Write,
    }
    return [q for many in by_type.values() for q in many[:: max(1, len(many) // each)]]


def answers(scenario: Scenario, questions: Sequence[Question], step: int = 3) -> list:
    mind = EmbeddedMind(Chance(5), scenario.lines)
    return asyncio.run(mind.answer(questions, step))


def test_the_same_question_gets_the_same_answer(larkspur: Scenario, day: Day) -> None:
    questions = some(day)
    assert answers(larkspur, questions) == answers(larkspur, questions)


def test_a_batch_is_answered_as_one_by_one_in_any_order(larkspur: Scenario, day: Day) -> None:
    questions = some(day, 15)
    together = answers(larkspur, questions)
    assert [answers(larkspur, [q])[0] for q in questions[::4]] == together[::4]
    assert answers(larkspur, questions[::-1]) == together[::-1]


def test_another_step_is_another_chance(larkspur: Scenario, day: Day) -> None:
    questions = some(day)
    assert answers(larkspur, questions, 3) != answers(larkspur, questions, 4)


def test_a_question_of_no_known_type_is_refused(larkspur: Scenario) -> None:
    class Riddle(Question, frozen=True):
        pass

    with pytest.raises(KeyError):
        answers(larkspur, [Riddle("mara")])


def partner(feeling: float, closeness: float = 0.3, mood: str = "calm") -> Partner:
    return Partner("bo", "Bo", feeling, closeness, "friendly", "", mood, False, 40, 0.0, 0.2)


def share(how: str, n: int = 400, **q: object) -> float:
    hits = [choose_acceptance(Accept("mara", **q), CHANCE.stream(1, "mara", "accept", i)).how == how for i in range(n)]
    return sum(hits) / n


def test_the_hated_are_refused_more_often_than_the_loved() -> None:
    hated, stranger, loved = (share("accept", other=partner(f)) for f in (-0.9, 0.0, 0.8))
    assert hated < 0.1 < 0.6 < stranger < loved + 1e-9
    assert share("refuse", other=partner(-0.9)) > 0.8
    assert share("refuse", other=partner(0.5), hurry=True, busy=True) == 0.0


def test_a_hurry_and_low_spirits_make_one_deflect() -> None:
    free = share("accept", other=partner(0.0))
    assert share("accept", other=partner(0.0), hurry=True) < free
    assert share("accept", other=partner(0.0), pad=(-0.9, 0.0, 0.0)) < free


@given(st.builds(partner, unit, st.floats(0, 1)), st.tuples(unit, unit, unit), unit, unit, st.integers(0, 9999))
def test_an_acceptance_says_the_rules_that_made_it(
    other: Partner, pad: tuple[float, float, float], a: float, e: float, n: int
) -> None:
    found = choose_acceptance(Accept("mara", 0, other, "chat", pad, a, e), CHANCE.stream(1, "mara", "accept", n))
    known = {"civility", "fond of them", "does not like them", "likes company", "at work", "in a hurry"}
    assert found.why
    assert {r.name for r in found.why} <= known | {"in good spirits", "in low spirits", "too tired for it"}
    assert all(abs(r.value) >= 0.05 for r in found.why)


RULES = {
    "cannot stand them", "good manners", "fond of them", "does not like them", "they look low",
    "first meeting today", "close", "hardly knows them", "in a hurry", "talkative", "kind-hearted", "hard-headed",
    "trusts them", "nervous by nature", "they differ", "warm-hearted", "knows them well", "dislikes them", "old ties",
    *(name for pair in MOODS for name in pair),
}  # fmt: skip


@given(
    st.builds(partner, unit, st.floats(0, 1), st.sampled_from(("sad", "calm", "afraid", "happy"))),
    st.tuples(unit, unit, unit),
    st.tuples(unit, unit, unit),
    st.lists(st.sampled_from(tuple(LEADS)), min_size=2, unique=True),
    st.integers(0, 9999),
)
def test_an_exchange_names_real_rules_and_a_runner_up(
    other: Partner, pad: tuple, traits: tuple, intents: list[str], n: int
) -> None:
    q = Exchange("mara", 0, other, tuple(intents), pad, *traits)
    found = choose_exchange(q, CHANCE.stream(1, "mara", "exchange", n))
    assert isinstance(found, Chosen)
    assert found.intent in intents
    assert found.over in intents
    assert found.over != found.intent
    assert 1 <= len(found.why) <= 4
    assert {r.name for r in found.why} <= RULES | {*FEATURES["base"]}
    sizes = [abs(r.value) for r in found.why]
    assert sizes == sorted(sizes, reverse=True)


def test_every_intent_is_led_by_a_move_of_its_own() -> None:
    assert set(LEADS) == set(INTENTS)
    assert len(set(LEADS.values())) == len(LEADS)
    assert set(LEADS.values()) <= {*MOVES}


@given(st.tuples(unit, unit, unit), unit, unit, unit)
def test_a_feeling_follows_the_warmth_received(q: tuple, pleasure: float, a: float, n: float) -> None:
    def u(feeling: float, warmth: float) -> float:
        return feel_about(FeelAbout("mara", 0, "bo", feeling, warmth, pleasure, a, n), CHANCE.stream(1, "", "")).u

    feeling = q[0]
    assert u(feeling, -0.5) <= 1e-12
    assert u(feeling, 0.9) >= -1e-12
    assert abs(u(feeling, q[1])) <= 0.05 + 1e-12  # of an ordinary talk; one with a turn moves it by up to .3
    assert -1 - 1e-9 <= feeling + u(feeling, q[1]) <= 1 + 1e-9


def test_a_look_back_asks_up_to_three_different_questions(day: Day) -> None:
    questions = [q for q, _ in day.heard if isinstance(q, Focus)]
    assert questions
    for n, q in enumerate(questions):
        found = focus(q, CHANCE.stream(1, "mara", "focus", n)).questions
        assert 1 <= len(found) <= 3
        assert len({x.text for x in found}) == len(found)
        assert {x.about for x in found} <= {*q.names, ""}


def test_a_look_back_draws_on_the_memories_shown(day: Day) -> None:
    questions = [q for q, _ in day.heard if isinstance(q, FindInsights)]
    answered = 0
    for n, q in enumerate(questions):
        found = find_insights(q, CHANCE.stream(1, "mara", "insights", n)).insights
        answered += bool(found)
        for insight in found:
            assert insight.evidence
            assert {*insight.evidence} <= {m.id for m in q.memories}
            assert 1 <= insight.poignancy <= 10
            assert "{" not in insight.text
    assert answered >= 0.9 * len(questions)


def test_what_one_feels_plans_and_keeps_comes_from_what_is_shown(day: Day) -> None:
    questions = [q for q, _ in day.heard if isinstance(q, Reflect)]
    noted = kept = 0
    for n, q in enumerate(questions):
        found = reflect(q, CHANCE.stream(1, "mara", "reflect", n))
        assert found.emotion in OCC
        assert 0.0 <= found.intensity <= 1.0
        told = {m.id: m for m in q.talks}
        for x in (*found.notes, *found.moments):
            assert {*x.evidence} <= {*told}
            assert all(x.about in told[id].about for id in x.evidence)
        assert all(q.feelings.get(note.about, 0.0) >= -0.1 for note in found.notes), "nobody plans to see the disliked"
        noted, kept = noted + bool(found.notes), kept + bool(found.moments)
    assert min(noted, kept) > len(questions) / 2


def noted_day(note: Note | None, seed: int) -> list[Block]:
    """An idle day's blocks of somebody with two friends."""
    persona = Persona("mara", "Mara", 40, "home", "baker", "Home / bed", BigFive(0, 0, 0, 0, 0), Routine(0, 0, ()))
    friends = (Friend("bo", "Bo", 0.6, 0.8, "Mill / hall"), Friend("otis", "Otis", 0.3, 0.4, "Ferry / parlour"))
    usual = tuple(Block(h * 3600, 0, "stroll", "Park / lawn", "") for h in (8, 11, 14))
    q = PlanDay(
        "mara", now=7 * 3600, usual=usual, free=("stroll",), friends=friends, persona=persona, sleep=20 * 3600,
        wake_next=31 * 3600, bed="Home / bed", notes=(note,) if note else (),
    )  # fmt: skip
    return [b for b in plan_day(q, CHANCE.stream(seed, "mara", "plan")).blocks if b.do == "visit"]


def test_whom_one_means_to_see_is_visited_more_often_and_the_plan_says_why() -> None:
    note = Note("see Otis about the loaf", "otis", "the loaf")
    meant = [b for seed in range(200) for b in noted_day(note, seed)]
    plain = [b for seed in range(200) for b in noted_day(None, seed)]
    with_otis = [b for b in meant if b.where == "Ferry / parlour"]
    assert len(with_otis) > 2 * len([b for b in plain if b.where == "Ferry / parlour"])
    assert any(b.why == "wants to see Otis, about the loaf" for b in with_otis)
    assert not any("loaf" in b.why for b in meant if b.where != "Ferry / parlour")
    mend = [b for seed in range(50) for b in noted_day(Note("make it up with Otis", "otis"), seed)]
    assert any(b.why == "wants to make it up with Otis" for b in mend)


def test_a_note_about_somebody_who_is_no_friend_changes_no_plan() -> None:
    stranger = Note("see Zeno about the loaf", "zeno", "the loaf")
    for seed in range(50):
        assert noted_day(stranger, seed) == noted_day(None, seed)
