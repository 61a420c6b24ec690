"""A replica: one arm of an experiment with one seed, run into a save whose name encodes all it depends on."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import msgspec

from sandbox.core.clock import Clock, parse_start
from sandbox.core.text import join_names
from sandbox.engine.drivers import run_free
from sandbox.engine.loading import WorldFaults, find_world, list_worlds, load
from sandbox.engine.scenario import Scenario
from sandbox.lab.code_digest import code, qualified_name
from sandbox.lab.custom_minds import NONE, CustomMinds, answering, asking, check_custom_minds, error_words
from sandbox.lab.experiment import Experiment, lab_fault, split_settings
from sandbox.minds.spec import EMBEDDED
from sandbox.people.persona import Pressure
from sandbox.store.choose_mind import choice_of, withheld_words
from sandbox.store.errors import OutOfReach, SaveError
from sandbox.store.lock import is_being_written
from sandbox.store.save import Save
from sandbox.store.session import Session, founding, open_session, versions

META = "config"  # the key of a save's meta that holds the config's name
HALF, NOTE = ".half.db", ".half.txt"  # suffixes: a save still being run, and a note on its progress
NOTED = 1.0  # seconds between two notes


class Config(msgspec.Struct, frozen=True):
    """Everything that decides a replica. world: where to load it; content: digest of what was loaded. minds: as for
    `--mind`, "embedded" for the package's rules; asked: digest of how models are asked and of their limits, "" without
    models. versions: of the package and libraries; code: digest of the code; own: qualified names of supplied rules or
    mind with their digests (`CustomMinds.fingerprints`).
    """

    world: str
    start: str
    step: int
    steps: int
    settings: tuple[str, ...]
    seed: int
    minds: tuple[str, ...]
    asked: str
    content: str
    versions: dict[str, str]
    code: str
    own: dict[str, str] = {}

    @property
    def name(self) -> str:
        """Twenty hex digits that identify the config, wherever its world lies."""
        whole = msgspec.json.encode(msgspec.structs.replace(self, world=""), order="sorted")
        return hashlib.sha256(whole).hexdigest()[:20]

    def save(self, folder: Path) -> Path:
        """The path of its save."""
        return folder / f"{self.name}.db"


class Replica(NamedTuple):
    """arm: its name. own: supplied rules or mind."""

    arm: str
    config: Config
    own: CustomMinds = NONE


class ReplicaOutcome(msgspec.Struct, frozen=True):
    """The outcome of a replica. error: "" if it is complete. skipped: it was complete before. seconds: of wall time."""

    name: str
    error: str = ""
    skipped: bool = False
    seconds: float = 0.0


def replicas(
    experiment: Experiment, minds: Sequence[str] = (EMBEDDED,), own: Mapping[str, CustomMinds] | None = None
) -> list[Replica]:
    """All replicas of an experiment, arm by arm. own: arm -> supplied rules or mind. Raises WorldFaults."""
    world = experiment.world
    if world not in list_worlds():
        world = str(find_world(world).resolve())
    made, out = (_versions(), code()), []
    for arm in experiment.arms:
        settings = (*experiment.settings, *arm.settings)
        scenario = _scenario(world, experiment.start, experiment.step, settings)
        mine = (own or {}).get(arm.name, NONE)
        check_custom_minds(mine)
        brought = mine.fingerprints
        content, asked = _digest(scenario), _asked(scenario, minds, settings) if mine.mind is None else ""
        for seed in experiment.seeds:
            config = Config(
                world=world,
                start=experiment.start,
                step=experiment.step,
                steps=experiment.steps,
                settings=settings,
                seed=seed,
                minds=tuple(minds) if mine.mind is None else (qualified_name(mine.mind),),
                asked=asked,
                content=content,
                versions=made[0],
                code=made[1],
                own=brought,
            )
            out.append(Replica(arm.name, config, mine))
    return out


def _asked(scenario: Scenario, minds: Sequence[str], settings: Sequence[str]) -> str:
    """A digest of what these minds are asked. Raises WorldFaults for invalid minds, and for minds named by the world
    but not allowed: an experiment must not silently use others.
    """
    try:
        spec, withheld = choice_of(scenario, minds)
    except ValueError as error:
        if isinstance(error, WorldFaults):
            raise
        raise lab_fault("--mind", str(error)) from None
    if withheld:
        raise lab_fault("--mind", withheld_words(withheld, f"the world {scenario.name}"))
    return _digest(asking(spec, settings)) if spec.models else ""


# ---- what is lived


def _scenario(world: str, start: str, step: int, settings: tuple[str, ...]) -> Scenario:
    """Load the scenario from the files as they are now, without a cache."""
    return shift_start(load(find_world(world), seed=0, step=step, set=split_settings(settings)[0]), start)


@lru_cache(maxsize=16)  # two megabytes each; arms are run in turn
def _promised(world: str, start: str, step: int, settings: tuple[str, ...], content: str) -> Scenario:
    """The scenario with that content, shared by several seeds. Raises LabFaults if the files have changed."""
    found = _scenario(world, start, step, settings)
    if _digest(found) != content:
        raise lab_fault(world, "the world's files have changed since; run the experiment again")
    return found


def shift_start(scenario: Scenario, start: str) -> Scenario:
    """A scenario that starts at another date and hour.

    Initial places and activities belong to the world's own hour: at another one everybody is at home, awake or asleep
    according to routine. Pressures keep their time of day; if that has passed, they come as long after the start as
    their file says. Occasions keep their weekdays and dates.
    """
    if start == scenario.start:
        return scenario
    was, now = Clock(parse_start(scenario.start)), Clock(parse_start(start))
    earlier = was.offset - now.offset
    pressures = tuple(_moved(p, earlier) for p in scenario.pressures)
    return msgspec.structs.replace(scenario, start=start, opening={}, pressures=pressures)


def _moved(p: Pressure, earlier: int) -> Pressure:
    wakes, due = max(0, p.wakes + earlier), p.due
    if due is not None and due + earlier > wakes:
        due += earlier
    return msgspec.structs.replace(p, wakes=wakes, due=due)


def world_content(experiment: Experiment) -> str:
    """A digest of an experiment's world as its files are now, with the first arm's settings (`Config.content`)."""
    settings = (*experiment.settings, *experiment.arms[0].settings)
    return _digest(_scenario(experiment.world, experiment.start, experiment.step, settings))


def _digest(value: msgspec.Struct) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


def _versions() -> dict[str, str]:
    """Versions of the package and of libraries that decide events."""
    return dict(sorted(versions().items()))


# ---- living it


def run_replica(config: Config, folder: str, own: CustomMinds = NONE) -> ReplicaOutcome:
    """Run a replica, unless its save is complete. All errors are reported in the outcome."""
    began, path = perf_counter(), config.save(Path(folder))
    try:
        if is_complete(config, Path(folder)):
            return ReplicaOutcome(config.name, skipped=True)
        asyncio.run(_live(config, path, own))
    except Exception as error:
        return ReplicaOutcome(config.name, error=error_words(error), seconds=perf_counter() - began)
    return ReplicaOutcome(config.name, seconds=perf_counter() - began)


def is_complete(config: Config, folder: Path) -> bool:
    """Whether the save of a config exists, is marked complete, and has reached its last step. Raises OutOfReach if that
    cannot be known now: it may be complete, and must not be run again.
    """
    path = config.save(folder)
    return path.is_file() and asyncio.run(_whole(config, path))


async def _whole(config: Config, path: Path) -> bool:
    try:
        async with await Save.open(path, read_only=True) as save:
            return save.last_step == config.steps and (await save.info()).meta.get(META) == config.name
    except OutOfReach:
        raise
    except SaveError:
        return False


async def _live(config: Config, path: Path, own: CustomMinds) -> None:
    """Run it in a temporary file that is renamed when complete: half a replica never counts."""
    base = _promised(config.world, config.start, config.step, config.settings, config.content)
    here = own.fingerprints
    if config.own != here:
        odd = next(name for name in sorted({*config.own, *here}) if config.own.get(name) != here.get(name))
        mend = "rules and minds must keep nothing between calls, and be the same everywhere"
        raise lab_fault("rules", f"{odd}: is not what it was when the experiment began; {mend}")
    if (config.versions, config.code) != (_versions(), code()):
        mend = "install the same one everywhere; what a program changes in its own process does not reach workers"
        raise lab_fault("--jobs or --cluster", f"this worker has another version or other code; {mend}")
    scenario = msgspec.structs.replace(base, seed=config.seed)
    half = path.with_name(f"{path.stem}{HALF}")
    meta = {"title": scenario.title, "world": scenario.name, META: config.name}
    try:
        async with await Save.create(half, founding(scenario), meta, overwrite=True):
            pass
        minds = (EMBEDDED,) if own.mind else config.minds  # those of the config, whatever the settings
        sitting = open_session(half, minds=minds, answers=partial(answering, own, config.settings))
        async with sitting as session, _noting(session, path.with_name(f"{path.stem}{NOTE}")):
            await run_free(session.engine, steps=config.steps)
        os.replace(half, path)
    except BaseException:
        if not is_being_written(half):  # unless another run is writing it
            with suppress(OSError):
                half.unlink(missing_ok=True)
        raise


@asynccontextmanager
async def _noting(session: Session, path: Path) -> AsyncIterator[None]:
    """Write the progress of a session to a file beside its save: a step may take long with a slow model."""

    async def note() -> None:
        while True:
            answered = session.thinking.answered if session.thinking is not None else 0
            with suppress(OSError):
                path.write_text(f"{session.world.step} {answered}", encoding="utf-8")
            await asyncio.sleep(NOTED)

    noting = asyncio.create_task(note())
    try:
        yield
    finally:
        noting.cancel()
        with suppress(OSError):
            path.unlink(missing_ok=True)


def progress_text(names: Collection[str], folder: Path) -> str:
    """The progress of those of these replicas that are running, in words; "" if none is."""
    steps: list[int] = []
    answers = 0
    for path in sorted(folder.glob(f"*{NOTE}")):
        with suppress(OSError, ValueError):  # just removed or being written
            step, answered = map(int, path.read_text(encoding="utf-8").split())
            if path.name.removesuffix(NOTE) in names:
                steps.append(step)
                answers += answered
    if not steps:
        return ""
    lived = [f"{step:,}" for step in steps if step]
    said = f"at step{'s' * (len(lived) > 1)} {join_names(lived)}" if lived else "beginning"
    return f"{said}, {answers:,} answers of models" if answers else said
