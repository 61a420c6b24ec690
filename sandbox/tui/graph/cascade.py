"""How a post went round: the tree of those who passed it on or wrote about it, cut to what matters, and how it grew."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from sandbox.feed.model import Feed
from sandbox.feed.tables import Ints, Longs

WIDE = 3  # branches of strangers alone that are told of one card, the largest first
LARGE = 3  # cards from which such a branch is told at all
MOST = 60  # rows of a tree


class Branch(NamedTuple):
    """A row of the tree. card: that is told, -1: others are folded into this row. depth: how far from the post. size:
    how many cards came of it, itself left out; of a folded row, how many cards it stands for.
    """

    card: int
    depth: int
    size: int


class Cascade:
    """The cards that came of a post: reposts, quotes of it and reposts of these. cards: in order, the post first."""

    def __init__(self, feed: Feed, post: int, residents: Collection[int]) -> None:
        posts = feed.posts
        n = posts.n
        self.feed, self.post = feed, post
        self.cards: Ints = np.flatnonzero(posts.of[:n] == post).astype(np.int32)
        self.parent = self._parents()
        gone = posts.gone[self.cards] | posts.gone[posts.root[self.cards]]
        town = np.isin(posts.author[self.cards], [*residents]) & ~gone
        self.size = self._summed(np.ones(len(self.cards), np.int64)) - 1
        self.town = self._summed(town.astype(np.int64))
        order = np.argsort(self.parent, kind="stable")
        self._order, self._first = order, np.searchsorted(self.parent[order], np.arange(len(self.cards) + 1))

    def _parents(self) -> Longs:
        """For each card the place of the one it was made of; the post has none (-1), strays hang on the post."""
        via = self.feed.posts.via[self.cards]
        at = np.searchsorted(self.cards, via)
        known = (at < len(self.cards)) & (self.cards[np.minimum(at, len(self.cards) - 1)] == via)
        parent = np.where(known, at, 0).astype(np.int64)
        if len(parent):
            parent[0] = -1
        return parent

    def _summed(self, values: Longs) -> Longs:
        """For each card the sum of these over itself and all that came of it, which stands after it."""
        out: list[int] = values.tolist()
        for at, parent in reversed([*enumerate(self.parent.tolist())][1:]):
            out[parent] += out[at]
        return np.array(out, np.int64)

    def children(self, at: int) -> Longs:
        """The places of the cards made of the one at that place, in order."""
        return self._order[self._first[at] : self._first[at + 1]]

    def branches(self, most: int = MOST) -> list[Branch]:
        """The tree in rows: residents, whatever leads to them, the largest branches of strangers; the rest folded."""
        out: list[Branch] = []
        if not len(self.cards):
            return out
        waiting: list[tuple[int, int, int]] = [(0, 0, 0)]  # place (-1: folded), depth, how many
        while waiting and len(out) < most:
            at, depth, many = waiting.pop()
            if at < 0:
                out.append(Branch(-1, depth, many))
                continue
            out.append(Branch(int(self.cards[at]), depth, int(self.size[at])))
            below = self.children(at)
            kept = below[self.town[below] > 0]
            others = below[self.town[below] == 0]
            large = others[np.argsort(-self.size[others], kind="stable")[:WIDE]]
            large = large[self.size[large] + 1 >= LARGE]
            kept = np.sort(np.concatenate((kept, large)))
            folded = int((self.size[below] + 1).sum() - (self.size[kept] + 1).sum())
            if folded:
                waiting.append((-1, depth + 1, folded))
            waiting += [(child, depth + 1, 0) for child in kept[::-1].tolist()]
        if waiting:
            left = sum(many if at < 0 else int(self.size[at]) + 1 for at, _, many in waiting)
            out.append(Branch(-1, 0, left))
        return out

    def times(self) -> Longs:
        """The seconds at which it was passed on, written about and commented on, in order."""
        comments, posts = self.feed.comments, self.feed.posts
        said = comments.t[: comments.n][comments.post[: comments.n] == self.post]
        return np.sort(np.concatenate((posts.t[self.cards[1:]], said)).astype(np.int64))


def growth(times: Longs, start: int, end: int, cells: int) -> list[int]:
    """How many there were by the end of each of so many equal parts of the time from start to end."""
    edges = start + (np.arange(1, cells + 1) * max(1, end - start) + cells - 1) // cells
    found: list[int] = np.searchsorted(times, edges, side="right").tolist()
    return found


BLOCKS = " ▁▂▃▄▅▆▇█"


def column_chart(values: list[int], rows: int) -> list[str]:
    """Numbers as columns of blocks, in so many rows, the highest row first. The largest number fills its column."""
    top = max(max(values, default=0), 1)
    levels = [max(1, round(value * rows * 8 / top)) if value else 0 for value in values]
    return ["".join(BLOCKS[max(0, min(8, level - 8 * row))] for level in levels) for row in reversed(range(rows))]
