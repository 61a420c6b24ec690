"""A day as it adds up: what led it, who met whom, what changed, spirits, best lines. One pass over the log.

`Day` takes records in order and holds sums, never the records; `done` makes the `Digest`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.text import upper
from sandbox.drama.outcomes import Decided
from sandbox.drama.turns import WEIGHT
from sandbox.engine.world import World
from sandbox.people.causes import Sort
from sandbox.people.claim_model import Broken, Made
from sandbox.people.guest_handlers import Came, Left
from sandbox.people.guest_model import in_town
from sandbox.people.model import Chose, Planned, Woke
from sandbox.people.mood import Cause, Pad
from sandbox.people.mood_words import term
from sandbox.people.ties import pair_key
from sandbox.play.model import SawAll
from sandbox.readers.all_stories import event_counts
from sandbox.readers.day_headline import (
    Lead,
    Shifted,
    lead_of_claim,
    lead_of_occasion,
    lead_of_outcome,
    lead_of_talk,
    told_changes,
)
from sandbox.readers.feedday import FeedDay
from sandbox.readers.incidents import Incidents
from sandbox.readers.life import Life
from sandbox.readers.lifewords import life_paragraphs
from sandbox.readers.phrases import tie_kinds, with_why
from sandbox.readers.played import PlaySpan
from sandbox.readers.quotes import Quote, Quotes
from sandbox.readers.sentences import incident_sentence
from sandbox.readers.staying import Spirits
from sandbox.readers.stories_of_claims import news_of
from sandbox.readers.talks import OpenTalks, TalkStory
from sandbox.readers.threads import Incident
from sandbox.talk.model import Closed, Declined, Exchanged
from sandbox.town.plan import Occasion

LEADS, COMPANY = 40, 3
TOLD = 8  # incidents on the page
COUNTED = ("talks", "exchanges", "sights", "reflections", "walks", "refusals", "replans")
LOW = 0.1  # pleasure below which somebody can be called the lowest
BETTER = 0.03  # pleasure above rest from which somebody is in better spirits than usual


class Company(msgspec.Struct, frozen=True):
    """Two people and how much they talked."""

    who: tuple[str, str]
    names: tuple[str, str]
    talks: int
    lines: int


class Spirit(msgspec.Struct, frozen=True):
    """Somebody's mood at the end of their day: its word, its pleasure in [-1, 1], and the largest cause that way, "" if
    it is not worth naming, with its sort.
    """

    who: str
    name: str
    word: str
    pleasure: float
    why: str
    sort: Sort = "event"


class Digest(msgspec.Struct, frozen=True):
    """A day for a reader. begins, ends: seconds since the world's start; names and words are ready to print.

    people: how many live there; brighter: how many ended the day in better spirits than is usual for them; over:
    whether most have gone to bed, so that the day has an end. numbers: talks, exchanges, sights, reflections, walks,
    refusals, replans. incidents: the weightiest, as sentences, by time.
    claims: what is so since, or no longer, what changes a life before all. feed: whose post was liked most, and what
    crossed between street and feed. saw_all: when whoever plays somebody was shown all that is so, "" if they were not.
    you: of whoever was played, called `played`, in paragraphs.
    """

    title: str
    begins: int
    ends: int
    since: str
    until: str
    headline: str
    lead: str
    quote: Quote | None
    brief: tuple[str, ...]
    incidents: tuple[str, ...]
    occasion: str
    company: tuple[Company, ...]
    most: tuple[str, int]
    least: tuple[str, int]
    silent: tuple[str, ...]
    changes: tuple[str, ...]
    happiest: Spirit | None
    lowest: Spirit | None
    brighter: int
    people: int
    overheard: tuple[Quote, ...]
    numbers: dict[str, int]
    over: bool = True
    claims: tuple[str, ...] = ()
    feed: tuple[str, ...] = ()
    saw_all: str = ""
    played: str = ""
    you: tuple[str, ...] = ()


class _Evening(NamedTuple):
    """A person's mood when they went to bed. at: when; now: the mood; causes: its ledger."""

    at: int
    now: Pad
    causes: list[Cause]


class Day:
    """The fold. world: names, hours and parameters are used, not the state. day: count that day only (1 = first). you:
    when somebody was played, who is written about; none for nobody.
    """

    def __init__(self, world: World, day: int | None = None, you: Sequence[PlaySpan] = ()) -> None:
        self.world, self.day = world, day
        self._gone = {who for who in world.cast if not in_town(world, who)}
        self.handbook, self.clock = world.handbook, world.clock
        self.numbers: Counter[str] = Counter()
        self._first: int | None = None
        self._last = 0
        self._open = OpenTalks(world.handbook)
        self._leads: list[Lead] = []
        self._pairs: Counter[str] = Counter()
        self._lines: Counter[str] = Counter()
        self._talks: Counter[str] = Counter()
        self._shifted: dict[tuple[str, str], Shifted] = {}
        self._refused: Counter[tuple[str, str]] = Counter()
        self._replans: list[tuple[str, str]] = []
        self._claims: list[tuple[bool, str]] = []  # whether no life hangs on it, and what is so
        self._saw_all = ""
        self._evenings: dict[str, _Evening] = {}
        self._settled: set[int] = set()  # events that decided something
        self._incidents = Incidents(world.handbook, world.clock)
        self._life = Life(world, you[0].who, you, self._incidents) if you else None
        self._quotes = Quotes(world.scenario.lines.lines, world.handbook)
        self._moods = Spirits(world)
        self._feed = FeedDay(world)
        self._fold: dict[type[Event], Callable[[Stamp, Any], None]] = {
            Exchanged: self._quoted,
            Closed: self._closed,
            Declined: self._declined,
            Decided: self._decided,
            Made: self._changed,
            Broken: self._changed,
            Planned: self._planned,
            Chose: self._chose,
            Woke: self._woke,
            Came: self._arrived,
            Left: self._gone_away,
            SawAll: self._shown_all,
        }

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            at, e = record
            self._moods.read(record)
            self._incidents.read((record,))
            talk = self._open.take(record)
            if self._life is not None:
                self._life.read((record,))
            if self.day is None or self.clock.day(at.t) == self.day:
                if at.step > 0:
                    self._first = at.t if self._first is None else min(self._first, at.t)
                    self._last = max(self._last, at.t)
                for what, n in event_counts(e):
                    self.numbers[what] += n
                self._feed.read(record)
                if (fold := self._fold.get(type(e))) is not None:
                    fold(at, e)
                if talk is not None and talk.close:
                    self._talked(talk)

    # ---- one record

    def _quoted(self, at: Stamp, e: Exchanged) -> None:
        story = self._open.stories.get(e.talk)
        self._quotes.hear(at, e, self.handbook.place(story.place) if story else "")

    def _declined(self, at: Stamp, e: Declined) -> None:
        if e.how == "refuse":
            self._refused[at.actor, e.other] += 1

    def _decided(self, at: Stamp, e: Decided) -> None:
        self._settled.add(at.seq)
        self._keep(lead_of_outcome(e, at.t, at.seq))

    def _changed(self, at: Stamp, e: Made | Broken) -> None:
        text = upper(news_of(self.handbook, e))
        if not text:
            return
        hard = self.handbook.claims.kinds[e.kind].hard
        self._claims.append((not hard, with_why(text, e.why)))
        if hard and not self._settled & {*at.causes}:  # what was decided leads by itself
            self._keep(lead_of_claim(e, text, at.t, at.seq))

    def _planned(self, at: Stamp, e: Planned) -> None:
        if e.upset and len(self._replans) < COMPANY:
            self._replans.append((at.actor, e.why))

    def _chose(self, at: Stamp, e: Chose) -> None:
        if e.block == "sleep" and not e.there:
            self._evenings[at.actor] = self._evening(at.actor, at.t)

    def _woke(self, at: Stamp, e: Woke) -> None:
        if self.clock.second_of_day(at.t) >= 12 * HOUR:
            self._evenings.pop(at.actor, None)  # it was a nap

    def _arrived(self, at: Stamp, e: Came) -> None:
        self._gone.discard(at.actor)

    def _gone_away(self, at: Stamp, e: Left) -> None:
        self._gone.add(at.actor)

    def _shown_all(self, at: Stamp, e: SawAll) -> None:
        if e.on and not self._saw_all:
            self._saw_all = f"All-knowing view used on day {self.clock.day(at.t)} at {self.clock.hhmm(at.t)}"

    def _evening(self, who: str, t: int) -> _Evening:
        return _Evening(t, self._moods.at(who, t), self._moods.causes(who, t))

    def _closed(self, at: Stamp, e: Closed) -> None:
        self._pairs[pair_key(*e.who)] += 1
        for who in e.who:
            self._talks[who] += 1
        for r in e.relations:
            sums = self._shifted.setdefault((r.u, r.v), Shifted(r.u, r.v, tie_kinds(r)[0]))
            sums.add(r, tie_kinds(r)[1], e.gist)

    def _talked(self, story: TalkStory) -> None:
        self._lines[pair_key(*story.who)] += len(story.lines)
        self._keep(lead_of_talk(story, self.handbook, self.clock, story.close, self._today()))

    def _keep(self, lead: Lead | None) -> None:
        if lead is not None:
            self._leads.append(lead)
            if len(self._leads) >= 2 * LEADS:
                self._leads = sorted(self._leads, key=lambda x: -x.score)[:LEADS]

    # ---- the end

    def done(self) -> Digest:
        """What it all came to."""
        w, name = self.world, self.handbook.name
        begins = 0 if self._first is None else self._first
        ends = self._last
        if self.day is None and self._first is not None and ends < w.now <= ends + HOUR:
            ends = w.now
        today = self._today()
        special = [lead_of_occasion(o, t, self.handbook, self.clock, today) for t, o in self._occasions(begins, ends)]
        for x in special:
            self._keep(x)
        leads = [] if not self.numbers["talks"] else sorted(self._leads, key=lambda x: (-x.score, x.t))
        top = leads[0] if leads else None
        headline = top.headline if top else f"A quiet day in {w.scenario.title}"
        lead = top.text if top else "Nobody said a word to anybody, and nothing came of it"
        if self._first is None:
            lead = "Nothing is on record"
        brief: list[Lead] = []
        for x in leads[1:]:
            if len(brief) < 2 and x.score >= 30.0 and not any(set(x.who) & set(y.who) for y in (top, *brief) if y):
                brief.append(x)
        spirits = self._spirits(ends) if self._first is not None else []
        talked = sorted(self._talks.items(), key=lambda x: (-x[1], x[0]))
        incidents = self._told()
        changes = told_changes(self._shifted.values(), self._refused, self._replans, self.handbook)
        return Digest(
            title=w.scenario.title,
            begins=begins,
            ends=ends,
            since=self._date(begins),
            until=self._date(ends),
            headline=headline,
            lead=lead,
            quote=self._quote(top),
            brief=tuple(x.text for x in brief),
            incidents=self._happened(incidents),
            occasion=max(special, key=lambda x: x.score).text if special and top not in special else "",
            company=self._company(),
            most=(name(talked[0][0]), talked[0][1]) if talked else ("", 0),
            least=(name(talked[-1][0]), talked[-1][1]) if len(talked) > 2 else ("", 0),
            silent=tuple(name(who) for who in self._moods.people if who not in {*self._talks, *self._gone})
            if talked
            else (),
            changes=changes,
            happiest=self._spirit(spirits[-1], 1.0) if spirits else None,
            lowest=self._spirit(spirits[0], -1.0) if len(spirits) > 1 and spirits[0][1].now.p < LOW else None,
            brighter=sum(s.now.p > self._moods.nature(who).p + BETTER for who, s in spirits),
            people=sum(who not in self._gone for who in self._moods.people),
            over=2 * len(self._evenings) > len(spirits),
            overheard=self._quotes.best(top.line.text if top and top.line else ""),
            numbers={key: self.numbers[key] for key in COUNTED},
            claims=tuple(text for _, text in sorted(self._claims, key=lambda x: x[0])[:TOLD]),
            feed=self._feed.told(),
            saw_all=self._saw_all,
            played=name(self._life.who) if self._life is not None else "",
            you=tuple(x for day in self._days() for x in life_paragraphs(self._life, day, incidents, changes))
            if self._life is not None
            else (),
        )  # fmt: skip

    def _days(self) -> tuple[int, ...]:
        return self._incidents.days() if self.day is None else (self.day,)

    def _told(self) -> list[Incident]:
        """The incidents of the page, the weightiest first."""
        found = [x for day in self._days() for x in self._incidents.of(day).incidents]
        found.sort(key=lambda x: (-max(WEIGHT[turn.how] for turn in x.turns), x.good, -len(x.turns), -x.t))
        return [x for x in found[:TOLD] if incident_sentence(x.telling)]

    def _happened(self, incidents: Iterable[Incident]) -> tuple[str, ...]:
        told = [(x.t, incident_sentence(x.telling)) for x in incidents]
        told += [(t, f"{text}.") for day in self._days() for t, text in self._incidents.of(day).outcomes]
        return tuple(text for _, text in sorted(told))

    def _today(self) -> int:
        """The day the page begins with."""
        return self.clock.day(self._first or 0)

    def _occasions(self, begins: int, ends: int) -> list[tuple[int, Occasion]]:
        found = []
        for day in range(self.clock.day(begins), self.clock.day(ends) + 1):
            for o in self.world.calendar.on(day):
                t = self.clock.midnight(day) + o.from_
                if begins <= t < ends:
                    found.append((t, o))
        return found

    def _spirits(self, ends: int) -> list[tuple[str, _Evening]]:
        here = [who for who in self._moods.people if who not in self._gone]
        all_ = [(who, self._evenings.get(who) or self._evening(who, ends)) for who in here]
        return sorted(all_, key=lambda x: (x[1].now.p, x[0]))

    def _company(self) -> tuple[Company, ...]:
        name, out = self.handbook.name, []
        for key, n in sorted(self._pairs.items(), key=lambda x: (-x[1], -self._lines[x[0]], x[0]))[:COMPANY]:
            a, b = key.split("|")
            out.append(Company((a, b), (name(a), name(b)), n, self._lines[key]))
        return tuple(out)

    def _quote(self, top: Lead | None) -> Quote | None:
        if top is None or top.line is None:
            return None
        x, name = top.line, self.handbook.name
        to = next((who for who in top.who if who != x.who), "")
        return Quote(x.t, x.seq, x.who, to, name(x.who), name(to), top.place, x.move, x.text)

    def _date(self, t: int) -> str:
        at = self.clock.at(t)
        return f"{at:%A} {at.day} {at:%B}, {at:%H:%M}"

    def _spirit(self, found: tuple[str, _Evening], sign: float) -> Spirit:
        who, evening = found
        causes = [c for c in evening.causes if c.seq and sign * c.p > 0.0]
        best = max(causes, key=lambda c: sign * c.p, default=None)
        why, sort = (best.why, best.sort) if best is not None and best.sort != "small_talk" else ("", "event")
        return Spirit(who, self.handbook.name(who), term(evening.now), round(evening.now.p, 4), why, sort)


def make_digest(
    records: Iterable[Record], world: World, day: int | None = None, you: Sequence[PlaySpan] = ()
) -> Digest:
    """What happened in these records of the world's log, which are read once and not kept.

    day: only that day (1 is the day the world starts on), for which earlier records may be given too; None: all of
    them. The world's names, hours and parameters are used, its state is not. you: when somebody was played, who
    is written about.
    """
    found = Day(world, day, you)
    found.read(records)
    return found.done()
