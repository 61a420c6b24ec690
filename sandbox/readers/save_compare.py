"""Two saves of one town side by side: where they part, and what differs at a moment that both reach.

What they share is not read. Moods, ties and places come from the two worlds, loaded without their feeds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandbox.core.clock import HOUR, Clock
from sandbox.core.events import Record
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.people.claim_handlers import claim_words
from sandbox.people.mood import Pad
from sandbox.people.mood_queries import mood_of
from sandbox.people.mood_words import term
from sandbox.readers import pressures
from sandbox.readers.all_stories import BEGINNINGS, STORIES
from sandbox.readers.branch_difference import EventLine, as_sentence
from sandbox.readers.story import Notable, default_notable
from sandbox.readers.talks import KINDS as TALK
from sandbox.readers.tielines import NO_TIE, TieState, tie_states
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.store.compare import Parting, comparable, end_before, find_parting, street_at
from sandbox.store.errors import explain_unfitting, explain_unreadable
from sandbox.store.read import SaveReader
from sandbox.talk.model import Exchanged

LEAD = 2 * HOUR  # seconds read before the parting, so that talks under way then are known from their beginning
ACTS = 20  # acts of each save listed at most, the earliest
MOOD, TIE = 0.1, 0.05  # smaller differences of a mood, or of a tie, are ignored
RUN = 2_000  # numbers of events read at a time
_AIMED = '"aim":'  # occurs in the data of an exchange about a pressure only
# Kinds of event that make timeline rows, and those that talks are built from.
_ROWS = frozenset(e.KIND for e, story in STORIES.items() if not story.untold)
_KINDS = _ROWS.union(TALK, BEGINNINGS)
_COUNT = re.compile(r" \([\d,]+ lines?\)$")  # the number of lines of a talk, which does not count as a difference


class MoodApart(NamedTuple):
    """Somebody whose mood differs. moods, words: in the first and the second save; apart: distance, from 0 to 3.5."""

    who: str
    name: str
    moods: tuple[Pad, Pad]
    words: tuple[str, str]
    apart: float


class TieApart(NamedTuple):
    """A tie that differs. stand: in the first and the second save; apart: the sum of both differences."""

    who: str
    whom: str
    names: tuple[str, str]
    stand: tuple[TieState, TieState]
    apart: float


class Elsewhere(NamedTuple):
    """Somebody who is elsewhere. places, doing: in words, in the first and the second save."""

    who: str
    name: str
    places: tuple[str, str]
    doing: tuple[str, str]


class SaveComparison(NamedTuple):
    """What differs between two saves. parting: where the logs part; acts, first: its events in words.

    t: the second at which the two are compared; clock: the town's. Pairs are (first save, second save). rows: notable
    rows that only that save has; claims: what holds in it alone. moods, ties: the largest difference first.
    """

    parting: Parting
    clock: Clock
    t: int
    acts: tuple[Sequence[EventLine], Sequence[EventLine]]
    first: tuple[EventLine | None, EventLine | None]
    rows: tuple[Sequence[TimelineRow], Sequence[TimelineRow]]
    claims: tuple[Sequence[str], Sequence[str]]
    moods: Sequence[MoodApart]
    ties: Sequence[TieApart]
    where: Sequence[Elsewhere]

    @property
    def same(self) -> bool:
        """Whether nothing differs by that moment."""
        return self.first == (None, None) and not any((*self.acts, *self.rows, *self.claims, self.moods, self.ties))


async def compare_saves(
    a: SaveReader, b: SaveReader, t: int | None = None, notable: Notable | None = None
) -> SaveComparison:
    """Compare two saves at second t (default, and at most: the end of the shorter one). Raises SaveError if they are
    of different towns, or cannot be read.
    """
    await comparable(a, b)
    notable = notable or default_notable()
    t = min(a.now, b.now) if t is None else max(0, min(t, a.now, b.now))
    parted = await find_parting(a, b, t)
    acts = [
        [await as_sentence(save, row, notable) for row in rows[:ACTS]]
        for save, rows in zip((a, b), parted.acts, strict=True)
    ]
    first = [
        await as_sentence(save, row, notable) if row is not None else None
        for save, row in zip((a, b), parted.first, strict=True)
    ]
    one, two = await street_at(a, t), await street_at(b, t)
    since = parted.shared.t if parted.shared is not None else 0
    told = await _rows(a, since, t, notable), await _rows(b, since, t, notable)
    return SaveComparison(
        parted,
        one.clock,
        t,
        (acts[0], acts[1]),
        (first[0], first[1]),
        (_only(*told, one.clock), _only(*told[::-1], one.clock)),
        (_claims(one, two), _claims(two, one)),
        _moods(one, two, t),
        _ties(one, two),
        _where(one, two, t),
    )


# ---- the timeline


async def _rows(save: SaveReader, since: int, t: int, notable: Notable) -> list[TimelineRow]:
    """The notable timeline rows of a save between seconds `since` and t."""
    begin, end = await end_before(save, max(0, since - LEAD)), await end_before(save, t)
    world = await street_at(save, begin.t)
    timeline = Timeline(world.handbook, world.clock, notable=notable, matters=pressures.world_matters(world), kept=1)
    out: list[TimelineRow] = []
    aimed = _only_aimed(notable)
    after = begin.last_seq
    while after < end.last_seq:
        upto = min(after + RUN, end.last_seq)
        rows = await save.rows(after, upto, _KINDS)
        with explain_unreadable(save.path):
            records = [
                save.machine.decode(row)
                for row in rows
                if not (aimed and row.kind == Exchanged.KIND and _AIMED not in row.data)
            ]
        with explain_unfitting(save.path):
            out += _notable(timeline, records, since, notable)
        after = upto
    return out


def _notable(timeline: Timeline, records: Iterable[Record], since: int, notable: Notable) -> list[TimelineRow]:
    rows = timeline.read(records)
    return [
        row._replace(text=_COUNT.sub("", row.text)) for row in rows if row.weight >= notable.line and row.t >= since
    ]


def _only_aimed(notable: Notable) -> bool:
    """Whether talks are notable only for what is done in them about a pressure. Then other exchanges, which are most of
    a log, need not be read.
    """
    talks = max(notable[f"talk.{tone}"] for tone in ("plain", "gossip", "warm", "tense")) + notable["talk.most"]
    moods = [value for key, value in notable.weights.items() if key.startswith("mood.") and not key.endswith("each")]
    return max(talks, max(moods) + notable["mood.most"]) < notable.line


def _only(mine: Sequence[TimelineRow], others: Sequence[TimelineRow], clock: Clock) -> list[TimelineRow]:
    """Rows that only the first has; rows of one day with the same words count as equal."""
    left = Counter(_key(row, clock) for row in others)
    out = []
    for row in mine:
        key = _key(row, clock)
        if left[key]:
            left[key] -= 1
        else:
            out.append(row)
    return out


def _key(row: TimelineRow, clock: Clock) -> tuple[int, str]:
    return clock.day(row.t), row.text


# ---- how they stand


def _claims(one: World, two: World) -> list[str]:
    """Claims that hold in the first town and not in the second, as sentences."""
    held = {(c.kind, *sorted(c.people), c.terms, c.where) for c in two.claims.open.values()}
    return [
        claim_words(one.handbook, one.handbook.claims.kinds[c.kind].says, c)
        for c in one.claims.open.values()
        if (c.kind, *sorted(c.people), c.terms, c.where) not in held
    ]


def _moods(one: World, two: World, t: int) -> list[MoodApart]:
    out = []
    for who in one.cast:
        x, y = mood_of(one, who, t), mood_of(two, who, t)
        if (apart := math.dist(x, y)) >= MOOD:
            out.append(MoodApart(who, one.handbook.name(who), (x, y), (term(x), term(y)), apart))
    return sorted(out, key=lambda m: (-m.apart, m.who))


def _ties(one: World, two: World) -> list[TieApart]:
    out = []
    here, there = tie_states(one), tie_states(two)
    for who, whom in (pair for pair in {**here, **there} if pair[0] in one.cast):
        x, y = here.get((who, whom), NO_TIE), there.get((who, whom), NO_TIE)
        apart = abs(x.closeness - y.closeness) + abs(x.feeling - y.feeling)
        if apart >= TIE:
            names = one.handbook.name(who), one.handbook.name(whom)
            out.append(TieApart(who, whom, names, (x, y), apart))
    return sorted(out, key=lambda tie: (-tie.apart, tie.who, tie.whom))


def _where(one: World, two: World, t: int) -> list[Elsewhere]:
    out = []
    views = View(one), View(two)
    for who in one.cast:
        x, y = (view.place(who, t) for view in views)
        if x != y:
            out.append(Elsewhere(who, one.handbook.name(who), (x, y), (views[0].doing(who), views[1].doing(who))))
    return out
