"""Money in text files: prices, wages, pay day, purses, costs and sums owed; every fault has its line and its mend."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tinyworld import FILES, Tiny

from sandbox.core.clock import HOUR
from sandbox.engine.scenario import Scenario
from sandbox.people.purse import Money

Build = Callable[..., Tiny]

MONEY = 'money:\n  prices: {a roll: 2, a pint: 4}\n  wages: {baker: 60, default: 40}\n  payday: "friday 16:00"\n'
BLOCKS = (
    "blocks:\n"
    "  snack: {do: have a roll, doing: having a roll, past: had a roll, costs: {food: a roll, drink: a pint}}\n"
)


def scenario(tiny: Tiny) -> Scenario:
    reading = tiny.read()
    assert reading.scenario is not None, [str(f) for f in reading.faults.errors]
    return reading.scenario


@pytest.fixture
def tiny(tiny_world: Build) -> Tiny:
    return tiny_world({"world/world.yaml": FILES["world/world.yaml"] + MONEY, "world/activities.yaml": BLOCKS})


def test_a_world_may_have_no_money(tiny_world: Build) -> None:
    assert scenario(tiny_world()).money is None


def test_money_is_read(tiny: Tiny) -> None:
    tiny.write("world/personas/ann.yaml", FILES["world/personas/ann.yaml"] + "purse: 17\nwage: 5\n")
    tiny.change("world/pressures.yaml", "    stakes: the oven\n", "    stakes: the oven\n    amount: 840\n")
    s = scenario(tiny)
    assert s.money == Money({"a roll": 2, "a pint": 4}, {"baker": 60, "default": 40}, "fri", 16 * HOUR)
    assert {p.id: (p.purse, p.wage) for p in s.cast} == {"ann": (17, 5), "ben": (None, None)}
    assert [p.amount for p in s.pressures] == [840]
    assert s.deck.blocks["snack"].costs == {"food": "a roll", "drink": "a pint"}


def test_what_ships_may_name_things_that_a_world_does_not_price(tiny: Tiny) -> None:
    deck = FILES["data/activities.yaml"].replace("play: {do: play", "play: {costs: a cake, do: play", 1)
    tiny.write("data/activities.yaml", deck)
    assert scenario(tiny).deck.blocks["play"].costs == {"": "a cake"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a roll: 2", "a roll: -2", "money.prices.a roll: -2 is out of range; it must be between 0 and 1000000"),
        ("a roll: 2", "a roll: 2.5", 'money.prices.a roll: "2.5" is no whole number'),
        ("friday 16:00", "freitag 16:00", '"freitag 16:00" is no pay day; write it as "friday 16:00"'),
        ("friday 16:00", "friday 4pm", '"4pm" is no time of day'),
        ("baker: 60", "baker: lots", 'money.wages.baker: "lots" is no whole number'),
        ("payday:", "pay_day:", 'no key "pay_day"; did you mean "payday"?'),
    ],
)
def test_faults_of_money_name_line_and_mend(tiny: Tiny, old: str, new: str, message: str) -> None:
    text = FILES["world/world.yaml"] + MONEY
    tiny.write("world/world.yaml", text.replace(old, new, 1))
    (fault,) = tiny.errors()
    assert message in fault.message
    assert fault.file.endswith("world.yaml")
    assert fault.line == 1 + text.split(old)[0].count("\n")


def test_prices_are_needed(tiny: Tiny) -> None:
    tiny.write("world/world.yaml", FILES["world/world.yaml"] + "money: {}\n")
    tiny.write("world/activities.yaml", None)
    assert ['"prices" is missing' in f.message for f in tiny.errors()] == [True, False]
    assert '"wages" is missing; add for example `wages: {baker: 60, default: 40}`' in tiny.errors()[1].message


def test_a_wage_of_a_job_that_nobody_has_is_told(tiny: Tiny) -> None:
    tiny.write("world/world.yaml", FILES["world/world.yaml"] + MONEY.replace("baker", "bakr"))
    (odd,) = [fault for fault in tiny.read().faults.at("warning") if "job" in fault.message]
    assert odd.message == 'money.wages: no job of anybody here "bakr"; did you mean "baker"?'


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("world/activities.yaml", "food: a roll", "food: a rol", 'did you mean "a roll"?'),
        ("world/personas/ann.yaml", "job: baker\n", "job: baker\npurse: -4\n", "purse: -4 is out of range"),
        ("world/personas/ann.yaml", "job: baker\n", "job: baker\nwage: much\n", 'wage: "much" is no whole number'),
        ("world/pressures.yaml", "    cause:", "    amount: 0\n    cause:", "amount: 0 is out of range"),
        ("world/pressures.yaml", "kind: debt", "kind: promise\n    amount: 4", "only a debt has one; take it out"),
    ],
)
def test_faults_of_costs_purses_and_sums_are_told(tiny: Tiny, name: str, old: str, new: str, message: str) -> None:
    text = {**FILES, "world/activities.yaml": BLOCKS}[name]
    assert old in text
    tiny.write(name, text.replace(old, new, 1))
    (fault,) = tiny.errors()
    assert message in fault.message
    assert fault.line


CHILD = "children:\n  loan: {{kind: {kind}, holder: target, about: actor, stakes: {stakes}, cause: so it was{more}}}\n"


@pytest.mark.parametrize(
    ("kind", "stakes", "more", "message"),
    [
        ("debt", "a cake", ", amount: [9, 4]", "the least, 9, is more than the most, 4; turn them round"),
        ("debt", "a cake", ", amount: [1, 2, 3]", "write a number of coins, or two: [least, most]"),
        ("debt", "a cake", ", lends: yes", "nothing without an amount"),
        ("debt", '"{amount} for a cake"', "", "speaks of {amount} and has none"),
        ("grudge", "a cake", ", amount: 4", "only a debt has one"),
    ],
)
def test_faults_of_a_debt_of_the_deck_are_told(
    tiny_world: Build, kind: str, stakes: str, more: str, message: str
) -> None:
    tiny = tiny_world({"data/drama.yaml": CHILD.format(kind=kind, stakes=stakes, more=more)})
    assert any(message in f.message for f in tiny.errors())


DEBTS = """kinds:
  debt: {says: owes, shows: shows, wanted: pay, ends: {faded: {good: yes, says: forgotten}}}
"""


def test_a_debt_of_the_deck_has_a_sum_or_a_range(tiny_world: Build) -> None:
    for more, amount in ((", amount: 4", (4, 4)), (", amount: [3, 8], lends: yes", (3, 8)), ("", (0, 0))):
        tiny = tiny_world({"data/drama.yaml": DEBTS + CHILD.format(kind="debt", stakes="a cake", more=more)})
        child = scenario(tiny).drama.children["loan"]
        assert (child.amount, child.lends) == (amount, "lends" in more)
