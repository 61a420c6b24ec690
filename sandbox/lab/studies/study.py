"""What a study declares: the cases it is run in, what is measured of each run, and what the paper says of it.

A study is run by code, not lived as a world: nobody lives in it but a crowd, or readers for whom a language model
decides, and what a controlled account does is part of its design. Each run is a case with a seed. An effect is what the
study is for; beside it stand cases in which nothing can have it (null), and sweeps of the number behind it.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import msgspec

from sandbox.core.plain import count_of, shown_as, some
from sandbox.core.protocols import Question
from sandbox.lab.statistics import Estimate


class AnswerCounts(msgspec.Struct, frozen=True):
    """What came of the questions put to a model in a run. role: reader or judge. answered: as it was meant to; unfit:
    an answer came, and none that could be used; unheard: no answer came. For both of these stood in that nothing is
    done, or said.
    """

    model: str
    role: str
    answered: int = 0
    unfit: int = 0
    unheard: int = 0

    def plus(self, other: AnswerCounts) -> AnswerCounts:
        """The same with what came of others."""
        unfit, unheard = self.unfit + other.unfit, self.unheard + other.unheard
        return AnswerCounts(self.model, self.role, self.answered + other.answered, unfit, unheard)

    @property
    def asked(self) -> int:
        """How many questions were put to it."""
        return self.answered + self.stood_in

    @property
    def stood_in(self) -> int:
        """How many of them had no answer that could be used."""
        return self.unfit + self.unheard


class Sample(msgspec.Struct, frozen=True):
    """The numbers of a group (the scores of comments, say): how many, their sum, and the sum of their squares."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float | None:
        """None of no numbers."""
        return self.total / self.n if self.n else None

    @property
    def estimate(self) -> Estimate:
        """The mean with its normal interval of 95 %, each number taken for itself; of fewer than two without one."""
        if self.mean is None or self.n < 2:
            return Estimate(self.mean, None, None, self.n)
        variance = max(0.0, self.squares - self.total**2 / self.n) / (self.n - 1)
        half = 1.96 * math.sqrt(variance / self.n)
        return Estimate(self.mean, self.mean - half, self.mean + half, self.n)


def sample(numbers: Iterable[float]) -> Sample:
    """The sample of some numbers."""
    known = [float(x) for x in numbers]
    return Sample(len(known), math.fsum(known), math.fsum(x * x for x in known))


def pool_samples(samples: Iterable[Sample]) -> Sample:
    """Several samples as one."""
    own = [*samples]
    return Sample(sum(s.n for s in own), math.fsum(s.total for s in own), math.fsum(s.squares for s in own))


def percent_above(x: float | None, base: float | None) -> float | None:
    """How many per cent x lies above base (below 0: below it); None where there is none, or base is not above 0."""
    return None if x is None or base is None or base <= 0 else 100 * (x / base - 1)


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a run. values: measures by key, None where there was nothing to measure. curves: a number a step.
    samples: the numbers of groups, by key. heard: of each model that was asked; refused: how many deeds of readers the
    platform refused. faults: why a measure or a curve is missing that should be there (`checking.check_run`).
    """

    values: dict[str, float | None]
    curves: dict[str, list[float]] = {}
    samples: dict[str, Sample] = {}
    heard: tuple[AnswerCounts, ...] = ()
    refused: int = 0
    faults: dict[str, str] = {}

    def __repr__(self) -> str:
        what = f"{count_of(len(self.values), 'measure')}, {count_of(len(self.curves), 'curve')}"
        return shown_as(self, what, f'.values["{next(iter(self.values), "")}"], .curves, .samples')

    @property
    def stood_in(self) -> int:
        """How many questions had no answer that could be used."""
        return sum(h.stood_in for h in self.heard)


@dataclass(frozen=True)
class Case:
    """One way a study is run. name: as reports call it. about: in words. settings: what its runner takes."""

    name: str
    about: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """What is measured of a run. label: in words; decimals: of it in reports."""

    key: str
    label: str
    decimals: int = 3


@dataclass(frozen=True)
class Effect:
    """What a study looks for: a measure of a case, or, with `against`, what it has more there than in another case with
    the same seed. null: it is one that cannot be there, and whose interval should hold 0. percent: a measure of the
    same case that is the same in per cent, told beside it.
    """

    key: str
    label: str
    measure: str
    case: str
    against: str = ""
    null: bool = False
    percent: str = ""


@dataclass(frozen=True)
class Sweep:
    """The number behind an effect, turned up and down. number: its name; points: (its value, an effect's key)."""

    number: str
    label: str
    points: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Claim:
    """A finding of the paper, or, where there is no paper (`Prose.paper`), of whoever has made the study. says: in our
    words. effect: the key of the effect that tests it. sign: 1 or -1 as the effect should have it, 0 = it should not be
    there. built_in: a number of ours puts it there (`Prose.built_in`), so that finding it finds that number;
    built_against: it puts the opposite there. curve: it can be told only beside a real curve.
    """

    says: str
    effect: str
    sign: int
    built_in: bool = False
    built_against: bool = False
    curve: bool = False


@dataclass(frozen=True)
class Plot:
    """A figure of curves over steps, each as far as all seeds have it. curves: (a key of `Found.curves`, a case, as the
    figure calls it). axis: what a place in a curve is.
    """

    name: str
    about: str
    label: str
    curves: tuple[tuple[str, str, str], ...]
    axis: str = "step"


@dataclass(frozen=True)
class Groups:
    """Tables of groups, the samples of all seeds together, one for each of these cases. of: what is grouped, in the
    plural, and measure: what of it. names: what each group is called, the first being what others are held against.
    rows: (what a row is called, a key of `Found.samples` for each group).
    """

    cases: tuple[str, ...]
    of: str
    measure: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class ReferenceTable:
    """A table of what runs have beside what is known of the world. columns: (a measure's key, as the table calls it).
    known: (what a row is called, its cells, which may be fewer than columns). cases: a row each.
    """

    about: str
    columns: tuple[tuple[str, str], ...]
    known: tuple[tuple[str, tuple[str, ...]], ...]
    cases: tuple[str, ...]


class Prose(msgspec.Struct, frozen=True):
    """What a report says beside its numbers (`NAME.yaml`). paper: what it found, () = there is none; built_in: what a
    number put there, and what none did; limits: what a reader should know.
    """

    title: str
    about: str
    paper: tuple[str, ...]
    built_in: tuple[str, ...]
    limits: tuple[str, ...]

    def __repr__(self) -> str:
        return shown_as(self, self.title, ".about, .paper, .built_in, .limits")


class ModelPanel(Protocol):
    """The minds of a run. users: how many readers it has at most."""

    users: int

    async def ask(self, questions: Sequence[Question]) -> list[Any]:
        """An answer of the readers' model to each question, in order. Raises Silent (`minds.py`)."""

    async def judge(self, questions: Sequence[Question]) -> list[list[Any]]:
        """For each judge, an answer to each question."""

    def refuse(self) -> None:
        """Count a deed that the platform has refused."""


@dataclass(frozen=True)
class Minded:
    """A study with a language model in the place of the crowd's readers. run: case, seed, its minds -> what came of it.
    study: its cases, effects and words so. of: how many readers the paper had, in words. left_out: cases of the crowd's
    study that make no sense so -> why. judges: what judges are asked, in words, "" = nothing.
    """

    run: Callable[[Case, int, ModelPanel], Awaitable[Found]]
    study: Study
    of: str
    left_out: Mapping[str, str]
    judges: str = ""

    def __repr__(self) -> str:
        cases = self.study.cases
        told = f"{count_of(len(cases), 'case')} ({some(case.name for case in cases)}) in which a language model decides"
        return shown_as(self, told, ".study, .left_out")


@dataclass(frozen=True)
class Study:
    """A whole study. run: case, seed -> what came of it; the same input gives the same. seeds, quick: how many it is
    run with, from `first` on. curve: reads a file with a real curve to set beside it (`curve_of`), None = it has no use
    for one. minds: how it is run with a language model, None = not. beside: what stands beside its numbers. personas:
    reads a file of people of one's own (`people_of`), None = it has no use for one.
    """

    name: str
    told: Prose
    cases: tuple[Case, ...]
    run: Callable[[Case, int], Found]
    measures: tuple[Measure, ...]
    effects: tuple[Effect, ...]
    claims: tuple[Claim, ...]
    first: int
    seeds: int
    quick: int
    sweeps: tuple[Sweep, ...] = ()
    plots: tuple[Plot, ...] = ()
    groups: Groups | None = None
    curve: Callable[[Path], dict[str, list[float]]] | None = None
    minds: Minded | None = None
    beside: ReferenceTable | None = None
    personas: Callable[[Path], dict[str, Any]] | None = None

    def __repr__(self) -> str:
        cases = f"{count_of(len(self.cases), 'case')} ({some(case.name for case in self.cases)})"
        claims = f"{count_of(len(self.effects), 'effect')}, {count_of(len(self.claims), 'claim')}"
        return shown_as(self, f"{self.name}: {cases}, {claims}", ".cases, .measures, .effects, .claims, .told")

    def usual(self, quick: bool = False) -> tuple[int, ...]:
        """The seeds it is run with if nobody says otherwise."""
        return tuple(range(self.first, self.first + (self.quick if quick else self.seeds)))

    def curve_of(self, path: Path) -> dict[str, list[float]]:
        """The curve in a file. Raises ValueError, with file, row and mend, if there is none, or the study has no use
        for one.
        """
        if self.curve is None:
            raise ValueError(f"{self.name} has no curve to set beside it")
        return self.curve(path)

    def people_of(self, path: Path) -> dict[str, Any]:
        """The people in a file, as runs are given them. Raises ValueError, with line and mend, if there are none, or
        the study has no use for them.
        """
        if self.personas is None:
            raise ValueError(f"{self.name} has people of its own, a crowd of them")
        return self.personas(path)

    def case(self, name: str) -> Case:
        """The case of that name. Raises KeyError."""
        return {case.name: case for case in self.cases}[name]

    def with_minds(self) -> Study:
        """The study as it is run with a language model: its cases, effects, words. Raises ValueError if it is not."""
        if self.minds is None:
            raise ValueError(f"{self.name} is run with a crowd alone; leave out --mind")
        return replace(self.minds.study, minds=self.minds)
