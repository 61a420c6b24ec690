"""Platforms for tests: a few accounts beside a crowd of three, all that is recorded, and a dump of the whole state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np

from sandbox.core.events import Record
from sandbox.feed.graph import followees, graph_from_follows
from sandbox.feed.handlers import HANDLERS
from sandbox.feed.model import NOBODY, POST, Feed
from sandbox.feed.platform import Platform
from sandbox.feed.tables import ColumnTable, Longs, Pairs

CROWD = 3


class Newest:
    """A recommender: the newest roots, for all alike."""

    name = "newest"

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> np.ndarray:
        cards = np.full((len(users), k), NOBODY, np.int32)
        newest = feed.roots.card[: feed.roots.n][::-1][:k]
        cards[:, : len(newest)] = newest
        return cards


class Stage(Platform):
    """A platform with what it has recorded. crowd: three users who are rows, of whom 0 follows 1; 0 has a post."""

    def __init__(self, crowd: bool = True, **more: Any) -> None:
        self.records: list[Record] = []
        super().__init__(**{"recommender": Newest(), "keep": self.records.append, **more})
        if crowd:
            people(self.feed)


def people(feed: Feed) -> None:
    """Give a feed that is empty a crowd of three and a post of it."""
    feed.users.add(CROWD)
    feed.crowd = CROWD
    feed.graph = graph_from_follows(CROWD, np.array([0]), np.array([1]))
    feed.users.fans[1] = 1
    feed.users.newest[:CROWD] = NOBODY
    post = feed.posts.add()
    feed.posts.kind[post] = POST
    for column in (feed.posts.via, feed.posts.vector, feed.posts.last, feed.posts.earlier):
        column[post] = NOBODY
    feed.users.newest[0] = post
    feed.roots.add()


def replayed(records: Iterable[Record], like: Stage, crowd: bool = True) -> Feed:
    """A fresh feed made by the same events."""

    class World:
        feed = Feed(like.feed.kind, like.feed.epoch, like.feed.topics)

    if crowd:
        people(World.feed)
    for stamp, event in records:
        HANDLERS[type(event)](World, event, stamp)
    return World.feed


def dump(feed: Feed) -> dict[str, Any]:
    """All that a feed holds, as plain values."""
    out: dict[str, Any] = {}
    for name, value in vars(feed).items():
        if isinstance(value, ColumnTable):
            out[name] = {column: getattr(value, column)[: value.n].tolist() for column in value.FIELDS}
        elif name == "accounts":
            out[name] = {number: plain(asdict(account)) for number, account in value.items()}
        elif name == "graph":
            waiting = [
                np.concatenate([np.zeros(0, np.int32), *part]).tolist() for part in zip(*value.waiting, strict=True)
            ]
            out[name] = (value.first.tolist(), value.followees.tolist(), pairs(value.later), waiting)
        elif name in ("groups", "messages"):
            out[name] = [plain(asdict(one)) for one in value]
        elif hasattr(value, "has"):
            out[name] = pairs(value)
        elif name != "noting":
            out[name] = plain(value)
    return out


def pairs(held: Pairs) -> list[int]:
    """All that a set holds, whatever the order in which it came to."""
    found = sorted(held)
    assert len(found) == held.n
    return found


def plain(value: Any) -> Any:
    """A value that compares by what it holds, also by the order of what has one."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return [(key, plain(one)) for key, one in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value.copy() if isinstance(value, set) else value


def follows(feed: Feed) -> list[tuple[int, int]]:
    """Who follows whom: all pairs."""
    pairs = [(user, other) for user, account in feed.accounts.items() for other in account.follows]
    crowd = np.arange(feed.crowd)
    rows, _, others = followees(feed, crowd, 100)
    return pairs + list(zip(crowd[rows].tolist(), others.tolist(), strict=True))
