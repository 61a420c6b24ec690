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

    fault: why it is not the answer of the mind that was meant to give it, but of the embedded one; "" if it is.
    """

    fault: str = ""


class Brief(msgspec.Struct, frozen=True):
    """What somebody may know of themselves and the moment, in words and without a number of their mood: what a mind
    that reads needs beside the question. Only what its owner knows is in it.

    day: number of the day. name: the first name. persona: who they are. mood: how they feel and why, two or three
    sentences. now: the hour, where they are and what they do. other: whom they have to do with, and what that person
    is to them. memories: what comes to mind, the most fitting first. said: the talk so far, (first name, words) a
    line. matter: what presses them to it. names: id -> first name of all who are named.
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
    """What all questions have. now: the second of the decision. brief: set if the mind that is asked reads it
    (`Mind.reads`).
    """

    now: int = 0
    brief: Brief | None = None


class Question(Briefed, frozen=True):
    """What a mind is asked: all it may know, as plain values. `who` is the person who decides.

    `n` tells questions of one type to one person at one second apart, so that each has its own chance.
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
        """The stream of random numbers of that name in this step. No name holds the number of an event or a count of
        events: one more of them would make all that follows another town.
        """
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


def by_lot(step: Step, purpose: str, items: Iterable[T], name: Callable[[T], tuple[str, int]]) -> list[T]:
    """The items in an order of chance. name: of the stream that draws an item's place (agent, n).

    Each draws its own, so that one more of them leaves the others in the order they have.
    """
    return sorted(items, key=lambda item: (step.chance(name(item)[0], purpose, name(item)[1]).unit(), name(item)))
