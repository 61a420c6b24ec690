"""Cycles that never end, which are faults, and entries that can never happen, which are warnings; and with them what
must hold of facts that are asked for, and of plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, duplicates, slots
from sandbox.engine.rules_drama import check_children, effects
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_model import StepMeans
from sandbox.people.goal_handlers import steps_in_order
from sandbox.people.persona import Clue, Persona, Pressure, Truth
from sandbox.people.pressure_beginnings import BORN, Child, Role, Spark
from sandbox.people.pressure_deck import SECRET, VERDICTS, DramaDeck, Effect


def endless(deck: DramaDeck) -> Iterator[Finding]:
    """Nothing repeats for ever by itself: putting off an hour ends, and does not lead back to the same hour. Only what
    happens on time is checked: answers need somebody to give them, and luck breaks a cycle.
    """
    for kind in deck.kinds.values():
        if kind.late.later and not kind.late.end:
            yield Finding(kind, "", '"late" is put off for ever; give it an "end", or take "later" out', written=True)
    after = {
        name: [c for c in deck.kinds[child.kind].late.children if c in deck.children]
        if child.due and deck.kinds[child.kind].late.end and not deck.kinds[child.kind].luck
        else []
        for name, child in deck.children.items()
    }
    done: set[str] = set()
    for start in after:
        ring = round_of(start, after)
        if ring and not done & set(ring):
            done |= set(ring)
            words = " > ".join([*ring, ring[0]])
            mend = 'take the "due" of one out, or give its kind a "luck"'
            yield Finding(
                deck.children[ring[0]], "", f"comes back to itself when its hour passes ({words}); {mend}", written=True
            )


def round_of(start: str, after: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest path from a node back to itself, [] if none. after: node -> successors; unknown nodes have none."""
    seen: set[str] = set()
    ways = [[start]]
    for way in ways:  # grows during the loop
        for then in after.get(way[-1], ()):
            if then == start:
                return way
            if then not in seen:
                seen.add(then)
                ways.append([*way, then])
    return []


def unused_entries(deck: DramaDeck, also: Collection[str]) -> Iterator[Finding]:
    """Exchanges that nobody does and children that nothing creates. also: children created by other files."""
    means = [x for step in deck.steps.values() for x in step.by]
    own = [way for ways in deck.own.values() for way in ways]
    done = {way.do for kind in deck.kinds.values() for way in kind.ways} | {x.do for x in means} | {x.do for x in own}
    bearing: list[Effect | Spark | StepMeans] = [e for kind in deck.kinds.values() for e in effects(kind)]
    bearing += [e for way in own for e in way.effects]
    bearing += [s.effect(verdict) for s in deck.showdowns.values() for verdict in VERDICTS]
    bearing += [*deck.sparks.values(), *means]
    born = {c for x in bearing for c in x.children}
    born |= {r.child for r in deck.renewal} | deck.beginnings.keys() | {deck.mercy, *deck.rumours.bears.values(), *also}
    for name, x in deck.exchanges.items():
        if name not in done:
            yield Finding(x, "", "nobody ever does this; name it in a way of a kind, or take it out", level="warning")
    for name, c in deck.children.items():
        if name not in born:
            yield Finding(c, "", "nothing ever bears this; name it where it comes of, or take it out", level="warning")


def befalls_nobody(deck: DramaDeck, people: tuple[Persona, ...]) -> Iterator[Finding]:
    """Sparks that suit nobody of a cast. Feelings are ignored, since they change."""
    for spark in deck.sparks.values():
        lacks = ((role, _lacking(wanted, people)) for role, wanted in spark.roles.items())
        role, lacking = next(((role, text) for role, text in lacks if text), ("", ""))
        if lacking:
            yield Finding(spark, "", f"nobody of the cast can be {role}: {lacking}", level="warning")
        elif not _fill(spark, people, {}):
            words = f"there are not {len(spark.roles)} people of the cast for its roles together"
            yield Finding(spark, "", f"{words}; ask for less of one", level="warning")


def _lacking(wanted: Role, people: Iterable[Persona]) -> str:
    """What no person has of a role's requirements, and how to fix it; "" if the requirements are met."""
    if any(wanted.suits(p) for p in people):
        return ""
    if wanted.jobs and not any(p.job in wanted.jobs for p in people):
        return f"nobody is {' or '.join(map(in_quotes, wanted.jobs))}; ask for a job that somebody has"
    if wanted.traits and not any(set(wanted.traits) & set(p.traits) for p in people):
        return f"nobody is {' or '.join(map(in_quotes, wanted.traits))}; ask for a trait that somebody has"
    if not any(wanted.ages[0] <= p.age <= wanted.ages[1] for p in people):
        return f"nobody is between {wanted.ages[0]} and {wanted.ages[1]}; ask for other ages"
    return "nobody has all that it asks for; ask for less"


def _fill(spark: Spark, people: tuple[Persona, ...], taken: dict[str, str]) -> bool:
    """Whether different people can fill the roles that are still open."""
    role = next((role for role in spark.roles if role not in taken), None)
    return role is None or any(
        spark.roles[role].suits(p) and p.id not in taken.values() and _fill(spark, people, {**taken, role: p.id})
        for p in people
    )


# ---- what must hold of what is asked and of what shows


TWO = 2  # clues that can be combined


def of_truth(scenario: Scenario) -> Iterator[Finding]:
    """Faults of questions, facts and clues."""
    holders = {**{x.id: x.holder for x in scenario.pressures}, **{x.id: x.who for x in scenario.facts}}
    yield from duplicates(scenario.facts)
    asked = {x.asks for x in scenario.pressures}
    for fact in scenario.facts:
        if any(x.id == fact.id for x in scenario.pressures):
            yield Finding(fact, "id", f"{in_quotes(fact.id)} is a pressure, too; choose another")
        if scenario.drama.kinds and SECRET not in scenario.drama.kinds:
            yield Finding(
                fact, "", f"the deck (drama.yaml) has no {SECRET}, and a fact is told as one; add it", of="kinds"
            )
        if fact.id not in asked:
            yield Finding(
                fact, "id", "nobody asks about it; name it under `asks` of a pressure, or take it out", level="warning"
            )
    for x in scenario.pressures:
        yield from _asks(x, scenario, holders)
    owners: list[Pressure | Truth] = [*scenario.pressures, *scenario.facts]
    for owner in owners:
        yield from _clues(owner, scenario)


def _asks(x: Pressure, scenario: Scenario, holders: dict[str, str]) -> Iterator[Finding]:
    if not x.asks:
        return
    kind = scenario.drama.kinds.get(x.kind)
    if kind is not None and not kind.right.end:
        yield Finding(x, "asks", f"a {x.kind} ends by no answer; give its kind a `right` in drama.yaml, or take it out")
    elif holders.get(x.asks) == x.holder:
        yield Finding(x, "asks", f"{x.holder} knows {in_quotes(x.asks)}: it is their own; ask about something else")
    elif ring := round_of(x.id, {p.id: (p.asks,) for p in scenario.pressures}):
        yield Finding(x, "asks", f"leads back to itself ({' > '.join([*ring, x.id])}); ask about something that is so")


def _clues(owner: Pressure | Truth, scenario: Scenario) -> Iterator[Finding]:
    by = owner.holder if isinstance(owner, Pressure) else owner.who
    kind = scenario.drama.kinds.get(owner.kind if isinstance(owner, Pressure) else "")
    if isinstance(owner, Pressure) and owner.clues and kind is not None and not kind.found.end:
        yield Finding(owner, "clues", f"a {owner.kind} cannot be found out; give its kind a `found` in drama.yaml")
    elif owner.clues and len(owner.clues) + len(kind.clues if kind is not None else ()) < TWO:
        yield Finding(owner, "clues", "nobody can put one clue together; add a second", level="warning")
    for clue in owner.clues:
        yield from _clue(clue, by)


def _clue(clue: Clue, by: str) -> Iterator[Finding]:
    if by and by in clue.known_by:
        yield Finding(clue, "known_by", f"{by} hides it; name somebody else", (by,))
    if not (clue.known_by or clue.where or clue.by):
        hangs = tuple((clue, field) for field in ("known_by", "where", "by"))
        yield Finding(clue, "", "nobody can come upon it; add `known_by`, `where` or `by`", written=True, hangs=hangs)


# ---- plans that lead to wanted claims: each step can be taken, none needs itself, and a plan reaches what is wanted


SLOTS = ("holder", "about", "whom", "stakes")
LEAST = 2  # steps of a plan, at least


def of_plans(deck: DramaDeck) -> Iterator[Finding]:
    """Faults of the plans and steps of a deck."""
    for kind, names in deck.plans.items():
        found = steps_in_order(deck.steps, names)
        if names and len(found) < LEAST and {*names} <= deck.steps.keys():
            yield Finding(deck, "plans", f"{kind} has {len(found)} step; a plan has {LEAST} or more", (kind,))
    firsts = {name: step.first for name, step in deck.steps.items()}
    for name, step in deck.steps.items():
        yield from slots(step, "says", (step.says,), SLOTS)
        yield from slots(step, "done", (step.done,), SLOTS)
        if ring := round_of(name, firsts):
            words = " > ".join([*ring, name])
            yield Finding(step, "first", f"comes before itself ({words}); take one of them out", written=True)
        if not step.by and not step.coins:
            lacks = "has no way to take it; add for example `by: [{do: ask_help, to: friend}]`"
            yield Finding(step, "", lacks, written=True, hangs=((step, "by"), (step, "coins")))
        for means in step.by:
            yield from _means(means, deck)


def _means(means: StepMeans, deck: DramaDeck) -> Iterator[Finding]:
    if bool(means.do) == bool(means.block):
        either = 'needs either "do" or "block"; for example `do: ask_help`'
        yield Finding(means, "", either, written=True, hangs=((means, "do"), (means, "block")))
    yield from check_children(means, "children", means.children, (*BORN, "holder", "about"), deck)


def of_goals(scenario: Scenario) -> Iterator[Finding]:
    """Faults of plans and wanted claims that depend on the world's claims and days."""
    d, kinds = scenario.drama, scenario.claims.kinds
    for p in scenario.pressures if kinds else ():
        if p.wants.kind and p.kind in d.kinds:
            yield from (odd for odd in _wants(p, d) if odd.field != "kind" or p.wants.kind in kinds)


def of_wants(deck: DramaDeck) -> Iterator[Finding]:
    """Faults of what children want."""
    for child in deck.children.values():
        if child.wants.kind and child.kind in deck.kinds:
            yield from _wants(child, deck)


def _wants(one: Pressure | Child, deck: DramaDeck) -> Iterator[Finding]:
    wants = one.wants
    yield from slots(wants, "terms", (wants.terms,), ("stakes",))
    for end in ("a", "b"):
        if getattr(wants, end) in BORN:
            yield Finding(wants, end, "nobody acts where a thing is wanted; write holder or about")
    if not deck.kinds[one.kind].goal:
        yield Finding(one, "wants", f"{one.kind} has no ending that is its goal; give the kind one, or take this out")
    if deck.plans and wants.kind not in deck.plans:
        near = suggestion(wants.kind, deck.plans) or "; add one to plans in drama.yaml"
        yield Finding(wants, "kind", f"no plan leads to {in_quotes(wants.kind)}{near}")
