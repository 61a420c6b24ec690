"""Interviews: asking people questions, their answers, and questions still being thought about."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.protocols import Mind
from sandbox.core.text import clean
from sandbox.engine.briefing import ask_person
from sandbox.engine.engine import Engine, JournalFull
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.asking import clean_question
from sandbox.readers.places import latest_thing
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.store.side_tables import InterviewRow
from sandbox.tui.view import log_queries
from sandbox.tui.view.viewer import Viewer

ANSWER = 1200  # characters of an answer that are kept


class PendingQuestion(NamedTuple):
    """A question not answered yet. since: when it was asked, in wall-clock seconds."""

    ask: str
    since: float


class Interviews:
    """The interviews of one session. fault: why the last answer could not be saved, or ""."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.pending: dict[str, PendingQuestion] = {}
        self.faults: dict[str, str] = {}  # person -> why the embedded mind answered last instead of a model, or ""
        self.fault = ""
        self._asked: dict[str, list[InterviewRow]] = {}

    def of(self, who: str) -> list[InterviewRow]:
        """The interviews of a person up to the moment shown, oldest first."""
        return [a for a in self._asked.get(who, ()) if a.t <= self.viewer.shown]

    async def read(self, who: str) -> None:
        """Load a person's interviews from the save, and everybody's memories in a replay. Raises SaveError."""
        viewer = self.viewer
        if who not in self._asked:
            self._asked[who] = await viewer.session.save.interviews(who)
        if not viewer.world.memories.live:
            await log_queries.catch_up_memories(viewer)

    async def ask(self, who: str, text: str) -> bool:
        """Ask a person and save the answer. False if there is no question or they still think. Raises SaveError."""
        text = clean_question(text)
        if not text or who in self.pending:
            return False
        viewer = self.viewer
        self.pending[who] = PendingQuestion(text, viewer.clock())
        try:
            await self.read(who)
            world, t = viewer.world, int(viewer.shown)
            n = sum(a.step == world.step for a in self._asked[who])
            said = await ask_person(world, self._mind(), who, text, t, n, self._matters(who, text))
            self.faults[who] = clean(said.fault, 200)
            thinking = viewer.session.thinking
            model = thinking.models.get(who, "") if thinking is not None and not said.fault else ""
            found = InterviewRow(world.step, t, who, text, clean(said.text, ANSWER), model, said.memories)
            await self._keep(found)  # saved before it is shown, so that an answer once read is never lost
        finally:
            del self.pending[who]
        self._asked[who].append(found)
        return True

    def _matters(self, who: str, text: str) -> tuple[str, ...]:
        """What came of the person's latest thing on the map, if the question names it."""
        things = self.viewer.things
        thing = latest_thing(things.at(self.viewer.shown), who)
        return things.began(thing) if thing is not None and thing.bare.lower() in text.lower() else ()

    def _mind(self) -> Mind:
        """The mind of a live town; the embedded mind in a replay."""
        session = self.viewer.session
        if isinstance(session.engine, Engine):
            return session.engine.mind
        return EmbeddedMind(session.world.chance, session.world.scenario.lines)

    async def _keep(self, found: InterviewRow) -> None:
        save = self.viewer.session.save
        if isinstance(save, Save) and save.writes:
            try:
                await save.asked(found)
                self.fault = ""
            except (SaveError, JournalFull) as error:
                self.fault = str(error)
