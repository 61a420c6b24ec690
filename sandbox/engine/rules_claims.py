"""Rules for claims: they are between people of the cast, and none contradicts another, or a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sandbox.core.faults import in_quotes
from sandbox.core.fields import Finding, duplicates, hanging, slots, unknown_words
from sandbox.drama.new_pressures import ADULT, LOVE
from sandbox.engine.references import KnownNames, unknown_names
from sandbox.engine.rules_drama import ANYWHERE, effects, speaks
from sandbox.engine.scenario import Scenario
from sandbox.people.beliefs import ROW
from sandbox.people.claim_handlers import ALLY, COUPLE, EMPLOYS, LODGES, ROLE
from sandbox.people.claim_model import (
    ENDS,
    ENTAILS,
    FELLOW,
    OPEN,
    Breach,
    Claim,
    ClaimChanges,
    ClaimDeck,
    ClaimKind,
    Making,
)
from sandbox.people.persona import HABITS, Persona, Pressure
from sandbox.people.pressure_beginnings import BORN, Child
from sandbox.people.pressure_deck import VERDICTS, DramaDeck, Effect, Ending
from sandbox.town.plan import CONTEST, OUTCOMES, PLACED, Breaks, Decision, Makes

SLOTS = ("a", "b", "terms", "where")


def of_claims(deck: ClaimDeck, cast: Sequence[Persona]) -> Iterator[Finding]:
    """Faults of claims."""
    for kind in deck.kinds.values():
        for name in ("says", "made", "broken"):
            yield from slots(kind, name, (getattr(kind, name),), SLOTS)
        yield from slots(kind, "leaves", kind.leaves.values(), SLOTS)
    for name, kind in deck.kinds.items():
        yield from _entailed(name, kind)
    held = [c.terms for c in deck.claims if c.kind == ROLE]
    yield from unknown_words(deck, "offices", deck.offices, held, "office")
    yield from unknown_words(deck, "titles", deck.titles, held, "office", at_key=True)
    yield from duplicates(deck.claims)
    own = {p.id: p for p in cast}
    taken: dict[tuple[str, str], Claim] = {}
    for c in deck.claims:
        yield from of_claim(c, deck)
        if c.kind in deck.kinds and deck.kinds[c.kind].one:
            yield from _alone(c, deck.kinds[c.kind].one, taken)
        yield from _as_filed(c, own)
    for p in cast:
        yield from _presumes(deck, p)


def _entailed(name: str, kind: ClaimKind) -> Iterator[Finding]:
    """What a kind entails is what a rule reads of it, and can hold: nobody has two homes, no office two holders."""
    for what in kind.entails:
        reads, one = ENTAILS[what]
        if name != reads:
            nobody = f"only {reads} entails {what}, and no rule reads it of {name}; take it out"
            yield Finding(kind, "entails", nobody, (what,))
        elif one and kind.one != one:
            two = f"somebody could have two at once, and {what} is one; write `one: {one}`, or take {what} out"
            yield Finding(kind, "entails", two, (what,), hangs=((kind, "one"),))


def unheeded(scenario: Scenario) -> Iterator[Finding]:
    """Kinds of claim that nothing reads: whether such a claim holds or not makes no difference to anybody."""
    deck, drama = scenario.claims, scenario.drama
    acts = {a.claim for a in scenario.deck.activities} | {use.terms for use in deck.uses}
    changing = [*_changing(drama, scenario.pressures)]
    made: list[Claim | Making | Makes] = [*deck.claims, *(m for x in changing for m in x.makes)]
    made += [x for c in scenario.calendar if c.decides for found in c.decides.makes.values() for x in found]
    read = {x for pair in ((b.claim, b.office) for b in deck.breaches) for x in pair} | {*drama.plans}
    read |= {x for e in drama.exchanges.values() for x in (*e.needs, *e.bars)} | {m.kind for m in drama.marks}
    read |= {x.kind for p in scenario.pressures for x in p.hangs_on} | {x.kind for x in made if x.terms in acts - {""}}
    read |= {reads for reads, _ in ENTAILS.values()} | {ALLY}
    for name, kind in deck.kinds.items():
        used = kind.entails or kind.over or kind.stands or kind.evenings or kind.moves or kind.private
        if name not in read and not used:
            nobody = f"no rule reads whether a claim of the kind {name} holds"
            mend = "give it `entails`, `over` or `stands`, a breach, or a use; or take it out"
            yield Finding(kind, "", f"{nobody}; {mend}")


def _presumes(deck: ClaimDeck, persona: Persona) -> Iterator[Finding]:
    """What somebody says only with a claim is said by them, and the claim is one that they begin with."""
    p = persona
    own = [
        *(x for key in HABITS for x in getattr(p.speech, key)),
        p.catchphrase,
        *(x for say in p.own.values() for x in say),
    ]
    for held in p.presumes:
        mine = [c.terms for c in deck.claims if c.kind == held.kind and p.id in c.people]
        mine += [p.job] if held.kind == EMPLOYS else []
        odd = [*unknown_words(held, "says", held.says, own, "thing that they say")]
        if held.terms and held.kind in deck.kinds:
            odd += unknown_words(held, "terms", (held.terms,), mine, "claim of theirs")
        yield from (x._replace(written=True) for x in odd)


def of_claim(claim: Claim, deck: ClaimDeck) -> Iterator[Finding]:
    """Faults of one claim by itself."""
    if claim.kind not in deck.kinds:
        return
    kind = deck.kinds[claim.kind]
    yield from _somebody(claim, kind, claim.kind)
    if claim.a and claim.a == claim.b:
        yield Finding(claim, "b", "is the same person as a; name somebody else")
    if claim.known_by and not kind.private:
        yield Finding(claim, "known_by", f"all know of a claim of the kind {claim.kind}; take it out")
    if "{terms}" in kind.says and not claim.terms:
        yield Finding(
            claim, "terms", f'is empty, and "{kind.says}" tells it; write it', hangs=((claim, "a"), (claim, "b"))
        )


def kinds_of(deck: ClaimDeck) -> KnownNames:
    """The kinds of claims of a deck."""
    return KnownNames("kind of claim", deck.kinds, hangs=((deck, "kinds"),))


def _somebody(x: Claim | Makes, kind: ClaimKind, called: str) -> Iterator[Finding]:
    """The ends of a claim that its kind needs are filled."""
    for end in kind.needs:
        if not getattr(x, end):
            nobody = f"is nobody; a claim of the kind {called} needs somebody here"
            yield Finding(x, end, nobody, hangs=((kind, "needs"),))


def _alone(claim: Claim, one: str, taken: dict[tuple[str, str], Claim]) -> Iterator[Finding]:
    """A kind that allows one claim per person has no second one."""
    key = (claim.kind, getattr(claim, one).casefold())
    first = taken.setdefault(key, claim)
    if first is not claim and key[1]:
        only = f'there can be one claim of the kind {claim.kind} for "{key[1]}"'
        yield Finding(claim, one, f'contradicts "{first.id}": {only}; keep one')


def _as_filed(claim: Claim, own: dict[str, Persona]) -> Iterator[Finding]:
    """Where somebody lives and works at the beginning agrees with their file."""
    p = own.get(claim.a if claim.kind == LODGES else claim.b if claim.kind == EMPLOYS else "")
    filed = "" if p is None else p.home if claim.kind == LODGES else p.work
    if p is not None and claim.where != filed:
        says = f'"{filed}"' if filed else "no place of work"
        yield Finding(claim, "where", f"the file of {p.id} says {says}; leave it out here, or change it there")


def of_love(deck: ClaimDeck, pressures: Iterable[Pressure], cast: Iterable[Persona]) -> Iterator[Finding]:
    """Couples and love are between adults only."""
    young = {p.id: p.age for p in cast if p.age < ADULT}
    loves: list[tuple[Claim | Pressure, str]] = [(c, field) for c in deck.claims if c.kind == COUPLE for field in ENDS]
    loves += [(x, field) for x in pressures if x.kind == LOVE for field in ("holder", "about")]
    for thing, field in loves:
        if (age := young.get(getattr(thing, field))) is not None:
            yield Finding(
                thing, field, f"is {age}; love is for people from {ADULT} on: name somebody else", written=True
            )


def of_breaches(deck: ClaimDeck, drama: DramaDeck) -> Iterator[Finding]:
    """Breaches refer to existing claims and deeds, and have consequences."""
    known = {
        "claim": kinds_of(deck),
        "kind": KnownNames("kind of pressure", drama.kinds),
        "child": KnownNames("child", drama.children),
    }
    for x in deck.breaches if drama.kinds else ():
        yield from unknown_names(x, known)
        if x.fact in drama.kinds:
            yield from unknown_words(
                x, "how", (how for how in x.how if how not in (OPEN, ROW)), drama.kinds[x.fact].ends, "ending"
            )
        if x.child in drama.children:
            yield from speaks(x, "child", x.child, drama.children[x.child], {*BORN, *ANYWHERE})
        yield from _fires(x, deck)
        for field in ("stakes", "ends"):
            yield from slots(x, field, (getattr(x, field),), ("breaker", "third", "terms"))


def _fires(breach: Breach, deck: ClaimDeck) -> Iterator[Finding]:
    """A breach does not ask for things that exclude each other."""
    ends = [how for how in breach.how if how not in (OPEN, ROW)]
    if breach.fact and breach.bad and ends:
        yield Finding(breach, "bad", f"{in_quotes(ends[0])} is an ending, and nobody makes one worse; take it out here")
    if (breach.with_ == FELLOW) is not bool(breach.office):
        yield Finding(
            breach, "office", "is there for a fellow, and a fellow has one; give both, or neither", written=True
        )
    if not breach.fact and breach.claim in deck.kinds and deck.kinds[breach.claim].one != "terms":
        passes = f"a {breach.claim} passes from nobody to another (it has no `one: terms`)"
        yield Finding(breach, "fact", f"is left out, and {passes}; name a kind of pressure")


def never(
    deck: ClaimDeck, drama: DramaDeck, pressures: Collection[Pressure], decisions: Collection[Decision]
) -> Iterator[Finding]:
    """Warnings about rules that need claims of a kind that can never exist here."""
    changing = [*_changing(drama, pressures)]
    can = {c.kind for c in deck.claims} | {m.kind for x in changing for m in x.makes} | {LODGES, EMPLOYS}
    can |= {m.kind for d in decisions for found in d.makes.values() for m in found}
    waiting: list[tuple[object, str, tuple[str, ...]]] = [(x, "claim", (x.claim,)) for x in deck.breaches]
    waiting += [(x, "office", (x.office,)) for x in deck.breaches if x.office]
    waiting += [(x, "needs", x.needs) for x in drama.exchanges.values() if x.needs]
    waiting += [(b, "kind", (b.kind,)) for x in changing for b in x.breaks]
    for thing, field, kinds in waiting:
        if can.isdisjoint(kinds):
            none = f"there can be no {' or '.join(kinds)}: the world begins with none, and nothing makes one"
            yield Finding(thing, field, f"{none}; add one, or take this out", level="warning")


def of_deeds(deck: ClaimDeck, drama: DramaDeck, pressures: Collection[Pressure]) -> Iterator[Finding]:
    """What pressures hang on can be, and the drama deck and pressures change claims by endings that there are."""
    terms = {(c.kind, c.terms) for c in deck.claims}
    terms |= {(m.kind, m.terms) for p in pressures for changes in p.ends.values() for m in changes.makes}
    for p in pressures:
        for hinge in p.hangs_on:
            if hinge.terms and hinge.kind in deck.kinds:
                among = {of for kind, of in terms if kind == hinge.kind}
                yield from unknown_words(hinge, "terms", (hinge.terms,), among, "claim of that kind")
    if not deck.kinds:
        return
    for one in _ending(drama, pressures):
        if one.kind in drama.kinds:
            kind = drama.kinds[one.kind]
            yield from hanging(unknown_words(one, "ends", one.ends, kind.ends, "ending", at_key=True), (kind, "ends"))
    for changes in _changing(drama, pressures):
        for making in changes.makes:
            yield from slots(making, "terms", (making.terms,), ("stakes",))


def _ending(drama: DramaDeck, pressures: Iterable[Pressure]) -> tuple[Pressure | Child, ...]:
    """All that has endings of its own which may make and break claims."""
    return (*pressures, *drama.children.values())


def _changing(drama: DramaDeck, pressures: Iterable[Pressure]) -> Iterator[Effect | Ending | ClaimChanges]:
    """All that may make and break claims, except decisions."""
    for kind in drama.kinds.values():
        yield from effects(kind)
        yield from kind.ends.values()
    for step in drama.steps.values():
        yield from (ClaimChanges(means.makes) for means in step.by)
    for showing in drama.showdowns.values():
        yield showing.sides
        yield from map(showing.effect, VERDICTS)
    for one in _ending(drama, pressures):
        yield from one.ends.values()


# ---- what is decided, and what places are by it


def of_outcomes(deck: ClaimDeck, decisions: Iterable[Decision], cast: Collection[str]) -> Iterator[Finding]:
    """Decisions make and break claims between people there are, if the world has any claims."""
    for d in decisions if deck.kinds else ():
        placed = [part for part in PLACED if part != "judge" or d.judge] if d.kind == CONTEST else []
        for field in ("makes", "breaks"):
            yield from unknown_words(d, field, getattr(d, field), OUTCOMES[d.kind], "outcome", at_key=True)
        changes: list[Makes | Breaks] = [x for of in (d.makes, d.breaks) for found in of.values() for x in found]
        for x in changes:
            for end in ENDS:
                named = [who for who in (getattr(x, end),) if who]
                yield from unknown_words(x, end, named, [*placed, *cast], "person of the cast")
        for made in (x for found in d.makes.values() for x in found):
            yield from slots(made, "terms", (made.terms,), ("stakes",))
            if made.kind in deck.kinds:
                yield from _somebody(made, deck.kinds[made.kind], made.kind)


def terms_of(scenario: Scenario) -> set[str]:
    """The terms of all claims that may come to exist in a world."""
    decisions = (c.decides for c in scenario.calendar if c.decides is not None)
    made = [x.terms for changes in _changing(scenario.drama, scenario.pressures) for x in changes.makes]
    made += [x.terms for d in decisions for found in d.makes.values() for x in found]
    return {*made, *(c.terms for c in scenario.claims.claims)} - {""}
