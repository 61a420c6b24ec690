"""Calls of a language model as a save keeps them: each is stored before its answer is used, so that a world gone
on with after a crash finds the answers it has paid for.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import msgspec


class Key(NamedTuple):
    """Which call it is: the question (step, wave, who, its type, n) and the number of the attempt, from 0."""

    step: int
    wave: int
    who: str
    question: str
    n: int
    attempt: int


class Call(msgspec.Struct, frozen=True):
    """A call and what came of it. day: of the town; request: hash of all that was sent (never a key to a service);
    answer: the text as it came; fault: why it cannot be used, or why there is none; "" if it can. tokens_in,
    tokens_out: as the service counts them; cost: US dollars, 0 where no price is known; seconds: it took.
    """

    key: Key
    day: int
    model: str
    request: str
    answer: str
    fault: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    @property
    def spent(self) -> Spent:
        """What it came to."""
        return Spent(1, self.tokens_in + self.tokens_out, self.cost)


class Spent(NamedTuple):
    """What calls came to: their number, tokens in and out together, and US dollars."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def plus(self, more: Spent) -> Spent:
        return Spent(self.calls + more.calls, self.tokens + more.tokens, self.cost + more.cost)

    def less(self, part: Spent) -> Spent:
        return Spent(self.calls - part.calls, self.tokens - part.tokens, self.cost - part.cost)


class NotKept(Exception):
    """A call could not be kept, so that its answer may not be used. The text says why."""


class CallStore(Protocol):
    """Where calls are kept, outside log and digest."""

    async def find(self, key: Key) -> Call | None:
        """The call of that key, if it was ever made."""

    async def keep(self, call: Call) -> None:
        """Keep a call, in place of an older one of its key. It is on disk when this returns. Raises NotKept."""

    async def spent(self) -> dict[tuple[int, str], Spent]:
        """What was spent so far, by day of the town and model."""


class UnsavedCalls:
    """Calls of a world that is not kept: those of the latest step, and what all came to."""

    def __init__(self) -> None:
        self._step = 0
        self._calls: dict[Key, Call] = {}
        self._spent: dict[tuple[int, str], Spent] = {}

    async def find(self, key: Key) -> Call | None:
        return self._calls.get(key)

    async def keep(self, call: Call) -> None:
        if call.key.step > self._step:
            self._step, self._calls = call.key.step, {}
        before = self._calls.get(call.key)
        self._calls[call.key] = call
        spent = self._spent.get((call.day, call.model), Spent()).plus(call.spent)
        self._spent[call.day, call.model] = spent if before is None else spent.less(before.spent)

    async def spent(self) -> dict[tuple[int, str], Spent]:
        return dict(self._spent)
