"""What a study declares: its cases, what is measured of each run, and the paper's claims.

A study is run by code, not in a town: its people are a crowd, or readers decided for by a language model, and the acts
of a controlled account are part of the design. Each run is a case with a seed. An effect is what the study looks for;
there are also null cases, in which it is impossible, and sweeps of the parameter behind it.
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
    """Outcome of the questions to a model in a run. role: reader or judge. answered: usable answers; unfit: unusable
    ones; unheard: no answer came. In the last two cases nothing is done, or said.
    """

    model: str
    role: str
    answered: int = 0
    unfit: int = 0
    unheard: int = 0

    def plus(self, other: AnswerCounts) -> AnswerCounts:
        """The sum with other counts."""
        unfit, unheard = self.unfit + other.unfit, self.unheard + other.unheard
        return AnswerCounts(self.model, self.role, self.answered + other.answered, unfit, unheard)

    @property
    def asked(self) -> int:
        """The number of questions asked."""
        return self.answered + self.stood_in

    @property
    def stood_in(self) -> int:
        """The number of questions without a usable answer."""
        return self.unfit + self.unheard


class Sample(msgspec.Struct, frozen=True):
    """The numbers of a group (such as scores of comments): count, sum, and sum of squares."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float | None:
        """The mean, None without numbers."""
        return self.total / self.n if self.n else None

    @property
    def estimate(self) -> Estimate:
        """The mean with its normal 95 % interval, numbers taken as independent; no interval with fewer than two."""
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
    """Several samples merged into one."""
    own = [*samples]
    return Sample(sum(s.n for s in own), math.fsum(s.total for s in own), math.fsum(s.squares for s in own))


def percent_above(x: float | None, base: float | None) -> float | None:
    """By how many per cent x exceeds base; None if either is missing, or base is not above 0."""
    return None if x is None or base is None or base <= 0 else 100 * (x / base - 1)


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of a run. values: measures by key, None if there was nothing to measure. curves: a number per step.
    samples: of groups, by key. heard: for each model asked; refused: acts of readers that the platform refused. faults:
    why an expected measure or curve is missing (`checking.check_run`).
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
        """The number of questions without a usable answer."""
        return sum(h.stood_in for h in self.heard)


@dataclass(frozen=True)
class Case:
    """A variant of a study. name: in reports. about: in words. settings: for its runner."""

    name: str
    about: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """A measure of a run. label: in words; decimals: in reports."""

    key: str
    label: str
    decimals: int = 3


@dataclass(frozen=True)
class Effect:
    """What a study looks for: a measure of a case, or with `against` its difference from another case with the same
    seed. null: an impossible effect, whose interval should contain 0. percent: the measure of the same case that gives
    it in per cent, reported beside it.
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
    """The parameter behind an effect, varied. number: its name; points: (its value, an effect's key)."""

    number: str
    label: str
    points: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Claim:
    """A finding of the paper, or, without a paper (`Prose.paper`), of the study's author. says: in our words. effect:
    key of the effect that tests it. sign: 1 or -1, the predicted sign; 0 = predicted absent. built_in: a parameter of
    ours builds it in (`Prose.built_in`), so that finding it only finds that parameter; built_against: a parameter
    builds in the opposite. curve: it can be tested only against a real curve.
    """

    says: str
    effect: str
    sign: int
    built_in: bool = False
    built_against: bool = False
    curve: bool = False


@dataclass(frozen=True)
class Plot:
    """A figure of curves over steps, up to where all seeds have them. curves: (a key of `Found.curves`, a case, its
    label in the figure). axis: the unit of the steps.
    """

    name: str
    about: str
    label: str
    curves: tuple[tuple[str, str, str], ...]
    axis: str = "step"


@dataclass(frozen=True)
class Groups:
    """Tables of groups, with the samples of all seeds pooled, one for each of these cases. of: what is grouped, plural;
    measure: of it. names: of the groups, the first being the reference. rows: (label, a key of `Found.samples` for each
    group).
    """

    cases: tuple[str, ...]
    of: str
    measure: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class ReferenceTable:
    """A table of results beside known real values. columns: (a measure's key, its label). known: (label of a row, its
    cells, possibly fewer than columns). cases: a row each.
    """

    about: str
    columns: tuple[tuple[str, str], ...]
    known: tuple[tuple[str, tuple[str, ...]], ...]
    cases: tuple[str, ...]


class Prose(msgspec.Struct, frozen=True):
    """The text of a report (`NAME.yaml`). paper: what it found, () = no paper; built_in: which effects our parameters
    build in, and which not; limits: what readers should know.
    """

    title: str
    about: str
    paper: tuple[str, ...]
    built_in: tuple[str, ...]
    limits: tuple[str, ...]

    def __repr__(self) -> str:
        return shown_as(self, self.title, ".about, .paper, .built_in, .limits")


class ModelPanel(Protocol):
    """The models of a run. users: greatest number of readers. models: their models' names, by part (`Minded.names`)."""

    users: int
    models: Mapping[str, str]

    async def ask(self, questions: Sequence[Question], of: str = "") -> list[Any]:
        """An answer of the readers' model to each question, in order. of: the part of the readers that is asked, if it
        may have a model of its own (`Minded.names`). Raises Silent (`minds.py`).
        """

    async def judge(self, questions: Sequence[Question]) -> list[list[Any]]:
        """For each judge, an answer to each question."""

    def refuse(self) -> None:
        """Count an act that the platform refused."""


@dataclass(frozen=True)
class Minded:
    """A study with readers decided for by a language model. run: (case, seed, models) -> outcome. study: with its own
    cases, effects and text. of: number of readers in the paper, in words. left_out: cases of the crowd's study that
    make no sense here -> why. judges: what judges are asked, in words, "" = nothing. names: of the parts of the readers
    that may each have a model.
    """

    run: Callable[[Case, int, ModelPanel], Awaitable[Found]]
    study: Study
    of: str
    left_out: Mapping[str, str]
    judges: str = ""
    names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        cases = self.study.cases
        told = f"{count_of(len(cases), 'case')} ({some(case.name for case in cases)}) in which a language model decides"
        return shown_as(self, told, ".study, .left_out")


@dataclass(frozen=True)
class Study:
    """A whole study. run: (case, seed) -> outcome, deterministic. seeds, quick: how many seeds it is run with, from
    `first` on. curve: reads a file with a real curve to compare with, None = not supported. minds: the
    variant with a language model, None = none. beside: a table of known values. personas: reads a file of the user's
    own people, as passed to runs, None = not supported; stances: one of stances at the start; items: one of questions.
    All raise ValueError with line and fix. quicker: settings of all cases in a quick run, in place of their own.
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
    stances: Callable[[Path], list[tuple[float, float]]] | None = None
    items: Callable[[Path], list[Any]] | None = None
    quicker: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        cases = f"{count_of(len(self.cases), 'case')} ({some(case.name for case in self.cases)})"
        claims = f"{count_of(len(self.effects), 'effect')}, {count_of(len(self.claims), 'claim')}"
        return shown_as(self, f"{self.name}: {cases}, {claims}", ".cases, .measures, .effects, .claims, .told")

    def usual(self, quick: bool = False) -> tuple[int, ...]:
        """The default seeds."""
        return tuple(range(self.first, self.first + (self.quick if quick else self.seeds)))

    def case(self, name: str) -> Case:
        """The case of that name. Raises KeyError."""
        return {case.name: case for case in self.cases}[name]

    def with_minds(self) -> Study:
        """The variant of the study with a language model. Raises ValueError if there is none."""
        if self.minds is None:
            raise ValueError(f"{self.name} can only be run with a crowd; leave out --mind")
        return replace(self.minds.study, minds=self.minds)
