"""Measuring talk and drama: what a line and a decision cost the embedded mind, and an event the finder of incidents."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

from sandbox.core.protocols import Answer, Question
from sandbox.engine.drivers import run_free
from sandbox.engine.engine import Engine
from sandbox.engine.journal import Nowhere
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded.mind import EmbeddedMind
from sandbox.store.save import Save
from sandbox.store.session import founding
from sandbox.stories.incidents import KINDS, Incidents
from sandbox.talk.deciding.effects import FeelAbout
from sandbox.talk.deciding.replies import Accept, Respond
from sandbox.talk.deciding.say import Say
from sandbox.talk.deciding.wishes import Approach

DECISIONS = (Approach, Accept, Respond, FeelAbout)
ROUNDS = 3


class Asked(NamedTuple):
    """Questions of one batch."""

    questions: list[Question]
    step: int
    wave: int


class Listening(EmbeddedMind):
    """The embedded mind, which keeps what it is asked."""

    asked: list[Asked]

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        self.asked.append(Asked(list(questions), step, wave))
        return await super().answer(questions, step, wave)


class Thinking(NamedTuple):
    """CPU seconds a line and a decision, and how many of them were timed."""

    line: float
    decision: float
    lines: int
    decisions: int


async def measure_talk(scenario: Scenario, until: int) -> Thinking:
    """Live a town up to a second, then have the mind answer once more what it was asked."""
    world = World.found(founding(scenario))
    mind = Listening(world.chance, scenario.lines)
    mind.asked = []
    await run_free(Engine(world, mind, Nowhere()), until=until)
    asked, mind.asked = mind.asked, []
    found = []
    for kinds in ((Say,), DECISIONS):
        batches = [Asked([q for q in a.questions if isinstance(q, kinds)], a.step, a.wave) for a in asked]
        batches = [a for a in batches if a.questions]
        count = sum(len(a.questions) for a in batches)
        best = float("inf")
        for _ in range(ROUNDS):
            began = process_time()
            for a in batches:
                await EmbeddedMind.answer(mind, a.questions, a.step, a.wave)
            best = min(best, process_time() - began)
        found.append((best / max(1, count), count))
    (line, lines), (decision, decisions) = found
    return Thinking(line, decision, lines, decisions)


async def measure_incidents(save: Path) -> tuple[float, int]:
    """CPU seconds an event of the log that incidents are found in, and how many there were."""
    async with await Save.open(save, read_only=True) as log:
        world = await log.beginning()
        records = await log.records(KINDS, 0, log.last_seq)
    best = float("inf")
    for _ in range(ROUNDS):
        finder = Incidents(world.handbook, world.clock)
        gc.collect()
        began = process_time()
        finder.read(records)
        finder.of(finder.day)
        best = min(best, process_time() - began)
    return best / max(1, len(records)), len(records)
