"""Rules for people: the cast of a world, its guests and newcomers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sandbox.core.clock import DAYS, day_matches
from sandbox.core.faults import in_quotes
from sandbox.core.fields import Finding, duplicates
from sandbox.people.guest_handlers import bed_fault
from sandbox.people.guest_model import Guest
from sandbox.people.persona import Persona
from sandbox.play.model import Newcomer
from sandbox.town.grid import TownMap


def of_person(persona: Persona) -> Iterator[Finding]:
    """Faults of a person: daily routine, past ties and habits of speech."""
    bare = [d for d in DAYS if not any(day_matches(entry.days, d) for entry in persona.routine.days)]
    if bare and persona.routine.days:
        lacks = f'no entry for {", ".join(bare)}; add "every"'
        yield Finding(persona.routine, "days", lacks, written=True, hangs=((persona.routine, "days"),))
    for entry in persona.routine.days:
        before = -1
        for slot in entry.slots:
            if slot.at <= before:
                yield Finding(slot, "at", "is not later than the entry before; put the day in order", written=True)
            before = max(before, slot.at)
            if slot.where == "work" and not persona.work:
                mend = "add `work:` to the person, or write an area"
                without = f'"work" without a place of work; {mend}'
                yield Finding(slot, "where", without, written=True, hangs=((persona, "work"),))
    for past in persona.history:
        if past.with_ == persona.id:
            yield Finding(past, "", "a person has no history with themselves; name somebody else")
    yield from duplicates(persona.history, "with_", "{} stands here twice; keep one", written=True)
    for key in ("openers", "starts", "addresses", "tags", "oaths", "asides"):
        for text in getattr(persona.speech, key):
            yield from _habit(persona, key, text, (text,))
    for who, text in persona.speech.calls.items():
        yield from _habit(persona, "calls", text, (who,))


def of_guest(g: Guest, cast: Collection[str]) -> Iterator[Finding]:
    """Faults of a guest, who is not of the cast."""
    p, visit = g.persona, g.visit
    if p.id in cast:
        yield Finding(p, "", f"{in_quotes(p.id)} is a guest, and of the cast, too; rename one")
    yield from of_person(p)
    yield from duplicates(visit.regards, "with_", "{} stands here twice; keep one", written=True)


def _habit(persona: Persona, key: str, text: str, path: tuple[str, ...]) -> Iterator[Finding]:
    """Habits of speech are plain words: they are inserted between lines, so slots are not allowed."""
    odd = next((c for c in "{}?" if c in text), "")
    if odd:
        yield Finding(persona.speech, key, f'a habit of speech holds no "{odd}"; take it out', path, written=True)


def of_names(cast: Collection[Persona]) -> Iterator[Finding]:
    """No two people have the same name."""
    names: dict[str, Persona] = {}
    for p in cast:
        first = names.setdefault(p.name.casefold(), p)
        if first is not p:
            same = f"{in_quotes(p.name)} is the name of {in_quotes(first.id)}, too; rename one"
            yield Finding(p, "name", same, written=True)
    firsts: dict[str, Persona] = {}
    for p in (p for p in cast if p.name.split()):  # a missing name is reported elsewhere
        first = firsts.setdefault(p.first.casefold(), p)
        if first is not p and first.name.casefold() != p.name.casefold():
            same = f"{in_quotes(p.first)} is the first name of {in_quotes(first.id)}, too"
            yield Finding(p, "name", f"{same}: both are told by their whole names", level="warning")


def nowhere(guests: Iterable[Guest | Newcomer], town: TownMap) -> Iterator[Finding]:
    """Guests and newcomers without a bed where they stay."""
    for g in guests:
        if g.persona.home in town.areas and (wrong := bed_fault(g.persona, town)):
            yield Finding(g.persona, "home", wrong)
