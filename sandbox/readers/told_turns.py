"""The weighty turns of each day: what began or ended between people, what was decided, what came to a head; how much
each weighs, whom it concerns, and what it cost or gave them. Pages and stories choose from these.

A turn is all that happened in one moment by one cause: a debt that was not paid, the room lost over it, the shame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.events import Event, Record
from sandbox.drama.outcomes import OFF, Decided
from sandbox.drama.taking_sides import Showdown
from sandbox.drama.turns import BAD
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.handbook import Handbook
from sandbox.people.mark_model import Marked
from sandbox.people.pressure_deck import child_of, gist
from sandbox.people.pressure_model import Began, Ended, Stirred, Turned
from sandbox.readers import incidents
from sandbox.readers.all_stories import BEGINNINGS, STORIES, learn
from sandbox.readers.incidents import Incidents
from sandbox.readers.pressures import world_matters
from sandbox.readers.story import Teller
from sandbox.readers.threads import ON_FEED, BornScene, TurnScene
from sandbox.readers.turn_words import (
    born_of,
    born_sentences,
    claims_news,
    feeling_sentences,
    join_sentences,
    mark_sentences,
    prose,
    says_all,
    showdown_news,
    turn_after,
    turn_cause,
    turn_deed,
    turn_news,
)
from sandbox.talk.model import Closed

SAME = 5 * MINUTE  # seconds within which what comes of something belongs to it
# Weight of each mark that is left, of feelings moved by 1 in all, and of a claim that is made or ends.
MARK, FEELING, CLAIM = 1.0, 2.0, 2.5
HEAVY = 6.5  # weight from which a turn came to a head; what is lighter was small
COSTS = 3  # sentences on what a turn cost or gave, at most
OWN = (Made, Broken, Decided, Showdown, Marked, Ended, Stirred)  # the types of event that are read here
KINDS = tuple(dict.fromkeys((*incidents.KINDS, *BEGINNINGS, *(e.KIND for e in OWN))))


class ToldTurn(msgspec.Struct, frozen=True):
    """A weighty turn. seq, t: its main event and its second; seqs: all events that it tells; causes: of the main one.

    life: whether it changed how somebody lives: a couple, a home, work, an office; good: whether it turned out well.
    people: whom it concerns. came: the events by which its pressure began. matter, thread, kind, holder, about, stakes,
    cause: of the pressure that turned, "" for none. news: what happened, a clause in the past tense; how: how it came
    to it; deed: what was done, and how it was taken; over: the same with over what; after: what that came to; turned:
    what the pressure came to; place: an adverbial; each "" if there is nothing to say. plain: the news says the deed;
    timed: it is the deed, and needs its hour. decided: by an occasion; mercy: somebody asked after a bad day of
    another. costs: what it cost or gave, a clause each; moved: (person, change of pleasure) for each mark it left.
    """

    seq: int
    t: int
    weight: float
    life: bool
    good: bool
    people: tuple[str, ...]
    seqs: tuple[int, ...]
    causes: tuple[int, ...]
    news: str
    came: tuple[int, ...] = ()
    matter: str = ""
    thread: str = ""
    kind: str = ""
    holder: str = ""
    about: str = ""
    stakes: str = ""
    cause: str = ""
    how: str = ""
    deed: str = ""
    over: str = ""
    after: str = ""
    turned: str = ""
    place: str = ""
    plain: bool = False
    timed: bool = False
    decided: bool = False
    mercy: bool = False
    costs: tuple[str, ...] = ()
    moved: tuple[tuple[str, float], ...] = ()


TOLD = 15  # matters whose turns a day's page tells, at most
TurnGroup = tuple[ToldTurn, ...]  # turns of one matter in a day, the weightiest first


def told_groups(turns: Iterable[ToldTurn], most: int = TOLD) -> list[TurnGroup]:
    """The turns that a day's page tells: those of each matter together, the weightiest first."""
    out: dict[object, list[ToldTurn]] = {}
    for x in sorted(turns, key=lambda x: (-x.weight, x.t, x.seq)):
        out.setdefault(x.matter or x.seq, []).append(x)
    return [tuple(group) for group in out.values()][:most]


def told_paragraph(
    turn: ToldTurn, book: Handbook, clock: Clock, others: Iterable[ToldTurn] = (), headed: bool = False
) -> str:
    """A turn as two to six sentences: what happened, how it came about, what was done when and where, what it cost.
    others: lighter turns of the same matter on the same day, whose deeds are told with it. headed: a heading says what
    happened.
    """
    deeds = [(x.t, x.seq, timed_deed(x, clock)) for x in others]
    news, cause = "" if headed else turn.news, turn.cause
    if turn.timed:
        news, cause = cause, _at(turn, clock, turn.news)
    elif not turn.plain:
        deeds.append((turn.t, turn.seq, timed_deed(turn, clock)))
    return prose(book, [news, cause, *(text for _, _, text in sorted(deeds)), *turn.costs]) or join_sentences(
        [turn.news]
    )


def timed_deed(turn: ToldTurn, clock: Clock) -> str:
    """What was done in a turn, or how it came about, with its hour and place; "" if there is nothing to say."""
    return _at(turn, clock, turn.deed or turn.how)


def _at(turn: ToldTurn, clock: Clock, text: str) -> str:
    return f"at {clock.hhmm(turn.t)}{f', {turn.place},' if turn.place else ''} {text}" if text else ""


class _Moment:
    """Events of one moment that came of one another. scenes: those of its turns; claims: those made or ended; marks:
    each with whose it is; decided, shown: what was decided, or shown before everybody.
    """

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.scenes: list[BornScene] = []
        self.claims: list[ClaimEvent] = []
        self.marks: list[tuple[str, Marked]] = []
        self.decided: Decided | None = None
        self.shown: Showdown | None = None
        self.public: Record | None = None  # the event of either

    def add(self, record: Record, scene: BornScene | None) -> None:
        """Add an event. scene: of the turn that it is."""
        e = record.event
        self.records.append(record)
        self.scenes += [scene] if scene is not None else []
        if isinstance(e, ClaimEvent):
            self.claims.append(e)
        elif isinstance(e, Marked):
            self.marks.append((record.stamp.actor, e))
        elif isinstance(e, Decided):
            self.decided, self.public = e, record
        elif isinstance(e, Showdown):
            self.shown, self.public = e, record

    @property
    def feelings(self) -> list[Turned]:
        """The feelings that it moved."""
        return [f for r in self.records for f in getattr(r.event, "feelings", ())]


class ToldTurns:
    """Finds the turns of each day. world: at any time from the first record on; only names, hours, decks and known
    matters are used. found: a reader of the same records, which somebody else feeds before; None = its own.
    """

    def __init__(self, world: World, found: Incidents | None = None) -> None:
        self._clock, self._handbook = world.clock, world.handbook
        self._incidents, self._own = found or Incidents(world.handbook, world.clock), found is None
        self._matters = world_matters(world)
        self._teller = Teller(world.handbook, self._matters)
        self._came: dict[str, tuple[int, ...]] = {}  # pressure -> the events by which it began
        self._days: defaultdict[int, dict[int, Record]] = defaultdict(dict)

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        records = [*records]
        if self._own:
            self._incidents.read(records)
        for record in records:
            if isinstance(record.event, Began):
                learn(self._matters, record)
                self._came[record.event.id] = record.stamp.causes
            if isinstance(record.event, OWN):
                self._days[self._clock.day(record.stamp.t)][record.stamp.seq] = record

    def days(self) -> tuple[int, ...]:
        """The days read so far, including the current one."""
        return self._incidents.days()

    def of(self, day: int) -> tuple[ToldTurn, ...]:
        """The turns of a day, the weightiest first; of the current day so far."""
        scenes = {x.scene.stamp.seq: x for x in self._incidents.of(day).scenes if self._tells(x)}
        records = {**self._days.get(day, {}), **{s: Record(x.scene.stamp, x.scene.event) for s, x in scenes.items()}}
        found = [self._told(x) for x in self._moments(records, scenes)]
        return tuple(sorted((x for x in found if x is not None), key=lambda x: (-x.weight, x.t, x.seq)))

    def _tells(self, x: BornScene) -> bool:
        """Whether a turn is told: no change of plan, nor what an ordinary talk did to feelings."""
        return x.scene.turn.how != "planned" and not isinstance(x.scene.event, Closed)

    def _moments(self, records: dict[int, Record], scenes: dict[int, BornScene]) -> list[_Moment]:
        """Group events by what they came of."""
        out: list[_Moment] = []
        of: dict[int, _Moment] = {}
        for seq in sorted(records):
            record = records[seq]
            near = (c for c in record.stamp.causes if c in of and record.stamp.t - records[c].stamp.t <= SAME)
            moment = next((of[c] for c in near), None)
            if moment is None and (seq in scenes or self._begins(record.event)):
                moment = _Moment()
                out.append(moment)
            if moment is not None:
                of[seq] = moment
                moment.add(record, scenes.get(seq))
        return out

    def _begins(self, e: Event) -> bool:
        """Whether an event is a turn by itself."""
        if isinstance(e, Made):
            return not (e.within or self._handbook.claims.kinds[e.kind].private)
        if isinstance(e, Broken):
            return not (e.within or e.instead)
        return isinstance(e, Showdown) or (isinstance(e, Decided) and e.how != OFF)

    def _weight(self, record: Record) -> float:
        found = STORIES[type(record.event)].weighed(self._teller, record.event, record.stamp)
        return found.weight if found is not None else 0.0

    def _told(self, x: _Moment) -> ToldTurn | None:
        """A moment as a turn; None if there are no words for it."""
        x.scenes.sort(key=lambda s: -self._weight(Record(s.scene.stamp, s.scene.event)))
        main = x.scenes[0].scene if x.scenes else None
        head = x.public or (Record(main.stamp, main.event) if main is not None else x.records[0])
        news, *more = [*dict.fromkeys(text for text in self._news(x) if text)] or [""]
        if not news:
            return None
        claim = x.claims[0] if x.claims and main is None else None
        turn = ToldTurn(
            seq=head.stamp.seq,
            t=head.stamp.t,
            weight=self._sum(x),
            life=bool(self._claims(x, hard=True)),
            good=main.turn.tone != BAD if main is not None else all(e.KIND == Made.KIND for e in x.claims),
            people=self._people(x),
            seqs=tuple(r.stamp.seq for r in x.records),
            causes=head.stamp.causes,
            news=news,
            decided=x.decided is not None,
            costs=tuple(dict.fromkeys((*more, *self._costs(x)))),
            moved=tuple((who, mark.delta.p) for who, mark in x.marks),
            cause=claim.why if claim is not None and x.public is None else "",
            stakes=claim.terms if claim is not None else "",
        )
        return turn if main is None else self._with_matter(turn, main, alone=x.public is None)

    def _people(self, x: _Moment) -> tuple[str, ...]:
        """Whom a moment concerns: who acted, whom it was about, whose claims and marks it changed."""
        found = [who for e in x.claims for who in (e.a, e.b)] + [who for who, _ in x.marks]
        found += x.shown.speakers if x.shown is not None else ()
        for s in reversed(x.scenes):
            p = s.scene.matter
            found = [p.holder, p.about, s.scene.stamp.actor, getattr(s.scene.event, "to", ""), *found]
        return tuple(who for who in dict.fromkeys(found) if who)

    def _sum(self, x: _Moment) -> float:
        """The weight of a moment: of its weightiest event, its claims and marks, and the feelings that it moved."""
        moved = FEELING * min(1.0, sum(abs(f.delta) for f in x.feelings))
        claim = CLAIM * bool(self._claims(x, hard=True) or self._claims(x, hard=False))
        return round(max(self._weight(r) for r in x.records) + claim + MARK * len(x.marks) + moved, 3)

    def _claims(self, x: _Moment, hard: bool) -> list[ClaimEvent]:
        """The claims made or ended in a moment that are news. hard: those that one's life depends on, or the others."""
        kinds = self._handbook.claims.kinds
        found = (e for e in x.claims if kinds[e.kind].hard == hard)
        return [e for e in found if not e.within and not getattr(e, "instead", "")]

    def _news(self, x: _Moment) -> list[str]:
        """What happened in a moment, as clauses, the main one first."""
        book = self._handbook
        hard, soft = self._claims(x, hard=True), self._claims(x, hard=False)
        if x.decided is not None:
            return [x.decided.says.removesuffix("."), *claims_news(book, hard), *self._turned(x)]
        if x.shown is not None and x.public is not None:
            shown = showdown_news(book, x.shown, x.public.stamp.actor)
            return [*shown, *claims_news(book, hard), *self._turned(x), *claims_news(book, soft)]
        if not x.scenes:
            return claims_news(book, [*hard, *soft], alone=True)
        first = claims_news(book, hard)
        return [*first[:1], *self._turned(x), *first[1:], *claims_news(book, soft)]

    def _turned(self, x: _Moment) -> list[str]:
        """The turns of a moment, as clauses, the weightiest first; of others than the first only what ended."""
        told = [s.scene for n, s in enumerate(x.scenes) if not n or s.scene.turn.how == "ended"]
        return [turn_news(self._handbook, scene) for scene in told]

    def _costs(self, x: _Moment) -> list[str]:
        """What a moment cost people, or gave them: marks, feelings, what began by it."""
        book = self._handbook
        left, sore = mark_sentences(book, x.marks), {who for who, _ in x.marks}
        born = [p for p in born_of(x.scenes) if p.holder not in sore]
        moved = feeling_sentences(book, x.feelings, [*sore, *(p.holder for p in born)], x.records[0].stamp.seq)
        return [*left, *moved, *born_sentences(book, born)][:COSTS]

    def _with_matter(self, turn: ToldTurn, main: TurnScene, alone: bool) -> ToldTurn:
        """A turn with the pressure that turned. alone: nothing was decided or shown before everybody with it."""
        book, p = self._handbook, main.matter
        place = "on the feed" if main.place == ON_FEED else book.at(main.place) if main.place else ""
        turn = replace(
            turn, matter=p.id, thread=p.thread, kind=p.kind, holder=p.holder, about=p.about, stakes=p.stakes,
            place=place, cause=p.cause if alone else "", came=self._came.get(p.id, ()),
            mercy=child_of(p.id) == book.drama.mercy,
        )  # fmt: skip
        if not alone:
            return turn
        deed = turn_deed(book, main)
        how, after, turned = turn_cause(book, main), turn_after(book, main), turn_news(book, main)
        timed = bool(deed) and main.turn.how != "ended" and turn.news == turned
        over = turn_deed(book, main, gist(p.stakes))
        return replace(
            turn, how=how, deed=deed, over=over, after=after, turned=turned, plain=says_all(main), timed=timed
        )  # fmt: skip
