"""The calls of judges, kept in a file of JSON lines, one a line: each is there before its answer is used.

A question is known by its content (`who` of its key is a digest of the model and of all that is sent), so that the same
is never paid for twice, whichever run asks it. Calls of a question whose last one brought no answer count in what was
spent, and those without one are made again.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from sandbox.minds.calls import Call, Key, NotKept, Spent


class JudgeCalls:
    """Such a file (a `minds.calls.CallStore`). A line that is none is passed over: a crash may leave half a one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._calls: dict[Key, Call] = {}
        self._latest: dict[str, Call] = {}
        self._spent: dict[str, Spent] = {}
        self._whole = True
        if path.is_file():
            text = path.read_bytes()
            self._whole = text.endswith(b"\n") or not text
            for line in text.split(b"\n"):
                self._read(line)

    async def find(self, key: Key) -> Call | None:
        call = self._calls.get(key)
        return call if call is not None and (_brought(call) or self.answered(key.who)) else None

    async def keep(self, call: Call) -> None:
        line = msgspec.json.encode(call) + b"\n"
        try:
            with self._path.open("ab") as file:
                file.write(line if self._whole else b"\n" + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NotKept(f"{self._path}: {error.strerror}") from error
        self._whole = True
        self._count(call)

    async def spent(self) -> dict[tuple[int, str], Spent]:
        return {(1, model): spent for model, spent in self._spent.items()}

    def of(self, model: str) -> Spent:
        """What calls of a model came to."""
        return self._spent.get(model, Spent())

    def answered(self, who: str) -> bool:
        """Whether the last call of that question brought an answer, fit or not."""
        call = self._latest.get(who)
        return call is not None and _brought(call)

    def _read(self, line: bytes) -> None:
        try:
            call = msgspec.json.decode(line, type=Call)
        except msgspec.MsgspecError:
            return
        if min(call.tokens_in, call.tokens_out, call.cost) >= 0:
            self._count(call)

    def _count(self, call: Call) -> None:
        self._spent[call.model] = self._spent.get(call.model, Spent()).plus(call.spent)
        self._latest[call.key.who] = call
        self._calls[call.key] = call


def _brought(call: Call) -> bool:
    """Whether there is an answer: one that was cut off has a fault, and is one as any other that does not fit."""
    return bool(call.answer) or not call.fault
