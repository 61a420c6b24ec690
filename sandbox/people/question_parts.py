"""What questions share: memories as they are shown, what those amount to, and whom and what samples are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.protocols import Question
from sandbox.people.memory_columns import Form
from sandbox.people.model import Insight
from sandbox.people.mood import Pad
from sandbox.people.persona import BigFive, Persona, Routine

MOVED = 0.12  # pleasure that speaks of good or ill
STIRRED = 0.45  # pleasure of a time that asks for its reason


class ShownMemory(msgspec.Struct, frozen=True):
    """A memory as a question shows it. pleasure: what it did to that axis of the mood; t: when it was; form: what its
    text is.
    """

    id: int
    kind: str
    text: str
    about: tuple[str, ...]
    poignancy: int
    pleasure: float
    topic: str
    t: int = 0
    form: Form = ""


class LookBack(Question, frozen=True):
    """What the three questions of a reflection share. names: first names of those in the memories; feelings: for them,
    in [-1, 1], as far as there are any; mood: PAD.
    """

    memories: tuple[ShownMemory, ...] = ()
    names: dict[str, str] = {}
    feelings: dict[str, float] = {}
    persona: Persona | None = None
    mood: Pad = Pad(0.0, 0.0, 0.0)


def weightiest(memories: Iterable[ShownMemory]) -> list[ShownMemory]:
    """The weightiest first."""
    return sorted(memories, key=lambda m: (-m.poignancy - 10.0 * abs(m.pleasure), -m.id))


def insight_fault(looks: Sequence[ShownMemory], insights: Sequence[Insight]) -> str:
    """What is wrong with insights that are to rest on these memories; "" if nothing is."""
    ids = {m.id for m in looks}
    if any(set(i.evidence) - ids or not 1 <= i.poignancy <= 10 or not i.text for i in insights):
        return "an insight without words, of no weight, or on memories that were not shown"
    return ""


ANN = Persona(
    "ann", "Ann Lee", 40, "lee", "baker", "Lee House / bedroom", BigFive(0.1, 0.3, 0.2, 0.1, 0.0),
    Routine(6 * HOUR, 22 * HOUR, ()), traits=("brisk", "kind"), likes=("rye",), concerns=("the oven",),
)  # fmt: skip
LOOKS = (
    ShownMemory(3, "chat", "talked with Bo about rain", ("bo",), 3, 0.1, "rain"),
    ShownMemory(5, "event", "Bo brought back the wheelbarrow", ("bo",), 5, 0.3, "the wheelbarrow"),
)
SHOWN: dict[str, Any] = {"memories": LOOKS, "names": {"bo": "Bo"}, "feelings": {"bo": 0.2}, "persona": ANN}
