"""Deeds that broke a claim of somebody (a breach), and two questions: did others see or hear of it, and did the holder
of the claim notice? They noticed if they resented it, had it out with whoever acted against them, or lost the claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Stamp
from sandbox.drama.claims import breaches_by
from sandbox.drama.taking_sides import SHOWDOWN
from sandbox.engine.world import World
from sandbox.people.beliefs import EVENT, ROW, BeliefUpdate, Broke, Fact, Slots, broken_by, rows_of
from sandbox.people.claim_handlers import came_with
from sandbox.people.claim_model import FELLOW, TOLD, Broken, Claim, ClaimEvent, Made
from sandbox.people.guest_handlers import Came
from sandbox.people.pressure_deck import child_of
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.phones.model import Read
from sandbox.talk.model import Exchanged

WITHIN = 48 * HOUR  # seconds after a breach in which it can be seen or noticed
EVENTS = (Began, Stirred, Ended, Exchanged, Came, Made, Broken, Read)


@dataclass
class ClaimBreach:
    """A deed that broke a claim. claim: id; minders: who may resent it; third: the other one; child: the kind
    of pressure it can start. seen: others came to know. noticed: a minder resented it or had it out, or it ended.
    """

    t: int
    day: int
    claim: str
    minders: frozenset[str]
    breaker: str
    third: str
    child: str
    seen: bool = False
    noticed: bool = False


class Breaches:
    """Finds breaches. world: as the log begins. Counts deeds that truly happened, not what people believed. claims:
    those that hold now, by id.
    """

    def __init__(self, world: World) -> None:
        self._clock, self._people = world.clock, tuple(world.cast)
        self._table, self._kinds = world.claim_deck.breaches, world.claim_deck.kinds
        self._exchanges = world.drama.exchanges
        self.claims: dict[str, Claim | ClaimEvent] = {**world.claims.open}
        self._of: defaultdict[str, list[str]] = defaultdict(list, {who: [*ids] for who, ids in world.claims.of.items()})
        self._facts: dict[str, Fact] = {}
        self._deeds: defaultdict[str, list[ClaimBreach]] = defaultdict(list)  # by fact
        self._until = 0

    def read(self, stamp: Stamp, e: Event) -> None:
        """Take in the next event, of one of the types in EVENTS."""
        self._until = stamp.t
        if isinstance(e, Made):
            self._enter(e)
        elif isinstance(e, Came):
            for new in came_with(self._kinds, e):
                if new.id not in self.claims:
                    self._enter(new)
        elif isinstance(e, Broken):
            claim = self.claims.pop(e.id)
            for who in {claim.a, claim.b} - {""}:
                self._of[who].remove(e.id)
            for deed in (x for row in self._deeds.values() for x in row if x.claim == e.id):
                deed.noticed |= stamp.t <= deed.t + WITHIN
        elif isinstance(e, Began):
            self._minds(stamp, e.id, e.about)
            fact = Fact(e.id, e.id, e.kind, "", stamp.actor, e.about, "", 0, e.stakes, e.cause)
            self._done(stamp, fact, (stamp.actor, e.about, "", 0))
            self._known(stamp, fact, [who for who in e.known_by if who != e.about])
        elif isinstance(e, Stirred | Ended):
            if not e.OVER and e.how == "again":
                self._minds(stamp, e.id, e.to)
            self._happened(stamp, e)
        else:
            self._learned(stamp, rows_of(e))

    def _enter(self, claim: Claim | ClaimEvent) -> None:
        self.claims[claim.id] = claim
        for who in {claim.a, claim.b} - {""}:
            self._of[who].append(claim.id)

    def noticed(self, days: Collection[int]) -> tuple[int, int]:
        """Of the breaches on these days that others came to know of: how many were noticed, and how many there were."""
        past = [x for row in self._deeds.values() for x in row if x.day in days and x.t + WITHIN <= self._until]
        seen = [x for x in past if x.seen]
        return sum(x.noticed for x in seen), len(seen)

    # ---- what was done

    def _happened(self, stamp: Stamp, e: Stirred | Ended) -> None:
        """A quarrel or an ending that somebody saw is a fact of its own, and may be a breach."""
        if e.OVER and (e.done in self._exchanges or e.done == SHOWDOWN):
            self._had_out(stamp, e)
        row = next((x for x in e.learned if not x.fact), None)
        matter = self._facts.get(e.id)
        if row is not None and matter is not None:
            how = e.how if e.OVER else ROW
            fact = Fact(
                f"{EVENT}{stamp.seq}", e.id, matter.kind, how, *row.slots, matter.stakes, matter.cause
            )  # fmt: skip
            self._done(stamp, fact, row.slots)
        self._learned(stamp, e.learned)

    def _done(self, stamp: Stamp, fact: Fact, slots: Slots) -> None:
        """Add the breaches that a new fact is."""
        self._facts[fact.id] = fact
        table = breaches_by(self._table, fact.matter)
        fellows: dict[tuple[str, str], tuple[Broke, set[str]]] = {}
        for me in self._people:
            found = next(broken_by(table, self._theirs, me, fact, slots), None)
            if found is None or found.breach.by == TOLD:  # there passing it on is the breach, see _told_on
                continue
            if found.breach.with_ == FELLOW:
                fellows.setdefault((found.breaker, found.breach.child), (found, set()))[1].add(me)
            else:
                self._add(stamp, fact.id, (me,), found)
        for found, minders in fellows.values():
            self._add(stamp, fact.id, minders, found)

    def _add(self, stamp: Stamp, fact: str, minders: Iterable[str], found: Broke, seen: bool = False) -> None:
        day = self._clock.day(stamp.t)
        deed = ClaimBreach(
            stamp.t, day, found.claim.id, frozenset(minders), found.breaker, found.third, found.breach.child, seen
        )
        self._deeds[fact].append(deed)

    def _theirs(self, who: str, kind: str) -> list[Claim | ClaimEvent]:
        found = (self.claims[id] for id in self._of.get(who, ()))
        return [claim for claim in found if not kind or claim.kind == kind]

    # ---- who came to know

    def _learned(self, stamp: Stamp, rows: Iterable[BeliefUpdate]) -> None:
        for row in rows:
            fact = self._facts.get(row.fact or f"{EVENT}{stamp.seq}")
            if fact is not None and row.strength:
                self._told_on(stamp, fact, row)
                self._known(stamp, fact, (row.who,))

    def _told_on(self, stamp: Stamp, fact: Fact, row: BeliefUpdate) -> None:
        """Whoever was told of a matter in confidence and passes it on, breaks that confidence."""
        for found in broken_by(self._table, self._theirs, fact.a, fact, (fact.a, fact.b, "", 0)):
            mine = found.breach.by == TOLD and row.source == found.breaker and row.who != fact.a
            known = any(x.breaker == found.breaker for x in self._deeds[fact.id])
            if mine and not known:
                self._add(stamp, fact.id, {fact.a}, found, seen=row.who != found.third)

    def _known(self, stamp: Stamp, fact: Fact, people: Iterable[str]) -> None:
        """Mark breaches as seen if somebody uninvolved learned of the fact."""
        for deed in self._deeds.get(fact.id, ()):
            others = {*people} - {*deed.minders, deed.breaker, deed.third}
            deed.seen |= bool(others) and stamp.t <= deed.t + WITHIN

    def _minds(self, stamp: Stamp, id: str, about: str) -> None:
        """Somebody resents another; if a breach can start that kind of pressure, it was noticed."""
        child = child_of(id)
        for deed in (x for row in self._deeds.values() for x in row):
            if deed.child == child and deed.breaker == about and stamp.actor in deed.minders:
                deed.noticed |= deed.t <= stamp.t <= deed.t + WITHIN

    def _had_out(self, stamp: Stamp, e: Stirred | Ended) -> None:
        """Two people ended a matter by having it out: the one wronged by it has noticed the breach."""
        for deed in self._deeds.get(e.id, ()):
            two = {deed.breaker, deed.third} >= {stamp.actor, e.to} - {""}
            deed.noticed |= two and deed.third in deed.minders and stamp.t <= deed.t + WITHIN
