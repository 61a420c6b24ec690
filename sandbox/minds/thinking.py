"""What can be seen of a mind that takes its time: who is thinking, since when, and what it has cost so far."""

from __future__ import annotations

import asyncio
from time import monotonic

from sandbox.minds.calls import Spent


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
