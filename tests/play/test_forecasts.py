"""What is told before an ask is what comes of it: chances are those of the rules that decide."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from asks import asks_of

SEEDS = range(3, 13)
HOURS = 8  # of the first day
BINS, LEAST, WITHIN = 5, 30, 0.10  # asks that each bin needs; how far what was stated and what came so lie apart


def calibrated(stated: list[float], came: list[bool]) -> bool:
    """Whether all bins of stated chances have enough asks, and as many came so as was stated."""
    for i in range(BINS):
        mine = [k for k, p in enumerate(stated) if min(BINS - 1, int(p * BINS)) == i]
        if len(mine) < LEAST:
            return False
        if abs(sum(stated[k] for k in mine) - sum(came[k] for k in mine)) > WITHIN * len(mine):
            return False
    return True


@pytest.mark.slow
def test_what_is_expected_comes_so_in_each_of_five_bins_and_a_constant_guess_fails(tmp_path: Path) -> None:
    asked = [x for seed in SEEDS for x in asyncio.run(asks_of(seed, tmp_path / f"{seed}.db", HOURS))]
    stated = [x.expected.get("accept", 0.0) for x in asked]
    came = [x.how == "accept" for x in asked]
    assert calibrated(stated, came)
    assert not calibrated([sum(came) / len(came)] * len(came), came)
