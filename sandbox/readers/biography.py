"""The story of one person over some days, in chapters: what came of one beginning, over days, with what was said at its
turns; what the player had them do; and how things stand in the end. It comes as pieces, which become a page of text or
Markdown (`readers/edition.py`). `story_of` reads it from a save's log, for the command and the screen.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.core.text import join_names
from sandbox.engine.world import World
from sandbox.people.claim_handlers import COUPLE, LODGES, claim_clause, claims_of
from sandbox.people.pressure_rules import of as pressures_of
from sandbox.readers import pressures
from sandbox.readers.chapters import Chapter, ChapterTeller, chapters_of, shortened
from sandbox.readers.edition import StoryPiece
from sandbox.readers.life import KINDS, PLAYED, Life, PlaySpan, play_spans
from sandbox.readers.lifewords import player_deeds, turning_point_sentence
from sandbox.readers.pressures import matter_sentence
from sandbox.readers.tielines import NO_TIE, tie_states
from sandbox.readers.told_turns import HEAVY, ToldTurn
from sandbox.readers.turn_words import join_sentences
from sandbox.store.branch import saves_list
from sandbox.store.read import SaveReader

FEW = 6  # people named for each kind of tie, at most
MATTERS = 4  # open matters named in the end, at most
SMALL = 6  # small things told at most
KIN = "kin"


class Fork(NamedTuple):
    """A save that branched off this one: at which second, and its title."""

    t: int
    title: str


def biography(life: Life, world: World, days: Sequence[int], forks: Iterable[Fork] = ()) -> list[StoryPiece]:
    """The story of `life.who`. world: at its end; days: which to cover, in order; forks: in order of time."""
    clock = life.clock
    persona = world.cast[life.who]
    first, last = (_date(life, day) for day in (days[0], days[-1]))
    when = first if first == last else f"{first} to {last}"
    out = [StoryPiece("title", f"The story of {persona.name}"), StoryPiece("lead", f"{world.scenario.title}, {when}")]
    if persona.about:
        out.append(StoryPiece("text", persona.about))
    for span in life.played:
        since, until = clock.words(span.since), clock.words(span.until)
        out.append(StoryPiece("text", f"Played by hand from {since} to {until}."))
    turns = [x for day in days for x in life.turns.of(day) if life.who in x.people]
    chapters = chapters_of(turns, lambda threads: _still(life, world, threads))
    telling = ChapterTeller(world)
    for chapter in chapters:
        if not chapter.small:
            out += _chapter(life, telling, shortened(chapter))
    out += _small(telling, [x for x in chapters if x.small])
    out += _by_hand(life, days, turns)
    out += _forks(life, days, forks)
    return _introduced(life, world, [*out, *_stands(life, world, {says for x in chapters for says in x.open})])


def _date(life: Life, day: int) -> str:
    at = life.clock.at(life.clock.midnight(day))
    return f"{at:%A} {at.day} {at:%B}"


def _still(life: Life, world: World, threads: Collection[str]) -> list[str]:
    """What presses the person still, or others because of them, in some threads."""
    known = pressures.world_matters(world)
    found = [p for p in pressures_of(world.pressures, life.who) if p.thread in threads]
    return [matter_sentence(world.handbook, known[p.id]) for p in sorted(found, key=lambda p: -p.intensity)[:1]]


# ---- a chapter


def _chapter(life: Life, telling: ChapterTeller, chapter: Chapter) -> Iterator[StoryPiece]:
    """A chapter: its turns in order, paragraphs broken by what was said at a turn."""
    yield StoryPiece("head", chapter.title())
    part: list[str] = []
    for turn, text in telling.turns(chapter):
        part.append(text)
        if turn.life or turn.weight >= HEAVY:
            quote = _quote(life, turn)
            if quote is not None:
                yield StoryPiece("text", " ".join(part))
                yield quote
                part = []
    if rest := " ".join(x for x in (*part, telling.left(chapter)) if x):
        yield StoryPiece("text", rest)


def _quote(life: Life, turn: ToldTurn) -> StoryPiece | None:
    """The last thing that was said at a turn; None if it came about without words."""
    found = next((life.exchanges[seq] for seq in turn.causes if seq in life.exchanges), None)
    line = next((x for x in reversed(found.lines) if x.text), None) if found is not None else None
    return StoryPiece("quote", line.text, life.handbook.name(line.who)) if line is not None else None


def _small(telling: ChapterTeller, chapters: Sequence[Chapter]) -> Iterator[StoryPiece]:
    """What was small, in one paragraph."""
    found = sorted((x for x in chapters), key=lambda x: (-x.weight, x.turns[0].seq))[:SMALL]
    if found:
        told = sorted(found, key=lambda x: x.turns[0].seq)
        yield StoryPiece("head", "In between")
        yield StoryPiece("text", " ".join(telling.brief(x) for x in told))


# ---- what the player had them do


def _by_hand(life: Life, days: Sequence[int], turns: Iterable[ToldTurn]) -> Iterator[StoryPiece]:
    """What the person did while they were played, and the turning points that the player met, day by day."""
    told = {seq for x in turns for seq in (*x.seqs, *x.causes)}
    first = True
    for day in days:
        of = life.of(day)
        points = [turning_point_sentence(life, turn) for turn in of.turns]
        if text := join_sentences([*player_deeds(life, of, told), *points]):
            if first:
                yield StoryPiece("head", "By hand")
            yield StoryPiece("text", f"{_date(life, day)}. {text}")
            first = False


def _forks(life: Life, days: Sequence[int], forks: Iterable[Fork]) -> Iterator[StoryPiece]:
    """The other tellings that begin in these days."""
    for x in forks:
        if life.clock.day(x.t) in days:
            yield StoryPiece(
                "text", f"At {life.clock.words(x.t)} another telling begins, which is kept as “{x.title}”."
            )


# ---- how things stand


def _stands(life: Life, w: World, told: Collection[str]) -> Iterator[StoryPiece]:
    """How things stand in the end: ties, what the days have brought, what is open. told: sentences of those told."""
    yield StoryPiece("day", "How things stand")
    yield StoryPiece("text", join_sentences(_ties(life, w)))
    book, me, kinds = life.handbook, life.who, w.claim_deck.kinds
    new = [c for c in claims_of(w, me) if c.seq and c.kind != LODGES and not c.within]
    if new:
        yield StoryPiece("text", join_sentences(claim_clause(book, kinds[c.kind].says, c) for c in new))
    known = pressures.world_matters(w)
    found = sorted(pressures_of(w.pressures, me), key=lambda p: (p.due < w.now, p.due, -p.intensity))
    left = [text for p in found if (text := matter_sentence(book, known[p.id])) not in told][:MATTERS]
    if left:
        yield StoryPiece("text", join_sentences([f"What is not settled yet: {'; '.join(left)}"]))


def _ties(life: Life, w: World) -> Iterator[str]:
    """To whom somebody is close, with whom on good terms, and who holds what against whom."""
    book, me = life.handbook, life.who
    by: dict[str, list[str]] = {}
    stand = tie_states(w)
    mine = {v: tie for (u, v), tie in stand.items() if u == me}
    for who, tie in sorted(mine.items(), key=lambda one: -one[1].closeness):
        by.setdefault(tie.kind, []).append(book.name(who))
        if stand.get((who, me), NO_TIE).kind == "sour":
            by.setdefault("against", []).append(book.name(who))
    name = book.name(me)
    for of, words in (
        ("close", f"{name} is close to {{}}"),
        ("friendly", f"{name} is on good terms with {{}}"),
        ("sour", f"{name} holds something against {{}}"),
    ):
        if by.get(of):
            yield words.format(join_names(by[of][:FEW]))
    if against := by.get("against", [])[:FEW]:
        yield f"{join_names(against)} {'holds' if len(against) == 1 else 'hold'} something against {name}"


# ---- who the others are


def _introduced(life: Life, w: World, pieces: Sequence[StoryPiece]) -> list[StoryPiece]:
    """The story, with who each of the others is after the first mention of their name."""
    out = [*pieces]
    for who in w.cast:
        says = _who_is(life, w, who)
        name = re.compile(rf"\b{re.escape(life.handbook.name(who))}\b(?!['’]s)")
        for i, x in enumerate(out):
            if says and x.sort == "text" and name.search(x.text):
                out[i] = x._replace(text=name.sub(lambda m: f"{m[0]} ({says})", x.text, count=1))  # noqa: B023
                break
    return out


def _who_is(life: Life, w: World, who: str) -> str:
    """Who somebody is to the person: kin, their couple, else by their work; "" for the person themselves."""
    me, book = life.who, life.handbook
    if who == me:
        return ""
    for c in claims_of(w, me):
        if {c.a, c.b} == {me, who} and c.kind == KIN:
            return f"{book.name(c.b)}'s {c.terms}" if c.a == who else f"{book.name(me)} is {book.name(who)}'s {c.terms}"
        if {c.a, c.b} == {me, who} and c.kind == COUPLE and not c.seq:
            return "the two are a couple"
    return w.cast[who].job


# ---- read from a save's log


LONGEST = 7  # length of a story in days; one that begins in a morning touches one date more
SLICE = 300  # records read before other tasks get a turn, a few milliseconds


class DayRange(NamedTuple):
    """The first and the last day of a story; 0 = the default: the last week up to the end of the save."""

    first: int = 0
    last: int = 0


def story_days(days: DayRange, world: World) -> Sequence[int]:
    """The days of a story, by date: those asked for, else the dates of the save's last week. world: at the save's end.
    Raises ValueError, with a sentence for the user, for days that the save lacks and for too many.
    """
    day = world.clock.day
    lived = day(max(0, world.now - 1))
    first, last = days.first or day(max(0, world.now - LONGEST * DAY)), days.last or lived
    if last > lived:
        raise ValueError(f"the save has {lived} day{'s' if lived > 1 else ''}")
    if last - first > LONGEST:
        raise ValueError(f"a story tells {LONGEST + 1} days at most; write {last - LONGEST}-{last}")
    return range(first, last + 1)


async def played_in(save: SaveReader, world: World) -> list[PlaySpan]:
    """Who was played in a save up to the second at which the world stands. Raises SaveError."""
    return play_spans(await save.records(PLAYED, 0, world.seq), 0, world.now, world.played.who)


async def story_of(
    save: SaveReader, world: World, who: str, days: Sequence[int],
    moved: Callable[[int, int], None] = lambda done, of: None,
) -> list[StoryPiece]:  # fmt: skip
    """The story of a person up to the world's last event. moved: called with (done, total). Raises SaveError."""
    played = await played_in(save, world)
    life, until = Life(world, who, played), world.seq
    async for records in save.slices(KINDS, moved):
        for i in range(0, len(records), SLICE):
            life.read(r for r in records[i : i + SLICE] if r.stamp.seq <= until)
            await asyncio.sleep(0)
    return biography(life, world, days, await forks_of(save))


async def forks_of(save: SaveReader) -> list[Fork]:
    """The saves in the same folder that branched off this one, by the time of the fork."""
    uid = (await save.info()).uid
    found = [x.info for x in await saves_list(save.path.parent) if x.info is not None and x.info.parent == uid]
    return sorted(Fork(x.fork.t, x.title) for x in found if uid and x.fork is not None)
