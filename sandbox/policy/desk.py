"""The desk from which a feed is steered: the seat of whoever has been chosen. A world has one; it is no state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sandbox.feed.steering import Steered, pack_steered
from sandbox.feed.tables import Longs
from sandbox.policy.model import PolicyParameters, steering_settings

if TYPE_CHECKING:
    from sandbox.policy.contract import Policy
    from sandbox.policy.seat import Seat


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
            self.own[policy.name] = policy

    def steer(self, w: Any, number: int, t: int, readers: Callable[[], Longs]) -> Steered | None:
        """What is decided for tick `number`, which begins at second t; None if nobody steers and nobody has."""
        settings, own = steering_settings(w), w.policy.own
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
        from sandbox.policy.seating import seat_of  # imported only here: most worlds are steered by nobody

        return seat_of(settings, own, self.own, w, lambda line: self.told(line))

    def take(self, seat: Seat, settings: PolicyParameters, own: str) -> None:
        """Let a seat steer as long as the world says so."""
        self.seat, self._sits = seat, (settings, own)
