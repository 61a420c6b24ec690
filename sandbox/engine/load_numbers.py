"""Cells of a table as numbers, a column at a time: quick where all are well, and told one by one where some are not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import in_quotes

Tell = Callable[[int, str], None]  # the row of a batch, what is wrong with its cell
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,18}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,2})?")
_OTHER = re.compile(r"[^0-9eE.+\-]")


def parse_numbers(
    cells: Sequence[str], low: float, high: float, tell: Tell, whole: bool = False
) -> NDArray[np.float64]:
    """Cells as numbers in [low, high], NaN for those that are empty or have a fault."""
    if not any(cells):
        return np.full(len(cells), np.nan)
    if not _OTHER.search("".join(cells)):
        try:
            found = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            pass
        else:
            if not ((found < low) | (found > high)).any() and not (whole and (found % 1 > 0).any()):
                return found
    return np.array([_number(i, cell.strip(), low, high, tell, whole) for i, cell in enumerate(cells)])


def _number(i: int, cell: str, low: float, high: float, tell: Tell, whole: bool) -> float:
    if not cell:
        return np.nan
    if len(cell) > 80 or not _NUMBER.fullmatch(cell):
        tell(i, f"{in_quotes(cell)} is no number" + ('; write "." for the decimal point' if "," in cell else ""))
        return np.nan
    found = float(cell)
    if not low <= found <= high:
        tell(i, f"{in_quotes(cell)} is out of range; it must be between {low:,g} and {high:,g}")
        return np.nan
    if whole and found % 1:
        tell(i, f"{in_quotes(cell)} is no whole number")
        return np.nan
    return found
