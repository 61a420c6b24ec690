"""A replica: one arm of an experiment with one seed, lived into a save whose name says all it depends on."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache, partial
from importlib.metadata import version
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
HALF, NOTE = ".half.db", ".half.txt"  # ends of names: a save that is being lived, and a word on how far it is
NOTED = 1.0  # seconds between two such words


class Config(msgspec.Struct, frozen=True):
    """All that decides what happens in a replica. world: where to load it from; content: a digest of what that gave.
    minds: as `--mind` takes them, "embedded" for the rules of the package; asked: a digest of how models are asked and
    what they may spend, "" without any. versions: of the package and of what it leans on; code: a digest of the code;
    own: where rules and a mind are that a program brought along, with digests of theirs (`Own.fingerprints`).
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
        """Twenty hex digits that stand for the whole config, wherever its world lies."""
        whole = msgspec.json.encode(msgspec.structs.replace(self, world=""), order="sorted")
        return hashlib.sha256(whole).hexdigest()[:20]

    def save(self, folder: Path) -> Path:
        """Where its save is kept."""
        return folder / f"{self.name}.db"


class Replica(NamedTuple):
    """arm: its name. own: what a program brought along for it."""

    arm: str
    config: Config
    own: CustomMinds = NONE


class ReplicaOutcome(msgspec.Struct, frozen=True):
    """What became of a replica. error: "" if it is whole. skipped: it was whole before. seconds: on the wall."""

    name: str
    error: str = ""
    skipped: bool = False
    seconds: float = 0.0


def replicas(
    experiment: Experiment, minds: Sequence[str] = (EMBEDDED,), own: Mapping[str, CustomMinds] | None = None
) -> list[Replica]:
    """All replicas of an experiment, arm by arm. own: arm -> what a program brought along. Raises WorldFaults."""
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
    """A digest of what a sitting with these minds asks them. Raises WorldFaults for minds that there cannot be, or that
    the world names and nobody has allowed: an experiment does not go on with others than it seems to have.
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
    """What the files give now, and not what they gave when they were read last."""
    return shift_start(load(find_world(world), seed=0, step=step, set=split_settings(settings)[0]), start)


@lru_cache(maxsize=16)  # two megabytes each: arms are lived in turn
def _promised(world: str, start: str, step: int, settings: tuple[str, ...], content: str) -> Scenario:
    """The scenario of that content, which several seeds share. Raises LabFaults if the files give another."""
    found = _scenario(world, start, step, settings)
    if _digest(found) != content:
        raise lab_fault(world, "the world's files have changed since; start the experiment anew")
    return found


def shift_start(scenario: Scenario, start: str) -> Scenario:
    """A scenario that starts at another date and hour.

    Where people are and what they do at the start belongs to the world's own hour: at another one everybody is at home,
    awake or not as their routine has it. Pressures keep their time of day; one whose hour would then have passed comes
    as long after the start as its file says. Occasions come on their weekdays and dates.
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
    """A digest of what the files of an experiment's world give now, as its first arm has it (`Config.content`)."""
    settings = (*experiment.settings, *experiment.arms[0].settings)
    return _digest(_scenario(experiment.world, experiment.start, experiment.step, settings))


def _digest(value: msgspec.Struct) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


def _versions() -> dict[str, str]:
    """Of the package, and of what else decides events: ways and sight are tcod's."""
    return dict(sorted({**versions(), "tcod": version("tcod")}.items()))


# ---- living it


def run_replica(config: Config, folder: str, own: CustomMinds = NONE) -> ReplicaOutcome:
    """Live a replica, unless its save is whole. Whatever is wrong with it is told in the outcome."""
    began, path = perf_counter(), config.save(Path(folder))
    try:
        if is_complete(config, Path(folder)):
            return ReplicaOutcome(config.name, skipped=True)
        asyncio.run(_live(config, path, own))
    except Exception as error:
        return ReplicaOutcome(config.name, error=error_words(error), seconds=perf_counter() - began)
    return ReplicaOutcome(config.name, seconds=perf_counter() - began)


def is_complete(config: Config, folder: Path) -> bool:
    """Whether the save of that config is there, says that it is, and has reached its last step. Raises OutOfReach where
    that cannot be known just now: it may be whole, and is not to be lived again.
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
    """Live it in a file of another name, which takes its own when it is whole: half a replica never counts."""
    base = _promised(config.world, config.start, config.step, config.settings, config.content)
    here = own.fingerprints
    if config.own != here:
        odd = next(name for name in sorted({*config.own, *here}) if config.own.get(name) != here.get(name))
        mend = "what answers keeps nothing between its calls, and is the same everywhere"
        raise lab_fault("rules", f"{odd}: not what it was when this began; {mend}")
    if (config.versions, config.code) != (_versions(), code()):
        mend = "install the same one everywhere; what a program has changed of it in its own process stays there"
        raise lab_fault("--jobs or --cluster", f"this worker has another version or other code; {mend}")
    scenario = msgspec.structs.replace(base, seed=config.seed)
    half = path.with_name(f"{path.stem}{HALF}")
    meta = {"title": scenario.title, "world": scenario.name, META: config.name}
    try:
        async with await Save.create(half, founding(scenario), meta, overwrite=True):
            pass
        minds = (EMBEDDED,) if own.mind else config.minds  # of the config, whatever the settings say
        sitting = open_session(half, minds=minds, answers=partial(answering, own, config.settings))
        async with sitting as session, _noting(session, path.with_name(f"{path.stem}{NOTE}")):
            await run_free(session.engine, steps=config.steps)
        os.replace(half, path)
    except BaseException:
        if not is_being_written(half):  # by another run, which lives it
            with suppress(OSError):
                half.unlink(missing_ok=True)
        raise


@asynccontextmanager
async def _noting(session: Session, path: Path) -> AsyncIterator[None]:
    """Keep a word on how far a sitting is in a file beside its save: a step may be long where a model is slow."""

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
    """How far those of these names are that are being lived into a folder, in words; "" if none is."""
    steps: list[int] = []
    answers = 0
    for path in sorted(folder.glob(f"*{NOTE}")):
        with suppress(OSError, ValueError):  # just gone, or just being written
            step, answered = map(int, path.read_text(encoding="utf-8").split())
            if path.name.removesuffix(NOTE) in names:
                steps.append(step)
                answers += answered
    if not steps:
        return ""
    lived = [f"{step:,}" for step in steps if step]
    said = f"at step{'s' * (len(lived) > 1)} {join_names(lived)}" if lived else "beginning"
    return f"{said}, {answers:,} answers of models" if answers else said
