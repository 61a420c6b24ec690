"""What players did in a save: their acts, and the last of them.

Commands are carried out before all else in a step. So an act is an event that only commands make (`BY_HAND`), or
something done on the feed with which a step begins. A look at the feed is none: some steps begin with one that nobody
asked for, and it leaves nothing that could be taken back.
"""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.core.log import Row
from sandbox.engine.registry import EVENTS
from sandbox.feed.events import Browsed, Deed
from sandbox.store.errors import legible
from sandbox.store.facts import StepRow
from sandbox.store.read import Reader

HAND = frozenset(kind for kind, event in EVENTS.items() if event.BY_HAND)
DEEDS = frozenset(kind for kind, event in EVENTS.items() if issubclass(event, Deed) and not issubclass(event, Browsed))
WINDOW = 1_000  # steps that are gone through together


class Acts(NamedTuple):
    """What players did at the beginning of one step, in the order of doing."""

    step: int
    records: tuple[Record, ...]


class Leading:
    """Tells acts among rows of a log, shown in order. Rows that are no acts may be left out."""

    def __init__(self) -> None:
        self._next = 0  # the number of the event that is an act if one of its kind may lead a step

    def act(self, row: Row, first: bool) -> bool:
        """Whether that row is an act. first: whether its step begins with it."""
        leads = first or row.seq == self._next
        found = row.kind in HAND or (leads and row.kind in DEEDS)
        self._next = row.seq + 1 if leads and found else 0
        return found


async def acts_of(save: Reader) -> list[Acts]:
    """All acts of players, the earliest first. Raises SaveError."""
    out: list[Acts] = []
    for first in range(1, save.last_step + 1, WINDOW):
        out += await _acts(save, first, min(first + WINDOW - 1, save.last_step))
    return out


async def last_act(save: Reader) -> Acts | None:
    """What players did in the last step that began with an act; None if they have done nothing. Raises SaveError."""
    last = save.last_step
    while last > 0:
        first = max(1, last - WINDOW + 1)
        if found := await _acts(save, first, last):
            return found[-1]
        last = first - 1
    return None


async def _acts(save: Reader, first: int, last: int) -> list[Acts]:
    """Those of the steps from first to last."""
    ends: list[StepRow] = await save.steps(first - 1, last)
    begins = {end.step + 1: end.last_seq + 1 for end in ends}
    leading, found = Leading(), dict[int, list[Row]]()
    for row in await save.rows(ends[0].last_seq, ends[-1].last_seq, HAND | DEEDS) if ends else ():
        if leading.act(row, row.seq == begins.get(row.step)):
            found.setdefault(row.step, []).append(row)
    with legible(save.path):
        return [Acts(step, tuple(map(save.machine.decode, rows))) for step, rows in found.items()]
