"""Talk on the map: who has the floor at a moment, the mark over those who talk, and the one line in a bubble."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.core.text import clean
from sandbox.talk.model import Exchanged, Opened, Utterance
from sandbox.tui.render.bubbles import COLUMNS, LINES, wrap

KEPT = 600
READ, READ_A_CHARACTER = 1.2, 0.05
TELLING = frozenset(("gossip", "react_gossip", "worry"))
TENDER = frozenset(("comfort", "compliment", "thank"))
_SENTENCES = re.compile(r"(?<=[.!?…])\s+")


class Turn(NamedTuple):
    """An exchange of a talk from second t on. change: how far it moved both moods; tone: mean valence of its lines."""

    talk: str
    who: tuple[str, str]
    t: int
    lead: str
    lines: tuple[Utterance, ...]
    change: float
    tone: float


class Spoken(NamedTuple):
    """A line somebody says to somebody, in the turn it belongs to."""

    turn: Turn
    line: Utterance

    @property
    def to(self) -> str:
        """Who is spoken to."""
        a, b = self.turn.who
        return b if self.line.who == a else a


class Floor:
    """The exchanges of the last hours. Hand `saw` to `engine.watchers`. exchange: seconds one takes."""

    def __init__(self, exchange: int) -> None:
        self.exchange = max(1, exchange)
        self._turns: deque[Turn] = deque(maxlen=KEPT)
        self._pairs: dict[str, tuple[str, str]] = {}

    def clear(self) -> None:
        """Forget all: the town stands at another moment."""
        self._turns.clear()
        self._pairs.clear()

    def saw(self, records: Sequence[Record]) -> None:
        """Take in a finished step."""
        for stamp, e in records:
            if isinstance(e, Opened):
                if len(self._pairs) > KEPT:
                    self._pairs.clear()
                self._pairs[e.id] = (stamp.actor, e.other)
            elif isinstance(e, Exchanged) and e.lines:
                who = self._pairs.get(e.talk) or _pair(e)
                change = sum(abs(x) for shift in e.shifts for x in shift.delta)
                tone = sum(line.valence for line in e.lines) / len(e.lines)
                self._turns.append(Turn(e.talk, who, stamp.t, e.lead, e.lines, change, tone))

    def at(self, t: float, reach: int = 3600) -> list[Turn]:
        """The exchanges going on at t. reach: how far back (seconds) the log is searched for their start."""
        out: dict[str, Turn] = {}
        for turn in reversed(self._turns):
            if turn.t < t - self.exchange - reach:
                break
            if turn.t <= t < turn.t + self.exchange:
                out.setdefault(turn.talk, turn)
        return list(out.values())

    def last(self, who: str, t: float) -> Turn | None:
        """The newest exchange that person had a part in by t."""
        return next((turn for turn in reversed(self._turns) if turn.t <= t and who in turn.who), None)

    def spoken(self, turn: Turn, t: float) -> Spoken:
        """The line said at t: an exchange's lines share its time."""
        part = int((t - turn.t) / self.exchange * len(turn.lines))
        return Spoken(turn, turn.lines[max(0, min(part, len(turn.lines) - 1))])


def _pair(e: Exchanged) -> tuple[str, str]:
    a = e.lines[0].who
    return a, next((line.who for line in e.lines if line.who != a), a)


def mark(turn: Turn) -> str:
    """What stands over people who talk: a row, gossip, tenderness, or just talk."""
    if turn.lead == "snap" or turn.tone <= -0.3:
        return "!"
    if turn.lead in TELLING:
        return "?"
    return "♥" if turn.lead in TENDER and turn.tone >= 0.3 else '"'


def brief(text: str) -> str:
    """As many of a line's first sentences as a bubble holds; the first alone, cut later, if it is long."""
    sentences = _SENTENCES.split(clean(text))
    out = sentences[0]
    for sentence in sentences[1:]:
        longer = f"{out} {sentence}"
        if len(wrap(longer, COLUMNS, 9)) > LINES:
            break
        out = longer
    return out


class Bubbles:
    """Chooses the line in the bubble: one talk at a time, each line long enough to be read."""

    def __init__(self, floor: Floor, clock: Callable[[], float] = perf_counter) -> None:
        self._floor, self._clock = floor, clock
        self._spoken: Spoken | None = None
        self._until = 0.0

    def forget(self) -> None:
        """The next choice is free: time was moved by hand, or the camera jumped."""
        self._until = 0.0

    def choose(
        self, turns: Sequence[Turn], t: float, selected: str = "", running: bool = True, seen: Mapping[str, object] = {}
    ) -> Spoken | None:
        """The line to show. turns: exchanges now going on in view; seen: people in view, by id.

        The selected person's talk goes first, then the one already shown, then the one that moves moods most.
        """
        now = self._clock()
        shown = self._spoken
        mine = next((turn for turn in turns if selected and selected in turn.who), None)
        if shown is not None and shown.line.who in seen:
            other_talk = mine is not None and mine.talk != shown.turn.talk
            if not other_talk and (now < self._until or (not running and self._until)):
                return shown
        same = next((turn for turn in turns if shown is not None and turn.talk == shown.turn.talk), None)
        turn = mine or same or max(turns, key=lambda turn: (turn.change, turn.talk), default=None)
        if turn is None:
            self._spoken = None
            return None
        spoken = self._floor.spoken(turn, t)
        if spoken != shown:
            self._spoken = spoken
            self._until = now + READ + READ_A_CHARACTER * len(brief(spoken.line.text))
        return spoken
