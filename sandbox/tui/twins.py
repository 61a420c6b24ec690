"""A span without an act, lived in a process of its own at low priority, so that the screen stays smooth."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.text import clean
from sandbox.lab.receipts import Receipt
from sandbox.store.branch import branch
from sandbox.store.errors import SaveError
from sandbox.store.save import Save

MEND = "`sandbox receipt SAVE` in another terminal may say more"


async def without(save: Save, seq: int, asked: int, wanted: bool) -> Receipt:
    """The receipt of an act with the span lived without it. asked: seconds after it; wanted: also where a language
    model has answered. A town in memory is copied first. Cancelled, it ends the process. Raises SaveError.
    """
    if save.writes:
        await save.settle()  # the other process reads what is on disk
    if not save.in_memory:
        return await _lived(save.path, seq, asked, wanted)
    with TemporaryDirectory(prefix="sandbox-receipt-") as folder:
        copied = await branch(save, save.last_step, Path(folder) / "town.db")
        return await _lived(copied, seq, asked, wanted)


async def _lived(path: Path, seq: int, asked: int, wanted: bool) -> Receipt:
    words = ["receipt", str(path.resolve()), str(seq), "--hours", repr(asked / HOUR), "--json", "--gently"]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sandbox",
        *words,
        *(["--twin"] if wanted else []),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        out, err = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        told = clean(err.decode("utf-8", "replace").strip().rpartition("\n")[2], 200)
        raise SaveError(path, f"could not be lived without event {seq} ({told or 'the process was ended'})", MEND)
    try:
        return msgspec.json.decode(out, type=Receipt)
    except msgspec.MsgspecError as error:
        raise SaveError(path, f"could not be lived without event {seq} ({clean(str(error), 200)})", MEND) from error
