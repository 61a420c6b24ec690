"""Who steers a town's feed: the state, and the events that change it. What a policy has learnt is no state: it is
taught again from the log (`teaching.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec

from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.feed.events import Number
from sandbox.feed.model import Feed, Share
from sandbox.policy.catalogue import PolicyParameters

Mix = tuple[Share, Share, Share]
OWN = 80  # letters of the name of a policy of one's own


class PolicyChosen(Event, frozen=True):
    """From the next round on, somebody else steers the feed. settings: who; own: the name of a policy of one's own in
    the learner's place, "" = none.
    """

    KIND: ClassVar[str] = "policy_chosen"
    BY_HAND: ClassVar[bool] = True
    settings: PolicyParameters
    own: Annotated[str, msgspec.Meta(max_length=OWN)] = ""


class SteeredByHand(Event, frozen=True):
    """What whoever plays the platform has set: mix: shares, None = as the world says; down: authors turned down, and
    how many in a hundred of their cards pass.
    """

    KIND: ClassVar[str] = "steered_by_hand"
    BY_HAND: ClassVar[bool] = True
    mix: Mix | None = None
    down: tuple[tuple[Number, Annotated[int, msgspec.Meta(ge=0, le=99)]], ...] = ()


class PolicyState(msgspec.Struct):
    """Who steers. chosen: None = as the world's parameters say. own: name of a policy of one's own. mix, down: as set
    by hand.
    """

    chosen: PolicyParameters | None = None
    own: str = ""
    mix: Mix | None = None
    down: dict[int, int] = msgspec.field(default_factory=dict)


class Steer(Command, frozen=True, kw_only=True):
    """Let somebody else steer the feed from the next round on. settings: who, `PolicyParameters()` = nobody. own: the
    name of a policy of one's own that the session was given.
    """

    settings: PolicyParameters
    own: str = ""


class SteerByHand(Command, frozen=True, kw_only=True):
    """Set the mix and turn authors down, in the platform's seat. down: user -> how many in a hundred cards pass."""

    mix: tuple[float, float, float] | None = None
    down: dict[int, int] = {}


class HasPolicy:
    """The part of a world that these handlers need."""

    feed: Feed
    feed_parameters: Any
    policy_parameters: PolicyParameters
    policy: PolicyState
    desk: Any  # a PolicyDesk


def settings_of(w: Any) -> PolicyParameters:
    """Who steers now."""
    found: PolicyParameters = w.policy.chosen if w.policy.chosen is not None else w.policy_parameters
    return found
