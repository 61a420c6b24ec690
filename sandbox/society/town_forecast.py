"""What the mean field says of a town's grants: the course of the share of type R in all that is credited, as the
protocol's own drift has it with the grants seen so far (docs/society.md, In the town).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandbox.society.many import Doubles
from sandbox.society.model import D, GrowthParameters
from sandbox.society.theory import SIDES, drift, with_beta
from sandbox.society.town_model import PairGrants, SocietyParameters, SocietyState

FEW = 20  # rounds after which more than one is taken at a time
SMALL = 1e-9  # a weight that leaves the choice to the chances given


def mean_grants(pairs: Sequence[PairGrants]) -> Doubles:
    """The mean raw grants so far, (2, 2, 3) by target's and source's type; those of all where a pair has none."""
    many = sum(x.many for x in pairs)
    whole = np.sum([x.given for x in pairs], axis=0) / max(1, many)
    found = np.array([np.array(x.given) / x.many if x.many else whole for x in pairs])
    shaped: Doubles = np.maximum(found, SMALL).reshape(2, 2, D)
    return shaped


def forecast_share(state: SocietyState, p: SocietyParameters, rounds: int) -> list[float]:
    """The share of type R in all that is credited after 1, 2, ... rounds, as the mean field has it: the protocol's own
    drift with the mean grants and the mean beta so far, among as many of each type as there are, nobody coming (p = q =
    0). Later rounds are taken several at a time, as the course is one in log-time.
    """
    if not state.number:
        return []
    beta, to_b = state.betas / state.number, state.pairs[1]  # of type R to type B
    if p.beta_on == "granted":
        beta *= to_b.granted / max(1, to_b.many)
    growth = GrowthParameters(0, 0, trials=(p.trials,) * 3, target=SMALL, source=SMALL, beta=beta)
    mu = with_beta(growth, mean_grants(state.pairs))
    agents, smooth = len(state.members), np.array((p.target, p.source))
    theta, t, at, found = np.full((SIDES, D), state.of_r), 0, [], []
    while t < rounds:
        chance = (theta.sum(axis=1) * t + state.of_r * agents * smooth) / (D * t + agents * smooth)
        by = 1 + t // FEW
        theta = theta + (drift(growth, mu, np.repeat(chance[:, None], D, axis=1)) - theta) * by / (t + by)
        t += by
        at.append(t)
        found.append(float(theta[0].mean()))
    course: list[float] = np.interp(np.arange(1, rounds + 1), at, found).tolist()
    return course
