"""Asking judges: six criteria, read from `rubrics.yaml`, for talks of two versions of a town, both in one prompt, asked
twice with their places swapped.

The same two people talk in both versions, but about different things. Their first talk in one is compared with their
first in the other, the second with the second; surplus talks are left out. Continuity is judged on the whole series, of
people who talked at least twice in both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import msgspec

from sandbox.core.chance import Chance
from sandbox.lab.carryover import Talked
from sandbox.lab.experiment import Comparison
from sandbox.lab.material import JudgeMaterial
from sandbox.people.ties import pair_key

CRITERIA = ("empathy", "appropriateness", "continuity", "believability", "communication", "social_rules")
SERIES = 2  # talks needed for a series
SEED = 20250213  # of random samples


class Rubric(msgspec.Struct, frozen=True):
    """A criterion. of: what is judged: single talks or a pair's series. levels: (score, meaning), lowest first."""

    name: str
    title: str
    of: Literal["talk", "series"]
    lowest: int
    highest: int
    asks: str
    levels: tuple[tuple[int, str], ...]
    rules: tuple[str, ...]

    def clipped(self, score: float) -> float:
        """A score limited to the range."""
        return min(float(self.highest), max(float(self.lowest), score))


@cache
def rubrics() -> dict[str, Rubric]:
    """Criterion -> its rubric, in the order of CRITERIA."""
    whole = msgspec.yaml.decode(Path(__file__).with_name("rubrics.yaml").read_bytes())
    out = {}
    for name in CRITERIA:
        levels = sorted(whole[name]["levels"].items())
        out[name] = msgspec.convert({**whole[name], "name": name, "levels": levels}, Rubric)
    return out


class JudgedTalk(msgspec.Struct, frozen=True):
    """A talk as a judge reads it. when: day and hour; lines: (name, words), in order."""

    when: str
    lines: tuple[tuple[str, str], ...]


Version = tuple[JudgedTalk, ...]
People = tuple[tuple[str, str], ...]  # name, and persona


class Where(msgspec.Struct, frozen=True, order=True):
    """Origin of a match: its arms, seed, and id (`Match.id`)."""

    arm: str
    against: str
    seed: int
    match: str


class JudgeCase(NamedTuple):
    """What judges compare. one, other: the talks of `where.arm` and of `where.against`."""

    where: Where
    rubric: Rubric
    people: People
    one: Version
    other: Version


class BlindCase(NamedTuple):
    """A case as shown to a judge: nothing tells which version is which."""

    rubric: Rubric
    people: People
    a: Version
    b: Version


class JudgeReply(NamedTuple):
    """A judge's scores of A and B. Without scores: fault = why there was no answer; "" if an answer was unreadable."""

    a: float | None
    b: float | None
    why_a: str = ""
    why_b: str = ""
    fault: str = ""


class Scorer(Protocol):
    """A judge, such as a language model at temperature 0."""

    @property
    def name(self) -> str:
        """Its name in the report."""
        ...

    async def score(self, put: BlindCase) -> JudgeReply:
        """Its scores. An unreadable answer gives none, without a substitute."""
        ...


class Scored(msgspec.Struct, frozen=True):
    """One answer of a judge. swapped: whether `one` was shown second. one, other: scores within the range, or None.
    clipped: how many of them were outside it. why_one, why_other, fault: as in JudgeReply.
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


async def judge_cases(
    scorers: Sequence[Scorer],
    cases: Iterable[JudgeCase],
    together: int = 1,
    moved: Callable[[int, int], None] = lambda done, of: None,
) -> list[Scored]:
    """Have judges score cases, each in both orders, with `together` questions at once. Identical prompts, such as for
    talks that are equal in both arms, are sent once.
    """
    rows = [
        (scorer, case, swapped, _put(case, swapped))
        for scorer in scorers
        for case in cases
        for swapped in (False, True)
    ]
    todo = list(dict.fromkeys((scorer.name, put) for scorer, _, _, put in rows))
    by_name = {scorer.name: scorer for scorer in scorers}
    said: dict[tuple[str, BlindCase], JudgeReply] = {}
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


def _put(case: JudgeCase, swapped: bool) -> BlindCase:
    a, b = (case.other, case.one) if swapped else (case.one, case.other)
    return BlindCase(case.rubric, case.people, a, b)


def _scored(name: str, case: JudgeCase, swapped: bool, said: JudgeReply) -> Scored:
    raw, why = (said.a, said.b), (said.why_a, said.why_b)
    if swapped:
        raw, why = raw[::-1], why[::-1]
    one, other = (None if x is None else case.rubric.clipped(x) for x in raw)
    clipped = sum(x is not None and x != y for x, y in zip(raw, (one, other), strict=True))
    return Scored(name, case.rubric.name, case.where, swapped, one, other, clipped, *why, said.fault)


class Match(NamedTuple):
    """A unit of judging. people: key of two people (`people.ties.pair_key`); number: of the talk, from 1, or 0 for the
    whole series. one, other: the talks of each version.
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
    """The matches of a rubric, by people and number. one, other: all talks of each version, in order."""
    here, there = _by_people(one), _by_people(other)
    out = []
    for people, n in match_counts({k: len(v) for k, v in here.items()}, {k: len(v) for k, v in there.items()}).items():
        mine, theirs = here[people], there[people]
        if rubric.of == "talk":
            out += [Match(people, i + 1, (mine[i],), (theirs[i],)) for i in range(n)]
        elif n >= SERIES:
            out.append(Match(people, 0, tuple(mine), tuple(theirs)))
    return out


def match_counts(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """For each pair of people, how many talks can be matched. one, other: talks in each version."""
    return {people: min(n, other[people]) for people, n in sorted(one.items()) if other.get(people)}


def meeting_counts(talks: Iterable[Talked]) -> dict[str, int]:
    """How often each two people talked, by their key."""
    return {people: len(own) for people, own in _by_people(talks).items()}


def _by_people(talks: Iterable[Talked]) -> dict[str, Sequence[Talked]]:
    out: dict[str, list[Talked]] = {}
    for talk in talks:
        if talk.lines:
            out.setdefault(pair_key(*talk.who), []).append(talk)
    return dict(sorted(out.items()))


def cases(pairs: Iterable[Comparison], heard: Mapping[tuple[str, int], JudgeMaterial], most: int) -> list[JudgeCase]:
    """The cases to judge: for each seed and criterion all matches, or `most` drawn with a fixed seed; a greater `most`
    includes the cases of a smaller one.
    """
    chance, out = Chance(SEED), []
    for two in pairs:
        for seed in sorted({seed for _, seed in heard}):
            one, other = heard.get((two.arm, seed)), heard.get((two.against, seed))
            if one is None or other is None:
                continue
            for rubric in rubrics().values():
                found = matches(rubric, one.talks, other.talks)
                chance.stream(seed, f"{two.arm}|{two.against}", rubric.name).shuffle(found)
                for m in found[:most]:
                    where = Where(two.arm, two.against, seed, m.id)
                    people = tuple(one.people[who] for who in sorted(m.people.split("|")))
                    out.append(JudgeCase(where, rubric, people, _told(m.one, one), _told(m.other, other)))
    return out


def _told(talks: Iterable[Talked], heard: JudgeMaterial) -> Version:
    return tuple(
        JudgedTalk(
            f"{heard.clock.at(talk.t):%A}, {heard.clock.hhmm(talk.t)}",
            tuple((heard.people[who][0], text) for who, text in talk.lines),
        )
        for talk in talks
    )
