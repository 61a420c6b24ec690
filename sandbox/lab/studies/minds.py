"""The minds of a study: a language model that reads in the crowd's place, judges, the file of their calls, and the runs
of a study by them, all in one loop, so that as many questions are under way as may be.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from sandbox.core.plain import count_of
from sandbox.core.protocols import Answer, Question
from sandbox.lab.asked_models import open_models
from sandbox.lab.folder import write
from sandbox.lab.judge_mind import JudgeCalls
from sandbox.lab.studies.model_prompts import BY_QUESTION, PROMPTS, SPECS, WORDED
from sandbox.lab.studies.study import AnswerCounts, Found, Study
from sandbox.lab.studies.study_results import StudyAnswers, StudyRun, check_run
from sandbox.minds import client
from sandbox.minds.language_mind import LanguageMind
from sandbox.minds.spec import Model

CALLS = "calls.jsonl"
SILENT = 5  # unanswered questions in a row after which a run ends
READER, JUDGE = "reader", "judge"


class StudyModels(msgspec.Struct, frozen=True):
    """Who a study is run by. mind: the model of the readers; judges: of those who judge, () = the readers' own; users:
    how many readers there are at most; own: the model of a part of the readers, by its name (`Minded.names`).
    """

    mind: Model
    judges: tuple[Model, ...]
    users: int
    own: dict[str, Model] = {}

    @property
    def decides(self) -> list[Any]:
        """What of it, and of what is said to models, decides a run."""
        own = [sorted((who, m.name) for who, m in self.own.items())] if self.own else []
        return [self.mind.name, [m.name for m in self.judges], self.users, WORDED, *own]

    @property
    def models(self) -> tuple[Model, ...]:
        """All of them."""
        return (self.mind, *self.own.values(), *self.judges)

    @property
    def told(self) -> str:
        """Who decides for readers, in words."""
        return "; ".join([self.mind.name, *(f"{m.name} for {who}" for who, m in self.own.items())])


class Silent(Exception):
    """A model repeatedly gave no answer: the text says which, and why."""


class StudyMinds:
    """What the runs of a study share. together: how many questions are put at a time: patience begins when one is.
    names: of the parts of the readers that may have a model of their own.
    """

    def __init__(
        self,
        by: StudyModels,
        minds: dict[str, LanguageMind],
        calls: JudgeCalls,
        together: int,
        names: tuple[str, ...] = (),
    ) -> None:
        self.by, self.calls, self.together, self.names = by, calls, together, names
        self._minds = minds
        self._gate = asyncio.Semaphore(together)
        self._flying: dict[str, asyncio.Task[Answer]] = {}

    async def put(self, model: str, q: Question) -> tuple[Answer, bool]:
        """A model's answer, and whether any came. Identical questions are sent once."""
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
        self.users, self.refused = minds.by.users, 0
        self.models: Mapping[str, str] = {who: minds.by.own.get(who, minds.by.mind).name for who in minds.names}
        self._minds, self._told = minds, told
        self._heard: dict[tuple[str, str], AnswerCounts] = {}
        self._silent: dict[str, int] = {}
        self._why = ""  # no answer came the last time

    async def ask(self, questions: Sequence[Question], of: str = "") -> list[Any]:
        """An answer of the readers' model to each, in order. of: the part of the readers. Raises Silent."""
        by = self._minds.by
        return await self._all(READER, by.own.get(of, by.mind).name, questions)

    async def judge(self, questions: Sequence[Question]) -> list[list[Any]]:
        """For each judge, an answer to each question. Raises Silent."""
        models = self._minds.by.judges or (self._minds.by.mind,)
        return [await self._all(JUDGE, model.name, questions) for model in models]

    def refuse(self) -> None:
        """Count an act that the platform refused."""
        self.refused += 1

    @property
    def heard(self) -> tuple[AnswerCounts, ...]:
        """The outcomes of all questions so far, by model and role."""
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
async def open_minds(by: StudyModels, folder: Path, names: tuple[str, ...] = ()) -> AsyncIterator[StudyMinds]:
    """Minds with one account, and one file of calls in that folder (`open_models`)."""
    calls = JudgeCalls(folder / CALLS)
    asked = open_models(by.models, calls, SPECS, PROMPTS, "this study", client.PAUSE)
    async with asked as (minds, together):
        yield StudyMinds(by, minds, calls, together, names)


Work = tuple[Study, str, int, str, Mapping[str, Any]]  # study, case, seed, file, settings over the case's own


async def ask_all(
    study: Study,
    by: StudyModels,
    work: Sequence[Work],
    out: Path,
    ran: Callable[[int], None],
    noted: Callable[[str], None],
) -> list[Found | Exception]:
    """The outcome of each run, or the exception with which it failed (`Silent`: a model that does not answer)."""
    if not work:
        return []
    answered = over = 0
    ran(0)

    def told() -> None:
        nonlocal answered
        answered += 1
        noted(f"{count_of(answered, 'question')} asked")

    async with open_minds(by, out, () if study.minds is None else study.minds.names) as minds:
        gate = asyncio.Semaphore(minds.together)  # more runs at once would only wait for each other

        async def one(case: str, seed: int, file: str, given: Mapping[str, Any]) -> Found | Exception:
            nonlocal over
            async with gate:
                try:
                    found: Found | Exception = await _one(study, case, seed, Path(file), given, minds, told)
                except Exception as error:  # affects no other run
                    found = error
            over += 1
            ran(over)
            return found

        return await asyncio.gather(*(one(case, seed, file, given) for _, case, seed, file, given in work))


async def _one(
    study: Study,
    name: str,
    seed: int,
    file: Path,
    given: Mapping[str, Any],
    minds: StudyMinds,
    told: Callable[[], None],
) -> Found:
    """Do a run; it is stored only if every question got an answer, so that the same command asks the others again."""
    assert study.minds is not None
    case, voice = study.case(name), RunMinds(minds, told)
    found = await study.minds.run(replace(case, settings={**case.settings, **given}), seed, voice)
    voice.check()
    values = found.values | {
        "answered": float(sum(h.answered for h in voice.heard)),
        "stood_in": float(sum(h.stood_in for h in voice.heard)),
        "refused": float(voice.refused),
    }
    found = msgspec.structs.replace(found, values=values, heard=voice.heard, refused=voice.refused)
    found = check_run(study, name, found, study.minds.run)
    if not any(h.unheard for h in voice.heard):
        write(file, msgspec.json.encode(found).decode() + "\n")
    return found


def collect_answers(study: Study, by: StudyModels, runs: Sequence[StudyRun], out: Path) -> StudyAnswers:
    """What the models of these runs answered."""
    m = study.minds
    assert m is not None
    heard: dict[str, dict[tuple[str, str], AnswerCounts]] = {}
    refused: dict[str, int] = {}
    for case, found in ((run.case, run.found) for run in runs if run.found is not None):
        of = heard.setdefault(case, {})
        for h in found.heard:
            before = of.get((h.role, h.model))
            of[h.role, h.model] = h if before is None else before.plus(h)
        refused[case] = refused.get(case, 0) + found.refused
    calls = JudgeCalls(out / CALLS)
    spent = [calls.of(name) for name in dict.fromkeys(model.name for model in by.models)]
    return StudyAnswers(
        by.told,
        by.users,
        m.of,
        {case: tuple(of.values()) for case, of in heard.items()},
        refused,
        m.judges,
        not by.judges,
        dict(m.left_out),
        sum(s.calls for s in spent),
        sum(s.tokens for s in spent),
        sum(s.cost for s in spent),
    )
