"""The town's chronicle: a row for each event worth a line, in words a stranger understands.

An event's words are in its story (`all_stories.py`). `Timeline` reads the log in order, makes one row of every talk
when it ends, adds occasions when they begin, and keeps the latest talks in full for whoever opens one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from sandbox.core.clock import HOUR, Clock
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.plain import count_of
from sandbox.core.text import join_names, mid_sentence
from sandbox.people.handbook import Handbook
from sandbox.phones.model import Read
from sandbox.readers import talks
from sandbox.readers.all_stories import STORIES, event_people, learn
from sandbox.readers.phrases import says_where
from sandbox.readers.pressures import Matter, deed_sentence
from sandbox.readers.story import Notable, Teller, default_notable
from sandbox.readers.talks import TalkDeed, TalkStory
from sandbox.talk.model import Closed
from sandbox.town.calendar import Calendar

KEPT = 400  # finished talks kept in full
SPOKEN = 64  # latest exchanges about pressures kept, whose consequences may still come
LATELY = 64  # latest feed events kept, whose words may still be needed
OCCASION = "*"  # mark of rows


class TimelineRow(NamedTuple):
    """A line of the chronicle.

    t: seconds since the world's start; seq: the event it describes (for an occasion, the last event before it). mark:
    one character. text: a sentence without full stop. who: ids of those concerned. talk: id of the talk it belongs to,
    or "". weight: how notable, from 0 (routine) to 10 (the talk of the town). matter: id of a pressure, or "". why: the
    cause, a clause, if its event gives one. over: whether it ended the matter or let its hour pass; then the matter's
    cause is no reason for it. occasion: id of the one that begins, or "". kind: of the event, "" for talks and
    occasions.
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
    kind: str = ""

    @property
    def of_talk(self) -> bool:
        """Whether the row says what a talk changed."""
        return bool(self.talk) and not self.kind and self.mark not in talks.SPOKEN


def untold(story: TalkStory, told: Collection[str]) -> TalkDeed | None:
    """The first deed in a talk about a pressure that is not among `told`; None if there is none."""
    return next((x for x in story.deeds if x.matter not in told), None)


class Timeline:
    """Turns records, in order, into rows. Needs only names and hours, never the state."""

    def __init__(
        self,
        handbook: Handbook,
        clock: Clock,
        calendar: Calendar | None = None,
        kept: int = KEPT,
        notable: Notable | None = None,
        matters: dict[str, Matter] | None = None,
        users: Callable[[int], str] = lambda user: "",
    ) -> None:
        """notable: the weights; None = the table that ships. matters: what pressures are about, as far as known; those
        that begin are added to it. users: as in `Teller`.
        """
        self.handbook = handbook
        self.clock = clock
        self.calendar = calendar
        self.kept = kept
        self.notable = notable or default_notable()
        self._talks = talks.OpenTalks(handbook, self.notable)
        self.matters: dict[str, Matter] = {} if matters is None else matters
        self.upto: int | None = None
        self._spoken: OrderedDict[int, TalkStory] = OrderedDict()  # exchange about a pressure -> its talk
        self._acted: dict[str, set[str]] = {}  # open talk -> pressures whose deeds in it have rows of their own
        self._done: OrderedDict[str, TalkStory] = OrderedDict()
        self._seq = 0
        self._once: dict[str, int] = {}  # text limited to one row an hour -> second of its last row
        self._lately: dict[int, Event] = {}
        self.teller = Teller(handbook, self.matters, self.notable, self._lately, users)

    def read(self, records: Iterable[Record], now: int | None = None) -> list[TimelineRow]:
        """The rows of the next records, by time. now: the second the world has reached, if known (for occasions)."""
        out: list[TimelineRow] = []
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
                    out += self._occasions(self.calendar, self.upto, latest, seq)
                self.upto = latest
        out.sort(key=lambda row: (row.t, row.seq))
        return out

    def talk(self, id: str) -> TalkStory | None:
        """A talk under way or among the latest finished; None if it is older, or its beginning was not read."""
        return self._talks.stories.get(id) or self._done.get(id)

    def _occasions(self, calendar: Calendar, after: int, upto: int, seq: int) -> Iterator[TimelineRow]:
        """Rows for the occasions that begin at a second in (after, upto], in order of time."""
        for day in range(self.clock.day(after), self.clock.day(upto) + 1):
            for o in calendar.on(day):
                t = self.clock.midnight(day) + o.from_
                if after < t <= upto:
                    at = self.handbook.at(o.where)
                    text = f"Time for {mid_sentence(o.title)}" + ("" if says_where(o.title, at) else f" {at}")
                    weight = self.notable.grown("occasion", self.notable["occasion.any"], len(o.who))
                    why = f": {o.why}" if o.why else ""
                    yield TimelineRow(t, seq, OCCASION, f"{text}{why}", o.who, "", weight, occasion=o.id)

    def _one(self, record: Record) -> list[TimelineRow]:
        at, e = record
        talked = self._talks.take(record)
        if isinstance(e, Closed):
            return self._closed(at, e, talked)
        if talked is not None:
            self._go_on(at, talked)
            return []
        learn(self.matters, record)
        if e.ON_FEED or isinstance(e, Read):
            self._lately[at.seq] = e
            if len(self._lately) > LATELY:
                del self._lately[next(iter(self._lately))]
        story, teller = STORIES[type(e)], self.teller
        found = story.weighed(teller, e, at)
        if found is None or (found.once and self._told_lately(at.t, found.once)):
            return []
        text, who, matter = story.sentence(teller, e, at), event_people(record, teller), story.matter(e)
        talk = self._talk_of(at, matter, found.deed) if matter else ""
        matter = matter or found.matter
        rest = (matter, found.why, found.over)
        return [TimelineRow(at.t, at.seq, found.mark, text, who, talk, found.weight, *rest, kind=e.KIND)]

    def _told_lately(self, t: int, words: str) -> bool:
        """Whether a row limited to one an hour has been made within the hour; if not, note that it is made now."""
        told = self._once.get(words)
        if told is not None and t - told < HOUR:
            return True
        self._once = {**{w: at for w, at in self._once.items() if t - at < HOUR}, words: t}
        return False

    def _talk_of(self, stamp: Stamp, matter: str, deed: bool) -> str:
        """The id of the talk that led to a row about a pressure, or ""."""
        story = next((self._spoken[seq] for seq in stamp.causes if seq in self._spoken), None)
        if story is None:
            return ""
        if deed and story.id in self._talks.stories:
            self._acted.setdefault(story.id, set()).add(matter)
        return story.id

    def _go_on(self, stamp: Stamp, story: TalkStory) -> None:
        """Remember the talk of an exchange about a pressure, for rows that it may lead to."""
        if story.deeds and story.deeds[-1].seq == stamp.seq:
            self._spoken[stamp.seq] = story
            while len(self._spoken) > SPOKEN:
                self._spoken.popitem(last=False)

    def _closed(self, stamp: Stamp, e: Closed, story: TalkStory | None) -> list[TimelineRow]:
        seq, t = stamp.seq, stamp.t
        if story is None:  # it began before the first record read
            names = join_names([self.handbook.name(who) for who in e.who])
            mark = talks.ROW if e.tone in ("tense", "hostile") else talks.TALK
            weight = self.notable.get(f"talk.{e.tone}", "talk.plain")
            changes = tuple(talks.notable_tie_changes(e.relations, self.handbook, self.notable))
            told = [TimelineRow(t, seq, mark, f"{names}: {e.gist}", e.who, e.talk, weight)]
        else:
            self._done[e.talk] = story
            while len(self._done) > self.kept:
                self._done.popitem(last=False)
            changes = story.changes
            told = [self._talk_row(story, seq)]
        told += [
            TimelineRow(t, seq, c.mark, c.text, c.who, e.talk, c.weight)
            for c in changes
            if c.weight >= self.notable["told"]
        ]
        return told

    def _talk_row(self, story: TalkStory, seq: int) -> TimelineRow:
        """The row of a finished talk. Deeds about a pressure raise its weight, unless they have rows of their own."""
        acted = self._acted.pop(story.id, set())
        weight, aimed = story.weight, self.notable["pressure.talk"]
        if story.deeds:
            weight = min(weight, aimed) if acted else max(weight, aimed)
        text = self._talk_text(story, acted)
        done = untold(story, acted) or next(iter(story.deeds), None)
        matter = done.matter if done is not None else ""
        return TimelineRow(story.ended, seq, story.mark, text, story.who, story.id, weight, matter)

    def _talk_text(self, story: TalkStory, told: Collection[str]) -> str:
        """A finished talk as one line: "Mara and Otis at the Market Square: the new cafe prices (4 lines)".

        If it was about a pressure, the line says what was done and how it was taken. told: pressures whose deeds have
        rows of their own; if that is all of them, the line only says who met where.
        """
        a, b = (self.handbook.name(who) for who in story.who)
        at, n = self.handbook.at(story.place), len(story.lines)
        had = {"hostile": " fell out", "tense": " had words", "warm": " had a good talk"}.get(story.tone, "")
        lines = f" ({count_of(n, 'line')})" if n else ""
        one = untold(story, told)
        if one is not None:
            to = next(who for who in story.who if who != one.who)
            says = deed_sentence(self.handbook, one.who, one.do, to, self.matters.get(one.matter), one.answer)
            did, colon, rest = says.partition(": ")
            return f"{did} {at}{colon}{rest}{lines}"
        if story.quiet and not had:
            return f"{a} and {b} passed the time of day {at}: {story.gist}"
        return f"{a} and {b} {at}{lines}" if story.deeds else f"{a} and {b}{had} {at}: {story.gist}{lines}"
