"""Talk on the map: who has the floor at a moment, the mark over those who talk, and the lines in bubbles."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from time import perf_counter
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.readers.all_stories import STORIES
from sandbox.readers.story import SpeechTurn
from sandbox.talk.model import Opened, Utterance

KEPT = 600
MOST = 3  # bubbles at a time
WARM, PLAIN, HOSTILE = "warm", "plain", "hostile"  # the tone of a talk
READ, READ_A_CHARACTER = 1.2, 0.05
TELLING = frozenset(("gossip", "react_gossip", "worry"))
TENDER = frozenset(("comfort", "compliment", "thank"))


class SpeechLine(NamedTuple):
    """A line somebody says to somebody, in the turn it belongs to."""

    turn: SpeechTurn
    line: Utterance

    @property
    def to(self) -> str:
        """Who is spoken to."""
        a, b = self.turn.who
        return b if self.line.who == a else a


class CurrentTalks:
    """The exchanges of the last hours. Hand `saw` to `engine.watchers`. exchange: seconds one takes; hears: whether
    whoever looks can hear one that goes on.
    """

    def __init__(self, exchange: int, hears: Callable[[SpeechTurn], bool] = lambda turn: True) -> None:
        self.exchange = max(1, exchange)
        self.hears = hears
        self._turns: deque[SpeechTurn] = deque(maxlen=KEPT)
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
            for turn in STORIES[type(e)].speech(e, stamp):
                self._turns.append(turn._replace(who=self._pairs.get(turn.talk, turn.who)))

    def at(self, t: float, reach: int = 3600) -> list[SpeechTurn]:
        """The exchanges going on at t. reach: how far back (seconds) the log is searched for their start."""
        out: dict[str, SpeechTurn] = {}
        for turn in reversed(self._turns):
            if turn.t < t - self.exchange - reach:
                break
            if turn.t <= t < turn.t + self.exchange:
                out.setdefault(turn.talk, turn)
        return [turn for turn in out.values() if self.hears(turn)]

    def last(self, who: str, t: float) -> SpeechTurn | None:
        """The newest exchange in words that person had a part in by t."""
        return next((turn for turn in reversed(self._turns) if turn.t <= t and who in turn.who and turn.lines), None)

    def most_telling(self, talk: str, t: float) -> SpeechTurn | None:
        """The exchange of a talk, over or not, that tells most by t."""
        turns = [turn for turn in self._turns if turn.talk == talk and turn.t <= t and turn.lines]
        return max(turns, key=lambda turn: (*turn_rank(turn), -turn.t), default=None)

    def telling(self, talk: str, t: float, text: str = "") -> SpeechLine | None:
        """The line of a talk, over or not, with these words, else the one that tells most by t."""
        for turn in self._turns:
            if turn.talk == talk and turn.t <= t:
                for line in turn.lines:
                    if line.text == text:
                        return SpeechLine(turn, line)
        most = self.most_telling(talk, t)
        return None if most is None else SpeechLine(most, best_line(most))

    def spoken(self, turn: SpeechTurn, t: float) -> SpeechLine:
        """The line said at t: an exchange's lines share its time."""
        part = int((t - turn.t) / self.exchange * len(turn.lines))
        return SpeechLine(turn, turn.lines[max(0, min(part, len(turn.lines) - 1))])


def talk_mark(turn: SpeechTurn) -> str:
    """What stands over people who talk: a row, gossip, tenderness, or just talk."""
    if turn.lead == "snap" or turn.tone <= -0.3:
        return "!"
    if turn.lead in TELLING:
        return "?"
    return "♥" if turn.lead in TENDER and turn.tone >= 0.3 else '"'


def link_tone(turn: SpeechTurn) -> str:
    """How the line between those who talk is drawn."""
    sign = talk_mark(turn)
    return HOSTILE if sign == "!" else WARM if sign == "♥" or turn.tone >= 0.3 else PLAIN


RANK = {'"': 0, "?": 1, "♥": 2, "!": 3}


def turn_rank(turn: SpeechTurn) -> tuple[int, float]:
    """How much an exchange tells: a row before tenderness, gossip and talk; then how far it moved both moods."""
    return RANK[talk_mark(turn)], turn.change


def best_line(turn: SpeechTurn) -> Utterance:
    """The line of an exchange that is farthest from neutral; the first of equal ones."""
    return max(turn.lines, key=lambda line: abs(line.valence))


class Bubbles:
    """Chooses the lines in bubbles, each kept long enough to be read; a talk that gets none has its mark.

    slow: every line of every talk, in order, one bubble a talk, three at most; a talk that speaks faster than one
    reads leaves lines out. normal: of one talk the opening, then its most telling lines. fast, max: none. While time
    stands the bubbles of the moment stay, and `pin` shows a talk of one's choice.
    """

    def __init__(self, floor: CurrentTalks, clock: Callable[[], float] = perf_counter) -> None:
        self._floor, self._clock = floor, clock
        self._shown: dict[str, tuple[SpeechLine, float]] = {}  # talk -> line, until when it stays
        self._told: dict[str, SpeechTurn] = {}  # talk -> the most telling exchange that had a bubble at normal speed
        self._pinned = self._words = ""

    def free(self) -> None:
        """The next choice is free: the camera jumped."""
        self._shown.clear()
        self._told.clear()

    def forget(self) -> None:
        """The next choice is free, and nothing is pinned: time was moved by hand."""
        self.free()
        self._pinned = self._words = ""

    def pin(self, talk: str, text: str = "") -> None:
        """Show a talk's line of these words, else its most telling one, also if it is over, until time goes on or
        `forget`.
        """
        self.forget()
        self._pinned, self._words = talk, text

    def choose(
        self,
        turns: Sequence[SpeechTurn],
        t: float,
        speed: str = "normal",
        selected: str = "",
        running: bool = True,
        seen: Collection[str] = (),
        played: str = "",
    ) -> list[SpeechLine]:
        """The lines to show, the one that matters most first.

        turns: exchanges now going on in view; seen: ids of those in view. The selected person's talk goes first, then
        those already shown, then those that move moods most. played: whoever is played, who reads, while it is theirs
        to speak, what they were answered last.
        """
        turns = [turn for turn in turns if turn.lines]
        if running:
            self._pinned = ""
            self._lines(turns, t, speed, selected, seen)
        elif self._pinned and (spoken := self._floor.telling(self._pinned, t, self._words)) and spoken.line.who in seen:
            return [spoken]
        elif (answer := self._answer(played, t)) is not None and answer.line.who in seen:
            return [answer]
        else:
            self._stand(turns, t, MOST if speed == "slow" else 1, selected, seen)
        shown = [spoken for spoken, _ in self._shown.values() if spoken.line.who in seen]
        return sorted(shown, key=lambda spoken: _order(spoken.turn, selected), reverse=True)

    def _answer(self, played: str, t: float) -> SpeechLine | None:
        """The last line of the exchange that whoever is played has just had, if there is one."""
        turn = self._floor.last(played, t) if played else None
        if turn is None or t >= turn.t + 2 * self._floor.exchange:
            return None
        return SpeechLine(turn, turn.lines[-1])

    def _stand(self, turns: Sequence[SpeechTurn], t: float, most: int, selected: str, seen: Collection[str]) -> None:
        """Keep what is shown while time stands; choose anew if that is out of view, or another's talk is chosen."""
        ranked = sorted(turns, key=lambda turn: _order(turn, selected), reverse=True)
        said = [spoken for turn in ranked if (spoken := self._floor.spoken(turn, t)).line.who in seen]
        kept = {talk for talk, (spoken, _) in self._shown.items() if spoken.line.who in seen}
        mine = bool(said) and selected in said[0].turn.who
        if not kept or (mine and said[0].turn.talk not in kept):
            self._shown = {spoken.turn.talk: (spoken, 0.0) for spoken in said[:most]}

    def _lines(self, turns: Sequence[SpeechTurn], t: float, speed: str, selected: str, seen: Collection[str]) -> None:
        """Take away the lines that have been read, and put new ones."""
        now = self._clock()
        most = {"slow": MOST, "normal": 1}.get(speed, 0)
        ranked = sorted(turns, key=lambda turn: (turn.talk in self._shown, *_order(turn, selected)), reverse=True)
        ranked.sort(key=lambda turn: selected not in turn.who)
        wanted = [turn.talk for turn in ranked[:most]]
        mine = bool(ranked) and selected in ranked[0].who
        for talk, (spoken, until) in list(self._shown.items()):
            late = now >= until and (talk not in wanted or spoken.turn not in turns)
            if late or not most or spoken.line.who not in seen or (most == 1 and mine and talk != wanted[0]):
                del self._shown[talk]
        for talk in wanted:
            if talk in self._shown and now < self._shown[talk][1]:
                continue
            if talk not in self._shown and len(self._shown) >= most:
                continue
            turn = next(turn for turn in turns if turn.talk == talk)
            fresh = self._every(turn, t) if speed == "slow" else self._best(turn, t)
            if fresh is None or fresh.line.who not in seen:
                self._shown.pop(talk, None)
            elif talk not in self._shown or self._shown[talk][0] != fresh:
                self._shown[talk] = (fresh, now + READ + READ_A_CHARACTER * len(fresh.line.text))

    def _every(self, turn: SpeechTurn, t: float) -> SpeechLine:
        """The line that comes after the one shown; the one said now if there is none."""
        now = self._floor.spoken(turn, t)
        before = self._shown.get(turn.talk)
        if before is not None and before[0].turn == turn and before[0] != now:
            lines = turn.lines
            at = lines.index(before[0].line) + 1
            return SpeechLine(turn, lines[min(at, lines.index(now.line))])
        return now

    def _best(self, turn: SpeechTurn, t: float) -> SpeechLine | None:
        """The opening of a talk; later the best line of an exchange more telling than all that had a bubble."""
        told = self._told.get(turn.talk)
        if told is None:
            if len(self._told) > KEPT:
                self._told.clear()
            self._told[turn.talk] = turn
            return SpeechLine(turn, turn.lines[0])
        best = self._floor.most_telling(turn.talk, t) or turn
        if best != told and turn_rank(best) > turn_rank(told):
            self._told[turn.talk] = best
            return SpeechLine(best, best_line(best))
        return None


def _order(turn: SpeechTurn, selected: str) -> tuple[bool, tuple[int, float], str]:
    return selected in turn.who, turn_rank(turn), turn.talk
