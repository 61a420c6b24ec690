"""The weeks of a town: the page of a week, in threads told over days, and a chronicle from day one, of which each line
leads to its moment. Both come as pieces (`readers/edition.py`), made from a save's log.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from sandbox.core.clock import Clock
from sandbox.core.events import Record
from sandbox.core.plain import count_of
from sandbox.core.text import upper
from sandbox.engine.world import World
from sandbox.readers import pressures
from sandbox.readers.chapters import Chapter, ChapterTeller, chapters_of, shortened
from sandbox.readers.edition import StoryPiece
from sandbox.readers.pressures import matter_sentence
from sandbox.readers.told_turns import HEAVY, KINDS, ToldTurn, ToldTurns
from sandbox.readers.turn_words import join_sentences
from sandbox.store.read import SaveReader

WEEK = 7  # days
SLICE = 300  # records read before other tasks get a turn, a few milliseconds
THREADS, LEAST, PEOPLE = (
    5,
    2,
    2,
)  # threads told of a week; turns of one, at least; people named who gained, and who lost
STILL = 2  # pressures that press still, named of a thread
SHOWS = 1  # stage from which one is named


class ChronicleEntry(NamedTuple):
    """A line of the chronicle. seq, t: the event it leads to, and its second; at: that moment as `--at` takes it."""

    day: int
    at: str
    seq: int
    t: int
    who: tuple[str, ...]
    text: str
    weight: float


async def read_turns(
    save: SaveReader, world: World, moved: Callable[[int, int], None] = lambda done, of: None
) -> list[ToldTurn]:
    """All turns of a save up to the world's last event, in order of time. moved: called with (done, total). Raises
    SaveError.
    """
    found = ToldTurns(world)
    async for records in save.slices(KINDS, moved):
        await _take(found, (r for r in records if r.stamp.seq <= world.seq))
    return in_order(found)


async def turns_of(records: Iterable[Record], world: World) -> list[ToldTurn]:
    """All turns in these records of a log, from its first on, in order of time."""
    found = ToldTurns(world)
    await _take(found, records)
    return in_order(found)


async def _take(found: ToldTurns, records: Iterable[Record]) -> None:
    """Have turns found in records, and let other tasks run meanwhile."""
    all_ = [*records]
    for i in range(0, len(all_), SLICE):
        found.read(all_[i : i + SLICE])
        await asyncio.sleep(0)


def in_order(found: ToldTurns) -> list[ToldTurn]:
    """All turns found, in order of time."""
    return sorted((x for day in found.days() for x in found.of(day)), key=lambda x: (x.t, x.seq))


def still_open(world: World, threads: Collection[str]) -> list[str]:
    """What presses still in some threads, as sentences without full stop. world: at the end."""
    known = pressures.world_matters(world)
    found = [p for p in world.pressures.open.values() if p.thread in threads and p.stage >= SHOWS]
    found.sort(key=lambda p: (-p.intensity, p.id))
    return [matter_sentence(world.handbook, known[p.id]) for p in found[:STILL]]


# ---- the chronicle


def chronicle_entries(turns: Iterable[ToldTurn], clock: Clock) -> list[ChronicleEntry]:
    """A line or two for each turn that weighs enough, in order of time."""
    out = []
    for x in sorted(turns, key=lambda x: (x.t, x.seq)):
        if x.life or x.weight >= HEAVY:
            day, hour = clock.day(x.t), clock.hhmm(x.t)
            text = join_sentences([x.news, *x.costs[: 1 + x.life]])
            out.append(ChronicleEntry(day, f"day {day} {hour}", x.seq, x.t, x.people, text, x.weight))
    return out


def chronicle(turns: Iterable[ToldTurn], world: World) -> list[StoryPiece]:
    """The chronicle of a town."""
    clock, days = world.clock, defaultdict[int, list[ChronicleEntry]](list)
    for entry in chronicle_entries(turns, clock):
        days[entry.day].append(entry)
    out = [
        StoryPiece("title", f"The chronicle of {world.scenario.title}"),
        StoryPiece("lead", 'Each line leads to its moment: sandbox replay SAVE --at "day 1 12:30"'),
    ]
    for day, found in days.items():
        out.append(StoryPiece("day", f"Day {day}, {_date(clock, day)}"))
        out += [StoryPiece("item", f"{x.at.rpartition(' ')[2]}  {x.text} (event {x.seq})") for x in found]
    return out if days else [*out, StoryPiece("text", "Nothing has happened yet that a chronicle would keep.")]


def _date(clock: Clock, day: int) -> str:
    at = clock.at(clock.midnight(day))
    return f"{at:%A} {at.day} {at:%B}"


# ---- the page of a week


def count_weeks(world: World) -> int:
    """How many weeks a save has begun. world: at its end."""
    return -(-world.clock.day(max(0, world.now - 1)) // WEEK)


def week_page(turns: Iterable[ToldTurn], world: World, week: int) -> list[StoryPiece]:
    """The page of a week (1 = the first): what led it, its threads, who gained and who lost most, its numbers. world:
    at the end of the save.
    """
    clock = world.clock
    first, last = WEEK * (week - 1) + 1, min(WEEK * week, clock.day(max(0, world.now - 1)))
    found = [x for x in turns if first <= clock.day(x.t) <= last]
    over = clock.day(world.now) > last + 1
    out = [
        StoryPiece("title", f"Week {week} in {world.scenario.title}"),
        StoryPiece("lead", " to ".join(dict.fromkeys((_date(clock, first), _date(clock, last))))),
    ]
    if not found:
        return [*out, StoryPiece("text", "Nothing came to a head in this week.")]
    top = max(found, key=lambda x: (x.life, x.weight, -x.t))
    out.append(StoryPiece("text", f"{clock.at(top.t):%A}: {join_sentences([top.news, *top.costs[:1]])}"))
    chapters = chapters_of(found, lambda threads: [] if over else still_open(world, threads))
    telling = ChapterTeller(world)
    for chapter in chosen_chapters(chapters):
        out += [StoryPiece("head", chapter.title()), StoryPiece("text", telling.paragraph(shortened(chapter)))]
    fates = [*_fates(found, world, 1.0), *_fates(found, world, -1.0)]
    if fates:
        out += [StoryPiece("head", "Who gained and who lost"), StoryPiece("text", join_sentences(fates))]
    return [*out, StoryPiece("head", "The week in numbers"), StoryPiece("text", join_sentences([_numbers(found)]))]


def chosen_chapters(chapters: Iterable[Chapter]) -> list[Chapter]:
    """The weightiest threads of a week, those that changed a life first; of few turns only if there are no others."""
    ranked = sorted(chapters, key=lambda x: (len(x.turns) < LEAST, -x.life, -x.weight, x.turns[0].seq))
    return ranked[:THREADS]


def _fates(turns: Sequence[ToldTurn], world: World, sign: float) -> list[str]:
    """Who was moved most for the better (sign 1.0) or the worse (-1.0) by what turned, and by what."""
    sums: defaultdict[str, float] = defaultdict(float)
    by: dict[str, tuple[float, ToldTurn]] = {}
    for x in turns:
        for who, p in x.moved:
            sums[who] += p
            if sign * p > by.get(who, (0.0, x))[0]:
                by[who] = sign * p, x
    ranked = sorted(
        (who for who in sums if sign * sums[who] > 0 and who in by), key=lambda who: (-sign * sums[who], who)
    )
    how = "gained" if sign > 0 else "lost"
    return [f"{world.handbook.name(who)} {how}: {by[who][1].news}" for who in ranked[:PEOPLE]]


def _numbers(turns: Sequence[ToldTurn]) -> str:
    """How often what happened, in words."""
    heavy = sum(x.life or x.weight >= HEAVY for x in turns)
    ends = Counter((x.kind, x.good) for x in turns if x.kind in ("promise", "grudge"))
    lives = len({who for x in turns if x.life for who in x.people})
    told = [
        f"{count_of(heavy, 'turn')} that came to a head",
        f"{lives} {'person' if lives == 1 else 'people'} whose life changed",
        f"{count_of(ends['promise', True], 'promise')} kept and {ends['promise', False]} broken",
        f"{count_of(ends['grudge', True], 'quarrel')} made up and {ends['grudge', False]} not",
    ]
    return upper("; ".join(told))
