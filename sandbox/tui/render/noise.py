"""Chance without a generator: hashes of places, so that a picture is the same wherever it is drawn."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Grid: TypeAlias = npt.NDArray[np.float32]


def hash_grid(height: int, width: int, salt: int) -> Grid:
    """Independent values in [0, 1), one for each place of a height x width grid.

    An avalanche of multiplications and shifts on 32 bits.
    """
    y, x = np.mgrid[0:height, 0:width].astype(np.uint32)
    with np.errstate(over="ignore"):
        v = x * np.uint32(0x9E3779B1) ^ y * np.uint32(0x85EBCA77) ^ np.uint32(salt * 0xC2B2AE3D & 0xFFFFFFFF)
        v = (v ^ v >> np.uint32(15)) * np.uint32(0x2C1B3C6D)
        v = (v ^ v >> np.uint32(12)) * np.uint32(0x297A2D39)
        v = v ^ v >> np.uint32(15)
    out: Grid = ((v >> np.uint32(8)).astype(np.float32) / np.float32(1 << 24)).astype(np.float32)
    return out


def value_noise(height: int, width: int, scale_y: int, scale_x: int, salt: int) -> Grid:
    """Smooth noise in [0, 1): hashed corners every scale_y x scale_x places, eased between."""
    corners = hash_grid(height // scale_y + 2, width // scale_x + 2, salt)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y, x = y / scale_y, x / scale_x
    iy, ix = y.astype(np.intp), x.astype(np.intp)
    fy, fx = y - iy, x - ix
    fy, fx = fy * fy * (3 - 2 * fy), fx * fx * (3 - 2 * fx)
    top = corners[iy, ix] * (1 - fx) + corners[iy, ix + 1] * fx
    low = corners[iy + 1, ix] * (1 - fx) + corners[iy + 1, ix + 1] * fx
    out: Grid = (top * (1 - fy) + low * fy).astype(np.float32)
    return out


def pick(x: int, y: int, salt: int, count: int) -> int:
    """A number below count that belongs to a place."""
    v = (x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ salt * 0xC2B2AE3D) & 0xFFFFFFFF
    v = (v ^ v >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    v = (v ^ v >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (v >> 8) % count
