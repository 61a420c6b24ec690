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
from sandbox.core.room import collect_rarely, pause_gc
from sandbox.core.text import clean
from sandbox.store.errors import Displaced
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.open_towns import FAULTS, Opener
from sandbox.tui.app.settingsfile import own_anchors, read_settings
from sandbox.tui.view.opening import to_show
from sandbox.tui.view.settings import looked, told_faults
from sandbox.tui.view.terminal import end_driver_threads


class AppResult(NamedTuple):
    """How the program ended. code: the exit code; kept: the save that was played, None if none was kept."""

    code: int
    kept: Path | None


def run_app(opener: Opener, greet: bool = False, look: Iterable[str] = ()) -> AppResult:
    """Show a session until the player leaves. look: settings as "key=value", for this run only.

    Exit codes: 0; 1 if the engine or the screen failed (what was saved stays whole); for an error of FAULTS 1 if the
    save's file was deleted or replaced, or disk or memory ran out, else 2; 143 after SIGTERM and 129 after SIGHUP.
    Errors are written to standard error once the screen is closed.
    """
    with pause_gc():
        return asyncio.run(_run(opener, greet, look))


async def _run(opener: Opener, greet: bool, look: Iterable[str]) -> AppResult:
    code, kept = 0, None
    fault: Exception | None = None
    leaving = _Leaving()
    settings, faults = read_settings()
    settings = replace(looked(settings, look), anchors=own_anchors(home(), faults))
    try:
        async with AsyncExitStack() as opening:  # closes the session if it cannot be shown
            session = await to_show(await opening.enter_async_context(opener()))
            stack = opening.pop_all()
        app = leaving.app = SandboxApp(session, settings, settle=_settle, stack=stack, greet=greet)
        if len(faults):
            app.call_later(partial(app.notify, told_faults(faults), title="settings", severity="warning", timeout=15))
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
    if isinstance(fault, Displaced) and kept in (None, fault.path):  # not if another town was played afterwards
        kept = fault.kept
    return AppResult(code, kept)


def _told(fault: Exception) -> str:
    """The text for standard error: the message if the error is one of FAULTS, else the traceback."""
    if isinstance(fault, FAULTS):
        return "\n".join(clean(line, 2000) for line in str(fault).splitlines())
    return "".join(traceback.format_exception(fault))


class _Leaving:
    """On SIGTERM or SIGHUP, leaves the app as the quit key does, so that the save is closed. app: None while the first
    session is being opened; a signal then cancels the opening.
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
    """Called when the world is loaded and drawn: its objects stay, so exempt them from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.enable()
    collect_rarely(50_000)
