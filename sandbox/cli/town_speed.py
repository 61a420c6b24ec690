"""Measuring a town, for `sandbox bench` and for benchmarks: a day, jumps into its save, a replay, and the embedded
mind's lines and decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY
from sandbox.core.protocols import Answer, Question
from sandbox.engine.drivers import run_free
from sandbox.engine.engine import Engine, Nowhere
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.store.player import relive
from sandbox.store.save import Save
from sandbox.store.session import founding, open_session
from sandbox.talk.question_effects import FeelAbout
from sandbox.talk.question_replies import Accept, Respond
from sandbox.talk.question_wishes import Approach
from sandbox.talk.saying import Say

WORLD, SEED, STEP = "larkspur", 42, 60  # step in seconds
JUMPS = 20  # that are timed
DECISIONS = (Approach, Accept, Respond, FeelAbout)


def load_measured() -> Scenario:
    """The town that is measured: Larkspur as it ships."""
    return load(find_world(WORLD), seed=SEED, step=STEP)


class DaySpeed(NamedTuple):
    """CPU and wall seconds of a day, and bytes of its save."""

    cpu: float
    wall: float
    size: int


async def measure_day(path: Path, settings: Sequence[str] = ()) -> DaySpeed:
    """Run a day of Larkspur in steps of a minute, into that new save. settings: of its rules, as for `--set`."""
    async with open_session(WORLD, seed=SEED, step=STEP, save=path, set=settings) as session:
        wall, cpu = perf_counter(), process_time()
        await run_free(session.engine, until=DAY)
        await session.save.settle()
        cpu, wall = process_time() - cpu, perf_counter() - wall
    return DaySpeed(cpu, wall, path.stat().st_size)


async def measure_seeks(path: Path) -> list[float]:
    """Wall seconds of JUMPS jumps to random steps of a save, which is opened again for each."""
    chance, times = Stream(b"bench seek"), []
    for _ in range(JUMPS):
        began = perf_counter()
        async with await Save.open(path, read_only=True) as save:
            await save.seek(1 + chance.below(save.last_step))
            times.append(perf_counter() - began)
    return times


async def measure_replay(path: Path) -> float:
    """Steps replayed from a save in a CPU second, without verifying: the best of three times."""
    rate = 0.0
    for _ in range(3):
        async with await Save.open(path, read_only=True) as save:
            began = 0.0
            async for lived in relive(save):
                if not lived.world.step:  # founding the world is not timed
                    began = process_time()
            rate = max(rate, save.last_step / (process_time() - began))
    return rate


def unkept_engine(scenario: Scenario, make: type[EmbeddedMind] = EmbeddedMind) -> Engine:
    """The engine of a new world that is not saved. make: its mind."""
    world = World.found(founding(scenario))
    return Engine(world, make(world.chance, scenario.lines), Nowhere())


class QuestionBatch(NamedTuple):
    """Questions that were asked together."""

    questions: list[Question]
    step: int
    wave: int


class RecordingMind(EmbeddedMind):
    """The embedded mind, which also records what it is asked."""

    asked: list[QuestionBatch]

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        self.asked.append(QuestionBatch(list(questions), step, wave))
        return await super().answer(questions, step, wave)


class ThinkingCost(NamedTuple):
    """CPU seconds for a line and for a decision, and how many of each were timed."""

    line: float
    decision: float
    lines: int
    decisions: int


async def measure_talk(scenario: Scenario, until: int) -> ThinkingCost:
    """Run a town up to a second, then time the mind answering all its questions again."""
    engine = unkept_engine(scenario, RecordingMind)
    mind = engine.mind
    assert isinstance(mind, RecordingMind)
    mind.asked = []
    await run_free(engine, until=until)
    asked, mind.asked = mind.asked, []
    line, lines = await _answer_cost(mind, asked, (Say,))
    decision, decisions = await _answer_cost(mind, asked, DECISIONS)
    return ThinkingCost(line, decision, lines, decisions)


async def _answer_cost(
    mind: EmbeddedMind, asked: Sequence[QuestionBatch], kinds: tuple[type[Question], ...]
) -> tuple[float, int]:
    """CPU seconds for a question of these kinds, the best of three times; and how many there were."""
    batches = [QuestionBatch([q for q in a.questions if isinstance(q, kinds)], a.step, a.wave) for a in asked]
    batches = [batch for batch in batches if batch.questions]
    count = sum(len(batch.questions) for batch in batches)
    times = []
    for _ in range(3):
        began = process_time()
        for batch in batches:
            await EmbeddedMind.answer(mind, batch.questions, batch.step, batch.wave)
        times.append(process_time() - began)
    return min(times) / max(1, count), count
