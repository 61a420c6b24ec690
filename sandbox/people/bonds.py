"""What two people are to each other, in a word: rules over how close they are, how each feels about the other, and
which claims and pressures are between them. Nothing is stored: it follows from these and from the bond until then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, get_args

Bond = Literal["couple", "fallen out", "at odds", "crush", "rivals", "family", "friends", "acquainted", "strangers"]
BONDS: tuple[Bond, ...] = get_args(Bond)
WARM: frozenset[Bond] = frozenset(("couple", "family", "friends"))
COLD: frozenset[Bond] = frozenset(("fallen out", "at odds"))
SOUR, COOL, FOND = -0.25, -0.1, 0.4  # limits of feeling: at odds (or below), rivals (or below), friends (or above)
NEAR, MET = 0.25, 0.05  # mean closeness of friends, and of two who are not strangers
KEPT = 0.25  # hysteresis: how far past its limit a feeling must go before a bond is lost again
COUPLE, KIN, CRUSH, RIVALRY = "couple", "kin", "crush", "rivalry"  # kinds of claims, and of pressures


class BondSide(NamedTuple):
    """One of two towards the other: closeness in [0, 1], feeling in [-1, 1]."""

    closeness: float
    feeling: float


def bond_name(a: BondSide, b: BondSide, between: Collection[str] = (), was: str = "") -> Bond:
    """The bond of two people. between: kinds of their claims ("couple", "kin") and of the open pressures that one of
    them holds about the other ("crush", "rivalry"). was: their bond until now ("" = none yet), which they keep until
    feelings go KEPT past its limit, or friends are hardly closer than strangers. The first rule that fits:

    couple: such a claim. fallen out: both dislike each other, and they were warm before or are still near; at odds:
    both dislike each other, and were never near. crush: such a pressure. rivals: such a pressure, and one dislikes the
    other. family: kin. friends: each likes the other, and they are near. strangers: they have not met. Else acquainted.
    """
    near, low, high = (a.closeness + b.closeness) / 2, min(a.feeling, b.feeling), max(a.feeling, b.feeling)
    if COUPLE in between:
        return "couple"
    if high <= SOUR + KEPT * (was in COLD):
        return "fallen out" if was == "fallen out" or was in WARM or near >= NEAR else "at odds"
    if CRUSH in between:
        return "crush"
    if RIVALRY in between and low <= COOL:
        return "rivals"
    if KIN in between:
        return "family"
    stays = was == "friends"
    if low >= FOND - KEPT * stays and near >= (MET if stays else NEAR):
        return "friends"
    return "acquainted" if near >= MET or was not in ("", "strangers") else "strangers"


def circles(bonds: Mapping[tuple[str, str], Bond], least: int = 3) -> list[tuple[str, ...]]:
    """The maximal cliques: groups of at least `least` people who are all warm with each other, largest first. bonds: of
    each pair, in either order. With hundreds of people there may be too many cliques to list.
    """
    import networkx as nx  # not needed by whoever only names two

    warm = nx.Graph(two for two, what in bonds.items() if what in WARM and two[0] != two[1])
    found = (tuple(sorted(group)) for group in nx.find_cliques(warm))
    return sorted((group for group in found if len(group) >= least), key=lambda group: (-len(group), group))


def pairs(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each pair of people, once."""
    own = [*people]
    return ((a, b) for i, a in enumerate(own) for b in own[i + 1 :])
