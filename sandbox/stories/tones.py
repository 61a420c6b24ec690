"""Whether people sound as they feel."""

from __future__ import annotations

import numpy as np

from sandbox.talk.sentiment import sentiment

Stats = dict[str, float | int | None]


class Tone:
    """Whether lines sound as their speakers feel: sentiment against the pleasure of the moment before, within moves."""

    def __init__(self) -> None:
        self._said: dict[str, list[tuple[float, float]]] = {}

    def add(self, move: str, pleasure: float, text: str) -> None:
        """Somebody has said this, in that mood."""
        self._said.setdefault(move, []).append((pleasure, sentiment(text)))

    def correlation(self) -> float | None:
        """Pearson's, of what is left when each move's means are taken off; None if nothing varies."""
        parts = [np.array(said) for said in self._said.values()]
        if not parts:
            return None
        x, y = np.concatenate([part - part.mean(axis=0) for part in parts]).T
        size = float(np.sqrt((x @ x) * (y @ y)))
        return round(float(x @ y) / size, 4) if size > 1e-12 else None
