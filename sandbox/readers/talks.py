"""One talk as a story: who, where, why it began, every line, and what it changed. Built from the log."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from sandbox.core.events import Record, Stamp
from sandbox.core.text import upper
from sandbox.people.handbook import Handbook
from sandbox.people.mood import Pad
from sandbox.people.mood_words import MARKS, colour
from sandbox.people.pressure_deck import PASS_ON
from sandbox.readers.notable import Notable, default_notable
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
from sandbox.talk.lines import PARTING
from sandbox.talk.model import Closed, Exchanged, Opened, Relation, Replan, ScoredRule, Shift

KINDS = (Opened.KIND, Exchanged.KIND, Closed.KIND)
TALK, ROW, TENDER, GOSSIP, TIE = '"', "!", "♥", "?", "="
SPOKEN = (TALK, ROW, TENDER, GOSSIP)  # marks of rows that tell a talk, not what it changed
TENDER_FROM = 0.32  # mean valence of its lines from which a talk is very warm


class TalkLine(NamedTuple):
    """Something said in a talk. mood: the mark of the speaker's mood after it ("" while it is not known).

    news: whether the speaker told a memory of theirs. why: what made it another reply than is usual.
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
    """What somebody came for because of a pressure. seq: the exchange; matter: the pressure; do: what was done;

    answer: how the other took it, and why: the rules that weighed most in that.
    """

    seq: int
    matter: str
    who: str
    do: str
    answer: str
    why: tuple[ScoredRule, ...]


class TalkStory(msgspec.Struct):
    """A talk from its opening to its end. who[0] began it. ended is -1 while it goes on (tone, gist then "").
    lines: what was said in words; valences: of all that was said. wordless: exchanges of it that had no words, and took
    no leave.

    seq, close: the events that opened and closed it (close is 0 while it goes on). why: the rules that spoke for it;
    over: the runner-up. moved: person -> the mood before and after. changes: what it did, as sentences. mark: one of
    `"`, `!`, `♥`, `?`. deeds: what was done in it because of a pressure. told: facts that somebody came to believe
    something of by it.
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
        """Mean valence of what was said, in words or without, in [-1, 1]."""
        return sum(self.valences) / len(self.valences) if self.valences else 0.0

    @property
    def quiet(self) -> bool:
        """Whether nothing was said in words so far, though something was."""
        return bool(self.valences) and not self.lines

    def other(self, who: str) -> str:
        """The one somebody talks with."""
        return self.who[1 - self.who.index(who)]

    def given(self, who: str) -> float:
        """The pleasure it has given somebody, or taken."""
        return sum(shift.delta[0] for _, shift in self.shifts if shift.who == who)


def begin_story(stamp: Stamp, e: Opened) -> TalkStory:
    """The story of a talk that opens."""
    who = (stamp.actor, e.other)
    return TalkStory(e.id, who, e.place, stamp.t, e.intent, e.why, e.over, stamp.seq, gossip=e.intent == "gossip")


def add_exchange(story: TalkStory, stamp: Stamp, e: Exchanged) -> None:
    """Take in a pair of turns."""
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
    """Take in the end of the talk and reckon what it changed.

    notable: what weighs how much; the table that ships unless given.
    """
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


class OpenTalks:
    """The talks under way, by id, as the log goes on. notable: as of `end_story`."""

    def __init__(self, handbook: Handbook, notable: Notable | None = None) -> None:
        self.stories: dict[str, TalkStory] = {}
        self._handbook, self._notable = handbook, notable

    def take(self, record: Record) -> TalkStory | None:
        """Take in the next record: the talk that it begins, goes on with or ends; None if it is of none, or of one of
        which the beginning was not read.
        """
        at, e = record
        if isinstance(e, Opened):
            self.stories[e.id] = begin_story(at, e)
            return self.stories[e.id]
        if isinstance(e, Exchanged):
            story = self.stories.get(e.talk)
            if story is not None:
                add_exchange(story, at, e)
            return story
        if isinstance(e, Closed):
            story = self.stories.pop(e.talk, None)
            if story is not None:
                end_story(story, at, e, self._handbook, self._notable)
            return story
        return None


def talk_weight(mark: str, tone: str, moved: Mapping[str, tuple[Pad, Pad]], notable: Notable) -> float:
    """How notable a talk is that ended."""
    kinds = {TALK: "plain", GOSSIP: "gossip", TENDER: "warm", ROW: "hostile" if tone == "hostile" else "tense"}
    most = max((abs(new.p - old.p) for old, new in moved.values()), default=0.0)
    return notable.grown("talk", notable[f"talk.{kinds[mark]}"], most)


def weight_of_turn(now: str, old: Pad, new: Pad, notable: Notable) -> float:
    """How notable it is that a mood turned to a colour, by the way it went."""
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
    """Ties that became another kind, as one sentence where both directions agree; else changes of feeling."""
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
    """What the two will do otherwise. The row of the plan itself tells it again, so that none is made of this."""
    weight = min(notable["plan.changed"], notable["told"] / 2)
    return [
        NotableChange(">", upper(f"{handbook.name(p.who)} changes plans: {p.why}"), (p.who,), weight)
        for p in story.replans
    ]
