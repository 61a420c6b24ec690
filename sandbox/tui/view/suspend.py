"""Ctrl+Z: the program stops, the shell has the terminal, and `fg` brings it back as if no time had passed.

Textual stops the process and gives the terminal back; what was on the screen is drawn anew by `base_screen.py`. It is
stopped only where a shell waits: elsewhere nobody could bring it back.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType


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
