"""What the runs of a study come to: means of cases, effects over seeds, and what became of the paper's claims."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from sandbox.core.plain import count_of, shown_as
from sandbox.lab.results import Lacking, with_seeds
from sandbox.lab.statistics import Estimate, PairedDifference, estimate, sign_flip_test, with_q
from sandbox.lab.studies.study import AnswerCounts, Claim, Effect, Found, Study
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

    The effects that test claims have a q among themselves, all others but null ones among themselves, too.
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
    shown = with_q(shown, [key for key, e in own.items() if key not in first and not e.null])
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
        return f"cannot be told, for {lost:,} of {count_of(asked, 'question')} had no answer that could be used"
    if d.estimate.low is None or d.estimate.mean is None:
        return "too few seeds"
    if not d.shown:
        return "none is shown here either" if claim.sign == 0 and not d.estimate.clear else "not shown"
    agrees = claim.sign * d.estimate.mean > 0
    built_in = claim.built_in if agrees else claim.built_against
    return ("agrees" if agrees else "disagrees") + (", as it was built in" if built_in else "")
