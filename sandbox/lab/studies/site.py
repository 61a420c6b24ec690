"""What the studies of a feed share: platforms with a crowd and without one, and the numbers of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.feed.model import CrowdParameters, FeedParameters
from sandbox.feed.platform import Platform

TICK = 180  # seconds of a step
TENTH = round(0.1 * 255)  # chance of a sitting in a step, in 255ths
OTHER = 1_000_000  # added to a seed: other chance, for what would be the same run otherwise
NEVER = -20.0  # logit of an act that a study does not have
REPLYING = {"ceiling": 0, "posts": 0.0, "repost": NEVER, "follow": NEVER}  # of a crowd that posts nothing of its own


def platform(kind: str, seed: int, feed: Mapping[str, Any], crowd: Mapping[str, Any]) -> Platform:
    """A platform of that kind, with a crowd. feed, crowd: parameters that differ from the usual ones."""
    return Platform(kind, seed=seed, parameters=FeedParameters(**feed), crowd=CrowdParameters(**crowd), threads=1)


def empty_platform(kind: str, seed: int, feed: Mapping[str, Any]) -> Platform:
    """A platform of that kind without a crowd, for accounts alone. feed: parameters that differ from the usual ones."""
    return Platform(kind, seed=seed, parameters=FeedParameters(**feed), threads=1)
