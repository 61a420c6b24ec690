"""What the log tells of ties: how everybody stood to everybody at any moment, what moved each tie, and what was so
between two. It is read when it is first asked for, and then only what has come since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Founded
from sandbox.engine.world import World
from sandbox.people.claims.model import Broken, Claim, Made
from sandbox.stories.tielines import KINDS, Moved, TieLines
from sandbox.tui.graph.model import Pair, Ties
from sandbox.tui.viewer import Viewer

READ = frozenset((*KINDS, Made.KIND, Broken.KIND))
WINDOW = 20_000  # events of the log looked through at a time
# What is so between two, as a sign on their tie; of other kinds there is one for all.
SIGNS = {"couple": "♥", "ally": "♦", "confidence": "?", "kin": "⌂", "employs": "$"}
OTHER = "○"


class Span(NamedTuple):
    """A claim between two from one second to another (None = it stands), and the events that made and broke it; 0: it
    was so as the world began.
    """

    claim: Claim | Made
    since: int
    made: int
    until: int | None = None
    broken: int = 0

    def stood(self, t: int) -> bool:
        """Whether it was so at second t."""
        return self.since <= t and (self.until is None or t < self.until)


def between(claim: Claim | Made) -> Pair | None:
    """The two a claim is between, None if it is not one of two."""
    return (claim.a, claim.b) if claim.a and claim.b and claim.a != claim.b else None


def signs(claims: Iterable[Claim | Made]) -> dict[Pair, str]:
    """What is so between two, a sign each, by pair both ways round."""
    found: dict[Pair, set[str]] = {}
    for claim in claims:
        if (two := between(claim)) is not None:
            for one in (two, two[::-1]):
                found.setdefault(one, set()).add(claim.kind)
    order = [*SIGNS]
    return {
        two: "".join(dict.fromkeys(SIGNS.get(kind, OTHER) for kind in sorted(kinds, key=lambda k: (k not in order, k))))
        for two, kinds in found.items()
    }


class Book:
    """The reader. upto: the last event read; until: the second it has been read to, -1 before anything is."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._lines: TieLines | None = None
        self._spans: dict[Pair, list[Span]] = {}
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
        """Read what has not been read up to the moment shown. Raises SaveError."""
        viewer = self._viewer
        if self._lines is None:
            began = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(viewer.world.scenario, {})), remember=False)
            self._lines = TieLines(began)
            for claim in began.claims.open.values():
                self._begin(claim.id, claim, 0, 0)
        last, now = viewer.world.seq, viewer.world.now
        while self.upto < last:
            after, self.upto = self.upto, min(last, self.upto + WINDOW)
            self.take(await viewer.session.save.records(READ, after, self.upto))
        self.until = max(self.until, now)

    def take(self, records: Sequence[Record]) -> None:
        """Take in the next records."""
        assert self._lines is not None
        self._lines.read(records)
        for stamp, e in records:
            if isinstance(e, Made):
                self._begin(e.id, e, stamp.t, stamp.seq)
            elif isinstance(e, Broken) and e.id in self._open:
                two, i = self._open.pop(e.id)
                self._spans[two][i] = self._spans[two][i]._replace(until=stamp.t, broken=stamp.seq)

    def _begin(self, id: str, claim: Claim | Made, t: int, seq: int) -> None:
        two = between(claim)
        if two is not None:
            of = self._spans.setdefault((min(two), max(two)), [])
            self._open[id] = ((min(two), max(two)), len(of))
            of.append(Span(claim, t, seq))

    # ---- what is asked, once it has been read

    def ties(self, t: int) -> Ties:
        """All ties as they were at second t."""
        assert self._lines is not None
        stood = self._lines.at(t)
        sides = {two: (s.closeness, s.feeling, s.talks) for two, s in stood.items()}
        return Ties(tuple(self._viewer.world.cast), sides)

    def moved(self, u: str, v: str) -> list[Moved]:
        """What moved how u stands to v up to the moment shown, the oldest first."""
        if self._lines is None:
            return []
        return [m for m in self._lines.line(u, v) if m.seq <= self._viewer.world.seq]

    def spans(self, a: str, b: str) -> list[Span]:
        """What was so between two up to the moment shown."""
        last = self._viewer.world.seq
        out = [span for span in self._spans.get((min(a, b), max(a, b)), ()) if span.made <= last]
        return [span if span.broken <= last else span._replace(until=None, broken=0) for span in out]

    def signs(self, t: int) -> dict[Pair, str]:
        """What was so between two at second t."""
        at = max(0, t)
        return signs(span.claim for of in self._spans.values() for span in of if span.stood(at))
