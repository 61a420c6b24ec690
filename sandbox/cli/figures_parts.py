"""Measuring parts of the engine alone: what comes to mind, what a line and a decision cost the embedded mind, an event
the finder of incidents, a claim whoever looks for it. And the loop that is timed beside everything, to tell a slow
machine from a slow program.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from time import process_time
from typing import NamedTuple

from sandbox.cli.calibration import run_calibration
from sandbox.core.chance import Stream as Chance
from sandbox.core.protocols import Answer, Question
from sandbox.engine.drivers import run_free
from sandbox.engine.engine import Engine, Nowhere
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.claim_handlers import between, knows
from sandbox.people.memory import MemoryParameters, retrieve
from sandbox.people.memory_stream import Memory, MemoryStream
from sandbox.people.mood import Pad
from sandbox.readers.incidents import KINDS, Incidents
from sandbox.store.save import Save
from sandbox.store.session import founding
from sandbox.talk.question_effects import FeelAbout
from sandbox.talk.question_replies import Accept, Respond
from sandbox.talk.question_say import Say
from sandbox.talk.question_wishes import Approach

MEMORIES = 10_000
SHOWN = 30
QUERY = "What is there between Otis and me about sixty-two on the bakery slate?"
DEEDS = (
    "fed the ducks",
    "talked with Otis about the loaf",
    "saw Mara sweeping the bakery",
    "paid what was on the slate",
)
DECISIONS = (Approach, Accept, Respond, FeelAbout)


def best_time(rounds: int, work: Callable[[], object]) -> float:
    """CPU seconds of the quickest of that many rounds."""
    times = []
    for _ in range(rounds):
        began = process_time()
        work()
        times.append(process_time() - began)
    return min(times)


def loop() -> float:
    """CPU seconds of the calibration loop, the best of seven."""
    return best_time(7, run_calibration)


def unkept(scenario: Scenario, make: type[EmbeddedMind] = EmbeddedMind) -> Engine:
    """The engine of a new world that lives by such a mind, and of which nothing is kept."""
    world = World.found(founding(scenario))
    return Engine(world, make(world.chance, scenario.lines), Nowhere())


class Retrieved(NamedTuple):
    """CPU seconds a retrieval, and bytes of the columns it is weighed by."""

    seconds: float
    size: int


def measure_retrieval() -> Retrieved:
    """Retrieve again and again from one long life."""
    chance = Chance(b"bench retrieval")
    stream = MemoryStream(kept=MEMORIES)
    for i in range(MEMORIES):
        after = Pad(*(2.0 * chance.unit() - 1.0 for _ in range(3)))
        text = f"{chance.choice(DEEDS)} for the {i % 997}th time"
        stream.add(Memory(i, "event", i * 60, i * 60, text, (), 1 + chance.below(10), i + 1, after=after))
    now, mood, p = MEMORIES * 60, Pad(0.4, 0.2, -0.3), MemoryParameters()
    retrieve(stream, QUERY, now, mood, p, SHOWN)
    seconds = best_time(50, lambda: retrieve(stream, QUERY, now, mood, p, SHOWN))
    return Retrieved(seconds, stream.columns().nbytes)


def measure_claims(scenario: Scenario) -> tuple[float, int]:
    """CPU seconds to look up what is so between two people, and whether each of it is known to another; and of how many
    claims.
    """
    world = World.found(founding(scenario))
    pairs = [*permutations(world.cast, 2)]
    asks = next(iter(world.cast))

    def look() -> None:
        for a, b in pairs:
            for claim in between(world, a, b):
                knows(world, asks, claim)

    return best_time(15, look) / len(pairs), len(world.claims.open)


class QuestionBatch(NamedTuple):
    """Questions of one batch."""

    questions: list[Question]
    step: int
    wave: int


class Listening(EmbeddedMind):
    """The embedded mind, which keeps what it is asked."""

    asked: list[QuestionBatch]

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        self.asked.append(QuestionBatch(list(questions), step, wave))
        return await super().answer(questions, step, wave)


class ThinkingCost(NamedTuple):
    """CPU seconds a line and a decision, and how many of them were timed."""

    line: float
    decision: float
    lines: int
    decisions: int


async def measure_talk(scenario: Scenario, until: int) -> ThinkingCost:
    """Live a town up to a second, then have the mind answer once more what it was asked."""
    engine = unkept(scenario, Listening)
    mind = engine.mind
    assert isinstance(mind, Listening)
    mind.asked = []
    await run_free(engine, until=until)
    asked, mind.asked = mind.asked, []
    found = []
    for kinds in ((Say,), DECISIONS):
        batches = [QuestionBatch([q for q in a.questions if isinstance(q, kinds)], a.step, a.wave) for a in asked]
        batches = [a for a in batches if a.questions]
        count = sum(len(a.questions) for a in batches)
        times = []
        for _ in range(3):
            began = process_time()
            for a in batches:
                await EmbeddedMind.answer(mind, a.questions, a.step, a.wave)
            times.append(process_time() - began)
        found.append((min(times) / max(1, count), count))
    (line, lines), (decision, decisions) = found
    return ThinkingCost(line, decision, lines, decisions)


async def measure_incidents(save: Path) -> tuple[float, int]:
    """CPU seconds an event of the log that incidents are found in, and how many there were."""
    async with await Save.open(save, read_only=True) as log:
        world = await log.beginning()
        records = await log.records(KINDS, 0, log.last_seq)
    times = []
    for _ in range(3):
        finder = Incidents(world.handbook, world.clock)
        gc.collect()
        began = process_time()
        finder.read(records)
        finder.of(finder.day)
        times.append(process_time() - began)
    return min(times) / max(1, len(records)), len(records)
