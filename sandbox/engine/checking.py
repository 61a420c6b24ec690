"""What a scenario must hold to be lived, checked before a world is made of one that comes from a save.

A save may come from anywhere. The loader names every fault of a world's files by line; here one short message about the
first is enough, and it must be quick: some milliseconds for a town of 25.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

import msgspec

from sandbox.core.clock import DAY, DAY_RULES, DAYS, STEP_MAX, STEP_MIN, parse_start
from sandbox.core.faults import quoted
from sandbox.engine.checking_decks import check_drama, check_lines
from sandbox.engine.checking_outcomes import check_decision
from sandbox.engine.checking_town import check_plan
from sandbox.engine.claims import ENTRIES, FAR, coins, known, named, need, once, within
from sandbox.engine.load_decks import LONGEST, SHORTEST
from sandbox.engine.load_people import HAIR, ID, SKIN
from sandbox.engine.load_rules import SWITCHES
from sandbox.engine.parameters import tables
from sandbox.engine.scenario import Scenario
from sandbox.minds.questions import ASKS
from sandbox.minds.spec import MindSpec, model
from sandbox.people.occ import OCC
from sandbox.people.persona import DRIFT, Persona
from sandbox.people.pressures.deck import KINDS
from sandbox.people.purse import Money

CAST = 2000  # most people
PLAIN = bytes(c for c in range(0x20, 0x7F) if c != ord("\\"))


def check_scenario(scenario: Scenario) -> None:
    """Raise ValueError, with a message of one line, if a world of this scenario could not be lived."""
    escaped = msgspec.json.encode(scenario).replace(rb"\\", b"").replace(rb"\"", b"")
    rest = escaped.translate(None, PLAIN)  # what is left is little: control characters as escapes, and foreign letters
    need(b"\\" not in rest and rest.decode().isprintable(), "a text holds a character that cannot be printed")
    named(scenario.title, "the title")
    named(scenario.name, "the name")
    parse_start(scenario.start)
    within(scenario.step, STEP_MIN, STEP_MAX, "the length of a step")
    within(scenario.seed, 0, 2**63 - 1, "the seed")
    tables(scenario.parameters)
    areas = check_plan(scenario.plan, scenario.parts)
    _deck(scenario)
    _cast(scenario, areas)
    _days(scenario, areas)
    for rule, word in scenario.rules.items():
        known((rule,), SWITCHES, "rule")
        known((word,), SWITCHES[rule], f"setting of {rule}")
    if scenario.money is not None:
        _money(scenario.money)
    if scenario.mind is not None:
        _mind(scenario.mind, scenario)
    check_lines(scenario.lines, check_drama(scenario.drama))


def _mind(mind: MindSpec, s: Scenario) -> None:
    """A world may name models, but neither where nor by which key they are reached, nor raise what they may cost."""
    known(mind.people, {p.id for p in s.cast}, "person")
    known(mind.asks, ASKS, "question")
    within(mind.timeout, 0.1, 600, "how long a model is waited for")
    within(mind.patience, 0.1, 3600, "how long a question waits")
    within(mind.together, 1, 256, "the number of requests at once")
    for limits, most in ((mind.limits, MindSpec().limits), (mind.unpriced, MindSpec().unpriced)):
        need(limits == limits.within(most), "its minds may cost more than a player allows")
    for found in mind.models:
        need(found == model(found.name, found.bases), "a mind names a key")
        need(not found.bases or found.here, "a mind is reached at an address away from this computer")


def _deck(s: Scenario) -> None:
    deck = s.deck
    need("sleep" in deck.blocks, "the deck has no sleep")
    need(len(deck.blocks) + len(deck.activities) <= ENTRIES, "the deck is too long")
    for key, block in deck.blocks.items():
        need(block.key == key, f"the block {quoted(key)} has another key")
    for a in deck.activities:
        named(a.do, "the name of an activity")
        known(a.blocks, deck.blocks, "block")
        need(SHORTEST <= a.minutes[0] <= a.minutes[1] <= LONGEST, f"{quoted(a.do)} takes an odd time")
    known(deck.feelings, deck.blocks, "block")
    for outcomes in deck.feelings.values():
        for o in (*outcomes.good, *outcomes.bad):
            known((o.feel,), OCC, "emotion")
            within(o.size, 0, 1, "the size of an emotion")


def _cast(s: Scenario, areas: set[str]) -> None:
    within(len(s.cast), 1, CAST, "the number of people")
    ids = [p.id for p in s.cast]
    once(ids, "person")
    everybody = set(ids)
    blocks = s.deck.blocks
    for p in s.cast:
        need(ID.match(p.id), f"{quoted(p.id)} is no id")
        named(p.name, f"the name of {p.id}")
        known((p.home,), areas, "area")
        need(not p.work or p.work in areas, f"there is no area {quoted(p.work)}")
        within(p.age, 0, 120, "an age")
        known((p.look.hair,), HAIR, "colour of hair")
        known((p.look.skin,), SKIN, "colour of skin")
        b = p.big_five
        five = (b.openness, b.conscientiousness, b.extraversion, b.agreeableness, b.neuroticism)
        within(max(five, key=abs), -1, 1, "a trait")
        for opinion in p.opinions.values():
            within(opinion.stance, -1, 1, "a stance")
        for past in p.history:
            need(past.with_ in everybody and past.with_ != p.id, f"{p.id} has a history with nobody")
            within(past.feeling, -1, 1, "a feeling")
            within(past.closeness, 0, 1, "a closeness")
        coins((p.purse or 0, p.wage or 0))
        _routine(p, areas, blocks)


def _routine(p: Persona, areas: set[str], blocks: Collection[str]) -> None:
    within(p.routine.wake, 0, DAY, "a time to wake")
    within(p.routine.sleep, 0, DAY, "a time to sleep")
    for entry in p.routine.days:
        known((entry.days,), DAY_RULES, "day")
        for slot in entry.slots:
            if not 0 <= slot.at <= DAY or slot.do not in blocks or not _somewhere(slot.where, areas):
                raise ValueError(f"the routine of {p.id} has an unknown hour, block or area")


def _money(money: Money) -> None:
    coins((*money.prices.values(), *money.wages.values()))
    known((money.day,), DAYS, "day")
    within(money.at, 0, DAY, "the hour of pay day")


def _somewhere(where: str, areas: set[str]) -> bool:
    """Whether a place of a routine is known: an area, an object in one, or a word for one's own."""
    return where in areas or where in ("home", "work") or " / ".join(where.split(" / ")[:2]) in areas


def _days(s: Scenario, areas: set[str]) -> None:
    everybody = {p.id for p in s.cast}
    known(s.opening, everybody, "person")
    for o in s.opening.values():
        need(_somewhere(o.where, areas), f"there is no area {quoted(o.where)}")
        known((o.do,), s.deck.blocks, "block")
    need(len(s.calendar) <= ENTRIES and len(s.pressures) <= ENTRIES, "the calendar is too long")
    once([c.id for c in s.calendar], "occasion")
    for c in s.calendar:
        named(c.title, "the title of an occasion")
        need(0 <= c.from_ < c.to <= DAY, f"the occasion {quoted(c.id)} has odd hours")
        need(_somewhere(c.where, areas), f"there is no area {quoted(c.where)}")
        known((c.block,), s.deck.blocks, "block")
        known(c.days, DAY_RULES, "day")
        known(c.who, everybody, "person")
        if c.on:
            date.fromisoformat(c.on)
        if c.decides is not None:
            check_decision(c, c.decides, s)
    once([x.id for x in s.pressures], "pressure")
    for x in s.pressures:
        known((x.kind,), KINDS, "kind of pressure")
        known((x.holder, *((x.about,) if x.about else ()), *x.known_by), everybody, "person")
        need(x.about != x.holder, f"the pressure {quoted(x.id)} is about its holder")
        need(not s.drama.kinds or x.kind in s.drama.kinds, f"the deck has no kind of pressure {quoted(x.kind)}")
        within(x.intensity, 0, 1, "the intensity of a pressure")
        within(x.stage, 0, 3, "the stage of a pressure")
        coins((x.amount,))
        within(x.drift, 0, DRIFT, "the drift of a pressure")
        within(x.wakes, 0, FAR, "the hour of a pressure")
        within(0 if x.due is None else x.due, 0, FAR, "the hour of a pressure")
