"""What is told before an ask is what comes of it: chances are those of the rules that decide."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from asks import BINS, asks_of, bin_of

SEEDS = range(3, 19)
HOURS = 8  # of the first day
LEAST, WITHIN = 100, 0.10  # asks that each bin needs, and how far what was stated and what came so lie apart: twice
# what chance alone makes in so many


def table(stated: list[float], came: list[bool]) -> list[tuple[int, float, float]]:
    """Of each bin of stated chances: asks, the chance that was stated on average, and how many came so."""
    out = []
    for i in range(BINS):
        mine = [k for k, p in enumerate(stated) if bin_of(p) == i]
        n = max(1, len(mine))
        out.append((len(mine), round(sum(stated[k] for k in mine) / n, 3), round(sum(came[k] for k in mine) / n, 3)))
    return out


def calibrated(found: list[tuple[int, float, float]]) -> bool:
    """Whether each bin has enough asks, and as many came so as was stated."""
    return all(n >= LEAST and abs(said - so) <= WITHIN for n, said, so in found)


@pytest.mark.long
def test_what_is_expected_comes_so_in_each_of_five_bins_and_a_constant_guess_fails(tmp_path: Path) -> None:
    asked = [x for seed in SEEDS for x in asyncio.run(asks_of(seed, tmp_path / f"{seed}.db", HOURS))]
    stated = [x.expected.get("accept", 0.0) for x in asked]
    came = [x.how == "accept" for x in asked]
    found = table(stated, came)
    assert calibrated(found), found
    assert not calibrated(table([sum(came) / len(came)] * len(came), came))
