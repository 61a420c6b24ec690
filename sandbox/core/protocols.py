"""The contracts between rooms: questions, minds, and what a system may do in a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.events import Event, Record


class Answer(msgspec.Struct, frozen=True):
    """What a mind returns: a typed value, never a change of the world."""


class Question(msgspec.Struct, frozen=True):
    """What a mind is asked: all it may know, as plain values. `who` is the person who decides.

    `n` tells questions of one type to one person within a step apart, so that each has its own chance.
    """

    who: str
    n: int = 0


class Mind(Protocol):
    """Anything that answers questions."""

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order, of the type the question calls for.

        wave: how many batches of this type the step has asked before. (step, wave, who, type, n) names a question.
        """
        ...


class Step(Protocol):
    """What a system sees of the step it runs in.

    now and end bound the slice of the step that is being made: a long step is made in slices of a few minutes, each by
    all systems in turn, so that who meets whom does not depend on the step's length.
    """

    number: int
    now: int
    end: int

    @property
    def happened(self) -> Sequence[Record]:
        """What has been emitted in this step so far, in order."""
        ...

    def chance(self, agent: str, purpose: str, n: int = 0) -> Stream:
        """The stream of random numbers of that name in this step."""
        ...

    async def ask(self, questions: Sequence[Question]) -> list[Any]:
        """Put a batch of questions to the minds; answers come in order."""
        ...

    def emit(self, event: Event, *, t: int | None = None, actor: str = "", causes: tuple[int, ...] = ()) -> int:
        """Apply the event at once and return its number. t defaults to the step's start.

        Raises ValueError if t lies outside the step or before the actor's last event.
        """
        ...

    def recall(self, who: str, ids: Sequence[int]) -> None:
        """These memories came to mind in a decision; one `recalled` event a person tells so at the end of the step."""
        ...

    async def breathe(self) -> None:
        """Let the screen have a turn if this step has worked for some milliseconds."""
        ...
