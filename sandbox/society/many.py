"""Many runs of a society's growth at once: who asks whom, and what their grants add (seed 002, 2 and B.2).

A run is a column. `Growth` is one column with words and arcs; to the last digit both make the same network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import hash_numbers
from sandbox.society.model import AMONG_ALL, NEWCOMER_ASKED, NEWCOMER_ASKS, NOBODY, B, D, GrowthParameters, R

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Longs = NDArray[np.int64]
Types = NDArray[np.int8]
Seeds = NDArray[np.uint64]
WIDER = 64  # agents by which the columns grow
TOGETHER = 8192  # runs whose running sums are made at a time
FEW = 64  # runs whose running sums numpy makes quicker than a loop over agents
EVENT, NEWBORN = range(2)  # what a number decides, in each step
TRIAL = 8  # the first of the numbers of trials
OF_TRIAL = 8  # numbers of each trial: the four that choose who, and the three of a grant
TARGET_TYPE, TARGET, SOURCE_TYPE, SOURCE, GRANT = range(5)
FRACTION = 2.0**-52
AGAIN = 0x50C1E7


class StepPlan(NamedTuple):
    """Who asks whom in a step. kind: (runs,), 0 = the run has ended. newborn: (runs,), type of who comes, NOBODY =
    none. source, target: (trials, runs), NOBODY where a run has fewer; source_type, target_type: places in TYPES.
    """

    number: int
    kind: Longs
    newborn: Types
    source: Longs
    target: Longs
    source_type: Types
    target_type: Types


class Ends(NamedTuple):
    """One side of all arcs, the asking or the asked. mass: (agents, runs), sum over coordinates. of_r, everybody: mass
    of type R and of both, (3, runs). smooth: what each agent weighs beside their mass.
    """

    mass: Doubles
    of_r: Doubles
    everybody: Doubles
    smooth: float


class Runs:
    """Runs of the same parameters. seeds: one each. types: (agents, runs), places in TYPES, NOBODY = not there. count,
    count_r: (runs,), agents so far, and those of type R. asked, asking: where arcs end and begin.
    """

    def __init__(self, p: GrowthParameters, seeds: Sequence[int] | NDArray[np.integer]) -> None:
        self.p, self.number = p, 0
        self._seeds: Seeds = hashed_seeds(np.asarray(seeds))
        runs, first = len(self._seeds), 2 * p.begin
        width = WIDER * (1 + first // WIDER)
        self.types: Types = np.full((width, runs), NOBODY, np.int8)
        self.types[:first] = np.repeat((R, B), p.begin)[:, None]
        self.count = np.full(runs, first)
        self.count_r = np.full(runs, p.begin)
        each = (first - 1) * p.begin_weight  # an arc each way between any two
        sides = []
        for smooth in (p.target, p.source):
            mass = np.zeros((width, runs))
            mass[:first] = D * each
            sides.append(Ends(mass, np.full((D, runs), p.begin * each), np.full((D, runs), first * each), smooth))
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
    def theta(self) -> Doubles:
        """Prominence of type R where arcs end, and where they begin: its share of each coordinate, (2, 3, runs)."""
        return np.stack([side.of_r / side.everybody for side in (self.asked, self.asking)])

    # ---- a step

    def plan(self) -> StepPlan:
        """Who asks whom in the next step."""
        p, number, most = self.p, self.number + 1, max(self.p.trials)
        drawn = step_lots(self._seeds, number, EVENT)
        kind = np.where(drawn < p.newcomer_asks, NEWCOMER_ASKS, AMONG_ALL)
        kind[(drawn >= p.newcomer_asks) & (drawn < p.newcomer_asks + p.newcomer_asked)] = NEWCOMER_ASKED
        kind[~self.going] = 0
        newborn = np.where(step_lots(self._seeds, number, NEWBORN) < p.of_r, R, B).astype(np.int8)
        newborn[(kind == 0) | (kind == AMONG_ALL)] = NOBODY
        trials = np.array((0, *p.trials))[kind]
        source, target = (np.full((most, len(kind)), NOBODY) for _ in range(2))
        source_type, target_type = (np.full((most, len(kind)), NOBODY, np.int8) for _ in range(2))
        for m in range(most):
            for end, types, side, of_type, of_agent, newcomer in (
                (target, target_type, self.asked, TARGET_TYPE, TARGET, NEWCOMER_ASKED),
                (source, source_type, self.asking, SOURCE_TYPE, SOURCE, NEWCOMER_ASKS),
            ):
                type_lots, lots = (trial_lots(self._seeds, number, m, what) for what in (of_type, of_agent))
                wanted = np.where(type_lots < self._chance_of_r(side), R, B).astype(np.int8)
                there, new = trials > m, kind == newcomer
                chosen = self._chosen(side, wanted, lots, target[m])
                end[m, there] = np.where(new, self.count, chosen)[there]
                types[m, there] = np.where(new, newborn, wanted)[there]
        return StepPlan(number, kind, newborn, source, target, source_type, target_type)

    def _chance_of_r(self, side: Ends) -> Doubles:
        """The chance that an agent of type R is chosen (equation 3), (runs,)."""
        first = _sum(side.of_r) + self.count_r * side.smooth
        found: Doubles = first / (_sum(side.everybody) + self.count * side.smooth)
        return found

    def _chosen(self, side: Ends, wanted: Types, lots: Doubles, but: Longs) -> Longs:
        """For each run an agent of the type that is wanted, who is not `but`."""
        width = int(self.count.max()) + 1  # the last weighs nothing, so that it may stand for nobody
        barred = np.minimum(but, width - 1)
        found = np.empty(len(lots), np.int64)
        for begin in range(0, len(lots), TOGETHER):
            at = slice(begin, begin + TOGETHER)
            weights = (
                side.mass[:width, at] + side.smooth if self.p.choice == "mass" else np.ones((width, len(lots[at])))
            )
            weights *= self.types[:width, at] == wanted[at]
            weights[barred[at], np.arange(weights.shape[1])] = 0.0
            found[at] = _first_above(weights, lots[at])
        return found

    def drawn(self, plan: StepPlan) -> Doubles:
        """What an embedded granter takes its grants from, in [0, 1), (trials, 3, runs)."""
        trials = range(len(plan.source))
        return np.array([[trial_lots(self._seeds, plan.number, m, GRANT + i) for i in range(D)] for m in trials])

    def add(self, plan: StepPlan, given: Doubles) -> Doubles:
        """Take in a step. given: raw grants, (trials, 3, runs); returns what each trial adds to its arc."""
        p, there = self.p, plan.source >= 0
        self.number = plan.number
        self._born(plan.newborn)
        to_b = there & (plan.source_type == B) & (plan.target_type == R)
        added = added_weights(np.where(there[:, None], given, 0.0), to_b, p.beta, p.beta_on)
        runs = np.arange(len(plan.kind))
        for m, weight in enumerate(added):
            whole = _sum(weight)
            for side, agent, types in (
                (self.asked, plan.target[m], plan.target_type[m]),
                (self.asking, plan.source[m], plan.source_type[m]),
            ):
                side.mass.reshape(-1)[np.maximum(agent, 0) * len(runs) + runs] += whole
                side.of_r[:] += weight * (types == R)
                side.everybody[:] += weight
        return added

    def _born(self, newborn: Types) -> None:
        if int(self.count.max()) + 2 > len(self.types):
            wider = ((0, WIDER), (0, 0))
            self.types = np.pad(self.types, wider, constant_values=NOBODY)
            self.asked, self.asking = (s._replace(mass=np.pad(s.mass, wider)) for s in (self.asked, self.asking))
        runs = (newborn >= 0).nonzero()[0]
        self.types[self.count[runs], runs] = newborn[runs]
        self.count[runs] += 1
        self.count_r[runs] += newborn[runs] == R


def added_weights(raw: Doubles, to_b: Flags, beta: float, beta_on: str) -> Doubles:
    """What the grants of a step add to arcs, (trials, 3, runs): first beta is added to those of type R to type B, then
    each coordinate is divided by its sum over trials; all 0 where all is refused. raw: (trials, 3, runs). to_b: which
    grants R gives to B, (trials, runs). beta_on: `all`, or only where something is `granted`.
    """
    if beta:
        raw = raw + beta * (to_b & (raw > 0).any(axis=1) if beta_on == "granted" else to_b)[:, None]
    total = raw[0]
    for one in raw[1:]:
        total = total + one
    found: Doubles = np.divide(raw, total, out=np.zeros_like(raw), where=total > 0)
    return found


def _first_above(weights: Doubles, lots: Doubles) -> Longs:
    """In each column the first row up to which the sum is above that part of the whole; changes the weights."""
    if weights.shape[1] <= FEW:
        np.cumsum(weights, axis=0, out=weights)
        few: Longs = (weights <= lots * weights[-1]).sum(axis=0)
        return few
    for i in range(1, len(weights)):
        np.add(weights[i], weights[i - 1], out=weights[i])
    below = (weights <= lots * weights[-1]).view(np.int8)
    found = np.zeros(len(lots), np.int64 if len(weights) > np.iinfo(np.int16).max else np.int16)
    for row in below:
        np.add(found, row, out=found)
    return found.astype(np.int64)


def _sum(vectors: Doubles) -> Doubles:
    """The sum over coordinates, (runs,), in one order whatever the number of runs."""
    found: Doubles = vectors[0] + vectors[1] + vectors[2]
    return found


# ---- chance: every number is named by seed, step and what it decides, so that a run is the same among thousands


def hashed_seeds(seeds: NDArray[np.integer] | list[int]) -> Seeds:
    """Seeds as `step_lots` takes them: whole numbers from 0 on."""
    return hash_numbers(np.asarray(seeds, np.uint64), AGAIN)


def step_lots(seeds: Seeds, step: int, what: int) -> Doubles:
    """A number in [0, 1) for each run, (runs,). what: of the names above."""
    found = hash_numbers(hash_numbers(hash_numbers(seeds, step), what), AGAIN)  # one round alone leaves lines
    found = hash_numbers(found ^ (found >> np.uint64(32)), AGAIN)
    made: Doubles = (found >> np.uint64(12)).astype(np.float64) * FRACTION
    return made


def trial_lots(seeds: Seeds, step: int, trial: int, what: int) -> Doubles:
    """The same for a trial of a step, from 0 on. what: TARGET_TYPE to GRANT, and GRANT + 1 and + 2."""
    return step_lots(seeds, step, TRIAL + OF_TRIAL * trial + what)
