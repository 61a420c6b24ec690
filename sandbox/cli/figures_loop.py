"""What `bench` times beside everything, to tell a slow machine from a slow program."""

from __future__ import annotations

from time import process_time


def loop() -> float:
    """CPU seconds of the calibration loop, the best of seven: 200,000 turns over a small table."""
    best = float("inf")
    for _ in range(7):
        table: dict[int, int] = {}
        began = process_time()
        for i in range(200_000):
            table[i & 1023] = table.get(i & 1023, 0) + i * 7 % 13
        best = min(best, process_time() - began)
    return best
