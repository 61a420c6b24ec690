"""Measuring what the network of ties costs: a report of a thousand people, and how all stood to all, from a log."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from sandbox.cli.figures_parts import best_time
from sandbox.lab.networks import network_report
from sandbox.people.ties import Matrix, Signals, TieParameters, average_likes, evidence_matrix, update_ties
from sandbox.readers.tielines import KINDS, TieLines
from sandbox.store.save import Save

PEOPLE, KNOWN = 1000, 0.02  # of each pair, the chance that it is one of those who are close
ROUNDS = 2


class TieTimes(NamedTuple):
    """Seconds by the wall to read all ties of a log, and to tell how all stand at one moment; pairs: how many do."""

    read: float
    at: float
    pairs: int


def many() -> Matrix:
    """A thousand people who all know one another by sight, and some well: forty each."""
    chance = np.random.Generator(np.random.PCG64(1))
    ties = chance.uniform(0.0, 0.25, (PEOPLE, PEOPLE))
    close = chance.random((PEOPLE, PEOPLE)) < KNOWN
    close |= close.T
    ties[close] = chance.uniform(0.3, 1.0, int(close.sum()))
    np.fill_diagonal(ties, 0.0)
    return ties


def measure_report() -> tuple[float, int]:
    """CPU seconds of a report, and of how many edges."""
    ties = many()
    edges = network_report(ties)["edges"]
    return best_time(ROUNDS, lambda: network_report(ties)), int(edges or 0)


def measure_round() -> float:
    """CPU seconds of one round of the rule of ties among a thousand people all of whom act on all."""
    chance = np.random.Generator(np.random.PCG64(2))
    shape = (PEOPLE, PEOPLE)
    likes, dislikes, messages = (np.floor(chance.random(shape) * 1.5) for _ in range(3))
    s = Signals(
        likes, dislikes, chance.uniform(-1, 1, shape) * messages, messages, chance.random(shape) < 0.3,
        np.ones(shape, dtype=np.bool_),
    )  # fmt: skip
    ties, liked = chance.random(shape), np.zeros(shape)
    return best_time(
        5 * ROUNDS,
        lambda: update_ties(ties, evidence_matrix(s, average_likes(liked, s.likes)), s.acted, TieParameters()),
    )


async def measure_lines(path: Path) -> TieTimes:
    """Of a save."""
    async with await Save.open(path, read_only=True) as save:
        world = await save.beginning()
        began = perf_counter()
        lines = TieLines(world)
        async for records in save.slices(KINDS):
            lines.read(records)
        read = perf_counter() - began
    began = perf_counter()
    found = lines.at(save.now)
    return TieTimes(read, perf_counter() - began, len(found))
