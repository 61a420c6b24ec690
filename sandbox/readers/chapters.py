"""Turns that came of one another, told together over days: what somebody wanted, what was done and answered, what it
cost or gave, where it stands. The week's page and the story of a person are made of such chapters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sandbox.core.clock import Clock, part_of_day
from sandbox.core.text import upper
from sandbox.engine.world import World
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import gist
from sandbox.readers.pressures import want_clause
from sandbox.readers.told_turns import HEAVY, ToldTurn
from sandbox.readers.turn_words import join_sentences, prose

WEEK = 7  # days after which a weekday needs its date
SUM = 0.4  # of the weight of each turn but the weightiest, in the weight of a chapter
MOST = 6  # turns of a chapter that are told, the weightiest
ASIDE = 0.5  # how much lighter than HEAVY a turn of a chapter of many may be, and how much heavier one alone must be


class Chapter(NamedTuple):
    """Turns that came of one another, in order of time. open: the pressures among them that press still, as sentences
    without full stop.
    """

    turns: tuple[ToldTurn, ...]
    open: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """How much it weighs: its weightiest turn, and a part of each other one."""
        found = sorted((x.weight for x in self.turns), reverse=True)
        return found[0] + SUM * sum(found[1:])

    @property
    def life(self) -> bool:
        """Whether it changed a life."""
        return any(x.life for x in self.turns)

    @property
    def small(self) -> bool:
        """Whether nothing in it came to a head, or hardly."""
        return not self.life and all(x.weight < HEAVY + (len(self.turns) == 1) * ASIDE for x in self.turns)

    def title(self) -> str:
        """What it is about, in a few words."""
        top = max(self.turns, key=lambda x: x.weight)
        stakes = "" if top.decided else top.stakes or next((x.stakes for x in self.turns if x.stakes), "")
        return upper(gist(stakes) if stakes else top.news.partition(": ")[0])


def chapters_of(turns: Iterable[ToldTurn], still: Callable[[Collection[str]], Sequence[str]]) -> list[Chapter]:
    """Group turns by thread and by what they came of, in order of their beginnings; kindness after a bad day is left
    out. still: threads -> what presses still in them.
    """
    ordered = sorted((x for x in turns if not x.mercy), key=lambda x: (x.t, x.seq))
    group: dict[int, list[ToldTurn]] = {}  # number of an event -> the turns that it belongs with
    threads: dict[str, list[ToldTurn]] = {}
    out: list[list[ToldTurn]] = []
    for x in ordered:
        mine = threads.get(x.thread) if x.thread else None
        mine = mine or next((group[seq] for seq in (*x.came, *x.causes) if seq in group), None)
        if mine is None:
            mine = []
            out.append(mine)
        mine.append(x)
        group.update(dict.fromkeys(x.seqs, mine))
        if x.thread:
            threads[x.thread] = mine
    return [Chapter(tuple(one), tuple(still({x.thread for x in one if x.thread}))) for one in out]


def shortened(chapter: Chapter) -> Chapter:
    """A chapter without what was small in it, if it has many turns."""
    if len(chapter.turns) <= MOST // 2:
        return chapter
    ranked = sorted(chapter.turns, key=lambda x: (-x.life, -x.weight, x.seq))[:MOST]
    kept = {x.seq for x in ranked if x.life or x.weight >= HEAVY - ASIDE} or {ranked[0].seq}
    return chapter._replace(turns=tuple(x for x in chapter.turns if x.seq in kept))


class ChapterTeller:
    """Tells chapters. world: only names and hours are used."""

    def __init__(self, world: World) -> None:
        self._book: Handbook = world.handbook
        self._clock: Clock = world.clock

    def paragraph(self, chapter: Chapter) -> str:
        """A chapter as one paragraph."""
        return " ".join(text for text in (*(x for _, x in self.turns(chapter)), self.left(chapter)) if text)

    def turns(self, chapter: Chapter) -> Iterator[tuple[ToldTurn, str]]:
        """The turns of a chapter, some sentences each. Each matter begins with its cause, and with who wanted what."""
        known: set[str] = set()
        told, first, last = "", chapter.turns[0].t, -1
        for x in chapter.turns:
            before = []
            if x.matter and x.matter not in known:
                known.add(x.matter)
                cause = "" if x.cause.strip(" .") in told else x.cause
                before = [cause, *([self._wanted(x)] if x.deed and x.deed == x.over and not x.plain else [])]
            text = prose(self._book, [*before, *self._turn(x, self._when(x.t, first, last))])
            yield x, text
            told, last = f"{told} {text}", x.t

    def brief(self, chapter: Chapter) -> str:
        """A chapter as a sentence for each turn."""
        first, last = chapter.turns[0].t, -1
        out = []
        for x in chapter.turns:
            out.append(f"{self._when(x.t, first, last)} {x.news}")
            last = x.t
        return join_sentences(out)

    def left(self, chapter: Chapter) -> str:
        """What is left open of a chapter, in a sentence; "" for nothing."""
        return join_sentences([f"It is not over: {'; '.join(chapter.open)}"] if chapter.open else [])

    def _wanted(self, x: ToldTurn) -> str:
        return f"{self._book.name(x.holder)} wanted to {want_clause(self._book, x.kind, x.about, gist(x.stakes))}"

    def _when(self, t: int, first: int, last: int) -> str:
        """When something happened, after a turn at second `last`. first: the second of the chapter's first turn."""
        clock = self._clock
        at, part = clock.at(t), part_of_day(clock.second_of_day(t))
        same = last >= 0 and clock.day(t) == clock.day(last)
        if same and part == part_of_day(clock.second_of_day(last)):
            return "soon after that" if part == "midday" else f"later that {part}"
        if same:
            return "at midday" if part == "midday" else f"that {part}"
        date = f"{at:%A} {at.day} {at:%B}" if clock.day(t) - clock.day(first) >= WEEK else f"{at:%A}"
        return f"on {date} at {part}" if part == "midday" else f"on {date} {part}"

    def _turn(self, x: ToldTurn, when: str) -> list[str]:
        """A turn with its time, as clauses: the deed and its answer, what it came to, what it cost."""
        where = f", {x.place}," if x.place else ""
        costs = [text for text in x.costs if text != x.turned]
        if x.decided:
            return [f"{when} it was decided: {x.news}", *x.costs]
        if x.timed or x.plain or not (x.deed or x.how):
            return [f"{when}{where if x.timed else ''} {x.news}", *x.costs]
        if x.deed:
            joint = "; " if ", and " in x.over else ", and "
            said = f"{when}{where} {x.over}" + (f"{joint}{x.after}" if x.after else "")
            return [said, *([x.news] if x.life else []), *costs]
        return [f"{when}{where} {x.how}", *dict.fromkeys((x.turned, x.news)), *costs]
