"""What actions need besides the feed: vectors of texts, and the cards kept ready for each user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from sandbox.core.chance import Chance
from sandbox.core.vectors import DIMENSIONS, Vectors, local, project
from sandbox.feed import reading
from sandbox.feed.card_scores import Ranker
from sandbox.feed.model import Feed
from sandbox.feed.parameters import FeedParameters, recommender, steered_recommender
from sandbox.feed.reading import PLAIN, WordSource
from sandbox.feed.recommenders import Recommender
from sandbox.feed.steering import chosen_cards, lots_salt, salted, silenced_cards
from sandbox.feed.tables import draws
from sandbox.feed.words import CrowdWords

KEPT_VECTORS = 65_536  # cached vectors of texts, besides those of the last request


class TextVectors:
    """Vectors of texts as 32 whole numbers, each computed once. maker: makes the rows that are projected."""

    def __init__(self, maker: Vectors) -> None:
        self.maker = maker
        self._kept: dict[str, bytes] = {}

    def __call__(self, text: str) -> bytes:
        """The vector of a text, as 32 int8."""
        found = self._kept.get(text)
        if found is None:
            self.prepare((text,))
            found = self._kept[text]
        return found

    def prepare(self, texts: Iterable[str]) -> None:
        """Compute the vectors of many texts at once, which is quicker than one by one."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if new:
            self.take(new, self.maker.embed(new))

    def take(self, texts: Sequence[str], rows: NDArray[np.float32]) -> None:
        """Store vectors from rows that this maker has already made elsewhere."""
        found = project(rows, self.maker.name)
        self._kept.update(zip(texts, (row.tobytes() for row in found), strict=True))
        for text in [*islice(self._kept, max(0, len(self._kept) - KEPT_VECTORS - len(texts)))]:
            del self._kept[text]  # the oldest


def ranked_cards(
    feed: Feed, ranker: Ranker, users: Sequence[int], k: int, draw: np.random.Generator, words: WordSource
) -> dict[int, list[int]]:
    """The cards that a ranker gives each of these users, best first, each root once: enough that k of them are visible
    to the user, if there are that many. Hidden ones are included, but do not count towards k.
    """
    kept: dict[int, dict[int, int]] = {user: {} for user in users}  # per user: root -> card
    todo, asked = [*users], k
    while todo:
        rows = ranker(np.array(todo, np.int64), asked, draw).tolist()
        for user, row in zip(todo, rows, strict=True):
            for card in row:
                if card >= 0:
                    kept[user].setdefault(feed.posts.root.item(card), card)
        more = asked < feed.posts.n
        todo = [
            user
            for user, row in zip(todo, rows, strict=True)
            if more and min(row) >= 0 and len(reading.visible_cards(feed, user, kept[user].values(), words)) < k
        ]
        asked = min(feed.posts.n, 2 * asked)
    return {user: [*cards.values()] for user, cards in kept.items()}


class ReadyCards:
    """The cards that a recommender keeps ready for each user, who reads some of them at a time. once: what the ranker
    prepares for all users is kept from the first look until `clear`. words: texts of the crowd.
    """

    def __init__(
        self,
        feed: Feed,
        parameters: FeedParameters,
        ranks: Recommender,
        chance: Chance,
        words: WordSource = PLAIN,
        once: bool = False,
    ) -> None:
        self.feed, self.p, self.ranks, self.chance, self.words, self.once = feed, parameters, ranks, chance, words, once
        self.kept: dict[int, list[int]] = {}
        self._ranker: Ranker | None = None
        self._salt: int | None = None

    def rank(self, users: Sequence[int], now: int, step: int, whole: bool = False) -> None:
        """Rank again for these users. whole: they are all users, and share one random draw."""
        if not users:
            return
        draw = draws(self.chance.seed, f"rank {now} {'' if whole else users[0]}", step)
        ranker = self._ranker
        if ranker is None or whole or not self.once:
            ranks = steered_recommender(self.feed, self.p, self.ranks)
            ranker = self._ranker = ranks.prepare(self.feed, now, draws(self.chance.seed, f"pool {now}", step))
        self.kept.update(ranked_cards(self.feed, ranker, users, self.p.cache, draw, self.words))

    def clear(self) -> None:
        """Drop all cards kept ready."""
        self.kept.clear()
        self._ranker = None

    def chosen(self, user: int, now: int, step: int, count: int) -> list[int]:
        """Some of an account's ready cards, drawn at random without repeats, after those that a policy has chosen for
        them. count: 0 = the usual number.
        """
        if user not in self.kept:
            self.rank((user,), now, step)
        ready = self.kept[user].copy()
        wanted = count or self.p.read
        me = self.feed.accounts[user]
        found = self._steered(user, ready)[:wanted] if self.feed.steering is not None else []
        unit = self.chance.stream(step, me.handle, "refresh", now).unit
        for left in range(len(ready), 0, -1):
            if len(found) >= wanted:
                break
            at = int(unit() * left)
            card = ready[at]
            ready[at] = ready[left - 1]
            if reading.is_card_visible(self.feed, me, card, self.words):
                found.append(card)
        return found

    def _steered(self, user: int, ready: list[int]) -> list[int]:
        """The cards that a policy has chosen for an account; they, and those that it keeps from them, leave `ready`."""
        feed, who = self.feed, np.array((user,), np.int64)
        if self._salt is None:
            self._salt = salted(lots_salt(self.chance.seed))
        chosen = chosen_cards(feed, who)
        seen: dict[int, int] = {}  # root -> the first card that shows it
        for card in [] if chosen is None else reading.visible_cards(feed, user, chosen[0].tolist(), self.words):
            seen.setdefault(feed.posts.root.item(card), card)
        hidden = silenced_cards(feed, who, np.array((ready,), np.int32), self._salt)
        kept = ready if hidden is None else [card for card, out in zip(ready, hidden[0], strict=True) if not out]
        ready[:] = [card for card in kept if feed.posts.root.item(card) not in seen]
        return [*seen.values()]


class TownMeans:
    """The action context of a world: its recommender ranks at every look, so that what is shown does not depend on what
    was looked at before the world was opened.
    """

    def __init__(self, world: Any) -> None:
        self._held = ref(world)  # a strong reference would be a cycle, freed only by the garbage collector
        self._vector: TextVectors | None = None
        self.words: WordSource = CrowdWords.of(world.scenario)

    @property
    def _world(self) -> Any:
        return self._held()

    def vector(self, text: str) -> bytes:
        """The 32 whole numbers (int8) of a text."""
        said = self._world.scenario.feed
        if said is None:
            return bytes(DIMENSIONS)
        if self._vector is None:
            maker = local(self._world.feed_parameters.vectors)
            self._vector = TextVectors(maker)
        # Rows of two makers cannot be compared: in a world founded with another maker, new texts get no vector.
        return self._vector(text) if self._vector.maker.name == said.maker else bytes(DIMENSIONS)

    def chosen(self, feed: Feed, user: int, now: int, count: int) -> Sequence[int]:
        """The cards that a refresh shows."""
        w = self._world
        ready = ReadyCards(feed, w.feed_parameters, recommender(feed, w.feed_parameters), w.chance, self.words)
        return ready.chosen(user, now, w.step + 1, count)
