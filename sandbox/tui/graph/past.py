"""The history of ties, from the log: all ties at any moment, what changed each, and the claims between two people. It
is read on first use, and then only the new part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Claim, Made
from sandbox.readers import bonds, tielines
from sandbox.readers.all_stories import event_claims, event_end, kinds_where
from sandbox.readers.bonds import Became, Bonds, two_of
from sandbox.readers.tielines import Pair, TieChange, TieLines
from sandbox.tui.graph.model import TownTies
from sandbox.tui.view.viewer import Viewer

READ = frozenset((*bonds.KINDS, *tielines.KINDS, *kinds_where(lambda story: story.claims or story.ends)))
NAMED = 80  # most people of a town for which bonds are followed
WINDOW = 4_000  # events of the log read at a time
# Kind of claim -> its sign on a tie, most important first; other kinds share OTHER.
SIGNS = {"couple": "♥", "ally": "♦", "confidence": "?", "kin": "⌂", "employs": "$"}
OTHER = "○"


class ClaimSpan(NamedTuple):
    """A claim between two people from second `since` to `until` (None = still holds). made, broken: numbers of the
    events that made and ended it; made 0: it held when the world began.
    """

    claim: Claim | Made
    since: int
    made: int
    until: int | None = None
    broken: int = 0

    def stood(self, t: int) -> bool:
        """Whether the claim held at second t."""
        return self.since <= t and (self.until is None or t < self.until)


def claim_pair(claim: Claim | Made) -> Pair | None:
    """The two people of a claim, None if it is not between two."""
    return (claim.a, claim.b) if claim.a and claim.b and claim.a != claim.b else None


def kinds_by_pair(claims: Iterable[Claim | Made]) -> dict[Pair, tuple[str, ...]]:
    """Pair -> kinds of claim between them, most important first; each pair in both orders."""
    found: dict[Pair, set[str]] = {}
    for claim in claims:
        if (two := claim_pair(claim)) is not None:
            for one in (two, two[::-1]):
                found.setdefault(one, set()).add(claim.kind)
    order = [*SIGNS]
    return {
        two: tuple(sorted(of, key=lambda kind: (order.index(kind) if kind in order else len(order), kind)))
        for two, of in found.items()
    }


def signs(found: Iterable[str]) -> str:
    """The signs of kinds of claim, each once."""
    return "".join(dict.fromkeys(SIGNS.get(kind, OTHER) for kind in found))


def _beginning(scenario: Scenario) -> tuple[World, Bonds | None]:
    """The world at its beginning, and its bonds; None for those in a town of more than NAMED people."""
    world = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(scenario, {})), remember=False)
    return world, Bonds(world) if len(world.cast) <= NAMED else None


class TieHistory:
    """Reads and keeps the history. upto: the last event read; until: the second read up to, -1 = nothing yet."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._lock = asyncio.Lock()
        self._lines: TieLines | None = None
        self._bonds: Bonds | None = None
        self._first: dict[Pair, str] = {}  # pair -> bond when the world began
        self._became: dict[Pair, list[Became]] = {}
        self._told = 0  # changes of bonds taken in so far
        self._spans: dict[Pair, list[ClaimSpan]] = {}
        self._open: dict[str, tuple[Pair, int]] = {}
        self.upto, self.until = 1, -1

    @property
    def ready(self) -> bool:
        """Whether all up to the moment shown has been read."""
        return self._lines is not None and self.upto >= self._viewer.world.seq

    def covers(self, t: int) -> bool:
        """Whether all up to second t has been read."""
        return self._lines is not None and self.until >= t

    async def read(self) -> None:
        """Read on up to the moment the town stands at. Raises SaveError."""
        viewer = self._viewer
        async with self._lock:  # a sheet and the pane may ask at once
            if self._lines is None:
                self._begin_with(*await asyncio.to_thread(_beginning, viewer.world.scenario))
            last, now = viewer.world.seq, viewer.world.now
            while self.upto < last:
                upto = min(last, self.upto + WINDOW)
                self.take(await viewer.session.save.records(READ, self.upto, upto))
                self.upto = upto
            self.until = max(self.until, now)

    def _begin_with(self, began: World, bonds_: Bonds | None) -> None:
        self._bonds, self._lines = bonds_, bonds_.lines if bonds_ is not None else TieLines(began)
        self._first = {two: str(name) for two, name in bonds_.all().items()} if bonds_ is not None else {}
        for claim in began.claims.open.values():
            self._begin(claim.id, claim, 0, 0)

    def take(self, records: Sequence[Record]) -> None:
        """Take in the next records."""
        assert self._lines is not None
        (self._bonds or self._lines).read(records)
        if self._bonds is not None:
            for x in self._bonds.changes[self._told :]:
                self._became.setdefault((x.a, x.b), []).append(x)
            self._told = len(self._bonds.changes)
        for stamp, e in records:
            for claim in event_claims(e):
                self._begin(claim.id, claim, stamp.t, stamp.seq)
            if (over := event_end(e)) is not None and over.id in self._open:
                two, i = self._open.pop(over.id)
                self._spans[two][i] = self._spans[two][i]._replace(until=stamp.t, broken=stamp.seq)

    def _begin(self, id: str, claim: Claim | Made, t: int, seq: int) -> None:
        two = claim_pair(claim)
        if two is not None:
            of = self._spans.setdefault(two_of(*two), [])
            self._open[id] = (two_of(*two), len(of))
            of.append(ClaimSpan(claim, t, seq))

    # ---- queries, after `read`

    def ties(self, t: int) -> TownTies:
        """All ties at second t."""
        assert self._lines is not None
        return TownTies(tuple(self._viewer.world.cast), self._lines.at(t))

    def moved(self, u: str, v: str, t: int) -> list[TieChange]:
        """The changes of u's side towards v up to second t, and to the current moment, oldest first."""
        known = self._lines.line(u, v) if self._lines is not None else ()
        return [m for m in known if m.t <= t and m.seq <= self._viewer.world.seq]

    def became(self, a: str, b: str) -> list[Became]:
        """The changes of bond between two people up to the current moment, oldest first."""
        last = self._viewer.world.now
        return [x for x in self._became.get(two_of(a, b), ()) if x.t <= last]

    def bond(self, a: str, b: str, t: int) -> str:
        """The bond of two people at second t; "" if bonds are not followed."""
        two = two_of(a, b)
        return next((str(x.now) for x in reversed(self.became(a, b)) if x.t <= t), self._first.get(two, ""))

    def spans(self, a: str, b: str) -> list[ClaimSpan]:
        """The claims between two people up to the current moment."""
        last = self._viewer.world.seq
        out = [span for span in self._spans.get(two_of(a, b), ()) if span.made <= last]
        return [span if span.broken <= last else span._replace(until=None, broken=0) for span in out]

    def kinds(self, t: int) -> dict[Pair, tuple[str, ...]]:
        """Pair -> kinds of claim between them at second t."""
        at = max(0, t)
        return kinds_by_pair(span.claim for of in self._spans.values() for span in of if span.stood(at))
