"""How well a town talks, measured on its log: repetition, open questions, goodbyes, variety, and who says what.

docs/mechanisms.md, Talk, lists the measures. Those here need only the words and moves in the log; `talkfacts` and
`talkagain` need the state of the world when a thing was said.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sandbox.core.chance import Chance
from sandbox.core.clock import MINUTE, Clock
from sandbox.core.events import Stamp
from sandbox.readers.numbers import Measures, Range, read_targets, share
from sandbox.readers.talks import TalkFold
from sandbox.talk.lines import CIVIL, PARTING, RHETORICAL, LineBook
from sandbox.talk.model import Closed, Exchanged, Opened, Utterance
from sandbox.talk.move_rules import QUESTIONS
from sandbox.talk.sentiment import sentiment

GREETINGS = frozenset(("greet", "how_are_you", "answer_well", "answer_fine", "answer_low"))
READS = 10  # the imagined reader of the log reads one talk in ten
WHOLE = 14 * 3600  # seconds between first and last word from which a day counts for the mean of days


class Tone:
    """Whether lines sound as their speakers feel: sentiment against pleasure just before, compared within each move."""

    def __init__(self) -> None:
        self._said: dict[str, list[tuple[float, float]]] = {}

    def add(self, move: str, pleasure: float, text: str) -> None:
        """Add a line that somebody said. pleasure: theirs just before, in [-1, 1]."""
        self._said.setdefault(move, []).append((pleasure, sentiment(text)))

    def correlation(self) -> float | None:
        """Pearson's r of sentiment and pleasure after subtracting each move's means; None if either does not vary."""
        parts = [np.array(said) for said in self._said.values()]
        if not parts:
            return None
        x, y = np.concatenate([part - part.mean(axis=0) for part in parts]).T
        size = float(np.sqrt((x @ x) * (y @ y)))
        return round(float(x @ y) / size, 4) if size > 1e-12 else None


@dataclass(slots=True)
class TalkCounts:
    """Counts over some time. first, last: seconds of its first and last word; matter: lines led by a pressure or news.
    read, again: lines the imagined reader reads, and those read before."""

    first: int = -1
    last: int = -1
    talks: set[str] = field(default_factory=set)
    lines: int = 0
    leaves: int = 0
    greets: int = 0
    matter: int = 0
    read: int = 0
    again: int = 0
    tone: Tone = field(default_factory=Tone)

    def figures(self) -> Measures:
        """The figures under the keys of `sandbox talk stats`."""
        return {
            "voiced_talks": len(self.talks),
            "leave_taking": share(self.leaves, self.lines),
            "greeting": share(self.greets, self.lines),
            "led_by_matter": share(self.matter, self.lines),
            "seen_before": share(self.again, self.read),
            "tone_correlation": self.tone.correlation(),
        }


class TalkDays(TalkFold):
    """Counts by day. days: number -> counts of that day; whole: of all days together."""

    def __init__(self, clock: Clock, book: LineBook) -> None:
        self.days: dict[int, TalkCounts] = {}
        self.whole = TalkCounts()
        self._clock = clock
        self._greetings = {line.id for line in book.lines if line.move in GREETINGS}
        self._order: dict[str, int] = {}  # talk with words -> its number
        self._seen: set[str] = set()  # variants the reader has read

    def exchanged(self, at: Stamp, e: Exchanged) -> None:
        if not e.in_words:
            return
        day = self.days.setdefault(self._clock.day(at.t), TalkCounts())
        reads = self._order.setdefault(e.talk, len(self._order)) % READS == 0
        pleasure = {s.who: s.after.p - s.delta.p for s in e.shifts}
        for line in (line for line in e.lines if line.text):
            said = line.variants[-1] if line.variants else line.text
            greets = line.move in GREETINGS or any(v.rpartition("#")[0] in self._greetings for v in line.variants)
            for heard in (day, self.whole):
                heard.first = at.t if heard.first < 0 else heard.first
                heard.last = at.t
                heard.talks.add(e.talk)
                heard.lines += 1
                heard.leaves += line.move in PARTING
                heard.greets += greets
                heard.matter += bool(e.aim or e.told or e.over)
                heard.read += reads
                heard.again += reads and said in self._seen
                if line.who in pleasure:
                    heard.tone.add(line.move, pleasure[line.who], line.text)
            if reads:
                self._seen.add(said)

    def figures(self) -> Measures:
        """The figures of the whole; `voiced_talks` is the mean of the complete days, or of all if none is."""
        lived = [x for x in self.days.values() if x.last - x.first >= WHOLE] or list(self.days.values())
        mean = round(sum(len(x.talks) for x in lived) / len(lived), 1) if lived else 0
        return {**self.whole.figures(), "voiced_talks": mean}


LEAST = 4  # least words of a line that can count as repeated; and the length of the runs that should be distinct
WINDOW = 2000  # words over which distinct runs are counted
OFTEN, OFTEN_CLOSING = 3, 8  # times a day a frame may be said in town: usually, and for greetings and goodbyes
SILENT = 30 * MINUTE  # seconds of silence after which an open talk counts as never closed
ANSWERS = {  # move that asks -> moves that answer it
    "how_are_you": frozenset(("answer_well", "answer_fine", "answer_low", "cold_reply", "dodge", "snap")),
    "ask_plans": frozenset(("tell_plans", "cold_reply", "dodge", "snap")),
    "ask_about": frozenset(("answer_about", "cold_reply", "dodge", "snap")),
    "ask_on": frozenset(("tell_on", "dodge")),
    "ask_after": frozenset(("tell_after", "cold_reply", "dodge", "snap")),
}
KEPT = 400  # latest lines kept for each person
GROUP = 5  # lines by which a speaker is to be recognized
TOLD = 2 * GROUP  # least lines of a person: half to learn from, half to recognize
SEED = 0  # for drawing the lines to learn from
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class TalkTarget(NamedTuple):
    """A measure's label; share: whether it is shown in per cent; range: where it should be (None: any value)."""

    label: str
    share: bool = False
    range: Range | None = None

    def value(self, x: float | None) -> str:
        """A value as text: "2,542", "24 %", "0.902", "-"; with enough digits to show whether it is in range."""
        if x is None:
            return "-"
        if not self.share:
            return f"{x:,}" if isinstance(x, int) else f"{x:.3f}"
        told = (f"{100 * x:.{digits}f}" for digits in range(4))
        return next(t for t in (*told, f"{100 * x}") if self._as_told(x, float(t) / 100)) + " %"

    def _as_told(self, x: float, shown: float) -> bool:
        return self.range is None or self.range.holds(x) == self.range.holds(shown)

    def words(self) -> str:
        """The range as text: "0", "at least 25 %"; "" if there is none."""
        return self.range.words("%" * self.share) if self.range is not None else ""


TARGETS = read_targets("talk", TalkTarget)
KEYS = tuple(TARGETS)


def word_tokens(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return _WORD.findall(text.casefold())


@dataclass(slots=True)
class _Open:
    """A talk under way. at: second of its latest exchange; asked: (person, move) of a question that still waits for an
    answer; goodbye: whether the latest exchange was one.
    """

    at: int
    goodbye: bool = False
    asked: tuple[str, str] | None = None


class Voices:
    """The lines of each person as words, and whether speakers can be recognized by them: naive Bayes.

    More lines to learn from give a better result: the target is meant for a save of a day, and a week scores higher.
    """

    def __init__(self) -> None:
        self._lines: dict[str, deque[tuple[str, ...]]] = {}

    def add(self, who: str, words: Sequence[str]) -> None:
        """Add a line that somebody said."""
        if who not in self._lines:
            self._lines[who] = deque(maxlen=KEPT)
        self._lines[who].append(tuple(words))

    def accuracy(self) -> float | None:
        """The share of groups of five lines assigned to their speaker, among all people with ten lines or more.

        Half of each person's lines, drawn by a fixed seed, train word frequencies (add-one smoothing, uniform prior);
        the rest are tested in fives. None with fewer than two such people.
        """
        people = sorted(who for who, lines in self._lines.items() if len(lines) >= TOLD)
        if len(people) < 2:
            return None
        learnt: list[list[tuple[str, ...]]] = []
        told: list[tuple[int, list[str]]] = []
        for i, who in enumerate(people):
            lines = list(self._lines[who])
            Chance(SEED).stream(0, who, "voices").shuffle(lines)
            half = len(lines) // 2
            learnt.append(lines[:half])
            rest = lines[half:]
            groups = [rest[at : at + GROUP] for at in range(0, len(rest) - GROUP + 1, GROUP)]
            told += [(i, [word for line in group for word in line]) for group in groups]
        index: dict[str, int] = {}
        for lines in learnt:
            for line in lines:
                for word in line:
                    index.setdefault(word, len(index))
        counts = np.ones((len(index), len(people)), dtype=np.float32)
        for i, lines in enumerate(learnt):
            np.add.at(counts[:, i], [index[word] for line in lines for word in line], 1.0)
        chances = np.log(counts / counts.sum(axis=0))
        right = 0
        for i, group in told:
            known = [index[word] for word in group if word in index]
            right += int(np.argmax(chances[known].sum(axis=0))) == i
        return round(right / len(told), 4)


class TalkStats(TalkFold):
    """Measures talk. frames: variant -> times said on its worst day, for those said too often."""

    def __init__(self, clock: Clock, book: LineBook) -> None:
        self.utterances = self.conversations = self.repeated = self.over = self.unanswered = self.unclosed = 0
        self.distinct: float | None = None
        self.framed = False  # whether any line names its variant; words of another mind do not
        self.frames: dict[str, int] = {}
        self.again: Counter[str] = Counter()  # variants (or texts) of repeated lines -> times
        self.voices = Voices()
        self.days = TalkDays(clock, book)
        self._clock, self._day = clock, 0
        self._limits = {x.id: OFTEN_CLOSING if x.move in CIVIL else OFTEN for x in book.lines}
        self._open: dict[str, _Open] = {}
        self._said: set[tuple[str, str, str]] = set()
        self._times: Counter[str] = Counter()
        self._row: deque[str] = deque()
        self._runs: Counter[tuple[str, ...]] = Counter()

    def opened(self, at: Stamp, e: Opened) -> None:
        self.conversations += 1
        self._open[e.id] = _Open(at.t)

    def closed(self, at: Stamp, e: Closed) -> None:
        talk = self._open.pop(e.talk, None)
        if talk is not None:
            self.unclosed += not talk.goodbye
            self.unanswered += talk.asked is not None

    def stats(self, until: int) -> Measures:
        """The measures. until: the second the log reaches."""
        self._end_day()
        lost = sum(until - talk.at > SILENT for talk in self._open.values())
        return {
            "utterances": self.utterances,
            "conversations": self.conversations,
            "repeated_to_same_listener": self.repeated,
            "frames_over_limit": self.over if self.framed or not self.utterances else None,
            "unanswered_questions": self.unanswered,
            "unclosed_conversations": self.unclosed + lost,
            "distinct_4": self._least_distinct(),
            "speaker_accuracy": self.voices.accuracy(),
            **self.days.figures(),
        }

    def exchanged(self, at: Stamp, e: Exchanged) -> None:
        self.days.exchanged(at, e)
        if (day := self._clock.day(at.t)) != self._day:
            self._end_day()
            self._day = day
        talk = self._open.get(e.talk)
        for line in e.lines:
            if not line.text:
                continue
            to = next((other.who for other in e.lines if other.who != line.who), "")
            self._line(line, to, word_tokens(line.text))
            if talk is not None:
                leads = line is e.lines[0]
                self._ask(talk, line, bool(e.answer) and not leads, echoes=bool(line.facts) and not leads)
        if talk is not None:
            talk.at, talk.goodbye = at.t, all(line.move in PARTING for line in e.lines)

    def _line(self, line: Utterance, to: str, said: list[str]) -> None:
        self.utterances += 1
        self.voices.add(line.who, said)
        if len(said) >= LEAST and to:
            key = (line.who, to, " ".join(said))
            if key in self._said:
                self.repeated += 1
                self.again[", ".join(line.variants) or line.text] += 1
            self._said.add(key)
        self.framed = self.framed or bool(line.variants)
        self._times.update(line.variants)
        for word in said:
            self._word(word)

    def _ask(self, talk: _Open, line: Utterance, settled: bool, echoes: bool) -> None:
        """Settle the open question, if any, and note a new one. settled: the line answers what somebody came for;
        echoes: it takes up a fact, so that it wants no answer ("Did he? I had no idea.").
        """
        if talk.asked is not None and talk.asked[0] != line.who:
            move = talk.asked[1]
            fitting = ANSWERS.get(move)
            answered = line.move in fitting if fitting is not None else settled or line.move not in PARTING
            self.unanswered += not answered
            talk.asked = None
        if line.move in QUESTIONS or ("?" in line.text and line.move not in RHETORICAL and not echoes):
            talk.asked = (line.who, line.move)

    def _word(self, word: str) -> None:
        """Add a word to the window of the last WINDOW words."""
        row, runs = self._row, self._runs
        row.append(word)
        if len(row) >= LEAST:
            runs[tuple(row[i] for i in range(-LEAST, 0))] += 1
        if len(row) > WINDOW:
            gone = tuple(row[i] for i in range(LEAST))
            runs[gone] -= 1
            if not runs[gone]:
                del runs[gone]
            row.popleft()
        if len(row) == WINDOW:
            ratio = len(runs) / (WINDOW - LEAST + 1)
            if self.distinct is None or ratio < self.distinct:
                self.distinct = ratio

    def _least_distinct(self) -> float | None:
        """The lowest share of distinct runs in any window; of all words if the town has said fewer than WINDOW."""
        if self.distinct is None and len(self._row) >= LEAST:
            return round(len(self._runs) / (len(self._row) - LEAST + 1), 4)
        return round(self.distinct, 4) if self.distinct is not None else None

    def _end_day(self) -> None:
        for variant, n in self._times.items():
            if n > self._limits.get(variant.rpartition("#")[0], OFTEN):
                self.over += 1
                self.frames[variant] = max(n, self.frames.get(variant, 0))
        self._times.clear()
        self._said.clear()
