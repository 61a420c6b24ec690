"""A script deals cards from a file, each at an hour or when a condition holds, so that experiments can be repeated."""

from __future__ import annotations

from typing import Annotated, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from sandbox.core.domain import Command
from sandbox.core.fields import meta
from sandbox.director.conditions import HasHistory, Predicate, is_met
from sandbox.director.model import TEXT, DealCard, Dealt
from sandbox.director.reading import READS, read_card

Name = Annotated[str, meta(most=80)]
Moment = Annotated[str, meta(reads="moment", most=40)]


class Cue(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card of a script. at: a moment; when: a condition (with both, the later counts); until: a moment after which
    it is skipped. deal: the name of a card, or a whole line as for `sandbox do`. The rest: arguments of the card,
    people and places by id or name, spans as "2h".
    """

    deal: Annotated[str, meta('"letter to mara about frozen_boxes"', most=TEXT, least=1)]
    at: Moment = ""
    when: Predicate | None = None
    until: Moment = ""
    to: Name = ""
    whom: Name = ""
    matter: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(most=120)] = ""
    words: Annotated[str, meta(most=TEXT)] = ""
    coins: Annotated[int, meta(low=0, high=10_000)] = 0
    post: Annotated[int, meta(low=-1, high=2**31 - 1, usual=-1)] = -1
    guest: Name = ""
    later: Annotated[str, meta(most=20)] = ""
    lasts: Annotated[str, meta(most=20)] = ""


class Script(msgspec.Struct, frozen=True):
    """The cues of a script. lines: the line of each in its file."""

    steps: tuple[Cue, ...]
    lines: tuple[int, ...] = ()

    @property
    def waits(self) -> bool:
        """Whether any cue waits for a condition."""
        return any(turn.when is not None for turn in self.steps)


class CommandReceiver(Protocol):
    """What takes commands, such as an engine."""

    refused: list[tuple[Command, str]]  # commands that were impossible once their step began, with the reason

    @property
    def world(self) -> HasHistory: ...

    def do(self, command: Command) -> None:
        """Do the command at the beginning of the next step. Raises ValueError, with a sentence, if it is impossible."""
        ...


class CueOutcome(NamedTuple):
    """What became of a cue. line: in its file; fault: why it was not dealt, "" if it was."""

    line: int
    deal: str
    t: int
    fault: str = ""


class Prompter:
    """Deals a script into a town: call `prompt` before each step of the engine, and `end` at the end. done: outcomes so
    far.
    """

    def __init__(self, script: Script) -> None:
        self._left = dict(enumerate(script.steps))
        self._lines = script.lines or tuple(range(1, len(script.steps) + 1))
        self._begun = False
        self._given: dict[int, Command] = {}  # index in `done` -> the command given for the last step
        self._refused: list[tuple[Command, str]] = []
        self.done: list[CueOutcome] = []

    def prompt(self, engine: CommandReceiver) -> None:
        """Deal the cues that are due now."""
        w, self._refused = engine.world, engine.refused
        self._settle()
        first, self._begun = not self._begun, True
        for i, turn in [*self._left.items()]:
            if first and turn.at and w.clock.moment(turn.at) < w.now:
                self._over(i, turn, w, f"{turn.at} is past; it is {w.clock.words(w.now)} as the run begins")
                continue
            if turn.until and w.clock.moment(turn.until) < w.now:
                self._over(i, turn, w, f"it was to be dealt until {turn.until}, and {_waited(turn)}")
                continue
            if turn.at and w.clock.moment(turn.at) > w.now:
                continue
            if turn.when is not None and not is_met(w, turn.when):
                continue
            try:
                command = DealCard(dealt=dealt_of(w, turn))
                engine.do(command)
                self._given[len(self.done)] = command
                self._over(i, turn, w, "")
            except ValueError as error:
                self._over(i, turn, w, str(error))

    def end(self, w: HasHistory) -> list[CueOutcome]:
        """The outcome of every cue in file order, including those that never came due."""
        self._settle()
        for i, turn in [*self._left.items()]:
            self._over(i, turn, w, _waited(turn) if turn.when is not None else f"the run ended before {turn.at}")
        return sorted(self.done, key=lambda x: (x.line, x.t))

    def _settle(self) -> None:
        """Record which commands of the last step were refused when it began."""
        for at, command in self._given.items():
            fault = next((says for c, says in self._refused if c is command), "")
            self.done[at] = self.done[at]._replace(fault=fault)
        self._given.clear()

    def _over(self, i: int, turn: Cue, w: HasHistory, fault: str) -> None:
        del self._left[i]
        self.done.append(CueOutcome(self._lines[i], turn.deal, w.now, fault))


def _waited(turn: Cue) -> str:
    return "its condition never came true" if turn.when is not None else "its hour had passed"


def dealt_of(w: HasHistory, turn: Cue) -> Dealt:
    """The card of a cue. Raises ValueError, with a sentence, if it is impossible now."""
    d = read_card(w, turn.deal)
    texts = {part: getattr(turn, part) for part in ("to", "whom", "matter", "where", "later", "lasts")}
    more = {part: READS[part](w, text) for part, text in texts.items() if text}
    plain = {"words": turn.words, "coins": turn.coins, "guest": turn.guest, "post": turn.post}
    return replace(d, **more, **{name: x for name, x in plain.items() if x not in ("", 0, -1)})
