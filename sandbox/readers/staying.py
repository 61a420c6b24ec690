"""Whether what befalls people stays with them: whether a mark changes what they do, and how they are a day later."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from math import hypot
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.guest_handlers import Came
from sandbox.people.mark_habits import mark_of
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
from sandbox.readers.all_stories import event_moods, kinds_where


class Spirits:
    """The reader. world: names and parameters are used, and where people rest by nature; not the state."""

    def __init__(self, world: World) -> None:
        self._moods = {who: Mood(r.mood.rest, r.mood.rest, 0, []) for who, r in world.people.residents.items()}
        self._half = {who: half_life(world, who) for who in self._moods}
        self._parameters = world.mood_parameters

    def read(self, record: Record) -> None:
        """Take in the next record of the log."""
        at = record.stamp
        if isinstance(record.event, Came) and at.actor not in self._moods:
            self._begin(record.event.persona, at.t)
        for m in event_moods(record):
            mood = self._moods.get(m.who)
            if mood is None:
                continue
            if m.mark is not None:
                enter_mark(mood, m.mark, Pad(*m.after))
            else:
                enter_cause(mood, Cause(*m.delta, at.t, at.seq, m.page or m.why, m.sort), Pad(*m.after))

    def _begin(self, persona: Persona, t: int) -> None:
        """Somebody has come to town, in the mood they are in by nature."""
        rest = temperament(persona.big_five) if self._parameters.temperament else CALM
        self._moods[persona.id], self._half[persona.id] = (
            Mood(rest, rest, t, []),
            half_life_of(self._parameters, persona),
        )

    @property
    def people(self) -> Collection[str]:
        """Whose moods are known."""
        return self._moods.keys()

    def nature(self, who: str) -> Pad:
        """Where somebody's mood rests by nature."""
        return self._moods[who].rest

    def at(self, who: str, t: int) -> Pad:
        """Somebody's mood at second t, which is not before the last record."""
        return mood_at(self._moods[who], t, self._half[who])

    def causes(self, who: str, t: int) -> list[Cause]:
        """And its ledger."""
        return ledger(self._moods[who], t, self._half[who])


WITHIN = 48 * HOUR  # of a mark, in which its habit is to be lived
LATER = DAY  # after a mark, when it is weighed
THIRD = 1.0 / 3.0  # of the way of a mood from one's nature, from which a mark is what it is about
KINDS = (Marked.KIND, Planned.KIND, Chose.KIND, *kinds_where(lambda story: story.moods))


class _Left(NamedTuple):
    """Whose mark, and the day on which it came."""

    who: str
    mark: MoodMark
    day: int


class Staying:
    """The reader. world: as it begins."""

    def __init__(self, world: World) -> None:
        self._clock, self._spirits, self._on = world.clock, Spirits(world), bool(world.drama.marks)
        self._now = 0
        self._left: dict[tuple[str, int], _Left] = {}  # person and outcome -> what it left
        self._lived: set[int] = set()  # outcomes with a habit that was lived in time
        self._plans: dict[str, dict[str, MoodMark]] = {}  # person -> blocks of their plan that are for a mark
        self._coming: deque[_Left] = deque()  # marks that are not a day old
        self._weighed: defaultdict[int, list[bool]] = defaultdict(list)  # day -> whether each mark was a third a day on

    def read(self, record: Record) -> None:
        """Take in the next record of the log."""
        at, e = record
        while self._coming and self._coming[0].mark.t + LATER < at.t:
            self._weigh(self._coming.popleft())
        self._now = at.t
        self._spirits.read(record)
        if isinstance(e, Marked):
            left = _Left(at.actor, mark_of(e, at), self._clock.day(at.t))
            self._left[at.actor, left.mark.seq] = left
            self._coming.append(left)
        elif isinstance(e, Planned):
            mine = [self._left[at.actor, seq].mark for seq in at.causes if (at.actor, seq) in self._left]
            self._lived.update(m.seq for m in mine if not m.do and at.t - m.t <= WITHIN)
            self._plans[at.actor] = {m.do: m for m in mine if m.do}
        elif isinstance(e, Chose):
            m = self._plans.get(at.actor, {}).get(e.block)
            if m is not None and at.t - m.t <= WITHIN:
                self._lived.add(m.seq)

    def _weigh(self, left: _Left) -> None:
        t = left.mark.t + LATER
        away = [x - y for x, y in zip(self._spirits.at(left.who, t), self._spirits.nature(left.who), strict=True)]
        self._weighed[left.day].append(hypot(*mark_at(left.mark, t)) >= THIRD * hypot(*away))

    def of(self, days: Sequence[int]) -> dict[str, float | int | None]:
        """The measures of outcomes of these days; of those whose time is not over only what has come about."""
        old = {left.mark.seq for left in self._left.values() if left.day in days and self._over(left.mark)}
        weighed = [third for day in days for third in self._weighed[day]]
        return {
            "habits_changed": round(len(old & self._lived) / len(old), 3) if old and self._on else None,
            "rank_on_top": round(sum(weighed) / len(weighed), 3) if weighed else None,
        }

    def _over(self, mark: MoodMark) -> bool:
        """Whether it can be said if its habit was lived in time."""
        return mark.seq in self._lived or self._now - mark.t > WITHIN
