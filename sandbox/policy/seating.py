"""Who takes the platform's seat in a town: a learner, a policy of one's own, or whoever plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sandbox.policy.choice import Choice
from sandbox.policy.contract import Policy
from sandbox.policy.learned import policy_of
from sandbox.policy.model import HAND, PolicyParameters, PolicyState
from sandbox.policy.seat import Seat
from sandbox.policy.views import PlatformView, Sizes


class HandPolicy(Policy):
    """Whoever plays the platform: the mix and the exposures they have set, until they set others."""

    name = HAND

    def __init__(self, state: Callable[[], PolicyState]) -> None:
        self._state = state

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        state = self._state()
        down = sorted(state.down.items())[: view.most_silenced]
        users, levels = (np.array([pair[i] for pair in down], np.int64) for i in range(2))
        return Choice(state.mix, silenced=users, levels=levels / 100)


class MissingPolicy(Policy):
    """In the place of a policy of one's own that a session has not been given."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        raise LookupError("it was not given to this session; give it with --policy FILE")


def seat_of(
    settings: PolicyParameters, own: str, given: Mapping[str, Any], w: Any, told: Callable[[str], None]
) -> Seat:
    """A new seat for these settings on the feed of a world. own: name of a policy of one's own; given: those there are.
    told: is given sentences for whoever watches.
    """
    if own:
        policy: Policy = given.get(own) or MissingPolicy(own)
    else:
        policy = HandPolicy(lambda: w.policy) if settings.learner == HAND else policy_of(settings)
    return Seat(policy, w.feed, w.scenario.seed, sizes_of(settings), told=told)


def sizes_of(settings: PolicyParameters) -> Sizes:
    """How many candidates there are in a round."""
    return Sizes(settings.readers, settings.candidates, settings.authors, settings.silenced)
