"""Rounds of a steered feed, read from the log: what each was worth is what its policy has learnt from."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sandbox.core.events import Record
from sandbox.core.places import shipped_folder
from sandbox.engine.world import World
from sandbox.policy.desk import PolicyDesk
from sandbox.policy.learned import LearnedPolicy
from sandbox.readers.steered_rounds import BINS, KINDS, SteeredRounds, curve
from sandbox.store.session import open_session

ROUNDS = 8
SET = (
    "feed.crowd=120", "feed.tick=60", "crowd.activity=0.9", "crowd.posts=0.5", "phones.looks=0",
    "policy.learner=linucb", "policy.objective=engagement",
)  # fmt: skip


async def steered(*settings: str) -> tuple[World, Sequence[Record], list[float | None]]:
    """A town whose feed was steered for some rounds, the events of its log, and what its policy had in each."""
    learnt: list[float | None] = []
    async with open_session(shipped_folder("worlds") / "larkspur", seed=3, set=[*SET, *settings]) as session:
        world = session.world
        while len(learnt) < ROUNDS:
            before = world.feed.steering
            await session.engine.step()
            if before is not None and world.feed.steering is not before:
                desk: PolicyDesk = world.desk  # type: ignore[attr-defined]
                assert desk.seat is not None
                assert isinstance(desk.seat.policy, LearnedPolicy)
                learnt.append(desk.seat.policy.rewards.get("cards"))
        return world, await session.save.records(KINDS, 1, world.seq), learnt


async def test_a_round_of_the_log_was_worth_what_its_policy_learnt_from() -> None:
    world, records, learnt = await steered()
    fold = SteeredRounds(world)
    fold.take(records, world.seq)
    assert [one.of_cards for one in fold.rounds] == pytest.approx(learnt)
    assert any(learnt)
    assert fold.feed.proof() == world.feed.proof()
    last = fold.rounds[-1]
    assert last.policy == "linucb"
    assert sum(last.stances) == world.feed.crowd
    assert 0 <= last.reward <= 1
    assert -1 <= last.mean <= 1
    assert last.misinformed == -1


async def test_an_oracle_has_no_regret_and_chance_has_more_than_a_learner() -> None:
    found = {}
    for learner in ("random", "linucb"):
        world, records, _ = await steered(f"policy.learner={learner}")
        fold = SteeredRounds(world)
        fold.take(records, world.seq)
        regrets = [one.regret for one in fold.rounds if one.regret is not None]
        assert min(regrets) > -0.02, "the oracle is best by the odds, but for readers with fewer cards left"
        found[learner] = sum(regrets) / len(regrets)
    assert found["random"] > 0.02
    assert found["linucb"] < found["random"]


async def test_a_log_read_in_parts_tells_the_same_as_one_read_at_once() -> None:
    world, records, _ = await steered("policy.exposure=true", "policy.mix=true")
    whole, parts = SteeredRounds(world), SteeredRounds(world)
    whole.take(records, world.seq)
    for record in records:
        parts.take([record], record.stamp.seq)
    assert parts.rounds == whole.rounds
    assert len({one.number for one in whole.rounds}) == ROUNDS
    assert all(len(one.stances) == BINS for one in whole.rounds)


@pytest.mark.parametrize(
    ("values", "cells", "found"),
    [
        ([], 5, []),
        ([0.5, None], 5, [0.5, None]),
        ([1, 3, None, None, 4, 8], 3, [2.0, None, 6.0]),
    ],
)
def test_a_curve_has_means_of_equal_parts(values: list[float | None], cells: int, found: list[float | None]) -> None:
    assert curve(values, cells) == found
