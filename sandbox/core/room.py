"""How much memory a system limit (`ulimit -v`) leaves to this program, checked before it runs out.

C libraries that run out of memory cannot be controlled: some end the program without a message. So nothing that may
grow is begun where little is left. Without a limit there is nothing to check.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Bytes a read-only command may use, besides the 20 MB the program has at its start. For the recorded
# day (two cores) `ties` takes 470 MB in all and hung in 420, `ask` takes 360 and died without a message in 340.
NEEDED = 512 << 20
# Bytes of address space in all to run a town: a day of two dozen people takes 500 to 565 MB without
# a limit (two cores), SPARE comes on top; in 512 MB it was seen to stop.
LIVING = 640 << 20
SPARE = 48 << 20  # bytes that must be left for a town to go on
BLOCK, _MMAP_THRESHOLD = 512 << 10, -3  # the latter from malloc.h
_STATM = Path("/proc/self/statm")

if sys.platform == "win32":  # pragma: no cover

    def _limit() -> int | None:
        return None

    def left() -> int | None:
        """None: this system has no such limit."""
        return None
else:
    import resource

    def _limit() -> int | None:
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return None if limit == resource.RLIM_INFINITY else limit

    def left() -> int | None:
        """Bytes of address space left, None without a limit. If the system does not report usage: the whole limit."""
        limit = _limit()
        if limit is None:
            return None
        try:
            return limit - int(_STATM.read_text().split()[0]) * resource.getpagesize()
        except (OSError, ValueError):
            return limit


def check_room(needed: int = SPARE) -> None:
    """Raise MemoryError, with a message for people, if fewer bytes than `needed` are left."""
    found = left()
    if found is not None and found < needed:
        has = f"{max(found, 0) >> 20} MB of memory are left under the limit of this shell (`ulimit -v`)"
        raise MemoryError(f"{has}, and {needed >> 20} MB are needed; raise it, and try again")


def check_living() -> None:
    """Raise MemoryError, with a message for people, if the limit is too small to start or continue a town."""
    limit = _limit()
    if limit is not None and limit < LIVING:
        has = f"the limit of this shell to memory (`ulimit -v`) is {limit >> 20} MB"
        raise MemoryError(f"{has}, and a town that lives wants {LIVING >> 20} MB; raise it, and try again")


def return_blocks() -> None:
    """From now on have the system's library give back each block of BLOCK bytes or more when it is freed, in all of
    this process. By its own rule (glibc's) it keeps all after the first, between what lives, to the end.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError):  # another library
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, BLOCK)


# ---- python's search for what has died, put off where much is made and nothing dies


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause garbage collection while a world is read: nothing is freed then, and searching takes as long as reading."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def collect_rarely(made: int = 400_000) -> None:
    """Collect garbage once this many more objects have been made than freed: a town makes many, and next to no garbage.
    A day takes a twentieth less CPU, and 5 MB more. At 50,000 a search takes as long as some steps.
    """
    gc.set_threshold(made)
