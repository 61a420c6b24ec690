"""Names and phrases: what people, activities and places are called."""

from __future__ import annotations

from sandbox.people.activities import DUTY, LEISURE, Activity, Deck
from sandbox.people.claims.model import ClaimDeck
from sandbox.people.persona import Persona
from sandbox.people.pressures.deck import Drama
from sandbox.town.grid import Town


class Handbook:
    """Names and phrases: what a person, an activity and a place are called."""

    def __init__(self, cast: dict[str, Persona], deck: Deck, town: Town, drama: Drama, claims: ClaimDeck) -> None:
        self.cast = cast
        self.known: dict[str, str] = {}  # first names of people who may come, for whoever tells of them before they do
        self.deck = deck
        self.drama = drama
        self.claims = claims
        self.activities: dict[str, Activity] = {a.do: a for a in deck.activities}
        self.special = frozenset(a.claim for a in deck.activities if a.claim)
        self.kinds = {kind: tuple(b.key for b in deck.blocks.values() if b.kind == kind) for kind in (LEISURE, DUTY)}
        self._town = town

    def name(self, who: str) -> str:
        """The first name, or the id itself for somebody unknown."""
        persona = self.cast.get(who)
        return persona.first if persona else self.known.get(who, who)

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

    def at(self, address: str) -> str:
        """ "at the bakery", "in the kitchen at Rowan House"."""
        return self._town.whereabouts(address)

    def deed(self, do: str, answer: str, to: str) -> str:
        """ "had it out with Vera, who gave in"."""
        exchange = self.drama.exchanges.get(do)
        if exchange is None:
            return do
        took = exchange.took.get(answer, "")
        return exchange.did.format(to=to) + (f", who {took}" if took else "")
