"""Where two saves diverge: their last common step, players' acts in only one of them, the first event that differs.

Branches have the same digests up to where they diverge, so common events are never read. After that, events are
compared by content and not by number: a player's act in one log shifts the numbers of all later events and causes. Such
acts are set aside, and the first other difference is looked for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.core.events import EventRow, Record, numbers_in
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Scenario, founding_of
from sandbox.engine.world import World
from sandbox.phones.handlers import without_feed_part
from sandbox.store import caches
from sandbox.store.acts import ActFinder
from sandbox.store.errors import SaveError, explain_unfitting
from sandbox.store.facts import StepRow
from sandbox.store.read import SaveReader


async def end_before(save: SaveReader, t: int) -> StepRow:
    """The last step that ends at second t or earlier; step 0 if there is none. Raises SaveError."""
    step = await save.step_at(t)
    found = await save.steps(max(0, step - 1), step)
    return next((end for end in reversed(found) if end.t <= t), found[0])


async def street_at(save: SaveReader, t: int) -> World:
    """The world at the end of the last step by second t, without its feed: that, and what phones know of posts, must
    not be used. Raises SaveError.
    """
    end = await end_before(save, t)
    world = await save.beginning()
    if not world.bulk:
        return await save.seek(end.step)
    kept = [step for step in await save.cached("snapshots") if step <= end.step]
    for step in reversed(kept[-caches.TRIES :]):
        found = (await save.steps(step, step))[0]
        try:
            most = caches.max_state_size(len(world.snapshot()), found.last_seq)
            world.restore(await save.state(step, found.last_seq, found.digest, most))
        except Exception:  # it is only a cache; `seek` reports what is wrong with it
            break
        await _on(save, world, found, end)
        return world
    return await save.seek(end.step)


async def _on(save: SaveReader, world: World, at: StepRow, end: StepRow) -> None:
    """Apply the events from one step to another, without their effects on the feed."""
    after = at.last_seq
    for step in await save.steps(at.step + 1, end.step):
        rows = await save.rows(after, step.last_seq) if step.last_seq > after else []
        with explain_unfitting(save.path):
            for row in rows:
                record = save.machine.decode(row)
                event = None if type(record.event) in world.registry.rebuilders else without_feed_part(record.event)
                if event is not None:
                    world.apply(Record(record.stamp, event))
            world.advance(step.step)
        after = step.last_seq


RUN = 500  # events read at a time
MOST_ACTS = 1_000  # collected of one log at most
_DIGITS = re.compile(r"\d+")


class Parting(NamedTuple):
    """How two logs diverge. shared: the last common step, None if they differ from the start.

    acts: for each log, the players' acts before the first difference that the other lacks. first: for each log, the
    first event that differs; None if it has no more in the time both cover, and both None if nothing differs in that.
    """

    shared: StepRow | None
    acts: tuple[Sequence[EventRow], Sequence[EventRow]]
    first: tuple[EventRow | None, EventRow | None]


async def shared_step(a: SaveReader, b: SaveReader) -> StepRow | None:
    """The last step with the same digest in both logs; None if they differ from the start. Raises SaveError."""
    found, low, high = None, 0, min(a.last_step, b.last_step)
    while low <= high:
        middle = (low + high) // 2
        one, two = await a.steps(middle, middle), await b.steps(middle, middle)
        if one and two and one[0].digest == two[0].digest:
            found, low = one[0], middle + 1
        else:
            high = middle - 1
    return found


async def comparable(a: SaveReader, b: SaveReader) -> tuple[Scenario, Scenario]:
    """The scenarios of two saves. Raises SaveError unless they have the same world and people."""
    x, y = founding_of(await a.found()).scenario, founding_of(await b.found()).scenario
    if x.name != y.name or {p.id for p in x.cast} != {p.id for p in y.cast}:
        what = "lives another town, or other people, than the save it is compared with"
        raise SaveError(b.path, what, "compare two saves of one world")
    return x, y


async def find_parting(a: SaveReader, b: SaveReader, until: int | None = None) -> Parting:
    """How two logs diverge in the time both cover, or before second `until` if that is earlier. Raises SaveError."""
    shared = await shared_step(a, b)
    over = min(a.now, b.now) if until is None else min(a.now, b.now, until)
    seq = shared.last_seq if shared is not None else 1
    one, two = _Log(a, seq, over), _Log(b, seq, over)
    twins = _Twins(seq)
    while True:
        x, y = await one.row(), await two.row()
        if x is None and y is None:
            break
        if x is not None and y is not None and twins.same(x, y):
            twins.pair(x, y)
            one.go_on()
            two.go_on()
            continue
        mine, theirs = one.acts_ahead(), two.acts_ahead()
        if not mine and not theirs:
            break
        few, others = _until_one_of_both(mine, theirs, twins)
        for row in mine[:few]:
            twins.alone(row)
        one.set_aside(few)
        two.set_aside(others)
    return Parting(shared, (one.acts, two.acts), (x, y))


def _until_one_of_both(mine: Sequence[EventRow], theirs: Sequence[EventRow], twins: _Twins) -> tuple[int, int]:
    """How many acts of each log come before the next act that both have; all, if there is none."""
    both = ((i, j) for i, x in enumerate(mine) for j, y in enumerate(theirs) if twins.same(x, y))
    return min(both, key=lambda few: (sum(few), few), default=(len(mine), len(theirs)))


class _Log:
    """The events of a save after event `seq` and before second `over`, one at a time."""

    def __init__(self, save: SaveReader, seq: int, over: int) -> None:
        self.acts: list[EventRow] = []
        self._save, self._read, self._over = save, seq, over
        self._rows: list[EventRow] = []
        self._is_act: list[bool] = []  # of each row
        self._at = 0
        self._step = -1  # of the last event read
        self._leading = ActFinder()

    async def row(self) -> EventRow | None:
        """The next event, None after the last."""
        if self._at >= len(self._rows):
            self._rows, self._is_act, self._at = [], [], 0
            await self._more()
            while self._is_act and self._is_act[-1] and self._read < self._save.last_seq:
                await self._more()  # so that acts which follow one another are read together
        row = self._rows[self._at] if self._rows else None
        return row if row is not None and row.t < self._over else None

    async def _more(self) -> None:
        upto = min(self._read + RUN, self._save.last_seq)
        for row in await self._save.rows(self._read, upto) if upto > self._read else ():
            self._is_act.append(self._leading.act(row, row.step != self._step))
            self._rows.append(row)
            self._step = row.step
        self._read = upto

    def acts_ahead(self) -> list[EventRow]:
        """The players' acts that come next, up to the first other event, within the time compared."""
        ahead = range(self._at, len(self._rows))
        acts = itertools.takewhile(lambda i: self._is_act[i] and self._rows[i].t < self._over, ahead)
        return [self._rows[i] for i in acts]

    def set_aside(self, few: int) -> None:
        """Skip that many acts, and collect them in `acts`."""
        self.acts += self._rows[self._at : self._at + few][: max(0, MOST_ACTS - len(self.acts))]
        self._at += few

    def go_on(self) -> None:
        """Skip the next event."""
        self._at += 1


class _Twins:
    """Which event of one log corresponds to which of the other. Up to event `shared` their numbers are equal."""

    def __init__(self, shared: int) -> None:
        self._shared = shared
        self._of: dict[int, int] = {}
        self._shifted = False

    def pair(self, x: EventRow, y: EventRow) -> None:
        if self._shifted or x.seq != y.seq:
            self._shifted = True
            self._of[x.seq] = y.seq

    def alone(self, x: EventRow) -> None:
        """Note an event that the other log lacks."""
        self._shifted = True
        self._of[x.seq] = 0

    def same(self, x: EventRow, y: EventRow) -> bool:
        """Whether two events have the same second, content and causes."""
        if (x.t, x.kind, x.v, x.actor) != (y.t, y.kind, y.v, y.actor):
            return False
        if not self._shifted:
            return x.data == y.data and x.causes == y.causes
        numbers = numbers_in(EVENTS[x.kind])
        return numbers.sub(self._twin, x.data) == y.data and _DIGITS.sub(self._twin, x.causes) == y.causes

    def _twin(self, found: re.Match[str]) -> str:
        number = found[0]
        if len(number) > 15 or int(number) <= self._shared:
            return number
        return str(self._of.get(int(number), int(number)))
