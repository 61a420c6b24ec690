"""Checks a scenario from a save before a world is made from it.

A save may come from anywhere. Decoding has checked each field; here are the rules between fields. The loader reports
every fault of a world's files by line; here one short message about the first is enough, and it must be quick: some
milliseconds for a town of 25.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import chain

import msgspec

from sandbox.core.clock import Clock, parse_start
from sandbox.core.faults import is_printable, safe
from sandbox.core.fields import Finding, duplicates, unknown_words
from sandbox.director.conditions import Nameable, no_moment, odd
from sandbox.engine.load_cards import of_card_rules
from sandbox.engine.load_decks import of_begun
from sandbox.engine.load_feed import of_phones
from sandbox.engine.load_rules import SWITCHES
from sandbox.engine.registry import REGISTRY
from sandbox.engine.rules import check_world
from sandbox.engine.rules_claims import of_breaches
from sandbox.engine.rules_drama import of_drama
from sandbox.engine.rules_lines import of_lines
from sandbox.engine.rules_people import nowhere
from sandbox.engine.rules_rounds import of_plans
from sandbox.engine.rules_town import of_plan
from sandbox.engine.scenario import Scenario
from sandbox.feed.loaded_tables import check_population
from sandbox.feed.word_lists import check_lists
from sandbox.minds.embedded import ASKS
from sandbox.minds.spec import MindSpec, model
from sandbox.people.beliefs import ROW
from sandbox.people.pressure_deck import moves_of
from sandbox.play.model import Newcomer
from sandbox.town.grid import Addresses
from sandbox.town.plan import OUTCOMES

OFF = "off"


def known_to(scenario: Scenario, *came: Newcomer, unread: Collection[str] = ()) -> Nameable:
    """What conditions may name in a world. came: newcomers who live in it as well. unread: as in `check_world`."""
    pressures = (*scenario.pressures, *(p for n in came for p in n.settling.pressures))
    matters = {p.id for p in pressures}
    clues = {f"{p.id}/{n}" for p in pressures for n in range(len(p.clues))}
    clues |= {f"{f.id}/{n}" for f in scenario.facts for n in range(len(f.clues))}
    endings = {end for kind in scenario.drama.kinds.values() for end in kind.ends}
    threads = {p.thread or p.id for p in pressures}
    return Nameable(
        {*unread, *(p.id for p in (*scenario.cast, *(n.persona for n in came)))},
        scenario.claims.kinds,
        {*matters, *clues, *(f.id for f in scenario.facts)},
        matters,
        threads,
        scenario.drama.kinds,
        {*endings, ROW},
        {o.id: (*OUTCOMES[o.decides.kind], OFF) for o in scenario.calendar if o.decides is not None},
    )


def of_aims(scenario: Scenario, unread: Collection[str] = ()) -> Iterator[Finding]:
    """Faults in the goals of a world. unread: as in `check_world`."""
    decks = [(scenario.goals, known_to(scenario, unread=unread) if scenario.goals else None)]
    decks += [(n.settling.goals, known_to(scenario, n)) for n in scenario.newcomers if n.settling.goals]
    yield from duplicates([aim for aims, _ in decks for aim in aims])
    hinges: list[tuple[object, str]] = [
        (x, "id") for x in (*scenario.pressures, *(x for n in scenario.newcomers for x in n.settling.pressures))
    ]
    hinges += [(scenario, "pressures"), *((n.settling, "pressures") for n in scenario.newcomers)]
    clock = Clock(parse_start(scenario.start))
    for aim, known in ((aim, known) for aims, known in decks for aim in aims):
        wrong = no_moment(aim.by)
        if wrong:
            yield Finding(aim, "by", wrong)
        elif clock.moment(aim.by) <= 0:
            yield Finding(
                aim, "by", f"{aim.by} is before the world starts ({clock.hhmm(0)} on day 1); choose a later one"
            )
        if known is not None:
            for one in odd(aim.wants, known):
                yield one._replace(hangs=(*hinges,)) if one.field in ("matter", "thread", "fact") else one


PLAIN = bytes(range(0x20, 0x7F))
ESCAPED = re.compile(rb"\\(.)", re.DOTALL)


def check_scenario(scenario: Scenario) -> None:
    """Raise ValueError, with a message of one line, if no world can be made from this scenario."""
    whole = msgspec.json.encode(scenario)
    escapes = set(ESCAPED.findall(whole)) if b"\\" in whole else set()  # control characters are escaped in JSON
    plain = whole.translate(None, PLAIN).decode().isprintable()
    if escapes - {b'"', b"\\"} or not (plain or is_printable(whole.decode())):
        raise ValueError("a text holds a character that cannot be printed")
    parse_start(scenario.start)
    REGISTRY.tuned(scenario.parameters)
    rules = chain(
        of_plan(scenario.plan, scenario.parts),
        check_world(scenario, Addresses.of(scenario.plan)),
        _switches(scenario),
        _mind(scenario.mind, scenario) if scenario.mind is not None else (),
        of_drama(scenario.drama),
        of_begun(scenario.drama),
        of_breaches(scenario.claims, scenario.drama),
        of_aims(scenario),
        of_card_rules(scenario.cards),
        of_plans(scenario.drama),
        of_phones(scenario.phones, scenario.drama),
        of_lines(scenario.lines, moves_of(scenario.drama)),
        _crowd(scenario),
        _guests(scenario),
    )
    first = next((odd for odd in rules if odd.level == "error" and not odd.written), None)
    if first is not None:
        raise ValueError(safe(first.said(scenario), 280))


def _guests(scenario: Scenario) -> Iterator[Finding]:
    """Guests need a bed. A map is made only for a correct plan; a faulty one has been reported before this runs."""
    if scenario.guests or scenario.newcomers:
        yield from nowhere((*scenario.guests, *scenario.newcomers), scenario.map)


def _switches(scenario: Scenario) -> Iterator[Finding]:
    yield from unknown_words(scenario, "rules", scenario.rules, SWITCHES, "rule")
    for rule, word in scenario.rules.items():
        yield from unknown_words(scenario, "rules", (word,), SWITCHES[rule], f"setting of {rule}")


def _crowd(scenario: Scenario) -> Iterator[Finding]:
    """Users from tables fit into the crowd and are packed correctly; the feed's own word lists are valid."""
    if scenario.feed is None:
        return
    if scenario.feed.words:
        try:
            check_lists(scenario.feed.words)
        except ValueError as error:
            yield Finding(scenario.feed, "words", str(error))
    if scenario.feed.population is None:
        return
    crowd = REGISTRY.tuned(scenario.parameters)["feed"].crowd
    if scenario.feed.population.count > crowd:
        yield Finding(
            scenario.feed, "population", f"it has {scenario.feed.population.count} users, and the crowd {crowd}"
        )
    try:
        check_population(scenario.feed.population)
    except ValueError as error:
        yield Finding(scenario.feed, "population", str(error))


def _mind(mind: MindSpec, scenario: Scenario) -> Iterator[Finding]:
    """A world may name models, but neither addresses elsewhere nor keys, and it may not raise limits on cost."""
    yield from unknown_words(mind, "people", mind.people, {p.id for p in scenario.cast}, "person")
    yield from unknown_words(mind, "asks", mind.asks, ASKS, "question")
    for limits, most in ((mind.limits, MindSpec().limits), (mind.unpriced, MindSpec().unpriced)):
        if limits != limits.within(most):
            yield Finding(mind, "limits", "its minds may cost more than a player allows")
    for found in mind.models:
        if found != model(found.name, found.bases):
            yield Finding(mind, "", "a mind names a key")
        if found.bases and not found.here:
            yield Finding(mind, "", "a mind is reached at an address away from this computer")
