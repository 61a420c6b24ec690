"""What a played person can do where they are, and elsewhere, each activity with its command; and what they can say to
another later today, though not now: the same rules, applied to later hours while everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE, Clock
from sandbox.core.domain import Command
from sandbox.core.text import spelt, upper
from sandbox.people.claim_handlers import closed
from sandbox.people.goal_handlers import means_of, next_step
from sandbox.people.model import BESIDE, SEEK
from sandbox.people.perceive import area_at, in_view
from sandbox.people.planning import resolve
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_rules import of
from sandbox.play.acts import exchange_phrase
from sandbox.play.acts_without_talk import to_save
from sandbox.play.beginnings import beginning_phrase, every_wish, why_not
from sandbox.play.model import Bid, HasPlay, PutBy
from sandbox.talk.pressure_aims import aims
from sandbox.town.plan import sector_of
from sandbox.town.ways import tile_at

HERE, ELSEWHERE, NEXT_TO = 8, 8, 3  # activities listed here and elsewhere, and people to sit beside, at most
HOME = ("sleep", "wash", "breakfast", "supper", "rest", "read")


class ActivityOffer(NamedTuple):
    """An activity. says: an infinitive without "to"; costs: it takes coins."""

    says: str
    command: Command
    costs: bool = False


def doings(w: HasPlay, me: str) -> list[tuple[str, list[ActivityOffer]]]:
    """Activities under headings: where they are, towards what they want, at home, at work, elsewhere."""
    here = area_at(w, me, w.now)
    fits = _fits(w, me, here) if here else []
    rooms = {do: where for do, where in _usual(w, me) if sector_of(where) == sector_of(w.cast[me].home)}
    there = [(do, rooms.get(do, "home")) for do in HOME if do in w.handbook.deck.blocks]
    away = _elsewhere(w, me, here)
    found = [
        (upper(w.handbook.at(here)) if here else "Here", [*(_doing(w, me, do, here) for do in fits), *_beside(w, me)]),
        ("Towards what you want", [*_towards(w, me)]),
        ("At home", [_doing(w, me, do, where) for do, where in there if where != here or do not in fits]),
    ]
    work = resolve(w.cast[me], "work") if w.cast[me].work else ""
    if work and (work != here or "work" not in fits):
        found.append((f"Work, {w.handbook.at(w.cast[me].work)}", [_doing(w, me, "work", "work")]))
    found.append(("Elsewhere", [_doing(w, me, do, where, w.handbook.at(where)) for do, where in away]))
    return [(head, rows) for head, rows in found if rows]


def _doing(w: HasPlay, me: str, do: str, where: str, adds: str = "") -> ActivityOffer:
    block = w.handbook.deck.blocks[do]
    says = f"{block.do} {adds}" if adds else block.do
    at_home = where == "home" or sector_of(where) == sector_of(w.cast[me].home)
    return ActivityOffer(says, Bid(by=me, do=do, where=where), bool(block.costs) and not at_home)


def _fits(w: HasPlay, me: str, here: str) -> list[str]:
    """What people do at a place: part of anybody's routine, or leisure."""
    usual = [s.do for p in w.cast.values() for day in p.routine.days for s in day.slots if resolve(p, s.where) == here]
    free = [do for do, where in w.leisure(me) if where == here]
    return [do for do in dict.fromkeys((*free, *usual)) if do not in ("sleep", SEEK)][:HERE]


def _beside(w: HasPlay, me: str) -> Iterator[ActivityOffer]:
    """People in sight who are at rest, to sit beside."""
    if BESIDE not in w.handbook.deck.blocks:
        return
    mine, n = tile_at(w.town.spots[me], w.now, w.map.width), 0
    for who, spot in w.town.spots.items():
        tile = tile_at(spot, w.now, w.map.width)
        rests = who != me and not spot.path and w.people.residents[who].awake
        if n < NEXT_TO and rests and area_at(w, who, w.now) and in_view(w, mine, tile):
            n += 1
            yield ActivityOffer(f"sit beside {w.handbook.name(who)}", Bid(by=me, do="", where="", beside=who))


def _towards(w: HasPlay, me: str) -> Iterator[ActivityOffer]:
    """The time, and the coins, that the next step of something wanted takes."""
    saves = to_save(w, me)
    for p in of(w.pressures, me):
        todo = next_step(w, p, w.now) if p.holder == me else None
        block = means_of(w, todo).block if todo is not None else ""
        if block:
            yield _doing(w, me, block, "home", f"for {gist(p.stakes)}")
        if p.id in saves:
            yield ActivityOffer(f"put {spelt(saves[p.id])} by for {gist(p.stakes)}", PutBy(by=me, matter=p.id))


def _elsewhere(w: HasPlay, me: str, here: str) -> list[tuple[str, str]]:
    """(block, place) elsewhere, from their usual days and from leisure: each activity and each place once."""
    found: dict[str, str] = {}
    for do, where in (*_usual(w, me), *w.leisure(me)):
        taken = {sector_of(x) for x in (here, w.cast[me].home, *found.values())}
        if do not in found and sector_of(where) not in taken and not closed(w, where):
            found[do] = where
    return [*found.items()][:ELSEWHERE]


def _usual(w: HasPlay, me: str) -> list[tuple[str, str]]:
    """(block, place) of their usual days."""
    p = w.cast[me]
    return [(slot.do, resolve(p, slot.where)) for day in p.routine.days for slot in day.slots]


# ---- what can be said later


HOURS = (1, 3, 6, 12, 24)  # hours ahead at which it is checked


class Later(NamedTuple):
    """Something that can be said from second `at` on. says: an infinitive without "to"; matter: as in TalkOffer."""

    says: str
    matter: str
    at: int


def from_time_words(clock: Clock, t: int) -> str:
    """From when something can be said, in words."""
    return f"from {clock.words(t)} on"


def later_offers(w: HasPlay, me: str, other: str) -> list[Later]:
    """What `me` can say to `other` within a day but not now, the soonest first: their matters, then beginnings."""
    return sorted((*_matters(w, me, other), *_begun(w, me, other)), key=lambda x: x.at)


def _matters(w: HasPlay, me: str, other: str) -> list[Later]:
    def open_at(t: int) -> set[tuple[str, str]]:
        return {(aim.pressure, aim.do) for aim in aims(w, me, other, t)}

    known, out, before = open_at(w.now), [], w.now
    for hours in HOURS:
        after = w.now + hours * HOUR
        found = open_at(after) - known
        known |= found
        for pressure, do in sorted(found):
            at = _first(lambda t, one=(pressure, do): one in open_at(t), before, after)  # type: ignore[misc]
            out.append(Later(exchange_phrase(w, do), gist(w.pressures.open[pressure].stakes), at))
        before = after
    return out


def _begun(w: HasPlay, me: str, other: str) -> list[Later]:
    """Each beginning once, with the first third person for whom it becomes possible."""
    out, seen = [], set()
    end = w.now + HOURS[-1] * HOUR
    for wish in every_wish(w, me, other):
        if wish.begin in seen or why_not(w, me, wish, end):
            continue
        seen.add(wish.begin)
        if why_not(w, me, wish):  # else it can be begun now
            at = _first(lambda t, one=wish: not why_not(w, me, one, t), w.now, end)  # type: ignore[misc]
            out.append(Later(beginning_phrase(w, me, wish), "", at))
    return out


def _first(holds: Callable[[int], bool], before: int, after: int) -> int:
    """The first full minute at which `holds` is true; it is false at `before` and true at `after`."""
    while after - before > MINUTE:
        middle = (before + after) // 2 // MINUTE * MINUTE
        if middle <= before:
            break
        before, after = (before, middle) if holds(middle) else (middle, after)
    return after
