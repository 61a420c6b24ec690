"""Flow control for the terminal: after a large write it is asked for its cursor position, and until it answers no new
frame of the map is sent. So the frame rate adapts to the line, and a key never waits behind a queue of frames.
"""

from __future__ import annotations

import os
import subprocess
import sys
from asyncio import get_running_loop
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic, sleep
from typing import IO, Any, ClassVar, TypeVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.message import Message

from sandbox.tui.view.textual_internals import threads_of, wrap_file

T = TypeVar("T")
HUNG_UP = 129  # exit code of a program whose terminal is gone: 128 + SIGHUP
ASK = "\x1b[6n"  # DSR: Textual's parser reads the answer, the cursor position
LARGE = 1500  # characters of a write from which an answer is requested
DEAF = 2.0  # seconds without an answer after which it is not waited for any more
FAR = 0.08  # seconds of latency; for each of them one more frame may be under way
TELLING = 4000  # characters of a write from which its time measures the line's rate
QUICK = 1_500_000  # characters a second from which a line needs no limit
BREATH = 0.05  # seconds that one write may take on a slow line
LEAST = 3000  # characters that a write may always have
LAST_ANSWERS = 0.4  # seconds to wait for answers when leaving, so that they do not reach the shell


class Meter:
    """Counts writes not yet answered. One thread adds, another removes, hence counts and a deque."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._asked: deque[tuple[float, int]] = deque()
        self._quickest = float("inf")
        self._rate = float("inf")
        self.deaf = False
        self.closing = False
        self.driver: Driver | None = None  # the driver it meters

    @property
    def waiting(self) -> int:
        """The number of answers outstanding."""
        return len(self._asked)

    def begin(self) -> None:
        """Start afresh when the program takes over the terminal, at first or again."""
        self.closing = False
        self._asked.clear()

    def asks(self, size: int) -> bool:
        """Whether to request an answer after a write of so many characters; if so, it is counted as outstanding."""
        if size < LARGE or self.deaf or self.closing:
            return False
        self._asked.append((self._clock(), size))
        return True

    def answered(self) -> bool:
        """Take in an answer; return whether one was outstanding."""
        if not self._asked:
            return False
        asked, size = self._asked.popleft()
        took = self._clock() - asked
        self._quickest = min(self._quickest, took)
        if size >= TELLING:
            rate = size / max(took - self._quickest, 0.001)
            self._rate = rate if self._rate == float("inf") else 0.7 * self._rate + 0.3 * rate
        return True

    @property
    def room(self) -> float:
        """The most characters for one write, so that a key does not wait behind it; inf on a fast line."""
        return max(float(LEAST), self._rate * BREATH) if self._rate < QUICK else float("inf")

    def ready(self) -> bool:
        """Whether another frame may be sent."""
        if not self._asked:
            return True
        if self._clock() - self._asked[0][0] > DEAF:
            self.deaf = self._quickest == float("inf")  # never an answer: stop asking
            self._asked.clear()
            return True
        return len(self._asked) <= (self._quickest // FAR if self._quickest < DEAF else 0)


class TerminalFile:
    """A terminal's output file that survives its closing: further writes are dropped, and `gone` is called once.

    Otherwise Textual's writer thread would die with the terminal, and the next write would wait for it for ever.
    """

    def __init__(self, file: IO[str], gone: Callable[[], None]) -> None:
        self._file, self._gone = file, gone
        self._lost = False

    def write(self, text: str) -> int:
        """Write text, or drop it if the terminal is gone."""
        return self._tried(partial(self._file.write, text)) or 0

    def flush(self) -> None:
        """Flush, unless the terminal is gone."""
        self._tried(self._file.flush)

    def _tried(self, deed: Callable[[], T]) -> T | None:
        try:
            return None if self._lost else deed()
        except (OSError, ValueError):
            self._lost = True
            self._gone()
            return None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def metered_driver(
    base: type[Driver], meter: Meter, aside: Callable[[bool], object] = lambda aside: None
) -> type[Driver]:
    """A subclass of the driver class `base` whose large writes are metered. aside: called with True before the program
    is suspended, with False before it resumes.
    """

    class Metered(base):  # type: ignore[valid-type,misc]
        """Requests and takes in answers, and survives a terminal that is gone; otherwise as the base."""

        def __init__(self, app: App[Any], **more: Any) -> None:
            super().__init__(app, **more)
            meter.driver = self
            loop = get_running_loop()

            def hung_up() -> None:
                """Exit as on SIGHUP, which may not be delivered."""
                meter.closing = True
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(partial(app.exit, return_code=HUNG_UP))

            wrap_file(self, lambda file: TerminalFile(file, hung_up))

        def suspend_application_mode(self) -> None:
            aside(True)
            super().suspend_application_mode()

        def resume_application_mode(self) -> None:
            aside(False)
            super().resume_application_mode()

        def start_application_mode(self) -> None:
            meter.begin()
            super().start_application_mode()

        def write(self, data: str) -> None:
            super().write(data + ASK if meter.asks(len(data)) else data)

        def process_message(self, message: Message) -> None:
            if isinstance(message, events.CursorPosition) and meter.answered():
                return
            super().process_message(message)

        def disable_input(self) -> None:
            meter.closing = True
            until = monotonic() + LAST_ANSWERS
            while meter.waiting and not meter.deaf and monotonic() < until:
                sleep(0.01)
            super().disable_input()

    return Metered


def end_driver_threads(driver: Any) -> None:
    """End a driver's input and writer threads if they still run after a hurried exit; they would keep the process
    alive.
    """
    listening, writing = threads_of(driver)
    if listening is not None and listening.is_alive():
        driver.exit_event.set()
    if writing is not None and writing.is_alive():
        writing.stop()


# ---- ctrl+Z


class Wall:
    """A wall clock that stops while the program is suspended (Ctrl+Z) or hidden. clock: seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lost = 0.0
        self._left: float | None = None  # when it was stopped

    def __call__(self) -> float:
        return (self._clock() if self._left is None else self._left) - self._lost

    def stand(self, still: bool) -> None:
        """Stop the clock, or let it go on from where it stopped."""
        if still and self._left is None:
            self._left = self._clock()
        elif not still and self._left is not None:
            self._lost += self._clock() - self._left
            self._left = None


def comes_back() -> bool:
    """Whether a shell can resume the program after it is suspended: not if its process group is orphaned, that is, has
    no parent in the same session.
    """
    try:
        parent = _parent_of(os.getpgrp())
        return parent > 0 and os.getsid(parent) == os.getsid(0)
    except ProcessLookupError:
        return False
    except OSError:  # not known: assume a shell
        return True


def _parent_of(process: int) -> int:
    """The id of a process's parent. Raises OSError."""
    if process == os.getpid():
        return os.getppid()
    said = subprocess.run(["ps", "-o", "ppid=", "-p", str(process)], capture_output=True, text=True, check=False)
    if not said.stdout.strip().isdigit():
        raise OSError(f"the parent of process {process} is not known")
    return int(said.stdout)


class AsideApp(App[None]):
    """An app that Ctrl+Z suspends on any screen, if a shell can resume it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "To the shell; fg comes back.", show=False, priority=True)
    ]

    def action_suspend_process(self) -> None:
        if sys.platform == "win32" or not comes_back():
            self.notify("No shell is waiting here to bring it back; q leaves.", timeout=4)
        else:
            super().action_suspend_process()
