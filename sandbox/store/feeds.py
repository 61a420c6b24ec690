"""A platform of `sandbox.feed` whose every action is written to a save.

    async with open_feed("talk.db") as platform:
        ada = platform.sign_up("ada", "Ada")
        platform.create_post(ada, "Good morning.")
        await platform.end_step()

Such a save is of a world that is only a feed: it is replayed, verified, exported and continued like any other.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from sandbox.core.events import Record
from sandbox.core.vectors import DIMENSIONS, EMBEDDED, Embedded, project
from sandbox.engine.loading import find_world, load
from sandbox.engine.world import World
from sandbox.feed.action_context import TextVectors
from sandbox.feed.core import valid_seconds
from sandbox.feed.domain import ticks_of
from sandbox.feed.model import Subjects
from sandbox.feed.platform import Platform
from sandbox.feed.word_lists import TOPICS
from sandbox.feed.wording import default_wording
from sandbox.feed.words import CrowdWords
from sandbox.minds.vectors import Cached, UnsavedVectors, vectors_of
from sandbox.store.errors import SaveError
from sandbox.store.files import is_save
from sandbox.store.save import Save
from sandbox.store.session import create_save, resume

ALONE = "county"  # the shipped world of a feed without a town


class KeptPlatform(Platform):
    """A platform written to a save. Actions belong to a step, which `end_step` writes; time moves within it.

    If vectors come from another maker than the embedded one, call `prepare` for the texts of a step first: a text
    without a vector is not recommended by its content. Actions after the last `end_step` are lost when the file is
    closed.
    """

    def __init__(self, world: World, save: Save, maker: Cached) -> None:
        p, c = world.feed_parameters, world.crowd_parameters
        super().__init__(
            p.kind,
            start=world.scenario.start,
            seed=world.chance.seed,
            parameters=p,
            crowd=c,
            words=CrowdWords.of(world.scenario),
            feed=world.feed,
            keep=lambda record: self._waiting.append(record),
        )
        assert world.scenario.feed is not None
        self.world, self.save, self.maker = world, save, maker
        self._named = NamedMaker(world.scenario.feed.maker, Embedded())
        self.vector = TextVectors(self._named)
        self.ready.once = True  # for a step
        self.now, self.step, self.seq = world.now, world.step + 1, world.seq
        self._waiting: list[Record] = []

    @property
    def ends(self) -> int:
        """The second at which the step ends."""
        return self.world.now + self.world.step_seconds

    def tick(self, seconds: int = 0) -> None:
        """Raises ValueError: the crowd of a kept platform acts by itself as steps pass."""
        raise ValueError("a crowd that is kept acts as steps go by; call end_step()")

    def advance(self, seconds: int) -> None:
        """Let time pass within the step, and the crowd act. Raises ValueError beyond its last second."""
        left = self.ends - 1 - self.now
        if valid_seconds(seconds) > left:
            raise ValueError(f"the step ends in {left + 1} seconds; call end_step() to go on to the next")
        self._ticks(self.now + int(seconds))
        self.now += int(seconds)

    async def prepare(self, texts: Iterable[str]) -> bool:
        """Make the vectors of these texts; return whether that worked. If the maker has failed since this save was
        begun, they get none: vectors of two makers cannot be compared.
        """
        new = [*dict.fromkeys(text.strip() for text in texts)]
        rows = await self.maker.embed(new)
        same = rows.name == self.vector.maker.name
        if same:
            self.vector.take(new, rows.rows)
        return same

    async def end_step(self) -> None:
        """Let the crowd act, write everything done since the last call as one step, and begin the next. Raises
        JournalFull.
        """
        self._ticks(self.ends)
        world, records = self.world, self._waiting
        self._waiting = []
        world.seq = self.seq
        for stamp, _ in records:
            if stamp.actor:
                world.last[stamp.actor] = stamp.t
        world.advance(self.step)
        self.now, self.step = world.now, world.step + 1
        self.ready.clear()  # nothing may depend on whether the file was closed meanwhile
        if self._named.waited:
            self.vector = TextVectors(self._named)
        await self.save.write(world.step, world.now, records, world.snapshot)

    def _ticks(self, end: int) -> None:
        """Run the crowd's ticks whose last second is before `end`, as `feed/domain.py` does."""
        if not self.feed.crowd:
            return
        for number, t in ticks_of(self.now, end, self.parameters.tick):
            self._run_tick(number, t, self.parameters.tick)


class NamedMaker:
    """Makes vectors if it is the embedded maker; of any other name, zeros: real ones must be prepared."""

    def __init__(self, name: str, embedded: Embedded) -> None:
        self.name, self._embedded = name, embedded

    @property
    def waited(self) -> bool:
        """Whether it is not the embedded maker."""
        return self.name != self._embedded.name

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors by the embedded maker if it is that, else zeros."""
        if self.waited:
            return np.zeros((len(texts), DIMENSIONS), np.float32)
        return self._embedded.embed(texts)


@asynccontextmanager
async def open_feed(
    target: str | Path,
    *,
    kind: str = "x",
    seed: int = 1,
    set: Iterable[str] = (),
    vectors: str = EMBEDDED,
    told: Callable[[str], None] = lambda _: None,
    force: bool = False,
) -> AsyncIterator[KeptPlatform]:
    """Open a platform kept in a file: a new one, or, if the file exists, that one to continue.

    kind, seed, set ("key=value"): for a new one; a crowd is `feed.crowd=N`. vectors: what makes them, as for
    `minds.vectors.vectors_of`; they are kept in the save. told: called with a sentence if that fails; if it fails from
    the start, the embedded maker is used for good. force: replace an existing file. Leaving the context writes every
    ended step and closes the file. Raises WorldFaults, SaveError, and ValueError for `vectors`.
    """
    given = (set,) if isinstance(set, str) else tuple(set)
    if any(setting.split("=")[0].strip() == "feed.vectors" for setting in given):
        raise ValueError("feed.vectors is not among the settings here; say `vectors=`")
    waiting = UnsavedVectors()
    maker = vectors_of(vectors, waiting, told)
    known = None if force else is_save(target)
    if known is not None and known.exists():
        journal = await resume(known)
    else:
        settings = ("feed.crowd=0", "feed.on=true", f"feed.kind={kind}", *given)
        scenario = load(find_world(ALONE), seed=seed, set=settings)
        if maker.name != EMBEDDED:
            scenario = replace(scenario, feed=await _subjects(maker))
        journal = await create_save(scenario, target, force=force)
    async with journal:
        if journal.last_step:
            world = await journal.seek(noting=True)
        else:
            world = await journal.beginning()
            world.note_feed(0)
        if world.cast or world.scenario.feed is None:
            raise SaveError(journal.path, "is no feed alone", "open it with `sandbox run`, or name another file")
        world.memories.live = False
        journal.retells(world.feed_block)
        if not maker.fell_back:
            maker = vectors_of(vectors, journal.vectors, told)
            await waiting.pour(journal.vectors)
        yield KeptPlatform(world, journal, maker)
        await journal.settle()


async def _subjects(maker: Cached) -> Subjects:
    """The vectors of the topics, by that maker."""
    found = await maker.embed([default_wording().topic_text(i) for i in range(len(TOPICS))])
    return Subjects(found.name, project(found.rows, found.name).tobytes(), {})
