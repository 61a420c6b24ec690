"""Tables derived from the list of domains: event types, their handlers and memories, systems in step order, parameters,
parts of a snapshot, decoders of log rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, get_type_hints

import msgspec

from sandbox.core.domain import Again, Answers, Command, CommandEvent, Domain, Handler, Memory, Runs
from sandbox.core.events import Event, EventRow, Record, Stamp
from sandbox.core.fields import Field, fields, plainly
from sandbox.core.protocols import Question
from sandbox.domains import DOMAINS
from sandbox.engine.domain import RUNNING
from sandbox.people.guest_model import in_town

# The head of a snapshot. now: t at the end of step `step`. last: person -> t of their last event.
HEAD = {"step": int, "now": int, "seq": int, "step_seconds": int, "next_seconds": int, "last": dict[str, int]}
_new = tuple.__new__  # faster; a replay makes hundreds of thousands of stamps a second
_causes = msgspec.json.Decoder(tuple[int, ...])


class BadRow(ValueError):
    """A row of the log that cannot be decoded."""


class Registry:
    """All domains combined. Raises ValueError if two declare the same thing, or one has a memory or decoder for an
    event without a handler.
    """

    def __init__(self, domains: Iterable[Domain]) -> None:
        self.domains = tuple(domains)
        self.states = tuple(state for d in self.domains for state in d.states)
        self.tables = tuple(table for d in self.domains for table in d.tables)
        self.handlers: dict[type[Event], tuple[Handler, ...]] = {}
        self.memories: dict[type[Event], Memory] = {}
        for d in self.domains:
            for event, handler in d.handlers.items():
                self.handlers[event] = (*self.handlers.get(event, ()), handler)
            self.memories |= d.memories
        # Handlers that rebuild the states which no snapshot holds.
        self.rebuilders: dict[type[Event], Handler] = {
            event: handler
            for d in self.domains
            if any(state.proof for state in d.states)
            for event, handler in d.handlers.items()
        }
        self.events: dict[str, type[Event]] = {e.KIND: e for e in self.handlers}
        # Old rows are upgraded by these: (kind, version) -> content of the next version.
        self.upcasters = {key: up for d in self.domains for key, up in d.upcasters.items()}
        # To repeat a player's acts: event -> the command that caused it.
        self.again: dict[type[Event], Again] = {event: make for d in self.domains for event, make in d.again.items()}
        # Answers given by the player instead of a mind: type of question -> function that returns one, or None.
        self.answers: dict[type[Question], Answers] = {q: made for d in self.domains for q, made in d.answers.items()}
        self._rules = {command: rule for d in self.domains for command, rule in d.commands.items()}
        self._decoders: dict[str, tuple[int, Callable[[str], Event]]] = {}  # of kinds that have been read
        self._sound()

    # Made when first asked for: to take types apart is a fifth of a start.

    @cached_property
    def parameters(self) -> dict[str, Field]:
        """Parameters that a world may change, by dotted key; each table declares their ranges (core/fields.py)."""
        return {f"{t.group}.{name}": field for t in self.tables for name, field in fields(t.type).items()}

    @cached_property
    def snapshot(self) -> msgspec.msgpack.Decoder[Any]:
        """The decoder of a snapshot."""
        held: list[Any] = [*HEAD.items(), ("seed", int | None, None)]
        for state in self.states:
            if state.proof is not None:
                held.append((state.name, bytes, b""))
                continue
            types = get_type_hints(state.type)
            for name, type_ in [(part, types[part]) for part in state.parts] or [(state.name, state.type)]:
                held.append((name, type_ | None, None) if state.later else (name, type_))
        return msgspec.msgpack.Decoder(msgspec.defstruct("Snapshot", sorted(held, key=len), kw_only=True))

    def _decoder(self, kind: str) -> tuple[int, Callable[[str], Event]] | None:
        """The version of a kind of event, and what decodes its rows; None if there is no such kind."""
        if kind not in self._decoders and kind in self.events:
            event = self.events[kind]
            self._decoders[kind] = event.VERSION, msgspec.json.Decoder(event).decode
        return self._decoders.get(kind)

    def _sound(self) -> None:
        once = {
            "domain": [d.name for d in self.domains],
            "state": [name for s in self.states for name in s.parts or (s.name,)],
            "table of parameters": [t.group for t in self.tables],
            "kind of event": [e.KIND for e in self.handlers],
            "command": [c.__name__ for d in self.domains for c in d.commands],
            "memory of": [e.KIND for d in self.domains for e in d.memories],
            "command again": [e.KIND for d in self.domains for e in d.again],
            "answer": [q.__name__ for d in self.domains for q in d.answers],
        }
        for what, names in once.items():
            if twice := {name for name in names if names.count(name) > 1}:
                raise ValueError(f"declared twice: {what} {', '.join(sorted(twice))}")
        unknown = {e.KIND for e in self.memories if e not in self.handlers}
        unknown |= {e.KIND for e in self.again if e not in self.handlers}
        unknown |= {kind for kind, _ in self.upcasters if kind not in self.events}
        if unknown:
            raise ValueError(f"no domain handles {', '.join(sorted(unknown))}")

    def systems(self) -> tuple[Runs, ...]:
        """New systems for one engine, in step order."""
        made = [(system, system.make()) for d in self.domains for system in d.systems]
        placed = [(place, i, run) for i, (system, run) in enumerate(made) for place in system.places]
        return tuple(run for _, _, run in sorted(placed, key=lambda one: one[:2]))

    def tuned(self, changed: Mapping[str, Any]) -> dict[str, Any]:
        """The parameter tables by group, with the changed keys set. Raises ValueError for an unknown key, and for a
        value of a wrong type or out of range.
        """
        values: dict[str, dict[str, Any]] = {t.group: {} for t in self.tables}
        named = {f"{t.group}.{name}" for t in self.tables for name in t.type.__struct_fields__}
        for key, value in changed.items():
            if key not in named:
                raise ValueError(f'there is no parameter "{key}"')
            group, _, name = key.partition(".")
            values[group][name] = value
        out: dict[str, Any] = {}
        for t in self.tables:
            try:
                out[t.group] = msgspec.convert(values[t.group], t.type)
            except msgspec.ValidationError as error:
                raise ValueError(f"parameter {t.group}: {error}") from None
        return out

    def acts(self, world: Any, command: Command) -> Sequence[CommandEvent]:
        """The events of a command now. Raises ValueError, with a sentence, if it is impossible."""
        rule = self._rules.get(type(command))
        if rule is None:
            raise ValueError(f"nothing here answers to {type(command).__name__}")
        if command.by and command.by not in world.cast:
            raise ValueError(f"there is nobody called {command.by} in this town")
        if command.by and not command.AWAY and not in_town(world, command.by):
            raise ValueError(f"{command.by} has left town, and does nothing in it")
        return rule(world, command)

    def decode(self, row: EventRow) -> Record:
        """The record in a row, upgraded if it is old. Raises BadRow."""
        seq, step, t, kind, v, actor, causes, data = row
        known = self._decoders.get(kind) or self._decoder(kind)
        if known is None:
            raise BadRow(f'event {seq}: unknown kind "{kind}"')
        version, read = known
        try:
            if v != version:
                data = self._upcast(kind, v, version, data)
            stamp = _new(Stamp, (seq, step, t, actor, () if causes == "[]" else _causes.decode(causes)))
            return _new(Record, (stamp, read(data)))
        except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError, AttributeError) as error:
            raise BadRow(f"event {seq} ({kind}): {plainly(error)}") from error

    def _upcast(self, kind: str, v: int, to: int, data: str) -> str:
        content = msgspec.json.decode(data, type=dict[str, Any])
        while v != to:
            step: Callable[[dict[str, Any]], dict[str, Any]] | None = self.upcasters.get((kind, v))
            if step is None:
                raise BadRow(f'no way from version {v} of "{kind}" to {to}')
            content, v = step(content), v + 1
        return msgspec.json.encode(content).decode()


REGISTRY = Registry((RUNNING, *DOMAINS))
EVENTS = REGISTRY.events
REMEMBER = REGISTRY.memories
decode = REGISTRY.decode
