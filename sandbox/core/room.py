"""How much memory a limit of the system leaves to this program (`ulimit -v`), looked at before it runs out.

What libraries written in C do where it has run out is not for us to say: some end the program without a word. So
nothing that may grow is begun where little is left. Without a limit there is nothing to look at.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Bytes that a command which only reads may come to, beside the 20 MB the program has at its start. Of the recorded
# day (two cores) `ties` takes 470 MB in all and stood still in 420, `ask` takes 360 and ended without a word in 340.
NEEDED = 512 << 20
# Bytes of address space in all for a town that lives: a day of two dozen people takes 500 to 565 MB where nothing
# limits it (two cores), SPARE comes on top; in 512 MB it was seen to stop.
LIVING = 640 << 20
SPARE = 48 << 20  # bytes without which a town is not lived on
_STATM = Path("/proc/self/statm")

if sys.platform == "win32":  # pragma: no cover

    def _limit() -> int | None:
        return None

    def left() -> int | None:
        """None: there is no such limit."""
        return None
else:
    import resource

    def _limit() -> int | None:
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return None if limit == resource.RLIM_INFINITY else limit

    def left() -> int | None:
        """Bytes of address space that are left, None without a limit. Where the system does not tell what is taken: the
        whole limit.
        """
        limit = _limit()
        if limit is None:
            return None
        try:
            return limit - int(_STATM.read_text().split()[0]) * resource.getpagesize()
        except (OSError, ValueError):
            return limit


def check_room(needed: int = SPARE) -> None:
    """Raise MemoryError, in words for a person, if less is left."""
    found = left()
    if found is not None and found < needed:
        has = f"{max(found, 0) >> 20} MB of memory are left under the limit of this shell (`ulimit -v`)"
        raise MemoryError(f"{has}, and {needed >> 20} MB are needed; raise it, and try again")


def check_living() -> None:
    """Raise MemoryError, in words for a person, before a town is begun or gone on with that the limit will not bear."""
    limit = _limit()
    if limit is not None and limit < LIVING:
        has = f"the limit of this shell to memory (`ulimit -v`) is {limit >> 20} MB"
        raise MemoryError(f"{has}, and a town that lives wants {LIVING >> 20} MB; raise it, and try again")


# ---- python's search for what has died, put off where much is made and nothing dies


@contextmanager
def pause_gc() -> Iterator[None]:
    """Nothing dies while a world is read: to look for what has takes as long as to read it."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()
