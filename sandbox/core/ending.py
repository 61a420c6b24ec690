"""What ends a program from outside, beside Ctrl-C: SIGTERM, and SIGHUP when its terminal goes."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from contextlib import suppress


def heed_signals(leave: Callable[[int], object]) -> None:
    """Have leave called, with the exit code (128 and the signal's number), when somebody ends the program.

    It is called in the running event loop, until that is closed; never in another thread than the first, which alone
    hears of signals. A signal the program was started to ignore (nohup) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(NotImplementedError):  # Windows has no such handlers
                asyncio.get_running_loop().add_signal_handler(number, leave, 128 + number)
