"""The World: a scenario and what has become of it. It changes by `apply` and by nothing else."""

from __future__ import annotations

from functools import cached_property

import msgspec

from sandbox.core.chance import Chance
from sandbox.core.clock import Clock, parse_start
from sandbox.core.events import Record
from sandbox.engine.parameters import tables
from sandbox.engine.registry import HANDLERS, REMEMBER
from sandbox.engine.scenario import Founded, Scenario
from sandbox.people.beliefs import FIRSTHAND, MOST, WORST, BeliefParameters, BeliefState
from sandbox.people.handbook import Handbook
from sandbox.people.memory import Memories, MemoryParameters
from sandbox.people.model import (
    Block,
    PeopleState,
    PlanParameters,
    Resident,
)
from sandbox.people.mood import CALM, Mood, MoodParameters, effective, temperament
from sandbox.people.needs import NeedParameters
from sandbox.people.planning import asleep, resolve
from sandbox.people.pressures.model import PressureParameters, PressureState
from sandbox.people.pressures.waking import dealt
from sandbox.people.purse import Purse, wage
from sandbox.people.ties import Tie, TieCause, TieParameters
from sandbox.talk.model import TalkParameters, TalkState
from sandbox.town.calendar import Calendar
from sandbox.town.model import TownParameters, TownState
from sandbox.town.plan import Rect
from sandbox.town.rules import Spot
from sandbox.town.ways import Ways


class State(msgspec.Struct):
    """All that changes, as a snapshot holds it. now: t at the end of step `step`. last: person -> t of their last
    event. seed: of chance, if it is no longer the scenario's.
    """

    step: int
    now: int
    seq: int
    step_seconds: int
    next_seconds: int
    last: dict[str, int]
    town: TownState
    residents: dict[str, Resident]
    ties: dict[str, dict[str, Tie]]
    talk: TalkState
    pressures: PressureState = msgspec.field(default_factory=PressureState)
    beliefs: BeliefState = msgspec.field(default_factory=BeliefState)
    seed: int | None = None


STAY = 1800  # seconds that somebody goes on with what the opening has them do
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


class World:
    """State and its static surroundings. Make one with `found`; hand it records with `apply`; end a step with
    `advance`.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.clock = Clock(parse_start(scenario.start))
        self.chance = Chance(scenario.seed)
        self.map = scenario.map
        self.cast = {p.id: p for p in scenario.cast}
        self.handbook = Handbook(self.cast, scenario.deck, self.map, scenario.drama)
        drama = scenario.rules.get("drama") != "off"
        occasions = tuple(o if drama else msgspec.structs.replace(o, decides=None) for o in scenario.calendar)
        self.calendar = Calendar(occasions, self.clock)
        self.rules = scenario.rules
        table = tables(scenario.parameters)
        self.town_parameters: TownParameters = table["town"]
        self.mood_parameters: MoodParameters = effective(table["mood"])
        self.tie_parameters: TieParameters = table["ties"]
        self.memory_parameters: MemoryParameters = table["memory"]
        self.plan_parameters: PlanParameters = table["plan"]
        self.talk_parameters: TalkParameters = table["talk"]
        self.pressure_parameters: PressureParameters = table["pressures"]
        self.need_parameters: NeedParameters = table["needs"]
        self.belief_parameters: BeliefParameters = table["beliefs"]
        self.drama = scenario.drama
        self.money = scenario.money if drama else None
        self.cast_pressures = dealt(scenario.pressures, self.chance, self.pressure_parameters.drift)
        self.step = 0
        self.now = 0
        self.seq = 0
        self.step_seconds = self.next_seconds = scenario.step
        self.last: dict[str, int] = {}
        self.town = TownState({who: Spot(self._bed_tile(who), 0) for who in self.cast}, {})
        self.people = PeopleState({who: self._resident(who) for who in self.cast}, self._history())
        self.talk = TalkState()
        self.pressures = PressureState()
        self.beliefs = BeliefState()
        self.memories = self._no_memories()

    def _no_memories(self) -> Memories:
        p = self.memory_parameters
        return Memories(self.cast, self.handbook, REMEMBER, p.kept, p.tags and self.mood_parameters.on)

    def _resident(self, who: str) -> Resident:
        rest = temperament(self.cast[who].big_five) if self.mood_parameters.temperament else CALM
        routine = self.cast[who].routine
        awake = who in self.scenario.opening or not asleep(self.clock.second_of_day(0), routine.wake, routine.sleep)
        found = self.scenario.opening.get(who)
        join = Block(0, STAY, found.do, resolve(self.cast[who], found.where), "already there") if found else None
        purse = Purse(self._coins(who))
        return Resident(mood=Mood(rest, rest, 0, []), awake=awake, seen=[], acted=[], join=join, purse=purse)

    def _coins(self, who: str) -> int:
        """What somebody has at the start: what their file says, else a week's wage."""
        p = self.cast[who]
        if self.money is None:
            return 0
        return p.purse if p.purse is not None else wage(self.money, p.job, p.wage)

    def _bed_tile(self, who: str) -> int:
        area = self.map.areas[self.cast[who].home]
        beds = [t for t in area.things if "sleep" in t.affords and t.spots]
        mates = [p.id for p in self.cast.values() if p.home == self.cast[who].home]
        return beds[mates.index(who) % len(beds)].spots[0] if beds else area.tiles[0]

    def _history(self) -> dict[str, dict[str, Tie]]:
        out: dict[str, dict[str, Tie]] = {}
        for p in self.cast.values():
            row = out[p.id] = {}
            for past in p.history:
                if past.with_ in self.cast:
                    causes = [TieCause("feeling", past.feeling, 0, 0, past.why)]
                    row[past.with_] = Tie(past.closeness, past.feeling, 0, causes=causes)
        return out

    # ---- what decisions look at

    @cached_property
    def ways(self) -> Ways:
        """Paths and sight; made when first asked for (a replay never does)."""
        return Ways(self.map, self.scenario.parts, self.town_parameters.vision)

    @cached_property
    def _leisure(self) -> dict[Rect, tuple[tuple[str, str], ...]]:
        found: dict[Rect, set[tuple[str, str]]] = {}
        slots = [s for p in self.scenario.cast for d in p.routine.days for s in d.slots]
        for s in slots:
            area = self.map.areas.get(" / ".join(s.where.split(" / ")[:2]))  # none for "home" and "work"
            if self.handbook.kind(s.do) == "leisure" and area is not None and "home" not in area.arena.tags:
                found.setdefault(self.ways.part(area.tiles[0]), set()).add((s.do, area.address))
        return {part: tuple(sorted(pairs)) for part, pairs in found.items()}

    def leisure(self, who: str) -> tuple[tuple[str, str], ...]:
        """(block, arena) pairs that are leisure to people of this person's town, in places open to all."""
        return self._leisure.get(self.ways.part(self._bed_tile(who)), ())

    # ---- the only ways it changes

    @classmethod
    def found(cls, founding: Record, remember: bool = True) -> World:
        """The world of event 1. remember: fold memories as events come (else they are read from the log when asked
        for).
        """
        event = founding.event
        if not isinstance(event, Founded):
            raise ValueError(f"event 1 is {event.KIND}, not founded")
        world = cls(event.scenario)
        world.seq = founding.stamp.seq
        world.memories.live = remember
        return world

    def apply(self, record: Record) -> None:
        """Change the state as the event says. Raises KeyError or ValueError if the event does not fit the state."""
        stamp, event = record
        for handler in HANDLERS[type(event)]:
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
        """The changing state, as bytes; equal states give equal bytes."""
        return _encoder.encode(
            State(
                self.step,
                self.now,
                self.seq,
                self.step_seconds,
                self.next_seconds,
                self.last,
                self.town,
                self.people.residents,
                self.people.ties,
                self.talk,
                self.pressures,
                self.beliefs,
                self.chance.seed if self.chance.seed != self.scenario.seed else None,
            )
        )

    def restore(self, data: bytes) -> None:
        """Take the state from a snapshot of this scenario. Raises ValueError if it is none."""
        try:
            s = _decoder.decode(data)
        except msgspec.MsgspecError as error:
            raise ValueError(f"no snapshot: {error}") from error
        if set(s.residents) != set(self.cast) or set(s.town.spots) != set(self.cast):
            raise ValueError("no snapshot of this world: other people")
        for p in s.pressures.open.values():
            if p.kind not in self.drama.kinds or not {p.holder, p.about or p.holder, *p.known_by} <= self.cast.keys():
                raise ValueError("no snapshot of this world: other pressures")
        if not s.pressures.hurt.keys() <= self.cast.keys():
            raise ValueError("no snapshot of this world: other people are hurt")
        for talk in s.talk.open.values():
            if not {*talk.who} <= self.cast.keys() or (talk.answer and talk.do not in self.drama.exchanges):
                raise ValueError("no snapshot of this world: other talks")
        self._check(s.beliefs, s.now)
        self.step, self.now, self.seq = s.step, s.now, s.seq
        self.step_seconds, self.next_seconds, self.last = s.step_seconds, s.next_seconds, s.last
        self.chance.seed = self.scenario.seed if s.seed is None else s.seed
        self.town, self.talk, self.pressures, self.beliefs = s.town, s.talk, s.pressures, s.beliefs
        self.people = PeopleState(s.residents, s.ties)
        self.memories = self._no_memories()
        self.memories.live = False

    def _check(self, beliefs: BeliefState, now: int) -> None:
        """Raise ValueError if beliefs are held by, of or from people, places and facts that are not of this world."""
        people = self.cast.keys()
        for fact in beliefs.facts.values():
            if not {fact.a, fact.b or fact.a} <= people or fact.kind not in self.drama.kinds:
                raise ValueError("no snapshot of this world: other facts")
        for who, held in beliefs.held.items():
            for id, b in held.items():
                strange = {who, b.a, b.b or b.a, *b.told, *({b.source} - {*FIRSTHAND})} - people
                sound = 0 <= b.bad <= WORST and 0 <= b.strength <= MOST
                sound = sound and all(0 <= t <= now for t in (b.t, b.since))
                if strange or id != b.fact or id not in beliefs.facts or not sound:
                    raise ValueError("no snapshot of this world: other beliefs")
                if b.where and b.where not in self.map.areas:
                    raise ValueError("no snapshot of this world: other places")
