"""Talks on the map: exchanges going on at a moment, marks over people who talk, and lines in speech bubbles."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from time import perf_counter
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.readers.all_stories import STORIES
from sandbox.readers.facts import SpeechTurn
from sandbox.talk.model import Opened, Utterance

KEPT = 600  # exchanges and talks that are remembered
MOST = 3  # bubbles at a time
WARM, PLAIN, HOSTILE = "warm", "plain", "hostile"  # the tone of a talk
READ, READ_A_CHARACTER = 1.2, 0.05  # seconds a bubble stays: at least, and more for each character
TELLING = frozenset(("gossip", "react_gossip", "worry"))
TENDER = frozenset(("comfort", "compliment", "thank"))


class SpeechLine(NamedTuple):
    """A line of speech and the exchange it belongs to."""

    turn: SpeechTurn
    line: Utterance

    @property
    def to(self) -> str:
        """Who is spoken to."""
        a, b = self.turn.who
        return b if self.line.who == a else a


class CurrentTalks:
    """The exchanges of the last hours. Hand `saw` to `engine.watchers`. exchange: seconds one takes; hears: whether the
    player can hear it.
    """

    def __init__(self, exchange: int, hears: Callable[[SpeechTurn], bool] = lambda turn: True) -> None:
        self.exchange = max(1, exchange)
        self.hears = hears
        self._turns: deque[SpeechTurn] = deque(maxlen=KEPT)
        self._pairs: dict[str, tuple[str, str]] = {}

    def clear(self) -> None:
        """Forget everything, because the town jumped to another moment."""
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
        """The audible exchanges going on at t, one for each talk. reach: the seconds before t that are searched."""
        out: dict[str, SpeechTurn] = {}
        for turn in reversed(self._turns):
            if turn.t < t - self.exchange - reach:
                break
            if turn.t <= t < turn.t + self.exchange:
                out.setdefault(turn.talk, turn)
        return [turn for turn in out.values() if self.hears(turn)]

    def last(self, who: str, t: float) -> SpeechTurn | None:
        """The newest exchange with words that a person took part in by t."""
        return next((turn for turn in reversed(self._turns) if turn.t <= t and who in turn.who and turn.lines), None)

    def most_telling(self, talk: str, t: float) -> SpeechTurn | None:
        """The exchange of a talk up to t with the highest `turn_rank`, the earliest of equals; the talk may be over."""
        turns = [turn for turn in self._turns if turn.talk == talk and turn.t <= t and turn.lines]
        return max(turns, key=lambda turn: (*turn_rank(turn), -turn.t), default=None)

    def telling(self, talk: str, t: float, text: str = "") -> SpeechLine | None:
        """The line of a talk up to t with these words, else the best line of its most telling exchange."""
        for turn in self._turns:
            if turn.talk == talk and turn.t <= t:
                for line in turn.lines:
                    if line.text == text:
                        return SpeechLine(turn, line)
        most = self.most_telling(talk, t)
        return None if most is None else SpeechLine(most, best_line(most))

    def spoken(self, turn: SpeechTurn, t: float) -> SpeechLine:
        """The line said at t: the lines of an exchange share its time equally."""
        part = int((t - turn.t) / self.exchange * len(turn.lines))
        return SpeechLine(turn, turn.lines[max(0, min(part, len(turn.lines) - 1))])


def talk_mark(turn: SpeechTurn) -> str:
    """The mark over people who talk: "!" a quarrel, "?" gossip, "♥" tenderness, else a quotation mark."""
    if turn.lead == "snap" or turn.tone <= -0.3:
        return "!"
    if turn.lead in TELLING:
        return "?"
    return "♥" if turn.lead in TENDER and turn.tone >= 0.3 else '"'


def link_tone(turn: SpeechTurn) -> str:
    """The tone in which the line between two people who talk is drawn."""
    sign = talk_mark(turn)
    return HOSTILE if sign == "!" else WARM if sign == "♥" or turn.tone >= 0.3 else PLAIN


RANK = {'"': 0, "?": 1, "♥": 2, "!": 3}


def turn_rank(turn: SpeechTurn) -> tuple[int, float]:
    """How telling an exchange is: a quarrel before tenderness, gossip and talk; then how far it moved both moods."""
    return RANK[talk_mark(turn)], turn.change


def best_line(turn: SpeechTurn) -> Utterance:
    """The line of an exchange that is farthest from neutral; the first of equal ones."""
    return max(turn.lines, key=lambda line: abs(line.valence))


class Bubbles:
    """Chooses the lines in bubbles, each kept long enough to be read; a talk without a bubble shows its mark only.

    slow: every line of every talk in order, one bubble a talk, at most MOST; lines that come faster than they can be
    read are skipped. normal: the opening of one talk, then its most telling lines. fast, max: none. While paused
    the current bubbles stay, and `pin` shows a chosen talk.
    """

    def __init__(self, floor: CurrentTalks, clock: Callable[[], float] = perf_counter) -> None:
        self._floor, self._clock = floor, clock
        self._shown: dict[str, tuple[SpeechLine, float]] = {}  # talk -> line, until when it stays
        self._told: dict[str, SpeechTurn] = {}  # talk -> the most telling exchange that had a bubble at normal speed
        self._pinned = self._words = ""

    def free(self) -> None:
        """Drop the bubbles shown, because the camera jumped."""
        self._shown.clear()
        self._told.clear()

    def forget(self) -> None:
        """Drop the bubbles and the pin, because time was moved by hand."""
        self.free()
        self._pinned = self._words = ""

    def pin(self, talk: str, text: str = "") -> None:
        """Show a talk's line with these words, else its most telling one, until time runs or `forget`. The talk may be
        over.
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
        """The lines to show, most important first.

        turns: exchanges going on in view; seen: ids of people in view. The selected person's talk is first, then those
        already shown, then the most telling. played: the played person or ""; on their turn to speak the last answer
        they got is shown.
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
        """The last line of the exchange that the played person has just had, if any."""
        turn = self._floor.last(played, t) if played else None
        if turn is None or t >= turn.t + 2 * self._floor.exchange:
            return None
        return SpeechLine(turn, turn.lines[-1])

    def _stand(self, turns: Sequence[SpeechTurn], t: float, most: int, selected: str, seen: Collection[str]) -> None:
        """Keep the bubbles while time is paused; choose again if none is in view or the selected talk has none."""
        ranked = sorted(turns, key=lambda turn: _order(turn, selected), reverse=True)
        said = [spoken for turn in ranked if (spoken := self._floor.spoken(turn, t)).line.who in seen]
        kept = {talk for talk, (spoken, _) in self._shown.items() if spoken.line.who in seen}
        mine = bool(said) and selected in said[0].turn.who
        if not kept or (mine and said[0].turn.talk not in kept):
            self._shown = {spoken.turn.talk: (spoken, 0.0) for spoken in said[:most]}

    def _lines(self, turns: Sequence[SpeechTurn], t: float, speed: str, selected: str, seen: Collection[str]) -> None:
        """Remove the lines that have been up long enough, and add new ones."""
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
        """The line after the one shown, not beyond the one said now; the one said now if none is shown."""
        now = self._floor.spoken(turn, t)
        before = self._shown.get(turn.talk)
        if before is not None and before[0].turn == turn and before[0] != now:
            lines = turn.lines
            at = lines.index(before[0].line) + 1
            return SpeechLine(turn, lines[min(at, lines.index(now.line))])
        return now

    def _best(self, turn: SpeechTurn, t: float) -> SpeechLine | None:
        """A talk's opening at first; later the best line of an exchange more telling than any shown, or None."""
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
