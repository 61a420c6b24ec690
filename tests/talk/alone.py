"""Talks of two, with nothing else going on in town: begun by hand, and led exchange by exchange."""

from __future__ import annotations

import asyncio

from lived import Listening, founding

from sandbox.core.events import Record
from sandbox.core.protocols import Mind, Question
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.talk.model import Exchanged, Opened, Talk
from sandbox.talk.turns import run_exchanges


class Two:
    """Mara and Basil in a town that begins. heard: what was asked since that was last emptied."""

    def __init__(self, scenario: Scenario, mind: Mind | None = None) -> None:
        self.world = World.found(founding(scenario))
        self.mind = Listening(mind or EmbeddedMind(self.world.chance, scenario.lines))

    @property
    def heard(self) -> list[Question]:
        return [q for q, _ in self.mind.heard]

    @property
    def talk(self) -> Talk:
        """The talk under way."""
        return next(iter(self.world.talk.open.values()))

    def step(self) -> Running:
        """The next minute."""
        self.world.step += 1
        self.world.now = (self.world.step - 1) * self.world.step_seconds
        return Running(self.world, self.mind)

    def begin(self, intent: str = "chat", length: int = 4, quiet: bool = True) -> Talk:
        """Mara begins to talk to Basil."""
        step, place = self.step(), next(iter(self.world.map.areas))
        id_ = f"{step.now}.mara.basil"
        step.emit(Opened(id_, "basil", place, intent, length, (), quiet=quiet), t=step.now, actor="mara")
        return self.talk

    def exchange(self) -> Exchanged:
        """The next exchange of the talk under way."""
        step = self.step()
        asyncio.run(run_exchanges(step, self.world, [self.talk]))
        (said,) = [r.event for r in step.records if isinstance(r.event, Exchanged)]
        return said

    def to_the_goodbye(self) -> Exchanged:
        """All exchanges up to the one that ends it; that one."""
        talk = self.talk
        while talk.exchanges + 1 < talk.length:
            self.exchange()
        return self.exchange()


def words(e: Exchanged) -> list[str]:
    """What was said in words."""
    return [line.text for line in e.lines if line.text]


def exchanges(records: list[Record]) -> dict[str, list[Exchanged]]:
    """Talk -> its exchanges in order."""
    out: dict[str, list[Exchanged]] = {}
    for _, e in records:
        if isinstance(e, Exchanged):
            out.setdefault(e.talk, []).append(e)
    return out
