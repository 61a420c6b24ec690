"""What the studies of a feed share: platforms with a crowd and without one; things in groups by lot, which have one
like, nothing, or one dislike before anybody sees them; and what is measured and told of such groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.chance import draws
from sandbox.feed.model import CrowdParameters, FeedParameters
from sandbox.feed.platform import Platform
from sandbox.lab.studies.study import Effect, Measure, Plot

TICK = 180  # seconds of a step
TENTH = round(0.1 * 255)  # chance of a sitting in a step, in 255ths
OTHER = 1_000_000  # added to a seed: other chance, for what would be the same run otherwise
NEVER = -20.0  # logit of an act that a study does not have
REPLYING = {"ceiling": 0, "posts": 0.0, "repost": NEVER, "follow": NEVER}  # of a crowd that posts nothing of its own
UP, CONTROL, DOWN = 1, 0, -1
GROUPS = {UP: "up", CONTROL: "control", DOWN: "down"}  # treated with a like, with nothing, with a dislike
VOTES = {"up": "like", "down": "dislike"}
VOTE_MEASURES = tuple(Measure(f"{way}_effect", f"{way}-treated less control") for way in VOTES)


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


class TreatedPosting:
    """The controlled account, and the one who treats what it has published. treated: the group of each of so many
    things, in order; number: how many have been treated.
    """

    def __init__(self, site: Platform, seed: int, count: int) -> None:
        self.site = site
        self.poster, self.first = site.sign_up("poster", "Poster"), site.sign_up("first", "First reader")
        self.treated = groups(seed, count)
        self.number = 0

    def treat(self, thing: int, like: Callable[[int, int], Any], dislike: Callable[[int, int], Any]) -> None:
        """Give the next thing the vote of its group, if it has one."""
        group = self.treated[self.number]
        self.number += 1
        if group != CONTROL:
            (like if group == UP else dislike)(self.first, thing)


def mean_of(numbers: Any) -> float | None:
    """The mean of an array; None of no numbers."""
    return float(numbers.mean()) if len(numbers) else None


def less(x: float | None, y: float | None) -> float | None:
    """x - y; None if either is not there."""
    return None if x is None or y is None else x - y


def vote_values(means: Mapping[str, float | None]) -> dict[str, float | None]:
    """What VOTE_MEASURES are. means: of each group."""
    return {f"{way}_effect": less(means[way], means["control"]) for way in VOTES}


def vote_effects(key: str, of: str, case: str, null: bool = False, percent: bool = False) -> tuple[Effect, ...]:
    """The effects of a first like and of a first dislike. key: with a place for "up" or "down". of: whose, in words,
    "" = it goes without saying. percent: the measures in per cent are told beside them.
    """
    whose = f", {of}" if of else ""
    return tuple(
        Effect(
            key.format(way), f"a first {vote}{whose}", f"{way}_effect", case, null=null,
            percent=f"{way}_percent" if percent else "",
        )
        for way, vote in VOTES.items()
    )  # fmt: skip


def group_plot(name: str, about: str, label: str, case: str) -> Plot:
    """A curve for each group of a case."""
    return Plot(name, about, label, tuple((group, case, group) for group in GROUPS.values()))
