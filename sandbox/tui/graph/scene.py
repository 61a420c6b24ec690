"""What of a town's ties is in the picture: everybody and the strongest ties, or, of many people, one person's circle
and the communities as a chip each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.people.ties import Matrix
from sandbox.tui.graph.draw import GraphLine, Node
from sandbox.tui.graph.looks import LONER
from sandbox.tui.graph.model import ALL, WORTH, Edge, TownTies, edges_to_draw, regard

WHOLE = 60  # people up to whom all are drawn
NEAREST = 24  # of a circle among more
SLIGHT = 0.15  # weight below which a tie moves nobody
HUB = "*"  # before the number of a community that is a chip


class GraphScene(NamedTuple):
    """nodes and lines as they are drawn; pull: for the layout, of each two nodes."""

    nodes: list[Node]
    lines: list[GraphLine]
    pull: Matrix


class Wanted(NamedTuple):
    """What one looks at. who: under the cursor; circle: whether their ties alone are bright; tie: the chosen one, which
    begins with who; which: which ties are shown; room: for which share of them there is. marks: what is so between two,
    a sign each, by pair both ways round.
    """

    who: str
    circle: bool = False
    tie: Edge | None = None
    which: str = ALL
    marks: Mapping[tuple[str, str], str] = {}
    room: float = 1.0


def graph_scene(ties: TownTies, names: Mapping[str, str], groups: Mapping[str, int], wanted: Wanted) -> GraphScene:
    """The picture of ties at a moment. groups: the community of each."""
    if len(ties.people) > WHOLE:
        return _many(ties, names, groups, wanted)
    weights = ties.weights()
    pull = (weights + weights.T) / 2
    pull[np.abs(pull) < SLIGHT] = 0.0
    own = ties.circle(wanted.who) if wanted.who else []
    near = {e.b for e in own if abs(e.weight) >= SLIGHT} | {wanted.who}
    nodes = [_node(who, names, groups, wanted, wanted.circle and who not in near) for who in ties.people]
    drawn = edges_to_draw(ties.edges, len(ties.people), wanted.which, wanted.room)
    if wanted.circle:
        kept = {frozenset((e.a, e.b)) for e in own}
        drawn = [*(e for e in drawn if frozenset((e.a, e.b)) not in kept), *(e for e in own if e.b in near)]
    return GraphScene(nodes, [_line(e, ties.at, wanted, wanted.circle) for e in drawn], pull)


def _node(who: str, names: Mapping[str, str], groups: Mapping[str, int], wanted: Wanted, dim: bool) -> Node:
    other = wanted.tie is not None and who == wanted.tie.b
    return Node(who, names[who], groups.get(who, LONER), who == wanted.who, dim and not other, other)


def _line(edge: Edge, at: Mapping[str, int], wanted: Wanted, circle: bool) -> GraphLine:
    own = wanted.who in (edge.a, edge.b)
    tie = wanted.tie
    chosen = circle and tie is not None and {edge.a, edge.b} == {tie.a, tie.b}
    labels = (_number(edge.there.feeling), _number(edge.back.feeling)) if chosen else ("", "")
    marks = wanted.marks.get((edge.a, edge.b), "") if own or not circle else ""
    marks = marks if circle else marks[:1]  # of what is so between two, what counts most
    there, back = edge.there.weight, edge.back.weight
    return GraphLine(at[edge.a], at[edge.b], there, back, circle and not own, chosen, marks, labels)


def _number(feeling: float) -> str:
    return f"{feeling:+z.2f}"


# ---- of many


def _many(ties: TownTies, names: Mapping[str, str], groups: Mapping[str, int], wanted: Wanted) -> GraphScene:
    own = sorted(ties.circle(wanted.who), key=lambda e: -abs(e.weight))[:NEAREST] if wanted.who else []
    if wanted.tie is not None and all(e.b != wanted.tie.b for e in own):
        own = [*own[: NEAREST - 1], wanted.tie]
    people = [wanted.who, *(e.b for e in own)] if wanted.who else []
    hubs = sorted({number for number in groups.values() if number != LONER})
    ids = [*people, *(f"{HUB}{number}" for number in hubs)]
    at = {id: i for i, id in enumerate(ids)}
    nodes = [_node(who, names, groups, wanted, False) for who in people]
    nodes += [Node(f"{HUB}{number}", hub_name(ties, names, groups, number), number) for number in hubs]
    pull = np.zeros((len(ids), len(ids)))
    lines = [_line(e, at, wanted, True)._replace(dim=False) for e in own]
    for e in own:
        pull[at[e.a], at[e.b]] = pull[at[e.b], at[e.a]] = e.weight
    for i, who in enumerate(people):
        if (number := groups.get(who, LONER)) != LONER:
            j = at[f"{HUB}{number}"]
            pull[i, j] = pull[j, i] = 0.5
    for a, b, there, back in community_ties(ties, groups, hubs):
        i, j = at[f"{HUB}{a}"], at[f"{HUB}{b}"]
        pull[i, j] = pull[j, i] = (there + back) / 2
        lines.append(GraphLine(i, j, there, back, bool(own) and wanted.circle))
    return GraphScene(nodes, lines, pull)


def community_ties(
    ties: TownTies, groups: Mapping[str, int], hubs: Sequence[int]
) -> list[tuple[int, int, float, float]]:
    """How communities are tied: the mean weight of the ties there are from the one to the other, and back."""
    labels = np.array([groups.get(who, LONER) for who in ties.people])
    weights, out = ties.weights(), []
    for i, a in enumerate(hubs):
        for b in hubs[i + 1 :]:
            one, two = np.ix_(labels == a, labels == b), np.ix_(labels == b, labels == a)
            there, back = (
                float(weights[part][ties.known[part]].mean()) if ties.known[part].any() else 0.0 for part in (one, two)
            )
            if max(abs(there), abs(back)) >= WORTH / 5:
                out.append((a, b, there, back))
    return out


def hub_name(ties: TownTies, names: Mapping[str, str], groups: Mapping[str, int], number: int) -> str:
    """What a community is called: its best liked, and how many others."""
    members = [who for who in ties.people if groups.get(who) == number]
    first = max(members, key=lambda who: (regard(ties, who).good, who))
    return f"{names[first][:7]}+{len(members) - 1}"
