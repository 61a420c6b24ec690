"""What the studies of a feed share: a platform with a crowd, controlled accounts, and groups drawn by lot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.chance import draws
from sandbox.feed.model import CrowdParameters, FeedParameters
from sandbox.feed.platform import Platform

OTHER = 1_000_000  # added to a seed: other chance, for what would be the same run otherwise
NEVER = -20.0  # logit of an act that a study does not have
UP, CONTROL, DOWN = 1, 0, -1
GROUPS = {UP: "up", CONTROL: "control", DOWN: "down"}  # treated with a like, with nothing, with a dislike


def platform(kind: str, seed: int, feed: Mapping[str, Any], crowd: Mapping[str, Any]) -> Platform:
    """A platform of that kind, with a crowd. feed, crowd: parameters that differ from the usual ones."""
    return Platform(kind, seed=seed, parameters=FeedParameters(**feed), crowd=CrowdParameters(**crowd), threads=1)


def empty_platform(kind: str, seed: int, feed: Mapping[str, Any]) -> Platform:
    """A platform of that kind without a crowd, for accounts alone. feed: parameters that differ from the usual ones."""
    return Platform(kind, seed=seed, parameters=FeedParameters(**feed), threads=1)


def groups(seed: int, count: int) -> NDArray[np.int64]:
    """A third of so many things each in UP, CONTROL and DOWN, by lot."""
    drawn: NDArray[np.int64] = draws(seed, "groups").permutation(np.arange(count) % 3) - 1
    return drawn
