"""Names and phrases: what people, activities and places are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sandbox.core.faults import in_quotes, suggestion
from sandbox.people.activities import DUTY, LEISURE, Activity, Deck
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import AWAY, DramaDeck
from sandbox.town.grid import TownMap

_OF_OTHER = re.compile(r"\b(them|their|they(?= know))\b")  # of whom one comes to


def _own(m: re.Match[str]) -> str:
    """The same in that one's own mouth."""
    return {"them": "me", "their": "my", "they": "I"}[m[1]]


def several(people: Iterable[Persona]) -> frozenset[str]:
    """The first names, small, that more than one of these have."""
    many = Counter(p.first.casefold() for p in people)
    return frozenset(first for first, n in many.items() if n > 1)


def find_person(text: str, people: Mapping[str, Persona]) -> str:
    """The id of whom a text means, "" for nobody: an id to the letter, else a whole name or a first name, else an id in
    other letters. Raises ValueError, which names them, where a name means several, or an id is the name of others only.
    """
    said, low = text.strip(), text.strip().casefold()
    found = [id for id, p in people.items() if low in (p.name.casefold(), p.first.casefold())]
    if said in people and (said in found or not found):
        return said
    if said in people or len(found) > 1:
        found = [id for id in people if id in (said, *found)]
        which = " or ".join(f"{people[id].name} ({id})" for id in found)
        raise ValueError(f"{in_quotes(said)} may be {which}; say which")
    return found[0] if found else low if low in people else ""


def somebody(text: str, people: Mapping[str, Persona]) -> str:
    """The same, where a text has to mean somebody. Raises ValueError with the nearest or a choice, too."""
    if found := find_person(text, people):
        return found
    names = [*people, *(p.first for p in people.values()), *(p.name for p in people.values())]
    hint = suggestion(text.strip(), names) or f"; choose from {', '.join([*people][:40])}"
    raise ValueError(f"nobody is called {in_quotes(text)}{hint}")


class NamedPeople(NamedTuple):
    """Whom a text names: ids, in the order of the cast. which: of those of them whom a first name in it may mean and
    none of whom it says which, the names.
    """

    people: tuple[str, ...]
    which: tuple[str, ...] = ()


def contains_name(text: str, name: str) -> bool:
    """Whether a text has a name in it."""
    return re.search(_name(name), text, re.IGNORECASE) is not None


def _name(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


class Handbook:
    """Names and phrases: what a person, an activity and a place are called.

    others: people who may come, by the scenario. Who shares a first name is decided once, among all of these: what is
    folded after somebody has come is told as it was before.
    """

    def __init__(
        self,
        cast: dict[str, Persona],
        deck: Deck,
        town: TownMap,
        drama: DramaDeck,
        claims: ClaimDeck,
        others: Iterable[Persona] = (),
    ) -> None:
        self.cast = cast
        self.others = {p.id: p for p in others}
        self._shared = several({**self.others, **cast}.values())
        self.deck = deck
        self.drama = drama
        self.claims = claims
        self.activities: dict[str, Activity] = {a.do: a for a in deck.activities}
        self.special = frozenset(a.claim for a in deck.activities if a.claim)
        self.kinds = {kind: tuple(b.key for b in deck.blocks.values() if b.kind == kind) for kind in (LEISURE, DUTY)}
        self._town = town

    def name(self, who: str) -> str:
        """The first name; the whole name where two share the first; the id itself for somebody unknown."""
        persona = self.cast.get(who) or self.others.get(who)
        return self.called(persona) if persona is not None else who

    def called(self, persona: Persona) -> str:
        """The same of somebody who need not have come yet."""
        return persona.name if persona.first.casefold() in self._shared else persona.first

    def meant(self, text: str) -> str:
        """Whom of those who are there a text means (see `meant`)."""
        return find_person(text, self.cast)

    def _of_first(self, first: str) -> list[str]:
        """Those of a first name, in small letters."""
        return [id for id, p in self.cast.items() if p.first.casefold() == first]

    def named(self, text: str, calls: Mapping[str, str]) -> NamedPeople:
        """Whom a text names, by whole names, first names or as somebody `calls` them: id -> that name."""
        whole = {id: p.name for id, p in self.cast.items() if contains_name(text, p.name)}
        rest = text
        for name in whole.values():
            rest = re.sub(_name(name), " ", rest, flags=re.IGNORECASE)
        firsts = {p.first.casefold() for p in self.cast.values() if contains_name(rest, p.first)}
        if whole:  # who is named in full may be called by the first name afterwards
            firsts -= {self.cast[id].first.casefold() for id in whole}
        several = [ids for first in sorted(firsts) if len(ids := self._of_first(first)) > 1]
        which = (self.cast[id].name for ids in several for id in ids)
        found = (
            id
            for id, p in self.cast.items()
            if id in whole or p.first.casefold() in firsts or (id in calls and contains_name(text, calls[id]))
        )
        return NamedPeople(tuple(found), tuple(which))

    def both(self, holder: str, about: str) -> dict[str, str]:
        """The slots {holder} and {about} of a sentence about a matter; about: "" = somebody."""
        return {"holder": self.name(holder), "about": self.name(about) if about else "somebody"}

    def doing(self, do: str) -> str:
        """ "kneading dough"."""
        found = self.activities.get(do) or self.deck.blocks.get(do)
        return found.doing if found else do

    def past(self, do: str) -> str:
        """ "kneaded dough"."""
        found = self.activities.get(do) or self.deck.blocks.get(do)
        return found.past if found else do

    def infinitive(self, do: str) -> str:
        """ "knead dough"."""
        found = self.deck.blocks.get(do)
        return found.do if found else do

    def kind(self, block: str) -> str:
        """leisure, duty or ""."""
        found = self.deck.blocks.get(block)
        return found.kind if found else ""

    def state(self, do: str) -> str:
        """What an object shows while that is done with it."""
        found = self.activities.get(do)
        return (found.state or "in use") if found else "in use"

    def place(self, address: str) -> str:
        """ "the bakery"."""
        return self._town.place_name(address)

    def room(self, address: str) -> str:
        """ "room one at Number Nine"; of what has no rooms, the place."""
        return self._town.whereabouts(address).removeprefix("in ").removeprefix("at ")

    def at(self, address: str) -> str:
        """ "at the bakery", "in the kitchen at Rowan House"."""
        return self._town.whereabouts(address)

    def deed(self, do: str, answer: str, to: str) -> str:
        """ "had it out with Vera, who gave in"; "came to Vera to have it out, and was turned away"."""
        exchange = self.drama.exchanges.get(do)
        if exchange is None:
            return do
        if answer == AWAY:
            return self.unheard(do, to) or f"came to {to} {exchange.says}, and was turned away"
        took = exchange.took.get(answer, "")
        return exchange.did.format(to=to) + (f", who {took}" if took else "")

    def unheard(self, do: str, to: str) -> str:
        """ "left what was owed with Vera, without a word"; "" of what cannot be done while the other hears nothing."""
        exchange = self.drama.exchanges.get(do)
        return exchange.unheard.format(to=to) if exchange is not None else ""

    def sent_away(self, do: str, who: str) -> str:
        """The same from the other side: "had no word for Mara when Mara came to have it out"."""
        exchange = self.drama.exchanges.get(do)
        left, came = self.unheard(do, "me"), _OF_OTHER.sub(_own, exchange.says) if exchange is not None else do
        return f"had no word for {who}, and {who} {left}" if left else f"had no word for {who} when {who} came {came}"
