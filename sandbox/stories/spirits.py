"""The moods of people as a log tells them: folded from what each event says it moved."""

from __future__ import annotations

from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.mood import Cause, Mood, Pad, enter_cause, enter_mark, ledger, mood_at
from sandbox.people.moods import half_life
from sandbox.stories.every import moved


class Spirits:
    """The reader. world: names and parameters are used, and where people rest by nature; not the state."""

    def __init__(self, world: World) -> None:
        self._moods = {who: Mood(r.mood.rest, r.mood.rest, 0, []) for who, r in world.people.residents.items()}
        self._half = {who: half_life(world, who) for who in self._moods}

    def read(self, record: Record) -> None:
        """Take in the next record of the log."""
        at = record.stamp
        for m in moved(record):
            mood = self._moods.get(m.who)
            if mood is None:
                continue
            if m.mark is not None:
                enter_mark(mood, m.mark, Pad(*m.after))
            else:
                enter_cause(mood, Cause(*m.delta, at.t, at.seq, m.page or m.why, m.sort), Pad(*m.after))

    def nature(self, who: str) -> Pad:
        """Where somebody's mood rests by nature."""
        return self._moods[who].rest

    def at(self, who: str, t: int) -> Pad:
        """Somebody's mood at second t, which is not before the last record."""
        return mood_at(self._moods[who], t, self._half[who])

    def causes(self, who: str, t: int) -> list[Cause]:
        """And its ledger."""
        return ledger(self._moods[who], t, self._half[who])
