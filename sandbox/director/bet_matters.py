"""How likely a matter with an hour is to end well: an estimate that was fitted to towns that were lived, by kind.

A matter is decided by many talks, so that no rule gives its chance. The features are those by which people decide; the
weights are a logistic regression over matters of four towns of Larkspur, each lived for a week (docs/goals.md, Odds).
"""

from __future__ import annotations

import math

from sandbox.core.clock import HOUR
from sandbox.director.bet_model import HasBets
from sandbox.people.paying import ease, has
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk.content import tie_of

# kind -> weight of each feature (see `features`); a kind that is not here has no odds
WEIGHTS: dict[str, tuple[float, ...]] = {
    "debt": (0.43, -1.46, -0.34, 0.52, 0.03, 0.87, -0.28, 0.00, 1.90, 1.82),
    "promise": (0.16, -0.10, 0.54, 0.24, 0.01, 0.00, -1.09, 0.00, 0.31, -0.01),
    "ambition": (-3.45, 1.56, 0.07, 0.40, -0.17, 0.00, 0.08, -0.41, 1.03, 0.31),
}
LEAST = 0.05  # chance below which, or beyond which, no estimate goes


def matter_features(w: HasBets, p: ActivePressure, t: int) -> tuple[float, ...]:
    """What is known of a matter, as numbers: one, its stage, how it weighs, hours left, whether its holder has the
    money and how easily, what has been tried, how often it was refused, and what the two feel for each other.
    """
    a, b = p.holder, p.about
    return (
        1.0,
        float(p.stage),
        intensity_at(p, t, w.pressure_parameters),
        math.log1p(max(0.0, (p.due - t) / HOUR)),
        1.0 if has(w, a, p.amount) else 0.0,
        ease(w, a, p.amount, a),
        math.log1p(len(p.tried)),
        float(min(3, p.refused)),
        tie_of(w, a, b).feeling if b else 0.0,
        tie_of(w, b, a).feeling if b else 0.0,
    )


def goes_well(w: HasBets, p: ActivePressure, t: int) -> float | None:
    """The probability that a matter ends well; None where nobody can tell."""
    weights = WEIGHTS.get(p.kind)
    if weights is None:
        return None
    z = sum(x * y for x, y in zip(weights, matter_features(w, p, t), strict=True))
    return min(1.0 - LEAST, max(LEAST, 1.0 / (1.0 + math.exp(-z))))
