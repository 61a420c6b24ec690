"""Copying: to the terminal, and within tmux to its buffer, since tmux lets no program inside it set the clipboard
unless its `set-clipboard` is `on`.
"""

from __future__ import annotations

import asyncio
import os
from shutil import which
from typing import Any

from textual.app import App

SENT, LOADED = "sent to the terminal", "copied to tmux and sent to the terminal"
PATIENCE = 2.0  # seconds that tmux may take
LOADS = (("load-buffer", "-w", "-"), ("load-buffer", "-"))  # before 3.2 it does not pass a buffer on


async def copy(app: App[Any], text: str) -> str:
    """Put a text into the clipboard as far as that can be done from here; where it went, in words."""
    app.copy_to_clipboard(text)
    return LOADED if await _load(text) else SENT


async def _load(text: str) -> bool:
    """Make a text the newest buffer of the tmux one is in; whether there is one that took it."""
    tmux = which("tmux") if os.environ.get("TMUX") else None
    if tmux is None:
        return False
    for command in LOADS:
        try:
            async with asyncio.timeout(PATIENCE):
                if await _run(tmux, *command, given=text.encode("utf-8", "replace")):
                    return True
        except (OSError, TimeoutError):
            return False
    return False


async def _run(*command: str, given: bytes) -> bool:
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=quiet, stderr=quiet)
    try:
        await process.communicate(given)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode == 0
