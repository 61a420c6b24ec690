"""Asking judges: which talks of two versions of a town stand against each other, and both in one prompt, twice, with
their places swapped.

Two people talk in both versions, and not of the same things. Their first talk in one stands against their first in the
other, the second against the second; what one version has more is left out. Continuity is judged of the whole series,
of people who talked twice at least in both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from sandbox.lab.carryover import Talked
from sandbox.lab.rubrics import Rubric
from sandbox.people.ties import pair

SERIES = 2  # talks that make one


class Told(msgspec.Struct, frozen=True):
    """A talk as a judge reads it. when: day and hour; lines: (name, words), in order."""

    when: str
    lines: tuple[tuple[str, str], ...]


Version = tuple[Told, ...]
People = tuple[tuple[str, str], ...]  # name, and who it is


class Where(msgspec.Struct, frozen=True, order=True):
    """Where a match comes from: the arms it is of, their seed, and its id (`Match.id`)."""

    arm: str
    against: str
    seed: int
    match: str


class Case(NamedTuple):
    """What judges are to say something of. one, other: the talks of `where.arm` and of `where.against`."""

    where: Where
    rubric: Rubric
    people: People
    one: Version
    other: Version


class Put(NamedTuple):
    """A case as it is put: nothing in it tells which version is which."""

    rubric: Rubric
    people: People
    a: Version
    b: Version


class Said(NamedTuple):
    """What a judge says of A and B. Without scores: fault = why nobody answered; "" if an answer could not be read."""

    a: float | None
    b: float | None
    why_a: str = ""
    why_b: str = ""
    fault: str = ""


class Scorer(Protocol):
    """A judge, such as a language model at temperature 0."""

    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    async def score(self, put: Put) -> Said:
        """Its scores. An answer that cannot be read has none, and nothing stands in for them."""
        ...


class Scored(msgspec.Struct, frozen=True):
    """What a judge said once. swapped: whether `one` stood second. one, other: scores in the range of the criterion, or
    None. clipped: how many of the two were out of it. why_one, why_other, fault: as in Said.
    """

    judge: str
    criterion: str
    where: Where
    swapped: bool
    one: float | None
    other: float | None
    clipped: int
    why_one: str = ""
    why_other: str = ""
    fault: str = ""


async def judge(
    scorers: Sequence[Scorer],
    cases: Iterable[Case],
    together: int = 1,
    moved: Callable[[int, int], None] = lambda done, of: None,
) -> list[Scored]:
    """Have judges score cases, each both ways round; that many questions wait at a time. What is put in the same words
    twice, such as talks that are alike in both arms, is asked once.
    """
    rows = [
        (scorer, case, swapped, _put(case, swapped))
        for scorer in scorers
        for case in cases
        for swapped in (False, True)
    ]
    todo = list(dict.fromkeys((scorer.name, put) for scorer, _, _, put in rows))
    by_name = {scorer.name: scorer for scorer in scorers}
    said: dict[tuple[str, Put], Said] = {}
    waiting = iter(todo)

    async def work() -> None:
        for name, put in waiting:
            said[name, put] = await by_name[name].score(put)
            moved(len(said), len(todo))

    moved(0, len(todo))
    async with asyncio.TaskGroup() as group:
        for _ in range(min(together, len(todo))):
            group.create_task(work())
    return [_scored(scorer.name, case, swapped, said[scorer.name, put]) for scorer, case, swapped, put in rows]


def _put(case: Case, swapped: bool) -> Put:
    a, b = (case.other, case.one) if swapped else (case.one, case.other)
    return Put(case.rubric, case.people, a, b)


def _scored(name: str, case: Case, swapped: bool, said: Said) -> Scored:
    raw, why = (said.a, said.b), (said.why_a, said.why_b)
    if swapped:
        raw, why = raw[::-1], why[::-1]
    one, other = (None if x is None else case.rubric.clipped(x) for x in raw)
    clipped = sum(x is not None and x != y for x, y in zip(raw, (one, other), strict=True))
    return Scored(name, case.rubric.name, case.where, swapped, one, other, clipped, *why, said.fault)


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
