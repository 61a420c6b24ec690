"""Acts by hand: which events of a log a command has made.

A step begins with them. Some types of event come of nothing else (`BY_HAND` of the event, a step's length, a seed).
What an account does on the feed may be anybody's: it was done by hand if it stands before all that systems have done,
and names no cause. A look at the feed counts as nobody's act: it leaves nothing that others could see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.events import Event, Record
from sandbox.engine.domain import Reseeded, StepSet
from sandbox.engine.registry import EVENTS
from sandbox.feed.events import Browsed, Deed
from sandbox.people.model import Chose, Planned
from sandbox.town.model import Placed

OPENING = (Placed, Planned, Chose)  # what the first step begins with, before any command


def _surely(event: type[Event]) -> bool:
    return issubclass(event, StepSet | Reseeded) or bool(getattr(event, "BY_HAND", False))


SURE = frozenset(e for e in EVENTS.values() if _surely(e))
PERHAPS = frozenset(e for e in EVENTS.values() if issubclass(e, Deed) and e is not Browsed)
KINDS = tuple(sorted(e.KIND for e in SURE | PERHAPS))


def acts_of(step: Iterable[Record]) -> list[Record]:
    """What was done by hand in a step. step: its events, from the first on; those after the acts may be left out."""
    out, leads = [], True
    for record in step:
        at, e = record
        if type(e) in SURE or (leads and type(e) in PERHAPS and not at.causes):
            out.append(record)
        elif not (at.step == 1 and isinstance(e, OPENING)):
            leads = False
    return out


def among(records: Sequence[Record]) -> list[Record]:
    """What was done by hand in whole steps, one after another."""
    out: list[Record] = []
    first = 0
    for i, record in enumerate(records):
        if i + 1 == len(records) or records[i + 1].stamp.step != record.stamp.step:
            out += acts_of(records[first : i + 1])
            first = i + 1
    return out
