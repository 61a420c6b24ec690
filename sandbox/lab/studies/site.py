"""Shared by studies of a feed: platforms with and without a crowd; random groups of items that get a like, nothing or a
dislike before anybody sees them, and the measures of such groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.model import NEVER, CrowdParameters
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws

TICK = 180  # seconds of a step
TENTH = round(0.1 * 255)  # chance of a sitting in a step, in 255ths
REPLYING = {"ceiling": 0, "posts": 0.0, "repost": NEVER, "follow": NEVER}  # for a crowd that posts nothing itself
UP, CONTROL, DOWN = 1, 0, -1
GROUPS = {UP: "up", CONTROL: "control", DOWN: "down"}  # treated with a like, nothing, a dislike
VOTES = ("up", "down")  # those that are treated


def platform(kind: str, seed: int, feed: Mapping[str, Any], crowd: Mapping[str, Any]) -> Platform:
    """A platform with a crowd. kind: x or reddit; feed, crowd: parameters, by name, that differ from the defaults."""
    return Platform(kind, seed=seed, parameters=FeedParameters(**feed), crowd=CrowdParameters(**crowd), threads=1)


def empty_platform(kind: str, seed: int, feed: Mapping[str, Any]) -> Platform:
    """A platform without a crowd, for accounts only. feed: parameters that differ from the defaults."""
    return Platform(kind, seed=seed, parameters=FeedParameters(**feed), threads=1)


def groups(seed: int, count: int) -> NDArray[np.int64]:
    """Random assignment of `count` items, a third each to UP, CONTROL and DOWN."""
    drawn: NDArray[np.int64] = draws(seed, "groups").permutation(np.arange(count) % 3) - 1
    return drawn


class TreatedPosting:
    """The controlled account, and one that treats what it publishes. treated: group of each item, in order; number:
    items treated so far.
    """

    def __init__(self, site: Platform, seed: int, count: int) -> None:
        self.site = site
        self.poster, self.first = site.sign_up("poster", "Poster"), site.sign_up("first", "First reader")
        self.treated = groups(seed, count)
        self.number = 0

    def treat(self, thing: int, like: Callable[[int, int], Any], dislike: Callable[[int, int], Any]) -> None:
        """Give the next item the vote of its group, if any."""
        group = self.treated[self.number]
        self.number += 1
        if group != CONTROL:
            (like if group == UP else dislike)(self.first, thing)


def mean_of(numbers: Any) -> float | None:
    """The mean of an array, None if empty."""
    return float(numbers.mean()) if len(numbers) else None


def less(x: float | None, y: float | None) -> float | None:
    """x - y; None if either is None."""
    return None if x is None or y is None else x - y


def vote_values(means: Mapping[str, float | None]) -> dict[str, float | None]:
    """What a first like and a first dislike add, beside the control. means: of each group."""
    return {f"{way}_effect": less(means[way], means["control"]) for way in VOTES}
