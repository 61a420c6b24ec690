"""What each two people are to each other, as a log tells it: when that came to be, out of what, and for how long."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.bonds import CRUSH, RIVALRY, Bond, BondSide, bond_name, circles, pairs
from sandbox.people.claim_model import Broken, Made
from sandbox.people.guest_handlers import Came
from sandbox.people.pressure_model import Began, Ended
from sandbox.readers.all_stories import STORIES, event_ties
from sandbox.readers.tielines import TieLines

FADED = "they have had little to do with each other since"
LASTS = DAY  # for so long a name is kept that counts as a change
Two = tuple[str, str]
KINDS = tuple(t.KIND for t, story in STORIES.items() if story.ties is not None or t in (Made, Broken, Began, Ended))


class Became(NamedTuple):
    """Two have come to be something else to each other. a, b: in the order of ids; seq: the event it came of, or the
    last one between the two where it has faded since; why: what is said of that, "" = nothing.
    """

    t: int
    a: str
    b: str
    was: Bond
    now: Bond
    seq: int
    why: str


class Bonds:
    """The reader. world: as it begins. lines: how each stood to each; changes: all that has changed, in order."""

    def __init__(self, world: World) -> None:
        self._clock, self.lines = world.clock, TieLines(world)
        self._near = not world.tie_parameters.strangers  # all know each other by sight
        self._between: defaultdict[Two, Counter[str]] = defaultdict(Counter)
        self._held: dict[str, tuple[Two, str]] = {}  # claims and pressures by id
        for c in world.claims.open.values():
            self._holds(c.id, c.a, c.b, c.kind)
        for p in world.pressures.open.values():
            if p.kind in (CRUSH, RIVALRY):
                self._holds(p.id, p.holder, p.about, p.kind)
        self.people = tuple(world.cast)
        self._pairs = [(min(two), max(two)) for two in pairs(world.cast)]
        self._last: dict[Two, tuple[int, str]] = {}  # the event that last moved what two are, and what it says of it
        self._dawn = world.clock.midnight(world.clock.day(world.now) + 1)
        self.changes: list[Became] = []
        self._names: dict[Two, Bond] = {}
        self._names = {two: self._named(two, world.now) for two in self._pairs}

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            at, e = record
            while at.t >= self._dawn:  # what fades with the days
                for two in self._pairs:
                    self._look(two, self._dawn, FADED)
                self._dawn = self._clock.midnight(self._clock.day(self._dawn) + 1)
            self.lines.read((record,))
            if isinstance(e, Came):
                if at.actor not in self.people:
                    self._join(at.actor, at.t)
                for claim in (c for c in e.claims if c.id not in self._held):
                    self._holds(claim.id, claim.a, claim.b, claim.kind)
            touched = {two_of(x.who, x.whom): x.why for x in event_ties(e)}
            if isinstance(e, Made):
                touched |= dict.fromkeys(self._holds(e.id, e.a, e.b, e.kind), e.why)
            elif isinstance(e, Began) and e.kind in (CRUSH, RIVALRY):
                touched |= dict.fromkeys(self._holds(e.id, at.actor, e.about, e.kind), "")
            elif isinstance(e, Broken | Ended) and e.id in self._held:
                two, kind = self._held.pop(e.id)
                self._between[two][kind] -= 1
                touched[two] = e.why
            for two, why in touched.items():
                self._last[two] = at.seq, why
                self._look(two, at.t)

    def _join(self, who: str, t: int) -> None:
        """Somebody more, who has come to town: what they and each other are."""
        more = [two_of(who, x) for x in self.people]
        self.people = (*self.people, who)
        self._pairs += more
        self._names |= {two: self._named(two, t) for two in more}

    def of(self, a: str, b: str) -> Bond:
        """What two are to each other now."""
        return self._names[two_of(a, b)]

    def all(self) -> dict[Two, Bond]:
        """What each two are, in the order of ids."""
        return {**self._names}

    def circles(self) -> list[tuple[str, ...]]:
        """Groups in which all are warm with all, the largest first."""
        return circles(self._names)

    def lasting(self, after: int, upto: int) -> list[Became]:
        """The changes in (after, upto] that held for a day, or hold still."""
        until: dict[Two, int] = {}
        out = []
        for x in reversed(self.changes):
            if after < x.t <= upto and until.get((x.a, x.b), x.t + LASTS) - x.t >= LASTS:
                out.append(x)
            until[x.a, x.b] = x.t
        return out[::-1]

    def _holds(self, id: str, a: str, b: str, kind: str) -> tuple[Two, ...]:
        """Note what is so between two, if it is between two."""
        if not a or not b or a == b:
            return ()
        two = two_of(a, b)
        self._held[id] = two, kind
        self._between[two][kind] += 1
        return (two,)

    def _named(self, two: Two, t: int) -> Bond:
        (a, b), day = two, self._clock.day(t)
        between = {kind for kind, n in self._between[two].items() if n > 0} if two in self._between else ()
        one, other = (BondSide(*self.lines.of(*way, day)[:2]) for way in ((a, b), (b, a)))
        now = bond_name(one, other, between, self._names.get(two, ""))
        return "acquainted" if now == "strangers" and self._near else now

    def _look(self, two: Two, t: int, why: str = "") -> None:
        """See what two are now. why: in the place of what the event says that last moved it."""
        was, now = self._names.get(two), self._named(two, t)
        if was is not None and was != now:
            self._names[two] = now
            seq, said = self._last.get(two, (0, ""))
            self.changes.append(Became(t, *two, was, now, seq, why or said))


def two_of(a: str, b: str) -> Two:
    """Two people in the order of their ids, as everything of a pair is kept."""
    return (a, b) if a < b else (b, a)
