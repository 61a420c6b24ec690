"""What the runs of a study come to: means of cases, effects over seeds, and what became of the paper's claims; and the
checks of what a study declares and of what a run returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
import numpy as np

from sandbox.core.faults import in_quotes, safe, unknown
from sandbox.core.plain import count_of, shown_as
from sandbox.lab.custom_minds import CustomFault, describe_function
from sandbox.lab.experiment import NAME, is_arm, is_name, lab_fault
from sandbox.lab.measuring import as_number
from sandbox.lab.results import Lacking, with_seeds
from sandbox.lab.statistics import Estimate, PairedDifference, estimate, sign_flip_test, with_q
from sandbox.lab.studies.study import AnswerCounts, Case, Claim, Effect, Found, Study
from sandbox.store.session import versions

LOST = 0.05  # share of questions without an answer from which nothing is concluded


class StudyRun(msgspec.Struct, frozen=True):
    """A case with a seed. found: None if it failed, and why is in `error`."""

    case: str
    seed: int
    file: str
    found: Found | None = None
    error: str = ""

    def __repr__(self) -> str:
        return shown_as(
            self, f"{self.case}, seed {self.seed}{', failed: ' if self.error else ''}{self.error}", ".found"
        )


class EffectResult(msgspec.Struct, frozen=True):
    """An effect over seeds. percent: the same in per cent, None = it has none."""

    key: str
    label: str
    case: str
    against: str
    null: bool
    difference: PairedDifference
    percent: Estimate | None = None


class ClaimVerdict(msgspec.Struct, frozen=True):
    """A claim of the paper and what came of it here, in the words of `verdict`. q: of its effect, among the effects of
    all claims that could be tested; None = it could not, or nothing differs in any seed.
    """

    says: str
    effect: str
    word: str
    q: float | None = None


class StudyAnswers(msgspec.Struct, frozen=True):
    """What the models of a study with minds answered. mind: of the readers; users: how many there were; of: how many
    the paper had, in words. heard: case -> model and role -> what came of its questions, over seeds; refused: case ->
    deeds that the platform refused. judges: what they were asked, in words, "" = nothing; own: the readers' own model
    judged. left_out: case -> why it was not run. calls, tokens, usd: of all models, in the folder's file of calls.
    """

    mind: str
    users: int
    of: str
    heard: dict[str, tuple[AnswerCounts, ...]]
    refused: dict[str, int]
    judges: str
    own: bool
    left_out: dict[str, str]
    calls: int
    tokens: int
    usd: float


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a report tells. means: case -> measure -> mean and interval over seeds. answers: None = of a crowd.
    paper: the claims are of a paper, and not of whoever made the study. code: a digest of all that decided the runs.
    """

    study: str
    command: str
    seeds: tuple[int, ...]
    versions: dict[str, str]
    runs: tuple[StudyRun, ...]
    means: dict[str, dict[str, Estimate]]
    effects: tuple[EffectResult, ...]
    verdicts: tuple[ClaimVerdict, ...]
    answers: StudyAnswers | None = None
    paper: bool = True
    code: str = ""

    def __repr__(self) -> str:
        runs = f"{count_of(len(self.runs), 'run')}, {sum(bool(run.error) for run in self.runs)} failed"
        words = "; ".join(f"{v.effect} {v.word}" for v in self.verdicts[:3])
        more = ".verdicts, .effect(key), .means[case][measure]; reporting.short(it) says it in words"
        return shown_as(self, f"{self.study}: {runs}{'; ' if words else ''}{words}", more)

    def effect(self, key: str) -> EffectResult | None:
        """The effect of that key; None if its cases were not run."""
        return next((e for e in self.effects if e.key == key), None)


def study_report(
    study: Study,
    command: str,
    seeds: tuple[int, ...],
    runs: tuple[StudyRun, ...],
    answers: StudyAnswers | None = None,
    curve: bool = False,
) -> Report:
    """What runs come to. curve: a real one was given to set beside them.

    The effects that test claims have a q among themselves, null ones among themselves, and all others, too.
    """
    found = {(run.case, run.seed): run.found for run in runs if run.found is not None}
    names = list(dict.fromkeys(run.case for run in runs))
    means = {
        name: {m.key: estimate([_value(found, name, seed, m.key) for seed in seeds]) for m in study.measures}
        for name in names
    }
    own = {e.key: e for e in study.effects if e.case in names and e.against in ("", *names)}
    claims = [c for c in study.claims if c.effect in own]
    first = {c.effect for c in claims if curve or not c.curve}
    shown = {key: _difference(study, e, seeds, found) for key, e in own.items()}
    shown = with_q(shown, first)
    for null in (False, True):
        shown = with_q(shown, [key for key, e in own.items() if key not in first and e.null == null])
    effects = tuple(
        EffectResult(e.key, e.label, e.case, e.against, e.null, shown[e.key], means[e.case].get(e.percent))
        for e in own.values()
    )
    verdicts = []
    for c in claims:
        of = [f for (case, _), f in found.items() if case in (own[c.effect].case, own[c.effect].against)]
        d = shown[c.effect]
        verdicts.append(
            ClaimVerdict(c.says, c.effect, claim_verdict(c, d, curve, of), d.q if c.effect in first else None)
        )
    paper = bool(study.told.paper)
    return Report(study.name, command, seeds, versions(), runs, means, effects, tuple(verdicts), answers, paper)


def failures(runs: Sequence[StudyRun]) -> list[str]:
    """The runs that failed, by case and reason, a line each."""
    found: dict[tuple[str, str], list[int]] = {}
    for run in runs:
        if run.error:
            found.setdefault((run.case, run.error), []).append(run.seed)
    return [f"{with_seeds(case, seeds)}: {why}" for (case, why), seeds in found.items()]


def missing_measures(study: Study, runs: Sequence[StudyRun]) -> list[Lacking]:
    """Every measure, and every curve that is drawn, that runs lack which did not fail, once for each reason."""
    found: dict[tuple[str, str], dict[str, list[int]]] = {}
    for run in runs:
        if run.found is not None:
            values = run.found.values
            faults = {m.key: "" for m in study.measures if values.get(m.key) is None} | run.found.faults
            for what in faults.items():
                found.setdefault(what, {}).setdefault(run.case, []).append(run.seed)
    return [Lacking(*what, seeds, len(runs), "runs") for what, seeds in found.items()]


def _difference(study: Study, e: Effect, seeds: Sequence[int], found: dict[tuple[str, int], Found]) -> PairedDifference:
    values = []
    for seed in seeds:
        here, there = _value(found, e.case, seed, e.measure), _value(found, e.against, seed, e.measure)
        values.append(here if not e.against else None if here is None or there is None else here - there)
    known = np.array([[np.nan if x is None else x] for x in values])
    p = sign_flip_test(known, f"{study.name} {e.key}")[0] if len(known) else None
    above = sum(x is not None and x > 0 for x in values)
    return PairedDifference(estimate(values), above, p)


def _value(found: dict[tuple[str, int], Found], case: str, seed: int, key: str) -> float | None:
    run = found.get((case, seed))
    return run.values.get(key) if run is not None else None


def claim_verdict(claim: Claim, d: PairedDifference, curve: bool = False, runs: Sequence[Found] = ()) -> str:
    """What a claim of the paper has come to, in words. curve: a real one stood beside the runs. runs: those that the
    effect is of. Where more than a few in a hundred questions had no answer that could be used, nothing is concluded.
    """
    if claim.curve and not curve:
        return "cannot be told without a real curve (--curve)"
    lost, asked = sum(run.stood_in for run in runs), sum(h.asked for run in runs for h in run.heard)
    if lost > LOST * asked:
        return f"cannot be told, because {lost:,} of {count_of(asked, 'question')} had no usable answer"
    if d.estimate.low is None or d.estimate.mean is None:
        return "too few seeds"
    if not d.shown:
        return "none is shown here either" if claim.sign == 0 and not d.estimate.clear else "not shown"
    agrees = claim.sign * d.estimate.mean > 0
    built_in = claim.built_in if agrees else claim.built_against
    return ("agrees" if agrees else "disagrees") + (", as it was built in" if built_in else "")


# ---- checks: of a declaration before anything is run, and of what a run returns


COLUMNS = ("case", "seed", "file", "error")  # of runs.csv, before its measures


def check_study(study: Study) -> None:
    """Raise LabFaults, with a sentence for each fault, for a study that cannot be run as it is declared."""
    if found := [*_faults(study)]:
        raise lab_fault(f"study {in_quotes(study.name)}", *found)


def _faults(study: Study) -> Iterator[str]:
    if not is_name(study.name):
        yield "files are named after it, and cannot have its name; use letters, digits and _"
    if study.first < 1 or study.seeds < 1 or study.quick < 1:
        yield "first, seeds and quick must be 1 or more"
    cases, measures = [c.name for c in study.cases], [m.key for m in study.measures]
    effects = [e.key for e in study.effects]
    yield from _names("case", cases)
    yield from _names("measure", measures)
    yield from (f"measure {in_quotes(key)} has the name of a column of runs.csv" for key in measures if key in COLUMNS)
    yield from _twice("effect", effects)
    yield from _settings(study.cases)
    for e in study.effects:
        what = f"effect {in_quotes(e.key)}"
        yield from _known(what, "case", (e.case, *([e.against] if e.against else [])), cases)
        yield from _known(what, "measure", (e.measure, *([e.percent] if e.percent else [])), measures)
        if e.case == e.against:
            yield f"{what} compares case {in_quotes(e.case)} with itself; name another in `against`"
    for claim in study.claims:
        what = f"claim {in_quotes(claim.says)}"
        yield from _known(what, "effect", (claim.effect,), effects)
        if claim.sign not in (-1, 0, 1):
            yield f"{what} has the sign {claim.sign}; write 1 or -1, the sign the effect should have, or 0 for none"
    for sweep in study.sweeps:
        yield from _known(f"sweep of {in_quotes(sweep.number)}", "effect", (key for _, key in sweep.points), effects)
    yield from _drawn(study, cases, measures)


def _drawn(study: Study, cases: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    yield from _names("plot", [p.name for p in study.plots], least=0)
    for plot in study.plots:
        yield from _known(f"plot {in_quotes(plot.name)}", "case", (case for _, case, _ in plot.curves), cases)
    if study.groups is not None:
        yield from _known("the tables of groups", "case", study.groups.cases, cases)
    if study.beside is not None:
        yield from _known("the table beside", "case", study.beside.cases, cases)
        yield from _known("the table beside", "measure", (key for key, _ in study.beside.columns), keys)


def _names(what: str, names: Sequence[str], least: int = 1) -> Iterator[str]:
    """Faults of names that appear in tables, on the command line and in file names."""
    if len(names) < least:
        yield f"it has no {what}"
    for name in names:
        if not is_arm(name):
            yield f"{in_quotes(str(name))} is not a name for a {what}; use letters, digits and _, at most {NAME}"
    yield from _twice(what, names)


def _twice(what: str, names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"two {what}s have the name {in_quotes(name)}; give one of them another"


def _known(where: str, what: str, names: Iterable[str], known: Sequence[str]) -> Iterator[str]:
    yield from (f"{where}: {unknown(what, name, known)}" for name in names if name not in known)


def _settings(cases: Iterable[Case]) -> Iterator[str]:
    """Faults of settings: cases with equal settings would be the same run, and settings must be serialisable."""
    seen: dict[bytes, str] = {}
    for case in cases:
        try:
            written = msgspec.json.encode(dict(case.settings), order="sorted")
        except (TypeError, ValueError) as error:
            yield f"the settings of case {in_quotes(case.name)} cannot be kept as JSON: {error}"
            continue
        if written in seen and seen[written] != case.name:
            two = f"{in_quotes(seen[written])} and {in_quotes(case.name)}"
            yield f"cases {two} have the same settings; change one of them"
        seen.setdefault(written, case.name)


def check_run(study: Study, case: str, found: object, by: Callable[..., object]) -> Found:
    """A run's outcome with non-numbers removed, and a fault for each of these and each missing measure. by: the
    function that returned it. Raises an error if it is not a Found.
    """
    run = describe_function(by)
    if not isinstance(found, Found):
        raise CustomFault(f"{run} gave {type(found).__name__}, not a Found")
    values: dict[str, float | None] = {}
    faults: dict[str, str] = {}
    for key, x in found.values.items():
        number = None if x is None else as_number(x)
        values[key] = number if isinstance(number, float) else None
        if isinstance(number, str):
            faults[key] = safe(f"{run} gave {number}")
    faults |= {m.key: f"{run} gave no {in_quotes(m.key)}" for m in study.measures if m.key not in values}
    curves: dict[str, list[float]] = {}
    for key, row in found.curves.items():
        numbers = [as_number(x) for x in row]
        odd = [x for x in numbers if isinstance(x, str)]
        curves |= {} if odd else {key: [x for x in numbers if isinstance(x, float)]}
        faults |= {f"curve {key}": safe(f"{run} gave {odd[0]}")} if odd else {}
    wanted = {key for plot in study.plots for key, of, _ in plot.curves if of == case}
    faults |= {f"curve {key}": f"{run} gave no curve {in_quotes(key)}" for key in sorted(wanted - found.curves.keys())}
    return msgspec.structs.replace(found, values=values, curves=curves, faults=faults)
