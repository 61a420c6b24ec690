"""One person's days, read from the log: what they did and were asked for, how that went, what was said about them, and
how their ties, coins and claims changed. One pass; `readers/lifewords.py` puts it into sentences. Also who was played
by hand, and when.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.world import World
from sandbox.people.beliefs import HELD, BeliefUpdate, Fact, fact_sentence, rows_of
from sandbox.people.model import SEEK, Chose
from sandbox.people.played import CameToHead
from sandbox.people.pressure_handlers import fact_of
from sandbox.people.pressure_model import Ended, Stirred
from sandbox.play.model import PlayBegan, PlayEnded, Replied, Settled, StanceTaken, Wished
from sandbox.readers import pressures
from sandbox.readers.all_stories import (
    event_intent,
    event_payments,
    event_ties,
    kinds_where,
    matter_begun,
)
from sandbox.readers.facts import Intent, Payment
from sandbox.readers.pressures import Matter, deed_sentence
from sandbox.readers.told_turns import KINDS as TURNS
from sandbox.readers.told_turns import ToldTurns
from sandbox.talk.model import Closed, Declined, Exchanged, Utterance

PLAYED = (PlayBegan.KIND, Settled.KIND, PlayEnded.KIND)  # kinds of event that say so


class PlaySpan(NamedTuple):
    """A time in which somebody was played, in seconds."""

    who: str
    since: int
    until: int


def play_spans(records: Iterable[Record], since: int, until: int, now: str = "") -> list[PlaySpan]:
    """The times in which anybody was played. records: of the log from second `since` to `until`; other events are
    ignored. now: who is played at the end, if play began before `since`.
    """
    out: list[PlaySpan] = []
    who, begun = "", since
    for at, e in records:
        if isinstance(e, PlayBegan):
            who, begun = at.actor, at.t
        elif isinstance(e, PlayEnded):
            out.append(PlaySpan(at.actor, begun, at.t))
            who = ""
    last = who or (now if not out else "")
    return [*out, PlaySpan(last, begun, until)] if last else out


def longest_played_spans(found: Collection[PlaySpan], since: int = 0, until: int | None = None) -> list[PlaySpan]:
    """All spans of the person who was played longest between two seconds; empty if nobody was."""
    who = longest(found, since, until)
    return [x for x in found if x.who == who]


def longest(found: Iterable[PlaySpan], since: int = 0, until: int | None = None) -> str:
    """Who was played longest between two seconds; "" if nobody was."""
    sums: Counter[str] = Counter()
    for x in found:
        part = (x.until if until is None else min(x.until, until)) - max(x.since, since)
        if part > 0:
            sums[x.who] += part
    return max(sums, key=lambda who: sums[who], default="")


class LifeDeed(NamedTuple):
    """Something the person and another did, as a sentence without full stop. seq: its event; by_hand: whether the
    player did or answered it; lines: what was said.
    """

    seq: int
    t: int
    text: str
    matter: str
    by_hand: bool
    lines: tuple[Utterance, ...] = ()


class TurningPoint(NamedTuple):
    """A turning point. taken: the stance taken in it, None if none was."""

    seq: int
    t: int
    e: CameToHead
    taken: StanceTaken | None = None


class Rumour(NamedTuple):
    """Something about the person that one (source) told another (who)."""

    source: str
    who: str
    says: str


@dataclass
class LifeDay:
    """A day of the person. feelings: (who, whom) -> how far a feeling moved; reasons: (who, whom) -> the largest change
    and the matter behind it. paid, got: (coins, what for, with whom). touched: matters of theirs that the day touched,
    by id; over: those that ended.
    """

    day: int
    done: list[LifeDeed] = field(default_factory=list)
    turns: list[TurningPoint] = field(default_factory=list)
    said: list[Rumour] = field(default_factory=list)
    talks: Counter[str] = field(default_factory=Counter)
    feelings: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    reasons: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    paid: list[tuple[int, str, str]] = field(default_factory=list)
    got: list[tuple[int, str, str]] = field(default_factory=list)
    touched: dict[str, Matter] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)
    vain: Counter[str] = field(default_factory=Counter)  # whom the player looked for, and did not find
    things: list[str] = field(default_factory=list)  # activities of the day while they were played

    @property
    def still(self) -> list[Matter]:
        """Matters that the day touched and left open."""
        return [m for id, m in self.touched.items() if id not in self.over]


class Life:
    """Follows one person. world: at any time from the first record on; its known facts and open pressures are used for
    words. played: when they were played; turns: a reader that somebody else feeds, None = its own.
    """

    def __init__(self, world: World, who: str, played: Iterable[PlaySpan] = (), turns: ToldTurns | None = None) -> None:
        self.world, self.who = world, who
        self.handbook, self.clock = world.handbook, world.clock
        self.matters = pressures.world_matters(world)
        self.turns, self._own = turns or ToldTurns(world), turns is None
        self.days: dict[int, LifeDay] = {}
        self.exchanges: dict[int, Exchanged] = {}  # exchanges about a matter, by event number
        self._facts: dict[str, Fact] = {**world.beliefs.facts}
        self._facts |= {p.id: fact_of(p) for p in world.pressures.open.values()}
        self._wish: Wished | None = None  # what the player wants to do next
        self.played = [x for x in played if x.who == who]
        self._replied = False  # whether the player chose the answer in the exchange that comes next
        self._alone = False  # whether the player has left them to act by themselves

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        records = list(records)
        if self._own:
            self.turns.read(records)
        for record in records:
            at, e = record
            day = self.of(self.clock.day(at.t))
            if (matter := matter_begun(record)) is not None:
                self._began(day, at, matter)
            if at.actor == self.who and (intent := event_intent(e)) is not None:
                self._intends(day, intent)
            for payment in event_payments(record):
                self._paid(day, payment)
            self._moved(day, record)
            self._said(day, at, e)
            if (fold := FOLD.get(type(e))) is not None:
                fold(self, day, at, e)

    def of(self, day: int) -> LifeDay:
        """The record of a day; an empty one is made if there is none."""
        return self.days.setdefault(day, LifeDay(day))

    def _in_hand(self, t: int) -> bool:
        """Whether the player decided for them at t."""
        return not self._alone and any(x.since <= t <= x.until for x in self.played)

    # ---- what was done

    def _exchanged(self, day: LifeDay, stamp: Stamp, e: Exchanged) -> None:
        if e.aim:
            self.exchanges[stamp.seq] = e
        two = tuple(x.who for x in e.lines)
        if self.who not in two or len(two) < 2:
            return
        mine = stamp.actor == self.who
        other = next((x for x in two if x != stamp.actor), "")
        m = self.matters.get(e.aim)
        by_hand = self._replied if not mine else self._wish is not None and self._wish.whom == other
        if e.aim and e.do:
            text = deed_sentence(self.handbook, stamp.actor, e.do, other, m, e.answer)
            day.done.append(LifeDeed(stamp.seq, stamp.t, text, e.aim, by_hand and self._in_hand(stamp.t), e.lines))
        if mine and by_hand:
            self._wish = None
        self._replied = False

    def _intends(self, day: LifeDay, x: Intent) -> None:
        if x.vain and self._wish is not None:
            day.vain[x.vain] += 1
        self._wish = x.wish
        if x.hands:
            self._alone, self._replied = x.hands == "own", False

    def _declined(self, day: LifeDay, stamp: Stamp, e: Declined) -> None:
        if e.other == self.who and self._wish is not None and self._wish.whom == stamp.actor:
            name, whom = self.handbook.name(self.who), self.handbook.name(stamp.actor)
            how = "would not hear of it" if e.how == "refuse" else "had no time"
            text = f"{name} came to {whom} {self._wish.says}; {whom} {how}"
            day.done.append(LifeDeed(stamp.seq, stamp.t, text, self._wish.aim, True))
            self._wish = None

    def _reply(self, day: LifeDay, stamp: Stamp, e: Replied) -> None:
        self._replied = self._replied or stamp.actor == self.who

    def _chose(self, day: LifeDay, stamp: Stamp, e: Chose) -> None:
        if stamp.actor == self.who and self._in_hand(stamp.t) and e.block not in (SEEK, "sleep"):
            day.things.append(f"{self.handbook.past(e.block)} {self.handbook.at(e.where)}")

    def _closed(self, day: LifeDay, stamp: Stamp, e: Closed) -> None:
        if self.who in e.who:
            day.talks[next(x for x in e.who if x != self.who)] += 1

    # ---- matters

    def concerns(self, m: Matter | None) -> bool:
        """Whether a matter is the person's own, or about them."""
        return m is not None and self.who in (m.holder, m.about)

    def _began(self, day: LifeDay, stamp: Stamp, m: Matter) -> None:
        self.matters[m.id] = m
        self._facts.setdefault(m.id, Fact(m.id, m.id, m.kind, "", m.holder, m.about, "", 0, m.stakes, m.cause))
        if self.concerns(m) and stamp.causes:
            day.touched[m.id] = m

    def _touched(self, day: LifeDay, stamp: Stamp, e: Stirred | Ended) -> None:
        m = self.matters.get(e.id)
        if m is None or not (self.concerns(m) or self.who in (stamp.actor, e.to)):
            return
        if self.concerns(m):
            day.touched.setdefault(e.id, m)
            if e.OVER:
                day.over.add(e.id)

    def _head(self, day: LifeDay, stamp: Stamp, e: CameToHead) -> None:
        if stamp.actor == self.who:
            day.turns.append(TurningPoint(stamp.seq, stamp.t, e))

    def _stance(self, day: LifeDay, stamp: Stamp, e: StanceTaken) -> None:
        if stamp.actor != self.who:
            return
        for of in (day, self.of(day.day - 1)):  # the turning point may lie before midnight
            for i, turn in enumerate(of.turns):
                if turn.seq in stamp.causes:
                    of.turns[i] = turn._replace(taken=e)

    # ---- what changed

    def _moved(self, day: LifeDay, record: Record) -> None:
        for x in event_ties(record.event):
            if x.what == "feeling" and self.who in (x.who, x.whom):
                two = x.who, x.whom
                day.feelings[two] += x.delta
                if abs(x.delta) >= abs(day.reasons.get(two, (0.0, ""))[0]):
                    e = record.event
                    m = self.matters.get(e.id) if isinstance(e, Stirred | Ended) else None
                    day.reasons[two] = x.delta, m.gist if m is not None else ""

    def _said(self, day: LifeDay, stamp: Stamp, e: Event) -> None:
        for row in rows_of(e):
            if self.who in (row.a, row.b) and self._passed_on(row):
                fact = self._facts.get(row.fact)
                says = fact_sentence(self.world, fact, row.slots) if fact is not None else ""
                if says and not any(x.says == says and x.who == row.who for x in day.said):
                    day.said.append(Rumour(row.source, row.who, says))

    def _passed_on(self, row: BeliefUpdate) -> bool:
        """Whether somebody was told it by a third person, neither of them the one it is about, and believes it."""
        heard = row.strength >= HELD and row.source in self.world.cast and self.who not in (row.who, row.source)
        return heard and row.source not in (row.a, row.b)

    def _paid(self, day: LifeDay, x: Payment) -> None:
        if x.who == self.who:
            day.paid.append((x.amount, x.what, x.to))
        elif x.to == self.who and x.amount:
            day.got.append((x.amount, x.what, x.who))


# Type of event -> the method that adds it to the person's days.
FOLD: Mapping[type[Event], Callable[[Life, LifeDay, Stamp, Any], None]] = {
    Exchanged: Life._exchanged, Closed: Life._closed, Declined: Life._declined,
    Stirred: Life._touched, Ended: Life._touched,
    CameToHead: Life._head, StanceTaken: Life._stance, Replied: Life._reply, Chose: Life._chose,
}  # fmt: skip
_FACTS = kinds_where(lambda story: story.ties or story.payments or story.begins or story.intent)
KINDS = tuple(sorted({*TURNS, *(e.KIND for e in FOLD), *_FACTS}))
