"""The program with a screen, from opening a session to the shell's exit code."""

from __future__ import annotations

import asyncio
import gc
import sys
import traceback
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sandbox.core.ending import heed_signals
from sandbox.core.places import home
from sandbox.core.text import clean
from sandbox.store.errors import Displaced
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.open_towns import FAULTS, Opener
from sandbox.tui.app.settingsfile import own_anchors, read_settings
from sandbox.tui.view.opening import to_show
from sandbox.tui.view.settings import looked, told_faults
from sandbox.tui.view.terminal import end_driver_threads


class AppResult(NamedTuple):
    """How it ended. code: for the shell; kept: the save that was played, None if none stays."""

    code: int
    kept: Path | None


def run_app(opener: Opener, greet: bool = False, look: Iterable[str] = ()) -> AppResult:
    """Show a session until the player leaves. look: "key=value" of settings that hold for this time only.

    The code is 0; 1 if the engine or the screen broke (what was saved stays whole); that of a fault whose text is for a
    person, as for commands (1 if the save's file was deleted or replaced, or disk or memory was wanting, else 2); 143
    and 129 after SIGTERM and SIGHUP. What went wrong is written to standard error once the screen is gone.
    """
    gc.disable()  # nothing dies while a world is read
    try:
        return asyncio.run(_run(opener, greet, look))
    finally:
        gc.enable()


async def _run(opener: Opener, greet: bool, look: Iterable[str]) -> AppResult:
    code, kept = 0, None
    fault: Exception | None = None
    leaving = _Leaving()
    settings, faults = read_settings()
    settings = replace(looked(settings, look), anchors=own_anchors(home(), faults))
    try:
        async with AsyncExitStack() as opening:  # it closes again what cannot be shown
            session = await to_show(await opening.enter_async_context(opener()))
            stack = opening.pop_all()
        app = leaving.app = SandboxApp(session, settings, settle=_settle, stack=stack, greet=greet)
        if len(faults):
            says = partial(app.notify, told_faults(faults), title="settings", severity="warning", timeout=15)
            app.call_later(partial(says, markup=False))
        try:
            await app.run_async()
        finally:
            kept = app.kept
            try:
                await app.end()
            finally:
                end_driver_threads(app.meter.driver)
        code, fault = app.return_code or 0, app.fault
    except FAULTS as error:
        fault = error
    except asyncio.CancelledError:
        if not leaving.code:
            raise
        code = leaving.code
    if fault is not None:
        print(_told(fault), file=sys.stderr)
        code = getattr(fault, "code", 2) if isinstance(fault, FAULTS) else 1
    if isinstance(fault, Displaced) and kept in (None, fault.path):  # not if another town is played since
        kept = fault.kept
    return AppResult(code, kept)


def _told(fault: Exception) -> str:
    """What is said of a fault: its own words if they are for a person, else where in the program it was."""
    if isinstance(fault, FAULTS):
        return "\n".join(clean(line, 2000) for line in str(fault).splitlines())
    return "".join(traceback.format_exception(fault))


class _Leaving:
    """Leaves as by a key when somebody ends the program, or the terminal is gone, so that the save is closed. app: None
    while the first session is opened; that is then given up.
    """

    def __init__(self) -> None:
        self.app: SandboxApp | None = None
        self.code = 0
        self._task = asyncio.current_task()
        heed_signals(self._leave)

    def _leave(self, code: int) -> None:
        if self.app is not None:
            self.app.exit(return_code=code)
        elif not self.code and self._task is not None:
            self._task.cancel()
        self.code = code


def _settle() -> None:
    """The world is loaded and drawn: what lives now will stay, so the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()
