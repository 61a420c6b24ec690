"""How everybody felt about everybody at any moment, and what changed it: ties as the log shows them.

Ties change by events whose stories say so (`TieShift`). Also how all stand in a world, whom a town likes and dislikes
most, and which changes brought that about.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.core.clock import Clock
from sandbox.core.events import Record, Stamp, r6
from sandbox.engine.world import World
from sandbox.people.guest_handlers import Came
from sandbox.people.ties import Tie, TieCause, closeness_at, kind
from sandbox.readers.all_stories import event_talk, event_ties, kinds_where
from sandbox.readers.facts import TieShift

Pair = tuple[str, str]
BEFORE = -1  # stands for the time before the world began
BAD = -0.05  # feelings below make a tie a dislike, however close the two are
KINDS = kinds_where(lambda story: story.ties)


class TieState(NamedTuple):
    """How one person stands to another. closeness: in [0, 1], faded as of a day; feeling: in [-1, 1]; talks: how many
    they have had. All 0: there is no tie.
    """

    closeness: float = 0.0
    feeling: float = 0.0
    talks: int = 0

    @property
    def known(self) -> bool:
        """Whether there is a tie."""
        return any(self)

    @property
    def kind(self) -> str:
        """The kind of tie: "close", "friendly", "cool", "stranger" or "sour"."""
        return kind(self.feeling, self.closeness, self.talks)

    @property
    def weight(self) -> float:
        """Strength in [-1, 1], negative for a dislike."""
        return self.feeling if self.feeling < BAD else max(self.feeling, self.closeness)

    @property
    def words(self) -> str:
        """The tie in words and numbers: "friendly, +0.40, close 0.31"."""
        return f"{self.kind}, {self.feeling:+.2f}, close {self.closeness:.2f}"


NO_TIE = TieState()


def tie_states(world: World) -> dict[Pair, TieState]:
    """How everybody stands to everybody now. Pairs without a tie are missing."""
    day, p = world.clock.day(world.now), world.tie_parameters
    found = {
        (u, v): TieState(closeness_at(tie, day, p), tie.feeling, tie.talks)
        for u, row in world.people.ties.items()
        for v, tie in row.items()
    }
    return {two: state for two, state in found.items() if state.known}


class TieChange(NamedTuple):
    """A change of a tie. what: "feeling" or "closeness"; delta: as applied; after: the value then; seq: the event, 0 =
    before the world began.
    """

    t: int
    seq: int
    what: str
    delta: float
    after: float
    why: str


class TieEffect(NamedTuple):
    """What one event did to a tie: changes of feeling and closeness, and the feeling afterwards (None: unchanged
    or not on record).
    """

    t: int
    seq: int
    feeling: float
    closeness: float
    after: float | None
    why: str


def tie_effects(moved: Iterable[TieChange | TieCause]) -> list[TieEffect]:
    """The changes of a tie, or the causes in its ledger, summed by event, oldest first."""
    out: list[TieEffect] = []
    for m in moved:
        likes = m.what == "feeling"
        same = bool(out) and (out[-1].seq, out[-1].t) == (m.seq, m.t)
        last = out.pop() if same else TieEffect(m.t, m.seq, 0.0, 0.0, None, m.why)
        feeling, closeness = last.feeling + m.delta * likes, last.closeness + m.delta * (not likes)
        after = m.after if likes and isinstance(m, TieChange) else last.after
        out.append(last._replace(feeling=feeling, closeness=closeness, after=after))
    return out


def day_ends(clock: Clock, until: int) -> list[int]:
    """The last second of each day before second `until`, and `until` itself."""
    return [*(clock.midnight(day + 1) - 1 for day in range(1, clock.day(until))), until]


class _Line:
    """The history of one tie. times: the second of each change, the first before the world began; stood: the tie from
    then on, as (closeness, the day it is of, feeling, talks).
    """

    __slots__ = ("moves", "stood", "times")

    def __init__(self, closeness: float, feeling: float) -> None:
        self.times, self.stood = [BEFORE], [(closeness, 0, feeling, 0)]
        self.moves: list[TieChange] = []

    def add(self, t: int, stood: tuple[float, int, float, int]) -> None:
        """Add a state at second t, not before the last; at the same second it replaces the last."""
        if self.times[-1] == t:
            self.stood[-1] = stood
        else:
            self.times.append(t)
            self.stood.append(stood)

    def enter(self, at: Stamp, what: str, delta: float, after: float, why: str) -> None:
        if delta:
            self.moves.append(TieChange(at.t, at.seq, what, delta, after, why))


class TieLines:
    """Tracks all ties. world: as the log begins; names, parameters and its ties are used."""

    def __init__(self, world: World) -> None:
        self._clock, self._parameters = world.clock, world.tie_parameters
        self._lines: dict[Pair, _Line] = {}
        for u, row in world.people.ties.items():
            for v, tie in row.items():
                line = self._lines[u, v] = _Line(tie.closeness, tie.feeling)
                why = tie.causes[0].why if tie.causes else ""
                founded = Stamp(0, 0, 0, u, ())
                line.enter(founded, "closeness", tie.closeness, tie.closeness, why)
                line.enter(founded, "feeling", tie.feeling, tie.feeling, why)

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log; those that change no tie are ignored."""
        for at, e in records:
            if isinstance(e, Came):
                self._came(at, e)
            else:
                for x in event_ties(e, still=True):
                    self._shifted(at, x, talked=bool(event_talk(e)))

    def _came(self, stamp: Stamp, e: Came) -> None:
        """The ties a guest brings on their first visit, both ways."""
        me, begin, day = stamp.actor, self._parameters.begin, self._clock.day(stamp.t) - 1
        mine = [((me, x.with_), x) for x in e.persona.history]
        for two, x in [*mine, *(((x.with_, me), x) for x in e.regards)]:
            if two not in self._lines:
                close = r6(begin * x.closeness)
                line = self._line(two)
                line.add(stamp.t, (close, day, x.feeling, 0))
                line.enter(stamp, "closeness", close, close, x.why)
                line.enter(stamp, "feeling", x.feeling, x.feeling, x.why)

    def _shifted(self, stamp: Stamp, x: TieShift, talked: bool) -> None:
        """talked: whether the event is of a talk, which has ended if it says how close the two are."""
        line = self._line((x.who, x.whom))
        closeness, day, feeling, talks = line.stood[-1]
        if x.what == "feeling":
            line.add(stamp.t, (closeness, day, x.after, talks))
        else:
            line.add(stamp.t, (x.after, self._clock.day(stamp.t), feeling, talks + talked))
        line.enter(stamp, x.what, x.delta, x.after, x.why)

    def _line(self, two: Pair) -> _Line:
        line = self._lines.get(two)
        if line is None:
            line = self._lines[two] = _Line(0.0, 0.0)
        return line

    # ---- queries

    def at(self, t: int) -> dict[Pair, TieState]:
        """Every tie at second t, BEFORE = as the world began. Pairs that are missing had no closeness, feeling or
        talks.
        """
        day = self._clock.day(max(0, t))
        found = {two: self._state(line, bisect_right(line.times, t) - 1, day) for two, line in self._lines.items()}
        return {two: state for two, state in found.items() if state.known}

    def of(self, u: str, v: str, day: int) -> TieState:
        """How u stands to v now, faded as of `day`, which must not be before the last record's."""
        line = self._lines.get((u, v))
        return NO_TIE if line is None else self._state(line, -1, day)

    def _state(self, line: _Line, i: int, day: int) -> TieState:
        closeness, since, feeling, talks = line.stood[i]
        return TieState(closeness_at(Tie(closeness, feeling, since), day, self._parameters), feeling, talks)

    def line(self, u: str, v: str) -> Sequence[TieChange]:
        """Every change of u's tie to v, the oldest first, beginning with what it was before the world began. Fading is
        not listed.
        """
        found = self._lines.get((u, v))
        return () if found is None else tuple(found.moves)


# ---- whom a town likes and dislikes most


LIKES, DISLIKES = 0.2, -0.2  # feelings from which somebody counts as liking another, or disliking them


class Liking(NamedTuple):
    """How a town feels about somebody. many: how many others like (or dislike) them; summed: the sum of those feelings;
    mean: of all others' feelings, in [-1, 1], with 0 for those who feel nothing.

    by: who likes (or dislikes) them most, and feeling: how much; began: that feeling before the world began, None if
    there was none; moved: the largest single change in that direction since, None if there is none.
    """

    who: str
    many: int
    summed: float
    mean: float
    by: str
    feeling: float
    began: TieChange | None
    moved: TieChange | None


def rank_likings(lines: TieLines, people: Sequence[str], t: int, sign: float) -> list[Liking]:
    """Everybody at second t, the most liked (sign 1.0) or disliked (-1.0) first: by the sum of feelings that count."""
    stood = lines.at(t)
    out = []
    for who in people:
        felt = {u: stood[u, who].feeling for u in people if (u, who) in stood}
        if felt:
            by = max(felt, key=lambda u: sign * felt[u])
            counted = [x for x in felt.values() if (x >= LIKES if sign > 0.0 else x <= DISLIKES)]
            moves = [m for m in lines.line(by, who) if m.what == "feeling" and m.t <= t]
            began = next((m for m in moves if not m.seq), None)
            since = [m for m in moves if m.seq and sign * m.delta > 0.0]
            moved = max(since, key=lambda m: (sign * m.delta, m.t), default=None)
            mean = sum(felt.values()) / max(1, len(people) - 1)
            out.append(Liking(who, len(counted), sum(counted), mean, by, felt[by], began, moved))
    return sorted(out, key=lambda one: (-sign * one.summed, -sign * one.mean))
