"""Rules for the facts of a matter: statements that can be said, of people there are, known to somebody."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, slots
from sandbox.people.fact_forms import parse_statement
from sandbox.people.matter_model import DEED, FEWEST, KNOWERS, MOST, OFFER, SETTLES, MatterFact
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import Child

OF_A_CHILD = ("holder", "about", "third", "place", "stakes", "amount")


def of_facts(thing: Pressure | Child, cast: Collection[str]) -> Iterator[Finding]:
    """Faults of the facts of a matter of the cast, or of a child of the deck. cast: the people it may name."""
    facts = thing.facts
    if not facts:
        return
    if not FEWEST <= len(facts) <= MOST:
        yield Finding(thing, "facts", f"holds {len(facts)}; a matter has from {FEWEST} to {MOST}, or none")
    if DEED not in facts:
        yield Finding(
            thing, "facts", 'no "deed"; say what was done, or is so: `deed: "{holder} [take] {about}\'s boat"`'
        )
    for key, fact in facts.items():
        yield from _statements(thing, key, fact, cast)
        yield from _knowers(thing, key, fact, cast)


def _statements(thing: Pressure | Child, key: str, fact: MatterFact, cast: Collection[str]) -> Iterator[Finding]:
    if not fact.says:
        yield Finding(thing, "facts", "holds no text; add at least one", (key,))
    allowed = OF_A_CHILD if isinstance(thing, Child) else ("holder", *(("about",) if thing.about else ()), *cast)
    for text in fact.says:
        yield from slots(thing, "facts", (text,), allowed, (key,))
        try:
            statement = parse_statement(text)
        except ValueError as error:
            yield Finding(thing, "facts", str(error), (key, text))
            continue
        if key in (OFFER, SETTLES) and not statement.subject.startswith("{"):
            yield Finding(thing, "facts", "is nobody's deed; begin with who does it, for example {holder}", (key, text))


def _knowers(thing: Pressure | Child, key: str, fact: MatterFact, cast: Collection[str]) -> Iterator[Finding]:
    for who in fact.known:
        if who not in (*KNOWERS, *cast):
            known = ", ".join(KNOWERS)
            near = suggestion(who, (*KNOWERS, *cast)) or f"; known: {known}, or somebody of the cast"
            yield Finding(thing, "facts", f"no {in_quotes(who)} who could know it{near}", (key, "known", who))
    if isinstance(thing, Child) or not fact.known:
        return
    there = {"holder", "town", *cast, *(("about",) if thing.about else ()), *(("knowers",) if thing.known_by else ())}
    if not there.intersection(fact.known):
        mend = "name somebody of the cast, or holder, about or town"
        yield Finding(thing, "facts", f"nobody can know it: there is no such person here; {mend}", (key, "known"))
