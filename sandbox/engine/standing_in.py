"""The event that says where the embedded mind has answered for another: the world went on, and it can be seen why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from sandbox.core.events import Event, Stamp


class StandIn(msgspec.Struct, frozen=True, array_like=True):
    """An answer that was replaced. question: its type; fault: why."""

    question: str
    fault: str


class StoodIn(Event, frozen=True):
    """In this step the embedded mind answered for the actor's own."""

    KIND: ClassVar[str] = "stood_in"
    answers: tuple[StandIn, ...]


def _nothing(w: Any, e: StoodIn, at: Stamp) -> None:
    """What was answered has events of its own."""


HANDLERS: dict[type[Event], Callable[..., None]] = {StoodIn: _nothing}
