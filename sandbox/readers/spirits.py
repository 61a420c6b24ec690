"""The moods of people as a log tells them: folded from what each event says it moved."""

from __future__ import annotations

from collections.abc import Collection

from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.guest_handlers import Came
from sandbox.people.mood import CALM, Cause, Mood, Pad, enter_cause, enter_mark, ledger, mood_at, temperament
from sandbox.people.mood_queries import half_life, half_life_of
from sandbox.people.persona import Persona
from sandbox.readers.all_stories import event_moods


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

    def _begin(self, p: Persona, t: int) -> None:
        """Somebody has come to town, in the mood they are in by nature."""
        rest = temperament(p.big_five) if self._parameters.temperament else CALM
        self._moods[p.id], self._half[p.id] = Mood(rest, rest, t, []), half_life_of(self._parameters, p)

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
