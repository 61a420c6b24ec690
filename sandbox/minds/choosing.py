"""Sends each question to the mind of the person it is asked of."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from sandbox.core.protocols import Answer, Mind, Question
from sandbox.minds.budget import CallStore, Thinking
from sandbox.minds.client import PAUSE
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.language_mind import PROMPTS, LanguageMind, share_models
from sandbox.minds.prompt_form import Prompt
from sandbox.minds.spec import MindSpec


class MindPerPerson:
    """One mind for some people each, and one for all others."""

    def __init__(self, default: Mind, people: Mapping[str, Mind]) -> None:
        self._default = default
        self._people = dict(people)

    @property
    def minds(self) -> tuple[Mind, ...]:
        """All minds, each once."""
        return tuple({id(mind): mind for mind in (self._default, *self._people.values())}.values())

    def _of(self, q: Question) -> Mind:
        return self._people.get(q.who, self._default)

    def reads(self, question: Question) -> bool:
        """Whether that person's mind reads the brief."""
        return self._of(question).reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order; all minds work at the same time."""
        parts: dict[int, tuple[Mind, list[int]]] = {}
        for i, q in enumerate(questions):
            mind = self._of(q)
            parts.setdefault(id(mind), (mind, []))[1].append(i)
        answers: list[Answer | None] = [None] * len(questions)
        async with asyncio.TaskGroup() as group:
            asked = [
                (places, group.create_task(mind.answer([questions[i] for i in places], step, wave)))
                for mind, places in parts.values()
            ]
        for places, task in asked:
            for i, found in zip(places, task.result(), strict=True):
                answers[i] = found
        return [found for found in answers if found is not None]


def choose(
    spec: MindSpec,
    embedded: EmbeddedMind,
    store: CallStore,
    *,
    prompts: Sequence[Prompt] = PROMPTS,
    pause: float = PAUSE,
) -> tuple[Mind, Thinking | None]:
    """The mind that a specification describes, and its counters (None if it needs no time). prompts, pause: as for
    `LanguageMind`. Call `close_mind` at the end.
    """
    if not spec.models:
        return embedded, None
    shared = share_models(spec, store)
    made = {model: LanguageMind(model, spec, embedded, shared, prompts=prompts, pause=pause) for model in spec.models}
    default: Mind = embedded if spec.default is None else made[spec.default]
    people: dict[str, Mind] = {
        who: embedded if model is None else made[model] for who, model in spec.people.items() if model != spec.default
    }
    return (MindPerPerson(default, people) if people else default), shared.thinking


async def close_mind(mind: Mind) -> None:
    """Close the connections of a mind."""
    for each in mind.minds if isinstance(mind, MindPerPerson) else (mind,):
        if isinstance(each, LanguageMind):
            await each.close()
