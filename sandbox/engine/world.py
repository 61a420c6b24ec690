"""The world: a scenario and its current state, which only `apply` changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import msgspec

from sandbox.core.chance import Chance
from sandbox.core.clock import Clock, parse_start
from sandbox.core.events import Record
from sandbox.core.plain import count_of, shown_as
from sandbox.domains import Lives
from sandbox.engine.registry import HEAD, REGISTRY, Registry
from sandbox.engine.scenario import Scenario, founding_of
from sandbox.feed.apply_blocks import take
from sandbox.feed.blocks import read
from sandbox.feed.change_recorder import next_block, start_noting
from sandbox.people.claim_handlers import closed
from sandbox.people.guest_model import GuestState
from sandbox.people.handbook import Handbook
from sandbox.people.memory import Memories
from sandbox.people.persona import Persona
from sandbox.people.planning import tile_to_sleep
from sandbox.town.plan import Rect, arena_of
from sandbox.town.ways import Ways

_encoder = msgspec.msgpack.Encoder()


class World(Lives):
    """The state and its static surroundings. Create with `found`, change by records with `apply`, end a step with
    `advance`.
    """

    def __init__(self, scenario: Scenario, registry: Registry = REGISTRY) -> None:
        self.scenario = scenario
        self.clock = Clock(parse_start(scenario.start))
        self.chance = Chance(scenario.seed)
        self.map = scenario.map
        self.files: dict[str, Persona] = {}
        self.cast: dict[str, Persona] = {}
        self.guests = GuestState()  # needed before any state is founded
        self._people(self.guests)
        others = (*(g.persona for g in scenario.guests), *(n.persona for n in scenario.newcomers))
        self.handbook = Handbook(self.cast, scenario.deck, self.map, scenario.drama, scenario.claims, others)
        self.rules = scenario.rules
        self.drama = scenario.drama
        self.registry = registry
        self._handlers = registry.handlers
        parameters = registry.tuned(scenario.parameters)
        for table in registry.tables:
            setattr(self, table.name, table.make(parameters[table.group]))
        for domain in registry.domains:
            domain.settle(self, scenario)
        self.step = 0
        self.now = 0
        self.seq = 0
        self.step_seconds = self.next_seconds = scenario.step
        self.last: dict[str, int] = {}
        for state in registry.states:
            setattr(self, state.name, state.found(self))
        self._derive()
        self.memories = self._no_memories()
        self._proofs: dict[str, bytes] = {}  # checksums of states that must be rebuilt from events

    def __repr__(self) -> str:
        when = f"{self.clock.at(self.now):%Y-%m-%d %H:%M}, {count_of(self.seq, 'event')}"
        return shown_as(
            self, f"{self.scenario.title}, {len(self.cast)} people, {when}", ".cast, .people, .map, .scenario"
        )

    def _people(self, guests: GuestState) -> None:
        """Set who lives here: the cast and those who have come since. In place, since others hold the same dicts."""
        for people in (self.files, self.cast):
            people.clear()
            people |= {p.id: p for p in self.scenario.cast}
            people |= {who: stay.persona for who, stay in guests.stays.items()}

    def _derive(self) -> None:
        for domain in self.registry.domains:
            domain.derive(self)

    def _no_memories(self) -> Memories:
        moods = self.mood_parameters.on
        return Memories(self.cast, self.handbook, self.registry.memories, self.memory_parameters, moods)

    def bed_tile(self, who: str) -> int:
        """The tile of somebody's own bed, or of another in their room."""
        return tile_to_sleep(self, who)

    # ---- what decisions look at

    @cached_property
    def ways(self) -> Ways:
        """Paths and lines of sight; made on first use (a replay never needs them)."""
        return Ways(self.map, self.scenario.parts, self.town_parameters.vision)

    @cached_property
    def _leisure(self) -> dict[Rect, tuple[tuple[str, str], ...]]:
        found: dict[Rect, set[tuple[str, str]]] = {}
        slots = [s for p in self.scenario.cast for d in p.routine.days for s in d.slots]
        for s in slots:
            area = self.map.areas.get(arena_of(s.where))  # none for "home" and "work"
            if self.handbook.kind(s.do) == "leisure" and area is not None and "home" not in area.arena.tags:
                found.setdefault(self.ways.part(area.tiles[0]), set()).add((s.do, area.address))
        return {part: tuple(sorted(pairs)) for part, pairs in found.items()}

    def leisure(self, who: str) -> tuple[tuple[str, str], ...]:
        """(block, arena) pairs that people of this person's town do for leisure, in places open to all."""
        found = self._leisure.get(self.ways.part(self.map.areas[self.cast[who].home].tiles[0]), ())
        shut = bool(self.uses or self.conditions.open)
        return tuple(pair for pair in found if not closed(self, pair[1])) if shut else found

    # ---- the only ways it changes

    @classmethod
    def found(cls, founding: Record, remember: bool = True) -> World:
        """The world of event 1. remember: build memories as events come (else they are read from the log on demand)."""
        world = cls(founding_of(founding).scenario)
        world.seq = founding.stamp.seq
        world.memories.live = remember
        return world

    def apply(self, record: Record) -> None:
        """Change the state by an event. Raises KeyError or ValueError if it does not fit the state."""
        stamp, event = record
        for handler in self._handlers[type(event)]:
            handler(self, event, stamp)
        self.seq, _, t, actor, _ = stamp
        if actor:
            self.last[actor] = t
            for who in event.touches():
                self.last[who] = t
        if self.memories.live:
            self.memories.fold(record)

    def advance(self, step: int) -> None:
        """End a step."""
        self.step = step
        self.now += self.step_seconds
        self.step_seconds = self.next_seconds

    # ---- snapshots

    def snapshot(self) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        out: dict[str, Any] = {name: getattr(self, name) for name in HEAD}
        later: dict[str, Any] = {}
        for state in self.registry.states:
            value = getattr(self, state.name)
            if state.proof is not None:
                later |= {state.name: proof} if (proof := state.proof(value)) else {}
                continue
            parts = {name: getattr(value, name) for name in state.parts} or {state.name: value}
            if not state.later:
                out |= parts
            elif value != state.found(self):
                later |= parts
        out["seed"] = self.chance.seed if self.chance.seed != self.scenario.seed else None
        return _encoder.encode(out | later)

    def restore(self, data: bytes) -> None:
        """Load the state from a snapshot of this scenario. Raises ValueError if it is not one.

        States that no snapshot holds are as at the start: call `rebuild` with the events of `rebuild_kinds` up to the
        snapshot, then `check_rebuilt`.
        """
        try:
            found = self.registry.snapshot.decode(data)
        except msgspec.MsgspecError as error:
            raise ValueError(f"no snapshot: {error}") from error
        people, before = getattr(found, "guests", None) or GuestState(), self.guests
        self._people(people)
        try:
            taken = self._taken(found)
        except ValueError as error:
            self._people(before)
            raise ValueError(f"no snapshot of this world: {error}") from error
        for name, value in [*taken.items(), *((name, getattr(found, name)) for name in HEAD)]:
            setattr(self, name, value)
        self._derive()
        self.chance.seed = self.scenario.seed if found.seed is None else found.seed
        self.memories = self._no_memories()
        self.memories.live = False

    def _taken(self, found: Any) -> dict[str, Any]:
        """The checked states of a snapshot. Raises ValueError if one belongs to another world."""
        taken: dict[str, Any] = {}
        fresh = self.seq <= 1
        for state in self.registry.states:
            if state.proof is not None:
                self._proofs[state.name] = getattr(found, state.name)
                if not fresh:
                    taken[state.name] = state.found(self)
                continue
            parts = [getattr(found, name) for name in state.parts or (state.name,)]
            value = state.found(self) if parts[0] is None else state.type(*parts) if state.parts else parts[0]
            state.check(self, value, found.now)
            taken[state.name] = value
        return taken

    @property
    def rebuild_kinds(self) -> Collection[str]:
        """The kinds of event that rebuild the states which no snapshot holds."""
        return {event.KIND for event in self.registry.rebuilders}

    @property
    def bulk(self) -> int:
        """Rough size in bytes of one event: with a crowd, one event has all that it does in a tick."""
        return self.feed.crowd

    def rebuild(self, record: Record) -> None:
        """Replay an event from before the snapshot, for the states that it does not hold."""
        self.registry.rebuilders[type(record.event)](self, record.event, record.stamp)

    def check_rebuilt(self) -> None:
        """Raise ValueError unless the rebuilt states match the checksums in the snapshot."""
        for state in self.registry.states:
            if state.proof is not None and state.proof(getattr(self, state.name)) != self._proofs.get(state.name, b""):
                raise ValueError(f"the {state.name} that its events make is not the one it was taken of")
        self._proofs.clear()

    def rebuild_from_blocks(self, kept: Sequence[bytes]) -> int:
        """Load the feed from its blocks (`feed/blocks.py`), from the first on, instead of from its events; return the
        last event covered. Raises ValueError for a bad block; then call `reset_rebuilt`.
        """
        return take(self.feed, [read(data) for data in kept])

    def reset_rebuilt(self) -> None:
        """Reset the states that no snapshot holds to those at the start."""
        for state in self.registry.states:
            if state.proof is not None:
                setattr(self, state.name, state.found(self))

    def note_feed(self, seq: int) -> None:
        """Record changes of the feed after that event, so that `feed_block` can return them."""
        start_noting(self.feed, seq)

    def feed_block(self) -> tuple[int, bytes] | None:
        """(last event, changes of the feed since the last block); None if there are none."""
        return next_block(self.feed, self.seq)
