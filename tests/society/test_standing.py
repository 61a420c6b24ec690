"""Who is heard: figures that can be counted by hand, labels that mean nothing, and hubs that chance does not make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.society import BetaGranter, Growth, GrowthParameters
from sandbox.society.granters import ALIGNED, NEUTRAL, Means
from sandbox.society.many import Runs
from sandbox.society.model import R
from sandbox.society.standing import (
    agent_influence,
    gini_index,
    largest_share,
    random_arcs,
    strengths,
    tail_ceiling,
    type_standing,
)


def grown(means: Means, seeds: range, **changes: Any) -> Runs:
    runs, granter = Runs(GrowthParameters(**changes), seeds), BetaGranter(means)
    while runs.going.any():
        plan = runs.plan()
        runs.add(plan, granter.grants(runs, plan))
    return runs


def masses(runs: Runs) -> tuple[Any, Any, Any]:
    """Asked, asking, and whether of type R, (runs, agents) each."""
    return runs.asked.mass.T, runs.asking.mass.T, runs.types.T == R


def test_types_stand_as_counted_by_hand() -> None:
    of_r = np.array([True, False, False, True])
    found = type_standing(np.array([6.0, 1, 1, 0]), np.array([2.0, 1, 3, 2]), of_r)
    assert found.in_prominence == pytest.approx(np.array([[1.5, 0.5]]))
    assert found.influence == pytest.approx(np.array([[4 / 6, 2.0]]))
    assert found.asked_for == pytest.approx(np.array([[1.5, 0.5]]))
    assert found.ratio == pytest.approx([1 / 3]), "low for the type that is asked"
    assert agent_influence(np.array([0.0, 3]), np.array([0.0, 1.5])) == pytest.approx([1, 2 / 3])


def test_standing_of_many_runs_is_that_of_each_and_its_ratio_that_of_theta() -> None:
    runs = grown(ALIGNED, range(30))
    asked, asking, of_r = masses(runs)
    together = type_standing(asked, asking, of_r, runs.count)
    for row in (0, 17):
        growth = Growth(GrowthParameters(), BetaGranter(ALIGNED), row)
        growth.grow()
        asked, asking = (side.mass[: growth.agents, 0] for side in (growth.runs.asked, growth.runs.asking))
        alone = type_standing(asked, asking, growth.types)
        for one, many in zip(alone, together, strict=True):
            assert one[0] == pytest.approx(many[row])
        assert alone.in_prominence[0] == pytest.approx(growth.in_prominence())
    assert together.in_prominence.mean(axis=0)[0] > 1.2 > 0.85 > together.in_prominence.mean(axis=0)[1]
    assert together.ratio.mean() < 0.75


def test_permuted_labels_tell_a_ceiling_from_none() -> None:
    levels = np.array([6.0, 3.0, 12.0])
    for means, clear in ((ALIGNED, True), (NEUTRAL, False)):
        runs = grown(means, range(40))
        asked, _, of_r = masses(runs)
        found = tail_ceiling(asked, of_r, levels, runs.count, draws=199)
        assert (found.p[[0, 2]] <= 0.01).all() == clear
        assert (found.of_r > 1.2 * found.of_b)[[0, 2]].all() == clear
        assert found.p_any == 1 / 200 if clear else found.p_any > 0.05
    there = np.arange(of_r.shape[1]) < runs.count[:, None]
    assert found.of_r[1] == pytest.approx((asked > 3)[of_r & there].mean())
    assert found.of_b[1] == pytest.approx((asked > 3)[~of_r & there].mean())


def test_labels_that_mean_nothing_have_even_chances_and_a_small_case_its_exact_one() -> None:
    draw = np.random.default_rng(6)
    ps = [tail_ceiling(draw.random(30), draw.permutation(30) < 12, np.array([0.5]), draws=99, seed=i).p[0]
          for i in range(150)]  # fmt: skip
    assert 0.01 < np.mean(np.array(ps) <= 0.1) < 0.2
    small = tail_ceiling(np.arange(6.0), np.arange(6) > 2, np.array([2.5]), draws=4999)
    assert (small.of_r.item(), small.of_b.item()) == (1, 0)
    assert small.p == pytest.approx(2 / 20, abs=0.015), "2 of the 20 ways are as far apart"
    assert small.ratio == np.inf
    with pytest.raises(ValueError, match="one type"):
        tail_ceiling(np.arange(6.0), np.ones(6, bool), np.array([2.5]))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_gini_is_the_mean_difference_and_knows_no_scale(numbers: list[float]) -> None:
    x = np.array(numbers)
    if not x.sum():
        assert np.isnan([gini_index(x), largest_share(x)]).all()
        return
    assert gini_index(x) == pytest.approx(np.abs(x[:, None] - x).mean() / (2 * x.mean()), abs=1e-9)
    assert gini_index(3 * x) == pytest.approx(gini_index(x), abs=1e-9)
    assert gini_index(np.append(x, [0.0])) >= gini_index(x) - 1e-9
    assert 1 / len(x) - 1e-9 <= largest_share(x) <= 1 + 1e-9


def test_as_many_arcs_by_chance_make_no_hubs() -> None:
    gaps = []
    for seed in range(5):
        growth = Growth(GrowthParameters(), BetaGranter(), seed)
        growth.grow()
        arcs, weights = np.array([*growth.arcs]), np.array([w.sum() for w in growth.arcs.values()])
        seen = strengths(growth.agents, arcs, weights)
        assert seen[2] == pytest.approx(growth.runs.asked.mass[: growth.agents, 0])
        assert seen[3] == pytest.approx(growth.runs.asking.mass[: growth.agents, 0])
        other = random_arcs(growth.agents, len(arcs), seed)
        assert len({*map(tuple, other.tolist())}) == len(arcs), "no arc is there twice"
        assert (other[:, 0] != other[:, 1]).all()
        by_chance = strengths(growth.agents, other, weights)
        assert by_chance.sum(axis=1) == pytest.approx(seen.sum(axis=1))
        gaps.append([[f(one) - f(two) for one, two in zip(seen, by_chance, strict=True)]
                     for f in (gini_index, largest_share)])  # fmt: skip
    assert (np.array(gaps)[:, 0] > 0.05).all(), "in- and out-degree and strength, five of five"
    assert (np.mean(gaps, axis=0) > 0.01).all()
    assert (random_arcs(20, 30, 1) == random_arcs(20, 30, 1)).all()
