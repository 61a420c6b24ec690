"""A day of the feed in a few sentences, for the page of a town: whose post was liked most, and what crossed."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sandbox.core.events import Event, Record
from sandbox.core.plain import count_of
from sandbox.core.text import clean
from sandbox.engine.world import World
from sandbox.feed.events import Connected, Deleted, Posted, Quoted, Reacted
from sandbox.feed.packing import ActKind, CrowdActed
from sandbox.phones.model import Crossed, Read
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller

CROSSED = 4  # rules that are told of, at most, the first time each ran towards the street, or else at all
SHORT = 140  # letters of a post


class FeedDay:
    """The fold. `read` takes the records of a day; `told` is what they come to."""

    def __init__(self, world: World) -> None:
        self._people, self._name = world.cast, world.handbook.name
        self._lately: dict[int, Event] = {}
        self._teller = Teller(world.handbook, lately=self._lately)
        self._posts: dict[int, tuple[str, str]] = {}  # card -> whose, and its words
        self._town: Counter[int] = Counter()  # card -> likes of the town's people
        self._crowd: Counter[int] | None = None  # and of the crowd; None = its acts were not read
        self._crossed: dict[str, tuple[bool, int, str]] = {}  # rule -> whether to the feed, second, sentence

    def read(self, record: Record) -> None:
        """Take in the next record."""
        at, e = record
        if isinstance(e, Posted | Quoted):
            if at.actor in self._people:
                self._posts[e.post] = (at.actor, e.text)
        elif isinstance(e, Deleted):
            self._posts.pop(e.post, None)
        elif isinstance(e, CrowdActed):
            liked = np.frombuffer(e.targets, "<u4")[np.frombuffer(e.acts, np.uint8) == ActKind.LIKE]
            self._crowd = self._crowd or Counter()
            self._crowd.update(card for card in liked.tolist() if card in self._posts)
        elif isinstance(e, Reacted):
            if e.on == "post" and e.act in ("like", "unlike"):
                self._town[e.target] += 1 if e.act == "like" else -1
        elif isinstance(e, Read | Connected):
            self._lately[at.seq] = e
        elif isinstance(e, Crossed) and e.pile is not False:
            found = (e.way == "feed", at.t, event_sentence(record, self._teller))
            self._crossed[e.rule] = min(self._crossed.get(e.rule, found), found)

    def told(self) -> tuple[str, ...]:
        """Sentences, with full stops; none of a day on which nobody wrote anything."""
        town, likes = self._town, self._town + (self._crowd or Counter())
        best = max(self._posts, key=lambda card: (likes[card], -card), default=-1)
        out = []
        if likes[best]:
            who, text = self._posts[best]
            whose = "liked most in town" if self._crowd is None else "liked most"
            of = f", {town[best]:,} of them in town" if 0 < town[best] < likes[best] else ""
            out.append(f"{self._name(who)} was {whose} ({count_of(likes[best], 'like')}{of}): “{clean(text, SHORT)}”")
        crossed = sorted(sorted(self._crossed.values())[:CROSSED], key=lambda x: x[1])
        return (*out, *(f"{text}." for _, _, text in crossed))
