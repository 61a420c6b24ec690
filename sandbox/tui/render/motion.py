"""Small slow movement that tells nothing: glints on water, smoke over lit houses. Off with reduced motion."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.tui.render.ground import doubled
from sandbox.tui.render.houses import Roof
from sandbox.tui.render.noise import hash_grid
from sandbox.tui.render.terrain import Terrain

GLINTS = 0.035  # share of water pixels that ever glint
CYCLE = 24  # frames of glints before they repeat, each one on for a sixth
GLINT_FRAMES = 8  # frames between two changes of the glints
SMOKE_FRAMES = 6


class Puff(NamedTuple):
    """Smoke at a pixel; share: how much of it is smoke (0..1)."""

    row: int
    column: int
    share: float


class Motion(NamedTuple):
    """rows, columns, phase: where water can glint and when; chimneys: sector and mouth (row, column)."""

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    phase: npt.NDArray[np.intp]
    chimneys: tuple[tuple[str, int, int], ...]


def find_motion(terrain: Terrain, roofs: Iterable[Roof]) -> Motion:
    """Where a picture may move."""
    dice = hash_grid(2 * terrain.height, terrain.width, 31)
    rows, columns = np.nonzero(doubled(terrain.look == "water") & (dice < GLINTS))
    phase = (dice[rows, columns] / GLINTS * CYCLE).astype(np.intp)
    return Motion(rows, columns, phase, tuple((r.sector, *r.chimney) for r in roofs))


def glints(motion: Motion, frame: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rows and columns of the water pixels that shine in a frame."""
    on = (motion.phase + frame // GLINT_FRAMES) % CYCLE < CYCLE // 6
    return motion.rows[on], motion.columns[on]


def smoke(motion: Motion, smoking: Collection[str], frame: int) -> list[Puff]:
    """Puffs above the chimneys of the named sectors: they rise, drift to the right and thin out."""
    out = []
    beat = frame // SMOKE_FRAMES
    for sector, row, column in motion.chimneys:
        if sector not in smoking:
            continue
        out += [
            Puff(row - age, column + (age + beat // 2) % 2 + age // 3, 0.55 - 0.11 * age)
            for age in range(1, 5)
            if (beat - age + row) % 3
        ]
    return out
