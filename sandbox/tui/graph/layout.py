"""Where everybody stands in the graph: a force layout that goes on from where it was, so that it drifts and does not
jump.

Fruchterman and Reingold 1991: all push one another away, ties pull. Pure functions: the same ids and ties give the
same places on every machine, and nothing given is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]

LENGTH = 0.34  # of a tie at rest, where the middle half of the plane is one wide
HOT, WARM, COLD = 0.12, 0.025, 0.0015  # the longest step: of a graph nobody has seen, of one whose ties change, of none
COOLING = 0.96
FIRST = 60  # steps of a graph before it is shown; the rest one sees
CENTRE = 0.55  # how much the middle pulls
APART = 24  # rounds in which names are moved off one another


class GraphLayout(NamedTuple):
    """The places of people in a plane of no size. heat: the longest step they may take."""

    people: tuple[str, ...]
    at: Points
    heat: float

    @property
    def still(self) -> bool:
        """Whether nobody moves any more."""
        return self.heat <= COLD


def seed(who: str) -> tuple[float, float]:
    """Where somebody stands before there is anything to go by: of their id alone."""
    x, y = crc32(who.encode()), crc32(f"{who}'s place".encode())
    return x / 2**31 - 1.0, y / 2**31 - 1.0


def begin_layout(people: Sequence[str], pull: Matrix, before: GraphLayout | None = None) -> GraphLayout:
    """The layout of these people: those there were stay, who is new stands beside whom they are tied to most."""
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
    """One step on. pull: symmetric, in [-1, 1]: how much a tie draws two together, or keeps them apart."""
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
    """So many steps on, or until nobody moves."""
    for _ in range(most):
        if layout.still:
            break
        layout = step_layout(layout, pull)
    return layout


def fit_layout(at: Points, sizes: npt.NDArray[np.int64], width: int, height: int) -> Points:
    """The places in cells of a picture: stretched to fill it, then moved as far as names need that none lies over
    another. sizes: cells of each name, which is one cell high. Each place is the middle of a name.
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
        side = np.sign(apart)  # of two in one place the first gives way to the left, and up
        order = np.sign(np.arange(len(out))[:, None] - np.arange(len(out))[None])
        side = np.where(side == 0.0, order[..., None], side)
        sideways = over_x < 3.0 * over_y  # cells are high: a row counts for three columns
        out[:, 0] += (side[..., 0] * np.where(hit & sideways, over_x, 0.0)).sum(1) * 0.35
        out[:, 1] += (side[..., 1] * np.where(hit & ~sideways, over_y, 0.0)).sum(1) * 0.35
        np.clip(out[:, 0], half, width - half, out=out[:, 0])
        np.clip(out[:, 1], 0.5, height - 0.5, out=out[:, 1])
    return out
