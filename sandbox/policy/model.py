"""Who steers a town's feed: the state, and the events that change it. What a policy has learnt is no state: it is
taught again from the log (`teaching.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

import msgspec

from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.feed.events import Number
from sandbox.feed.model import Feed, Share
from sandbox.feed.steering import NAME

HAND = "hand"  # whoever plays decides
NOBODY = "none"  # in commands: nobody steers
LEARNERS = ("random", "epsilon", "linucb", "neural", "networks")  # made in `learned.py`
OBJECTIVES = ("cross_stance", "misinformation", "misinformation_printed", "engagement")
NAMES = (*LEARNERS, HAND, NOBODY)  # of whom a command takes


class PolicyParameters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who steers a feed, and how (docs/policy.md). learner: a name of LEARNERS, `hand`, or "" = nobody. objective: what
    it learns to serve. cards, exposure, mix: the levers it has. best: cards chosen for a reader in a round. readers,
    candidates, authors: how many there are to choose among. silenced: share of users that may be turned down. hops: how
    often contexts are mixed over follows; stances, products: whether contexts hold them.
    """

    learner: Annotated[str, meta(options=(*LEARNERS, HAND), blank=True, what="learner")] = ""
    objective: Annotated[str, meta(options=OBJECTIVES, what="objective")] = "cross_stance"
    cards: bool = True
    exposure: bool = False
    mix: bool = False
    best: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    readers: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 64
    candidates: Annotated[int, msgspec.Meta(ge=1, le=100)] = 16
    authors: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 64
    silenced: Annotated[float, msgspec.Meta(ge=0, le=0.1)] = 0.1
    hops: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    stances: bool = True
    products: bool = True


Mix = tuple[Share, Share, Share]


def check_shares(mix: Iterable[float]) -> Mix:
    """The same shares. Raises ValueError unless they are three from 0 to 1 that sum to 1."""
    shares = [float(share) for share in mix]
    if len(shares) != 3 or not all(0 <= share <= 1 for share in shares) or abs(sum(shares) - 1) > 1e-6:
        raise ValueError(f"a mix is three shares that sum to 1, not {tuple(round(share, 3) for share in shares)}")
    return shares[0], shares[1], shares[2]


class PolicyChosen(Event, frozen=True):
    """From the next round on, somebody else steers the feed. settings: who; own: the name of a policy of one's own in
    the learner's place, "" = none.
    """

    KIND: ClassVar[str] = "policy_chosen"
    BY_HAND: ClassVar[bool] = True
    settings: PolicyParameters
    own: Annotated[str, msgspec.Meta(max_length=NAME)] = ""


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


def steering_settings(w: Any) -> PolicyParameters:
    """Who steers now."""
    found: PolicyParameters = w.policy.chosen if w.policy.chosen is not None else w.policy_parameters
    return found


def is_forgetful(w: Any) -> bool:
    """Whether somebody steers a world who has learnt something that it does not hold."""
    return bool(w.policy.own or steering_settings(w).learner not in ("", HAND)) and w.feed.begun
