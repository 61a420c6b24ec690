"""Needs are rows of a table: what is there of each follows from its row, and one that is off is nowhere."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
import pytest

from sandbox.core.clock import HOUR
from sandbox.drama.needs import REMEDIES
from sandbox.engine.registry import REGISTRY
from sandbox.engine.scenario import Scenario
from sandbox.people import needs
from sandbox.people.mood import OCC
from sandbox.people.needs import NEEDS, Need, NeedParameters, Needs, feed, feed_from, level, unmet_needs

P = NeedParameters()
STATE = b'{"rest":0.9,"food":0.6,"company":0.6,"standing":0.7,"t":0}'
QUIET = 'Need(name="quiet", sort="crowding", word="crowded", emotion="distress", begins=0.5, fed={"words": -0.1}),'


@pytest.fixture
def with_quiet(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, as it is with one more need, which is off."""
    text = Path(needs.__file__).read_text(encoding="utf-8")
    assert text.count("\nNEEDS = (\n") == 1
    module = ModuleType("needs_with_quiet")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(text.replace("\nNEEDS = (\n", f"\nNEEDS = (\n    {QUIET}\n"), vars(module))
    return module


# ---- the table


def test_each_need_has_a_sort_of_its_own_and_an_emotion_that_there_is() -> None:
    assert sorted(need.sort for need in NEEDS) == sorted(get_args(needs.LackSort))
    assert {need.emotion for need in NEEDS} <= OCC.keys()


def test_each_source_feeds_something_and_each_rule_of_a_remedy_is_used(larkspur: Scenario) -> None:
    assert {source for need in NEEDS for source in need.fed} == {*get_args(needs.Source)}
    remedies = [need.remedy for need in NEEDS if need.remedy is not None]
    assert {r.rule for r in remedies} == REMEDIES.keys() == {*get_args(needs.RemedyRule)}
    assert {r.do for r in remedies if r.do} <= larkspur.deck.blocks.keys()


def test_each_need_has_its_parameter_and_saves_hold_what_they_held() -> None:
    assert {f"needs.{need.name}" for need in NEEDS} < REGISTRY.parameters.keys()
    assert msgspec.json.encode(Needs()) == STATE


# ---- what falls, and what feeds


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
def test_a_need_runs_from_full_to_empty_in_its_hours_and_is_felt_below_low(need: Need) -> None:
    n = Needs()
    feed(n, 0, P, {need.name: 1.0})
    assert level(n, need.name, 0, P) == 1.0
    assert level(n, need.name, need.hours * HOUR / 2, P) == pytest.approx(0.5)
    assert level(n, need.name, need.hours * HOUR * 2, P) == 0.0
    assert need not in unmet_needs(n, need.hours * HOUR * 0.69, P)
    assert need in unmet_needs(n, need.hours * HOUR * 0.71, P)


def test_the_worst_of_what_is_felt_comes_first() -> None:
    n = Needs(rest=0.2, food=0.1, company=0.25, standing=0.9)
    assert [need.name for need in unmet_needs(n, 0, P)] == ["food", "rest", "company"]


def test_a_night_rests_anybody_and_nothing_else_stands_still_meanwhile() -> None:
    n = Needs(rest=0.4, food=0.9)
    feed_from(n, 8 * HOUR, P, {"sleep": 8.0})
    assert (n.rest, n.t) == (1.0, 8 * HOUR)
    assert n.food == pytest.approx(0.9 - 8 / 15)


def test_words_are_company_and_warm_ones_standing() -> None:
    n = Needs()
    feed_from(n, 0, P, {"words": 1, "praise": -0.5})
    assert (n.rest, n.food, n.company, n.standing) == (0.9, 0.6, 0.615, 0.69)


# ---- one that is off


def test_a_need_that_is_off_is_felt_by_nobody_and_in_no_save(with_quiet: Any) -> None:
    n, p = with_quiet.Needs(), with_quiet.NeedParameters()
    with_quiet.feed_from(n, HOUR, p, {"words": 9, "sleep": 1})
    with_quiet.feed(n, HOUR, p, {"quiet": 0.4})
    assert "quiet" not in {need.name for need in with_quiet.unmet_needs(n, 10**9, p)}
    assert b"quiet" not in msgspec.json.encode(n)
    assert with_quiet.WORN == needs.WORN


def test_a_world_gives_a_need_by_its_hours_and_what_older_saves_lack_begins_as_its_row_says(with_quiet: Any) -> None:
    p = with_quiet.NeedParameters(quiet=10)
    n = msgspec.json.decode(STATE, type=with_quiet.Needs)
    assert with_quiet.level(n, "quiet", HOUR, p) == pytest.approx(0.4)
    with_quiet.feed_from(n, HOUR, p, {"words": 2})
    assert n.quiet == pytest.approx(0.2)
    assert with_quiet.unmet_needs(n, HOUR, p)[0].name == "quiet"
    assert msgspec.json.decode(msgspec.json.encode(n), type=with_quiet.Needs) == n
