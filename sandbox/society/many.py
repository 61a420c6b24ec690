"""Many runs of a society's growth at once: who asks whom, and what their grants add (seed 002, 2 and B.2).

A run is a row. `Growth` is one row with words and arcs; to the last digit both make the same network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import hash_numbers
from sandbox.society.model import AMONG_ALL, NEWCOMER_ASKED, NEWCOMER_ASKS, B, D, GrowthParameters, R

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Longs = NDArray[np.int64]
Seeds = NDArray[np.uint64]
NOBODY = -1
WIDER = 64  # agents by which the columns grow
EVENT, NEWBORN = range(2)  # what a number decides, in each step
TRIAL = 8  # the first of the numbers of trials
OF_TRIAL = 8  # numbers of each trial: the four that choose who, and the three of a grant
TARGET_TYPE, TARGET, SOURCE_TYPE, SOURCE, GRANT = range(5)
FRACTION = 2.0**-53
AGAIN = 0x50C1E7


class StepPlan(NamedTuple):
    """Who asks whom in a step. kind: (runs,), 0 = the run has ended. newborn: (runs,), type of who comes, NOBODY =
    none. source, target: (runs, trials), NOBODY where a run has fewer.
    """

    number: int
    kind: Longs
    newborn: Longs
    source: Longs
    target: Longs


class Ends(NamedTuple):
    """One side of all arcs, the asking or the asked. mass: (runs, agents), sum over coordinates. weights: (2, runs,
    agents), what each weighs in a choice within its type, 0 within the other. of_r, everybody: mass of type R and of
    both, (runs, 3).
    """

    mass: Doubles
    weights: Doubles
    of_r: Doubles
    everybody: Doubles


class Runs:
    """Runs of the same parameters. seeds: one each. of_r: (runs, agents), whether an agent is of type R; count,
    count_r: (runs,), agents so far, and those of type R. asked, asking: where arcs end and begin.
    """

    def __init__(self, p: GrowthParameters, seeds: Sequence[int] | NDArray[np.integer]) -> None:
        self.p, self.number = p, 0
        self._seeds: Seeds = hashed_seeds(np.asarray(seeds))
        runs, first = len(self._seeds), 2 * p.begin
        width = WIDER * (1 + first // WIDER)
        self.of_r: Flags = np.zeros((runs, width), bool)
        self.of_r[:, : p.begin] = True
        self.count = np.full(runs, first)
        self.count_r = np.full(runs, p.begin)
        each = (first - 1) * p.begin_weight  # an arc each way between any two
        sides = []
        for smooth in (p.target, p.source):
            mass, weights = np.zeros((runs, width)), np.zeros((2, runs, width))
            mass[:, :first] = D * each
            for kind, of in ((R, slice(0, p.begin)), (B, slice(p.begin, first))):
                weights[kind, :, of] = D * each + smooth if p.choice == "mass" else 1.0
            sides.append(Ends(mass, weights, np.full((runs, D), p.begin * each), np.full((runs, D), first * each)))
        self.asked, self.asking = sides

    @property
    def going(self) -> Flags:
        """Which runs have not ended, (runs,)."""
        ends = np.zeros(len(self.count), bool)
        if self.p.steps:
            ends |= self.number >= self.p.steps
        if self.p.agents:
            ends |= self.count >= self.p.agents
        return ~ends

    @property
    def theta(self) -> tuple[Doubles, Doubles]:
        """Prominence of type R where arcs end, and where they begin: its share of each coordinate, (runs, 3) each."""
        return self.asked.of_r / self.asked.everybody, self.asking.of_r / self.asking.everybody

    # ---- a step

    def plan(self) -> StepPlan:
        """Who asks whom in the next step."""
        p, number = self.p, self.number + 1
        drawn = step_lots(self._seeds, number, EVENT)
        kind = np.where(drawn < p.newcomer_asks, NEWCOMER_ASKS, AMONG_ALL)
        kind[(drawn >= p.newcomer_asks) & (drawn < p.newcomer_asks + p.newcomer_asked)] = NEWCOMER_ASKED
        kind[~self.going] = 0
        newborn = np.where(step_lots(self._seeds, number, NEWBORN) < p.of_r, R, B)
        newborn[(kind == 0) | (kind == AMONG_ALL)] = NOBODY
        trials = np.array((0, *p.trials))[kind]
        source, target = (np.full((len(kind), max(p.trials)), NOBODY) for _ in range(2))
        for m in range(max(p.trials)):
            for end, side, types, agents, smooth, newcomer in (
                (target, self.asked, TARGET_TYPE, TARGET, p.target, NEWCOMER_ASKED),
                (source, self.asking, SOURCE_TYPE, SOURCE, p.source, NEWCOMER_ASKS),
            ):
                there = trials > m
                end[there & (kind == newcomer), m] = self.count[there & (kind == newcomer)]
                if not len(rows := (there & (kind != newcomer)).nonzero()[0]):
                    continue
                seeds = self._seeds[rows]
                of_type, of_agent = (trial_lots(seeds, number, m, what) for what in (types, agents))
                end[rows, m] = self._chosen(rows, side, smooth, of_type, of_agent, target[rows, m])
        return StepPlan(number, kind, newborn, source, target)

    def _chosen(self, rows: Longs, side: Ends, smooth: float, of_type: Doubles, of_agent: Doubles, but: Longs) -> Longs:
        """An agent for each row: first the type, by the mass of each, then an agent of it who is not `but`."""
        count = self.count[rows]
        first = _sum(side.of_r[rows]) + self.count_r[rows] * smooth
        chance = first / (_sum(side.everybody[rows]) + count * smooth)
        width = int(count.max())
        whose = np.where(of_type < chance, R, B) * len(self.count) + rows
        weights = side.weights.reshape(-1, side.weights.shape[2]).take(whose, axis=0)[:, :width]
        barred = ((but >= 0) & (but < width)).nonzero()[0]
        weights[barred, but[barred]] = 0.0
        np.cumsum(weights, axis=1, out=weights)
        found: Longs = (weights > (of_agent * weights[:, -1])[:, None]).argmax(axis=1)
        return found

    def drawn(self, plan: StepPlan) -> Doubles:
        """What an embedded granter takes its grants from, in [0, 1), (runs, trials, 3)."""
        trials = range(plan.source.shape[1])
        columns = [[trial_lots(self._seeds, plan.number, m, GRANT + i) for i in range(D)] for m in trials]
        return np.array(columns).transpose(2, 0, 1)

    def add(self, plan: StepPlan, given: Doubles) -> Doubles:
        """Take in a step. given: raw grants, (runs, trials, 3); returns what each trial adds to its arc."""
        p, going = self.p, plan.kind > 0
        there = plan.source >= 0
        self.number = plan.number
        self._born(plan.newborn)
        source, target = np.maximum(plan.source, 0), np.maximum(plan.target, 0)
        each = np.arange(len(going))[:, None]
        source_r, target_r = self.of_r[each, source], self.of_r[each, target]
        raw = np.where(there[:, :, None], given, 0.0)
        helped = there & ~source_r & target_r
        if p.beta_on == "granted":
            helped &= (raw > 0).any(axis=2)
        if p.beta:
            raw = raw + p.beta * helped[:, :, None]
        total = raw.cumsum(axis=1)[:, -1]
        added: Doubles = np.divide(raw, total[:, None], out=np.zeros_like(raw), where=total[:, None] > 0)
        rows = np.arange(len(going))
        for m in range(raw.shape[1]):
            weight = added[:, m]
            whole = _sum(weight)
            for side, agent, of_r in ((self.asked, target, target_r), (self.asking, source, source_r)):
                at = rows * side.mass.shape[1] + agent[:, m]
                side.mass.reshape(-1)[at] += whole
                if p.choice == "mass":
                    side.weights.reshape(-1)[at + np.where(of_r[:, m], R, B) * side.mass.size] += whole
                side.of_r[:] += weight * of_r[:, m, None]
                side.everybody[:] += weight
        return added

    def _born(self, newborn: Longs) -> None:
        if int(self.count.max()) == self.of_r.shape[1]:
            wider = ((0, 0), (0, WIDER))
            self.of_r = np.pad(self.of_r, wider)
            self.asked, self.asking = (
                side._replace(mass=np.pad(side.mass, wider), weights=np.pad(side.weights, ((0, 0), *wider)))
                for side in (self.asked, self.asking)
            )
        rows = (newborn >= 0).nonzero()[0]
        kind = newborn[rows]
        self.of_r[rows, self.count[rows]] = kind == R
        for side, smooth in ((self.asked, self.p.target), (self.asking, self.p.source)):
            side.weights[kind, rows, self.count[rows]] = smooth if self.p.choice == "mass" else 1.0
        self.count[rows] += 1
        self.count_r[rows] += kind == R


def _sum(vectors: Doubles) -> Doubles:
    """The sum over coordinates, (runs,), in one order whatever the number of runs."""
    found: Doubles = vectors[:, 0] + vectors[:, 1] + vectors[:, 2]
    return found


# ---- chance: every number is named by seed, step and what it decides, so that a run is the same among thousands


def hashed_seeds(seeds: NDArray[np.integer] | list[int]) -> Seeds:
    """Seeds as `step_lots` takes them: whole numbers from 0 on."""
    return hash_numbers(np.asarray(seeds, np.uint64), AGAIN)


def step_lots(seeds: Seeds, step: int, what: int) -> Doubles:
    """A number in [0, 1) for each run, (runs,). what: of the names above."""
    found = hash_numbers(hash_numbers(hash_numbers(seeds, step), what), AGAIN)  # one round alone leaves lines
    found = hash_numbers(found ^ (found >> np.uint64(32)), AGAIN)
    made: Doubles = (found >> np.uint64(11)).astype(np.float64) * FRACTION
    return made


def trial_lots(seeds: Seeds, step: int, trial: int, what: int) -> Doubles:
    """The same for a trial of a step, from 0 on. what: TARGET_TYPE to GRANT, and GRANT + 1 and + 2."""
    return step_lots(seeds, step, TRIAL + OF_TRIAL * trial + what)
