"""One talk as a story: who, where, why it began, every line, and what it changed. Built from the log."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from sandbox.core.events import Record, Stamp
from sandbox.core.text import upper
from sandbox.people.handbook import Handbook
from sandbox.people.mood import Pad
from sandbox.people.mood_words import MARKS, colour
from sandbox.people.pressure_deck import PASS_ON
from sandbox.readers.phrases import (
    NotableChange,
    before,
    both,
    crossing,
    feeling_change_words,
    mood_turn,
    reason_sentence,
    tie_kinds,
)
from sandbox.readers.story import Notable, default_notable
from sandbox.talk.lines import PARTING
from sandbox.talk.model import Closed, Exchanged, Opened, Relation, Replan, ScoredRule, Shift

KINDS = (Opened.KIND, Exchanged.KIND, Closed.KIND)
TALK, ROW, TENDER, GOSSIP, TIE = '"', "!", "♥", "?", "="  # marks of timeline rows
SPOKEN = (TALK, ROW, TENDER, GOSSIP)  # marks of rows about a talk itself, not about what it changed
TENDER_FROM = 0.32  # mean valence of lines from which a talk counts as very warm


class TalkLine(NamedTuple):
    """Something said in a talk. mood: the mark of the speaker's mood after it ("" if unknown). news: whether the
    speaker told a memory or a rumour. why: the rules that made it an unusual reply.
    """

    seq: int
    t: int
    who: str
    text: str
    move: str
    valence: float
    mood: str
    news: bool = False
    why: tuple[ScoredRule, ...] = ()


class TalkDeed(NamedTuple):
    """What somebody came to do because of a pressure. seq: the exchange; matter: the pressure; do: what was done;
    answer: how the other took it; why: the weightiest rules for that.
    """

    seq: int
    matter: str
    who: str
    do: str
    answer: str
    why: tuple[ScoredRule, ...]


class TalkStory(msgspec.Struct):
    """A talk from its opening to its end. who[0] began it. ended: -1 while it goes on (then tone and gist are "").
    lines: what was said in words; valences: of all lines; wordless: exchanges without words, goodbyes left out.

    seq, close: the events that opened and closed it (close is 0 while it goes on). why: the rules in favour of starting
    it; over: the intent that came second. shifts: changes of mood with their event; moved: person -> mood before and
    after. changes: what it changed, as sentences. mark: one of SPOKEN. weight: 0 to 10. deeds: what was done in it
    because of a pressure. told: facts that somebody was told of.
    """

    id: str
    who: tuple[str, str]
    place: str
    since: int
    intent: str
    why: tuple[ScoredRule, ...]
    over: str
    seq: int = 0
    close: int = 0
    ended: int = -1
    lines: list[TalkLine] = []
    shifts: list[tuple[int, Shift]] = []
    moved: dict[str, tuple[Pad, Pad]] = {}
    gossip: bool = False
    mark: str = TALK
    tone: str = ""
    gist: str = ""
    relations: tuple[Relation, ...] = ()
    replans: tuple[Replan, ...] = ()
    changes: tuple[NotableChange, ...] = ()
    weight: float = 0.0
    deeds: list[TalkDeed] = []
    told: list[str] = []
    valences: list[float] = []
    wordless: list[int] = []

    @property
    def warmth(self) -> float:
        """Mean valence of all lines, with words or without, in [-1, 1]."""
        return sum(self.valences) / len(self.valences) if self.valences else 0.0

    @property
    def quiet(self) -> bool:
        """Whether the talk has had lines so far, but none in words."""
        return bool(self.valences) and not self.lines

    def other(self, who: str) -> str:
        """The person somebody talks with."""
        return self.who[1 - self.who.index(who)]

    def given(self, who: str) -> float:
        """How much the talk raised (or lowered) somebody's pleasure in all."""
        return sum(shift.delta[0] for _, shift in self.shifts if shift.who == who)


def add_exchange(story: TalkStory, stamp: Stamp, e: Exchanged) -> None:
    """Add an exchange to a story."""
    marks = {s.who: MARKS[colour(s.after)] for s in e.shifts}
    for u in e.lines:
        mark, news = marks.get(u.who, ""), u.memory >= 0 or any(u.who == row.source for row in e.told)
        why = e.why if not e.aim and u.who != stamp.actor else ()
        story.valences.append(u.valence)
        if u.text:
            story.lines.append(TalkLine(stamp.seq, stamp.t, u.who, u.text, u.move, u.valence, mark, news, why))
        story.gossip = story.gossip or u.move in ("gossip", PASS_ON)
    if e.lead not in PARTING and not e.in_words:
        story.wordless.append(stamp.seq)
    story.told += [row.fact for row in e.told]
    if e.aim:
        story.deeds.append(TalkDeed(stamp.seq, e.aim, stamp.actor, e.do, e.answer, e.why))
    for s in e.shifts:
        story.shifts.append((stamp.seq, s))
        first = story.moved[s.who][0] if s.who in story.moved else before(s.after, s.delta)
        story.moved[s.who] = (first, Pad(*s.after))


def end_story(story: TalkStory, stamp: Stamp, e: Closed, handbook: Handbook, notable: Notable | None = None) -> None:
    """End a story and work out what the talk changed. notable: the weights; None = the table that ships."""
    notable = notable or default_notable()
    story.ended, story.close = stamp.t, stamp.seq
    story.tone, story.gist, story.relations, story.replans = e.tone, e.gist, e.relations, e.replans
    if e.tone in ("tense", "hostile"):
        story.mark = ROW
    elif e.tone == "warm" or story.warmth >= TENDER_FROM:
        story.mark = TENDER
    elif story.gossip:
        story.mark = GOSSIP
    story.weight = talk_weight(story.mark, story.tone, story.moved, notable)
    story.changes = (
        *_moods(story, handbook, notable),
        *notable_tie_changes(e.relations, handbook, notable),
        *_plans(story, handbook, notable),
    )


class TalkFold:
    """A reader of talks: of the records that it takes, those by which a talk begins, goes on and ends."""

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            self.take(record)

    def take(self, record: Record) -> Any:
        """Take in the next record: gives what `opened`, `exchanged` or `closed` does, None for other events."""
        at, e = record
        if isinstance(e, Exchanged):
            return self.exchanged(at, e)
        if isinstance(e, Opened):
            return self.opened(at, e)
        return self.closed(at, e) if isinstance(e, Closed) else None

    def opened(self, at: Stamp, e: Opened) -> Any:
        """A talk has begun."""

    def exchanged(self, at: Stamp, e: Exchanged) -> Any:
        """Two have exchanged words."""

    def closed(self, at: Stamp, e: Closed) -> Any:
        """A talk has ended."""


class OpenTalks(TalkFold):
    """The talks under way, by id. `take` returns the talk that a record begins, continues or ends; None if it belongs
    to no talk, or to one whose beginning was not read. notable: as in `end_story`.
    """

    def __init__(self, handbook: Handbook, notable: Notable | None = None) -> None:
        self.stories: dict[str, TalkStory] = {}
        self._handbook, self._notable = handbook, notable

    def opened(self, at: Stamp, e: Opened) -> TalkStory:
        who, gossip = (at.actor, e.other), e.intent == "gossip"
        story = TalkStory(e.id, who, e.place, at.t, e.intent, e.why, e.over, at.seq, gossip=gossip)
        self.stories[e.id] = story
        return story

    def exchanged(self, at: Stamp, e: Exchanged) -> TalkStory | None:
        story = self.stories.get(e.talk)
        if story is not None:
            add_exchange(story, at, e)
        return story

    def closed(self, at: Stamp, e: Closed) -> TalkStory | None:
        story = self.stories.pop(e.talk, None)
        if story is not None:
            end_story(story, at, e, self._handbook, self._notable)
        return story


def talk_weight(mark: str, tone: str, moved: Mapping[str, tuple[Pad, Pad]], notable: Notable) -> float:
    """How notable a finished talk is, from 0 to 10."""
    kinds = {TALK: "plain", GOSSIP: "gossip", TENDER: "warm", ROW: "hostile" if tone == "hostile" else "tense"}
    most = max((abs(new.p - old.p) for old, new in moved.values()), default=0.0)
    return notable.grown("talk", notable[f"talk.{kinds[mark]}"], most)


def weight_of_turn(now: str, old: Pad, new: Pad, notable: Notable) -> float:
    """How notable a turn of mood is, from 0 to 10, by its new colour and the distance."""
    return notable.grown("mood", notable.get(f"mood.{now}", "mood.calm"), math.dist(old, new))


def _moods(story: TalkStory, handbook: Handbook, notable: Notable) -> list[NotableChange]:
    out = []
    for who in story.who:
        if who not in story.moved:
            continue
        old, new = story.moved[who]
        mine = [s for _, s in story.shifts if s.who == who]
        how = mood_turn(old, new)
        if not how.words:
            continue
        strongest = max(mine, key=lambda s: how.along(s.delta))
        why = strongest.why if how.along(strongest.delta) > 0.0 else ""
        text = reason_sentence(handbook.name(who), how.words, why, strongest.sort if why else "event")
        out.append(NotableChange(MARKS[how.colour], text, (who,), weight_of_turn(how.colour, old, new, notable)))
    return out


def notable_tie_changes(relations: tuple[Relation, ...], handbook: Handbook, notable: Notable) -> list[NotableChange]:
    """Ties that became another kind, in one sentence if both directions did; else changes of feeling."""
    out: list[NotableChange] = []
    kinds = [(r, *tie_kinds(r)) for r in relations]
    if len(kinds) == 2 and kinds[0][1] == kinds[1][1] != kinds[0][2] == kinds[1][2] and kinds[0][1] != "sour":
        r, old, new = kinds[0]
        if crossing("", "", old, new):
            text = both(handbook.name(r.u), handbook.name(r.v), new)
            both_see = notable.get(f"tie.{new}", "tie.cool") + notable["tie.both"]
            return [NotableChange(TIE, text, (r.u, r.v), min(10.0, both_see))]
    for r, old, new in kinds:
        u, v = handbook.name(r.u), handbook.name(r.v)
        text = crossing(u, v, old, new)
        if text:
            kind = "healed" if old == "sour" else new
            out.append(NotableChange(TIE, text, (r.u, r.v), notable.get(f"tie.{kind}", "tie.cool")))
        else:
            text = feeling_change_words(u, v, r.feeling_delta)
            if text:
                felt = notable.grown("tie", notable["tie.liking"], r.feeling_delta)
                out.append(NotableChange(TIE, text, (r.u, r.v), felt))
    return out


def _plans(story: TalkStory, handbook: Handbook, notable: Notable) -> list[NotableChange]:
    """Plans the two changed. Weighed too low for a row, as the event of the new plan makes one."""
    weight = min(notable["plan.changed"], notable["told"] / 2)
    return [
        NotableChange(">", upper(f"{handbook.name(p.who)} changes plans: {p.why}"), (p.who,), weight)
        for p in story.replans
    ]
