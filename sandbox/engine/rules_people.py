"""What must hold of people: the cast of a world, and its guests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sandbox.core.clock import DAYS, day_matches
from sandbox.core.faults import quoted
from sandbox.core.fields import Odd, known, once
from sandbox.people.activities import Deck
from sandbox.people.guests.model import Guest
from sandbox.people.guests.rules import OWN, no_bed
from sandbox.people.persona import Persona
from sandbox.play.newcomers import Newcomer
from sandbox.town.addresses import Addresses
from sandbox.town.grid import Town


def lies(
    thing: object, field: str, address: str, places: Addresses, words: Collection[str] = (), objects: bool = False
) -> Iterator[Odd]:
    """A place that is none."""
    if wrong := places.wrong(address, words, objects):
        yield Odd(thing, field, wrong)


def block_of(thing: object, field: str, block: str, deck: Deck) -> Iterator[Odd]:
    if block not in deck.blocks and deck.blocks:
        yield from known(thing, field, (block,), deck.blocks, "block")


def of_person(p: Persona, cast: Collection[str], places: Addresses, deck: Deck) -> Iterator[Odd]:
    yield from lies(p, "home", p.home, places)
    if p.work:
        yield from lies(p, "work", p.work, places)
    bare = [d for d in DAYS if not any(day_matches(entry.days, d) for entry in p.routine.days)]
    if bare and p.routine.days:
        lacks = f'no entry for {", ".join(bare)}; add "every"'
        yield Odd(p.routine, "days", lacks, written=True, hangs=((p.routine, "days"),))
    for entry in p.routine.days:
        before = -1
        for slot in entry.slots:
            if slot.at <= before:
                yield Odd(slot, "at", "is not later than the entry before; put the day in order", written=True)
            before = max(before, slot.at)
            yield from block_of(slot, "do", slot.do, deck)
            yield from lies(slot, "where", slot.where, places, OWN, objects=True)
            if slot.where == "work" and not p.work:
                mend = "add `work:` to the person, or write an area"
                without = f'"work" without a place of work; {mend}'
                yield Odd(slot, "where", without, written=True, hangs=((p, "work"),))
    for past in p.history:
        if past.with_ == p.id:
            yield Odd(past, "", "a person has no history with themselves; name somebody else")
        yield from known(past, "with_", (past.with_,), cast, "person")
    yield from once(p.history, "with_", "{} stands here twice; keep one", written=True)
    for key in ("openers", "starts", "addresses", "tags", "oaths", "asides"):
        for text in getattr(p.speech, key):
            yield from _habit(p, key, text, (text,))
    for who, text in p.speech.calls.items():
        yield from _habit(p, "calls", text, (who,))


def of_guest(g: Guest, cast: Collection[str], places: Addresses, deck: Deck) -> Iterator[Odd]:
    """Somebody who may come: none of the cast, and what they have to do with it."""
    p, visit = g.persona, g.visit
    if p.id in cast:
        yield Odd(p, "", f"{quoted(p.id)} is a guest, and of the cast, too; rename one")
    yield from of_person(p, cast, places, deck)
    yield from known(visit, "to", [visit.to] if visit.to else [], cast, "person of the cast")
    for past in visit.regards:
        yield from known(past, "with_", (past.with_,), cast, "person of the cast")
    yield from once(visit.regards, "with_", "{} stands here twice; keep one", written=True)


def _habit(p: Persona, key: str, text: str, path: tuple[str, ...]) -> Iterator[Odd]:
    """Habits of speech are words only: lines put them between their own, and none may open a question."""
    odd = next((c for c in "{}?" if c in text), "")
    if odd:
        yield Odd(p.speech, key, f'a habit of speech holds no "{odd}"; take it out', path, written=True)


def of_names(cast: Collection[Persona]) -> Iterator[Odd]:
    names: dict[str, Persona] = {}
    for p in cast:
        first = names.setdefault(p.name.casefold(), p)
        if first is not p:
            same = f"{quoted(p.name)} is the name of {quoted(first.id)}, too; rename one"
            yield Odd(p, "name", same, written=True)
    firsts: dict[str, Persona] = {}
    for p in (p for p in cast if p.name.split()):  # what has no name is told elsewhere
        first = firsts.setdefault(p.first.casefold(), p)
        if first is not p and first.name.casefold() != p.name.casefold():
            same = f"{quoted(p.first)} is the first name of {quoted(first.id)}, too: both are told by their whole names"
            yield Odd(p, "name", same, level="warning")


def nowhere(guests: Iterable[Guest | Newcomer], town: Town) -> Iterator[Odd]:
    """Guests and newcomers who would have nothing to lie on where they stay."""
    for g in guests:
        if g.persona.home in town.areas and (wrong := no_bed(g.persona, town)):
            yield Odd(g.persona, "home", wrong)
