"""A session: a world or a save opened to be run, with its engine, mind, view and journal, and closed as one save.

Whatever makes time pass (the command line, the screen, a test, an experiment) opens a session and steps its engine.
"""

from __future__ import annotations

import platform
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace

import sandbox
from sandbox.core.events import Record, Stamp
from sandbox.core.faults import Fault, path_text
from sandbox.core.places import expand_path, saves_dir
from sandbox.core.plain import safe_line
from sandbox.core.protocols import Mind
from sandbox.core.room import check_living, pause_gc, return_blocks
from sandbox.director.history import KINDS, AnnalsOpened, annals_of, opened
from sandbox.engine.domain import Reseed, SetStep
from sandbox.engine.engine import Engine
from sandbox.engine.loading import WorldFaults, find_world, load
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.view import TAIL, View
from sandbox.engine.world import World
from sandbox.feed.loaded_tables import left_out_words
from sandbox.minds.budget import CallStore, Thinking
from sandbox.minds.spec import MindSpec, Model
from sandbox.policy.model import NAMES, NOBODY, Steer, is_forgetful, steering_settings
from sandbox.store.branch import branch
from sandbox.store.choose_mind import (
    META,
    allowed_models,
    choice_of,
    mind_of,
    minds_to_note,
    release_mind,
    withheld_words,
)
from sandbox.store.errors import NameTaken, SaveError, explain_unfitting
from sandbox.store.files import is_save
from sandbox.store.read import MEMORY, SaveReader
from sandbox.store.save import Save

if TYPE_CHECKING:
    from sandbox.policy.contract import Policy

CROWD = 100_000  # users from which large blocks are made so often that it is quicker to keep them
T = TypeVar("T")
Answers = Callable[[MindSpec, World, CallStore], tuple[Mind, Thinking | None]]


class Session(NamedTuple):
    """A world being run. first_step, first_seq: where this session began (step 0 and event 0 if it founded the world).
    thinking: shows the language models at work, None if none answers. withheld: models that the world names but the
    player has not allowed, which are not asked, by person ("" = everybody). given: the values of `--mind`.
    """

    engine: Engine
    world: World
    view: View
    save: Save
    first_step: int
    first_seq: int
    thinking: Thinking | None = None
    withheld: Mapping[str, Model] = {}
    given: tuple[str, ...] = ()

    @property
    def replaying(self) -> bool:
        """False: a session makes new steps, where a replay reads them."""
        return False

    @property
    def notice(self) -> str:
        """Lines on models that are withheld, and on rows left out of a new world's tables; "" for none."""
        scenario, lines = self.world.scenario, list[str]()
        if self.withheld:
            where = f" ({path_text(self.path)})" if self.path is not None else ""
            lines.append(withheld_words(self.withheld, f"the world {scenario.name}{where}"))
        return "\n".join([*lines, *self.left])

    @property
    def left(self) -> list[str]:
        """A line for each table of a new world from which rows were left out."""
        feed = self.world.scenario.feed if self.first_step == 0 else None
        if feed is None or feed.population is None:
            return []
        return [f"its table of {table}: {left_out_words(kinds)}" for table, kinds in feed.population.left.items()]

    @property
    def path(self) -> Path | None:
        """The file the log is kept in, None if it lives in memory only."""
        return None if self.save.in_memory else self.save.path


def versions() -> dict[str, str]:
    """The versions that, besides the scenario, determine every byte of the events."""
    return {"sandbox": sandbox.__version__, "python": platform.python_version(), "numpy": np.__version__}


def founding(scenario: Scenario) -> Record:
    """Event 1 of a new world."""
    return Record(Stamp(1, 0, 0, "", ()), Founded(scenario, versions()))


def free_name(world: str, ahead: int = 0) -> Path:
    """`saves/WORLD-N.db` with a higher number than any there is, so that later saves sort later. ahead: numbers to
    skip.
    """
    folder = saves_dir()
    taken = (p.stem.removeprefix(f"{world}-") for p in folder.glob("*.db") if p.stem.startswith(f"{world}-"))
    number = 1 + ahead + max((int(n) for n in taken if n.isdecimal()), default=0)
    return folder / f"{world}-{number}.db"


@asynccontextmanager
async def open_session(
    target: str | Path,
    *,
    seed: int | None = None,
    step: int | None = None,
    set: Iterable[str] = (),
    minds: Iterable[str] = (),
    save: str | Path | None = None,
    named: bool = False,
    force: bool = False,
    paced: bool = False,
    watched: bool = False,
    answers: Answers = mind_of,
    policy: str = "",
) -> AsyncIterator[Session]:
    """Open a world or a save and run it; leaving the context writes every whole step and closes the file.

    target: a folder or name of a world, or a save (`is_save`). seed: of all chance; a save continues with it. set
    ("key=value"): only for a new world. minds: models, as `--mind` takes them, over those of world and settings; a save
    remembers them. step: its length in seconds (10 to 3600); in a save an event records it, and it holds from the step
    after the next. save: where to write a new world's log (default: memory), or, for a save, the branch to continue in;
    named: write a new world under its next free name among the saves. force: replace an existing file. paced: write
    each step at once. watched: raise WorldFaults if the world has no people. answers: makes the mind. policy: who
    steers the feed: a name of `policy/model.py`, "none", or a file with a policy of one's own. Raises WorldFaults,
    SaveError; JournalFull on leaving, if steps could not be written.
    """
    options = tuple(set)
    own = policy_in_file(policy) if policy and policy not in NAMES else None
    source = is_save(target)
    if source is None:
        world = find_world(target)
        if policy in NAMES:
            options += (f"policy.learner={'' if policy == NOBODY else policy}",)
        scenario = load(world, seed=seed, step=step, set=options)
        if watched:
            require_people(scenario, scenario.name)
        name = world.resolve().name
        if named:
            journal = await under_free_name(name, lambda out: create_save(scenario, out, paced=paced))
        else:
            journal = await create_save(scenario, save, force=force, paced=paced)
        del scenario  # what is lived is read from event 1; two would be held to the end
    else:
        if options:
            raise SaveError(
                source, "is a save: --set, --crowd and --lenient are for a new world", "leave it out, or name a world"
            )
        journal = await resume(source, save, force=force, paced=paced)
    async with journal:
        session = await _begin(journal, tuple(minds), answers, own)
        if watched:
            require_people(session.world.scenario, path_text(journal.path))
        if source is not None:
            _set_time_and_chance(session, step, seed)
        _steer(session, own, policy)
        try:
            yield session
        finally:
            await release_mind(session.engine.mind)


def require_people(scenario: Scenario, where: str) -> None:
    """Raise WorldFaults if a world is only a crowd, for commands that show people or let them talk."""
    if not scenario.cast:
        mend = f"`sandbox run {safe_line(scenario.name)} --days 1` lives it, and tells its feed"
        raise WorldFaults([Fault(safe_line(where), 0, 0, f"is a crowd alone, in which nobody walks or talks; {mend}")])


async def create_save(
    scenario: Scenario, save: str | Path | None = None, *, force: bool = False, paced: bool = False
) -> Save:
    """A new save of that scenario, in memory unless a file is named. Raises SaveError if the file exists, MemoryError
    if a limit leaves too little memory to run.
    """
    check_living()
    if scenario.parameters.get("feed.crowd", 0) < CROWD:
        return_blocks()
    meta = {"title": scenario.title, "world": scenario.name}
    path = MEMORY if save is None else expand_path(save)
    return await Save.create(path, founding(scenario), meta, overwrite=force, paced=paced)


async def under_free_name(world: str, make: Callable[[Path], Awaitable[T]]) -> T:
    """Call `make` with the next free name of that world among the saves, again if it raises NameTaken."""
    tried = set[Path]()
    while True:
        path = next(path for ahead in count() if (path := free_name(world, ahead)) not in tried)
        with suppress(NameTaken):
            return await make(path)
        tried.add(path)


async def resume(source: Path, out: str | Path | None = None, *, force: bool = False, paced: bool = False) -> Save:
    """Open a save to continue it, or, with out, a branch at its end. Raises SaveError; MemoryError as `create_save`."""
    check_living()
    if out is None:
        return await Save.open(source, paced=paced)
    async with await Save.open(source, read_only=True) as save:
        await save.found()
        last = save.last_step
    return await Save.open(await branch(source, last, expand_path(out), overwrite=force), paced=paced)


def _set_time_and_chance(session: Session, step: int | None, seed: int | None) -> None:
    """Let a save go on with steps of that length, and by that seed, if they are others than its own."""
    if step is not None and step != session.world.next_seconds:
        session.engine.do(SetStep(seconds=step))
    if seed is not None and seed != session.world.chance.seed:
        session.engine.do(Reseed(seed=seed))


def _steer(session: Session, own: Policy | None, policy: str) -> None:
    """Let a policy steer from the next step on, unless it does already. Raises ValueError."""
    world = session.world
    if not policy:
        return
    settings = steering_settings(world)
    wanted = settings if own is not None else replace(settings, learner="" if policy == NOBODY else policy)
    name = own.name if own is not None else ""
    if (wanted, name) != (settings, world.policy.own):
        session.engine.do(Steer(settings=wanted, own=name))


async def _begin(save: Save, minds: tuple[str, ...], answers: Answers, own: Policy | None = None) -> Session:
    """Prepare the world of a save for its next step. own: a policy to steer its feed. Raises WorldFaults for a wrong
    choice of minds.
    """
    fresh = save.last_step == 0
    if fresh:
        world = await save.beginning()
        world.memories.live = True
        world.note_feed(0)
        _prepare_desk(world, save, own)
    else:
        with pause_gc():
            world = await save.seek(noting=True)
            with explain_unfitting(save.path):  # memories may fail on an event that the state accepted
                await world.memories.catch_up(save, save.last_seq)
        if world.grown.parameters is not None:
            raise SaveError(save.path, "is a society", "go on with it by a program (docs/society.md)")
        _prepare_desk(world, save, own)
        if is_forgetful(world):
            await teach_policy(world, save)
    save.keep_caches(world)
    view = View(world)
    if not fresh:
        kinds = {kind for kind, event in EVENTS.items() if not event.PACKED} - {Founded.KIND}
        view.tail.extend(await save.records(kinds, save.last_seq - TAIL, save.last_seq))
    info = await save.info()
    choice = choice_of(world.scenario, minds, info.meta.get(META, ""), allowed_models(info.uid))
    if minds:
        await save.note(META, minds_to_note(minds))
    mind, thinking = answers(choice.spec, world, save.calls)
    engine = Engine(world, mind, save)
    engine.watchers.append(view.saw)
    first_seq = 0 if fresh else world.seq
    return Session(engine, world, view, save, world.step, first_seq, thinking, choice.withheld, minds)


def _prepare_desk(world: World, save: Save, own: Policy | None) -> None:
    """Give whoever steers the feed their policy, and let them be heard."""
    world.desk.give(own)
    world.desk.told = save.warn


PAGE = 50_000  # events read at once


def policy_in_file(text: str) -> Policy:
    """A policy of one's own. Raises ValueError."""
    from sandbox.policy.files import load_policy  # imported only here: most worlds are steered by nobody

    return load_policy(text)


async def teach_policy(world: World, save: SaveReader) -> None:
    """Teach whoever steers a world what its log has taught them (`policy/teaching.py`)."""
    from sandbox.policy.teaching import KINDS, teach  # likewise

    async def log() -> AsyncIterator[Record]:
        for first in range(0, save.last_seq, PAGE):
            for record in await save.records(KINDS, first, min(first + PAGE, save.last_seq)):
                yield record

    await teach(world, log())


# ---- how matters ended, what was decided, who quarrelled


async def annals_before(save: SaveReader, world: World) -> AnnalsOpened:
    """The annals of a world up to now, out of its save; empty if the world keeps them already. Raises SaveError."""
    if world.annals.kept:
        return AnnalsOpened()
    if isinstance(save, Save) and save.writes:
        await save.settle()
    return annals_of(await save.records(KINDS, 0, world.seq), world.cast_pressures)


async def remembering(save: SaveReader, world: World) -> World:
    """The given world with annals up to now, only to be read and not to be run. Raises SaveError."""
    if not world.annals.kept:
        opened(world, await annals_before(save, world), Stamp(world.seq, world.step, world.now, "", ()))
    return world
