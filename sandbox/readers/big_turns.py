"""The big turns of a day, counted from the log alone: what no page of that day should leave out. The measure of a page
is the share of them among the events that it tells; so what chooses for the page has no part in the counting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sandbox.core.events import Event, Record
from sandbox.drama.outcomes import OFF, Decided
from sandbox.drama.taking_sides import Showdown
from sandbox.drama.turns import SECRET
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.pressure_deck import AWAY
from sandbox.people.pressure_model import Began, Ended, Stirred

SUSPICION = "suspicion"
EVENTS = (Began, Made, Broken, Decided, Showdown, Ended, Stirred)
KINDS = tuple(e.KIND for e in EVENTS)


class BigTurns:
    """Counts the big turns of each day: claims made or ended that others may know of, decisions, showdowns, what was
    said before everybody, pressures that broke, secrets and suspicions that ended badly, and any bad end that both
    people felt: a promise broken, a debt not paid, love refused. world: as the log begins.
    """

    def __init__(self, world: World) -> None:
        self._clock, self._deck, self._claims = world.clock, world.drama, world.claim_deck.kinds
        self._kinds = {p.id: p.kind for p in world.cast_pressures.values()}
        self._days: defaultdict[int, list[int]] = defaultdict(list)

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, e in records:
            if isinstance(e, Began):
                self._kinds[e.id] = e.kind
            elif self._is_big(e):
                self._days[self._clock.day(stamp.t)].append(stamp.seq)

    def of(self, day: int) -> Sequence[int]:
        """The numbers of the events that were big turns of a day."""
        return self._days.get(day, [])

    def _is_big(self, e: Event) -> bool:
        if isinstance(e, ClaimEvent):
            passed = e.within or (isinstance(e, Broken) and e.instead)
            return not (passed or self._claims[e.kind].private)
        if isinstance(e, Stirred):
            return e.turn or (self._public(e.how) and e.answer not in ("", AWAY))
        if isinstance(e, Ended):
            return e.turn and (self._public(e.by) or (not e.good and self._hurt(self._kinds.get(e.id, ""), e.how)))
        return isinstance(e, Showdown) or (isinstance(e, Decided) and e.how != OFF)

    def _public(self, do: str) -> bool:
        """Whether a deed is done before everybody."""
        return do in self._deck.exchanges and self._deck.exchanges[do].public

    def _hurt(self, kind: str, how: str) -> bool:
        """Whether a bad ending brings something to light, or is felt by both people."""
        found = self._deck.kinds.get(kind)
        ending = found.ends.get(how) if found is not None else None
        return ending is not None and (kind in (SECRET, SUSPICION) or bool(ending.holder and ending.about))
