"""What values each measure can have, so that a report can say where an interval of its mean promises more."""

from __future__ import annotations

from math import inf, sqrt

from sandbox.lab.statistics import Estimate

Range = tuple[float, float]
SHARE: Range = (0.0, 1.0)
SIGNED: Range = (-1.0, 1.0)  # of correlations and sentiment
APART: Range = (0.0, 2.0)  # of two values within SIGNED
MODULARITY: Range = (-0.5, 1.0)
COUNT: Range = (0.0, inf)

_OF_NETWORKS: dict[str, Range] = {
    "reciprocity": SHARE,
    "weighted_reciprocity": SHARE,
    "modularity": MODULARITY,
    "nmi": SHARE,
    "drift": SHARE,
    "drift_raw": SHARE,
}
RANGES: dict[str, Range] = {
    "carry_over": (-2.0, 2.0),  # a correlation less another
    "carry_over_partner": (-2.0, 2.0),
    "carry_over_all": (-2.0, 2.0),
    **_OF_NETWORKS,
    **{f"made_{key}": both for key, both in _OF_NETWORKS.items()},
    "feeling_moved": APART,
    "density": SHARE,
    "clustering": SHARE,
    "largest_component": SHARE,
    "path_length": (1.0, inf),
    "plain_modularity": MODULARITY,
    "pleasure_range": APART,
    "intensity": (0.0, sqrt(3.0)),
    "tone": SIGNED,
    "sentiment": SIGNED,
    "negative_lines": SHARE,
    "toxic_lines": SHARE,
    "changed_by_mood": SHARE,
    "decisions_changed": SHARE,
    "distinct_4": SHARE,
    "talks": COUNT,
    "lines": COUNT,
    "declined": COUNT,
    "reflections": COUNT,
    "incidents": COUNT,
    "quarrels": COUNT,
    "stood_in": COUNT,
}


def outside(key: str, found: Estimate) -> bool:
    """Whether an interval of a measure's mean reaches beyond what it can be. Nothing is known of a program's own."""
    low, high = RANGES.get(key, (-inf, inf))
    return found.low is not None and found.high is not None and (found.low < low or found.high > high)
