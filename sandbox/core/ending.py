"""What ends a program from outside, beside Ctrl-C: SIGTERM, and SIGHUP when its terminal goes."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType


def heed_signals(leave: Callable[[int], object]) -> None:
    """Have leave called, with the exit code (128 and the signal's number), when somebody ends the program.

    It is called in the running event loop, until that is closed; never in another thread than the first, which alone
    hears of signals. A signal the program was started to ignore (nohup) stays ignored.
    """
    for number in _heeded():
        with suppress(NotImplementedError):  # Windows has no such handlers
            asyncio.get_running_loop().add_signal_handler(number, leave, 128 + number)


@contextmanager
def as_by_key() -> Iterator[list[int]]:
    """For work that is not one coroutine: who ends the program ends what is inside as Ctrl-C does (KeyboardInterrupt),
    once. Gives a list into which the exit code goes (128 and the signal's number).
    """
    codes: list[int] = []

    def leave(number: int, frame: FrameType | None) -> None:
        codes.append(128 + number)
        if len(codes) == 1:  # whoever says it twice does not break off the close
            by_key = signal.getsignal(signal.SIGINT)  # while an event loop runs, its own, which cancels what it does
            (by_key if callable(by_key) else signal.default_int_handler)(signal.SIGINT, frame)

    before = {number: signal.signal(number, leave) for number in _heeded()}
    try:
        yield codes
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _heeded() -> list[int]:
    """The signals that may be heard; none in another thread than the first."""
    if threading.current_thread() is not threading.main_thread():
        return []
    numbers = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    return [n for n in numbers if n is not None and signal.getsignal(n) is not signal.SIG_IGN]
