"""What must hold of claims: they are between people of the cast, and none contradicts another, or a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sandbox.core.fields import Odd, known, once, slots
from sandbox.people.activities import Activity
from sandbox.people.claims.apply import EMPLOYS, LODGES
from sandbox.people.claims.model import ENDS, OPEN, Breaking, Changes, Claim, ClaimDeck, ClaimKind, Making, Use
from sandbox.people.persona import Persona, Pressure
from sandbox.people.pressures.deck import Drama, Effect, Ending
from sandbox.town.addresses import Addresses
from sandbox.town.plan import CONTEST, OUTCOMES, PLACED, Breaks, Decision, Makes

SLOTS = ("a", "b", "terms", "where")


def of_claims(
    deck: ClaimDeck, cast: Sequence[Persona], people: Collection[str], places: Addresses, drama: Drama
) -> Iterator[Odd]:
    """What is odd in claims. people: all of the cast, also those whose files have told nothing."""
    for kind in deck.kinds.values():
        for name in ("says", "made", "broken"):
            yield from slots(kind, name, (getattr(kind, name),), SLOTS)
    yield from _breaches(deck, drama)
    yield from once(deck.claims)
    own = {p.id: p for p in cast}
    taken: dict[tuple[str, str], Claim] = {}
    for c in deck.claims:
        yield from known(c, "kind", (c.kind,), deck.kinds, "kind of claim")
        for end in ENDS:
            yield from known(c, end, [x for x in (getattr(c, end),) if x], people, "person of the cast")
        yield from known(c, "known_by", c.known_by, people, "person of the cast")
        if wrong := places.wrong(c.where, (), False) if c.where else "":
            yield Odd(c, "where", wrong)
        if c.kind not in deck.kinds:
            continue
        kind = deck.kinds[c.kind]
        yield from _somebody(c, kind, c.kind)
        if c.a and c.a == c.b:
            yield Odd(c, "b", "is the same person as a; name somebody else")
        if c.known_by and not kind.private:
            yield Odd(c, "known_by", f"all know of a claim of the kind {c.kind}; take it out")
        if "{terms}" in kind.says and not c.terms:
            yield Odd(c, "terms", f'is empty, and "{kind.says}" tells it; write it')
        if kind.one:
            yield from _alone(c, kind.one, taken)
        yield from _as_filed(c, own)


def _somebody(x: Claim | Makes, kind: ClaimKind, called: str) -> Iterator[Odd]:
    """The ends of a claim that must be somebody are."""
    for end in kind.needs:
        if not getattr(x, end):
            yield Odd(x, end, f"is nobody; a claim of the kind {called} needs somebody here")


def _alone(c: Claim, one: str, taken: dict[tuple[str, str], Claim]) -> Iterator[Odd]:
    """Of what there may be one, there is one."""
    key = (c.kind, getattr(c, one).casefold())
    first = taken.setdefault(key, c)
    if first is not c and key[1]:
        only = f'there can be one claim of the kind {c.kind} for "{key[1]}"'
        yield Odd(c, one, f'contradicts "{first.id}": {only}; keep one')


def _as_filed(c: Claim, own: dict[str, Persona]) -> Iterator[Odd]:
    """Where somebody lives and works as the world begins is what their file says."""
    p = own.get(c.a if c.kind == LODGES else c.b if c.kind == EMPLOYS else "")
    filed = "" if p is None else p.home if c.kind == LODGES else p.work
    if p is not None and c.where != filed:
        says = f'"{filed}"' if filed else "no place of work"
        yield Odd(c, "where", f"the file of {p.id} says {says}; leave it out here, or change it there")


def _breaches(deck: ClaimDeck, drama: Drama) -> Iterator[Odd]:
    """Breaches are of claims and deeds that there are, and something comes of them."""
    for x in deck.breaches if drama.kinds else ():
        yield from known(x, "claim", (x.claim,), deck.kinds, "kind of claim")
        yield from known(x, "fact", (x.fact,), drama.kinds, "kind of pressure")
        if x.fact in drama.kinds:
            yield from known(x, "how", (how for how in x.how if how != OPEN), drama.kinds[x.fact].ends, "ending")
        yield from known(x, "child", (x.child,), drama.children, "child")
        yield from slots(x, "stakes", (x.stakes,), ("breaker", "third"))


def of_deeds(deck: ClaimDeck, drama: Drama, pressures: Iterable[Pressure], places: Addresses) -> Iterator[Odd]:
    """What a deck of drama and pressures say of claims is of kinds that there are, in a world that has any."""
    if not deck.kinds:
        return
    for exchange in drama.exchanges.values():
        yield from known(exchange, "needs", exchange.needs, deck.kinds, "kind of claim")
        yield from known(exchange, "bars", exchange.bars, deck.kinds, "kind of claim")
    for p in pressures:
        if p.kind in drama.kinds:
            yield from known(p, "ends", p.ends, drama.kinds[p.kind].ends, "ending", at_key=True)
    for changes in _changing(drama, pressures):
        yield from _changes(changes, deck, places)


def _changing(drama: Drama, pressures: Iterable[Pressure]) -> Iterator[Effect | Ending | Changes]:
    """All that may make and break claims, but what is decided."""
    for kind in drama.kinds.values():
        for way in kind.ways:
            yield from (way.accept, way.dodge, way.refuse, way.lie)
        yield kind.late
        yield from kind.ends.values()
    for p in pressures:
        yield from p.ends.values()


def _changes(x: Effect | Ending | Changes, deck: ClaimDeck, places: Addresses) -> Iterator[Odd]:
    named: list[Making | Breaking] = [*x.makes, *x.breaks]
    for one in named:
        yield from known(one, "kind", (one.kind,), deck.kinds, "kind of claim")
    for making in x.makes:
        yield from slots(making, "terms", (making.terms,), ("stakes",))
        if wrong := places.wrong(making.where, (), False) if making.where else "":
            yield Odd(making, "where", wrong)


# ---- what is decided, and what places are by it


def of_outcomes(
    deck: ClaimDeck, decisions: Iterable[Decision], cast: Collection[str], places: Addresses
) -> Iterator[Odd]:
    """What decisions make and break is of kinds, people and places that there are, in a world that has any claims."""
    for d in decisions if deck.kinds else ():
        placed = [part for part in PLACED if part != "judge" or d.judge] if d.kind == CONTEST else []
        for field in ("makes", "breaks"):
            yield from known(d, field, getattr(d, field), OUTCOMES[d.kind], "outcome", at_key=True)
        changes: list[Makes | Breaks] = [x for of in (d.makes, d.breaks) for found in of.values() for x in found]
        for x in changes:
            yield from known(x, "kind", (x.kind,), deck.kinds, "kind of claim")
            for end in ENDS:
                named = [who for who in (getattr(x, end),) if who]
                yield from known(x, end, named, [*placed, *cast], "person of the cast")
        for made in (x for found in d.makes.values() for x in found):
            yield from slots(made, "terms", (made.terms,), ("stakes",))
            if wrong := places.wrong(made.where, (), False) if made.where else "":
                yield Odd(made, "where", wrong)
            if made.kind in deck.kinds:
                yield from _somebody(made, deck.kinds[made.kind], made.kind)


def of_uses(
    deck: ClaimDeck,
    drama: Drama,
    pressures: Iterable[Pressure],
    decisions: Iterable[Decision],
    activities: Iterable[Activity],
    places: Addresses,
) -> Iterator[Odd]:
    """What places are, and what there is to do, is by claims that may come to stand."""
    made = [x.terms for changes in _changing(drama, pressures) for x in changes.makes]
    made += [x.terms for d in decisions for found in d.makes.values() for x in found]
    terms = {*made, *(c.terms for c in deck.claims)} - {""}
    for use in deck.uses:
        for place in use.places:
            if wrong := places.wrong(place):
                yield Odd(use, "places", wrong, (place,))
    asked: list[tuple[Use | Activity, str, str]] = [(use, "terms", use.terms) for use in deck.uses]
    asked += [(a, "claim", a.claim) for a in activities if a.claim and deck.kinds]
    for thing, field, word in asked:  # a world lives with what never comes to stand
        for odd in known(thing, field, (word,), terms, "claim of these terms:"):
            yield odd._replace(written=True)
