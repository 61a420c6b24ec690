"""What must hold of claims: they are between people of the cast, and none contradicts another, or a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sandbox.core.faults import quoted
from sandbox.core.fields import Odd, known, once, slots
from sandbox.drama.births import ADULT, LOVE
from sandbox.engine.rules_drama import ANYWHERE, BORN, needs
from sandbox.people.beliefs import ROW
from sandbox.people.claims.apply import COUPLE, EMPLOYS, LODGES
from sandbox.people.claims.model import ENDS, FELLOW, OPEN, Breach, Breaking, Changes, Claim, ClaimDeck, Making
from sandbox.people.persona import Persona, Pressure
from sandbox.people.pressures.deck import Drama, Effect, Ending
from sandbox.town.addresses import Addresses

SLOTS = ("a", "b", "terms", "where")


def of_claims(
    deck: ClaimDeck, cast: Sequence[Persona], people: Collection[str], places: Addresses, drama: Drama
) -> Iterator[Odd]:
    """What is odd in claims. people: all of the cast, also those whose files have told nothing."""
    for kind in deck.kinds.values():
        for name in ("says", "made", "broken"):
            yield from slots(kind, name, (getattr(kind, name),), SLOTS)
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


def of_love(deck: ClaimDeck, pressures: Iterable[Pressure], cast: Iterable[Persona]) -> Iterator[Odd]:
    """Love is for grown-ups."""
    young = {p.id: p.age for p in cast if p.age < ADULT}
    loves: list[tuple[Claim | Pressure, str]] = [(c, field) for c in deck.claims if c.kind == COUPLE for field in ENDS]
    loves += [(x, field) for x in pressures if x.kind == LOVE for field in ("holder", "about")]
    for thing, field in loves:
        if (age := young.get(getattr(thing, field))) is not None:
            yield Odd(thing, field, f"is {age}; love is for people from {ADULT} on: name somebody else", written=True)


def of_breaches(deck: ClaimDeck, drama: Drama) -> Iterator[Odd]:
    """Breaches are of claims and deeds that there are, and something comes of them."""
    for x in deck.breaches if drama.kinds else ():
        yield from known(x, "claim", (x.claim,), deck.kinds, "kind of claim")
        yield from known(x, "fact", [x.fact] if x.fact else (), drama.kinds, "kind of pressure")
        if x.fact in drama.kinds:
            yield from known(
                x, "how", (how for how in x.how if how not in (OPEN, ROW)), drama.kinds[x.fact].ends, "ending"
            )
        yield from known(x, "office", [x.office] if x.office else (), deck.kinds, "kind of claim")
        yield from known(x, "child", (x.child,), drama.children, "child")
        if x.child in drama.children and (lacks := needs(drama.children[x.child]) - {*BORN, *ANYWHERE}):
            speaks = f"the child {quoted(x.child)} speaks of {', '.join(sorted(lacks))}; there is none here"
            yield Odd(x, "child", speaks)
        yield from _fires(x, deck)
        for field in ("stakes", "ends"):
            yield from slots(x, field, (getattr(x, field),), ("breaker", "third", "terms"))


def _fires(x: Breach, deck: ClaimDeck) -> Iterator[Odd]:
    """A breach asks for what can be so together."""
    ends = [how for how in x.how if how not in (OPEN, ROW)]
    if x.fact and x.bad and ends:
        yield Odd(x, "bad", f"{quoted(ends[0])} is an ending, and nobody makes one worse; take it out here")
    if (x.with_ == FELLOW) is not bool(x.office):
        yield Odd(x, "office", "is there for a fellow, and a fellow has one; give both, or neither", written=True)
    if not x.fact and x.claim in deck.kinds and deck.kinds[x.claim].one != "terms":
        passes = f"a {x.claim} passes from nobody to another (it has no `one: terms`)"
        yield Odd(x, "fact", f"is left out, and {passes}; name a kind of pressure")


def never(deck: ClaimDeck, drama: Drama, pressures: Iterable[Pressure]) -> Iterator[Odd]:
    """What waits for claims of kinds of which there can be none."""
    changing: list[Effect | Ending | Changes] = [*_changing(drama), *(x for p in pressures for x in p.ends.values())]
    can = {c.kind for c in deck.claims} | {m.kind for x in changing for m in x.makes} | {LODGES, EMPLOYS}
    waiting: list[tuple[object, str, tuple[str, ...]]] = [(x, "claim", (x.claim,)) for x in deck.breaches]
    waiting += [(x, "office", (x.office,)) for x in deck.breaches if x.office]
    waiting += [(x, "needs", x.needs) for x in drama.exchanges.values() if x.needs]
    waiting += [(b, "kind", (b.kind,)) for x in changing for b in x.breaks]
    for thing, field, kinds in waiting:
        if can.isdisjoint(kinds):
            none = f"there can be no {' or '.join(kinds)}: the world begins with none, and nothing makes one"
            yield Odd(thing, field, f"{none}; add one, or take this out", level="warning")


def _changing(drama: Drama) -> Iterator[Effect | Ending]:
    """All of a deck that may make and break claims."""
    for kind in drama.kinds.values():
        for way in kind.ways:
            yield from (way.accept, way.dodge, way.refuse, way.lie)
        yield kind.late
        yield from kind.ends.values()


def of_deeds(deck: ClaimDeck, drama: Drama, pressures: Iterable[Pressure], places: Addresses) -> Iterator[Odd]:
    """What a deck of drama and pressures say of claims is of kinds that there are, in a world that has any."""
    if not deck.kinds:
        return
    for exchange in drama.exchanges.values():
        yield from known(exchange, "needs", exchange.needs, deck.kinds, "kind of claim")
        yield from known(exchange, "bars", exchange.bars, deck.kinds, "kind of claim")
    for x in _changing(drama):
        yield from _changes(x, deck, places)
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
