"""The calibration loop: plain Python by which times are divided, so that they stay alike from machine to machine."""

from __future__ import annotations


def run_calibration() -> None:
    """One loop: 200,000 turns over a small table."""
    table: dict[int, int] = {}
    for i in range(200_000):
        table[i & 1023] = table.get(i & 1023, 0) + i * 7 % 13
