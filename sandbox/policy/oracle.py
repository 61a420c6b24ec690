"""Policies without learning, to hold learners against: one that knows the odds of the crowd, and chance."""

from __future__ import annotations

import numpy as np

from sandbox.feed.crowd import SEEN, Crowd
from sandbox.feed.packing import ActKind
from sandbox.feed.tables import Floats, Longs
from sandbox.policy.choice import Choice
from sandbox.policy.contract import Policy
from sandbox.policy.learned import BEST, best_cards
from sandbox.policy.objectives import WORTH, Engagement
from sandbox.policy.seen import Act, stances
from sandbox.policy.views import PlatformView

BIT = {
    ActKind.LIKE: Act.LIKE, ActKind.DISLIKE: Act.DISLIKE, ActKind.REPOST: Act.REPOST, ActKind.FOLLOW: Act.FOLLOW,
    ActKind.NEUTRAL: Act.COMMENT,
}  # fmt: skip


class CardOracle(Policy):
    """Gives each reader the cards whose reward is highest on average, as it knows the crowd's odds, though not its
    draws. crowd: the one that reads.
    """

    name = "oracle"

    def __init__(self, objective: Engagement, best: int = BEST) -> None:
        self.objective, self.best = objective, best
        self.crowd: Crowd | None = None

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        if self.crowd is None:
            raise ValueError("an oracle needs the crowd it foresees")
        a, b = view.fresh.shape
        readers, cards = np.repeat(view.readers, b), np.tile(view.posts.number, a)
        scores = expected_rewards(self.crowd, self.objective, readers, cards).reshape(a, b)
        row, at = best_cards(view, scores.astype(np.float64), self.best)
        return Choice.of_arms(view.readers[row], view.posts.number[at], scores[row, at])


def expected_rewards(crowd: Crowd, objective: Engagement, readers: Longs, cards: Longs) -> Floats:
    """The mean reward of cards given to readers of the crowd, as its odds are now; comments count as harmless."""
    feed = crowd.feed
    sender, receiver = stances(feed, feed.posts.author[cards]), stances(feed, readers)
    expected = expected_worth(crowd, readers, cards)
    return objective.worth(expected, sender, receiver, np.zeros(len(readers), np.float32))


def regret(crowd: Crowd, objective: Engagement, view: PlatformView, users: Longs, cards: Longs) -> float | None:
    """By how much less the cards that a round gave to the crowd are worth on average than as many that the oracle would
    have given the same readers; None if it gave the crowd none. users, cards: its arms.
    """
    own = users < crowd.feed.crowd
    if not own.any() or not view.fresh.size:
        return None
    oracle = CardOracle(objective, int(np.bincount(view.readers.searchsorted(users[own])).max()))
    oracle.crowd = crowd
    best = oracle.choose(view, np.random.default_rng(0))
    there = best.users < crowd.feed.crowd
    if not there.any():
        return None
    return float(best.scores[there].mean() - expected_rewards(crowd, objective, users[own], cards[own]).mean())


def expected_worth(crowd: Crowd, readers: np.ndarray, cards: np.ndarray) -> Floats:
    """The mean worth of what readers of the crowd do with cards: of several acts the worthiest counts."""
    odds = {BIT.get(kind, 0): chance for kind, chance in zip(SEEN.tolist(), crowd.odds(readers, cards), strict=False)}
    found, left = np.zeros(len(readers), np.float32), np.ones(len(readers), np.float32)
    for bit, worth in sorted(WORTH.items(), key=lambda one: -one[1]):
        if bit in odds:
            found += np.float32(worth) * left * odds[bit]
            left *= 1 - odds[bit]
    return found


class SilencingOracle(Policy):
    """Turns down entirely those who spread the watched claim, most followed first, which it knows."""

    name = "oracle"

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        spread = np.flatnonzero(view.misinformed)
        spread = np.sort(spread[np.argsort(-view.fans[spread], kind="stable")][: view.most_silenced])
        return Choice(silenced=spread, levels=np.zeros(len(spread)))


class RandomSilencing(Policy):
    """Turns down as many users as may be, drawn by chance once."""

    name = "random_silencing"

    def begin(self, seed: int) -> None:
        self._seed = seed

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        once = np.random.default_rng(self._seed)
        down = np.sort(once.choice(view.users, view.most_silenced, replace=False))
        return Choice(silenced=down, levels=np.zeros(len(down)))
