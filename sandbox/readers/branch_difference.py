"""What differs between a branch and the save it was made from, in one sentence; for lists of many saves.

Only the first hours after the fork are compared. Results are cached until one of the two files changes, and saves with
the same beginning share the world that names are taken from.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, EventRow, Record
from sandbox.core.text import upper
from sandbox.engine.domain import Reseeded
from sandbox.engine.world import World
from sandbox.readers import pressures
from sandbox.readers.all_stories import BEGINNINGS, STORIES, event_sentence, learn
from sandbox.readers.stories_of_feed import owners
from sandbox.readers.story import Notable, Teller, default_notable
from sandbox.store.compare import find_parting, street_at
from sandbox.store.errors import SaveError, explain_unfitting, explain_unreadable
from sandbox.store.read import SaveReader
from sandbox.store.save import Save
from sandbox.store.tree import TreePlace


class EventLine(NamedTuple):
    """An event as a sentence without full stop. who: its actor, "" if nobody."""

    t: int
    step: int
    seq: int
    kind: str
    text: str
    who: str = ""


async def as_sentence(save: SaveReader, row: EventRow, notable: Notable | None = None) -> EventLine:
    """An event of a save in words, with the town as it stood when the event's step began. Raises SaveError."""
    ends = await save.steps(max(0, row.step - 1), max(0, row.step - 1))
    world = await street_at(save, ends[0].t if ends else 0)
    with explain_unreadable(save.path):
        record = save.machine.decode(row)
    return await in_words(save, record, world, notable)


async def in_words(save: SaveReader, record: Record, world: World, notable: Notable | None = None) -> EventLine:
    """An event of a save in words. world: of that save at any time, best shortly before the event. Raises SaveError."""
    at, e = record
    matters = pressures.world_matters(world)
    for begun in await save.records(BEGINNINGS, world.seq, at.seq) if STORIES[type(e)].matter(e) else ():
        learn(matters, begun)
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


SPAN = 6 * HOUR  # seconds after a fork that are compared
KNOWN = 500  # sentences cached, at most
WORLDS = 4  # worlds cached, at most
NOTHING, ALIKE, ENDED = "nothing yet", "nothing in its first hours", "its parent ends there"

Seen = tuple[str, int, int]  # version of a file: its path, time of modification in ns, size in bytes


class BranchSummary(NamedTuple):
    """What differs, and how many acts of players a branch begins with that its parent lacks."""

    text: str
    acts: int = 0


class Forks:
    """Summarizes branches, with a cache."""

    def __init__(self) -> None:
        self._known: dict[tuple[Seen, Seen], BranchSummary] = {}
        self._worlds: dict[str, World] = {}

    def known(self, place: TreePlace) -> BranchSummary | None:
        """The cached summary of a branch, None if it must be read first."""
        key = _key(place)
        return self._known.get(key) if key is not None else None

    async def of(self, place: TreePlace) -> BranchSummary | None:
        """The summary of a branch, read from the files if not cached; None if it is no branch or unreadable."""
        key = _key(place)
        if key is None or place.parent is None or place.save.info is None:
            return None
        if key not in self._known:
            try:
                async with (
                    await Save.open(place.parent.path, read_only=True) as parent,
                    await Save.open(place.save.path, read_only=True) as child,
                ):
                    found = await self._read(parent, child, place.save.info.root)
            except SaveError as error:
                found = BranchSummary(f"cannot be told: {error.what}")
            if len(self._known) >= KNOWN:
                del self._known[next(iter(self._known))]
            self._known[key] = found
        return self._known[key]

    def let_go(self) -> None:
        """Forget the worlds; summaries stay."""
        self._worlds.clear()

    async def _read(self, parent: Save, child: Save, root: str) -> BranchSummary:
        fork = int((await child.info()).parent_step)
        end = (await child.steps(fork, fork))[0]
        if child.last_step == fork:
            return BranchSummary(NOTHING)
        if parent.last_step <= fork:
            return BranchSummary(ENDED)
        found = await find_parting(parent, child, end.t + SPAN)
        without, own = found.acts
        world = await self._world(child, root)
        lucky = any(row.kind == Reseeded.KIND for row in own)
        done = next((row for row in own if row.kind != Reseeded.KIND), None)
        if done is not None:
            return BranchSummary(await _told(child, done, world), len(own))
        if without and not own:
            return BranchSummary(f"without this: {await _told(parent, without[0], world)}")
        mine, theirs = found.first[1], found.first[0]
        if mine is None and theirs is None:
            return BranchSummary(ALIKE, len(own))
        if mine is None:
            assert theirs is not None
            return BranchSummary(f"not this: {await _told(parent, theirs, world)}", len(own))
        return BranchSummary(f"{'with other luck: ' if lucky else ''}{await _told(child, mine, world)}", len(own))

    async def _world(self, save: Save, root: str) -> World:
        if root not in self._worlds:
            if len(self._worlds) >= WORLDS:
                del self._worlds[next(iter(self._worlds))]
            self._worlds[root] = await save.beginning()
        return self._worlds[root]


async def _told(save: SaveReader, row: EventRow, world: World) -> str:
    with explain_unreadable(save.path):
        record = save.machine.decode(row)
    return (await in_words(save, record, world)).text


def _key(place: TreePlace) -> tuple[Seen, Seen] | None:
    if place.parent is None:
        return None
    one, two = _seen(place.save.path), _seen(place.parent.path)
    return None if one is None or two is None else (one, two)


def _seen(path: Path) -> Seen | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return str(path), found.st_mtime_ns, found.st_size
