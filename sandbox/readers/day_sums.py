"""Running sums of a day: talks, changes, candidates for the lead, moods at bedtime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.world import World
from sandbox.people.guest_handlers import Left
from sandbox.people.guest_model import in_town
from sandbox.people.model import Planned
from sandbox.people.mood import Cause, Pad
from sandbox.people.ties import pair_key
from sandbox.play.model import SawAll
from sandbox.readers.all_stories import event_counts, event_guest, event_stages
from sandbox.readers.day_headline import Lead, Quotes, Shifted, lead_of_talk
from sandbox.readers.facts import ActStage
from sandbox.readers.feedday import FeedDay
from sandbox.readers.life import Life, PlaySpan
from sandbox.readers.phrases import tie_kinds
from sandbox.readers.staying import Spirits
from sandbox.readers.talks import OpenTalks, TalkStory
from sandbox.readers.told_turns import ToldTurns
from sandbox.talk.model import Closed, Declined, Exchanged, Utterance

LEADS, REPLANS = 40, 3  # kept at most


class Evening(NamedTuple):
    """A person's mood when they went to bed. at: the second; causes: what the mood is made of."""

    at: int
    now: Pad
    causes: list[Cause]


class DaySums:
    """What a day adds up to; `read` takes the records in order. world: only names, hours and parameters are used, not
    the state. day: count that day only (1 = first), None = all. you: when somebody was played, none for nobody.

    gone: who is out of town; first, last: seconds of the first and the last event (first None = no event); leads:
    candidates for the lead; pairs, lines: talks and lines of each pair; talks: of each person; shifted, refused,
    replans: what changed; said: exchange over a matter -> what was said; evenings: moods at bedtime.
    """

    def __init__(self, world: World, day: int | None = None, you: Sequence[PlaySpan] = ()) -> None:
        self.world, self.day = world, day
        self.gone = {who for who in world.cast if not in_town(world, who)}
        self.handbook, self.clock = world.handbook, world.clock
        self.numbers: Counter[str] = Counter()
        self.first: int | None = None
        self.last = 0
        self._open = OpenTalks(world.handbook)
        self.leads: list[Lead] = []
        self.pairs: Counter[str] = Counter()
        self.lines: Counter[str] = Counter()
        self.talks: Counter[str] = Counter()
        self.shifted: dict[tuple[str, str], Shifted] = {}
        self.refused: Counter[tuple[str, str]] = Counter()
        self.replans: list[tuple[str, str]] = []
        self.saw_all = ""
        self.evenings: dict[str, Evening] = {}
        self.turns = ToldTurns(world)
        self.said: dict[int, tuple[Utterance, ...]] = {}
        self.life = Life(world, you[0].who, you, self.turns) if you else None
        self.quotes = Quotes(world.scenario.lines.lines, world.handbook)
        self.moods = Spirits(world)
        self.feed = FeedDay(world)
        self._fold: dict[type[Event], Callable[[Stamp, Any], None]] = {
            Exchanged: self._heard,
            Declined: self._declined,
            Planned: self._planned,
            Left: self._gone_away,
            SawAll: self._shown_all,
        }

    def know(self, records: Iterable[Record]) -> None:
        """Take in what pressed people before the first record."""
        self.turns.read(records)

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            at, e = record
            self.moods.read(record)
            self.turns.read((record,))
            if self.life is not None:
                self.life.read((record,))
            talk = self._open.take(record)  # of any day, to know talks that span midnight
            if self.day is None or self.clock.day(at.t) == self.day:
                if at.step > 0:
                    self.first = at.t if self.first is None else min(self.first, at.t)
                    self.last = max(self.last, at.t)
                for what, n in event_counts(e):
                    self.numbers[what] += n
                self.feed.read(record)
                for x in event_stages(record):
                    self._stage(at.t, x)
                if (guest := event_guest(e)) is not None:
                    self.gone.discard(guest.id)
                if isinstance(e, Closed):
                    self._closed(at, e, talk)
                elif (fold := self._fold.get(type(e))) is not None:
                    fold(at, e)

    # ---- one record

    def _heard(self, stamp: Stamp, e: Exchanged) -> None:
        if e.aim:
            self.said[stamp.seq] = e.lines
        talk = self._open.stories.get(e.talk)
        self.quotes.hear(stamp, e, self.handbook.place(talk.place) if talk else "")

    def _declined(self, stamp: Stamp, e: Declined) -> None:
        if e.how == "refuse":
            self.refused[stamp.actor, e.other] += 1

    def _planned(self, stamp: Stamp, e: Planned) -> None:
        if e.upset and len(self.replans) < REPLANS:
            self.replans.append((stamp.actor, e.why))

    def _stage(self, t: int, x: ActStage) -> None:
        if x.stage == "ahead" and x.sleep:
            self.evenings[x.who] = self.evening(x.who, t)
        elif x.stage == "up" and self.clock.second_of_day(t) >= 12 * HOUR:
            self.evenings.pop(x.who, None)  # it was a nap

    def _gone_away(self, stamp: Stamp, e: Left) -> None:
        self.gone.add(stamp.actor)

    def _shown_all(self, stamp: Stamp, e: SawAll) -> None:
        if e.on and not self.saw_all:
            self.saw_all = f"All-knowing view used on day {self.clock.day(stamp.t)} at {self.clock.hhmm(stamp.t)}"

    def evening(self, who: str, t: int) -> Evening:
        """Somebody's mood at t, as if they went to bed then."""
        return Evening(t, self.moods.at(who, t), self.moods.causes(who, t))

    def _closed(self, stamp: Stamp, e: Closed, talk: TalkStory | None) -> None:
        self.pairs[pair_key(*e.who)] += 1
        for who in e.who:
            self.talks[who] += 1
        for r in e.relations:
            sums = self.shifted.setdefault((r.u, r.v), Shifted(r.u, r.v, tie_kinds(r)[0]))
            sums.add(r, tie_kinds(r)[1], e.gist)
        if talk is not None:
            self.lines[pair_key(*e.who)] += len(talk.lines)
            self.keep(lead_of_talk(talk, self.handbook, self.clock, stamp.seq, self.today()))

    def keep(self, lead: Lead | None) -> None:
        """Keep a candidate for the lead, if it is among the best."""
        if lead is not None:
            self.leads.append(lead)
            if len(self.leads) >= 2 * LEADS:
                self.leads = sorted(self.leads, key=lambda x: -x.score)[:LEADS]

    def today(self) -> int:
        """The number of the day the page begins with."""
        return self.clock.day(self.first or 0)
