"""Whether experiences last: whether marks change what people do, and how much of their mood a mark is a day later."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from math import hypot
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.mark_model import Marked
from sandbox.people.model import Chose, Planned
from sandbox.people.mood import (
    CALM,
    Cause,
    Mood,
    MoodMark,
    Pad,
    enter_cause,
    enter_mark,
    ledger,
    mark_at,
    mood_at,
    temperament,
)
from sandbox.people.mood_queries import half_life, half_life_of
from sandbox.people.persona import Persona
from sandbox.readers.all_stories import STORIES, event_guest, event_moods, kinds_where


class Spirits:
    """Tracks everybody's mood. world: names, parameters and resting moods are used, not the present state."""

    def __init__(self, world: World) -> None:
        self._moods = {who: Mood(r.mood.rest, r.mood.rest, 0, []) for who, r in world.people.residents.items()}
        self._half = {who: half_life(world, who) for who in self._moods}
        self._parameters = world.mood_parameters

    def read(self, record: Record) -> None:
        """Take in the next record of the log."""
        at = record.stamp
        if (guest := event_guest(record.event)) is not None and guest.id not in self._moods:
            self._begin(guest, at.t)
        for m in event_moods(record):
            mood = self._moods.get(m.who)
            if mood is None:
                continue
            if m.mark is not None:
                enter_mark(mood, m.mark, Pad(*m.after))
            else:
                enter_cause(mood, Cause(*m.delta, at.t, at.seq, m.page or m.why, m.sort), Pad(*m.after))

    def _begin(self, persona: Persona, t: int) -> None:
        """Add somebody who has come to town, in their resting mood."""
        rest = temperament(persona.big_five) if self._parameters.temperament else CALM
        self._moods[persona.id], self._half[persona.id] = (
            Mood(rest, rest, t, []),
            half_life_of(self._parameters, persona),
        )

    @property
    def people(self) -> Collection[str]:
        """Those whose moods are tracked."""
        return self._moods.keys()

    def nature(self, who: str) -> Pad:
        """The mood that somebody returns to when nothing moves them."""
        return self._moods[who].rest

    def at(self, who: str, t: int) -> Pad:
        """Somebody's mood at second t, which must not be before the last record."""
        return mood_at(self._moods[who], t, self._half[who])

    def causes(self, who: str, t: int) -> list[Cause]:
        """What somebody's mood at second t is made of."""
        return ledger(self._moods[who], t, self._half[who])


WITHIN = 48 * HOUR  # seconds after a mark within which its habit should show
LATER = DAY  # seconds after a mark at which its share of the mood is measured
THIRD = 1.0 / 3.0  # share of the distance between mood and resting mood from which a mark dominates it
KINDS = (Marked.KIND, Planned.KIND, Chose.KIND, *kinds_where(lambda story: story.moods))


class _Left(NamedTuple):
    """A mark, whose it is, and the day on which it came."""

    who: str
    mark: MoodMark
    day: int


class Staying:
    """Measures whether marks last. world: as the log begins."""

    def __init__(self, world: World) -> None:
        self._clock, self.spirits, self._on = world.clock, Spirits(world), bool(world.drama.marks)
        self._now = 0
        self._left: dict[tuple[str, int], _Left] = {}  # (person, outcome) -> the mark it left
        self._lived: set[int] = set()  # outcomes whose habit showed in time
        self._plans: dict[str, dict[str, MoodMark]] = {}  # person -> block of their plan -> the mark it is for
        self._coming: deque[_Left] = deque()  # marks less than a day old
        self._weighed: defaultdict[int, list[bool]] = defaultdict(list)  # day -> for each mark, whether it dominates

    def read(self, record: Record) -> None:
        """Take in the next record of the log."""
        at, e = record
        while self._coming and self._coming[0].mark.t + LATER < at.t:
            self._weigh(self._coming.popleft())
        self._now = at.t
        self.spirits.read(record)
        for m in event_moods(record):
            if m.mark is not None:
                left = self._left[m.who, m.mark.seq] = _Left(m.who, m.mark, self._clock.day(at.t))
                self._coming.append(left)
        if STORIES[type(e)].plan_day(e):
            mine = [self._left[at.actor, seq].mark for seq in at.causes if (at.actor, seq) in self._left]
            self._lived.update(m.seq for m in mine if not m.do and at.t - m.t <= WITHIN)
            self._plans[at.actor] = {m.do: m for m in mine if m.do}
        elif doing := STORIES[type(e)].doing(e):
            mark = self._plans.get(at.actor, {}).get(doing)
            if mark is not None and at.t - mark.t <= WITHIN:
                self._lived.add(mark.seq)

    def _weigh(self, left: _Left) -> None:
        t = left.mark.t + LATER
        away = [x - y for x, y in zip(self.spirits.at(left.who, t), self.spirits.nature(left.who), strict=True)]
        self._weighed[left.day].append(hypot(*mark_at(left.mark, t)) >= THIRD * hypot(*away))

    def of(self, days: Sequence[int]) -> dict[str, float | int | None]:
        """The measures of marks of these days; a mark not yet WITHIN old counts only if its habit has shown."""
        old = {left.mark.seq for left in self._left.values() if left.day in days and self._over(left.mark)}
        weighed = [third for day in days for third in self._weighed[day]]
        return {
            "habits_changed": round(len(old & self._lived) / len(old), 3) if old and self._on else None,
            "rank_on_top": round(sum(weighed) / len(weighed), 3) if weighed else None,
        }

    def _over(self, mark: MoodMark) -> bool:
        """Whether it is decided that the habit of a mark showed in time, or did not."""
        return mark.seq in self._lived or self._now - mark.t > WITHIN
