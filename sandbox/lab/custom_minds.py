"""Rules or a whole mind that the user's program supplies instead of the embedded mind's.

Their code decides events, so its digest enters the name of a save (`code_digest.fingerprint`). An error in it fails the
replica, reported with question, person and step, and affects no other.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.faults import Faults, safe, unknown
from sandbox.core.places import PACKAGE
from sandbox.core.protocols import Answer, Mind, Question
from sandbox.core.questions import FromBook, QuestionSpec, Rule
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.lab.code_digest import fingerprint, unwrap_function
from sandbox.lab.experiment import ASK, LabFaults, split_settings
from sandbox.minds.budget import CallStore, Thinking
from sandbox.minds.check import fault_of
from sandbox.minds.embedded import ASKS, QUESTIONS, EmbeddedMind
from sandbox.minds.spec import MindSpec
from sandbox.store.choose_mind import mind_of

FAILS = (Exception, SystemExit)  # errors of supplied functions that are caught; Ctrl-C is not among them


class CustomFault(Exception):
    """An error of a supplied rule or mind: who asked what, and the line of its file."""


def error_words(error: BaseException) -> str:
    """An error as a report shows it: its type, message, and line of the package."""
    if isinstance(error, CustomFault):
        return safe(str(error))
    frames = [f for f in traceback.extract_tb(error.__traceback__) if PACKAGE in Path(f.filename).parents]
    where = f" ({Path(frames[-1].filename).relative_to(PACKAGE).as_posix()}:{frames[-1].lineno})" if frames else ""
    return safe(f"{type(error).__name__}: {error}{where}")


def describe_function(function: Callable[..., Any], error: BaseException | None = None) -> str:
    """A function by name, file and line; with an error: the line it came from, and the error."""
    code = getattr(unwrap_function(function), "__code__", None)
    name = getattr(unwrap_function(function), "__qualname__", type(function).__qualname__)
    if error is None:
        return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code is not None else name
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if code is not None and f.filename == code.co_filename]
    own = own or [f for f in frames if PACKAGE not in Path(f.filename).parents]
    where = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return f"{name} raised {type(error).__name__}: {error}{where}"


MIND = "mind"  # key for a mind among rules, which are keyed by question name
ASKED = ("appraise", "describe mood")  # questions that models are asked in the laboratory, besides the usual ones
NAMES = tuple(spec.question.__name__ for spec in QUESTIONS)


class CustomMinds(NamedTuple):
    """Supplied rules or mind. rules: question name -> function of the question and a random stream; a parameter `usual`
    receives the built-in rule. mind: makes a mind for a scenario, which answers every question; None = none.
    """

    rules: Mapping[str, Callable[..., Answer]] = {}
    mind: Callable[[Scenario], Mind] | None = None

    @property
    def fingerprints(self) -> dict[str, str]:
        """Name and code digest of each, by question name or MIND."""
        said = {name: fingerprint(rule) for name, rule in sorted(self.rules.items())}
        return said if self.mind is None else {**said, MIND: fingerprint(self.mind)}


NONE = CustomMinds()


def check_custom_minds(own: CustomMinds) -> None:
    """Raise LabFaults for rules of unknown questions, objects that cannot be called, or rules beside a mind, which
    would never use them.
    """
    faults = Faults()
    for name, rule in own.rules.items():
        if name not in NAMES:
            faults.add("rules", 0, 0, unknown("question", str(name), NAMES))
        elif not callable(rule):
            faults.add("rules", 0, 0, f"{name}: {type(rule).__name__} is not a function of a question and a stream")
    if own.mind is not None and own.rules:
        faults.add("rules", 0, 0, "change the embedded mind, which a mind of your own replaces; give one")
    if faults.errors:
        raise LabFaults(faults.errors)


def asking(spec: MindSpec, settings: Sequence[str]) -> MindSpec:
    """The spec with the questions models are asked in an arm with these settings: by default players' and ASKED."""
    said = {ASK[key]: word == "on" for key, word in split_settings(settings)[1].items()}
    asks = (x for x in ASKS if said.get(x, x in spec.asks or x in ASKED))
    return msgspec.structs.replace(spec, asks=tuple(asks))


def answering(
    own: CustomMinds, settings: Sequence[str], spec: MindSpec, world: World, calls: CallStore
) -> tuple[Mind, Thinking | None]:
    """The mind of a replica (`store.choose_mind.mind_of`), including supplied rules or mind."""
    if own.mind is not None:
        try:
            return _Brought(own.mind, own.mind(world.scenario)), None
        except FAILS as error:
            raise CustomFault(f"the mind {describe_function(own.mind, error)}") from error
    specs = [_ruled(spec, own.rules[name], world) if (name := spec.question.__name__) in own.rules else spec
             for spec in QUESTIONS]  # fmt: skip
    return mind_of(asking(spec, settings), world, calls, EmbeddedMind(world.chance, world.scenario.lines, specs))


def _ruled(spec: QuestionSpec, own: Callable[..., Answer], world: World) -> QuestionSpec:
    """The question's spec with the supplied rule."""
    takes = "usual" in signature(own).parameters

    def standing(usual: Rule) -> Rule:
        def rule(q: Any, chance: Stream) -> Answer:
            where = f"{spec.question.__name__} of {q.who} at step {world.step + 1}: the rule"
            try:
                answer = own(q, chance, usual=usual) if takes else own(q, chance)
                fault = fault_of(q, answer)
            except FAILS as error:
                raise CustomFault(f"{where} {describe_function(own, error)}") from error
            if fault:
                raise CustomFault(f"{where} {describe_function(own)}: {fault}")
            return answer

        return rule

    shipped = spec.rule
    rule = FromBook(lambda book: standing(shipped.make(book))) if isinstance(shipped, FromBook) else standing(shipped)
    return msgspec.structs.replace(spec, rule=rule)


class _Brought:
    """Wraps a supplied mind. If it raises, or gives an invalid answer, its replica fails."""

    def __init__(self, make: Callable[..., Mind], mind: Mind) -> None:
        self._make, self._mind = make, mind

    def reads(self, question: Question) -> bool:
        return self._mind.reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        asked = [f"{type(q).__name__} of {q.who} at step {step}: the mind" for q in questions]
        try:
            answers = list(await self._mind.answer(questions, step, wave))
            faults = [*map(fault_of, questions, answers)]
        except FAILS as error:
            raise CustomFault(f"{asked[0]} {describe_function(self._make, error)}") from error
        if len(answers) != len(questions):
            raise CustomFault(
                f"{asked[0]} {describe_function(self._make)} gave {len(answers)} answers to {len(questions)} questions"
            )
        for of, fault in zip(asked, faults, strict=True):
            if fault:
                raise CustomFault(f"{of} {describe_function(self._make)}: {fault}")
        return answers
