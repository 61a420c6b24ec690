"""What players did in a save: their acts, and the last of them.

Commands are carried out before all else in a step. So an act is an event that only commands make (`BY_HAND`), or
something done on the feed with which a step begins, and which names no cause. A look at the feed is none: some steps
begin with one that nobody asked for, and it leaves nothing that could be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.core.events import EventRow, Record
from sandbox.engine.registry import EVENTS
from sandbox.feed.events import Browsed, Deed
from sandbox.people.model import Chose, Planned
from sandbox.store.facts import StepRow
from sandbox.store.read import SaveReader
from sandbox.town.model import Placed

HAND = frozenset(kind for kind, event in EVENTS.items() if event.BY_HAND)
OPENING = frozenset(e.KIND for e in (Placed, Planned, Chose))  # what the first step begins with, before any command
DEEDS = frozenset(kind for kind, event in EVENTS.items() if issubclass(event, Deed) and not issubclass(event, Browsed))
WINDOW = 1_000  # steps that are gone through together


class StepActs(NamedTuple):
    """What players did at the beginning of one step, in the order of doing."""

    step: int
    records: tuple[Record, ...]


class ActFinder:
    """Tells acts among events of a log, shown in order. Those that are no acts may be left out."""

    def __init__(self) -> None:
        self._next = 0  # the number of the event that is an act if one of its kind may lead a step, 0 = none

    @property
    def on(self) -> bool:
        """Whether the next event still leads its step."""
        return self._next > 0

    def act(self, row: EventRow, first: bool) -> bool:
        """Whether that row is an act. first: whether its step begins with it."""
        return self._act(row.seq, row.step, row.kind, row.causes != "[]", first)

    def done(self, record: Record, first: bool) -> bool:
        """The same of an event."""
        at = record.stamp
        return self._act(at.seq, at.step, record.event.KIND, bool(at.causes), first)

    def _act(self, seq: int, step: int, kind: str, caused: bool, first: bool) -> bool:
        leads = first or seq == self._next
        found = kind in HAND or (leads and kind in DEEDS and not caused)
        opens = step == 1 and kind in OPENING
        self._next = seq + 1 if leads and (found or opens) else 0
        return found


def among(records: Iterable[Record]) -> list[Record]:
    """The acts among all events of whole steps, one after another; those after the acts of the last may be left out."""
    out, leading, step = [], ActFinder(), -1
    for record in records:
        if leading.done(record, leading.on or record.stamp.step != step):
            out.append(record)
        step = record.stamp.step
    return out


async def acts_of(save: SaveReader) -> list[StepActs]:
    """All acts of players, the earliest first. Raises SaveError."""
    out: list[StepActs] = []
    for first in range(1, save.last_step + 1, WINDOW):
        out += await _acts(save, first, min(first + WINDOW - 1, save.last_step))
    return out


async def last_act(save: SaveReader, last: int | None = None) -> StepActs | None:
    """What players did in the last step that began with an act; None if they have done nothing. last: the latest step
    that is looked at, None = the end of the save. Raises SaveError.
    """
    last = save.last_step if last is None else last
    while last > 0:
        first = max(1, last - WINDOW + 1)
        if found := await _acts(save, first, last):
            return found[-1]
        last = first - 1
    return None


async def is_player_act(save: SaveReader, record: Record) -> bool:
    """Whether an event was done by hand. Raises SaveError."""
    kind, step = record.event.KIND, record.stamp.step
    if kind in HAND or kind not in DEEDS:
        return kind in HAND
    return any(record in acts.records for acts in await _acts(save, step, step))


async def _acts(save: SaveReader, first: int, last: int) -> list[StepActs]:
    """Those of the steps from first to last."""
    ends: list[StepRow] = await save.steps(first - 1, last)
    begins = {end.step + 1: end.last_seq + 1 for end in ends}
    if first == 1 and ends:
        for record in await save.records(OPENING, ends[0].last_seq, ends[1].last_seq) if len(ends) > 1 else ():
            begins[1] += record.stamp.seq == begins[1]
    leading, found = ActFinder(), dict[int, list[Record]]()
    for record in await save.records(HAND | DEEDS, ends[0].last_seq, ends[-1].last_seq) if ends else ():
        at = record.stamp
        if leading.done(record, at.seq == begins.get(at.step)):
            found.setdefault(at.step, []).append(record)
    return [StepActs(step, tuple(records)) for step, records in found.items()]
