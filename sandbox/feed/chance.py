"""Random numbers of a crowd: named streams (`core/chance.py`) of numpy's Philox, so that the division of work among
threads changes nothing.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np


def draws(seed: int, purpose: str, step: int = 0, part: int = 0) -> np.random.Generator:
    """The random generator of that name. part: of the work."""
    name = f"{seed} {purpose} {step} {part}".encode()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(blake2b(name, digest_size=16).digest())))
