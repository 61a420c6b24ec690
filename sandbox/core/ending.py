"""Signals that end a program, besides Ctrl-C: SIGTERM, and SIGHUP when its terminal closes."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType


def heed_signals(leave: Callable[[int], object]) -> None:
    """Call `leave` with the exit code (128 + the signal's number) when a signal ends the program.

    It is called in the running event loop until that loop is closed, and only in the main thread, the only one that
    receives signals. A signal that the program was started to ignore (nohup) stays ignored.
    """
    for number in _heeded():
        with suppress(NotImplementedError):  # Windows has no such handlers
            asyncio.get_running_loop().add_signal_handler(number, leave, 128 + number)


@contextmanager
def as_by_key() -> Iterator[list[int]]:
    """For work outside one coroutine: a signal interrupts the body like Ctrl-C (KeyboardInterrupt), once. Yields a list
    that then receives the exit code (128 + the signal's number).
    """
    codes: list[int] = []

    def leave(number: int, frame: FrameType | None) -> None:
        codes.append(128 + number)
        if len(codes) == 1:  # a second signal does not interrupt the clean-up
            by_key = signal.getsignal(signal.SIGINT)  # of a running event loop: its own handler, which cancels the task
            (by_key if callable(by_key) else signal.default_int_handler)(signal.SIGINT, frame)

    before = {number: signal.signal(number, leave) for number in _heeded()}
    try:
        yield codes
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _heeded() -> list[int]:
    """The signals this thread may handle; none outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    numbers = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    return [n for n in numbers if n is not None and signal.getsignal(n) is not signal.SIG_IGN]
