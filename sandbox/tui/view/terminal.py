"""How far the terminal is behind: after a large write it is asked where its cursor is, and while it has not answered,
no new frame of the map is sent. So the rate adapts to the line, and a key never waits behind a queue of frames.
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
HUNG_UP = 129  # what a program returns whose terminal is gone: 128 + SIGHUP
ASK = "\x1b[6n"  # DSR: the answer, the cursor's position, is read by Textual's parser
LARGE = 1500  # characters of a write worth asking after
DEAF = 2.0  # seconds without an answer from which a terminal is taken for one that gives none
FAR = 0.08  # seconds an answer takes on a line so long that more frames may be under way
TELLING = 4000  # characters from which the time a write takes tells the line's rate
QUICK = 1_500_000  # characters a second from which a line is no matter
BREATH = 0.05  # seconds of a slow line that one write may take
LEAST = 3000
LAST_ANSWERS = 0.4  # seconds to wait for them when leaving, so that they do not end up in the shell


class Meter:
    """What was sent and not yet taken in. Filled by one thread, emptied by another, so it is counts and a deque."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._asked: deque[tuple[float, int]] = deque()
        self._quickest = float("inf")
        self._rate = float("inf")
        self.deaf = False
        self.closing = False
        self.driver: Driver | None = None  # that it meters

    @property
    def waiting(self) -> int:
        """How many answers are due."""
        return len(self._asked)

    def begin(self) -> None:
        """The program has the terminal, for the first time or again: nothing is due."""
        self.closing = False
        self._asked.clear()

    def asks(self, size: int) -> bool:
        """Whether to ask after a write of so many characters; if so, an answer is due."""
        if size < LARGE or self.deaf or self.closing:
            return False
        self._asked.append((self._clock(), size))
        return True

    def answered(self) -> bool:
        """An answer came; whether one was due."""
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
        """Characters that one write should not exceed, so that a key does not wait behind it; inf on a quick line."""
        return max(float(LEAST), self._rate * BREATH) if self._rate < QUICK else float("inf")

    def ready(self) -> bool:
        """Whether another frame may be sent."""
        if not self._asked:
            return True
        if self._clock() - self._asked[0][0] > DEAF:
            self.deaf = self._quickest == float("inf")  # never an answer: do not ask again
            self._asked.clear()
            return True
        return len(self._asked) <= (self._quickest // FAR if self._quickest < DEAF else 0)


class TerminalFile:
    """A terminal as a file that outlives it: what can no longer be written is dropped, and `gone` is called once.

    Without it the thread that writes would die with the terminal, and whoever writes next wait for it for ever.
    """

    def __init__(self, file: IO[str], gone: Callable[[], None]) -> None:
        self._file, self._gone = file, gone
        self._lost = False

    def write(self, text: str) -> int:
        """Write, or drop it."""
        return self._tried(partial(self._file.write, text)) or 0

    def flush(self) -> None:
        """Send what was written, if there is somebody to send it to."""
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
    """A driver of that kind whose large writes are metered. aside: told when the program is put aside (True), and when
    it is back: before anything else of it goes on.
    """

    class Metered(base):  # type: ignore[valid-type,misc]
        """Asks and listens, and bears with a terminal that is gone; everything else is the base's."""

        def __init__(self, app: App[Any], **more: Any) -> None:
            super().__init__(app, **more)
            meter.driver = self
            loop = get_running_loop()

            def hung_up() -> None:
                """Leave as when the terminal says so itself; it may have no way to."""
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
    """End the threads of a driver that listen and write, if it was left in such a hurry that they still do: they would
    keep a program that is over alive.
    """
    listening, writing = threads_of(driver)
    if listening is not None and listening.is_alive():
        driver.exit_event.set()
    if writing is not None and writing.is_alive():
        writing.stop()


# ---- ctrl+Z


class Wall:
    """A clock on the wall that stands while the program is put aside (Ctrl+Z) or cannot be seen. clock: seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lost = 0.0
        self._left: float | None = None  # when it was put aside

    def __call__(self) -> float:
        return (self._clock() if self._left is None else self._left) - self._lost

    def stand(self, still: bool) -> None:
        """Stand, or go on from where it stood."""
        if still and self._left is None:
            self._left = self._clock()
        elif not still and self._left is not None:
            self._lost += self._clock() - self._left
            self._left = None


def comes_back() -> bool:
    """Whether a shell waits that can bring the program back once it is put aside. Of a process group none of which has
    a parent of another group in the same session nobody would.
    """
    try:
        parent = _parent_of(os.getpgrp())
        return parent > 0 and os.getsid(parent) == os.getsid(0)
    except ProcessLookupError:
        return False
    except OSError:  # it cannot be known
        return True


def _parent_of(process: int) -> int:
    """The number of a process's parent. Raises OSError."""
    if process == os.getpid():
        return os.getppid()
    said = subprocess.run(["ps", "-o", "ppid=", "-p", str(process)], capture_output=True, text=True, check=False)
    if not said.stdout.strip().isdigit():
        raise OSError(f"the parent of process {process} is not known")
    return int(said.stdout)


class AsideApp(App[None]):
    """An app that can be put aside, whatever it shows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "To the shell; fg comes back.", show=False, priority=True)
    ]

    def action_suspend_process(self) -> None:
        if sys.platform == "win32" or not comes_back():
            self.notify("No shell waits here that could bring it back; q leaves.", timeout=4, markup=False)
        else:
            super().action_suspend_process()
