"""The town's chronicle: one row an event worth a line, in words a stranger understands.

`rows` tells what stands alone; `Timeline` reads the log in order, makes one row of every talk when it ends, notes
occasions as they begin, and keeps the latest talks in full for whoever opens one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from sandbox.core.clock import Clock
from sandbox.core.events import Record
from sandbox.people.model import Chose, Felt, Handbook, Planned, Reflected, Woke
from sandbox.people.mood import Pad
from sandbox.people.words import MARKS
from sandbox.stories import talks
from sandbox.stories.phrases import BROUGHT, WEIGHT_OF_TURN, before, listed, turn
from sandbox.stories.talks import TalkStory
from sandbox.talk.model import Closed, Declined, Exchanged, Opened
from sandbox.town.calendar import Calendar

KEPT = 400
WAKE, ASLEEP, OCCASION, TURNED_AWAY, CHANGED, THOUGHT = "'", "z", "*", "/", ">", ":"


class Row(NamedTuple):
    """A line of the chronicle.

    t: seconds since the world's start; seq: the event it tells (for an occasion, the last event before it). mark: one
    character. text: a sentence without full stop. who: ids of those concerned. talk: id of the talk it belongs to, or
    "". weight: how notable, from 0 (routine) to 10 (the talk of the town).
    """

    t: int
    seq: int
    mark: str
    text: str
    who: tuple[str, ...]
    talk: str
    weight: float


def rows(record: Record, handbook: Handbook) -> list[Row]:
    """What one record tells by itself. Talks need their beginning too: `Timeline` tells them."""
    (seq, _, t, actor, _), e = record
    name = handbook.name(actor)
    if isinstance(e, Woke):
        return [Row(t, seq, WAKE, f"{name} woke", (actor,), "", 1.0)]
    if isinstance(e, Chose) and e.block == "sleep":
        text, weight = (f"{name} was asleep", 0.0) if e.there else (f"{name} went to bed", 1.0)
        return [Row(t, seq, ASLEEP, text, (actor,), "", weight)]
    if isinstance(e, Declined):
        other = handbook.name(e.other)
        brought = BROUGHT.get(e.intent, "")
        if e.how == "refuse":
            text, weight = f"{name} turned {other} away", 5.0
        else:
            text, weight = f"{name} had no time for {other}", 2.0
        return [Row(t, seq, TURNED_AWAY, f"{text}, {brought}" if brought else text, (actor, e.other), "", weight)]
    if isinstance(e, Planned) and e.why:
        return [Row(t, seq, CHANGED, f"{name} changed plans: {e.why}", (actor,), "", 3.0)]
    if isinstance(e, Reflected) and e.insights:
        best = max(e.insights, key=lambda i: i.poignancy)
        who = (actor, best.about) if best.about else (actor,)
        return [Row(t, seq, THOUGHT, f"{name}, looking back: {best.text}", who, "", min(6.0, best.poignancy / 2))]
    if isinstance(e, Felt):
        text, now = turn(name, before(e.after, e.delta), Pad(*e.after), e.why)
        who = (actor, e.about) if e.about else (actor,)
        return [Row(t, seq, MARKS[now], text, who, "", WEIGHT_OF_TURN[now])] if text else []
    return []


def occasion_rows(calendar: Calendar, clock: Clock, handbook: Handbook, after: int, upto: int, seq: int) -> list[Row]:
    """The occasions that begin at a second in (after, upto], in order of time."""
    out = []
    for day in range(clock.day(after), clock.day(upto) + 1):
        for o in calendar.on(day):
            t = clock.midnight(day) + o.from_
            if after < t <= upto:
                text = f"{o.title}, {handbook.place(o.where)}"
                out.append(Row(t, seq, OCCASION, f"{text}: {o.why}" if o.why else text, o.who, "", 5.0))
    return out


def talk_text(story: TalkStory, handbook: Handbook) -> str:
    """A finished talk as one line: "Mara and Otis, the Market Square: the new cafe prices (4 lines)"."""
    a, b = (handbook.name(who) for who in story.who)
    had = {"hostile": " fell out", "tense": " had words"}.get(story.tone, "")
    n = len(story.lines)
    lines = f" ({n} line{'' if n == 1 else 's'})" if n else ""
    return f"{a} and {b}{had}, {handbook.place(story.place)}: {story.gist}{lines}"


class Timeline:
    """Reads records in order and tells them as rows. It needs names and hours only, never the state."""

    def __init__(self, handbook: Handbook, clock: Clock, calendar: Calendar | None = None, kept: int = KEPT) -> None:
        self.handbook = handbook
        self.clock = clock
        self.calendar = calendar
        self.kept = kept
        self.upto: int | None = None
        self._open: dict[str, TalkStory] = {}
        self._done: OrderedDict[str, TalkStory] = OrderedDict()
        self._seq = 0

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
                    out += occasion_rows(self.calendar, self.clock, self.handbook, self.upto, latest, seq)
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
            self._open[e.id] = talks.begun(record, self.handbook)
        elif isinstance(e, Exchanged):
            if e.talk in self._open:
                talks.heard(self._open[e.talk], record)
        elif isinstance(e, Closed):
            return self._closed(record, e)
        else:
            return rows(record, self.handbook)
        return []

    def _closed(self, record: Record, e: Closed) -> list[Row]:
        seq, t = record.stamp.seq, record.stamp.t
        story = self._open.pop(e.talk, None)
        if story is None:  # it began before we read
            names = listed([self.handbook.name(who) for who in e.who])
            mark = talks.ROW if e.tone in ("tense", "hostile") else talks.TALK
            weight = {"hostile": 9.0, "tense": 6.0, "warm": 4.0}.get(e.tone, 2.0)
            changes = tuple(talks.ties_changed(e.relations, self.handbook))
            told = [Row(t, seq, mark, f"{names}: {e.gist}", e.who, e.talk, weight)]
        else:
            talks.ended(story, record, self.handbook)
            self._done[e.talk] = story
            while len(self._done) > self.kept:
                self._done.popitem(last=False)
            changes = story.changes
            told = [Row(t, seq, story.mark, talk_text(story, self.handbook), story.who, e.talk, story.weight)]
        told += [Row(t, seq, c.mark, c.text, c.who, e.talk, c.weight) for c in changes if c.weight >= 3.0]
        return told
