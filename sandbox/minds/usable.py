"""A mind whose answers a world can take, whatever mind gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from sandbox.core.protocols import Answer, Mind, Question
from sandbox.minds.check import fault_of
from sandbox.minds.embedded.mind import EmbeddedMind
from sandbox.minds.questions import spec_of


class Usable:
    """Another mind; where its answer is not one of those possible, the embedded mind's, which says why.

    Of answers that no event takes as they come (`QuestionSpec.taken`) the systems themselves use what they can.
    embedded: gives the embedded mind, which takes a while to make, once it is needed.
    """

    def __init__(self, mind: Mind, embedded: Callable[[], EmbeddedMind]) -> None:
        self._mind = mind
        self._embedded = embedded

    def reads(self, question: Question) -> bool:
        """Whether the mind does."""
        return self._mind.reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order."""
        answers = list(await self._mind.answer(questions, step, wave))
        for i, (q, answer) in enumerate(zip(questions, answers, strict=True)):
            if spec_of(q).taken and (fault := fault_of(q, answer)):
                (found,) = await self._embedded().answer([q], step, wave)
                answers[i] = msgspec.structs.replace(found, fault=fault)
        return answers
