"""Rules between the parts of a world, each written once, over a scenario: people live somewhere, their blocks are in
the deck, pressures are between people of the cast. Ranges of single fields are in their declarations (core/fields.py).
The loader reports the findings with file and line; the check of a save refuses them, except those with `written=True`,
which apply to files only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

import msgspec

from sandbox.core.clock import MINUTE, parse_date
from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, duplicates, slots, unknown_words
from sandbox.engine.references import KnownNames, unknown_names
from sandbox.engine.rules_claims import kinds_of, of_claim, of_claims, of_deeds, of_love, of_outcomes, terms_of
from sandbox.engine.rules_drama import SHOWS, nameable, speaks
from sandbox.engine.rules_facts import of_facts
from sandbox.engine.rules_lines import of_own
from sandbox.engine.rules_people import of_guest, of_names, of_person
from sandbox.engine.rules_rounds import of_goals, of_truth
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_handlers import COUPLE, EMPLOYS, MEMBER
from sandbox.people.claim_model import ClaimDeck
from sandbox.people.guest_handlers import OWN
from sandbox.people.handbook import Deck
from sandbox.people.mark_model import DECISIONS
from sandbox.people.persona import KINDS, BigFive, Persona, Pressure
from sandbox.people.planning import shared_out
from sandbox.people.pressure_beginnings import BORN
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_rules import SETTLED
from sandbox.people.purse import DEFAULT, Money
from sandbox.play.model import Newcomer
from sandbox.society.town_types import type_fault
from sandbox.talk.lines import MOVES
from sandbox.town.grid import Addresses, TownMap
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
    known = names_of_world(scenario, cast, places)
    yield from of_deck(scenario.deck)
    yield from duplicates(scenario.cast)
    for p in scenario.cast:
        yield from of_person(p)
    everybody = [*scenario.cast, *(g.persona for g in scenario.guests), *(n.persona for n in scenario.newcomers)]
    yield from of_names(everybody)
    others = [p for p in everybody if p not in scenario.cast]
    if says := type_fault(scenario.parameters.get("society.type", ""), scenario.cast, others):
        yield Finding(scenario, "parameters", says, ("society.type",))
    for p in everybody:
        yield from of_own(p)
    yield from unearned_wages(scenario, everybody)
    yield from unknown_words(scenario, "opening", scenario.opening, cast, "person", at_key=True)
    yield from _misnamed(scenario, known)
    for who, o in scenario.opening.items():
        if o.where == "work" and not works.get(who, "unread"):
            mine = next((p for p in scenario.cast if p.id == who), None)
            mend = '"work" without a place of work; write an area'
            yield Finding(scenario, "opening", mend, (who,), True, written=True, hangs=((mine, "work"),))
    yield from duplicates(scenario.calendar)
    for c in scenario.calendar:
        yield from _occasion(c)
        groups = {x.terms for x in scenario.claims.claims if x.kind == MEMBER}
        for of in [x for x in (c, c.decides) if x is not None and x.of and scenario.claims.kinds]:
            odd = unknown_words(of, "of", (of.of,), groups, "group that anybody belongs to:")
            yield from (x._replace(written=True) for x in odd)
        if c.decides is not None:
            yield from _decision(c, c.decides, cast, topics, scenario)
    yield from of_claims(scenario.claims, scenario.cast)
    yield from of_deeds(scenario.claims, scenario.drama, scenario.pressures)
    yield from of_outcomes(scenario.claims, [c.decides for c in scenario.calendar if c.decides is not None], cast)
    yield from of_love(scenario.claims, scenario.pressures, scenario.cast)
    yield from of_goals(scenario)
    yield from duplicates(scenario.pressures)
    for x in scenario.pressures:
        yield from _pressure(x, scenario.drama)
        yield from of_facts(x, cast)
    yield from of_truth(scenario)
    yield from duplicates([g.persona for g in scenario.guests])
    for g in scenario.guests:
        yield from of_guest(g, cast)
    yield from duplicates([n.persona for n in scenario.newcomers])
    for n in scenario.newcomers:
        yield from _newcomer(n, cast, known, scenario)


def names_of_world(scenario: Scenario, people: Collection[str], places: Addresses) -> dict[str, KnownNames]:
    """What the parts of a world may name, by sort. people: its cast; places: its addresses."""
    drama, claims = scenario.drama, scenario.claims
    pressures, facts = [x.id for x in scenario.pressures], [x.id for x in scenario.facts]
    hangs = ((scenario, "pressures"), *((x, "id") for x in scenario.pressures))
    found = {
        "person": KnownNames("person", people),
        "resident": KnownNames("person of the cast", people),
        "area": KnownNames("area", wrong=places.wrong),
        "area, home or work": KnownNames("area", wrong=partial(places.wrong, words=OWN)),
        "place of a day": KnownNames("area", wrong=partial(places.wrong, words=OWN, objects=True)),
        "move": KnownNames("move", MOVES),
        "pressure": KnownNames("pressure", pressures, hangs=hangs),
        "fact": KnownNames("fact", [*pressures, *facts], hangs=hangs),
        "pressure or fact": KnownNames("pressure or fact", [*pressures, *facts]),
        "child": KnownNames("child", drama.children),
        "claim": kinds_of(claims),
    }
    if scenario.deck.blocks:
        found["block"] = KnownNames("block", scenario.deck.blocks)
        found["block of the day"] = KnownNames("block of the day", scenario.deck.blocks)
    if drama.exchanges:
        found["deed"] = KnownNames("deed", (SHOWS, *drama.exchanges))
    if claims.kinds:
        decided = ((scenario, "calendar"), *((c, "") for c in scenario.calendar))
        found["claim made"] = kinds_of(claims)
        found["outcome"] = KnownNames("kind of outcome", (*KINDS, *DECISIONS, *claims.kinds))
        found["terms"] = KnownNames("claim of these terms:", terms_of(scenario), written=True, hangs=decided)
    return found


def _misnamed(scenario: Scenario, known: dict[str, KnownNames]) -> Iterator[Finding]:
    """What the parts of a world name that there is not, apart from newcomers, breaches, and the entries of the drama
    deck among themselves.
    """
    claims = scenario.claims
    parts: list[msgspec.Struct] = [scenario.deck, *scenario.cast, *scenario.guests, *scenario.opening.values()]
    parts += [*scenario.calendar, *claims.claims, *claims.uses, *scenario.pressures, *scenario.facts]
    for part in parts:
        yield from unknown_names(part, known)
    outside = ("area", "block", "block of the day", "claim made", "outcome")
    yield from unknown_names(scenario.drama, {sort: known[sort] for sort in outside if sort in known})


def _newcomer(
    n: Newcomer, cast: Collection[str], known: dict[str, KnownNames], scenario: Scenario
) -> Iterator[Finding]:
    """Faults of a newcomer, who is not of the cast, and whose pressures and claims must be about themselves."""
    who = n.persona.id
    if who in cast:
        yield Finding(n.persona, "", f"{in_quotes(who)} is a newcomer, and of the cast, too; rename one")
    yield from unknown_names(n.persona, known)
    yield from of_person(n.persona)
    people = {*cast, who}
    theirs = {**known, "resident": KnownNames("person of the cast", people)}
    del theirs["pressure or fact"]
    yield from unknown_names(n.settling, theirs)
    for claim in n.settling.claims:
        yield from of_claim(claim, scenario.claims)
        if who not in claim.people:
            yield Finding(claim, "", f"is not about {in_quotes(who)}; write it in claims.yaml")
    yield from duplicates(n.settling.claims)
    yield from duplicates(n.settling.pressures)
    yield from of_deeds(scenario.claims, scenario.drama, n.settling.pressures)
    for x in n.settling.pressures:
        yield from _pressure(x, scenario.drama)
        yield from of_facts(x, people)
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
        low, high = a.minutes
        if low > high:
            yield Finding(a, "minutes", f"the shortest, {low}, is more than the longest, {high}; turn them round")


def _occasion(occasion: Occasion) -> Iterator[Finding]:
    if occasion.to <= occasion.from_:
        yield Finding(occasion, "to", "is not later than from; write the end after the beginning")
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
    yield from _wants(decision, scenario)
    yield from _comes(decision, scenario.drama)


def _wants(decision: Decision, scenario: Scenario) -> Iterator[Finding]:
    """Faults of what pressures want from a decision."""
    kinds = {x.id: x.kind for x in scenario.pressures}
    sides, what = (SIDES, "side") if decision.kind == VOTE else (decision.who, "entrant")
    for field, wants in (("settles", decision.settles), ("sways", decision.sways), ("beliefs", decision.beliefs)):
        for ident, want in wants.items():
            kind = kinds.get(ident, "")
            if field == "settles" and kind and kind not in SETTLED:
                words = f"a {kind} cannot be settled so; that can be {', '.join(SETTLED)}"
                yield Finding(decision, field, words, (ident,), at_key=True)
            elif want not in sides and (want or decision.kind == VOTE):
                yield from unknown_words(decision, field, (want,), sides, what, path=(ident,))


def _comes(decision: Decision, drama: DramaDeck) -> Iterator[Finding]:
    """Faults of a decision's consequences."""
    for name in decision.children:
        if name in drama.children:
            yield from speaks(decision, "children", name, drama.children[name], {*BORN, "place"})
    for kind, ends in SETTLED.items():
        for end in ends if kind in drama.kinds else ():
            if end not in drama.kinds[kind].ends:
                so = f"no ending {in_quotes(end)} of {kind}, and a decision may end it so; add it to the deck"
                yield Finding(decision, "", so, hangs=((drama.kinds[kind], "ends"),))


def _pressure(x: Pressure, drama: DramaDeck) -> Iterator[Finding]:
    if drama.kinds and x.kind not in drama.kinds:
        lacks = f"the deck (drama.yaml) has no {x.kind}; add it to the kinds, or choose one of them"
        yield Finding(x, "kind", lacks, of="kinds")
    if not x.holder:
        yield Finding(x, "holder", "is nobody; name somebody of the cast")
    if x.about == x.holder:
        yield Finding(x, "about", "is the holder; name somebody else, or leave it out")
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
    if money is not None and money.prices:
        yield from unknown_names(deck, {"price": KnownNames("price of this world's money", money.prices)})


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
