"""A utility that made the grants is found again in what it predicts; grants that know of nothing are told so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandbox.society import BetaGranter, Growth, GrowthParameters
from sandbox.society.many import Runs
from sandbox.society.model import NOBODY, B, R
from sandbox.society.theory import pair_means
from sandbox.society.utility import (
    AskedTrials,
    Utility,
    contexts,
    fit_utility,
    logged_trials,
    predicted_grants,
    sweep_once,
)

NOISE = 0.1
HALF = (((0.8, 0.7, 0.6), (0.5, 0.6, 0.8)), ((0.4, 0.35, 0.3), (0.25, 0.3, 0.4)))  # B grants half of what R does


def made(seed: int, runs: int = 60, each: int = 100, text: int = 8, rank: int = 4) -> tuple[Utility, AskedTrials]:
    """A utility, and trials that it made, with noise."""
    draw, n = np.random.default_rng(seed), runs * each
    target_type, source_type = draw.integers(0, 2, (2, n))
    said = draw.standard_normal((2, n, text)) / text**0.5
    theta = np.clip(0.6 + 0.1 * draw.standard_normal((n, 2, 3)), 0, 1)
    target, source = contexts(said[0]), contexts(said[1], theta, source_type == R)
    shapes = ((2, rank, text), (2, rank, text + 6), (2, 3, text + 6))
    queries, keys, values = (draw.standard_normal(shape) for shape in shapes)
    run = np.repeat(np.arange(runs), each)
    trials = AskedTrials(target, source, target_type, source_type, np.zeros((n, 3)), run)
    values = values * 0.2 / predicted_grants(Utility(queries, keys, values), trials).std()
    given = predicted_grants(Utility(queries, keys, values), trials) + NOISE * draw.standard_normal((n, 3))
    return Utility(queries, keys, values), trials._replace(given=given)


def test_known_matrices_are_recovered_in_what_they_predict() -> None:
    known, trials = made(3)
    found = fit_utility(trials, starts=2)
    assert found.test == pytest.approx(NOISE**2, rel=0.05)
    assert found.train < found.test < 0.5 * min(found.constant, found.by_pair)
    right, said = (predicted_grants(u, trials) for u in (known, found.utility))
    assert ((said - right) ** 2).mean() < 0.1 * NOISE**2
    assert found.means == pytest.approx(pair_means(trials.target_type, trials.source_type, said))
    assert fit_utility(trials, starts=2).test == found.test, "chance has a seed"


def test_shuffled_grants_are_predicted_no_better_than_by_their_mean() -> None:
    _, trials = made(3)
    shuffled = np.random.default_rng(1).permutation(trials.given)
    found = fit_utility(trials._replace(given=shuffled), starts=2)
    assert 0.99 * found.constant < found.test < 1.2 * found.constant


def test_no_sweep_makes_the_fit_of_its_own_trials_worse() -> None:
    known, trials = made(5, runs=10)
    draw = np.random.default_rng(0)
    utility, errors = Utility(*(draw.standard_normal(m.shape) for m in known)), []
    for _ in range(8):
        utility = sweep_once(utility, trials)
        errors.append(float(((predicted_grants(utility, trials) - trials.given) ** 2).mean()))
    assert (np.diff(errors) < 1e-9).all()
    assert errors[-1] < 0.8 * errors[0]


def test_a_grant_is_gate_times_value_of_the_types_that_meet() -> None:
    draw = np.random.default_rng(4)
    u = Utility(draw.standard_normal((2, 4, 2)), draw.standard_normal((2, 4, 3)), draw.standard_normal((2, 3, 3)))
    target, source = draw.standard_normal((4, 2)), draw.standard_normal((4, 3))
    types = np.array([[R, R], [R, B], [B, R], [B, B]])
    trials = AskedTrials(target, source, types[:, 0], types[:, 1], np.zeros((4, 3)), np.arange(4))
    for row, (a, b) in enumerate(types):
        q, k, z = u.queries[a] @ target[row], u.keys[b] @ source[row], u.values[b] @ source[row]
        assert predicted_grants(u, trials)[row] == pytest.approx(q @ k / 2 * z)


def test_the_status_is_that_of_the_type_who_asks() -> None:
    text, theta = np.zeros((2, 1)), np.full((2, 2, 3), 0.7)
    found = contexts(text, theta, np.array([True, False]), constant=True)
    assert found == pytest.approx(np.array([[0, *[0.7] * 6, 1], [0, *[0.3] * 6, 1]]))


def test_logged_events_make_the_trials_that_were_asked() -> None:
    kept: list[list[Any]] = []
    p = GrowthParameters(steps=12)
    for seed in range(6):
        growth = Growth(p, BetaGranter(HALF), seed, keep=lambda record: kept[-1].append(record.event))
        kept.append([])
        growth.grow()
    found = logged_trials(p, kept, lambda t: (np.array([t.target, 7.0]), np.array([t.source, -7.0])))
    trials = [(run, t) for run, events in enumerate(kept) for event in events for t in event.trials]
    assert found.run.tolist() == [run for run, _ in trials]
    assert found.given.tolist() == [[*t.grant.given] for _, t in trials]
    assert found.target[:, :2].tolist() == [[t.target, 7] for _, t in trials]
    assert found.source[:, :2].tolist() == [[t.source, -7] for _, t in trials]
    last = Growth(p)
    for event in kept[-1]:
        before = np.array(last.theta).ravel()
        last.apply(event)
    t, of_r = trials[-1][1], last.types
    assert found.source[-1, 2:8] == pytest.approx(before if of_r[t.source] else 1 - before)
    assert (found.target_type[-1], found.source_type[-1]) == (1 - of_r[t.target], 1 - of_r[t.source])


def test_where_grants_depend_on_types_alone_its_means_by_type_pair_are_theirs() -> None:
    runs, granter, draw = Runs(GrowthParameters(steps=40), range(80)), BetaGranter(HALF), np.random.default_rng(2)
    logged: list[Any] = []
    while runs.going.any():
        theta, plan = np.moveaxis(runs.theta, -1, 0), runs.plan()
        given, there = granter.grants(runs, plan), plan.source != NOBODY
        runs.add(plan, given)
        row = np.nonzero(there)[1]
        types = (end[there].astype(np.int64) for end in (plan.target_type, plan.source_type))
        logged.append((*types, given.swapaxes(1, 2)[there], row, theta[row]))
    target_type, source_type, given, run, theta = (np.concatenate(parts) for parts in zip(*logged, strict=True))
    text = draw.standard_normal((2, len(run), 4))
    target = contexts(text[0], constant=True)
    source = contexts(text[1], theta, source_type == R, constant=True)
    trials = AskedTrials(target, source, target_type, source_type, given, run)
    found = fit_utility(trials, rank=2, starts=1)
    assert found.means == pytest.approx(np.array(HALF), abs=0.02)
    assert found.test == pytest.approx(found.by_pair, rel=0.02)
    assert found.by_pair < 0.7 * found.constant
    odd = trials._replace(given=trials.given * np.where(target_type[:, None] == R, 1, (0.2, 1, 2)))
    assert fit_utility(odd, rank=2, starts=1).test > 1.1 * fit_utility(odd, rank=2, starts=1).by_pair, "no gate is so"


def test_the_sweep_that_validates_best_is_kept_where_more_of_them_only_learn_noise() -> None:
    _, trials = made(3, runs=10, each=30)
    noise = trials._replace(given=np.random.default_rng(1).permutation(trials.given))
    few, many = (fit_utility(noise, starts=1, sweeps=n) for n in (1, 40))
    assert many.validation <= few.validation
    utility = few.utility
    runs = np.random.default_rng(0).permutation(np.unique(noise.run))
    train, chosen = (AskedTrials._make(x[np.isin(noise.run, part)] for x in noise) for part in (runs[:6], runs[6:8]))
    for _ in range(20):
        utility = sweep_once(utility, train)
    later = float(((predicted_grants(utility, chosen) - chosen.given) ** 2).mean())
    assert later > many.validation, "learning on would have made it worse"


def test_too_few_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 5"):
        fit_utility(made(1, runs=4)[1])
