"""Chooses what the graph shows: everybody and the strongest ties, or, in a large town, one person's circle and each
community as one chip. And where: a force-directed layout that continues from the previous one, so that people drift
and do not jump (Fruchterman and Reingold 1991: all nodes repel one another, ties attract). Pure functions: the same ids
and ties give the same positions on every machine, and arguments are not changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from sandbox.people.ties import Matrix
from sandbox.tui.graph.draw import LONER, GraphLine, Node
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


# ---- the graph's force-directed layout


Points = npt.NDArray[np.float64]

LENGTH = 0.34  # of a tie at rest; the middle half of the plane is 1 wide
HOT, WARM, COLD = 0.12, 0.025, 0.0015  # longest step (heat): of a new graph, after ties changed, and at rest
COOLING = 0.96  # factor on the heat, each step
FIRST = 60  # steps of a new graph before it is first shown
CENTRE = 0.55  # strength of the pull to the middle
APART = 24  # most rounds of moving names off one another


class GraphLayout(NamedTuple):
    """People's positions in an unbounded plane. heat: the longest step they may take next."""

    people: tuple[str, ...]
    at: Points
    heat: float

    @property
    def still(self) -> bool:
        """Whether the layout has come to rest."""
        return self.heat <= COLD


def seed(who: str) -> tuple[float, float]:
    """A person's first position, in [-1, 1] on both axes, from a hash of their id."""
    x, y = crc32(who.encode()), crc32(f"{who}'s place".encode())
    return x / 2**31 - 1.0, y / 2**31 - 1.0


def begin_layout(people: Sequence[str], pull: Matrix, before: GraphLayout | None = None) -> GraphLayout:
    """A layout of these people: known ones keep their places, a new one starts beside their strongest tie."""
    if before is not None and before.people == tuple(people):
        return before._replace(heat=max(before.heat, WARM))
    known: Mapping[str, Points] = dict(zip(before.people, before.at, strict=True)) if before is not None else {}
    at = np.array([known[who] if who in known else seed(who) for who in people], np.float64).reshape(len(people), 2)
    for i, who in enumerate(people):
        if who not in known and known:
            nearest = [j for j in np.argsort(-pull[i], kind="stable").tolist() if people[j] in known]
            if nearest and pull[i, nearest[0]] > 0.0:
                at[i] = known[people[nearest[0]]] + 0.1 * np.array(seed(who))
    layout = GraphLayout(tuple(people), at, WARM if known else HOT)
    return layout if known else settle_layout(layout, pull, FIRST)


def step_layout(layout: GraphLayout, pull: Matrix) -> GraphLayout:
    """Make one step. pull: symmetric, in [-1, 1]: how much a tie attracts two people, or (negative) repels them."""
    at = layout.at
    apart = at[:, None] - at[None]
    far = np.sqrt((apart**2).sum(-1)) + 1e-3
    push = (LENGTH * LENGTH / far) * (1.0 - 0.9 * np.minimum(pull, 0.0))
    draw = np.maximum(pull, 0.0) * far * far / LENGTH
    np.fill_diagonal(push, 0.0)
    force = (apart * ((push - draw) / far)[..., None]).sum(1) - at * CENTRE
    size = np.sqrt((force**2).sum(-1, keepdims=True)) + 1e-9
    moved = at + force / size * np.minimum(size * 0.08, layout.heat)
    return GraphLayout(layout.people, moved - moved.mean(axis=0), layout.heat * COOLING)


def settle_layout(layout: GraphLayout, pull: Matrix, most: int = 400) -> GraphLayout:
    """Make at most `most` steps, until the layout is at rest."""
    for _ in range(most):
        if layout.still:
            break
        layout = step_layout(layout, pull)
    return layout


def fit_layout(at: Points, sizes: npt.NDArray[np.int64], width: int, height: int) -> Points:
    """The positions in cells of a picture: stretched to fill it, then moved until no name overlaps another. sizes:
    width of each name, which is one cell high. Each position is the middle of a name.
    """
    if not len(at):
        return np.zeros((0, 2))
    half = sizes / 2.0
    out = np.empty_like(at)
    for axis, room, edge in ((0, width, float(half.max())), (1, height, 1.0)):
        low, high = float(at[:, axis].min()), float(at[:, axis].max())
        spread = max(high - low, 1e-6)
        inner = max(1.0, room - 2.0 * edge - 1.0)
        out[:, axis] = edge + (at[:, axis] - low) / spread * inner if len(at) > 1 else room / 2.0
    for _ in range(APART):
        apart = out[:, None] - out[None]
        need_x = half[:, None] + half[None] + 1.0
        over_x, over_y = need_x - np.abs(apart[..., 0]), 1.8 - np.abs(apart[..., 1])
        hit = (over_x > 0.0) & (over_y > 0.0)
        np.fill_diagonal(hit, False)
        if not hit.any():
            break
        side = np.sign(apart)  # of two in one place the first moves left and up
        order = np.sign(np.arange(len(out))[:, None] - np.arange(len(out))[None])
        side = np.where(side == 0.0, order[..., None], side)
        sideways = over_x < 3.0 * over_y  # a row counts as three columns, since cells are high
        out[:, 0] += (side[..., 0] * np.where(hit & sideways, over_x, 0.0)).sum(1) * 0.35
        out[:, 1] += (side[..., 1] * np.where(hit & ~sideways, over_y, 0.0)).sum(1) * 0.35
        np.clip(out[:, 0], half, width - half, out=out[:, 0])
        np.clip(out[:, 1], 0.5, height - 0.5, out=out[:, 1])
    return out
