"""The town's chronicle: one row an event worth a line, in words a stranger understands.

`rows` tells what stands alone; `Timeline` reads the log in order, makes one row of every talk when it ends, notes
occasions as they begin, and keeps the latest talks in full for whoever opens one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from sandbox.core.clock import HOUR, Clock
from sandbox.core.events import Record
from sandbox.core.text import inside
from sandbox.engine.standing_in import StoodIn
from sandbox.people.handbook import Handbook
from sandbox.people.model import Chose, Felt, Planned, Reflected, Woke
from sandbox.people.mood import Pad
from sandbox.people.pressures.model import Ended, Stirred
from sandbox.people.words import MARKS
from sandbox.stories import money, pressures, talks
from sandbox.stories.notable import Notable, usual
from sandbox.stories.phrases import before, brought, listed, says_where, turn
from sandbox.stories.pressures import UNKNOWN, Matter, Matters, deed, matter_of
from sandbox.stories.talks import Deed, TalkStory
from sandbox.talk.model import Closed, Declined, Exchanged, Opened
from sandbox.town.calendar import Calendar

KEPT = 400
SPOKEN = 64  # of the latest exchanges about pressures whose consequences may still come
LATE = ("late", "missed")  # how a pressure is stirred whose hour has passed
WAKE, ASLEEP, OCCASION, TURNED_AWAY, CHANGED, THOUGHT, STOOD_IN = "'", "z", "*", "/", ">", ":", "e"
QUIET = 1.5  # weight of a row that nobody need see, beside the others of a day


class Row(NamedTuple):
    """A line of the chronicle.

    t: seconds since the world's start; seq: the event it tells (for an occasion, the last event before it). mark: one
    character. text: a sentence without full stop. who: ids of those concerned. talk: id of the talk it belongs to, or
    "". weight: how notable, from 0 (routine) to 10 (the talk of the town). matter: id of a pressure, or "". why: how it
    came to that, a clause, where its event says so. over: whether it ended the matter, or let its hour go by: how that
    began is then no reason for it. occasion: id of the one that begins, or "".
    """

    t: int
    seq: int
    mark: str
    text: str
    who: tuple[str, ...]
    talk: str
    weight: float
    matter: str = ""
    why: str = ""
    over: bool = False
    occasion: str = ""


def rows(record: Record, handbook: Handbook, notable: Notable | None = None, matters: Matters = UNKNOWN) -> list[Row]:
    """What one record tells by itself. Talks need their beginning too: `Timeline` tells them.

    matters: what pressures are about, as far as it is known.
    """
    notable = notable or usual()
    (seq, _, t, actor, _), e = record
    name = handbook.name(actor)
    if isinstance(e, Woke):
        return [Row(t, seq, WAKE, f"{name} woke", (actor,), "", notable["day.woke"])]
    if isinstance(e, Chose) and e.block == "sleep":
        text, weight = (f"{name} was asleep", 0.0) if e.there else (f"{name} went to bed", notable["day.bed"])
        return [Row(t, seq, ASLEEP, text, (actor,), "", weight)]
    if isinstance(e, Declined):
        return [_declined(record, e, handbook, notable, matters)]
    if isinstance(e, Planned) and e.upset and not any(b.whom for b in e.blocks):  # whom they look for was told
        return [Row(t, seq, CHANGED, f"{name} changed plans: {e.why}", (actor,), "", notable["plan.changed"])]
    if isinstance(e, Reflected) and e.insights:
        best = max(e.insights, key=lambda i: i.poignancy)
        who = (actor, best.about) if best.about else (actor,)
        weight = notable.grown("thought", 0.0, best.poignancy)
        return [Row(t, seq, THOUGHT, f"{name}, looking back: {best.text}", who, "", weight)]
    if isinstance(e, StoodIn) and e.answers:
        text = f"The embedded mind answered for {name}: {e.answers[-1].fault}"
        return [Row(t, seq, STOOD_IN, text, (actor,), "", QUIET)]
    if isinstance(e, Felt):
        old, new = before(e.after, e.delta), Pad(*e.after)
        text, now = turn(name, old, new, e.why, e.sort)
        who = (actor, e.about) if e.about else (actor,)
        weight = talks.weight_of_turn(now, old, new, notable)
        if e.sort in ("waking", "rumination"):  # nobody can see what it came from
            weight = min(weight, notable["mood.brooding"])
        return [Row(t, seq, MARKS[now], text, who, "", weight)] if text else []
    told = pressures.change(record, handbook, notable, matters) or money.change(record, handbook, notable, matters)
    if told is None:
        return []
    why = e.why if isinstance(e, Ended) else ""
    over = isinstance(e, Ended) or (isinstance(e, Stirred) and e.how in LATE)
    return [Row(t, seq, told.mark, told.text, told.who, "", told.weight, matter_of(record), why, over)]


def _declined(record: Record, e: Declined, handbook: Handbook, notable: Notable, matters: Matters) -> Row:
    (seq, _, t, actor, _) = record.stamp
    name, other = handbook.name(actor), handbook.name(e.other)
    refused = e.how == "refuse"
    text = f"{name} turned {other} away" if refused else f"{name} had no time for {other}"
    came = brought(handbook, e.intent)
    text += f", {came}" if came else ""
    m = matters.get(e.aim)
    against = min(e.why, key=lambda rule: rule.value, default=None)
    if m is not None:
        text += f": {m.gist}"
    elif refused and against is not None and against.value < 0:
        text += f": {against.name}"
    weight = notable["declined.refuse" if refused else "declined.deflect"]
    if e.aim:
        weight = max(weight, notable["declined.pressed"])
    return Row(t, seq, TURNED_AWAY, text, (actor, e.other), "", weight, e.aim)


def occasion_rows(
    calendar: Calendar,
    clock: Clock,
    handbook: Handbook,
    after: int,
    upto: int,
    seq: int,
    notable: Notable | None = None,
) -> list[Row]:
    """The occasions that begin at a second in (after, upto], in order of time."""
    notable = notable or usual()
    out = []
    for day in range(clock.day(after), clock.day(upto) + 1):
        for o in calendar.on(day):
            t = clock.midnight(day) + o.from_
            if after < t <= upto:
                at = handbook.at(o.where)
                text = f"Time for {inside(o.title)}" + ("" if says_where(o.title, at) else f" {at}")
                weight = notable.grown("occasion", notable["occasion.any"], len(o.who))
                out.append(
                    Row(t, seq, OCCASION, f"{text}: {o.why}" if o.why else text, o.who, "", weight, occasion=o.id)
                )
    return out


def talk_text(
    story: TalkStory, handbook: Handbook, matters: Matters = UNKNOWN, told: Collection[str] = frozenset()
) -> str:
    """A finished talk as one line: "Mara and Otis at the Market Square: the new cafe prices (4 lines)".

    If it was about a pressure, it tells what was done, and how that was taken. told: the pressures of which rows of
    their own have told that already; if that is all there was, it says no more than who met and where.
    """
    a, b = (handbook.name(who) for who in story.who)
    had = {"hostile": " fell out", "tense": " had words", "warm": " had a good talk"}.get(story.tone, "")
    n = len(story.lines)
    lines = f" ({n} line{'' if n == 1 else 's'})" if n else ""
    one = untold(story, told)
    if one is not None:
        to = next(who for who in story.who if who != one.who)
        says = deed(handbook, one.who, one.do, to, matters.get(one.matter), one.answer)
        did, colon, rest = says.partition(": ")
        return f"{did} {handbook.at(story.place)}{colon}{rest}{lines}"
    if story.deeds:
        return f"{a} and {b} {handbook.at(story.place)}{lines}"
    return f"{a} and {b}{had} {handbook.at(story.place)}: {story.gist}{lines}"


def untold(story: TalkStory, told: Collection[str]) -> Deed | None:
    """The first of what was done in a talk because of a pressure other than these."""
    return next((x for x in story.deeds if x.matter not in told), None)


class Timeline:
    """Reads records in order and tells them as rows. It needs names and hours only, never the state."""

    def __init__(
        self,
        handbook: Handbook,
        clock: Clock,
        calendar: Calendar | None = None,
        kept: int = KEPT,
        notable: Notable | None = None,
        matters: dict[str, Matter] | None = None,
    ) -> None:
        """notable: what weighs how much; the table that ships unless given. matters: what pressures are about, as far
        as it is known before; those that begin are added to it.
        """
        self.handbook = handbook
        self.clock = clock
        self.calendar = calendar
        self.kept = kept
        self.notable = notable or usual()
        self.matters: dict[str, Matter] = {} if matters is None else matters
        self.upto: int | None = None
        self._spoken: OrderedDict[int, TalkStory] = OrderedDict()  # the talk of an exchange about a pressure
        self._acted: dict[str, set[str]] = {}  # open talk -> pressures of which rows have told what it did
        self._open: dict[str, TalkStory] = {}
        self._done: OrderedDict[str, TalkStory] = OrderedDict()
        self._seq = 0
        self._faults: dict[str, int] = {}  # why the embedded mind stood in -> when that was told

    def read(self, records: Iterable[Record], now: int | None = None) -> list[Row]:
        """The rows of the next records, by time. now: the second the world has reached, if known (for occasions)."""
        out: list[Row] = []
        latest = now
        for record in records:
            if self.upto is None:
                self.upto = record.stamp.t - 1
            latest = record.stamp.t if latest is None else max(latest, record.stamp.t)
            out.extend(self._one(record))
            self._seq = record.stamp.seq
        if latest is not None:
            if self.upto is None:
                self.upto = latest
            elif latest > self.upto:
                seq = out[0].seq if out else self._seq
                if self.calendar is not None:
                    spans = self.upto, latest
                    out += occasion_rows(self.calendar, self.clock, self.handbook, *spans, seq, self.notable)
                self.upto = latest
        out.sort(key=lambda row: (row.t, row.seq))
        return out

    def talk(self, id: str) -> TalkStory | None:
        """A talk that goes on or is among the latest that ended; None if it is older or its beginning was not read."""
        return self._open.get(id) or self._done.get(id)

    def between(self, a: str, b: str) -> list[TalkStory]:
        """The talks of two people that are kept, oldest first."""
        return [s for s in (*self._done.values(), *self._open.values()) if set(s.who) == {a, b}]

    def _one(self, record: Record) -> list[Row]:
        e = record.event
        if isinstance(e, Opened):
            self._open[e.id] = talks.begun(record, self.handbook, self.matters)
        elif isinstance(e, Exchanged):
            if e.talk in self._open:
                talks.heard(self._open[e.talk], record)
                if e.aim:
                    self._spoken[record.stamp.seq] = self._open[e.talk]
                    while len(self._spoken) > SPOKEN:
                        self._spoken.popitem(last=False)
        elif isinstance(e, Closed):
            return self._closed(record, e)
        else:
            pressures.learn(self.matters, record)
            found = rows(record, self.handbook, self.notable, self.matters)
            if isinstance(e, StoodIn):
                return self._first_of(record.stamp.t, e, found)
            return self._of_talk(record, found) if matter_of(record) else found
        return []

    def _first_of(self, t: int, e: StoodIn, found: list[Row]) -> list[Row]:
        """The row, unless the same was told within the hour: where no mind can be reached, each step has many."""
        fault = e.answers[-1].fault if e.answers else ""
        told = self._faults.get(fault)
        if told is not None and t - told < HOUR:
            return []
        self._faults = {**{f: at for f, at in self._faults.items() if t - at < HOUR}, fault: t}
        return found

    def _of_talk(self, record: Record, found: list[Row]) -> list[Row]:
        """Rows about a pressure, as rows of the talk that it came of."""
        story = next((self._spoken[seq] for seq in record.stamp.causes if seq in self._spoken), None)
        if story is None or not found:
            return found
        if isinstance(record.event, (Stirred, Ended)) and story.id in self._open:
            self._acted.setdefault(story.id, set()).add(matter_of(record))
        return [row._replace(talk=story.id) for row in found]

    def _closed(self, record: Record, e: Closed) -> list[Row]:
        seq, t = record.stamp.seq, record.stamp.t
        story = self._open.pop(e.talk, None)
        if story is None:  # it began before we read
            names = listed([self.handbook.name(who) for who in e.who])
            mark = talks.ROW if e.tone in ("tense", "hostile") else talks.TALK
            weight = self.notable.get(f"talk.{e.tone}", "talk.plain")
            changes = tuple(talks.ties_changed(e.relations, self.handbook, self.notable))
            told = [Row(t, seq, mark, f"{names}: {e.gist}", e.who, e.talk, weight)]
        else:
            talks.ended(story, record, self.handbook, self.notable)
            self._done[e.talk] = story
            while len(self._done) > self.kept:
                self._done.popitem(last=False)
            changes = story.changes
            told = [self._talk_row(story, seq)]
        told += [
            Row(t, seq, c.mark, c.text, c.who, e.talk, c.weight) for c in changes if c.weight >= self.notable["told"]
        ]
        return told

    def _talk_row(self, story: TalkStory, seq: int) -> Row:
        """A talk that ended. What was done in it because of a pressure is worth a line, but not told twice."""
        acted = self._acted.pop(story.id, set())
        weight, aimed = story.weight, self.notable["pressure.talk"]
        if story.deeds:
            weight = min(weight, aimed) if acted else max(weight, aimed)
        text = talk_text(story, self.handbook, self.matters, acted)
        done = untold(story, acted) or next(iter(story.deeds), None)
        matter = done.matter if done is not None else ""
        return Row(story.ended, seq, story.mark, text, story.who, story.id, weight, matter)
