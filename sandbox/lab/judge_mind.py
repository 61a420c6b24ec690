"""A judge that is a language model, asked like a town's minds, and the file of its calls."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.faults import in_quotes
from sandbox.core.protocols import Answer, Question
from sandbox.lab.asked_models import COLD, Text, model_question, open_models, prompt_source
from sandbox.lab.experiment import Experiment, lab_fault
from sandbox.lab.judging import BlindCase, JudgeReply, People, Rubric, Version
from sandbox.minds.budget import Call, Key, NotKept, Spent
from sandbox.minds.client import PAUSE
from sandbox.minds.language_mind import LanguageMind
from sandbox.minds.prompt_form import Offered, Prompt, Unusable
from sandbox.minds.prompt_text import tidy_text
from sandbox.minds.spec import Model, parse_model

WHY = 240  # letters of a reason
TOKENS = 300  # of an answer


class JudgeCalls:
    """The calls of judges in a file of JSON lines (a `minds.calls.CallStore`), each stored before its answer is used.
    Invalid lines are skipped: a crash may leave half a line.

    A question is identified by its content (`who` of its key is a digest of the model and everything sent), so that the
    same is never paid for twice in any run. Calls whose last attempt brought no answer count as spent, and are made
    again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._calls: dict[Key, Call] = {}
        self._latest: dict[str, Call] = {}
        self._spent: dict[str, Spent] = {}
        self._whole = True
        if path.is_file():
            text = path.read_bytes()
            self._whole = text.endswith(b"\n") or not text
            for line in text.split(b"\n"):
                self._read(line)

    async def find(self, key: Key) -> Call | None:
        call = self._calls.get(key)
        return call if call is not None and (_brought(call) or self.answered(key.who)) else None

    async def keep(self, call: Call) -> None:
        line = msgspec.json.encode(call) + b"\n"
        try:
            with self._path.open("ab") as file:
                file.write(line if self._whole else b"\n" + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NotKept(f"{self._path}: {error.strerror}") from error
        self._whole = True
        self._count(call)

    async def spent(self) -> dict[tuple[int, str], Spent]:
        return {(1, model): spent for model, spent in self._spent.items()}

    def of(self, model: str) -> Spent:
        """The total of a model's calls."""
        return self._spent.get(model, Spent())

    def answered(self, who: str) -> bool:
        """Whether the last call of that question brought an answer, valid or not."""
        call = self._latest.get(who)
        return call is not None and _brought(call)

    def _read(self, line: bytes) -> None:
        try:
            call = msgspec.json.decode(line, type=Call)
        except msgspec.MsgspecError:
            return
        if min(call.tokens_in, call.tokens_out, call.cost) >= 0:
            self._count(call)

    def _count(self, call: Call) -> None:
        self._spent[call.model] = self._spent.get(call.model, Spent()).plus(call.spent)
        self._latest[call.key.who] = call
        self._calls[call.key] = call


def _brought(call: Call) -> bool:
    """Whether a call brought an answer: a truncated one counts as an invalid answer."""
    return bool(call.answer) or not call.fault


class Judge(Question, frozen=True, kw_only=True):
    """The question which scores two versions get by a rubric. who: a digest of everything sent, and of the judge."""

    rubric: Rubric
    people: People
    a: Version
    b: Version


class JudgeAnswer(Answer, frozen=True, kw_only=True):
    """The scores as given, not clipped. None, and no reasons, if there is no answer."""

    a: float | None = None
    b: float | None = None
    why_a: str = ""
    why_b: str = ""


class JudgeForm(msgspec.Struct, frozen=True):
    """The form of an answer: each reason before its score."""

    why_a: Text
    score_a: float
    why_b: Text
    score_b: float


def _read(q: Judge, got: JudgeForm, offered: Offered, chance: Stream) -> JudgeAnswer:
    if not (math.isfinite(got.score_a) and math.isfinite(got.score_b)):
        raise Unusable(f"a score is a number from {q.rubric.lowest} to {q.rubric.highest}")
    why_a, why_b = (tidy_text(text, WHY).lstrip("=+@") for text in (got.why_a, got.why_b))  # not a spreadsheet formula
    return JudgeAnswer(a=got.score_a, b=got.score_b, why_a=why_a, why_b=why_b)


def _unclear(q: Judge, a: JudgeAnswer) -> str:
    scores = [score for score in (a.a, a.b) if score is not None]
    return "" if all(map(math.isfinite, scores)) else "a score that is not a number"


_KIND = Rubric("kind", "Kindness", "talk", 0, 10, "How kind are they?", ((0, "harsh"), (10, "kind")), ())
_SAMPLE = Judge("sample", rubric=_KIND, people=(("Ann", "a baker"),), a=(), b=())
JUDGE = model_question(Judge, JudgeAnswer, _SAMPLE, _unclear)
PROMPT = Prompt(
    Judge,
    prompt_source("judge.j2"),
    JudgeForm,
    _read,
    tokens=TOKENS,
    briefed=False,
    system=prompt_source("judge_system.j2"),
    temperature=COLD,
)


def read_judges(texts: Sequence[str]) -> tuple[Model, ...]:
    """Judges as written, `MODEL` or `MODEL@URL,URL`. Raises LabFaults that say how to fix it."""
    out: list[Model] = []
    for text in texts:
        try:
            model = parse_model(text)
        except ValueError as error:
            raise lab_fault("--judge", str(error)) from None
        if model is None:
            raise lab_fault("--judge", "the embedded mind cannot judge; name a language model, or leave --judge out")
        if model.name in {m.name for m in out}:
            raise lab_fault("--judge", f"{in_quotes(model.name)} is named twice; name each judge once")
        out.append(model)
    return tuple(out)


def check_judges(texts: Sequence[str], experiment: Experiment) -> None:
    """Raise LabFaults for invalid judges, or if there is nothing to compare."""
    read_judges(texts)
    if not experiment.judged:
        mend = "compares no two arms that could be judged; name them in its file, `judge: [[on, off]]`"
        raise lab_fault("--judge", f"{experiment.title} {mend}")


def merge_judges(before: Sequence[str], judges: Sequence[str]) -> tuple[str, ...]:
    """Judges asked before plus others; one named again may have a new address. Raises LabFaults."""
    texts = (*before, *judges)
    models = [*read_judges(before), *read_judges(judges)]
    return tuple({m.name: text for m, text in zip(models, texts, strict=True)}.values())


class ModelJudge:
    """A language model as judge (a `judging.Scorer`)."""

    def __init__(self, name: str, mind: LanguageMind, calls: JudgeCalls, ask: bool) -> None:
        self.name = name
        self._mind, self._calls, self._ask = mind, calls, ask

    async def score(self, put: BlindCase) -> JudgeReply:
        """Its scores of a case; a stored answer is reused."""
        q = Judge(self._digest(put), rubric=put.rubric, people=put.people, a=put.a, b=put.b)
        if not self._ask and await self._calls.find(Key(0, 0, q.who, JUDGE.name, 0, 0)) is None:
            return JudgeReply(None, None, fault="it was not asked")
        found: Any = (await self._mind.answer([q], 0))[0]
        fault = "" if self._calls.answered(q.who) else found.fault
        return JudgeReply(found.a, found.b, found.why_a, found.why_b, fault)

    def _digest(self, put: BlindCase) -> str:
        return hashlib.sha256(msgspec.json.encode((self.name, PROMPT.system, PROMPT.template, *put))).hexdigest()[:32]


@asynccontextmanager
async def panel(
    models: Sequence[Model], calls: JudgeCalls, ask: Collection[str], pause: float = PAUSE
) -> AsyncIterator[tuple[list[ModelJudge], int]]:
    """Judges with one budget and one file of calls, and how many questions may be put at once (`open_models`). ask:
    names of those who may be called; of others only stored answers are used.
    """
    async with open_models(models, calls, (JUDGE,), (PROMPT,), "these judges", pause, ask) as (minds, together):
        yield [ModelJudge(name, mind, calls, name in ask) for name, mind in minds.items()], together
