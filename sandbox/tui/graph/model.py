"""The ties of a town at a moment as matrices: closeness, feelings, how people are regarded, which ties to draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.engine.world import World
from sandbox.people.ties import Flags, Matrix
from sandbox.readers.tielines import BAD, DISLIKES, LIKES, Pair, TieState, tie_states

WORTH = 0.25  # least weight of a tie that is drawn in the whole graph
WARM, SOUR = 1.4, 0.7  # most ties drawn there per person: good ones, bad ones
ALL, GOOD, ILL = "all ties", "likes", "dislikes"
SHOWN = (ALL, GOOD, ILL)
LEAST, MOST, TIED, NAMES = "most disliked first", "best liked first", "most ties first", "by name"
ORDERS = (LEAST, MOST, TIED, NAMES)


class Edge(NamedTuple):
    """The tie of two people: `there` is a's side, `back` is b's."""

    a: str
    b: str
    there: TieState
    back: TieState

    @property
    def weight(self) -> float:
        """The weight of the stronger side."""
        return max(self.there.weight, self.back.weight, key=abs)

    @property
    def sour(self) -> bool:
        """Whether the stronger side is a dislike."""
        return self.weight < 0.0

    def seen_from(self, who: str) -> Edge:
        """This edge with `who`, one of the two, as a."""
        return self if who == self.a else Edge(self.b, self.a, self.back, self.there)


class TownTies:
    """All ties at a moment. close, feel, talks: entry [u, v] is u towards v; known: whether that side exists.

    sides: (u, v) -> how u stands to v, as a `TieState`.
    """

    def __init__(self, people: Sequence[str], sides: Mapping[Pair, tuple[float, float, int]]) -> None:
        self.people = tuple(people)
        self.at = {who: i for i, who in enumerate(self.people)}
        n = len(self.people)
        self.close: Matrix = np.zeros((n, n))
        self.feel: Matrix = np.zeros((n, n))
        self.talks: npt.NDArray[np.int64] = np.zeros((n, n), np.int64)
        for (u, v), (closeness, feeling, talks) in sides.items():
            i, j = self.at.get(u, -1), self.at.get(v, -1)
            if i >= 0 and j >= 0 and i != j:
                self.close[i, j], self.feel[i, j], self.talks[i, j] = closeness, feeling, talks
        self.known: Flags = (self.close != 0.0) | (self.feel != 0.0) | (self.talks != 0)

    def __eq__(self, other: object) -> bool:
        """Whether another has the same people and equal ties."""
        return (
            isinstance(other, TownTies)
            and self.people == other.people
            and bool((self.close == other.close).all() and (self.feel == other.feel).all())
            and bool((self.talks == other.talks).all())
        )

    __hash__ = None  # type: ignore[assignment]

    def only(self, who: str) -> TownTies:
        """A copy with only one person's own sides; what others feel is left out."""
        return TownTies(self.people, {(who, v): self.side(who, v) for v in self.people})

    def side(self, u: str, v: str) -> TieState:
        """u's side of the tie to v."""
        i, j = self.at[u], self.at[v]
        return TieState(float(self.close[i, j]), float(self.feel[i, j]), int(self.talks[i, j]))

    def edge(self, a: str, b: str) -> Edge:
        """The edge of two people, whether tied or not."""
        return Edge(a, b, self.side(a, b), self.side(b, a))

    @cached_property
    def edges(self) -> Sequence[Edge]:
        """All pairs with at least one side, the strongest first."""
        tied = np.argwhere(np.triu(self.known | self.known.T)).tolist()
        found = [self.edge(self.people[i], self.people[j]) for i, j in tied]
        return sorted(found, key=lambda e: (-abs(e.weight), e.a, e.b))

    def circle(self, who: str, order: str = LEAST) -> list[Edge]:
        """The ties of one person (as a), sorted by one of ORDERS: first who dislikes them most (LEAST), who likes them
        most (MOST), else whose side is strongest.
        """
        others = np.flatnonzero(self.known[self.at[who]] | self.known[:, self.at[who]])
        found = [self.edge(who, self.people[i]) for i in others.tolist()]
        if order in (LEAST, MOST):
            sign = 1.0 if order == LEAST else -1.0
            return sorted(found, key=lambda e: (sign * e.back.feeling, sign * e.there.feeling, e.b))
        return sorted(found, key=lambda e: (-abs(e.back.weight), -abs(e.there.weight), e.b))

    def weights(self) -> Matrix:
        """The weight of each ordered pair, in [-1, 1], as `TieState.weight`."""
        return np.where(self.feel < BAD, self.feel, np.maximum(np.maximum(self.feel, self.close), 0.0))


class Regard(NamedTuple):
    """How others feel about a person: how many like and dislike them, and the sums of those feelings (good, bad)."""

    likes: int
    good: float
    dislikes: int
    bad: float


def regard(ties: TownTies, who: str) -> Regard:
    """How others feel about `who`."""
    column = ties.feel[:, ties.at[who]]
    likes, dislikes = column[column >= LIKES], column[column <= DISLIKES]
    return Regard(len(likes), float(likes.sum()), len(dislikes), float(dislikes.sum()))


def people_in_order(ties: TownTies, order: str, names: Mapping[str, str]) -> list[str]:
    """All people in one of ORDERS; equals by name."""
    ways = {
        LEAST: np.where(ties.feel <= DISLIKES, ties.feel, 0.0).sum(axis=0),
        MOST: -np.where(ties.feel >= LIKES, ties.feel, 0.0).sum(axis=0),
        TIED: -(ties.known | ties.known.T).sum(axis=1).astype(np.float64),
        NAMES: np.zeros(len(ties.people)),
    }
    by = dict(zip(ties.people, np.round(ways[order], 6).tolist(), strict=True))
    return sorted(ties.people, key=lambda who: (by[who], names[who], who))


def edges_to_draw(edges: Iterable[Edge], people: int, which: str, room_for: float = 1.0) -> list[Edge]:
    """The edges drawn in the whole graph: the strongest, not more than can be told apart. edges: strongest first;
    people: how many there are; which: one of SHOWN; room_for: share of the edges a small picture has room for.
    """
    room = {False: round(WARM * people * room_for), True: round(SOUR * people * room_for)}
    out = []
    for edge in edges:
        if (which == GOOD and edge.sour) or (which == ILL and not edge.sour):
            continue
        if abs(edge.weight) >= WORTH and room[edge.sour] > 0:
            room[edge.sour] -= 1
            out.append(edge)
    return out


def present_ties(world: World) -> TownTies:
    """The current ties of a world."""
    return TownTies(tuple(world.cast), tie_states(world))
