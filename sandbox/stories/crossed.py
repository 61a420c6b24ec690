"""What crossed between street and feed in sentences, so that the two ends of a crossing show what links them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sandbox.core.events import Event, Record
from sandbox.engine.world import World
from sandbox.feed.events import Deed
from sandbox.people.model import Felt
from sandbox.phones.model import Crossed, Read, Wrote
from sandbox.stories import pressures
from sandbox.stories.crossings import FEED, SAYS
from sandbox.stories.every import told
from sandbox.stories.of_feed import owners
from sandbox.stories.story import Teller
from sandbox.talk.model import Exchanged


class CrossedWords:
    """The reader. world: as it begins; wanted: the events at the ends. told: event -> sentence; moods: deed on the feed
    -> the mood it was done in, where that is what it came of.
    """

    def __init__(self, world: World, wanted: Collection[int]) -> None:
        self.told: dict[int, str] = {}
        self.moods: dict[int, str] = {}
        self._wanted, self._matters = wanted, pressures.of_world(world)
        self._lately: dict[int, Event] = {}
        self._felt: dict[int, str] = {}
        self._teller = Teller(world.handbook, self._matters, lately=self._lately, users=owners(world))

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            at, e = record
            pressures.learn(self._matters, record)
            if isinstance(e, Deed | Read):
                self._lately[at.seq] = e
            if isinstance(e, Felt) and e.why:
                self._felt[at.seq] = f"{self._teller.name(at.actor)} {e.why}"
            elif isinstance(e, SAYS) and at.seq in self._wanted and at.causes[:1] and at.causes[0] in self._felt:
                self.moods[at.seq] = self._felt[at.causes[0]]
            says = isinstance(e, Wrote) or (isinstance(e, Crossed) and e.way == FEED)
            deeds = at.causes[:1] if says else ()
            for seq in (*deeds, at.seq):  # what a deed on the feed is about says more than the deed
                if seq in self._wanted and (seq == at.seq or isinstance(self._lately.get(seq), Deed)):
                    self.told[seq] = self._sentence(record)

    def _sentence(self, record: Record) -> str:
        """What was said without words is told by what it was about."""
        at, e = record
        if isinstance(e, Exchanged) and not any(line.text for line in e.lines):
            first = next((line for line in e.lines if line.topic), None)
            other = next((line.who for line in e.lines if line.who != at.actor), "")
            if first is not None and other:
                name = self._teller.name
                topic = name(first.topic) if first.topic in self._teller.handbook.cast else first.topic
                return f"{name(at.actor)} and {name(other)} had a few words about it: {topic}"
        return told(record, self._teller)
