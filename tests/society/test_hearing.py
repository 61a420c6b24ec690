"""Who hears whom on a network that stands still, and what comes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.society import BetaGranter, Growth, GrowthParameters
from sandbox.society.granters import ALIGNED
from sandbox.society.hearing import (
    READINGS,
    Hearing,
    Plant,
    StillNetwork,
    Talks,
    ranked,
    rewired,
    speaking,
    stays_table,
)
from sandbox.society.items import left, shipped_items
from sandbox.society.model import NOBODY

ITEMS = shipped_items("qa")[:12]
GOLD = np.array([item.answers.index(item.gold) for item in ITEMS])
FALSE = np.array([item.answers.index(item.claims) for item in ITEMS])


def network(seed: int = 1) -> StillNetwork:
    growth = Growth(GrowthParameters(), BetaGranter(ALIGNED), seed)
    growth.grow()
    return growth.network()


class Copies:
    """Says what the first voice says, alone the first answer that stays."""

    def answer(self, hearing: Hearing, drawn: Any) -> Any:
        rows = np.arange(len(hearing.known))[:, None]
        alone = hearing.stays[rows, hearing.known].argmax(axis=-1)
        if not hearing.said.shape[-1]:
            return alone
        first = hearing.said[..., 0]
        return np.where(first == NOBODY, hearing.before, first)


@pytest.mark.parametrize("reading", READINGS)
def test_voices_are_those_of_arcs_by_their_weight_and_who_has_none_hears_nobody(reading: Any) -> None:
    weights = np.zeros((4, 4))
    weights[0, 1], weights[2, 1], weights[1, 3] = 3.0, 1.0, 2.0
    talks = Talks(StillNetwork(weights, np.zeros(4, np.int8)), ITEMS, 5, reading)
    talks.take(Copies().answer(talks.hear()[0], None))
    _, who = talks.hear(500)
    heard = {i: {*who[:, i].ravel().tolist()} for i in range(4)}
    if reading == "along":
        assert heard == {0: {NOBODY}, 1: {0, 2}, 2: {NOBODY}, 3: {1}}
        assert (who[:, 1] == 0).mean() == pytest.approx(0.75, abs=0.02)
    else:
        assert heard == {0: {1}, 1: {3}, 2: {1}, 3: {NOBODY}}
    assert speaking(talks.network, reading).tolist() == ([3, 2, 1, 0] if reading == "along" else [0, 4, 0, 2])
    assert ranked(talks.network, reading).tolist() == ([0, 1, 2, 3] if reading == "along" else [1, 3, 0, 2])


def test_agents_hold_the_snippets_that_they_are_given() -> None:
    held = np.arange(len(ITEMS) * len(network().types)).reshape(len(ITEMS), -1) % 5
    talks = Talks(network(), ITEMS, 3, "back", holds=held)
    assert (talks.holds == held).all()
    assert (talks.hear()[0].known == 1 << held).all()


def test_snippets_go_from_voice_to_ear_and_all_five_leave_the_right_answer() -> None:
    talks = Talks(network(), ITEMS, 3, "back")
    assert (talks.known == 1 << talks.holds).all()
    before = talks.known
    for _ in range(40):
        hearing, who = talks.hear()
        assert (hearing.known & before == before).all(), "nobody forgets"
        told = np.where(who == NOBODY, 0, before[np.arange(len(ITEMS))[:, None, None], who])
        assert (hearing.known == before | np.bitwise_or.reduce(told, axis=-1)).all()
        before = hearing.known
        talks.take(Copies().answer(hearing, None))
    stays = stays_table(ITEMS)
    assert stays[:, 31].sum(axis=1).tolist() == [1] * len(ITEMS)
    assert (stays[:, 31].argmax(axis=1) == GOLD).all()
    assert (before == 31).mean() > 0.5
    for known in (0, 5, 19):
        row = tuple(np.flatnonzero(stays[0, known]).tolist())
        assert row == left(ITEMS[0], [i for i in range(5) if known >> i & 1])


def test_who_is_planted_keeps_to_it_and_where_all_copy_it_spreads_the_more_they_are_heard() -> None:
    site = network(4)
    heard = int(ranked(site, "back")[0])
    found = Talks(site, ITEMS, 8, "back", Plant(heard, FALSE)).go(Copies(), 60)
    assert found.shape == (61, len(ITEMS), len(site.types))
    assert (found[:, :, heard] == FALSE).all()
    share = (found == FALSE[:, None]).mean(axis=(1, 2))
    assert share[-1] > share[0] + 0.2
    quiet = Talks(site, ITEMS, 8, "back").go(Copies(), 60)
    assert (quiet[-1] == FALSE[:, None]).mean() < share[-1] - 0.2
    other = Talks(site, ITEMS, 8, "back", Plant(int(ranked(site, "back")[-1]), FALSE)).go(Copies(), 60)
    assert (other[-1] == FALSE[:, None]).mean() < share[-1]


def test_who_is_able_is_right_and_alone_both_types_are_alike() -> None:
    site = network(2)
    able = BetaGranter(ALIGNED, (1.0, 0.0), follows=0.0)
    found = Talks(site, ITEMS, 1, "back").go(able)
    right = found == GOLD[:, None]
    assert right[1:, :, site.types == 0].all()
    assert not right[1:, :, site.types == 1].any()
    alone = [right[0][:, site.types == kind].mean() for kind in (0, 1)]
    assert alone == pytest.approx([0.2, 0.2], abs=0.06)
    follows = Talks(site, ITEMS, 1, "back").go(BetaGranter(ALIGNED, (1.0, 0.0), follows=1.0), 1)
    hears = site.weights.sum(axis=1) > 0
    assert not (follows[1] == GOLD[:, None])[:, hears].all()
    for odd in ((1.2, 0.5), (0.5, float("nan"))):
        with pytest.raises(ValueError, match="chances from 0 to 1"):
            BetaGranter(capability=odd)


@given(st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_rewired_arcs_keep_how_many_each_has_and_what_an_agent_asks_in_all(seed: int) -> None:
    site = network(seed % 7)
    other = rewired(site, seed)
    for axis in (0, 1):
        assert ((site.weights > 0).sum(axis=axis) == (other.weights > 0).sum(axis=axis)).all()
    assert other.weights.sum(axis=1) == pytest.approx(site.weights.sum(axis=1))
    assert not np.diag(other.weights).any()
    assert ((site.weights > 0) & (other.weights > 0)).sum() < 0.7 * (site.weights > 0).sum()
    assert (rewired(site, seed).weights == other.weights).all()


def test_the_same_seed_gives_the_same_talk_and_another_another() -> None:
    site, by = network(), BetaGranter(ALIGNED)
    first, again, other = (Talks(site, ITEMS, seed, "along").go(by) for seed in (6, 6, 7))
    assert (first == again).all()
    assert (first != other).any()
