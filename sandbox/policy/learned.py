"""Policies that learn: a bandit for each lever in use, over the contexts of its arms (seed 001, 3 and algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from sandbox.feed.tables import Floats, Longs, pair_keys, places_in
from sandbox.policy.choice import LEVELS, Choice
from sandbox.policy.context import MIXES, Context, Rows
from sandbox.policy.contract import Policy
from sandbox.policy.learners import Bandit, ExploreExploit, GreedyLinear, GreedyNeural, LinUCB, RandomArms
from sandbox.policy.model import PolicyParameters
from sandbox.policy.objectives import OBJECTIVES, Objective
from sandbox.policy.seen import Seen
from sandbox.policy.views import PlatformView

LEVERS = ("cards", "exposure", "mix")
BEST = 3  # cards chosen for a reader


def best_cards(view: PlatformView, scores: Rows, most: int) -> tuple[Longs, Longs]:
    """The places of the best few cards for each reader, of those that have not been chosen for them before: (row,
    column). scores: (a, b).
    """
    scores = np.where(view.fresh, scores, -np.inf)
    at = np.argsort(-scores, axis=1, kind="stable")[:, :most]
    row, place = np.isfinite(np.take_along_axis(scores, at, axis=1)).nonzero()
    return row, at[row, place]


class ChosenArms(NamedTuple):
    """What is remembered of chosen arms until their reward comes: the key of each, its context and what its bandit
    keeps.
    """

    keys: np.ndarray
    x: Rows
    kept: Floats


class LearnedPolicy(Policy):
    """Learns which cards to give to whom, whom to turn down, and which mix serves an objective best.

    make: makes a bandit of (width of contexts, seed). levers: of LEVERS. context: of arms. best: cards for a reader.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[int, int], Bandit],
        objective: Objective,
        levers: Collection[str] = ("cards",),
        context: Context = Context(),  # noqa: B008  # it cannot change
        best: int = BEST,
    ) -> None:
        self.name, self.make, self.objective, self.context, self.best = name, make, objective, context, best
        self.levers = tuple(lever for lever in LEVERS if lever in levers)
        self.begin(0)

    def begin(self, seed: int) -> None:
        widths = {"cards": self.context.of_arms, "exposure": self.context.of_exposures, "mix": len(MIXES)}
        self.bandits = {lever: self.make(widths[lever], seed) for lever in self.levers}
        self._chosen: dict[str, ChosenArms] = {}
        self.rewards: dict[str, float] = {}

    # ---- deciding

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        self._chosen.clear()
        mix = self._mix(draw) if "mix" in self.levers else None
        arms = self._arms(view, draw) if "cards" in self.levers else ()
        silenced = self._exposures(view, draw) if "exposure" in self.levers else ()
        found = Choice(mix)
        if arms:
            found = found._replace(users=arms[0], cards=arms[1], scores=arms[2])
        return found._replace(silenced=silenced[0], levels=silenced[1]) if silenced else found

    def _arms(self, view: PlatformView, draw: np.random.Generator) -> tuple[Longs, Longs, Rows]:
        """The best few cards for each reader, of those that have not been chosen for them before."""
        a, b = view.fresh.shape
        x = self.context.arms(view)
        scores = self.bandits["cards"].scores(x, draw, np.repeat(np.arange(a), b)).reshape(a, b)
        row, at = best_cards(view, scores, self.best)
        users, cards = view.readers[row], view.posts.number[at]
        self._remember("cards", pair_keys(users, cards), x[row * b + at])
        return users, cards, scores[row, at]

    def _exposures(self, view: PlatformView, draw: np.random.Generator) -> tuple[Longs, Rows]:
        """The best level of each author; of those who would be turned down, as many as may be, who gain most by it."""
        k = len(LEVELS)
        x = self.context.exposures(view)
        scores = self.bandits["exposure"].scores(x, draw, np.repeat(np.arange(len(view.authors)), k)).reshape(-1, k)
        at = scores.argmax(axis=1)
        gain = scores.max(axis=1, initial=0) - scores[:, -1]
        down = np.argsort(-gain, kind="stable")[: view.most_silenced]
        down = np.sort(down[gain[down] > 0])
        level = np.full(len(view.authors), k - 1)
        level[down] = at[down]
        self._remember("exposure", view.authors.astype(np.uint64), x[np.arange(len(level)) * k + level])
        return view.authors[down], np.array(LEVELS)[level[down]]

    def _mix(self, draw: np.random.Generator) -> tuple[float, float, float]:
        x = np.eye(len(MIXES))
        scores = self.bandits["mix"].scores(x, draw, np.zeros(len(MIXES), np.int64))
        best = int(scores.argmax())
        self._remember("mix", np.array([best], np.uint64), x[best : best + 1])
        return MIXES[best]

    def _remember(self, lever: str, keys: np.ndarray, x: Rows) -> None:
        self._chosen[lever] = ChosenArms(keys, x, self.bandits[lever].keep(x))

    # ---- learning

    def learn(self, seen: Seen) -> None:
        self.rewards = {}
        if "cards" in self._chosen and len(seen.users):
            self._learn("cards", pair_keys(seen.users, seen.cards), self.objective.of_arms(seen))
        if "exposure" in self._chosen and len(seen.authors):
            self._learn("exposure", seen.authors.astype(np.uint64), self.objective.of_exposure(seen))
        if "mix" in self._chosen:
            self._learn("mix", self._chosen["mix"].keys, np.array([self.objective.of_mix(seen)], np.float32))

    def _learn(self, lever: str, keys: np.ndarray, reward: Floats) -> None:
        """Teach a bandit the rewards of what it chose; others' (by hand) are left out."""
        chosen = self._chosen[lever]
        order = np.argsort(keys, kind="stable")
        at, there = places_in(keys[order], chosen.keys)
        got = reward[order[at[there]]].astype(np.float64)
        if len(got):
            self.rewards[lever] = float(got.mean())
            self.bandits[lever].learn(chosen.x[there], got, chosen.kept[there])


# A name of `model.LEARNERS` -> its bandit.
BANDITS: dict[str, Callable[[int, int], Bandit]] = {
    "random": RandomArms,
    "epsilon": GreedyLinear,
    "linucb": LinUCB,
    "neural": GreedyNeural,
    "networks": ExploreExploit,
}


def policy_of(parameters: PolicyParameters) -> Policy:
    """The policy that the parameters name. Raises KeyError for `hand` and "", which no learner stands behind."""
    levers = [lever for lever in LEVERS if getattr(parameters, lever)]
    context = Context(parameters.hops, stances=parameters.stances, products=parameters.products)
    objective = OBJECTIVES[parameters.objective]()
    return LearnedPolicy(parameters.learner, BANDITS[parameters.learner], objective, levers, context, parameters.best)
