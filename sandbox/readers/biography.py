"""The story of one person over some days: chapters by day, incidents with their causes and consequences, stances, and
how things stand in the end. It comes as pieces, which become a page of text or Markdown (`readers/edition.py`).
`story_of` reads it from a save's log, for the command and the screen.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.core.plain import count_of
from sandbox.core.text import join_names, spelt, upper
from sandbox.engine.world import World
from sandbox.people.claim_handlers import LODGES, claim_words, claims_of
from sandbox.people.pressure_rules import of as pressures_of
from sandbox.readers import pressures
from sandbox.readers.edition import StoryPiece
from sandbox.readers.life import KINDS, PLAYED, Life, LifeDay, PlaySpan, Stir, play_spans
from sandbox.readers.lifewords import (
    coin_sentence,
    gossip_sentences,
    player_deeds,
    talk_sentence,
    tie_sentences,
    turning_point_sentence,
)
from sandbox.readers.pressures import Matter, matter_sentence
from sandbox.readers.threads import Incident, PressureTurn
from sandbox.readers.tielines import NO_TIE, tie_states
from sandbox.store.branch import saves_list
from sandbox.store.read import SaveReader

QUOTES = 3  # lines of an incident that are quoted, at most
FEW = 6  # people named for each kind of tie, at most
MATTERS = 7  # open matters listed, at most


class Fork(NamedTuple):
    """A save that branched off this one: at which second, and its title."""

    t: int
    title: str


class Chapter(NamedTuple):
    """An incident in the person's story. n: its number; matter: what it is about, None if unknown."""

    n: int
    title: str
    incident: Incident
    matter: Matter | None


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
    chapters = _chapters(life, days)
    forks = [*forks]
    for day in days:
        of_day = [x for x in chapters if x.incident.day == day]
        left = [x for x in forks if clock.day(x.t) == day]
        told = [*_day(life, life.of(day), of_day, chapters, left)]
        out += told if len(told) > 1 else []
    out += _stands(life, world)
    return out


def _date(life: Life, day: int) -> str:
    at = life.clock.at(life.clock.midnight(day))
    return f"{at:%A} {at.day} {at:%B}"


def _chapters(life: Life, days: Iterable[int]) -> list[Chapter]:
    """The incidents that concern the person, or in which they took part, in order of their beginning."""
    out: list[Chapter] = []
    for day in days:
        found = [x for x in life.incidents.of(day).incidents if _theirs(life, x)]
        for x in sorted(found, key=lambda x: (x.begin, x.events)):
            of_it = (m for m in life.matters.values() if m.thread == x.thread)
            m = next((m for m in of_it if (m.kind, m.holder, m.about) == (x.kind, *x.pair)), None)
            others = [life.handbook.name(who) for who in dict.fromkeys((*x.pair, *x.people)) if who and who != life.who]
            title = m.gist if m is not None else f"with {join_names(others)}"
            out.append(Chapter(len(out), upper(title), x, m))
    return out


def _theirs(life: Life, x: Incident) -> bool:
    """Whether an incident is about a matter of the person, or they took part in its main turn."""
    return life.who in x.pair or any(turn.t == x.t and turn.seq in life.stirs for turn in x.turns)


# ---- a day


def _day(life: Life, day: LifeDay, own: list[Chapter], all_: list[Chapter], forks: list[Fork]) -> Iterator[StoryPiece]:
    yield StoryPiece("day", f"{_date(life, day.day)}, day {day.day}")
    threads = {x.incident.thread for x in own}
    apart = [x for x in day.turns if x.e.thread not in threads]
    for chapter in own:
        yield from _incident(life, day, chapter, all_)
    yield from (StoryPiece("text", f"{turning_point_sentence(life, turn)}.") for turn in apart)
    told = {seq for x in own for seq in x.incident.events}
    rest = [*player_deeds(life, day, told), talk_sentence(life, day)]
    said, money = gossip_sentences(life, day), coin_sentence(life, day)
    marks = "; ".join(dict.fromkeys(day.marks))
    besides = bool(own)
    for texts in (
        rest,
        [f"Of {life.handbook.name(life.who)} it went round: {'; '.join(said)}"] if said else [],
        [*tie_sentences(life, day, [x.incident.telling.change for x in own]), money],
        [*day.claims, f"It left a mark on {life.handbook.name(life.who)}: {marks}" if marks else ""],
        [f"At {life.clock.hhmm(x.t)} another telling begins, which is kept as “{x.title}”" for x in forks],
    ):
        if text := _sentences(texts):
            if besides:
                yield StoryPiece("head", "Besides")
                besides = False
            yield StoryPiece("text", text)


def _sentences(texts: Iterable[str]) -> str:
    return " ".join(f"{upper(text).rstrip('.')}." for text in texts if text)


def _incident(life: Life, day: LifeDay, own: Chapter, all_: Sequence[Chapter]) -> Iterator[StoryPiece]:
    """One incident: its cause, its main turn, quotes, and what it led to."""
    x, t = own.incident, own.incident.telling
    yield StoryPiece("head", own.title)
    turns = [(turn.t, turning_point_sentence(life, turn)) for turn in day.turns if turn.e.thread == x.thread]
    known = f": {own.matter.gist}" if own.matter is not None else ""  # the heading says it
    others = sorted([*turns, *((at, y.replace(known, "", 1)) for at, y in _others(life, x)), *_by_hand(life, day, x)])
    where = f", {t.place}," if t.place else ""
    main = f"At {t.hour}{where} {t.deed}" + (f"; {t.answer}" if t.answer else "") if t.deed else ""
    yield StoryPiece(
        "text", _sentences([*_cause(life, own, all_[: own.n]), *(y for at, y in others if at <= x.t), main])
    )
    yield from (quotes := _quotes(life, (turn for turn in x.turns if turn.t == x.t)))
    after = [t.change, *(y for at, y in others if at > x.t), *_led(life, own, all_)]
    if text := _sentences(after):
        yield StoryPiece("text", text)
    if not quotes:
        yield from _quotes(life, x.turns)


def _cause(life: Life, own: Chapter, earlier: Sequence[Chapter]) -> Iterator[str]:
    """Causes of an incident: the earlier incident that it continues, or that began it, or what was so before."""
    x, t = own.incident, own.incident.telling
    same = next((c for c in reversed(earlier) if c.incident.thread == x.thread), None)
    again = same is not None and (same.incident.kind, same.incident.pair) == (x.kind, x.pair)
    if again and same is not None:
        yield f"It had been open since {_when(life, same, own).removeprefix('on ')}"
        return
    by = {*life.causes.get(own.matter.id, ())} if own.matter is not None else set()
    # an incident of the same thread explains more than another of the same hour
    came = next((c for c in (same, *reversed(earlier)) if c is not None and by & {*c.incident.events}), same)
    if t.cause:
        yield t.cause
    if came is not None:
        yield f"That came of “{came.title}”, {_when(life, came, own)}"
    if t.wanted and t.who:
        yield f"So {t.who} wanted to {t.wanted}"


def _of_its_thread(own: Chapter, all_: Sequence[Chapter], by: Collection[int]) -> bool:
    """Whether an incident was caused by an earlier one of its own thread, which then names it as its consequence."""
    earlier = (c for c in all_[: own.n] if c.incident.thread == own.incident.thread)
    return any({*by} & {*c.incident.events} for c in earlier)


def _led(life: Life, own: Chapter, all_: Sequence[Chapter]) -> Iterator[str]:
    """What an incident led to, as far as it is among the later chapters."""
    for c in all_[own.n + 1 :]:
        by = life.causes.get(c.matter.id, ()) if c.matter is not None else ()
        if c.incident.thread == own.incident.thread:
            yield f"More came of it {_when(life, c, own)}"
            return
        if {*by} & {*own.incident.events} and not _of_its_thread(c, all_, by):
            yield f"It led to “{c.title}”, {_when(life, c, own)}"


def _when(life: Life, other: Chapter, own: Chapter) -> str:
    """When another chapter's incident happened, seen from this one: "later that day", "on Tuesday"."""
    if other.incident.day == own.incident.day:
        return "earlier that day" if other.n < own.n else "later that day"
    return f"on {life.clock.at(life.clock.midnight(other.incident.day)):%A}"


def _others(life: Life, x: Incident) -> list[tuple[int, str]]:
    """The turns of an incident apart from its main one."""
    found = [life.stirs[turn.seq] for turn in x.turns if turn.seq in life.stirs]
    return [(stir.t, _at_its_hour(life, stir)) for stir in found if stir.t != x.t]


def _by_hand(life: Life, day: LifeDay, x: Incident) -> list[tuple[int, str]]:
    """What the person did in an incident while they were played, apart from its turns."""
    turned = {seq for turn in x.turns if turn.seq in life.stirs for seq in life.stirs[turn.seq].causes}
    found = (y for y in day.done if y.by_hand and y.seq in x.events and y.seq not in turned)
    return [(y.t, f"At {life.clock.hhmm(y.t)} {y.text}") for y in found]


def _at_its_hour(life: Life, stir: Stir) -> str:
    """A stir with its hour. An ending is worded in the present perfect; looking back it needs the past perfect."""
    if not stir.over:
        return f"At {life.clock.hhmm(stir.t)} {stir.text}"
    return f"By {life.clock.hhmm(stir.t)} {re.sub(r' (?:has|have) ', ' had ', stir.text, count=1)}"


def _quotes(life: Life, turns: Iterable[PressureTurn]) -> list[StoryPiece]:
    """Quotes from the last exchange that caused one of these turns; empty if it has no words."""
    stirs = [life.stirs[turn.seq] for turn in turns if turn.seq in life.stirs]
    found = [life.exchanges[seq] for stir in stirs for seq in stir.causes if seq in life.exchanges]
    lines = [line for line in found[-1].lines if line.text][:QUOTES] if found else []
    return [StoryPiece("quote", line.text, life.handbook.name(line.who)) for line in lines]


# ---- how things stand


def _stands(life: Life, w: World) -> Iterator[StoryPiece]:
    book, me = life.handbook, life.who
    yield StoryPiece("day", "How things stand")
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
            yield StoryPiece("item", f"{words.format(join_names(by[of][:FEW]))}.")
    if against := by.get("against", [])[:FEW]:
        yield StoryPiece(
            "item", f"{join_names(against)} {'holds' if len(against) == 1 else 'hold'} something against {name}."
        )
    kinds = w.claim_deck.kinds
    for c in claims_of(w, me):
        if c.kind != LODGES:
            yield StoryPiece("item", f"{claim_words(book, kinds[c.kind].says, c).rstrip('.')}.")
    if w.money is not None:
        yield StoryPiece("item", f"{name} has {count_of(w.people.residents[me].purse.coins, 'coin')}.")
    known = pressures.world_matters(w)
    matters = sorted(pressures_of(w.pressures, me), key=lambda p: (p.due < w.now, p.due, -p.intensity))
    if matters:
        yield StoryPiece("head", "Still open")
    for p in matters[:MATTERS]:
        due = f", due {life.clock.words(p.due)}" if p.due >= w.now else ""
        yield StoryPiece("item", f"{matter_sentence(book, known[p.id])}{due}.")
    if len(matters) > MATTERS:
        yield StoryPiece("item", f"And {spelt(len(matters) - MATTERS)} more.")


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
