"""Verifying a save: every step is rebuilt from event 1 and compared.

For each step in turn: does it exist, are its events complete and unchanged (the digest), can they be applied, does the
clock agree, and are its snapshot, memories and feed those that the rebuilt world would make?
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sandbox.core.events import ZERO, EventRow, chain_digest, chain_digests, without_versions
from sandbox.store import caches
from sandbox.store.errors import OutOfMemory, SaveError
from sandbox.store.facts import StepRow
from sandbox.store.read import SaveReader
from sandbox.store.spans import BlockLink, join_spans, joinable_links, renew_block

if TYPE_CHECKING:
    from sandbox.engine.world import World

Progress = Callable[[int, int], None]  # called with the steps verified, and how many there are
GROUP = 50  # steps read at a time


class SaveVerdict(NamedTuple):
    """steps, events, snapshots: how many were verified. step, why: the first step that differs, None and "" if none.

    digest: after the last step verified; unversioned: the same without versions.
    """

    ok: bool
    steps: int
    events: int
    snapshots: int
    digest: bytes
    step: int | None = None
    why: str = ""
    unversioned: bytes = ZERO


class Differs(Exception):
    """A step differs from what the save says of it."""


async def verify(save: SaveReader, progress: Progress | None = None) -> SaveVerdict:
    """Verify the whole log. Faults, unreadable pages included, are in the verdict. Raises OutOfMemory."""
    proof, group = _Proof(save), GROUP
    try:
        await proof.list_snapshots()
        last = save.last_step
        while proof.at < last:
            first = proof.at + 1
            try:
                await proof.group(first, min(first + group - 1, last))
            except OutOfMemory:
                raise
            except SaveError as error:  # a damaged page somewhere in the group: go step by step
                if group == 1:
                    raise Differs(f"its rows cannot be read: the save {error.what}") from error
                group = 1
            if progress:
                progress(proof.at + 1, last + 1)
        await proof.rest()
    except Differs as error:
        return proof.verdict(str(error))
    return proof.verdict()


class _Proof:
    """The state of a verification: all up to step `at` is verified."""

    def __init__(self, save: SaveReader) -> None:
        self._save = save
        self.at, self._seq, self._digest, self._proved = -1, 0, ZERO, 0
        self._unversioned = ZERO
        self._shots: set[int] = set()
        self._blocks: set[int] = set()
        self._feeds: set[int] = set()
        self._made: list[tuple[BlockLink, bytes]] = []  # blocks of the feed not yet joined into one
        self._world: World | None = None
        self._founding = ""  # data of event 1

    def verdict(self, why: str = "") -> SaveVerdict:
        broken = self.at + 1 if why else None
        known = self._digest, broken, why, self._unversioned
        return SaveVerdict(not why, self.at + 1, self._seq, self._proved, *known)

    async def list_snapshots(self) -> None:
        """Find which steps have a snapshot, memories or a feed. Raises Differs."""
        try:
            self._shots = set(await self._save.cached("snapshots"))
            self._blocks = set(await self._save.cached("memories"))
            self._feeds = set(await self._save.cached("feeds"))
        except OutOfMemory:
            raise
        except SaveError as error:
            raise Differs(f"the snapshots cannot be read: the save {error.what}") from error

    async def group(self, first: int, last: int) -> None:
        """Verify these steps, in order. Raises Differs, and SaveError for rows that cannot be read."""
        ends = await self._save.steps(first, last)
        if not ends:
            raise Differs("the step is missing")
        rows = await self._save.rows(self._seq, max((e.last_seq for e in ends if type(e.last_seq) is int), default=0))
        start = stop = 0
        for end in ends:
            while type(end.last_seq) is int and stop < len(rows) and rows[stop].seq <= end.last_seq:
                stop += 1
            await self._prove(end, rows[start:stop])
            start = stop

    async def rest(self) -> None:
        """Check that the file holds nothing beyond its steps, and is not damaged elsewhere. Raises Differs."""
        if self._shots:
            raise Differs(f"there is a snapshot of step {min(self._shots)}, but no such step")
        if self._blocks:
            raise Differs(f"there are memories of step {min(self._blocks)}, but no such step")
        if self._founding and not await self._save.views_read(self._founding):
            raise Differs("what views read of its first event is not what that says")
        noted = (await self._save.info()).unversioned
        if noted and noted != self._unversioned.hex():
            raise Differs("the digest without versions that is noted beside its log is another")
        if self._feeds:
            raise Differs(f"there is a feed kept of step {min(self._feeds)}, but no such step")
        if await self._save.strays():
            raise Differs("there are events that belong to no step")
        try:
            wrong = await self._save.integrity()
        except OutOfMemory:
            raise
        except SaveError as error:
            wrong = error.what
        if wrong:
            raise Differs(f"the file is damaged elsewhere: {wrong}")

    async def _prove(self, end: StepRow, rows: list[EventRow]) -> None:
        number = self.at + 1
        if end.step != number:
            raise Differs(f"the step is missing; the next one kept is {end.step}")
        if [row.seq for row in rows] != list(range(self._seq + 1, self._seq + len(rows) + 1)) or (
            end.last_seq != self._seq + len(rows)
        ):
            raise Differs(f"its events should run from {self._seq + 1} to {end.last_seq}; some are missing")
        try:
            digest, unversioned = chain_digests((self._digest, self._unversioned), number, rows)
            if not number:
                unversioned = chain_digest(ZERO, number, map(without_versions, rows))
        except (TypeError, ValueError) as error:
            raise Differs(f"an event cannot be read ({error})") from error
        if digest != end.digest:
            raise Differs("its events differ from its digest")
        world = self._live(number, rows)
        if world.now != end.t:
            raise Differs(f"it should end at second {world.now}, the save says {end.t}")
        if number in self._shots:
            await self._compare(end, world)
        if number in self._blocks:
            await self._compare_memories(end, world)
        if number in self._feeds:
            await self._compare_feed(end, world)
        self.at, self._seq, self._digest, self._unversioned = number, end.last_seq, digest, unversioned

    def _live(self, number: int, rows: list[EventRow]) -> World:
        world = self._world
        for row in rows:
            try:
                record = self._save.machine.decode(row)
                if world is None:
                    self._founding = row.data
                    self._save.machine.check(record)
                    world = self._save.machine.found(record)
                    if self._blocks:
                        world.memories.live = True
                    if self._feeds:
                        world.note_feed(0)
                else:
                    world.apply(record)
            except MemoryError as error:
                raise OutOfMemory(self._save.path) from error
            except Exception as error:
                raise Differs(f"event {row.seq} ({row.kind}) cannot be applied: {error}") from error
        if world is None:
            raise Differs("there is no founding event")
        if number:
            world.advance(number)
        self._world = world
        return world

    async def _compare(self, end: StepRow, world: World) -> None:
        made = world.snapshot()
        try:
            state = await self._save.state(end.step, end.last_seq, end.digest, len(made))
        except (MemoryError, OutOfMemory) as error:
            raise OutOfMemory(self._save.path) from error
        except (caches.BadCache, SaveError) as error:
            raise Differs(f"its snapshot is bad: {error}") from error
        if state != made:
            raise Differs("its snapshot is not the state its events make")
        self._shots.discard(end.step)
        self._proved += 1

    async def _compare_memories(self, end: StepRow, world: World) -> None:
        try:
            block = await self._save.block(end)
        except (caches.BadCache, SaveError) as error:
            raise Differs(f"the memories kept of it are bad: {error}") from error
        if not world.memories.proves(block, end.t):
            raise Differs("the memories kept of it are not those its events make")
        self._blocks.discard(end.step)

    async def _compare_feed(self, end: StepRow, world: World) -> None:
        try:
            after, kept = await self._save.feed_block(end, world.bulk)
            kept = renew_block(kept)
        except (SaveError, ValueError) as error:
            raise Differs(f"the feed kept of it is bad: {error}") from error
        if (made := world.feed_block()) is not None:
            self._made.append((BlockLink(end.step, end.last_seq, made[0], len(made[1])), made[1]))
            self._made = self._made[-len(joinable_links([link for link, _ in self._made])) :]
        spanned = [block for link, block in self._made if link.after >= after]
        if made is None or not spanned or kept != (spanned[0] if len(spanned) == 1 else join_spans(spanned)):
            raise Differs("the feed kept of it is not the one its events make")
        if len(spanned) > 1:
            self._made = []
        self._feeds.discard(end.step)
