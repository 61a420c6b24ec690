"""Measures of the graph of ties: how it hangs together, at a moment and day by day. The measures themselves are those
of the laboratory (`lab/networks.py`), which is loaded when they are first asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sandbox.people.ties import Matrix
from sandbox.readers.liking import DISLIKES
from sandbox.tui.graph.cascade import column_chart
from sandbox.tui.graph.looks import LONER
from sandbox.tui.graph.model import TownTies

THETA = 0.3  # mean closeness from which two are tied, as in `lab/networks.py`


class GraphMeasure(NamedTuple):
    """A number of the whole graph: its name, what it is, and whether it is a count."""

    key: str
    name: str
    says: str
    whole: bool = False


MEASURES = (
    GraphMeasure("plain_modularity", "modularity", "how far ties stay within communities, in [-0.5, 1]"),
    GraphMeasure("reciprocity", "reciprocity", "of those tied at all, how many are tied both ways"),
    GraphMeasure("clustering", "clustering", "how often two who are tied to a third are tied"),
    GraphMeasure("communities", "communities", "groups of two or more with most of their ties among them", True),
    GraphMeasure("density", "density", "of all pairs, how many are tied"),
    GraphMeasure("largest_component", "together", "share of people who hang together, the most"),
    GraphMeasure("path_length", "steps apart", "from one to another of these along ties, the mean"),
    GraphMeasure("disliked", "dislikes", "ordered pairs of whom the one dislikes the other", True),
)


class GraphMeasurement(NamedTuple):
    """values: by the key of a measure, None where there is nothing to measure; groups: the community of each person who
    is in one.
    """

    values: Mapping[str, float | None]
    groups: Mapping[str, int]


def measure_ties(ties: TownTies) -> GraphMeasurement:
    """Of ties at a moment. It may take some hundredths of a second, and much longer the first time."""
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
    """The communities under the numbers they had, so that colours stay: each takes that of most of its people, the
    largest first; one that is new takes the lowest that is free.
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
    """Who is in each community, the largest first."""
    out: dict[int, list[str]] = {}
    for who in people:
        if (number := groups.get(who, LONER)) != LONER:
            out.setdefault(number, []).append(who)
    return dict(sorted(out.items(), key=lambda item: (-len(item[1]), item[0])))


def format_measure(value: float | None, count: bool) -> str:
    """A measure in a table."""
    return "-" if value is None else f"{int(value):d}" if count else f"{value:.2f}"


def measure_chart(values: Sequence[float | None], rows: int, wide: int) -> tuple[list[str], float, float]:
    """A measure day by day as columns of blocks, each so wide, the highest row first; the values of the lowest row and
    of the highest.
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    low = min(low, 0.0) if low < 0.0 or high - low >= 0.6 * high else low - 0.6 * (high - low)
    span = max(high - low, 1e-9)
    low -= span * (high == low) / 2
    scaled = [0 if value is None else 1 + round((value - low) / span * 1000) for value in values]
    if rows == 1:  # rows that lie over each other must not touch
        lines = ["".join("▁▂▃▄▅▆▇"[min(6, (value - 1) * 7 // 1001)] if value else " " for value in scaled)]
    else:
        lines = column_chart(scaled, rows)
    gap = 1 if wide > 2 else 0
    return ["".join(char * (wide - gap) + " " * gap for char in line) for line in lines], low, high
