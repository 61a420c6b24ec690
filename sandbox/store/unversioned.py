"""The digest of a save that leaves out what the save was made with, so that the runs of two Pythons can be compared.

A writer goes on with it step by step, and notes it beside the log with each commit. Where no note is of the last step
(a save made before there were such, a branch), it is made from the log.
"""

from __future__ import annotations

from sandbox.core.events import ZERO, EventRow, chain_digest, without_versions
from sandbox.store.errors import COPY, SaveError
from sandbox.store.facts import SaveInfo
from sandbox.store.read import SaveReader

NOTED = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
NOTE = "unversioned"  # in meta: a step, and the digest after it in hex


def note(step: int, digest: bytes) -> tuple[str, str]:
    """The row of `meta` that says so."""
    return NOTE, f"{step} {digest.hex()}"


def noted_digest(info: SaveInfo) -> bytes:
    """What is noted of the last step, b"" if nothing."""
    return bytes.fromhex(info.unversioned)


async def of_log(save: SaveReader) -> bytes:
    """The digest made from every event, kept or waiting to be. Raises SaveError."""
    last, steps = save.last_step, await save.count_steps()
    if steps <= last:
        raise SaveError(save.path, "lacks a step", COPY)
    digest, step, rows = ZERO, 0, list[EventRow]()
    async for _, some in save.runs():
        for row in some:
            if not step <= row.step <= last:
                raise SaveError(save.path, "holds events out of order", COPY)
            while step < row.step:
                digest, step, rows = chain_digest(digest, step, rows), step + 1, []
            rows.append(without_versions(row))
    while step <= last:
        digest, step, rows = chain_digest(digest, step, rows), step + 1, []
    return digest
