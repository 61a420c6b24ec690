"""Larkspur in which it counts who is heard, and asks put into it as talks leave them."""

from __future__ import annotations

from functools import cache
from typing import Any

from lived import founding

from sandbox.core.clock import MINUTE
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.loading import find_world, load
from sandbox.engine.world import World
from sandbox.society.town_domain import make_rounds
from sandbox.talk.model import Closed, Exchanged, Opened, Utterance

QUIET = ("feed.on=false", "feed.crowd=0")
ADVICE, HAND = "share_trouble", "ask_help"  # exchanges of the deck


@cache
def scenario(*settings: str) -> Any:
    return load(find_world("larkspur"), seed=5, set=(*QUIET, *settings))


class Asked:
    """A town. records: of all that happened in it. Works as the step of a system, too."""

    number, now, end = 1, 0, 3 * MINUTE

    def __init__(self, *settings: str) -> None:
        self.world = World.found(founding(scenario(*settings)))
        self.records: list[Record] = []

    def emit(self, event: Event, *, t: int | None = None, actor: str = "", causes: tuple[int, ...] = ()) -> int:
        stamp = Stamp(self.world.seq + 1, 1, self.now if t is None else t, actor, causes)
        self.records.append(Record(stamp, event))
        self.world.apply(self.records[-1])
        return stamp.seq

    def ask(self, who: str, other: str, answer: str = "accept", do: str = HAND, words: int = 10, more: int = 1) -> None:
        """A talk in which one asks the other for help. words: of the answer; more: exchanges that follow it up."""
        self.now += 1
        id = f"{self.now}.{who}.{other}"
        self.emit(Opened(id, other, "", do, 3, ()), actor=who)
        x = self.world.drama.exchanges[do]
        said = self._said(who, x.move, "Would you?", 0.2), self._said(other, x.replies[answer], "yes " * words, 0.5)
        self.emit(Exchanged(id, 1, x.move, said, (), "owed", do, answer), actor=who)  # type: ignore[arg-type]
        for n in range(more):
            lines = self._said(who, "ask_on", "How?", 0.1), self._said(other, "answer_on", "so " * words, 0.1)
            self.emit(Exchanged(id, 2 + n, "ask_on", lines, ()), actor=who)
        self.emit(Closed(id, (who, other), "a talk", "plain", "", ()), actor=who)

    def _said(self, who: str, move: str, text: str, valence: float) -> Utterance:
        return Utterance(who, text.strip(), move, "", "", valence, ())

    async def rounds(self) -> None:
        """Make the rounds that are complete."""
        await make_rounds(self, self.world)  # type: ignore[arg-type]
