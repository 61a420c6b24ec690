"""A question is declared once: whoever asks, answers, checks, keeps or briefs reads that one declaration."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandbox.core.chance import Chance, Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec, by_type
from sandbox.engine.scenario import Scenario
from sandbox.minds.budget import UnsavedCalls
from sandbox.minds.check import check_mind, fault_of, samples
from sandbox.minds.embedded import ASKS, BY_TYPE, DEFAULT_ASKS, QUESTIONS, EmbeddedMind
from sandbox.minds.language_mind import PROMPTS, choose, close_mind
from sandbox.minds.loopback import Loopback, Scripted
from sandbox.minds.prompt_form import Prompt, by_question
from sandbox.minds.spec import parse_mind
from sandbox.people.interview_question import Interviewed
from sandbox.people.model import Insight
from sandbox.people.question_mood import Described
from sandbox.people.question_plan import DayPlan, Items, Reacted
from sandbox.people.question_reflection import Focused, Insights, Reflection, Wonder
from sandbox.phones.question_use import PhoneAct, Used
from sandbox.phones.question_write import Write
from sandbox.talk.closing import RatedTie
from sandbox.talk.question_effects import Appraised, FeltAbout, Rated, Summary
from sandbox.talk.question_replies import Accepted, Responded
from sandbox.talk.question_wishes import Approached, Chosen
from sandbox.talk.saying import Said

# ---- a question that this test brings along: all that a new one needs


class Lend(Question, frozen=True):
    """`other` asks you for so many coins: how many do you lend?"""

    other: str = ""
    coins: int = 0


class Lent(Answer, frozen=True):
    coins: int


def lend(q: Lend, chance: Stream) -> Lent:
    return Lent(chance.below(q.coins + 1))


LEND = QuestionSpec(
    question=Lend, answer=Lent, name="Lend", rule=lend,
    fault=lambda q, a: "" if 0 <= a.coins <= q.coins else "more or less than there is",
    samples=(Lend("ann", other="bo", coins=40),),
    concerns=lambda q: Concern(q.other), taken=True, asks="lend", asked=False,
)  # fmt: skip


class Coins(msgspec.Struct, frozen=True):
    coins: int


ASK = Prompt(
    Lend,
    'You are asked to lend {{ q.coins }} coins. How many do you lend? Answer {"coins": a number}.',
    Coins,
    lambda q, got, offered, chance: Lent(got.coins),
)
SPECS = (*QUESTIONS, LEND)


@pytest.mark.slow
async def test_a_question_with_its_spec_and_its_prompt_is_answered_by_every_mind(larkspur: Scenario) -> None:
    embedded = EmbeddedMind(Chance(3), larkspur.lines, SPECS)
    await check_mind(lambda: embedded, specs=SPECS)
    async with Loopback(lambda request: Scripted('{"coins": 7}')) as server:
        spec = msgspec.structs.replace(parse_mind([f"openai/test@{server.url}/v1"]), asks=(LEND.asks,))
        mind, _ = choose(spec, embedded, UnsavedCalls(), prompts=(*PROMPTS, ASK), pause=0.001)
        await check_mind(lambda: mind, specs=SPECS)
        assert await mind.answer(samples(SPECS)[-1:], 3) == [Lent(7)]
        await close_mind(mind)
    assert server.asked[0].messages[1]["content"].startswith("You are asked to lend 40 coins.")
    assert list((server.asked[0].schema or {})["properties"]) == ["coins"]


async def test_a_service_that_fails_leaves_a_question_of_ones_own_to_its_rule(larkspur: Scenario) -> None:
    embedded = EmbeddedMind(Chance(3), larkspur.lines, (LEND,))
    async with Loopback(lambda request: Scripted(status=404)) as server:
        spec = msgspec.structs.replace(parse_mind([f"openai/test@{server.url}/v1"]), asks=(LEND.asks,))
        mind, _ = choose(spec, embedded, UnsavedCalls(), prompts=(ASK,), pause=0.001)
        (found,) = await mind.answer(samples((LEND,)), 3)
        await close_mind(mind)
    assert found.fault
    assert [msgspec.structs.replace(found, fault="")] == await embedded.answer(samples((LEND,)), 3)


# ---- what is forgotten is an error at once


@pytest.mark.parametrize("part", QuestionSpec.__struct_fields__)
def test_no_part_of_a_spec_can_be_left_out(part: str) -> None:
    parts: dict[str, Any] = msgspec.structs.asdict(LEND)
    assert QuestionSpec(**parts) == LEND
    del parts[part]
    with pytest.raises(TypeError, match=part):
        QuestionSpec(**parts)


@pytest.mark.parametrize("empty", [{"name": ""}, {"asks": ""}, {"samples": ()}, {"samples": QUESTIONS[0].samples}])
def test_a_spec_that_declares_nothing_is_refused(empty: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the spec of Lend needs"):
        msgspec.structs.replace(LEND, **empty)


class Beg(Lend, frozen=True):
    """As `Lend`, and another type."""


BEG = msgspec.structs.replace(LEND, question=Beg, name="Beg", asks="beg", samples=(Beg("ann"),))


@pytest.mark.parametrize(
    ("part", "twin"),
    [("question", {"question": Lend, "samples": LEND.samples}), ("name", {"name": "Lend"}), ("asks", {"asks": "lend"})],
)
def test_no_two_specs_are_known_by_the_same(part: str, twin: dict[str, Any]) -> None:
    assert list(by_type((LEND, BEG))) == [Lend, Beg]
    with pytest.raises(ValueError, match=f"the same {part}"):
        by_type((LEND, msgspec.structs.replace(BEG, **twin)))


@pytest.mark.parametrize(
    ("prompts", "odd"),
    [(PROMPTS, "Lend"), ((*PROMPTS[1:], ASK), PROMPTS[0].question.__name__), ((*PROMPTS, ASK, ASK), "Lend")],
    ids=["a spec without a prompt", "a prompt is gone", "two prompts"],
)
def test_every_spec_has_one_prompt(prompts: tuple[Prompt, ...], odd: str) -> None:
    with pytest.raises(ValueError, match=odd):
        by_question(prompts, by_type(SPECS))
    with pytest.raises(ValueError, match="Lend"):
        by_question((*PROMPTS, ASK), BY_TYPE)


def test_an_answer_to_what_nobody_has_declared_is_no_right_answer() -> None:
    with pytest.raises(KeyError):
        fault_of(Lend("ann"), Lent(0))


# ---- what there is

WRONG: dict[str, Answer] = {
    "PlanDay": DayPlan(()),
    "React": Reacted("join"),
    "CutBlock": Items(()),
    "Focus": Focused((Wonder(""),)),
    "FindInsights": Insights((Insight("Bo means well", (99,), 5, "bo"),)),
    "Reflect": Reflection("thirst", 0.5),
    "DescribeMood": Described(" "),
    "Interview": Interviewed("Bo, I think.", (99,)),
    "Approach": Approached("yes"),  # type: ignore[arg-type]
    "Exchange": Chosen("dance"),
    "Accept": Accepted("dodge"),  # type: ignore[arg-type]
    "Respond": Responded("lie"),
    "Say": Said("\x1b[31mred"),
    "Appraise": Appraised((("thirst", 1.0),), ""),
    "Summarise": Summary(""),
    "Rate": Rated(11),
    "FeelAbout": FeltAbout(float("nan")),
    "RateTie": RatedTie(6),
    "UsePhone": Used((PhoneAct("like", 1),)),
    "Write": Said(""),
    "Lend": Lent(41),
}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_a_wrong_answer_is_told_in_words(spec: QuestionSpec) -> None:
    fault = fault_of(spec.samples[0], WRONG[spec.name], by_type(SPECS))
    assert fault.startswith(f"{spec.name} was answered with ")


def test_names_that_seeds_saves_and_worlds_hold_stay() -> None:
    assert {spec.name: spec.asks for spec in QUESTIONS} == {
        "PlanDay": "plan", "CutBlock": "decompose", "Focus": "focus", "FindInsights": "insight", "Reflect": "reflect",
        "DescribeMood": "describe mood", "React": "react", "Interview": "interview", "Approach": "approach",
        "Exchange": "exchange", "Accept": "accept", "Respond": "respond", "Say": "say", "Appraise": "appraise",
        "Summarise": "summarise", "Rate": "rate", "FeelAbout": "feel about", "UsePhone": "phone", "Write": "write",
        "RateTie": "tie",
    }  # fmt: skip
    assert DEFAULT_ASKS == (
        "exchange", "accept", "respond", "say", "plan", "focus", "insight", "reflect", "summarise", "feel about",
        "react", "interview", "tie", "write",
    )  # fmt: skip
    assert (*DEFAULT_ASKS, "approach", "decompose", "appraise", "rate", "describe mood", "phone") == ASKS


def test_every_question_says_whom_it_concerns() -> None:
    concerns = {spec.name: spec.concerns(spec.samples[0]) for spec in SPECS}
    assert {name for name, concern in concerns.items() if concern.other == "bo"} == {
        "React", "Approach", "Exchange", "Accept", "Respond", "Say", "Summarise", "Rate", "FeelAbout", "Lend",
        "RateTie",
    }  # fmt: skip
    assert {name: concern.pressures for name, concern in concerns.items() if concern.pressures} == {"Exchange": ("p1",)}
    assert {name: concern.words for name, concern in concerns.items() if concern.words} == {
        "Rate": "rain",
        "UsePhone": "the loaf the race",
    }
    write = Write("ann", slots={"topic": "the race", "matter": "the race", "third": "Bo"}, about="bo", matter="p1")
    assert BY_TYPE[Write].concerns(write) == Concern("bo", ("p1",), "the race Bo")
    assert BY_TYPE[Write].concerns(msgspec.structs.replace(write, other="cid")).other == "cid"
