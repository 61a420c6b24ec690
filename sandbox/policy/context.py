"""The context of an arm: what a learner is told of a reader and a card, or of an author and a level (seed 001, 3; the
crowd's interests know nothing of stance, so stances are added: ours, docs/policy.md).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.core.clock import HOUR
from sandbox.feed.model import DIMENSIONS
from sandbox.feed.tables import Longs
from sandbox.policy.choice import LEVELS
from sandbox.policy.learners import propagate
from sandbox.policy.views import PlatformView

Rows = NDArray[np.float64]
MIXES = (  # shares of followed users, of personal cards and of headlines that a learner chooses among
    (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0),
    (0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 0.5, 0.5), (0.4, 0.3, 0.3),
)  # fmt: skip


class Context(NamedTuple):
    """What contexts hold. hops: how often a user's row is mixed with those of whom they follow; keep: weight of their
    own (equation 8). stances: own stance, what one has read lately, fans, and the card's stance, age and likes;
    products: of stances and interests, without which |s_u - s_p| is not linear.
    """

    hops: int = 1
    keep: float = 0.5
    stances: bool = True
    products: bool = True

    @property
    def of_users(self) -> int:
        """The width of a user's row."""
        return DIMENSIONS + (4 if self.stances else 0)

    @property
    def of_arms(self) -> int:
        """The width of an arm's context."""
        return 1 + self.of_users + DIMENSIONS + (3 if self.stances else 0) + (4 if self.products else 0)

    @property
    def of_exposures(self) -> int:
        """The width of the context of an author and a level."""
        return (1 + len(LEVELS)) * self.of_users + len(LEVELS)

    def users(self, view: PlatformView, users: Longs) -> Rows:
        """Rows of users, (n, of_users), mixed over whom they follow."""
        inner = known = users
        first, others = np.zeros(1, np.int64), users[:0]
        for _ in range(self.hops):
            inner = known
            first, others = view.followed(inner)
            known = np.union1d(inner, others)
        rows = [view.interests(known)]
        if self.stances:
            believes = view.misinformed[known] if view.watched else np.zeros(len(known))
            fans = np.log10(1 + view.fans[known]) / 3
            rows.append(np.stack((view.stance[known], view.heard_by(known), fans, believes), axis=1))
        x = np.concatenate(rows, axis=1).astype(np.float64)
        number = np.zeros(len(known) + 1, np.int64)  # of follows; the outermost are not mixed themselves
        number[1 + known.searchsorted(inner)] = np.diff(first) if self.hops else 0
        places = known.searchsorted(others)
        return propagate(x, number.cumsum(), places, self.hops, self.keep, known.searchsorted(users))

    def arms(self, view: PlatformView) -> Rows:
        """Contexts of each reader with each card, (a * b, of_arms), reader by reader."""
        posts, own = view.posts, self.users(view, view.readers)
        a, b = len(own), len(posts.number)
        parts: list[NDArray[Any]] = [np.ones((a * b, 1)), np.repeat(own, b, axis=0), np.tile(posts.vector, (a, 1))]
        if self.stances:
            card = np.stack(
                (posts.stance, np.minimum(posts.age / (8 * HOUR), 1), np.log10(1 + posts.likes) / 2), axis=1
            )
            parts.append(np.tile(card, (a, 1)))
        if self.products:
            s_u = np.repeat(view.stance[view.readers], b).astype(float)
            s_p = np.tile(posts.stance, a).astype(float)
            alike = (view.interests(view.readers) @ posts.vector.T).ravel()
            parts.append(np.stack((s_u * s_p, s_u**2, s_p**2, alike), axis=1))
        return np.concatenate(parts, axis=1, dtype=np.float64)

    def exposures(self, view: PlatformView) -> Rows:
        """Contexts of each author with each level, (c * 5, of_exposures), author by author: their row, the level as one
        of five, and the row in the place of that level, so that a linear learner can tell for whom a level is good.
        """
        own = self.users(view, view.authors)
        k, c, width = len(LEVELS), len(own), self.of_users
        blocks = np.zeros((c, k, k, width))
        for level in range(k):
            blocks[:, level, level] = own
        levels = np.tile(np.eye(k), (c, 1))
        return np.concatenate((np.repeat(own, k, axis=0), levels, blocks.reshape(c * k, k * width)), axis=1)
