"""The digest of a day: what led it, who met whom, what changed, moods, best lines. One pass over the log.

`Day` takes records in order and keeps sums (`day_sums.py`), not the records; `done` makes the `Digest`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from sandbox.core.clock import HOUR, Clock
from sandbox.core.events import Record
from sandbox.core.text import upper
from sandbox.engine.world import World
from sandbox.people.handbook import Handbook
from sandbox.people.mood import Sort
from sandbox.people.mood_words import term
from sandbox.readers.day_headline import Lead, Quote, lead_of_occasion, told_changes
from sandbox.readers.day_sums import DaySums, Evening
from sandbox.readers.life import Life, PlaySpan
from sandbox.readers.lifewords import life_paragraphs
from sandbox.readers.talks import TalkLine
from sandbox.readers.told_turns import HEAVY, TOLD, ToldTurn, TurnGroup, told_groups, told_paragraph
from sandbox.readers.turn_words import join_sentences

COMPANY = 3  # pairs listed, at most
WHOLE = 9  # matters that are told with how it came about, at most
COUNTED = ("talks", "exchanges", "sights", "reflections", "walks", "refusals", "replans")
LOW = 0.1  # pleasure below which somebody can be called the lowest
BETTER = 0.03  # pleasure above their usual level from which somebody counts as in better spirits


class Company(msgspec.Struct, frozen=True):
    """Two people and how much they talked."""

    who: tuple[str, str]
    names: tuple[str, str]
    talks: int
    lines: int


class Spirit(msgspec.Struct, frozen=True):
    """Somebody's mood at the end of their day: a word for it, its pleasure in [-1, 1], and the largest cause in that
    direction ("" if it is not worth naming), with the cause's sort.
    """

    who: str
    name: str
    word: str
    pleasure: float
    why: str
    sort: Sort = "event"


class PageTurn(msgspec.Struct, frozen=True):
    """A turn as a page tells it, in one to five sentences. seq, t: its main event, and its second; seqs: all events
    that it tells; people: whom it concerns. life: whether it changed a life; small: whether it is told in one sentence.
    """

    seq: int
    t: int
    seqs: tuple[int, ...]
    people: tuple[str, ...]
    text: str
    life: bool = False
    small: bool = False


class Digest(msgspec.Struct, frozen=True):
    """A day for a reader. begins, ends: seconds since the world's start; names and words are ready to print.

    people: how many live there; brighter: how many ended the day in better spirits than is usual for them; over:
    whether most have gone to bed, so that the day has an end. numbers: counts by the names in COUNTED. top: the turn
    that leads the page, None if another thing does; turns: the other weighty ones, the weightiest first. feed: whose
    post was liked most, and what crossed between street and feed. saw_all: a note of when a player used the all-knowing
    view, "" if never. you: paragraphs about the person who was played, whose name is `played`.
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
    turns: tuple[PageTurn, ...]
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
    top: PageTurn | None = None
    feed: tuple[str, ...] = ()
    saw_all: str = ""
    played: str = ""
    you: tuple[str, ...] = ()

    @property
    def told(self) -> frozenset[int]:
        """The numbers of the events of all turns that the page tells."""
        return frozenset(seq for turn in (*([self.top] if self.top else []), *self.turns) for seq in turn.seqs)


class Day:
    """Reads a day's records. world: only names, hours and parameters are used, not the state. day: count that day only
    (1 = first), None = all. you: when somebody was played; the digest then has paragraphs about them. most: matters
    whose turns are told.
    """

    def __init__(self, world: World, day: int | None = None, you: Sequence[PlaySpan] = (), most: int = TOLD) -> None:
        self._sums, self._most = DaySums(world, day, you), most

    def know(self, records: Iterable[Record]) -> None:
        """Take in what pressed people before: the events of earlier days that began pressures (BEGINNINGS)."""
        self._sums.know(records)

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        self._sums.read(records)

    def done(self) -> Digest:
        """The digest of all records read so far."""
        return _digest(self._sums, self._most)


def _digest(s: DaySums, most: int) -> Digest:
    w, name = s.world, s.handbook.name
    begins = 0 if s.first is None else s.first
    ends = s.last
    if s.day is None and s.first is not None and ends < w.now <= ends + HOUR:
        ends = w.now
    special = _occasions(s, begins, ends)
    for x in special:
        s.keep(x)
    groups = told_groups((x for day in _days(s) for x in s.turns.of(day)), most)
    leading = bool(groups) and (groups[0][0].life or groups[0][0].weight >= HEAVY)
    first, groups = (groups[0], groups[1:]) if leading else ((), groups)
    turns = [x for group in (first, *groups) for x in group]
    leads = [] if not s.numbers["talks"] else sorted(s.leads, key=lambda x: (-x.score, x.t))
    top = _lead_of_turn(s, first) if first else leads[0] if leads else None
    lead = top.text if top else "Nobody said a word to anybody, and nothing came of it"
    spirits = _spirits(s, ends) if s.first is not None else []
    talked = sorted(s.talks.items(), key=lambda x: (-x[1], x[0]))
    changes = told_changes(s.shifted.values(), s.refused, s.replans, s.handbook)
    return Digest(
        title=w.scenario.title,
        begins=begins,
        ends=ends,
        since=_date(s.clock, begins),
        until=_date(s.clock, ends),
        headline=top.headline if top else f"A quiet day in {w.scenario.title}",
        lead=lead if s.first is not None else "Nothing is on record",
        quote=_quote(s.handbook, top),
        brief=() if first else _brief(leads),
        turns=tuple(_page_turn(s, group, n) for n, group in enumerate(groups, 1)),
        occasion=max(special, key=lambda x: x.score).text if special and top not in special else "",
        company=_company(s),
        most=(name(talked[0][0]), talked[0][1]) if talked else ("", 0),
        least=(name(talked[-1][0]), talked[-1][1]) if len(talked) > 2 else ("", 0),
        silent=_silent(s) if talked else (),
        changes=changes,
        happiest=_spirit(s.handbook, spirits[-1], 1.0) if spirits else None,
        lowest=_spirit(s.handbook, spirits[0], -1.0) if len(spirits) > 1 and spirits[0][1].now.p < LOW else None,
        brighter=sum(evening.now.p > s.moods.nature(who).p + BETTER for who, evening in spirits),
        people=sum(who not in s.gone for who in s.moods.people),
        over=2 * len(s.evenings) > len(spirits),
        overheard=s.quotes.best(top.line.text if top and top.line else ""),
        numbers={key: s.numbers[key] for key in COUNTED},
        top=_page_turn(s, first, 0) if first else None,
        feed=s.feed.told(),
        saw_all=s.saw_all,
        played=name(s.life.who) if s.life is not None else "",
        you=_of_player(s, s.life, turns, changes) if s.life is not None else (),
    )


def _lead_of_turn(s: DaySums, group: TurnGroup) -> Lead:
    """The lead that the weightiest turn makes, with the last thing said at it."""
    turn, *others = group
    seq = next((seq for seq in turn.causes if seq in s.said), 0)
    said = next((x for x in reversed(s.said.get(seq, ())) if x.text), None)
    line = TalkLine(seq, turn.t, said.who, said.text, said.move, said.valence, "") if said is not None else None
    headline = turn.news.partition(": ")[0]
    text = told_paragraph(turn, s.handbook, s.clock, others, headed=headline == turn.news).removesuffix(".")
    return Lead(turn.weight, turn.t, turn.seq, turn.people, upper(headline), text, turn.place, line)


def _page_turn(s: DaySums, group: TurnGroup, n: int) -> PageTurn:
    """Turns of one matter for the page. n: their place by weight; the last are told in one sentence."""
    turn, *others = group
    small = not turn.life and (n > WHOLE or turn.weight < HEAVY)
    text = join_sentences([turn.news]) if small else told_paragraph(turn, s.handbook, s.clock, others)
    seqs = tuple(seq for x in group for seq in x.seqs)
    return PageTurn(turn.seq, turn.t, seqs, turn.people, text, turn.life, small)


def _brief(leads: Sequence[Lead]) -> tuple[str, ...]:
    """Up to two more leads worth 30 points or more, about other people than the best lead and than each other."""
    told = [*leads[:1]]
    for x in leads[1:]:
        if len(told) < 3 and x.score >= 30.0 and not any(set(x.who) & set(y.who) for y in told):
            told.append(x)
    return tuple(x.text for x in told[1:])


def _days(s: DaySums) -> Iterable[int]:
    if s.day is not None:
        return (s.day,)
    return range(s.today(), s.clock.day(s.last) + 1) if s.first is not None else ()


def _occasions(s: DaySums, begins: int, ends: int) -> list[Lead]:
    """Leads from the occasions on the calendar between two seconds."""
    found = []
    for day in range(s.clock.day(begins), s.clock.day(ends) + 1):
        for o in s.world.calendar.on(day):
            t = s.clock.midnight(day) + o.from_
            if begins <= t < ends:
                found.append(lead_of_occasion(o, t, s.handbook, s.clock, s.today()))
    return found


def _silent(s: DaySums) -> tuple[str, ...]:
    """The names of those in town who talked to nobody."""
    return tuple(s.handbook.name(who) for who in s.moods.people if who not in {*s.talks, *s.gone})


def _spirits(s: DaySums, ends: int) -> list[tuple[str, Evening]]:
    """The moods of everybody in town at the end of the day, the lowest first."""
    here = [who for who in s.moods.people if who not in s.gone]
    found = [(who, s.evenings.get(who) or s.evening(who, ends)) for who in here]
    return sorted(found, key=lambda x: (x[1].now.p, x[0]))


def _spirit(handbook: Handbook, found: tuple[str, Evening], sign: float) -> Spirit:
    """Somebody's mood and the largest cause in a direction. sign: 1.0 for pleasant causes, -1.0 for unpleasant."""
    who, evening = found
    causes = [c for c in evening.causes if c.seq and sign * c.p > 0.0]
    best = max(causes, key=lambda c: sign * c.p, default=None)
    why, sort = (best.why, best.sort) if best is not None and best.sort != "small_talk" else ("", "event")
    return Spirit(who, handbook.name(who), term(evening.now), round(evening.now.p, 4), why, sort)


def _company(s: DaySums) -> tuple[Company, ...]:
    name, out = s.handbook.name, []
    for key, n in sorted(s.pairs.items(), key=lambda x: (-x[1], -s.lines[x[0]], x[0]))[:COMPANY]:
        a, b = key.split("|")
        out.append(Company((a, b), (name(a), name(b)), n, s.lines[key]))
    return tuple(out)


def _quote(handbook: Handbook, top: Lead | None) -> Quote | None:
    if top is None or top.line is None:
        return None
    x, name = top.line, handbook.name
    to = next((who for who in top.who if who != x.who), "")
    return Quote(x.t, x.seq, x.who, to, name(x.who), name(to), top.place, x.move, x.text)


def _date(clock: Clock, t: int) -> str:
    at = clock.at(t)
    return f"{at:%A} {at.day} {at:%B}, {at:%H:%M}"


def _of_player(s: DaySums, life: Life, turns: Sequence[ToldTurn], changes: Sequence[str]) -> tuple[str, ...]:
    told = {seq for x in turns for seq in (*x.seqs, *x.causes)}
    return tuple(x for day in _days(s) for x in life_paragraphs(life, day, told, changes))


def make_digest(
    records: Iterable[Record], world: World, day: int | None = None, you: Sequence[PlaySpan] = (),
    before: Iterable[Record] = (),
) -> Digest:  # fmt: skip
    """The digest of these records of the world's log, which are read once and not kept.

    day: only that day (1 is the day the world starts on), for which earlier records may be given too; None: all of
    them. world: only names, hours and parameters are used, not the state. you: when somebody was played; the digest
    then has paragraphs about them. before: earlier events, as `Day.know` takes them.
    """
    found = Day(world, day, you)
    found.know(before)
    found.read(records)
    return found.done()
