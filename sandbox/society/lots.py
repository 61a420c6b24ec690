"""Chance of a growing society: every number is named by seed, step and what it decides, so that a run is the same
alone and among thousands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import hash_numbers

EVENT, NEWBORN = range(2)  # what a number decides, in each step
TRIAL = 8  # the first of the numbers of trials
OF_TRIAL = 8  # numbers of each trial: the four that choose who, and the three of a grant
TARGET_TYPE, TARGET, SOURCE_TYPE, SOURCE, GRANT = range(5)
FRACTION = 2.0**-53
AGAIN = 0x50C1E7

Doubles = NDArray[np.float64]
Seeds = NDArray[np.uint64]


def seeds_of(seeds: NDArray[np.integer] | list[int]) -> Seeds:
    """Seeds as `lots` takes them: whole numbers from 0 on."""
    return hash_numbers(np.asarray(seeds, np.uint64), AGAIN)


def lots(seeds: Seeds, step: int, what: int) -> Doubles:
    """A number in [0, 1) for each run, (runs,). what: of the names above."""
    found = hash_numbers(hash_numbers(hash_numbers(seeds, step), what), AGAIN)  # one round alone leaves lines
    found = hash_numbers(found ^ (found >> np.uint64(32)), AGAIN)
    made: Doubles = (found >> np.uint64(11)).astype(np.float64) * FRACTION
    return made


def trial_lots(seeds: Seeds, step: int, trial: int, what: int) -> Doubles:
    """The same for a trial of a step, from 0 on. what: TARGET_TYPE to GRANT, and GRANT + 1 and + 2."""
    return lots(seeds, step, TRIAL + OF_TRIAL * trial + what)
