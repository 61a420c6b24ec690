"""The read-only side of a world, for screens, digests and reports. `version` grows with every finished step, so a
screen that has drawn a version need not ask again. Moments within the last step are answered too, so that people walk
instead of jumping.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.core.text import mid_sentence
from sandbox.engine.world import World
from sandbox.people.guest_model import in_town
from sandbox.people.impressions import Remains
from sandbox.people.model import SEEK, Block
from sandbox.people.mood import Cause, Pad
from sandbox.people.mood_queries import ledger_of, mood_of
from sandbox.people.mood_words import colour
from sandbox.people.planning import block_at, resolve
from sandbox.people.played import is_played
from sandbox.people.ties import closeness_at, kind
from sandbox.town.model import Move
from sandbox.town.plan import Occasion
from sandbox.town.ways import Spot, map_position

TAIL = 4000  # latest records kept for screens
AWAY = "out of town"


class PersonRow(NamedTuple):
    """A person at one moment, for a map or a list. x, y: in tiles; mood: a key of MARKS."""

    id: str
    name: str
    x: float
    y: float
    mood: str
    awake: bool
    talk: str
    doing: str
    where: str


class TieRow(NamedTuple):
    """A person's tie to another. kind: close, friendly, cool, stranger or sour."""

    who: str
    name: str
    closeness: float
    feeling: float
    kind: str
    why: str


class View:
    """A read-only view of a world. Add its `saw` to `engine.watchers` so that it gets each step's records."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.version = 0
        self.tail: deque[Record] = deque(maxlen=TAIL)
        self._trails: dict[str, deque[Spot]] = {who: deque([spot]) for who, spot in world.town.spots.items()}

    def saw(self, records: Sequence[Record]) -> None:
        """Take in the records of a finished step."""
        width = self.world.map.width
        old = self.world.now - 2 * max(self.world.step_seconds, 60)
        for stamp, e in records:
            if isinstance(e, Move):
                trail = self._trails.setdefault(stamp.actor, deque())
                trail.append(e.spot(stamp.t, width))
                while len(trail) > 1 and trail[1].t <= old:
                    trail.popleft()
        self.tail.extend([r for r in records if not r[1].PACKED])
        self.version += 1

    # ---- people

    def spot(self, who: str, t: float) -> Spot:
        """Where somebody stood or walked at t, which may be a little in the past."""
        trail = self._trails.get(who) or (self.world.town.spots[who],)  # for people who have only just arrived
        return next((spot for spot in reversed(trail) if spot.t <= t), trail[0])

    def pad(self, who: str, t: float) -> Pad:
        """Somebody's mood at t."""
        return mood_of(self.world, who, t)

    def shows(self, who: str, t: float) -> bool:
        """Whether the viewer can see somebody at t: always, unless a subclass knows less."""
        return True

    def hears(self, who: str, t: float) -> bool:
        """Whether the viewer can hear somebody at t."""
        return True

    def row(self, who: str, t: float) -> PersonRow:
        """A person at t."""
        w = self.world
        r = w.people.residents[who]
        spot = self.spot(who, t)
        x, y = map_position(spot, t, w.map.width)
        return PersonRow(
            who,
            w.handbook.name(who),
            x,
            y,
            colour(self.pad(who, t)),
            r.awake,
            r.talk,
            self.doing(who),
            self.place(who, t),
        )

    def rows(self, t: float) -> list[PersonRow]:
        """All people in town at t, in cast order."""
        return [self.row(who, t) for who in self.world.cast if in_town(self.world, who)]

    def doing(self, who: str) -> str:
        """What somebody is doing, in words for a stranger; never empty."""
        w = self.world
        r, stay = w.people.residents[who], w.guests.stays.get(who)
        if stay is not None and stay.left >= 0:
            return f"left on {w.clock.at(stay.left):%A}"
        if r.talk and r.talk in w.talk.open:
            talk = w.talk.open[r.talk]
            return f"talking with {w.handbook.name(talk.who[1 - talk.who.index(who)])}"
        if not r.awake:
            until = f" until {w.clock.hhmm(r.act.until)}" if r.act else ""
            return f"asleep{until}"
        if stay is not None and stay.off >= 0 and not r.plan:
            return "on the way out of town"
        if r.going is not None:
            return f"on the way to {w.handbook.infinitive(r.going.block)} {w.handbook.at(r.going.where)}"
        if r.act is not None:
            block = r.plan[block_at(r, w.now)] if r.act.block == SEEK and r.plan else None
            if block is None or not block.whom:
                return w.handbook.doing(r.act.do)
            tie = w.people.ties.get(who, {}).get(block.whom)
            found = tie is not None and tie.last_talk >= block.start  # the talk they came for is over
            return f"{'done looking' if found else 'looking'} for {w.handbook.name(block.whom)}"
        if is_played(w, who):
            return "standing about"
        return "waiting for the day to begin" if not r.plan else "pausing"

    def place(self, who: str, t: float) -> str:
        """Where somebody is: "at the bakery", "in the street", "out of town"."""
        w = self.world
        if not in_town(w, who):
            return AWAY
        x, y = map_position(self.spot(who, t), t, w.map.width)
        return w.handbook.at(w.map.area_of[int(y) * w.map.width + int(x)])

    def causes(self, who: str, t: float) -> list[Cause]:
        """The causes of somebody's mood at t, largest first."""
        return ledger_of(self.world, who, t)

    def ties(self, who: str) -> list[TieRow]:
        """Somebody's ties, strongest first."""
        w = self.world
        day = w.clock.day(w.now)
        out = []
        for other, tie in w.people.ties.get(who, {}).items():
            close = closeness_at(tie, day, w.tie_parameters)
            why = tie.causes[-1].why if tie.causes else ""
            out.append(
                TieRow(other, w.handbook.name(other), close, tie.feeling, kind(tie.feeling, close, tie.talks), why)
            )
        out.sort(key=lambda r: (-abs(r.feeling) - r.closeness, r.who))
        return out

    def left(self, who: str, other: str) -> Remains | None:
        """What the last talks with `other` left in somebody; None if it has no word, or memories are off."""
        w = self.world
        return w.memories.spoken.impressions.remains(who, other, w.cast, w.now) if w.memories.live else None

    def _called(self, who: str, block: Block) -> Occasion | None:
        """The occasion today that a block is for."""
        w, day = self.world, self.world.people.residents[who].day
        of_day = (o for o in w.calendar.of(who, day) if o.from_ <= block.start - w.clock.midnight(day) < o.to)
        return next((o for o in of_day if (o.block, resolve(w.cast[who], o.where)) == (block.do, block.where)), None)

    def agenda(self, who: str, t: float) -> list[tuple[str, str, str, str]]:
        """The rest of the day's plan: (from, what, where, why). An occasion is named by its title."""
        w = self.world
        r = w.people.residents[who]
        out = []
        for b in r.plan[block_at(r, int(t)) :] if r.plan else ():
            o = self._called(who, b)
            what = mid_sentence(o.title) if o is not None else w.handbook.doing(b.do)
            out.append((w.clock.hhmm(b.start), what, w.handbook.at(b.where), b.why))
        return out
