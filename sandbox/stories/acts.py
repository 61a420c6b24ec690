"""Acts by hand among records: which events of a step a command has made (of rows of a save: store/acts.py).

A step begins with them. Some types of event come of nothing else (`BY_HAND` of the event, a step's length, a seed).
What an account does on the feed may be anybody's: it was done by hand if it stands before all that systems have done,
and names no cause. A look at the feed counts as nobody's act: it leaves nothing that others could see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.events import Record
from sandbox.engine.registry import EVENTS
from sandbox.people.model import Chose, Planned
from sandbox.store.acts import DEEDS, HAND
from sandbox.town.model import Placed

OPENING = (Placed, Planned, Chose)  # what the first step begins with, before any command


SURE = frozenset(EVENTS[kind] for kind in HAND)
PERHAPS = frozenset(EVENTS[kind] for kind in DEEDS)
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
