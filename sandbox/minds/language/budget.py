"""What may still be spent: the limits of a day and of a save, against what was spent and what is under way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.minds.calls import Call, CallStore, Spent
from sandbox.minds.spec import Limit, Limits

NONE = Spent()


class Share(NamedTuple):
    """What a request under way may come to at most."""

    day: int
    spent: Spent


class Budget:
    """The account of a town's language minds. The day is the town's. of: what the whole account is of, in words.

    It holds one sum a day that was paid for in this sitting, and the sums of those before.
    """

    def __init__(self, limits: Limits, store: CallStore, of: str = "this save") -> None:
        self._limits = limits
        self._of = of
        self._store = store
        self._days: dict[int, Spent] | None = None
        self._flying: dict[int, Spent] = {}
        self.total = NONE

    async def load(self) -> None:
        """Read what was spent before, once."""
        if self._days is None:
            days = await self._store.spent()
            if self._days is None:
                self._days = dict(days)
                self.total = _sum(self._days.values())

    def reserve(self, day: int, tokens: int, usd: float) -> Share | str:
        """Set aside what a call may come to; or say in words which limit it would go beyond."""
        assert self._days is not None
        one = Spent(1, tokens, usd)
        today = _sum((self._days.get(day, NONE), self._flying.get(day, NONE), one))
        whole = _sum((self.total, *self._flying.values(), one))
        fault = _beyond(self._limits.day, today, "the day") or _beyond(self._limits.save, whole, self._of)
        if fault:
            return fault
        self._flying[day] = _sum((self._flying.get(day, NONE), one))
        return Share(day, one)

    def left(self, day: int) -> str:
        """What may still be spent that day, the least of each: "40 calls, $0.88", "" where nothing is limited."""
        today = (self._days or {}).get(day, NONE)
        rest = _rest(self._limits.day, today).within(_rest(self._limits.save, self.total))
        parts = (
            "" if rest.calls is None else f"{max(0, rest.calls):,} calls",
            "" if rest.tokens is None else f"{max(0, rest.tokens):,} tokens",
            "" if rest.usd is None else f"${max(0.0, rest.usd):.2f}",
        )
        return ", ".join(part for part in parts if part)

    def free(self, share: Share) -> None:
        """Take back what was set aside."""
        left = _less(self._flying[share.day], share.spent)
        if left.calls:
            self._flying[share.day] = left
        else:
            del self._flying[share.day]

    def pay(self, call: Call) -> None:
        """Count what a call came to."""
        assert self._days is not None
        self._days[call.day] = self._days.get(call.day, NONE).plus(call)
        self.total = self.total.plus(call)


def _sum(parts: Iterable[Spent]) -> Spent:
    calls = tokens = 0
    cost = 0.0
    for part in parts:
        calls, tokens, cost = calls + part.calls, tokens + part.tokens, cost + part.cost
    return Spent(calls, tokens, cost)


def _less(a: Spent, b: Spent) -> Spent:
    return Spent(a.calls - b.calls, a.tokens - b.tokens, a.cost - b.cost)


def _rest(limit: Limit, spent: Spent) -> Limit:
    """A limit less what was spent."""
    return Limit(
        None if limit.calls is None else limit.calls - spent.calls,
        None if limit.tokens is None else limit.tokens - spent.tokens,
        None if limit.usd is None else limit.usd - spent.cost,
    )


def _beyond(limit: Limit, spent: Spent, of: str) -> str:
    """Which limit that goes beyond, in words, or ""."""
    if limit.calls is not None and spent.calls > limit.calls:
        return f"the calls of {of} are used up ({limit.calls:,})"
    if limit.tokens is not None and spent.tokens > limit.tokens:
        return f"the tokens of {of} are used up ({limit.tokens:,})"
    if limit.usd is not None and spent.cost > limit.usd + 1e-9:
        return f"the money of {of} is used up ({limit.usd:.2f} US dollars)"
    return ""
