"""Chooses what the graph shows: everybody and the strongest ties, or, in a large town, one person's circle and each
community as one chip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.people.ties import Matrix
from sandbox.tui.graph.draw import GraphLine, Node
from sandbox.tui.graph.looks import LONER
from sandbox.tui.graph.model import ALL, WORTH, Edge, TownTies, edges_to_draw, regard

WHOLE = 60  # most people of a town that is drawn whole
NEAREST = 24  # most people of a circle in a larger town
SLIGHT = 0.15  # weight below which a tie does not attract in the layout
HUB = "*"  # prefix of the node id of a community


class GraphScene(NamedTuple):
    """The nodes and lines to draw; pull: attraction of each two nodes, for the layout."""

    nodes: list[Node]
    lines: list[GraphLine]
    pull: Matrix


class Wanted(NamedTuple):
    """What to show. who: the person under the cursor; circle: show only their ties brightly; tie: the chosen one, from
    `who`; which: one of SHOWN; room: share of the ties there is room for. marks: pair (both orders) -> signs of claims.
    """

    who: str
    circle: bool = False
    tie: Edge | None = None
    which: str = ALL
    marks: Mapping[tuple[str, str], str] = {}
    room: float = 1.0


def graph_scene(ties: TownTies, names: Mapping[str, str], groups: Mapping[str, int], wanted: Wanted) -> GraphScene:
    """The scene of ties at a moment. groups: person -> community."""
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
    marks = marks if circle else marks[:1]  # only the most important claim
    there, back = edge.there.weight, edge.back.weight
    return GraphLine(at[edge.a], at[edge.b], there, back, circle and not own, chosen, marks, labels)


def _number(feeling: float) -> str:
    return f"{feeling:+z.2f}"


# ---- large towns


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
    """Ties between communities as (a, b, there, back): mean weights of existing ties from a to b and back."""
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
    """The name of a community: its best liked person and the number of others."""
    members = [who for who in ties.people if groups.get(who) == number]
    first = max(members, key=lambda who: (regard(ties, who).good, who))
    return f"{names[first][:7]}+{len(members) - 1}"
