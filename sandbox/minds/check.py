"""What every mind must do: `await check_mind(make_mind)` tests it for any mind; `Usable` wraps any mind so that a world
can take its answers. The specs of the questions have samples, so that a custom mind can be tested without a town.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from sandbox.core.protocols import Answer, Brief, Mind, Question
from sandbox.core.questions import QuestionSpec, by_type
from sandbox.minds.embedded import BY_TYPE, QUESTIONS, spec_of

BRIEF = Brief(
    1,
    "Ann",
    "Ann Lee, 40, baker. Brisk, kind.",
    "Ann feels calm.",
    "Tuesday, 09:00 (morning), at the bakery; kneading dough.",
    "Bo, 35, joiner (neighbour). You are on friendly terms, and you like them.",
    ("saw Bo at the market", "baked two hundred rolls"),
    (("Bo", "Morning, Ann."),),
    "the wheelbarrow",
    {"bo": "Bo"},
)


def samples(specs: Sequence[QuestionSpec] = QUESTIONS) -> tuple[Question, ...]:
    """Questions of each type, each with a brief. All differ in who, type or n."""
    return tuple(msgspec.structs.replace(q, brief=BRIEF) for spec in specs for q in spec.samples)


def fault_of(q: Question, a: Answer, specs: Mapping[type[Question], QuestionSpec] = BY_TYPE) -> str:
    """Why an answer has a wrong type or is out of bounds, in words; "" if it is valid. Raises KeyError for a question
    without a spec.
    """
    spec = specs[type(q)]
    if type(a) is not spec.answer:
        return f"{spec.name} was answered by {type(a).__name__}, not by {spec.answer.__name__}"
    fault = spec.fault(q, a)
    return fault and f"{spec.name} was answered with {fault}"


def check_answer(q: Question, a: Answer, specs: Mapping[type[Question], QuestionSpec] = BY_TYPE) -> None:
    """Raise AssertionError, with words, if an answer has a wrong type or is out of bounds."""
    if fault := fault_of(q, a, specs):
        raise AssertionError(fault)


class Usable:
    """Wraps a mind; an impossible answer is replaced by the embedded mind's, which says why. Where an answer is not
    used as it is (`QuestionSpec.taken`), the systems themselves take what they can of it. embedded: makes the embedded
    mind on first use, since that takes a while.
    """

    def __init__(self, mind: Mind, embedded: Callable[[], Mind]) -> None:
        self._mind = mind
        self._embedded = embedded

    def reads(self, question: Question) -> bool:
        """Whether the wrapped mind reads the brief."""
        return self._mind.reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order."""
        answers = list(await self._mind.answer(questions, step, wave))
        for i, (q, answer) in enumerate(zip(questions, answers, strict=True)):
            if spec_of(q).taken and (fault := fault_of(q, answer)):
                (found,) = await self._embedded().answer([q], step, wave)
                answers[i] = msgspec.structs.replace(found, fault=fault)
        return answers


async def check_mind(
    make_mind: Callable[[], Mind],
    questions: Sequence[Question] | None = None,
    *,
    same: bool = True,
    specs: Sequence[QuestionSpec] = QUESTIONS,
) -> None:
    """Ask a mind questions of every type, in several ways. Raises AssertionError, with words, for a broken rule.

    make_mind: makes a new mind each time. questions: replace the samples. same: the mind gives the same answer to the
    same question (a language model only if its service does). specs: of the questions it answers.
    """
    asked = list(samples(specs) if questions is None else questions)
    known, before = by_type(specs), msgspec.msgpack.encode(asked)
    mind = make_mind()
    for q in asked:
        assert isinstance(mind.reads(q), bool), f"reads() gave {mind.reads(q)!r} for {type(q).__name__}, not a bool"
    together = await _batches(mind, asked)
    for q, a in zip(asked, together, strict=True):
        check_answer(q, a, known)
        assert isinstance(a.fault, str), "a fault is text"
    assert await mind.answer([], 3) == [], "a batch without questions has no answers"
    assert msgspec.msgpack.encode(asked) == before, "a question was changed by asking it"
    if not same:
        return
    again = make_mind()
    assert await _batches(again, asked) == together, "the same questions got other answers"
    single = [(await again.answer([q], 3))[0] for q in asked]
    assert single == together, "a batch is not answered as its questions one by one"
    assert (await _batches(again, asked[::-1]))[::-1] == together, "the order of a batch changes its answers"


async def _batches(mind: Mind, questions: Sequence[Question]) -> list[Answer]:
    """The answers to all questions, asked as one batch."""
    answers = await mind.answer(questions, 3)
    assert len(answers) == len(questions), f"{len(questions)} questions got {len(answers)} answers"
    return list(answers)
