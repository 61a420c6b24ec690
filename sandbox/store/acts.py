"""Players' acts in a save: which events they are, and the last.

Commands are carried out first in a step. So an act is an event that only commands make (`BY_HAND`), or an action on the
feed at the beginning of a step that names no cause. Looking at the feed is no act: some steps begin with a look that
nobody asked for, and it leaves nothing to take back.
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

HAND = frozenset(kind for kind, event in EVENTS.items() if event.BY_HAND)  # only commands make them
OPENING = frozenset(e.KIND for e in (Placed, Planned, Chose))  # events at the beginning of step 1, before any command
DEEDS = frozenset(kind for kind, event in EVENTS.items() if issubclass(event, Deed) and not issubclass(event, Browsed))
WINDOW = 1_000  # steps read at a time


class StepActs(NamedTuple):
    """What players did at the beginning of one step, in order."""

    step: int
    records: tuple[Record, ...]


class ActFinder:
    """Recognizes acts among the events of a log, given in order. Events that cannot be acts may be left out."""

    def __init__(self) -> None:
        self._next = 0  # number of the next event, if it can still be one of the acts that begin its step; else 0

    @property
    def on(self) -> bool:
        """Whether the next event can still belong to the acts at the beginning of its step."""
        return self._next > 0

    def act(self, row: EventRow, first: bool) -> bool:
        """Whether this row of the log is an act. first: whether it is the first event of its step."""
        return self._act(row.seq, row.step, row.kind, row.causes != "[]", first)

    def done(self, record: Record, first: bool) -> bool:
        """Whether this event is an act. first: whether it is the first event of its step."""
        at = record.stamp
        return self._act(at.seq, at.step, record.event.KIND, bool(at.causes), first)

    def _act(self, seq: int, step: int, kind: str, caused: bool, first: bool) -> bool:
        leads = first or seq == self._next
        found = kind in HAND or (leads and kind in DEEDS and not caused)
        opens = step == 1 and kind in OPENING
        self._next = seq + 1 if leads and (found or opens) else 0
        return found


def among(records: Iterable[Record]) -> list[Record]:
    """The acts among all events of consecutive whole steps. Of the last step, those after its acts may be missing."""
    out, leading, step = [], ActFinder(), -1
    for record in records:
        if leading.done(record, leading.on or record.stamp.step != step):
            out.append(record)
        step = record.stamp.step
    return out


async def last_act(save: SaveReader, last: int | None = None) -> StepActs | None:
    """The acts of the last step that has any; None if players have done nothing. last: the latest step to look at, None
    = the end of the save. Raises SaveError.
    """
    last = save.last_step if last is None else last
    while last > 0:
        first = max(1, last - WINDOW + 1)
        if found := await _acts(save, first, last):
            return found[-1]
        last = first - 1
    return None


async def is_player_act(save: SaveReader, record: Record) -> bool:
    """Whether an event was done by a player. Raises SaveError."""
    kind, step = record.event.KIND, record.stamp.step
    if kind in HAND or kind not in DEEDS:
        return kind in HAND
    return any(record in acts.records for acts in await _acts(save, step, step))


async def _acts(save: SaveReader, first: int, last: int) -> list[StepActs]:
    """The acts of the steps from first to last."""
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
