"""Events of a save as sentences, wherever in its log they stand: where two logs part, what a branch began with, what a
player did. What a sentence is about is looked up in the log, as far as it needs that.
"""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.events import Event, Record
from sandbox.core.log import EventRow
from sandbox.core.text import upper
from sandbox.engine.world import World
from sandbox.people.pressure_model import Began
from sandbox.readers import pressures
from sandbox.readers.all_stories import STORIES, event_sentence
from sandbox.readers.notable import Notable, default_notable
from sandbox.readers.stories_of_feed import owners
from sandbox.readers.story import Teller
from sandbox.store.errors import explain_unfitting, explain_unreadable
from sandbox.store.people_at import street_at
from sandbox.store.read import SaveReader


class EventLine(NamedTuple):
    """An event as a sentence without full stop. who: the person it is about first, "" if nobody."""

    t: int
    step: int
    seq: int
    kind: str
    text: str
    who: str = ""


async def as_sentence(save: SaveReader, row: EventRow, notable: Notable | None = None) -> EventLine:
    """An event of a save in words, as its town stood when the step of that event began. Raises SaveError."""
    ends = await save.steps(max(0, row.step - 1), max(0, row.step - 1))
    world = await street_at(save, ends[0].t if ends else 0)
    with explain_unreadable(save.path):
        record = save.machine.decode(row)
    return await in_words(save, record, world, notable)


async def in_words(save: SaveReader, record: Record, world: World, notable: Notable | None = None) -> EventLine:
    """The same with a world of that save at any time, best a little before the event. Raises SaveError."""
    at, e = record
    matters = pressures.world_matters(world)
    for begun in await save.records({Began.KIND}, world.seq, at.seq) if STORIES[type(e)].matter(e) else ():
        pressures.learn(matters, begun)
    teller = Teller(world.handbook, matters, notable or default_notable(), await _came_of(save, record), owners(world))
    with explain_unfitting(save.path):
        text = upper(event_sentence(record, teller))
    return EventLine(at.t, at.step, at.seq, e.KIND, text, at.actor)


async def _came_of(save: SaveReader, record: Record) -> dict[int, Event]:
    """The events that a record names as its causes."""
    out: dict[int, Event] = {}
    for seq in record.stamp.causes[:8]:
        with explain_unreadable(save.path):
            out |= {row.seq: save.machine.decode(row).event for row in await save.rows(seq - 1, seq)}
    return out
