"""The contract of a policy: what it decides in a round, and how it learns what came of it.

class Newest(Policy):
    name = "newest"

    def choose(self, view: View, draw: np.random.Generator) -> Choice:
        best = view.posts.age.argmin()
        able = view.able[:, best]
        return Choice.of_arms(view.readers[able], view.posts.number[best], -view.posts.age[best])
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandbox.feed.model import Feed
from sandbox.policy.choice import Choice
from sandbox.policy.seat import Seat
from sandbox.policy.seen import Seen
from sandbox.policy.toxicity import CommentToxicity
from sandbox.policy.views import Sizes, View


class Policy:
    """Decides what a platform shows. Implement `choose`, and `learn` if it learns.

    name: in events and reports. It keeps what it has learnt in itself and uses no chance but `draw`: after a jump it is
    taught again from the log, and must then be the same.
    """

    name = "own"

    def choose(self, view: View, draw: np.random.Generator) -> Choice:
        """The decisions of a round. The view's arrays cannot be written; draw: the round's own chance."""
        raise NotImplementedError(f"{type(self).__name__} is no policy: it has no method choose; write one")

    def learn(self, seen: Seen) -> None:
        """Learn from what came of the round before."""

    def begin(self, seed: int) -> None:
        """Forget everything, before the first round on a feed. seed: of the run."""

    def seat(
        self,
        feed: Feed,
        seed: int,
        sizes: Sizes = Sizes(),  # noqa: B008  # it cannot change
        toxicity: CommentToxicity | None = None,
        told: Callable[[str], None] = lambda _: None,
    ) -> Seat:
        """The policy at work on a feed, from its first round on (`seat.py`)."""
        return Seat(self, feed, seed, sizes, toxicity, told)
