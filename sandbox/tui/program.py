"""The program with a screen, from opening a session to the shell's exit code."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import traceback
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sandbox.core.places import home
from sandbox.core.text import clean
from sandbox.engine.journal import JournalFull
from sandbox.tui.app import SandboxApp
from sandbox.tui.settings import looked, own_anchors, read_settings, told_faults
from sandbox.tui.sittings import FAULTS, Opener
from sandbox.tui.terminal import let_go
from sandbox.tui.whole import to_show


class Shown(NamedTuple):
    """How it ended. code: for the shell; kept: the save that was played, None if none stays."""

    code: int
    kept: Path | None


def run_app(opener: Opener, greet: bool = False, look: Iterable[str] = ()) -> Shown:
    """Show a session until the player leaves. look: "key=value" of settings that hold for this time only.

    The code is 0; 1 if the engine or the screen broke (what was saved stays whole); 2 if it could not be opened. What
    went wrong is written to standard error once the screen is gone.
    """
    gc.disable()  # nothing dies while a world is read
    try:
        return asyncio.run(_run(opener, greet, look))
    finally:
        gc.enable()


async def _run(opener: Opener, greet: bool, look: Iterable[str]) -> Shown:
    code, kept = 0, None
    settings, faults = read_settings()
    settings = replace(looked(settings, look), anchors=own_anchors(home(), faults))
    stack = AsyncExitStack()
    try:
        session = await to_show(await stack.enter_async_context(opener()))
        app = SandboxApp(session, settings, settle=_settle, stack=stack, greet=greet)
        _heed_signals(app)
        if len(faults):
            says = partial(app.notify, told_faults(faults), title="settings", severity="warning", timeout=15)
            app.call_later(partial(says, markup=False))
        try:
            await app.run_async()
        finally:
            kept = app.kept
            await app.end()
            let_go(app._driver)
        code = app.return_code or 0
        if app.fault is not None:
            code = 1
            print("".join(traceback.format_exception(app.fault)), file=sys.stderr)
    except FAULTS as error:
        print("\n".join(clean(line, 2000) for line in str(error).splitlines()), file=sys.stderr)
        code = 1 if isinstance(error, JournalFull) else 2
    return Shown(code, kept)


def _heed_signals(app: SandboxApp) -> None:
    """Leave as by a key when somebody ends the program, or the terminal is gone, so that the save is closed."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            with suppress(NotImplementedError):  # Windows has no such handlers
                leave = partial(app.exit, return_code=128 + number)
                asyncio.get_running_loop().add_signal_handler(number, leave)


def _settle() -> None:
    """The world is loaded and drawn: what lives now will stay, so the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()
