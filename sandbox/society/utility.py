"""The cross-attention utility: what one agent grants another, from what both say and how the asking type stands (seed
002, 4.1, 5.1 and B.3; spec/glass-ceiling.md).

With x a context, q = Q_a x_target, k = K_b x_source, z = V_b x_source for target's type a and source's b, a grant is
w = (q . k / sqrt r) z. The matrices are not identified (2 Q and K / 2 are as good as Q and K); what they predict is.
Any of the three is linear given the others: they are fitted by alternating least squares. Means by type pair of what is
predicted go into `theory.drift`; how they spread over coordinates is the source's alone, whoever grants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.society.growth import Growth
from sandbox.society.many import Doubles, Flags, Longs
from sandbox.society.model import B, D, Grew, GrowthParameters, R, Trial
from sandbox.society.theory import pair_means

BLOCK = 512  # rows at once: products so small are not worth a second thread
RIDGE = 1e-9  # of the mean diagonal
SHARES = (0.6, 0.2)  # of the runs, for training and validation; the others test
PATIENCE = 5  # sweeps in which validation must gain
GAIN = 1e-4  # of what it was


class AskedTrials(NamedTuple):
    """Logged trials. target, source: contexts, (n, wide) each, as `contexts` makes them. target_type, source_type:
    places in TYPES. given: raw grants, (n, 3). run: which trajectory each is of.
    """

    target: Doubles
    source: Doubles
    target_type: Longs
    source_type: Longs
    given: Doubles
    run: Longs


class Utility(NamedTuple):
    """The six matrices, of R and B: queries (2, r, wide), keys (2, r, wide) and values (2, 3, wide)."""

    queries: Doubles
    keys: Doubles
    values: Doubles


class UtilityFit(NamedTuple):
    """A fit and its mean squares of errors, a coordinate, on runs that trained it, that chose the sweep, and that did
    neither (`test`); beside the last those of the training runs' mean, and of their means by type pair. means: of what
    is predicted of all trials, by type pair, (2, 2, 3). start, sweep: which was the best in validation, from 0 on.
    """

    utility: Utility
    train: float
    validation: float
    test: float
    constant: float
    by_pair: float
    means: Doubles
    start: int
    sweep: int


def contexts(text: Doubles, theta: Doubles | None = None, of_r: Flags | None = None, constant: bool = False) -> Doubles:
    """x = [text; status], (n, wide). theta: Theta at each trial, (n, 2, 3), and of_r whether the source is of type R:
    the status is that of the source's type, also in a target's context, where it is an option; None = text alone.
    constant: adds a 1 (ours): without it a grant that depends on no text cannot be said.
    """
    found = [text]
    if theta is not None and of_r is not None:
        found.append(np.where(of_r[:, None], theta.reshape(len(text), -1), 1 - theta.reshape(len(text), -1)))
    if constant:
        found.append(np.ones((len(text), 1)))
    return np.concatenate(found, axis=1)


def logged_trials(
    p: GrowthParameters, runs: Sequence[Sequence[Grew]], said: Callable[[Trial], tuple[Doubles, Doubles]]
) -> AskedTrials:
    """The trials of whole runs by their events. said: vectors of what the target and the source of a trial go by, such
    as `core.vectors.Embedded` makes of texts; status and a constant are added (`contexts`).
    """
    rows: list[tuple[Doubles, Doubles, Doubles, bool, bool, tuple[float, ...], int]] = []
    for run, events in enumerate(runs):
        growth = Growth(p)
        for event in events:
            of_r, theta = [*growth.types.tolist(), event.newborn == R], np.array(growth.theta)
            rows += [(*said(t), theta, of_r[t.target], of_r[t.source], t.grant.given, run) for t in event.trials]
            growth.apply(event)
    target, source, theta, target_r, source_r, given, run_of = (np.array(column) for column in zip(*rows, strict=True))
    target, source = (contexts(text, theta, source_r, constant=True) for text in (target, source))
    return AskedTrials(target, source, np.where(target_r, R, B), np.where(source_r, R, B), given, run_of)


def predicted_grants(utility: Utility, trials: AskedTrials) -> Doubles:
    """w = (q . k / sqrt r) z, (n, 3) (equation 8); not held within [0, 1]."""
    query, key, value = _projected(utility, trials)
    return _gate(query, key) * value


def sweep_once(utility: Utility, trials: AskedTrials) -> Utility:
    """Each of the three kinds of matrices fitted in turn, the others as they are."""
    query, key, value = _projected(utility, trials)
    length = np.sqrt((value**2).sum(axis=1, keepdims=True))
    scale = length / query.shape[1] ** 0.5
    aim = (value * trials.given).sum(axis=1, keepdims=True) / np.where(length > 0, length, 1.0)
    queries = _solved(key * scale, trials.target, aim, trials.target_type).reshape(utility.queries.shape)
    query = _through(queries, trials.target, trials.target_type)
    keys = _solved(query * scale, trials.source, aim, trials.source_type).reshape(utility.keys.shape)
    gate = _gate(query, _through(keys, trials.source, trials.source_type))
    values = _solved(gate, trials.source, trials.given, trials.source_type)
    return Utility(queries, keys, values.transpose(0, 2, 1))


def fit_utility(trials: AskedTrials, rank: int = 4, starts: int = 3, sweeps: int = 60, seed: int = 0) -> UtilityFit:
    """Fit by least squares on raw grants, split by run. rank: r. starts: how often, each from keys by chance and, in
    turn, from values that fit alone (gate 1) or by chance, too; of all sweeps the one is kept that predicts the
    validation runs best. Raises ValueError for fewer than 5 runs.
    """
    draw = np.random.default_rng(seed)
    runs = draw.permutation(np.unique(trials.run))
    if len(runs) < 5:
        raise ValueError(f"{len(runs)} runs are too few to train, validate and test; give at least 5")
    ends = [round(len(runs) * part) for part in np.cumsum(SHARES)]
    parts = [np.isin(trials.run, part) for part in np.split(runs, ends)]
    train, chosen, test = (AskedTrials._make(values[rows] for values in trials) for rows in parts)
    best, found = np.inf, (Utility(*[np.zeros(0)] * 3), 0, 0)
    wide = train.source.shape[1]
    alone = _solved(np.ones((len(train.run), 1)), train.source, train.given, train.source_type).transpose(0, 2, 1)
    for start in range(starts):
        values = draw.standard_normal((2, D, wide)) if start % 2 else alone
        keys, queries = draw.standard_normal((2, rank, wide)), np.zeros((2, rank, train.target.shape[1]))
        utility, lately = Utility(queries, keys, values), [np.inf]
        for sweep in range(sweeps):
            utility = sweep_once(utility, train)
            lately.append(_mse(predicted_grants(utility, chosen), chosen))
            if lately[-1] < best:
                best, found = lately[-1], (utility, start, sweep)
            if min(lately[-PATIENCE:]) > (1 - GAIN) * min(lately[:-PATIENCE], default=np.inf):
                break
    mean = train.given.mean(axis=0)
    pairs = pair_means(train.target_type, train.source_type, train.given)
    by_pair = np.where(np.isnan(pairs), mean, pairs)[test.target_type, test.source_type]
    utility, start, sweep = found
    learned, held_out = (_mse(predicted_grants(utility, part), part) for part in (train, test))
    means = pair_means(trials.target_type, trials.source_type, predicted_grants(utility, trials))
    return UtilityFit(utility, learned, best, held_out, _mse(mean, test), _mse(by_pair, test), means, start, sweep)


def _mse(said: Doubles, trials: AskedTrials) -> float:
    return float(((said - trials.given) ** 2).mean())


def _through(matrices: Doubles, x: Doubles, kinds: Longs) -> Doubles:
    found: Doubles = np.where((kinds == R)[:, None], x @ matrices[R].T, x @ matrices[B].T)
    return found


def _projected(utility: Utility, trials: AskedTrials) -> tuple[Doubles, Doubles, Doubles]:
    """q, k and z of each trial."""
    query = _through(utility.queries, trials.target, trials.target_type)
    key, value = (_through(m, trials.source, trials.source_type) for m in (utility.keys, utility.values))
    return query, key, value


def _gate(query: Doubles, key: Doubles) -> Doubles:
    found: Doubles = (query * key).sum(axis=1, keepdims=True) / query.shape[1] ** 0.5
    return found


def _solved(weights: Doubles, x: Doubles, aims: Doubles, kinds: Longs) -> Doubles:
    """Least squares of aims on the products of weights and x, by kind, (2, weights x wide, aims), in normal equations
    that are summed block by block.
    """
    many, wide = weights.shape[1], x.shape[1]
    first, second = np.triu_indices(many)
    found = np.zeros((2, many * wide, aims.shape[1]))
    for kind in (R, B):
        rows = (kinds == kind).nonzero()[0]
        half, right = np.zeros((len(first), wide, wide)), np.zeros((many, wide, aims.shape[1]))
        for start in range(0, len(rows), BLOCK):
            at = rows[start : start + BLOCK]
            each, of = np.ascontiguousarray(x[at].T), np.ascontiguousarray(weights[at].T)
            half += (each * (of[first] * of[second])[:, None]) @ each.T
            right += (each * of[:, None]) @ aims[at]
        gram = np.empty((many, wide, many, wide))
        gram[first, :, second], gram[second, :, first] = half, half
        square = gram.reshape(many * wide, -1)
        square[np.diag_indices(len(square))] += RIDGE * square.trace() / len(square)
        found[kind] = np.linalg.lstsq(square, right.reshape(len(square), -1))[0]
    return found
