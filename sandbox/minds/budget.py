"""What may still be spent: the limits of a day and of a save, against what was spent and what is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from functools import reduce
from time import monotonic
from typing import NamedTuple

from sandbox.minds.calls import Call, CallStore, Spent
from sandbox.minds.spec import Limit, Limits

NONE = Spent()
BLIND = "; no price is known for {model}"


class Share(NamedTuple):
    """What a request under way may come to at most."""

    day: int
    model: str
    spent: Spent


class Budget:
    """The account of a town's language minds. The day is the town's. unpriced: limits of those models together for
    which no price is known, besides those of all. of: what the whole account is of, in words.

    It holds one sum a day and model that was paid for in this sitting, and the sums of those before.
    """

    def __init__(self, limits: Limits, unpriced: Limits, store: CallStore, of: str = "this save") -> None:
        self._limits = limits
        self._unpriced = unpriced
        self._of = of
        self._store = store
        self._spent: dict[tuple[int, str], Spent] | None = None
        self._flying: dict[tuple[int, str], Spent] = {}
        self._blind: set[str] = set()  # models without a price
        self.total = NONE

    async def load(self) -> None:
        """Read what was spent before, once."""
        if self._spent is None:
            spent = await self._store.spent()
            if self._spent is None:
                self._spent = dict(spent)
                self.total = _sum(self._spent.values())

    def reserve(self, day: int, model: str, tokens: int, usd: float | None) -> Share | str:
        """Set aside what a call may come to (usd: None where no price is known); or say in words which limit it would
        go beyond.
        """
        one = Spent(1, tokens, usd or 0.0)
        if usd is None:
            self._blind.add(model)
        fault = self._beyond(self._limits, day, one, None)
        if not fault and usd is None and (fault := self._beyond(self._unpriced, day, one, self._blind)):
            fault += BLIND.format(model=model)
        if fault:
            return fault
        key = day, model
        self._flying[key] = _sum((self._flying.get(key, NONE), one))
        return Share(day, model, one)

    def _beyond(self, limits: Limits, day: int, one: Spent, models: Collection[str] | None) -> str:
        today = _sum((self._of_day(day, models), self._of_day(day, models, flying=True), one))
        whole = _sum((self._of_day(None, models), self._of_day(None, models, flying=True), one))
        return _beyond(limits.day, today, "the day") or _beyond(limits.save, whole, self._of)

    def _of_day(self, day: int | None, models: Collection[str] | None, flying: bool = False) -> Spent:
        """What was spent, or is under way, that day (None: ever) on these models (None: all)."""
        if day is None and models is None and not flying:
            return self.total
        sums = self._flying if flying else (self._spent or {})
        return _sum(x for (d, m), x in sums.items() if day in (None, d) and (models is None or m in models))

    def left(self, day: int) -> str:
        """What may still be spent that day, the least of each: "40 calls, $0.88", "" where nothing is limited."""
        rest = self._left(self._limits, day, None)
        if self._blind:
            rest = rest.within(self._left(self._unpriced, day, self._blind))
        return "" if rest == Limit() else rest.words

    def _left(self, limits: Limits, day: int, models: Collection[str] | None) -> Limit:
        today = _rest(limits.day, self._of_day(day, models))
        return today.within(_rest(limits.save, self._of_day(None, models)))

    def free(self, share: Share) -> None:
        """Take back what was set aside."""
        key = share.day, share.model
        left = self._flying[key].less(share.spent)
        if left.calls:
            self._flying[key] = left
        else:
            del self._flying[key]

    def pay(self, call: Call) -> None:
        """Count what a call came to."""
        assert self._spent is not None
        key = call.day, call.model
        self._spent[key] = self._spent.get(key, NONE).plus(call.spent)
        self.total = self.total.plus(call.spent)


def _sum(parts: Iterable[Spent]) -> Spent:
    return reduce(Spent.plus, parts, NONE)


def _rest(limit: Limit, spent: Spent) -> Limit:
    """What is left of a limit."""
    return Limit(
        None if limit.calls is None else max(0, limit.calls - spent.calls),
        None if limit.tokens is None else max(0, limit.tokens - spent.tokens),
        None if limit.usd is None else max(0.0, limit.usd - spent.cost),
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


# ---- what can be seen of a mind that takes its time


class Thinking:
    """Counters that a language mind keeps and a screen reads. They decide nothing.

    waiting: person -> questions of theirs that wait for an answer. flying: requests under way. spent: in this save so
    far; answered: questions that models answered; fallbacks: answers that the embedded mind gave instead, silent: since
    a model answered last; fault: why it did so last; stopped: the budget that is used up, in words, or "". models:
    person -> the model that answers for them; left: of the budget, in words, or "".
    """

    def __init__(self) -> None:
        self.waiting: dict[str, int] = {}
        self.flying = 0
        self.spent = Spent()
        self.answered = self.fallbacks = self.silent = 0
        self.fault = ""
        self.stopped = ""
        self.models: dict[str, str] = {}
        self.left = ""
        self._since = 0.0
        self._hurry = asyncio.Event()

    @property
    def seconds(self) -> float:
        """How long somebody has been waited for, 0 if nobody is."""
        return monotonic() - self._since if self.waiting else 0.0

    def begin(self, who: str) -> None:
        """A question to that person begins to wait."""
        if not self.waiting:
            self._since = monotonic()
            self._hurry.clear()
        self.waiting[who] = self.waiting.get(who, 0) + 1

    def end(self, who: str) -> None:
        """One of that person's questions waits no more."""
        left = self.waiting.pop(who) - 1
        if left:
            self.waiting[who] = left

    def go_on(self) -> None:
        """Do not wait for what is under way: the embedded mind answers instead. Nothing happens if nobody thinks."""
        if self.waiting:
            self._hurry.set()

    async def hurried(self) -> None:
        """Return once `go_on` was asked for while something waits."""
        await self._hurry.wait()
