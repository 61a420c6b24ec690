"""Names and phrases: what people, activities and places are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import MANY, meta, names
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.mood import OCC
from sandbox.people.needs import ROWS
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import AWAY, DramaDeck
from sandbox.town.grid import TownMap

SHORTEST, LONGEST = 5, 60  # minutes an activity takes
Minutes = Annotated[int, meta(low=SHORTEST, high=LONGEST)]
LEISURE, DUTY = "leisure", "duty"  # kinds of block: free time, and obligations
Costs = Annotated[dict[str, Annotated[str, meta(most=40), names("price")]], meta(alone=True)]


class BlockKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of block. do, doing and past are phrases: "have lunch", "having lunch", "had lunch".

    kind: leisure (it may give way to company, mood or a whim), duty (no time to chat), or "". feeds: need -> how much
    each act in the block gives, -1 to 1. costs: tag or name of a place ("" = anywhere) -> what is paid for there.
    want: the purpose, completing "wants" ("" = the deck names none).
    """

    key: str
    do: Annotated[str, meta("have lunch", most=80)]
    doing: Annotated[str, meta("having lunch", most=80)]
    past: Annotated[str, meta("had lunch", most=80)]
    kind: Annotated[str, meta(options=(LEISURE, DUTY), blank=True, what="kind of block")] = ""
    feeds: dict[Annotated[str, meta(options=ROWS, what="need")], Annotated[float, meta(low=-1, high=1)]] = {}
    costs: Costs = {}
    want: Annotated[str, meta(most=80)] = ""


class Activity(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something visible that takes 5 to 60 minutes.

    do, doing, past: phrases. blocks: kinds of block it belongs to. needs: an affordance, "" for none. where: arena tags
    or sector names it is limited to. jobs: jobs it is limited to. claim: only for people who have a claim with these
    terms, or in a place whose use such a claim sets. minutes: shortest and longest. state: what its object shows
    meanwhile. costs: as in BlockKind.
    """

    do: Annotated[str, meta(most=80, least=1, named=True)]
    doing: Annotated[str, meta("kneading dough", most=80)]
    past: Annotated[str, meta("kneaded dough", most=80)]
    blocks: Annotated[tuple[str, ...], meta("[work]", key="for", distinct="block"), names("block")]
    minutes: Annotated[
        tuple[Minutes, Minutes],
        meta(usual=(10, 30), names=("shortest", "longest"), pair="two", so=f", from {SHORTEST} to {LONGEST}"),
    ]
    needs: Annotated[str, meta(most=40)] = ""
    where: tuple[Annotated[str, meta(most=60)], ...] = ()
    jobs: tuple[Annotated[str, meta(most=60)], ...] = ()
    state: Annotated[str, meta(most=60)] = ""
    costs: Costs = {}
    claim: Annotated[str, meta(most=120), names("terms")] = ""


class ActOutcome(msgspec.Struct, frozen=True):
    """What an act can do to a mood. feel: an OCC emotion; size: its intensity in [0, 1]; why: the cause in words."""

    feel: Annotated[str, meta("pride", options=OCC, what="emotion")]
    size: Annotated[float, meta(low=0.0, high=1.0, usual=0.5)]
    why: Annotated[str, meta("got it just right", most=120)]


class Outcomes(msgspec.Struct, frozen=True, omit_defaults=True):
    """How acts of a block can turn out well or badly."""

    good: tuple[ActOutcome, ...] = ()
    bad: tuple[ActOutcome, ...] = ()


class Deck(msgspec.Struct, frozen=True):
    """All blocks and activities of a world. feelings: block -> how acts in it can turn out."""

    blocks: Annotated[dict[str, BlockKind], MANY]
    activities: Annotated[tuple[Activity, ...], MANY]
    feelings: dict[Annotated[str, names("block")], Outcomes] = {}


_OF_OTHER = re.compile(r"\b(them|their|they(?= know))\b")  # pronouns for the person one comes to


def _own(m: re.Match[str]) -> str:
    """The pronoun as that person says it of themselves."""
    return {"them": "me", "their": "my", "they": "I"}[m[1]]


def several(people: Iterable[Persona]) -> frozenset[str]:
    """The first names, case-folded, that more than one of these people have."""
    many = Counter(p.first.casefold() for p in people)
    return frozenset(first for first, n in many.items() if n > 1)


def find_person(text: str, people: Mapping[str, Persona]) -> str:
    """The id of the person a text means, "" for nobody: an exact id, else a whole or first name, else an id in other
    case. Raises ValueError, naming the choices, if it is ambiguous.
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
    """As find_person, but raises ValueError with suggestions if the text means nobody."""
    if found := find_person(text, people):
        return found
    names = [*people, *(p.first for p in people.values()), *(p.name for p in people.values())]
    hint = suggestion(text.strip(), names) or f"; choose from {', '.join([*people][:40])}"
    raise ValueError(f"nobody is called {in_quotes(text)}{hint}")


class NamedPeople(NamedTuple):
    """The ids of the people a text names, in cast order. which: whole names of those who share a first name in it that
    is ambiguous.
    """

    people: tuple[str, ...]
    which: tuple[str, ...] = ()


def contains_name(text: str, name: str) -> bool:
    """Whether a text contains a name as a whole word, in any case."""
    return re.search(_name(name), text, re.IGNORECASE) is not None


def _name(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


class Handbook:
    """Names and phrases for people, activities and places.

    others: people who may come, by the scenario. Which first names are shared is decided once, among cast and others,
    so that a newcomer does not change how earlier memories are worded.
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
        self.doings = {a.doing for a in deck.activities} | {b.doing for b in deck.blocks.values()}
        self.special = frozenset(a.claim for a in deck.activities if a.claim)
        self.kinds = {kind: tuple(b.key for b in deck.blocks.values() if b.kind == kind) for kind in (LEISURE, DUTY)}
        self._town = town
        self._called: dict[str, str] = {}  # whole name -> what they are called

    def name(self, who: str) -> str:
        """The first name; the whole name where two share the first; the id itself for somebody unknown."""
        persona = self.cast.get(who) or self.others.get(who)
        if persona is None:
            return who
        return self._called.get(persona.name) or self.called(persona)

    def called(self, persona: Persona) -> str:
        """A persona's first name, or whole name if the first is shared; they need not be in the cast."""
        if persona.name not in self._called:
            self._called[persona.name] = persona.name if persona.first.casefold() in self._shared else persona.first
        return self._called[persona.name]

    def meant(self, text: str) -> str:
        """The id of the cast member a text means (see `find_person`)."""
        return find_person(text, self.cast)

    def _of_first(self, first: str) -> list[str]:
        """The ids of people with a first name, given case-folded."""
        return [id for id, p in self.cast.items() if p.first.casefold() == first]

    def named(self, text: str, calls: Mapping[str, str]) -> NamedPeople:
        """The people a text names by whole name, first name or nickname. calls: id -> the speaker's nickname."""
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
        """The slots {holder} and {about} for a pressure's sentences; about: "" = somebody."""
        return {"holder": self.name(holder), "about": self.name(about) if about else "somebody"}

    def doing(self, do: str) -> str:
        """The -ing phrase of an activity or block: "kneading dough"."""
        found = self.activities.get(do) or self.deck.blocks.get(do)
        return found.doing if found else do

    def past(self, do: str) -> str:
        """The past phrase of an activity or block: "kneaded dough"."""
        found = self.activities.get(do) or self.deck.blocks.get(do)
        return found.past if found else do

    def infinitive(self, do: str) -> str:
        """The infinitive of a block ("have lunch"); an activity's name is one already."""
        found = self.deck.blocks.get(do)
        return found.do if found else do

    def kind(self, block: str) -> str:
        """A block's kind: leisure, duty or ""."""
        found = self.deck.blocks.get(block)
        return found.kind if found else ""

    def state(self, do: str) -> str:
        """The state an object shows while an activity is done with it."""
        found = self.activities.get(do)
        return (found.state or "in use") if found else "in use"

    def place(self, address: str) -> str:
        """How people call the place of an address: "the bakery"."""
        return self._town.place_name(address)

    def room(self, address: str) -> str:
        """The room and place of an address: "room one at Number Nine"; only the place if it is no home."""
        return self._town.whereabouts(address).removeprefix("in ").removeprefix("at ")

    def at(self, address: str) -> str:
        """Where an address is, as an adverbial: "at the bakery", "in the kitchen at Rowan House"."""
        return self._town.whereabouts(address)

    def deed(self, do: str, answer: str, to: str) -> str:
        """An exchange and its answer as a past clause: "had it out with Vera, who gave in", "came to Vera to have it
        out, and was turned away".
        """
        exchange = self.drama.exchanges.get(do)
        if exchange is None:
            return do
        if answer == AWAY:
            return self.unheard(do, to) or f"came to {to} {exchange.says}, and was turned away"
        took = exchange.took.get(answer, "")
        return exchange.did.format(to=to) + (f", who {took}" if took else "")

    def unheard(self, do: str, to: str) -> str:
        """The past clause of an exchange done without the other hearing: "left what was owed with Vera, without a
        word"; "" if it needs a hearer.
        """
        exchange = self.drama.exchanges.get(do)
        return exchange.unheard.format(to=to) if exchange is not None else ""

    def sent_away(self, do: str, who: str) -> str:
        """A refused exchange, told of the one who refused: "had no word for Mara when Mara came to have it out"."""
        exchange = self.drama.exchanges.get(do)
        left, came = self.unheard(do, "me"), _OF_OTHER.sub(_own, exchange.says) if exchange is not None else do
        return f"had no word for {who}, and {who} {left}" if left else f"had no word for {who} when {who} came {came}"
