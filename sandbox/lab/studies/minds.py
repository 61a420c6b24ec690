"""The minds of a study: a language model that reads in the crowd's place, judges, and the file of their calls."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from sandbox.core.protocols import Answer, Question
from sandbox.lab.asked_models import open_models
from sandbox.lab.judge_mind import JudgeCalls
from sandbox.lab.studies.model_prompts import BY_QUESTION, PROMPTS, SPECS, WORDED
from sandbox.lab.studies.study import AnswerCounts
from sandbox.minds import client
from sandbox.minds.language_mind import LanguageMind
from sandbox.minds.spec import Model

CALLS = "calls.jsonl"
SILENT = 5  # questions in a row to which no answer came, after which a run ends
READER, JUDGE = "reader", "judge"


class StudyModels(msgspec.Struct, frozen=True):
    """Who a study is run by. mind: the model of the readers; judges: of those who judge, () = the readers' own; users:
    how many readers there are at most.
    """

    mind: Model
    judges: tuple[Model, ...]
    users: int

    @property
    def decides(self) -> list[Any]:
        """What of it, and of what is said to models, decides a run."""
        return [self.mind.name, [m.name for m in self.judges], self.users, WORDED]


class Silent(Exception):
    """A model gave no answer, again and again: its text says which, and why."""


class StudyMinds:
    """What the runs of a study share. together: how many questions are put at a time: patience begins when one is."""

    def __init__(self, by: StudyModels, minds: dict[str, LanguageMind], calls: JudgeCalls, together: int) -> None:
        self.by, self.calls, self.together = by, calls, together
        self._minds = minds
        self._gate = asyncio.Semaphore(together)
        self._flying: dict[str, asyncio.Task[Answer]] = {}

    async def put(self, model: str, q: Question) -> tuple[Answer, bool]:
        """A model's answer, and whether any came. The same question, word for word, is put once."""
        who = _digest(model, q)
        task = self._flying.get(who)
        if task is None:
            task = self._flying[who] = asyncio.create_task(self._put(model, msgspec.structs.replace(q, who=who)))
            task.add_done_callback(lambda _: self._flying.pop(who, None))
        return await asyncio.shield(task), self.calls.answered(who)

    async def _put(self, model: str, q: Question) -> Answer:
        async with self._gate:
            return (await self._minds[model].answer([q], 0))[0]


def _digest(model: str, q: Question) -> str:
    """A name of a question: all that is sent, by whom it is answered, and who asks when (`q.who`)."""
    prompt = BY_QUESTION[type(q)]
    whole = (model, type(q).__name__, prompt.system, prompt.template, q)
    return hashlib.sha256(msgspec.json.encode(whole)).hexdigest()[:32]


class RunMinds:
    """The minds of one run (`study.ModelPanel`), and what came of its questions. told: is called as answers come."""

    def __init__(self, minds: StudyMinds, told: Callable[[], None] = lambda: None) -> None:
        self.users = minds.by.users
        self.refused = 0
        self._minds, self._told = minds, told
        self._heard: dict[tuple[str, str], AnswerCounts] = {}
        self._silent: dict[str, int] = {}
        self._why = ""  # no answer came the last time

    async def ask(self, questions: Sequence[Question]) -> list[Any]:
        """An answer of the readers' model to each, in order. Raises Silent."""
        return await self._all(READER, self._minds.by.mind.name, questions)

    async def judge(self, questions: Sequence[Question]) -> list[list[Any]]:
        """For each judge, an answer to each. Raises Silent."""
        models = self._minds.by.judges or (self._minds.by.mind,)
        return [await self._all(JUDGE, model.name, questions) for model in models]

    def refuse(self) -> None:
        """Count a deed that the platform has refused."""
        self.refused += 1

    @property
    def heard(self) -> tuple[AnswerCounts, ...]:
        """What came of all questions so far, by model and role."""
        return tuple(self._heard.values())

    def check(self) -> None:
        """Raise Silent if a model has never answered."""
        for h in self.heard:
            if h.unheard and not h.answered + h.unfit:
                raise Silent(f"no answer came from {h.model}: {self._why}")

    async def _all(self, role: str, model: str, questions: Sequence[Question]) -> list[Answer]:
        found = await asyncio.gather(*(self._one(role, model, q) for q in questions), return_exceptions=True)
        answers: list[Answer] = []
        for x in found:
            if isinstance(x, BaseException):
                raise x
            answers.append(x)
        return answers

    async def _one(self, role: str, model: str, q: Question) -> Answer:
        if self._silent.get(model, 0) >= SILENT:  # others of the batch have found it out
            raise Silent(f"no answer came from {model} to {SILENT} questions in a row: {self._why}")
        answer, came = await self._minds.put(model, q)
        h = self._heard.setdefault((role, model), AnswerCounts(model, role))
        what = "answered" if not answer.fault else "unfit" if came else "unheard"
        self._heard[role, model] = msgspec.structs.replace(h, **{what: getattr(h, what) + 1})
        self._silent[model] = self._silent.get(model, 0) + 1 if what == "unheard" else 0
        self._why = answer.fault if what == "unheard" else self._why
        self._told()
        if self._silent[model] >= SILENT:
            raise Silent(f"no answer came from {model} to {SILENT} questions in a row: {self._why}")
        return answer


@asynccontextmanager
async def open_minds(by: StudyModels, folder: Path) -> AsyncIterator[StudyMinds]:
    """Minds with one account, and one file of calls in that folder (`open_models`)."""
    calls = JudgeCalls(folder / CALLS)
    asked = open_models((by.mind, *by.judges), calls, SPECS, PROMPTS, "this study", client.PAUSE)
    async with asked as (minds, together):
        yield StudyMinds(by, minds, calls, together)
