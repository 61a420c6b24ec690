"""The desk from which a feed is steered: the seat of whoever has been chosen. A world has one; it is no state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sandbox.feed.steering import Steered, pack_steered
from sandbox.feed.tables import Longs
from sandbox.policy.catalogue import HAND, PolicyParameters, policy_of
from sandbox.policy.choice import Choice
from sandbox.policy.contract import Policy
from sandbox.policy.model import PolicyState, settings_of
from sandbox.policy.seat import Seat, name_of
from sandbox.policy.views import View


class HandPolicy(Policy):
    """Whoever plays the platform: the mix and the exposures they have set, until they set others."""

    name = HAND

    def __init__(self, state: Callable[[], PolicyState]) -> None:
        self._state = state

    def choose(self, view: View, draw: np.random.Generator) -> Choice:
        state = self._state()
        down = sorted(state.down.items())[: view.most_silenced]
        users, levels = (np.array([pair[i] for pair in down], np.int64) for i in range(2))
        return Choice(state.mix, silenced=users, levels=levels / 100)


class MissingPolicy(Policy):
    """In the place of a policy of one's own that a session has not been given."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: View, draw: np.random.Generator) -> Choice:
        raise LookupError("it was not given to this session; give it with --policy FILE")


class PolicyDesk:
    """Steers a feed by whatever its world says. own: policies of one's own, by name. told: is given sentences for
    whoever watches.
    """

    def __init__(self) -> None:
        self.own: dict[str, Policy] = {}
        self.told: Callable[[str], None] = lambda _: None
        self.seat: Seat | None = None
        self._sits: tuple[Any, ...] = ()  # for whom the seat was made

    def give(self, policy: Policy | None) -> None:
        """Keep a policy of one's own for when the world asks for it."""
        if policy is not None:
            self.own[name_of(policy)] = policy

    def steer(self, w: Any, number: int, t: int, readers: Callable[[], Longs]) -> Steered | None:
        """What is decided for tick `number`, which begins at second t; None if nobody steers and nobody has."""
        settings, own = settings_of(w), w.policy.own
        if not settings.learner and not own:
            self.seat, self._sits = None, ()
            return pack_steered(number, "", None) if w.feed.steering is not None else None
        if self._sits != (settings, own):
            self.take(self.make(settings, own, w), settings, own)
        assert self.seat is not None
        self.seat.feed = w.feed
        return self.seat.steer(number, t, readers)

    def make(self, settings: PolicyParameters, own: str, w: Any) -> Seat:
        """A new seat for these settings on the feed of a world."""
        if own:
            policy = self.own.get(own) or MissingPolicy(own)
        else:
            policy = HandPolicy(lambda: w.policy) if settings.learner == HAND else policy_of(settings)
        return Seat(policy, w.feed, w.scenario.seed, settings.sizes, told=lambda line: self.told(line))

    def take(self, seat: Seat, settings: PolicyParameters, own: str) -> None:
        """Let a seat steer as long as the world says so."""
        self.seat, self._sits = seat, (settings, own)
