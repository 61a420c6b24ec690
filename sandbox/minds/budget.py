"""The budget for language models: limits per day and per save, compared with what was spent and what is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from functools import reduce
from time import monotonic
from typing import NamedTuple, Protocol

import msgspec


class Limit(msgspec.Struct, frozen=True):
    """The most that may be spent: calls, tokens (in and out), US dollars. None: unlimited; 0: nothing."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None

    def within(self, other: Limit) -> Limit:
        """The smaller of both limits, field by field."""
        pairs = ((self.calls, other.calls), (self.tokens, other.tokens), (self.usd, other.usd))
        calls, tokens, usd = (min((x for x in pair if x is not None), default=None) for pair in pairs)
        return Limit(calls, tokens, usd)  # type: ignore[arg-type]  # whole numbers stay whole

    @property
    def words(self) -> str:
        """ "1,000 calls, $5.00", or "no limit"."""
        parts = (
            f"{self.calls:,} calls" if self.calls is not None else "",
            f"{self.tokens:,} tokens" if self.tokens is not None else "",
            f"${self.usd:.2f}" if self.usd is not None else "",
        )
        return ", ".join(part for part in parts if part) or "no limit"


class Limits(msgspec.Struct, frozen=True):
    """Limits per day of the town, and per save."""

    day: Limit = Limit(usd=1.0)
    save: Limit = Limit(usd=5.0)

    def within(self, other: Limits) -> Limits:
        """The smaller of both limits, field by field."""
        return Limits(self.day.within(other.day), self.save.within(other.save))

    @property
    def words(self) -> str:
        """ "$1.00 a day, $5.00 a save"."""
        return f"{self.day.words} a day; {self.save.words} a save"


class Key(NamedTuple):
    """Identifies a call: the question (step, wave, who, type, n) and the number of the attempt, from 0."""

    step: int
    wave: int
    who: str
    question: str
    n: int
    attempt: int


class Call(msgspec.Struct, frozen=True):
    """A call and its result. day: of the town; request: hash of all that was sent (never a key to a service); answer:
    raw text; fault: why there is no usable answer, "" if there is. tokens_in, tokens_out: as the service counts; cost:
    US dollars, 0 if no price is known; seconds: duration.
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
        """What it cost."""
        return Spent(1, self.tokens_in + self.tokens_out, self.cost)


class Spent(NamedTuple):
    """The cost of calls: their number, tokens (in and out together), US dollars."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def plus(self, more: Spent) -> Spent:
        return Spent(self.calls + more.calls, self.tokens + more.tokens, self.cost + more.cost)

    def less(self, part: Spent) -> Spent:
        return Spent(self.calls - part.calls, self.tokens - part.tokens, self.cost - part.cost)


class NotKept(Exception):
    """A call could not be stored, so its answer must not be used. The text says why."""


class CallStore(Protocol):
    """Where calls are stored, outside log and digest."""

    async def find(self, key: Key) -> Call | None:
        """The call with that key, None if never made."""

    async def keep(self, call: Call) -> None:
        """Store a call, replacing an older one with its key. It is on disk when this returns. Raises NotKept."""

    async def spent(self) -> dict[tuple[int, str], Spent]:
        """Spending so far, by day of the town and model."""


class UnsavedCalls:
    """Calls of a world without a save: those of the latest step, and the total cost."""

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


NONE = Spent()
BLIND = "; no price is known for {model}"


class Share(NamedTuple):
    """The most that a request under way may cost."""

    day: int
    model: str
    spent: Spent


class Budget:
    """The account of a town's language minds; days are those of the town. unpriced: an additional limit on all models
    without a known price. of: what the account covers, in words.

    It holds one sum per day and model, from earlier sittings too.
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
        """Read earlier spending, once."""
        if self._spent is None:
            spent = await self._store.spent()
            if self._spent is None:
                self._spent = dict(spent)
                self.total = _sum(self._spent.values())

    def reserve(self, day: int, model: str, tokens: int, usd: float | None) -> Share | str:
        """Reserve the most that a call may cost (usd: None if no price is known); or return in words which limit it
        would exceed.
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
        """The spending, or with `flying` the reservations, of a day (None: all) and of models (None: all)."""
        if day is None and models is None and not flying:
            return self.total
        sums = self._flying if flying else (self._spent or {})
        return _sum(x for (d, m), x in sums.items() if day in (None, d) and (models is None or m in models))

    def left(self, day: int) -> str:
        """What is left to spend that day, the smaller of both limits: "40 calls, $0.88"; "" if unlimited."""
        rest = self._left(self._limits, day, None)
        if self._blind:
            rest = rest.within(self._left(self._unpriced, day, self._blind))
        return "" if rest == Limit() else rest.words

    def _left(self, limits: Limits, day: int, models: Collection[str] | None) -> Limit:
        today = _rest(limits.day, self._of_day(day, models))
        return today.within(_rest(limits.save, self._of_day(None, models)))

    def free(self, share: Share) -> None:
        """Release a reservation."""
        key = share.day, share.model
        left = self._flying[key].less(share.spent)
        if left.calls:
            self._flying[key] = left
        else:
            del self._flying[key]

    def pay(self, call: Call) -> None:
        """Add a call to the spending."""
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
    """Which limit this spending exceeds, in words, or ""."""
    if limit.calls is not None and spent.calls > limit.calls:
        return f"the calls of {of} are used up ({limit.calls:,})"
    if limit.tokens is not None and spent.tokens > limit.tokens:
        return f"the tokens of {of} are used up ({limit.tokens:,})"
    if limit.usd is not None and spent.cost > limit.usd + 1e-9:
        return f"the money of {of} is used up ({limit.usd:.2f} US dollars)"
    return ""


# ---- what can be seen of a mind that takes its time


class Thinking:
    """Counters that a language mind keeps and a screen shows. They decide nothing.

    waiting: person -> number of their waiting questions. flying: requests under way. spent: in this save so far;
    answered: questions answered by models; fallbacks: by the embedded mind instead, silent: of these, since a model
    last answered; fault: reason of the last one; stopped: the budget that is used up, in words, or "". models: person
    -> their model; left: of the budget, in words, or "".
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
        """Seconds since questions began to wait, 0 if none waits."""
        return monotonic() - self._since if self.waiting else 0.0

    def begin(self, who: str) -> None:
        """Count a question to that person as waiting."""
        if not self.waiting:
            self._since = monotonic()
            self._hurry.clear()
        self.waiting[who] = self.waiting.get(who, 0) + 1

    def end(self, who: str) -> None:
        """Count a question to that person as answered."""
        left = self.waiting.pop(who) - 1
        if left:
            self.waiting[who] = left

    def go_on(self) -> None:
        """Stop waiting for requests under way, so that the embedded mind answers instead. No effect if none waits."""
        if self.waiting:
            self._hurry.set()

    async def hurried(self) -> None:
        """Return once `go_on` is called."""
        await self._hurry.wait()
