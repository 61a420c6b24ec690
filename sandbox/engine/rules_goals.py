"""Rules for plans that lead to wanted claims: each step can be taken, none needs itself, and a plan reaches what is
wanted.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, slots
from sandbox.engine.rules_drama import check_children
from sandbox.engine.rules_rounds import round_of
from sandbox.engine.scenario import Scenario
from sandbox.people.goal_deck import StepMeans
from sandbox.people.goal_planner import steps_in_order
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import BORN, Child
from sandbox.people.pressure_deck import DramaDeck

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
