"""How much story there is in a town's days: measures of drama by day, and the range each should be in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.events import Record, Stamp
from sandbox.drama.turns import BAD, GOOD
from sandbox.engine.world import World
from sandbox.readers import big_turns, idleness, incidents, told_turns, weeks
from sandbox.readers.big_turns import BigTurns
from sandbox.readers.idleness import Idleness
from sandbox.readers.incidents import Incidents
from sandbox.readers.numbers import Measures, Range, gini, read_targets, share
from sandbox.readers.talks import TalkFold
from sandbox.readers.threads import DayFacts, Incident
from sandbox.readers.told_turns import TOLD, ToldTurns, told_groups
from sandbox.readers.weeks import Weeks
from sandbox.talk.model import Closed, Exchanged, Opened

FROM, TO = 9 * HOUR, 21 * HOUR  # seconds of the day between which hours without a turn count as quiet
BEGUN = 8 * HOUR + 30 * MINUTE  # second of day 1 from which turns count for `foreshadowed`
EVERYDAY = ("plain", "warm")
SHARED = "shared_with_seed"
EVENTS = tuple(
    dict.fromkeys((*incidents.KINDS, *told_turns.KINDS, *big_turns.KINDS, *idleness.KINDS, *weeks.KINDS))
)  # the kinds of event that the measures need
LATER = 2  # the first day of the second column of ranges
WEEK = 7  # days


class _Open:
    """A talk under way. exchanges: how many so far; aimed: about a pressure; hostile: with a hostile deed about one."""

    __slots__ = ("aimed", "exchanges", "hostile")

    def __init__(self) -> None:
        self.exchanges, self.aimed, self.hostile = 0, False, False


class DramaStats(TalkFold):
    """Reads a log for the measures of drama. world: as the log begins."""

    def __init__(self, world: World) -> None:
        self.incidents = Incidents(world.handbook, world.clock)
        self.clock, self._deck, self.people = world.clock, world.drama, tuple(world.cast)
        self.handbook = world.handbook
        self.turns, self._big = ToldTurns(world, self.incidents), BigTurns(world)
        self._idleness, self._weeks = Idleness(world.clock), Weeks(world)
        self._talks: defaultdict[int, Counter[str]] = defaultdict(Counter)  # day -> talks and exchanges by sort
        self._open: dict[str, _Open] = {}

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        records = [*records]
        self.incidents.read(records)
        self.turns.read(records)
        self._big.read(records)
        self._idleness.read(records)
        self._weeks.read(records)
        super().read(records)

    def opened(self, at: Stamp, e: Opened) -> None:
        self._open[e.id] = _Open()
        self._came(self._open[e.id], e.aim, e.intent)

    def exchanged(self, at: Stamp, e: Exchanged) -> None:
        self._weeks.feelings.spoken(e, at)
        talk = self._open.get(e.talk)
        if talk is not None:
            talk.exchanges += 1
            self._came(talk, e.aim, e.do)

    def _came(self, talk: _Open, aim: str, do: str) -> None:
        if aim:
            talk.aimed = True
            exchange = self._deck.exchanges.get(do)
            talk.hostile = talk.hostile or (exchange is not None and exchange.hostile)

    def closed(self, at: Stamp, e: Closed) -> None:
        talk = self._open.pop(e.talk, None)
        if talk is None:
            return
        sums = self._talks[self.clock.day(at.t)]
        sums["talks"] += 1
        sums["exchanges"] += talk.exchanges
        sums["everyday"] += not talk.aimed and e.tone in EVERYDAY
        if e.tone == "hostile" or (e.tone == "tense" and talk.hostile):
            sums["hostile"] += talk.exchanges

    # ---- the measures

    def days(self, until: int) -> tuple[int, ...]:
        """The days on which the log reaches 21:00 by second `until`; at least the first."""
        found = self.incidents.days()
        whole = tuple(day for day in found if self.clock.midnight(day) + TO <= until)
        return whole or found[:1]

    def whole(self, days: Sequence[int], until: int) -> Measures:
        """The measures of some days together, under KEYS and those of `Weeks`. The most for one person and the longest
        quiet are those of the worst day; open pressures are those of the last. until: the second the log reaches.
        """
        facts = [self.incidents.of(day) for day in days]
        found = [i for f in facts for i in f.incidents]
        turns = [turn for f in facts for turn in f.turns]
        told = [x for x in turns if self.clock.day(x.t) > 1 or self.clock.second_of_day(x.t) >= BEGUN]
        per_day = [Counter(who for i in f.incidents for who in i.people) for f in facts]
        per_person = Counter(who for i in found for who in i.people)
        turned = [(f, thread) for f in facts for thread in {x.thread for x in f.turns}]
        talks = sum((self._talks[day] for day in days), Counter[str]())
        last = facts[-1] if facts else DayFacts()
        weighed = sum(x.tone in (GOOD, BAD) for x in turns)
        return {
            "incidents": len(found),
            "kinds": len({i.kind for i in found}),
            "quarrels": sum(f.quarrels for f in facts),
            "good_turns": share(sum(x.tone == GOOD for x in turns), weighed),
            "ended_same_day": share(sum(thread in f.ended for f, thread in turned), len(turned)),
            "people_involved": share(sum(per_person[who] > 0 for who in self.people), len(self.people)),
            "gini": gini([per_person[who] for who in self.people]),
            "max_per_person": max((max(c.values(), default=0) for c in per_day), default=0),
            "complete_causes": share(sum(x.complete for x in turns), len(turns)),
            "foreshadowed": share(sum(x.sign for x in told), len(told)),
            "longest_quiet_hours": max((self._quiet(*x, until) for x in zip(days, facts, strict=True)), default=0),
            "hostile_talk": share(talks["hostile"], talks["exchanges"]),
            "everyday_talk": share(talks["everyday"], talks["talks"]),
            "untouched_48h": share(last.untouched, last.open) if last.open else 0.0,
            "open_per_person": round(last.open / len(self.people), 3) if self.people else 0.0,
            "big_told": self.big_told(days),
            "idle": sum(self._idleness.idle(day, until) for day in days),
            "stuck": sum(self._idleness.stuck(day, until) for day in days),
            **self._weeks.of(days, self.incidents),
        }

    def big_told(self, days: Iterable[int], most: int = TOLD) -> float | None:
        """The share of big turns (`readers/big_turns.py`) that stand on the pages of their days. most: matters told on
        a page.
        """
        big = told = 0
        for day in days:
            seqs = {seq for group in told_groups(self.turns.of(day), most) for x in group for seq in x.seqs}
            big += len(self._big.of(day))
            told += sum(seq in seqs for seq in self._big.of(day))
        return share(told, big)

    def _quiet(self, day: int, facts: DayFacts, until: int) -> float:
        """The longest time in hours without a turn between 09:00 and 21:00, up to second `until`."""
        midnight = self.clock.midnight(day)
        begin = max(midnight + FROM, 0)
        end = min(midnight + TO, until)
        marks = [begin, *(x.t for x in facts.turns if begin < x.t < end), max(begin, end)]
        return round(max(b - a for a, b in pairwise(marks)) / HOUR, 2)


def incident_overlap(mine: Iterable[Incident], others: Iterable[Incident]) -> float | None:
    """The share of incidents that the others have too, by kind and the people in them; None if there are none."""
    known = {(i.kind, frozenset(i.people)) for i in others}
    own = [(i.kind, frozenset(i.people)) for i in mine]
    return share(sum(x in known for x in own), len(own))


class DramaTarget(NamedTuple):
    """A measure's label, unit ("", "%" or "h") and ranges. first: for day 1 or week 1; later: for later days or weeks;
    None = no range."""

    label: str
    unit: str
    first: Range | None
    later: Range | None

    def range(self, day: int) -> Range | None:
        """The range on that day, numbered from 1."""
        return self.later if day >= LATER else self.first


TARGETS = read_targets("days", DramaTarget)

KEYS = tuple(key for key in TARGETS if key != SHARED)  # measures of one run; SHARED compares two

WEEKS = read_targets("weeks", DramaTarget)
FORTNIGHT = read_targets("fortnight", DramaTarget)  # for runs of two weeks or more
_UNITS = {key: target.unit for key, target in (TARGETS | WEEKS | FORTNIGHT).items()}


def whole_weeks(days: Sequence[int]) -> list[tuple[int, ...]]:
    """The full weeks, counted from day 1, that lie within these days."""
    found = (tuple(range(first, first + WEEK)) for first in range(1, max(days, default=0), WEEK))
    return [week for week in found if {*week} <= {*days}]


def value(key: str, x: float | None) -> str:
    """A measure as text: "13", "71 %", "1.9 h", "-"."""
    if x is None:
        return "-"
    unit = _UNITS[key]
    return f"{100 * x:.0f} %" if unit == "%" else f"{x:.1f} h" if unit == "h" else f"{x:.3g}"


def range_words(key: str, r: Range | None) -> str:
    """A range of a measure as text, "" if there is none."""
    return r.words(_UNITS[key]) if r is not None else ""


class LongMeasure(NamedTuple):
    """A measure over many days: its label, value and range as text, and whether the value is in the range."""

    label: str
    value: str
    range: str
    ok: bool


def long_measures(drama: DramaStats, days: Sequence[int], whole: Measures) -> list[LongMeasure]:
    """The measures that need many days, as far as there are enough: from 3, from 7 and from 14 days on."""
    out: list[LongMeasure] = []
    facts = [drama.incidents.of(day) for day in days]
    if len(days) >= 3:
        seen = [{who for i in f.incidents for who in i.people} for f in facts]
        least = min(len(a | b | c) for a, b, c in zip(seen, seen[1:], seen[2:], strict=False)) / max(
            1, len(drama.people)
        )
        out.append(LongMeasure("people in an incident in 3 days", f"{100 * least:.0f} %", "100 %", least >= 1))
        counts = Counter(i.kind for f in facts for i in f.incidents)
        kind, n = max(counts.items(), key=lambda x: x[1], default=("", 0))
        share = n / max(1, sum(counts.values()))
        out.append(
            LongMeasure(f"most frequent kind ({kind or 'none'})", f"{100 * share:.0f} %", "at most 35 %", share <= 0.35)
        )
    if len(days) >= WEEK:
        kinds = whole["kinds"] or 0
        out.append(LongMeasure("kinds of pressure", f"{kinds:g}", "at least 8", kinds >= 8))
        turned: dict[str, int] = {}
        for day, f in zip(days, facts, strict=True):
            for x in f.turns:
                turned.setdefault(x.thread, day)
        due = {thread: day for thread, day in turned.items() if day + 6 <= days[-1]}
        ends = {(thread, day) for day, f in zip(days, facts, strict=True) for thread in f.ended}
        ended = sum(any((thread, day + n) in ends for n in range(7)) for thread, day in due.items()) / max(1, len(due))
        out.append(LongMeasure("threads ended in 7 days", f"{100 * ended:.0f} %", "at least 80 %", ended >= 0.8))
    if len(days) >= 2 * WEEK:
        for key, target in FORTNIGHT.items():
            range_ = target.range(LATER)
            fine = range_ is not None and range_.holds(whole[key])
            out.append(LongMeasure(target.label, value(key, whole[key]), range_words(key, range_), fine))
    return out
