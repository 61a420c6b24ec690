"""A domain: all that one package of the town declares about itself. World, step, snapshots, parameters and log reading
are built from the list of domains (`sandbox/domains.py`, `engine/registry.py`).
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

    by: the resident who acts, "" for nobody. AWAY: whether a resident who has left town may act.
    """

    AWAY: ClassVar[bool] = False
    by: str = ""


class CommandEvent(NamedTuple):
    """An event made by a command, and the actor it belongs to."""

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
    """Where in a step a system runs. Numbers leave gaps for systems added later."""

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
    HELP = 109
    REFLECT = 110
    TURNING = 115
    PLAYER = 120
    BETS = 125


def merge_handlers(*tables: Mapping[type[Event], Handler]) -> dict[type[Event], Handler]:
    """Merge tables of handlers. An event that several tables handle goes to each handler, in the order of tables."""
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
    """Something that happens in each step. make: makes it for one engine (a system may keep caches); places: the phases
    in which it runs.
    """

    make: Callable[[], Runs]
    places: tuple[int, ...]


@dataclass(frozen=True)
class ParameterTable:
    """Numbers that a world may change. group: first word of their keys; name: of the world's attribute; make: converts
    the table before it is used.
    """

    group: str
    name: str
    type: type[msgspec.Struct]
    make: Callable[[Any], Any] = lambda table: table


@dataclass(frozen=True)
class State:
    """A part of the world that events change. name: of the world's attribute.

    found: world -> the state at the start. check: (world, state, second) raises ValueError if a snapshot's state does
    not fit this world. parts: fields that a snapshot stores under their own names; none = the whole, under `name`.
    later: added after the first saves, so a snapshot omits it while it is as at the start. proof: for a state too large
    for a snapshot: state -> bytes that differ if two states do, b"" at the start. A snapshot holds these bytes; after a
    jump the state is rebuilt from the events that its domain handles, and compared.
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

    states: its changing state. tables: its parameters. settle: (world, scenario) sets on a new world what the scenario
    says about this domain and never changes. derive: (world) sets what follows from the complete state, when the world
    begins and after a jump. handlers: what each event does to the state; several domains may handle one event, in the
    order of domains. memories: what people remember of each event. systems: what it does in a step. questions: what it
    asks minds. commands: (world, command) -> the acts it becomes; raises ValueError, with a sentence for whoever gave
    it, if it is impossible. again: an event made by a command -> that command, for running its step again without
    another command. answers: (world, question) -> what a player has already answered, None to ask the mind. upcasters:
    (kind, version) -> function from the content of an old event to that of the next version.
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
