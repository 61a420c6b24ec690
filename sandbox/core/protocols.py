"""The contracts between rooms: questions, minds, and what a system may do in a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.events import Event, Record

T = TypeVar("T")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a mind returns: a typed value, never a change of the world.

    fault: why the embedded mind answered instead of the intended one; "" if the intended one did.
    """

    fault: str = ""


class Brief(msgspec.Struct, frozen=True):
    """What a person may know of themselves and the moment, in words, without a number for their mood: what a mind that
    reads text needs besides the question. It holds only what that person knows.

    day: number of the day. name: first name. persona: who they are. mood: how they feel and why, two or three
    sentences. now: the hour, where they are and what they do. other: the person they deal with, and the relationship.
    memories: retrieved memories, the most relevant first. said: the talk so far, (first name, words) per line. matter:
    the pressures behind the decision. names: id -> first name of everybody named.
    """

    day: int
    name: str
    persona: str
    mood: str
    now: str
    other: str = ""
    memories: tuple[str, ...] = ()
    said: tuple[tuple[str, str], ...] = ()
    matter: str = ""
    names: dict[str, str] = {}


class Briefed(msgspec.Struct, frozen=True, kw_only=True):
    """What all questions have. now: the second of the decision. brief: set only if the mind asked reads it
    (`Mind.reads`).
    """

    now: int = 0
    brief: Brief | None = None


class Question(Briefed, frozen=True):
    """What a mind is asked: all it may know, as plain values. `who` is the person who decides.

    `n` distinguishes questions of one type to one person in one second, so that each has its own random stream.
    """

    who: str
    n: int = 0


class Mind(Protocol):
    """Anything that answers questions."""

    def reads(self, question: Question) -> bool:
        """Whether it answers this question from its brief. The engine makes briefs for those that do."""
        ...

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order, of the type the question calls for.

        wave: how many batches of this type the step has asked before. (step, wave, who, type, n) names a call.
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
        """The random stream of that name in this step. A name must not contain an event number or a count of events:
        one more event would then change everything that follows.
        """
        ...

    def lots(self, agents: Iterable[str], purpose: str) -> list[float]:
        """The first number of the stream of each agent."""
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
        """Report memories that came to mind in a decision: at the step's end each person gets one `recalled` event."""
        ...

    async def breathe(self) -> None:
        """Let the screen update if this step has worked for some milliseconds."""
        ...


def by_lot(step: Step, purpose: str, items: list[T], name: Callable[[T], tuple[str, int]]) -> list[T]:
    """The items in a random order. name: (agent, n) of the stream that draws an item's place.

    Each item has its own stream, so that one more item leaves the order of the others unchanged.
    """
    if len(items) < 2:
        return [*items]
    return sorted(items, key=lambda item: (step.chance(name(item)[0], purpose, name(item)[1]).unit(), name(item)))


class JournalFull(Exception):
    """The journal cannot write a step (disk full). The step waits in memory; do not write it again. code: exit code."""

    code = 1
