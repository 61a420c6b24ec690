"""Network measures of the graph of ties, at a moment and day by day. They are computed by `lab/networks.py`, which is
imported on first use because it loads slowly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.feed.model import Feed
from sandbox.feed.tables import Ints, Longs
from sandbox.people.ties import Matrix
from sandbox.readers.tielines import DISLIKES
from sandbox.tui.graph.draw import LONER
from sandbox.tui.graph.model import TownTies

WIDE = 3  # branches without residents that are shown under one card, the largest first
LARGE = 3  # least cards of such a branch
MOST = 60  # rows of a tree


class Branch(NamedTuple):
    """A row of the tree. card: its card, -1 for a row that stands for folded branches. depth: steps from the post.
    size: how many cards descend from the card; for a folded row, how many cards it stands for.
    """

    card: int
    depth: int
    size: int


class Cascade:
    """All cards that descend from a post: reposts, quotes and their reposts. cards: ascending, the post first."""

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
        """For each card the index of its parent; -1 for the post; cards of unknown parent hang on the post."""
        via = self.feed.posts.via[self.cards]
        at = np.searchsorted(self.cards, via)
        known = (at < len(self.cards)) & (self.cards[np.minimum(at, len(self.cards) - 1)] == via)
        parent = np.where(known, at, 0).astype(np.int64)
        if len(parent):
            parent[0] = -1
        return parent

    def _summed(self, values: Longs) -> Longs:
        """For each card the sum of `values` over itself and its descendants, which all come after it."""
        out: list[int] = values.tolist()
        for at, parent in reversed([*enumerate(self.parent.tolist())][1:]):
            out[parent] += out[at]
        return np.array(out, np.int64)

    def children(self, at: int) -> Longs:
        """The indices of a card's children, ascending. at: the card's index."""
        return self._order[self._first[at] : self._first[at + 1]]

    def branches(self, most: int = MOST) -> list[Branch]:
        """The tree as rows: residents' cards, those that lead to them, the largest other branches; the rest folded."""
        out: list[Branch] = []
        if not len(self.cards):
            return out
        waiting: list[tuple[int, int, int]] = [(0, 0, 0)]  # index (-1: folded), depth, number of folded cards
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
        """The seconds of all reposts, quotes and comments, ascending."""
        comments, posts = self.feed.comments, self.feed.posts
        said = comments.t[: comments.n][comments.post[: comments.n] == self.post]
        return np.sort(np.concatenate((posts.t[self.cards[1:]], said)).astype(np.int64))


def growth(times: Longs, start: int, end: int, cells: int) -> list[int]:
    """How many of the times lie before the end of each of `cells` equal parts of start to end."""
    edges = start + (np.arange(1, cells + 1) * max(1, end - start) + cells - 1) // cells
    found: list[int] = np.searchsorted(times, edges, side="right").tolist()
    return found


BLOCKS = " ▁▂▃▄▅▆▇█"


def column_chart(values: list[int], rows: int) -> list[str]:
    """Numbers as columns of blocks in `rows` rows, top row first. The largest number fills its column."""
    top = max(max(values, default=0), 1)
    levels = [max(1, round(value * rows * 8 / top)) if value else 0 for value in values]
    return ["".join(BLOCKS[max(0, min(8, level - 8 * row))] for level in levels) for row in reversed(range(rows))]


THETA = 0.3  # mean closeness from which two people count as tied, as in `lab/networks.py`


class GraphMeasure(NamedTuple):
    """A measure of the whole graph. says: its explanation; whole: whether it is a count."""

    key: str
    name: str
    says: str
    whole: bool = False


MEASURES = (
    GraphMeasure("plain_modularity", "modularity", "how far ties stay within communities, in [-0.5, 1]"),
    GraphMeasure("reciprocity", "reciprocity", "share of tied pairs that are tied both ways"),
    GraphMeasure("clustering", "clustering", "how often two people tied to a third are tied, too"),
    GraphMeasure("communities", "communities", "groups of two or more with most of their ties among them", True),
    GraphMeasure("density", "density", "share of all pairs that are tied"),
    GraphMeasure("largest_component", "together", "share of people in the largest connected part"),
    GraphMeasure("path_length", "steps apart", "mean steps between two of these along ties"),
    GraphMeasure("disliked", "dislikes", "ordered pairs in which the first dislikes the second", True),
)


class GraphMeasurement(NamedTuple):
    """Measures at one moment. values: measure key -> value, None if it cannot be measured; groups: person -> community
    number, for those who have one.
    """

    values: Mapping[str, float | None]
    groups: Mapping[str, int]


def measure_ties(ties: TownTies) -> GraphMeasurement:
    """Measure ties. Takes some hundredths of a second, and much longer the first time."""
    from sandbox.lab import networks

    if len(ties.people) < 2:
        return GraphMeasurement({measure.key: None for measure in MEASURES}, {})
    close: Matrix = networks.tie_matrix(ties.close.clip(0.0, 1.0))
    both = networks.undirected(close)
    graph, arcs = networks.cut(both, THETA), networks.cut(close, THETA).T
    of = networks.communities(graph)
    groups = {who: n - 1 for who, n in zip(ties.people, networks.community_numbers(of), strict=True) if n}
    values: dict[str, float | None] = {
        **networks.graph_shape(graph, of),
        "reciprocity": networks.matrix_reciprocity(arcs),
        "communities": len({*groups.values()}),
        "disliked": int((ties.feel <= DISLIKES).sum()),
    }
    return GraphMeasurement(values, groups)


def keep_group_numbers(before: Mapping[str, int], groups: Mapping[str, int]) -> dict[str, int]:
    """Renumber communities so that they keep their numbers, and so their colours. The largest first, each takes the
    number most of its people had; a new one takes the lowest free number.
    """
    parts: dict[int, list[str]] = {}
    for who, number in groups.items():
        parts.setdefault(number, []).append(who)
    out: dict[str, int] = {}
    taken: set[int] = set()
    fresh = []
    for part in sorted(parts.values(), key=lambda part: (-len(part), min(part))):
        had = Counter(before[who] for who in part if before.get(who, LONER) not in {LONER, *taken})
        if not had:
            fresh.append(part)
            continue
        number = min(had, key=lambda number: (-had[number], number))
        taken.add(number)
        out.update(dict.fromkeys(part, number))
    for part in fresh:
        number = next(n for n in range(len(parts) + len(taken) + 1) if n not in taken)
        taken.add(number)
        out.update(dict.fromkeys(part, number))
    return out


def members(groups: Mapping[str, int], people: Iterable[str]) -> dict[int, list[str]]:
    """Community number -> its people; the largest community first."""
    out: dict[int, list[str]] = {}
    for who in people:
        if (number := groups.get(who, LONER)) != LONER:
            out.setdefault(number, []).append(who)
    return dict(sorted(out.items(), key=lambda item: (-len(item[1]), item[0])))


def format_measure(value: float | None, count: bool) -> str:
    """A measure as text for a table."""
    return "-" if value is None else f"{int(value):d}" if count else f"{value:.2f}"


def measure_chart(values: Sequence[float | None], rows: int, wide: int) -> tuple[list[str], float, float]:
    """A series as columns of blocks, each `wide` cells, in `rows` rows, top row first; then the values at the bottom
    and at the top of the chart.
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    low = min(low, 0.0) if low < 0.0 or high - low >= 0.6 * high else low - 0.6 * (high - low)
    span = max(high - low, 1e-9)
    low -= span * (high == low) / 2
    scaled = [0 if value is None else 1 + round((value - low) / span * 1000) for value in values]
    if rows == 1:  # full blocks would touch those of the row above
        lines = ["".join("▁▂▃▄▅▆▇"[min(6, (value - 1) * 7 // 1001)] if value else " " for value in scaled)]
    else:
        lines = column_chart(scaled, rows)
    gap = 1 if wide > 2 else 0
    return ["".join(char * (wide - gap) + " " * gap for char in line) for line in lines], low, high
