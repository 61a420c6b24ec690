"""Crowds for tests: small ones that do much, and a plain way to tell what their packed events say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from sandbox.core.events import Record
from sandbox.feed.graph import followees
from sandbox.feed.model import CrowdParameters, Feed
from sandbox.feed.packing import DOUBT, ActColumns, ActKind, CrowdActed
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.unpacking import crowd_acts

Done: TypeAlias = tuple[int, int, int]
"""Who, which act, and on what."""

CALLED = {number: name for name, number in vars(ActKind).items() if not name.startswith("_")}  # each act
SAID = (ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM, *range(DOUBT + 1, DOUBT + 11))
ONCE = (
    ActKind.LIKE,
    ActKind.DISLIKE,
    ActKind.REPOST,
    ActKind.FOLLOW,
    ActKind.LIKE_COMMENT,
    ActKind.DISLIKE_COMMENT,
    ActKind.UNFOLLOW,
    *SAID,
)
ON_ROOTS = (ActKind.LIKE, ActKind.DISLIKE, *SAID)


class Site(Platform):
    """A platform with a crowd, and what was recorded. feed, crowd: what of their parameters is not as usual."""

    def __init__(
        self,
        users: int = 200,
        *,
        kind: str = "x",
        seed: int = 3,
        threads: int = 1,
        feed: dict[str, Any] | None = None,
        crowd: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        self.records: list[Record] = []
        super().__init__(
            kind,
            seed=seed,
            parameters=FeedParameters(crowd=users, **(feed or {})),
            crowd=CrowdParameters(**(crowd or {})),
            threads=threads,
            keep=self.records.append,
            **more,
        )

    def live(self, ticks: int, seconds: int = 0) -> Site:
        for _ in range(ticks):
            self.tick(seconds)
        return self

    @property
    def packed(self) -> list[CrowdActed]:
        return [r.event for r in self.records if isinstance(r.event, CrowdActed)]

    def told(self) -> list[tuple[int, int, int, int]]:
        """All that the crowd did: second, who, which act, and on what."""
        return [row for r in self.records if isinstance(r.event, CrowdActed) for row in crowd_acts(r.event, r.stamp.t)]

    def did(self) -> list[Done]:
        """The same without the seconds."""
        return [row[1:] for row in self.told()]


LIVELY = {
    "like": -1.0,
    "dislike": -1.5,
    "comment": -2.0,
    "repost": -2.0,
    "follow": -2.0,
    "unfollow": -2.0,
    "activity": 0.5,
    "posts": 0.3,
}
"""Logits with which much happens in a few ticks."""


def edges(feed: Feed) -> set[tuple[int, int]]:
    """Who of the crowd follows whom."""
    crowd = np.arange(feed.crowd)
    at, _, others = followees(feed, crowd, 10**6)
    pairs = {(int(user), int(other)) for user, other in zip(crowd[at], others, strict=True)}
    assert len(pairs) == len(others), "somebody is followed twice"
    waiting = {
        (int(a), int(b)) for users, them in feed.graph.waiting for a, b in zip(users, them, strict=True)
    }  # read once they are merged
    assert not pairs & waiting
    return pairs | waiting


def columns_of(acts: Iterable[Done]) -> ActColumns:
    users, kinds, targets = np.array([*acts], np.int64).reshape(-1, 3).T
    return ActColumns(users, kinds.astype(np.uint8), targets)


def root_of(feed: Feed, act: int, target: int) -> int:
    """What an act comes to be on: of what is passed on, the root."""
    return int(feed.posts.root[target]) if act == ActKind.REPOST else target


def sort_of(act: int) -> int:
    """The same for all comments, of which nobody writes two on one post."""
    return int(ActKind.HOSTILE) if act in SAID else act


def done_before(feed: Feed, user: int, act: int, target: int) -> bool:
    """Whether an act of once was done; of follows and unfollows only, whether they are there, or are not."""
    if act in (ActKind.FOLLOW, ActKind.UNFOLLOW):
        return ((user, target) in edges(feed)) == (act == ActKind.FOLLOW)
    if act in SAID:
        return bool(feed.commented.has(user, target)[0])
    pairs = {
        ActKind.LIKE: feed.liked,
        ActKind.DISLIKE: feed.disliked,
        ActKind.REPOST: feed.reposted,
        ActKind.LIKE_COMMENT: feed.comment_liked,
        ActKind.DISLIKE_COMMENT: feed.comment_disliked,
    }
    return act in pairs and bool(pairs[act].has(user, root_of(feed, act, target))[0])


def possible(feed: Feed, acts: Iterable[Done]) -> list[Done]:
    """Of these acts those that can be, in the order in which they are packed. What is meant for a repost is on its
    root.
    """
    found: dict[tuple[int, int, int, int], Done] = {}
    for i, (user, act, on) in enumerate(sorted(acts)):
        target = int(feed.posts.root[on]) if act in ON_ROOTS else on
        if done_before(feed, user, act, target) or (act == ActKind.FOLLOW and user == target):
            continue
        key = (user, sort_of(act), root_of(feed, act, target), 0 if act in ONCE else i)
        found.setdefault(key, (user, act, target))
    return sorted(found.values(), key=lambda a: (a[0], a[1], root_of(feed, a[1], a[2])))
