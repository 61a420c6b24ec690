"""A domain: all that a package of the town's life declares of itself. The world, the step, snapshots, parameters and
the reading of logs follow from the list of domains (`sandbox/domains.py`, `engine/registry.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, NamedTuple

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.core.protocols import Answer, Question, Step
from sandbox.core.questions import QuestionSpec


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody outside asks of the town: a player, a director, a policy. It is the only way in.

    by: the resident as whom they act, "" for nobody. AWAY: whether that may be one who has left town.
    """

    AWAY: ClassVar[bool] = False
    by: str = ""


class CommandEvent(NamedTuple):
    """An event that a command becomes, and whose it is."""

    event: Event
    actor: str = ""
    causes: tuple[int, ...] = ()


Rule = Callable[[Any, Any], Sequence[CommandEvent]]
Again = Callable[[Any, Stamp], Command]
Answers = Callable[[Any, Any], Answer | None]
Handler = Callable[[Any, Any, Stamp], None]
Memory = Callable[[Any, Any, Stamp], None]
Runs = Callable[[Step, Any], Awaitable[None]]


class Phase(IntEnum):
    """Where in a step a system runs. There is room between two places for what comes to be."""

    GUESTS = 4
    CARDS = 5
    SEE = 10
    PLAYED = 15
    LIVE = 20
    TALK = 30
    CONSEQUENCES = 40
    SWAYED = 45
    LIVE_ON = 50
    FEEL = 60
    NEEDS = 70
    MONEY = 80
    FEED = 85
    PHONES = 87
    PHONE_BY_HAND = 88
    DECISIONS = 90
    SHOWDOWNS = 95
    PRESSURES = 100
    TRUTH = 105
    TIES = 106
    HOMES = 107
    GOALS = 108
    REFLECT = 110
    TURNING = 115
    PLAYER = 120
    BETS = 125


def merge_handlers(*tables: Mapping[type[Event], Handler]) -> dict[type[Event], Handler]:
    """Tables of handlers as one: where several have an event, it goes to each of them, in their order."""
    out: dict[type[Event], Handler] = {}
    for table in tables:
        for event, handler in table.items():
            out[event] = _both(out[event], handler) if event in out else handler
    return out


def _both(first: Handler, second: Handler) -> Handler:
    def handle(w: Any, e: Any, stamp: Stamp) -> None:
        first(w, e, stamp)
        second(w, e, stamp)

    return handle


@dataclass(frozen=True)
class System:
    """Something that happens in each step. make: makes it for one engine (a system may keep caches); places: where in
    the step it runs.
    """

    make: Callable[[], Runs]
    places: tuple[int, ...]


@dataclass(frozen=True)
class ParameterTable:
    """Numbers that a world may change. group: the first word of their keys; name: of the world's attribute; make: what
    becomes of the table before it is used.
    """

    group: str
    name: str
    type: type[msgspec.Struct]
    make: Callable[[Any], Any] = lambda table: table


@dataclass(frozen=True)
class State:
    """A part of the world that events change. name: of the world's attribute.

    found: world -> what it is at the start. check: (world, state, second) raises ValueError if a snapshot cannot be of
    this world. parts: its fields that a snapshot holds under their own names; none = the whole, under `name`. later: it
    came after the first saves, and is left out of a snapshot while it is as it was at the start. proof: of a state that
    is too large for a snapshot: state -> some bytes that tell two of them apart, b"" at the start. A snapshot holds
    these; after a jump the state is made again from the events that its domain handles, and compared.
    """

    name: str
    type: type
    found: Callable[[Any], Any]
    check: Callable[[Any, Any, int], None] = lambda world, state, now: None
    parts: tuple[str, ...] = ()
    later: bool = False
    proof: Callable[[Any], bytes] | None = None


@dataclass(frozen=True)
class Domain:
    """A part of the town's life.

    states: what of it changes. tables: its parameters. settle: (world, scenario) sets on a new world what of the
    scenario concerns it and never changes. derive: (world) sets what follows from the state, once that is whole: as the
    world begins, and after a jump. handlers: what each event does to the state; several domains may handle one
    event, in the order of domains. memories: what each event leaves in people's memories. systems: what it does in a
    step. questions: what it asks minds. commands: (world, command) -> the acts it becomes; raises ValueError, in a
    sentence for whoever gave it, where it cannot be. again: of an event that a command became, the command: for whoever
    lives its step again without another one. answers: (world, question) -> what a player has already said to it, None
    to ask the mind. upcasters: (kind, version) -> content of an old event to that of the next version.
    """

    name: str
    states: tuple[State, ...] = ()
    tables: tuple[ParameterTable, ...] = ()
    settle: Callable[[Any, Any], None] = lambda world, scenario: None
    derive: Callable[[Any], None] = lambda world: None
    handlers: Mapping[type[Event], Handler] = field(default_factory=dict)
    memories: Mapping[type[Event], Memory] = field(default_factory=dict)
    systems: tuple[System, ...] = ()
    questions: tuple[QuestionSpec, ...] = ()
    commands: Mapping[type[Command], Rule] = field(default_factory=dict)
    again: Mapping[type[Event], Again] = field(default_factory=dict)
    answers: Mapping[type[Question], Answers] = field(default_factory=dict)
    upcasters: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = field(default_factory=dict)
