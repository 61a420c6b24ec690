"""A policy at work on a feed: each round it is taught what came of the last one, asked, and checked. If it fails,
nobody steers for that round; an event says so, and the run goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from traceback import extract_tb
from typing import Any, Protocol

import numpy as np

from sandbox.core.places import PACKAGE
from sandbox.core.text import clean
from sandbox.feed.crowd import libraries
from sandbox.feed.model import Feed, told_stances
from sandbox.feed.steering import FAULT, NAME, Steered, pack_steered
from sandbox.feed.tables import Floats, Longs, draws, pair_keys, places_in
from sandbox.policy.choice import Choice, check_choice
from sandbox.policy.seen import RoundWatch, Seen
from sandbox.policy.toxicity import CommentToxicity
from sandbox.policy.views import HEARD, Past, PlatformView, Sizes

SLOW = 1.0  # seconds of a round from which a policy is said to be slow


class Chooser(Protocol):
    """What a seat needs of a policy (`contract.py`)."""

    name: str

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice: ...
    def learn(self, seen: Seen) -> None: ...
    def begin(self, seed: int) -> None: ...


class Seat:
    """A policy on one feed. seed: of all chance. sizes: of candidates. toxicity: of comments. told: is given a sentence
    when a round was slow, or failed, for the first time.

    faults: rounds in which the policy failed. seen: what came of the last round, for screens and reports.
    """

    def __init__(
        self,
        policy: Chooser,
        feed: Feed,
        seed: int,
        sizes: Sizes = Sizes(),  # noqa: B008  # it cannot change
        toxicity: CommentToxicity | None = None,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.policy, self.feed, self.seed, self.sizes = policy, feed, seed, sizes
        self.toxicity = toxicity if toxicity is not None else CommentToxicity()
        self.faults = 0
        self.seen: Seen | None = None
        self._told, self._slow, self._fault = told, False, ""
        self._watch: RoundWatch | None = None
        self._past = no_past(feed)
        self._named = clean(str(policy.name), NAME) or type(policy).__name__
        self._try(lambda: policy.begin(seed))

    def steer(self, number: int, now: int, readers: Callable[[], Longs]) -> Steered:
        """What the policy decides for tick `number`, which begins at second `now`, after it has learnt from the one
        before. readers: the users of the crowd who will look in it.
        """
        with libraries().limit(limits=1):  # the bits of a product may depend on how many threads work at it
            return self._round(number, now, readers())

    def _round(self, number: int, now: int, look: Longs) -> Steered:
        began = perf_counter()
        self._learn()
        view = PlatformView(self.feed, number, now, self._past, self.sizes, self.seed, look)
        draw = draws(self.seed, f"policy {self._named}", number)
        choice = self._try(lambda: check_choice(self.policy.choose(view, draw), view))
        if self._fault or choice is None:
            self.faults += 1
            fault, self._fault, choice = self._fault, "", Choice()
            if self.faults == 1:
                self._told(f"the policy {self._named} fails, and nobody steers a round in which it does: {fault}")
        else:
            fault = ""
        arms = choice.users.astype(np.int64), choice.cards.astype(np.int64), np.asarray(choice.scores, np.float32)
        self._watch = RoundWatch(self.feed, arms, exposures(view, choice), choice.mix, look)
        if (took := perf_counter() - began) > SLOW and not self._slow:
            self._slow = True
            self._told(f"the policy {self._named} took {took:.1f} seconds for a round; the town waits for it")
        return pack_steered(number, self._named, choice.mix, choice.columns, fault=fault)

    def _learn(self) -> None:
        if self._watch is None:
            return
        self.seen = seen = self._watch.seen(self.feed, self.toxicity)
        self._watch = None
        self._past = remember(self.feed, self._past, seen)
        self._try(lambda: self.policy.learn(seen))

    def _try(self, do: Callable[[], Any]) -> Any:
        """What `do` returns; None if it raises, and the fault is noted."""
        try:
            return do()
        except Exception as error:
            self._fault = clean(told_fault(error), FAULT)
            return None


def told_fault(error: Exception) -> str:
    """An error in words, with the line of the user's own file that it comes from, if there is one."""
    own = [
        frame
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith((str(PACKAGE), "<")) and "site-packages" not in frame.filename
    ]
    where = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{where}"


def exposures(view: PlatformView, choice: Choice) -> tuple[Longs, Floats]:
    """Authors whose exposure could be set, or is, ascending, and the level of each."""
    authors = np.union1d(view.authors, choice.silenced).astype(np.int64)
    levels = np.ones(len(authors), np.float32)
    levels[authors.searchsorted(choice.silenced)] = choice.levels
    return authors, levels


def no_past(feed: Feed) -> Past:
    """What is remembered before the first round."""
    return Past(np.full((feed.users.n, HEARD), np.nan, np.float32), np.zeros(0, np.uint64))


def remember(feed: Feed, past: Past, seen: Seen) -> Past:
    """The past with one more round."""
    heard = past.heard
    if len(heard) < feed.users.n:
        more = np.full((feed.users.n - len(heard), HEARD), np.nan, np.float32)
        heard = np.concatenate((heard, more))
    told = told_stances(feed.posts.stance[seen.cards])
    order = seen.users.argsort(kind="stable")
    who, told = seen.users[order], told[order]
    place = np.arange(len(who)) - who.searchsorted(who)  # among the cards that a reader has read
    for i in range(place.max(initial=-1) + 1):
        now = place == i
        heard[who[now]] = np.column_stack((heard[who[now], 1:], told[now]))
    new = np.sort(pair_keys(seen.users, seen.cards))
    new = new[~places_in(past.chosen, new)[1]]
    return Past(heard, np.insert(past.chosen, past.chosen.searchsorted(new), new))
