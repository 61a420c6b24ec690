"""What must hold of claims: they are between people of the cast, and none contradicts another, or a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sandbox.core.fields import Odd, known, once, slots
from sandbox.people.claims.apply import EMPLOYS, LODGES
from sandbox.people.claims.model import OPEN, Breaking, Changes, Claim, ClaimDeck, Making
from sandbox.people.persona import Persona, Pressure
from sandbox.people.pressures.deck import VERDICTS, Drama, Effect, Ending
from sandbox.town.addresses import Addresses

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
        for end in ("a", "b"):
            yield from known(c, end, [x for x in (getattr(c, end),) if x], people, "person of the cast")
        yield from known(c, "known_by", c.known_by, people, "person of the cast")
        if wrong := places.wrong(c.where, (), False) if c.where else "":
            yield Odd(c, "where", wrong)
        if c.kind not in deck.kinds:
            continue
        kind = deck.kinds[c.kind]
        for end in kind.needs:
            if not getattr(c, end):
                yield Odd(c, end, f"is nobody; a claim of the kind {c.kind} needs somebody here")
        if c.a and c.a == c.b:
            yield Odd(c, "b", "is the same person as a; name somebody else")
        if c.known_by and not kind.private:
            yield Odd(c, "known_by", f"all know of a claim of the kind {c.kind}; take it out")
        if "{terms}" in kind.says and not c.terms:
            yield Odd(c, "terms", f'is empty, and "{kind.says}" tells it; write it')
        if kind.one:
            yield from _alone(c, kind.one, taken)
        yield from _as_filed(c, own)


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
    for kind in drama.kinds.values():
        effects = [e for way in kind.ways for e in (way.accept, way.dodge, way.refuse, way.lie)]
        changing: list[Effect | Ending] = [*effects, kind.late, *kind.ends.values()]
        for x in changing:
            yield from _changes(x, deck, places)
    for showing in drama.showdowns.values():
        yield from _changes(showing.sides, deck, places)
        for verdict in VERDICTS:
            yield from _changes(showing.effect(verdict), deck, places)
    for p in pressures:
        if p.kind in drama.kinds:
            yield from known(p, "ends", p.ends, drama.kinds[p.kind].ends, "ending", at_key=True)
        for changes in p.ends.values():
            yield from _changes(changes, deck, places)


def _changes(x: Effect | Ending | Changes, deck: ClaimDeck, places: Addresses) -> Iterator[Odd]:
    named: list[Making | Breaking] = [*x.makes, *x.breaks]
    for one in named:
        yield from known(one, "kind", (one.kind,), deck.kinds, "kind of claim")
    for making in x.makes:
        yield from slots(making, "terms", (making.terms,), ("stakes",))
        if wrong := places.wrong(making.where, (), False) if making.where else "":
            yield Odd(making, "where", wrong)
