"""What the studies of societies share: what their cases set, networks grown by hundreds, and how these stand."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from sandbox.lab.experiment import LabFaults
from sandbox.society.granters import ALIGNED, NEUTRAL, BetaGranter, Means
from sandbox.society.hearing import StillNetwork
from sandbox.society.items import Item, ItemFaults, read_items, shipped_items
from sandbox.society.many import Doubles, Longs, Runs, Types
from sandbox.society.model import NOBODY, GrowthParameters, R

MEANS: dict[str, Means] = {
    "neutral": NEUTRAL,
    "aligned": ALIGNED,  # who is able grants and is granted more
    "source": (((0.75, 0.65, 0.7), (0.4, 0.35, 0.45)),) * 2,  # all grant R more
    "roles": (((0.65, 0.6, 0.7), (0.7, 0.6, 0.65)), ((0.45, 0.4, 0.35), (0.4, 0.45, 0.4))),  # who explains grants more
}
CAPABILITY = {"aligned": (0.9, 0.3), "misaligned": (0.3, 0.9), "equal": (0.6, 0.6)}
EACH = 1000  # seeds of networks lie so far apart that no two runs of a study share one


class GlassSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a case. means: of MEANS; gap: in their place, R grants .5 + gap / 2 and B .5 - gap / 2. able: of
    CAPABILITY. agents: it ends with so many, 0 = after 100 steps. smooth: delta and xi. networks: grown in a run;
    heard: those of them on which agents talk. chance: added to the seed. items: that they talk about, () = the fifty
    questions that ship.
    """

    means: str = "neutral"
    gap: float | None = None
    able: str = "equal"
    choice: Any = "mass"
    agents: int = 0
    trials: int = 3
    of_r: float = 0.5
    smooth: float = 1.5
    beta: float = 0.0
    networks: int = 200
    heard: int = 10
    rewired: bool = False
    untyped: bool = False
    chance: int = 0
    items: tuple[Item, ...] = ()

    @property
    def growth(self) -> GrowthParameters:
        """How its networks grow."""
        return GrowthParameters(
            of_r=self.of_r,
            trials=(self.trials,) * 3,
            target=self.smooth,
            source=self.smooth,
            choice=self.choice,
            beta=self.beta,
            steps=0 if self.agents else 100,
            agents=self.agents,
        )

    @property
    def mu(self) -> Means:
        """Mean grants."""
        if self.gap is None:
            return MEANS[self.means]
        high, low = ((0.5 + sign * self.gap / 2,) * 3 for sign in (1, -1))
        return ((high, high), (low, low))

    @property
    def questions(self) -> tuple[Item, ...]:
        """What they talk about."""
        return self.items or shipped_items("qa")

    @property
    def granter(self) -> BetaGranter:
        """Who decides."""
        return BetaGranter(self.mu, CAPABILITY[self.able])


class Grown(NamedTuple):
    """Networks that have grown. agents: how many after each step, (steps + 1, runs). course: Theta after each step,
    (steps + 1, 2, 3, runs), as long as all go on. source, target: (steps, trials, runs), NOBODY = no trial;
    source_type, target_type: the same. given, added: raw grants and what they add, (steps, trials, 3, runs).
    """

    runs: Runs
    agents: Longs
    course: Doubles
    source: Longs
    target: Longs
    source_type: Types
    target_type: Types
    given: Doubles
    added: Doubles

    def network(self, i: int, steps: int | None = None) -> StillNetwork:
        """One of them, standing still after so many steps, None = all."""
        p, steps = self.runs.p, len(self.source) if steps is None else steps
        count = int(self.agents[steps, i])
        weights = np.zeros((count, count))
        weights[: 2 * p.begin, : 2 * p.begin] = 3 * p.begin_weight * (1 - np.eye(2 * p.begin))
        source, target = self.source[:steps, :, i], self.target[:steps, :, i]
        there = source != NOBODY
        np.add.at(weights, (source[there], target[there]), self.added[:steps, :, :, i].sum(axis=2)[there])
        return StillNetwork(weights, self.runs.types[:count, i])


@lru_cache(maxsize=4)
def grown(p: GrowthParameters, means: Means, seeds: range) -> Grown:
    """Networks of these parameters, one for each seed."""
    runs, granter = Runs(p, seeds), BetaGranter(means)
    course, agents, plans, given, added = [runs.theta], [runs.count.copy()], [], [], []
    while runs.going.any():
        plans.append(runs.plan())
        given.append(granter.grants(runs, plans[-1]))
        added.append(runs.add(plans[-1], given[-1]))
        agents.append(runs.count.copy())
        if (runs.going | (runs.number == p.steps)).all():
            course.append(runs.theta)
    ends = ([getattr(plan, end) for plan in plans] for end in ("source", "target", "source_type", "target_type"))
    source, target, source_type, target_type = map(np.array, ends)
    rows = np.array(course), source, target, source_type, target_type, np.array(given), np.array(added)
    return Grown(runs, np.array(agents), *rows)


def network_seeds(s: GlassSetup, seed: int) -> range:
    """The seeds of the networks of a run."""
    return range((seed + s.chance) * EACH, (seed + s.chance) * EACH + s.networks)


def masses(of: Grown) -> tuple[Doubles, Doubles, Any]:
    """Asked, asking, and whether an agent is of type R, (runs, agents) each."""
    return of.runs.asked.mass.T, of.runs.asking.mass.T, of.runs.types.T == R


def read_items_file(path: Path) -> list[Any]:
    """Questions of the user's own, as runs are given them. Raises LabFaults with every fault of the file."""
    try:
        found: list[Any] = msgspec.to_builtins(read_items(path))
    except ItemFaults as error:
        raise LabFaults(error.faults) from None
    return found


def mean_known(values: ArrayLike) -> float:
    """The mean of a measure over networks."""
    return float(np.nanmean(np.asarray(values, np.float64)))
