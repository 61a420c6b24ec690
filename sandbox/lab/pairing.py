"""Which talks of two versions of a town stand against each other when they are judged.

Two people talk in both versions, and not of the same things. Their first talk in one stands against their first in the
other, the second against the second; what one version has more is left out. Continuity is judged of the whole series,
of people who talked twice at least in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sandbox.lab.carryover import Talked
from sandbox.lab.rubrics import Rubric
from sandbox.people.ties import pair

SERIES = 2  # talks that make one


class Match(NamedTuple):
    """What is judged together. people: the key of two (`people.ties.pair`); number: of the talk, from 1, or 0 for the
    whole series. one, other: the talks of either version.
    """

    people: str
    number: int
    one: tuple[Talked, ...]
    other: tuple[Talked, ...]

    @property
    def id(self) -> str:
        """ "ann|ben 2"; "ann|ben" for a series."""
        return f"{self.people} {self.number}" if self.number else self.people


def matches(rubric: Rubric, one: Iterable[Talked], other: Iterable[Talked]) -> list[Match]:
    """What a rubric is asked about, by people and number. one, other: all talks of either version, in order."""
    here, there = _by_people(one), _by_people(other)
    out = []
    for people, n in numbers({k: len(v) for k, v in here.items()}, {k: len(v) for k, v in there.items()}).items():
        mine, theirs = here[people], there[people]
        if rubric.of == "talk":
            out += [Match(people, i + 1, (mine[i],), (theirs[i],)) for i in range(n)]
        elif n >= SERIES:
            out.append(Match(people, 0, tuple(mine), tuple(theirs)))
    return out


def numbers(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """How many talks of two people can stand against each other, by key. one, other: how many each version has."""
    return {people: min(n, other[people]) for people, n in sorted(one.items()) if other.get(people)}


def met(talks: Iterable[Talked]) -> dict[str, int]:
    """How often any two talked, by their key."""
    return {people: len(own) for people, own in _by_people(talks).items()}


def _by_people(talks: Iterable[Talked]) -> dict[str, Sequence[Talked]]:
    out: dict[str, list[Talked]] = {}
    for talk in talks:
        if talk.lines:
            out.setdefault(pair(*talk.who), []).append(talk)
    return dict(sorted(out.items()))
