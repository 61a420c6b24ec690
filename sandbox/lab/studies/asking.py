"""The runs of a study with minds, all in one loop, so that as many questions are under way as may be; and what their
models answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from sandbox.core.plain import count_of
from sandbox.lab.folder import write
from sandbox.lab.judge_mind import JudgeCalls
from sandbox.lab.studies.checking import check_run
from sandbox.lab.studies.minds import CALLS, RunMinds, StudyMinds, StudyModels, open_minds
from sandbox.lab.studies.study import AnswerCounts, Found, Study
from sandbox.lab.studies.study_results import StudyAnswers, StudyRun

Work = tuple[Study, str, int, str, Mapping[str, Any]]  # study, case, seed, file, settings over the case's own


async def ask_all(
    study: Study,
    by: StudyModels,
    work: Sequence[Work],
    out: Path,
    ran: Callable[[int], None],
    noted: Callable[[str], None],
) -> list[Found | Exception]:
    """What comes of each run; an exception stands where one has failed (`Silent`: a model that does not answer)."""
    if not work:
        return []
    answered = over = 0
    ran(0)

    def told() -> None:
        nonlocal answered
        answered += 1
        noted(f"{count_of(answered, 'question')} put")

    async with open_minds(by, out) as minds:
        gate = asyncio.Semaphore(minds.together)  # more runs at once would only wait for each other

        async def one(case: str, seed: int, file: str, given: Mapping[str, Any]) -> Found | Exception:
            nonlocal over
            async with gate:
                try:
                    found: Found | Exception = await _one(study, case, seed, Path(file), given, minds, told)
                except Exception as error:  # it harms no other run
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
    """A run, which is kept if every question came to somebody: the others are put again by the same command."""
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
    spent = [calls.of(name) for name in dict.fromkeys(model.name for model in (by.mind, *by.judges))]
    return StudyAnswers(
        by.mind.name,
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
