"""The chance of a crowd: streams of numpy's Philox, each named as all chance is (`core/chance.py`), so that how the
work is shared out among threads changes nothing.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np


def draws(seed: int, purpose: str, step: int = 0, part: int = 0) -> np.random.Generator:
    """The stream of random numbers of that name."""
    name = f"{seed} {purpose} {step} {part}".encode()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(blake2b(name, digest_size=16).digest())))
