"""Teaching a policy again, from the log of the world it steered: what it has learnt is no state of the world.

The feed is made again from its events beside the world, and the policy is asked and taught in each round as it was in
the run; on one machine it is then the same to the last bit.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Any

from sandbox.core.domain import Handler
from sandbox.core.events import Event, Record
from sandbox.core.plain import count_of
from sandbox.feed.crowd import Crowd
from sandbox.feed.domain import FEED
from sandbox.feed.model import Feed
from sandbox.feed.parameters import recommender
from sandbox.feed.steering import Steered
from sandbox.feed.tables import Longs
from sandbox.policy.desk import PolicyDesk
from sandbox.policy.domain import POLICY
from sandbox.policy.model import PolicyParameters, PolicyState, steering_settings
from sandbox.policy.seat import Seat


class FeedAgain:
    """A world with only a feed and whoever steers it, made again from events. world: the one whose log it reads."""

    def __init__(self, world: Any) -> None:
        self.feed: Feed = FEED.states[0].found(world)
        self.policy = PolicyState()
        self.scenario, self.policy_parameters = world.scenario, world.policy_parameters
        self._p = world.feed_parameters
        self._crowd = Crowd(self.feed, self._p, world.crowd_parameters, recommender(self.feed, self._p))
        self._seed = world.scenario.seed

    def live(self, record: Record) -> None:
        """Let an event of the log happen."""
        event = record.event
        if isinstance(event, Steered):
            self.begin_round(event, record.stamp.t)
        if (seed := getattr(event, "seed", None)) is not None:  # all chance has another seed from here on
            self._seed = seed
            return
        HANDLERS[type(event)](self, event, record.stamp)

    def begin_round(self, event: Steered, t: int) -> None:
        """A round is decided, at second t, and the feed is as it was before."""
        raise NotImplementedError

    def starts(self, number: int) -> int:
        """The first second of a round."""
        first: int = (number - 1) * self._p.tick
        return first

    def sitters(self, number: int) -> Longs:
        """The users of the crowd who look in a round."""
        return self._crowd.sitters(self._seed, number, self.starts(number), self._p.tick)


class Pupil(FeedAgain):
    """The policy decides before each round, as it did then. world: the one whose policy is taught."""

    def __init__(self, world: Any) -> None:
        super().__init__(world)
        self._desk = world.desk
        self.seat: Seat | None = None
        self.sits: tuple[PolicyParameters, str] = (PolicyParameters(), "")
        self.astray = 0  # rounds in which the policy would have decided otherwise

    def begin_round(self, event: Steered, t: int) -> None:
        settings, own = steering_settings(self), self.policy.own
        if not event.policy or not (settings.learner or own):
            self.seat = None
            return
        if self.seat is None or self.sits != (settings, own):
            self.seat, self.sits = self._desk.make(settings, own, self), (settings, own)
        number = event.number
        self.astray += self.seat.steer(number, self.starts(number), lambda: self.sitters(number)) != event


HANDLERS: dict[type[Event], Handler] = {**FEED.handlers, **POLICY.handlers}
KINDS = frozenset({event.KIND for event in HANDLERS} | {"reseeded"})  # of event that a policy is taught by


async def teach(world: Any, records: AsyncIterable[Record]) -> None:
    """Teach the policy of a world that is about to go on. records: of KINDS, in order."""
    pupil = Pupil(world)
    async for record in records:
        pupil.live(record)
    if pupil.seat is None:
        return
    desk: PolicyDesk = world.desk
    pupil.seat.feed = world.feed
    desk.take(pupil.seat, *pupil.sits)
    if pupil.astray and not pupil.seat.faults:
        rounds = count_of(pupil.astray, "round")
        desk.told(f"the policy decides otherwise than it did in {rounds} of the log: its code has changed")
