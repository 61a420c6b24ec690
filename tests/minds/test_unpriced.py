"""Where nobody knows what a model costs, its calls and tokens are bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_language import GOOD, SAY, lines, town
from test_spec import read

from sandbox.engine.scenario import Scenario
from sandbox.minds.budget import Budget, Call, Key, Limit, Limits, Spent, UnsavedCalls
from sandbox.minds.spec import UNPRICED, MindSpec

FEW = Limits(Limit(calls=2), Limit(calls=3))
FREE = Limits(Limit(), Limit())


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model on this computer is taken for one elsewhere."""
    monkeypatch.setattr("sandbox.minds.spec.loopback", lambda base: False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")


def many(n: int) -> list[Any]:
    from msgspec.structs import replace

    return [replace(SAY, n=i) for i in range(n)]


def test_without_a_word_of_the_player_calls_and_tokens_are_bounded() -> None:
    assert MindSpec().unpriced == UNPRICED
    for limit in (UNPRICED.day, UNPRICED.save):
        assert limit.calls
        assert limit.tokens


@pytest.mark.usefixtures("away")
async def test_a_model_without_a_price_is_asked_so_often_and_no_more(larkspur: Scenario) -> None:
    async with town(larkspur, lines(GOOD), unpriced=FEW) as t:
        found = await t.mind.answer(many(6), 3)
        assert t.server.count == 2
        assert sum(not a.fault for a in found) == 2
        assert t.thinking.stopped == "the calls of the day are used up (2); no price is known for openai/test"
        assert "0 calls" in t.thinking.left


@pytest.mark.usefixtures("away")
async def test_one_whose_price_is_known_is_bounded_by_money_alone(larkspur: Scenario) -> None:
    async with town(larkspur, lines(GOOD), model="openai/gpt-4o-mini", unpriced=FEW) as t:
        assert not any(a.fault for a in await t.mind.answer(many(6), 3))
        assert t.thinking.spent.cost > 0


async def test_one_on_this_computer_is_not_bounded(larkspur: Scenario) -> None:
    async with town(larkspur, lines(GOOD), unpriced=FEW) as t:
        assert not any(a.fault for a in await t.mind.answer(many(6), 3))


@pytest.mark.usefixtures("away")
async def test_a_price_of_nothing_is_none(larkspur: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    async with town(larkspur, lines(GOOD), unpriced=FEW) as t:
        await t.mind.answer(many(1), 2)
        import litellm

        monkeypatch.setitem(litellm.model_cost, "openai/test", {"input_cost_per_token": 0.0, "mode": "chat"})
        assert sum(not a.fault for a in await t.mind.answer(many(6), 3)) == 1


def call(n: int, model: str, day: int = 1) -> Call:
    return Call(Key(1, 0, "ann", "Say", n, 0), day, model, "", "x", tokens_in=10)


async def test_only_what_has_no_price_counts_towards_it_also_of_sittings_before() -> None:
    store = UnsavedCalls()
    for n in range(9):
        await store.keep(call(n, "ollama/here"))
    await store.keep(call(9, "openai/odd"))
    budget = Budget(FREE, FEW, store)
    await budget.load()
    assert not isinstance(budget.reserve(1, "ollama/here", 5, 0.0), str)
    first = budget.reserve(1, "openai/odd", 5, None)
    assert not isinstance(first, str)
    assert "of the day are used up (2)" in str(budget.reserve(1, "openai/odd", 5, None))
    assert "of the day are used up (2)" in str(budget.reserve(1, "openai/other", 5, None))
    assert budget.left(1) == "1 calls"
    budget.free(first)
    for day in (2, 3):
        budget.pay(call(20 + day, "openai/odd", day))
    assert "of this save are used up (3)" in str(budget.reserve(4, "openai/odd", 5, None))
    assert budget.total == Spent(12, 120, 0.0)


@pytest.mark.parametrize(
    ("said", "day", "save"),
    [
        ("day: {tokens: 7}", Limit(UNPRICED.day.calls, 7), UNPRICED.save),
        ("day: {tokens: none, calls: none}", Limit(), UNPRICED.save),
        ("save: {calls: 9}", UNPRICED.day, Limit(9, UNPRICED.save.tokens)),
        ("save: {usd: 9}", UNPRICED.day, UNPRICED.save),
    ],
)
def test_what_the_settings_say_of_calls_and_tokens_goes_before_it(
    tmp_path: Path, said: str, day: Limit, save: Limit
) -> None:
    spec, faults = read(tmp_path, f"mind: {{budget: {{{said}}}}}", trusted=True)
    assert faults == []
    assert spec.unpriced == Limits(day, save)


def test_a_world_cannot_raise_it(tmp_path: Path) -> None:
    text = "mind: {budget: {day: {tokens: none, calls: 5}, save: {calls: 900000}}}"
    spec, _ = read(tmp_path, text, trusted=False)
    assert spec.unpriced == Limits(Limit(5, UNPRICED.day.tokens), UNPRICED.save)
