"""Rules between the parts of a world, each written once, over a scenario: people live somewhere, their blocks are in
the deck, pressures are between people of the cast. Ranges of single fields are in their declarations (core/fields.py).
The loader reports the findings with file and line; the check of a save refuses them, except those with `written=True`,
which apply to files only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sandbox.core.clock import MINUTE, parse_date
from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, duplicates, slots, unknown_words
from sandbox.engine.rules_claims import of_claim, of_claims, of_deeds, of_love, of_outcomes, of_uses
from sandbox.engine.rules_drama import nameable, speaks
from sandbox.engine.rules_goals import of_goals
from sandbox.engine.rules_lines import of_own
from sandbox.engine.rules_people import block_of, lies, of_guest, of_names, of_person
from sandbox.engine.rules_rounds import of_truth
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_handlers import COUPLE, EMPLOYS
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.guest_handlers import OWN
from sandbox.people.handbook import Activity, BlockKind, Deck
from sandbox.people.persona import BigFive, Persona, Pressure
from sandbox.people.pressure_beginnings import BORN
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_rules import SETTLED
from sandbox.people.purse import DEFAULT, Money
from sandbox.people.using import shared_out
from sandbox.play.model import Newcomer
from sandbox.town.addresses import Addresses
from sandbox.town.grid import TownMap
from sandbox.town.plan import CONTEST, TAGS, VOTE, Decision, FloorPlan, Occasion

SIDES = ("yes", "no")
# kind of decision -> its sentences: key in a file, key in a decision, slots.
_TALLY = ("yes", "no", "last")
SENTENCES: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    VOTE: (("yes", "yes", _TALLY), ("no", "no", _TALLY), ("tie", "tie", _TALLY), ("off", "off", ())),
    CONTEST: (("says", "won", ("winner", "second", "prize", "judge")), ("off", "off", ())),
}


def check_world(scenario: Scenario, places: Addresses, unread: Collection[str] = ()) -> Iterator[Finding]:
    """Faults of a world, apart from its map, drama deck and lines. places: its addresses. unread: people of its cast
    whose files could not be read.
    """
    works = {p.id: p.work for p in scenario.cast}
    cast = {*works, *unread}
    topics = None if unread else {topic for p in scenario.cast for topic in p.opinions}
    yield from of_deck(scenario.deck)
    yield from duplicates(scenario.cast)
    for p in scenario.cast:
        yield from of_person(p, cast, places, scenario.deck)
    everybody = [*scenario.cast, *(g.persona for g in scenario.guests), *(n.persona for n in scenario.newcomers)]
    yield from of_names(everybody)
    for p in everybody:
        yield from of_own(p)
    yield from unearned_wages(scenario, everybody)
    yield from unknown_words(scenario, "opening", scenario.opening, cast, "person", at_key=True)
    for who, o in scenario.opening.items():
        yield from block_of(o, "do", o.do, scenario.deck)
        yield from lies(o, "where", o.where, places, OWN)
        if o.where == "work" and not works.get(who, "unread"):
            mine = next((p for p in scenario.cast if p.id == who), None)
            mend = '"work" without a place of work; write an area'
            yield Finding(scenario, "opening", mend, (who,), True, written=True, hangs=((mine, "work"),))
    yield from duplicates(scenario.calendar)
    for c in scenario.calendar:
        yield from _occasion(c, cast, places, scenario)
        if c.decides is not None:
            yield from _decision(c, c.decides, cast, topics, scenario)
    yield from of_claims(scenario.claims, scenario.cast, cast, places, scenario.drama)
    yield from of_deeds(scenario.claims, scenario.drama, scenario.pressures, cast, places)
    decisions = [c.decides for c in scenario.calendar if c.decides is not None]
    yield from of_outcomes(scenario.claims, decisions, cast, places)
    for odd in of_uses(
        scenario.claims, scenario.drama, scenario.pressures, decisions, scenario.deck.activities, places
    ):
        yield (
            odd._replace(hangs=((scenario, "calendar"), *((c, "") for c in scenario.calendar))) if odd.written else odd
        )
    yield from of_love(scenario.claims, scenario.pressures, scenario.cast)
    yield from of_goals(scenario)
    for m in scenario.drama.marks:
        for field, blocks in (("do", (m.do,) if m.do else ()), ("at", m.at)):
            yield from unknown_words(m, field, blocks, scenario.deck.blocks, "block")
    yield from duplicates(scenario.pressures)
    for x in scenario.pressures:
        yield from _pressure(x, cast, scenario.drama)
    yield from of_truth(scenario, cast, places)
    yield from duplicates([g.persona for g in scenario.guests])
    for g in scenario.guests:
        yield from of_guest(g, cast, places, scenario.deck)
    yield from duplicates([n.persona for n in scenario.newcomers])
    for n in scenario.newcomers:
        yield from _newcomer(n, cast, places, scenario)


def _newcomer(n: Newcomer, cast: Collection[str], places: Addresses, scenario: Scenario) -> Iterator[Finding]:
    """Faults of a newcomer, who is not of the cast, and whose pressures and claims must be about themselves."""
    who = n.persona.id
    if who in cast:
        yield Finding(n.persona, "", f"{in_quotes(who)} is a newcomer, and of the cast, too; rename one")
    yield from of_person(n.persona, cast, places, scenario.deck)
    people = {*cast, who}
    for claim in n.settling.claims:
        yield from of_claim(claim, scenario.claims, people, places)
        if who not in claim.people:
            yield Finding(claim, "", f"is not about {in_quotes(who)}; write it in claims.yaml")
    yield from duplicates(n.settling.claims)
    yield from duplicates(n.settling.pressures)
    yield from of_deeds(scenario.claims, scenario.drama, n.settling.pressures, people, places)
    for x in n.settling.pressures:
        yield from _pressure(x, people, scenario.drama)
        if who not in (x.holder, x.about) and x.holder in people:
            yield Finding(x, "holder", f"is not {in_quotes(who)}, nor is it about them; write it in pressures.yaml")
        if any(x.id == y.id for y in scenario.pressures):
            yield Finding(x, "id", f"{in_quotes(x.id)} stands in pressures.yaml, too; rename one")


def of_deck(deck: Deck) -> Iterator[Finding]:
    """Faults of the blocks and activities of a world."""
    if "sleep" not in deck.blocks:
        yield Finding(deck, "blocks", 'no block "sleep"; people need one')
    for key, block in deck.blocks.items():
        if block.key != key:
            yield Finding(block, "key", f"is not {in_quotes(key)}")
    for a in deck.activities:
        yield from unknown_words(a, "blocks", a.blocks, deck.blocks, "block")
        low, high = a.minutes
        if low > high:
            yield Finding(a, "minutes", f"the shortest, {low}, is more than the longest, {high}; turn them round")
    for key in deck.feelings:
        if key not in deck.blocks:
            yield Finding(deck, "feelings", f"no block {in_quotes(key)}{suggestion(key, deck.blocks)}", (key,))


def _occasion(occasion: Occasion, cast: Collection[str], places: Addresses, scenario: Scenario) -> Iterator[Finding]:
    if occasion.to <= occasion.from_:
        yield Finding(occasion, "to", "is not later than from; write the end after the beginning")
    yield from lies(occasion, "where", occasion.where, places)
    yield from block_of(occasion, "block", occasion.block, scenario.deck)
    yield from unknown_words(occasion, "who", occasion.who, cast, "person of the cast")
    if occasion.on:
        try:
            parse_date(occasion.on)
        except ValueError as error:
            yield Finding(occasion, "on", str(error))


def _decision(
    occasion: Occasion, decision: Decision, cast: Collection[str], topics: Collection[str] | None, scenario: Scenario
) -> Iterator[Finding]:
    """Faults of a decision. topics: those that people have opinions on, None if not all are known."""
    vote, last = decision.kind == VOTE, max(0, (occasion.to - occasion.from_) // MINUTE - 1)
    if decision.at > last * MINUTE:
        yield Finding(decision, "at", f"{decision.at // MINUTE} is out of range; it must be between 0 and {last}")
    took = "voters" if vote else "entrants"
    if not decision.who:
        yield Finding(decision, took, "is empty; name at least one person", hangs=((occasion, "who"),))
    yield from unknown_words(decision, took, decision.who, cast, "person of the cast")
    for name in decision.who:
        if name in cast and name not in occasion.who:
            yield Finding(
                decision, took, f'{in_quotes(name)} does not come; add them to "who" of the occasion', (name,)
            )
    if decision.least > max(1, len(decision.who)):
        yield Finding(
            decision, "least", f"{decision.least} is out of range; it must be between 1 and {max(1, len(decision.who))}"
        )
    if vote and not occasion.on:
        mend = 'give its occasion a date, such as `on: "2025-03-06"`, in place of days'
        yield Finding(decision, "", f"a vote is taken once; {mend}", hangs=((occasion, "on"),))
    if vote and topics is not None and decision.about not in topics:
        near = suggestion(decision.about, topics) or "; write one under `opinions` of a person"
        yield Finding(decision, "about", f"nobody has an opinion on {in_quotes(decision.about)}{near}", written=True)
    sentences = SENTENCES[decision.kind]
    yield from unknown_words(decision, "", decision.says, [name for _, name, _ in sentences], "sentence")
    for key, name, allowed in sentences:
        if not decision.says.get(name) and name != "tie":
            yield Finding(decision, key, "holds no sentence; write one")
        yield from slots(decision, key, decision.says.get(name, ()), allowed)
    if decision.judge:
        yield from unknown_words(
            decision, "judge", (decision.judge,), dict.fromkeys((*decision.who, *occasion.who)), "person who comes"
        )
    if decision.trait:
        yield from unknown_words(
            decision, "skill", (decision.trait,), BigFive.__struct_fields__, "trait", path=("trait",)
        )
    for who in decision.skill:
        if who not in decision.who:
            so = f"{in_quotes(who)} is no entrant{suggestion(who, decision.who)}"
            yield Finding(decision, "skill", so, (who,), at_key=True, hangs=((decision, took), (occasion, "who")))
    for odd in _wants(decision, scenario):
        yield (
            odd._replace(hangs=((scenario, "pressures"), *((x, "id") for x in scenario.pressures)))
            if odd.at_key
            else odd
        )
    yield from _comes(decision, scenario.drama)


def _wants(decision: Decision, scenario: Scenario) -> Iterator[Finding]:
    """Faults of what pressures want from a decision."""
    kinds = {x.id: x.kind for x in scenario.pressures}
    sides, what = (SIDES, "side") if decision.kind == VOTE else (decision.who, "entrant")
    facts = {**kinds, **{x.id: "" for x in scenario.facts}}
    for field, wants in (("settles", decision.settles), ("sways", decision.sways), ("beliefs", decision.beliefs)):
        among, called = (facts, "fact") if field == "beliefs" else (kinds, "pressure")
        yield from unknown_words(decision, field, wants, among, called, at_key=True)
        for ident, want in wants.items():
            kind = kinds.get(ident, "")
            if field == "settles" and kind and kind not in SETTLED:
                words = f"a {kind} cannot be settled so; that can be {', '.join(SETTLED)}"
                yield Finding(decision, field, words, (ident,), at_key=True)
            elif want not in sides and (want or decision.kind == VOTE):
                yield from unknown_words(decision, field, (want,), sides, what, path=(ident,))


def _comes(decision: Decision, drama: DramaDeck) -> Iterator[Finding]:
    """Faults of a decision's consequences."""
    yield from unknown_words(decision, "children", decision.children, drama.children, "child")
    for name in decision.children:
        if name in drama.children:
            yield from speaks(decision, "children", name, drama.children[name], {*BORN, "place"})
    for kind, ends in SETTLED.items():
        for end in ends if kind in drama.kinds else ():
            if end not in drama.kinds[kind].ends:
                so = f"no ending {in_quotes(end)} of {kind}, and a decision may end it so; add it to the deck"
                yield Finding(decision, "", so, hangs=((drama.kinds[kind], "ends"),))


def _pressure(x: Pressure, cast: Collection[str], drama: DramaDeck) -> Iterator[Finding]:
    if drama.kinds and x.kind not in drama.kinds:
        lacks = f"the deck (drama.yaml) has no {x.kind}; add it to the kinds, or choose one of them"
        yield Finding(x, "kind", lacks, of="kinds")
    for field in ("holder", "about"):
        if getattr(x, field):
            yield from unknown_words(x, field, (getattr(x, field),), cast, "person of the cast")
    if not x.holder:
        yield Finding(x, "holder", "is nobody; name somebody of the cast")
    if x.about == x.holder:
        yield Finding(x, "about", "is the holder; name somebody else, or leave it out")
    yield from unknown_words(x, "known_by", x.known_by, cast, "person of the cast")
    if x.due is not None and x.due <= x.wakes:
        yield Finding(x, "due", "is not later than wakes; put it off, or wake the pressure earlier", written=True)
    yield from nameable(x, (x.stakes,))
    if x.drift and x.due is None:
        yield Finding(x, "drift", "only one with a due hour has it; take it out", written=True)
    if x.amount and x.kind != "debt":
        yield Finding(x, "amount", "only a debt has one; take it out", written=True, hangs=((x, "kind"),))


# ---- what a file may be told of besides


def unpriced_things(deck: Deck, money: Money | None) -> Iterator[Finding]:
    """Things that cost money but have no price. The package's decks name things of many worlds."""
    prices = money.prices if money is not None else {}
    things: tuple[BlockKind | Activity, ...] = (*deck.blocks.values(), *deck.activities) if prices else ()
    for thing in things:
        for place, paid in thing.costs.items():
            path = (place,) if place else ()
            yield from unknown_words(thing, "costs", (paid,), prices, "price of this world's money", path=path)


def unearned_wages(scenario: Scenario, everybody: Iterable[Persona]) -> Iterator[Finding]:
    """Wages of jobs that nobody has, or can get by a claim."""
    if scenario.money is None:
        return
    made = (x for c in scenario.calendar if c.decides for found in c.decides.makes.values() for x in found)
    jobs = {DEFAULT, *(p.job for p in everybody), *(c.terms for c in scenario.claims.claims if c.kind == EMPLOYS)}
    jobs |= {x.terms for x in made if x.kind == EMPLOYS}
    for odd in unknown_words(scenario.money, "wages", scenario.money.wages, jobs, "job of anybody here", at_key=True):
        yield odd._replace(level="warning")


def useless(deck: Deck, plan: FloorPlan) -> Iterator[Finding]:
    """Activities this town has no place for: notes only, since a deck serves many towns."""
    afforded = {a for g in plan.legend.values() for a in g.affords}
    rooms = {*TAGS, *(s.name for s in plan.sectors)}
    for a in deck.activities:
        if a.needs and a.needs not in afforded:
            yield Finding(a, "", f"nothing in this town affords {in_quotes(a.needs)}", level="note")
        for place in a.where:
            if place not in rooms:
                yield Finding(a, "", f"no tag and no sector of this town is called {in_quotes(place)}", level="note")


def sleepless(cast: Iterable[Persona], town: TownMap, claims: ClaimDeck) -> Iterator[Finding]:
    """Homes with fewer beds than sleepers; two share a bed only as a couple, and only a double one."""
    sleepers: dict[str, list[Persona]] = {}
    couples = [{c.a, c.b} for c in claims.claims if c.kind == COUPLE and c.b]
    for p in cast:
        sleepers.setdefault(p.home, []).append(p)
    for home, those in sleepers.items():
        beds = sum("sleep" in thing.affords for thing in town.areas[home].things) if home in town.areas else len(those)
        text = f"{in_quotes(home)}, the home of {len(those)}, has {beds} to sleep in; add a bed"
        if not beds:
            text = f"{in_quotes(home)}, the home, affords no sleep; put a bed on the map"
            yield Finding(those[-1], "name", text, level="warning")
        elif home in town.areas:
            own = shared_out(town.areas[home].beds(), [p.id for p in those], couples)
            without = [p for p in those if p.id not in own]
            if any(p.id in pair for p in without for pair in couples):
                text += ", or one with `takes: 2` for a couple"
            if without:
                yield Finding(without[-1], "name", text, level="warning")
