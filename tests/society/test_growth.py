"""A society grows the same alone, among many and from its events; a step adds one unit of each coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.core.events import Record
from sandbox.society import (
    BetaGranter,
    Grant,
    Grew,
    Growth,
    GrowthParameters,
    Proposal,
    check_granter,
    many,
)
from sandbox.society.granters import ALIGNED, Means
from sandbox.society.many import NEWBORN, SOURCE_TYPE, TARGET_TYPE, Runs
from sandbox.society.model import Asking
from sandbox.society.standing import gini_index

PARAMETERS = st.builds(
    GrowthParameters,
    newcomer_asks=st.sampled_from([0.0, 0.1, 0.25, 0.5]),
    newcomer_asked=st.sampled_from([0.0, 0.25, 0.5]),
    of_r=st.sampled_from([0.2, 0.5, 1.0]),
    trials=st.tuples(*[st.integers(1, 5)] * 3),
    choice=st.sampled_from(["mass", "uniform"]),
    begin=st.integers(2, 4),
    beta=st.sampled_from([0.0, 0.5]),
    beta_on=st.sampled_from(["all", "granted"]),
    steps=st.just(30),
    agents=st.sampled_from([0, 12]),
)


def grown(p: GrowthParameters, seeds: Sequence[int], granter: BetaGranter) -> Runs:
    runs = Runs(p, seeds)
    while runs.going.any():
        plan = runs.plan()
        runs.add(plan, granter.grants(runs, plan))
    return runs


@given(PARAMETERS)
@settings(max_examples=6, deadline=None)
def test_a_run_is_the_same_alone_among_many_and_from_its_events(p: GrowthParameters) -> None:
    granter, seeds = BetaGranter(ALIGNED), [*range(4), 10**9]
    together = grown(p, seeds, granter)
    for row, seed in enumerate(seeds):
        kept: list[Record] = []
        alone = Growth(p, granter, seed, kept.append)
        alone.grow()
        again = Growth(p, seed=seed)
        for record in kept:
            written = msgspec.json.encode(record.event)
            again.apply(msgspec.json.decode(written, type=Grew))
        for one in (alone, again):
            assert one.agents == together.count[row]
            assert (one.runs.asked.mass[: one.agents, 0] == together.asked.mass[: one.agents, row]).all()
            assert (np.array(one.theta) == together.theta[:, :, row]).all()
        assert {pair: weight.tolist() for pair, weight in again.arcs.items()} == {
            pair: weight.tolist() for pair, weight in alone.arcs.items()
        }


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["mass", "uniform"])
def test_fifty_runs_among_so_many_that_sums_are_made_otherwise_are_each_the_same_alone(choice: Any) -> None:
    p, granter = GrowthParameters(choice=choice, steps=70, newcomer_asks=0.5, newcomer_asked=0.45), BetaGranter(ALIGNED)
    together = grown(p, range(many.FEW + 50), granter)
    assert len(together.types) > many.WIDER, "agents have been made room for"
    for seed in range(50):
        alone = Growth(p, granter, seed)
        alone.grow()
        for one, side in ((alone.runs.asked, together.asked), (alone.runs.asking, together.asking)):
            assert (one.mass[: alone.agents, 0] == side.mass[: alone.agents, seed]).all()
        assert (np.array(alone.theta) == together.theta[:, :, seed]).all()
        assert (alone.runs.types[:, 0] == together.types[: len(alone.runs.types), seed]).all()


@given(PARAMETERS, st.integers(0, 1000))
@settings(max_examples=12, deadline=None)
def test_each_step_adds_one_unit_of_each_coordinate_among_those_who_are_there(p: GrowthParameters, seed: int) -> None:
    growth = Growth(p, BetaGranter(), seed)
    while not growth.over:
        before, there = growth.runs.asked.everybody[:, 0].copy(), growth.agents
        event = growth.step()
        assert growth.runs.asked.everybody[:, 0] - before == pytest.approx(np.ones(3))
        assert len(event.trials) == p.trials[event.kind - 1]
        for trial in event.trials:
            ends = (trial.source, trial.target)
            assert trial.source != trial.target
            assert (there in ends) == (event.newborn >= 0) == (event.kind != 3)
            assert max(ends) <= there
    total = sum(growth.arcs.values(), np.zeros(3))
    for side in (growth.runs.asked, growth.runs.asking):
        assert side.everybody[:, 0] == pytest.approx(total)
        assert side.mass[:, 0].sum() == pytest.approx(total.sum())
        assert side.mass[: growth.agents, 0][growth.types].sum() == pytest.approx(side.of_r[:, 0].sum())


class Refuses(BetaGranter):
    """Refuses whatever the type R asks."""

    def grant(self, asking: Asking, proposal: Proposal, drawn: Sequence[float]) -> Grant:
        return Grant((0.0,) * 3, accepted=False) if asking.of_r[0] else super().grant(asking, proposal, drawn)


def test_who_is_always_refused_asks_without_mass_and_a_step_of_refusals_adds_nothing() -> None:
    growth = Growth(GrowthParameters(trials=(1, 1, 1)), Refuses(), 3)
    moved = 0
    while not growth.over:
        before = growth.runs.asked.everybody[:, 0].copy()
        event = growth.step()
        refused = not event.trials[0].grant.accepted
        assert (growth.runs.asked.everybody[:, 0] == before).all() == refused
        moved += not refused
    assert 20 < moved < 100
    assert growth.runs.asking.of_r[:, 0] == pytest.approx(2 * 3 * 0.01)


def test_beta_raises_what_type_r_grants_to_type_b_with_or_without_refusals() -> None:
    def asked_of_r(**changes: Any) -> float:
        runs = grown(GrowthParameters(**changes), range(300), BetaGranter())
        return float(runs.theta[0].mean())

    none, half, two = (asked_of_r(beta=beta) for beta in (0.0, 0.5, 2.0))
    assert none == pytest.approx(0.5, abs=0.02)
    assert none + 0.03 < half < two - 0.03
    for beta_on, moves in (("all", True), ("granted", False)):
        growth = Growth(GrowthParameters(beta=1.0, beta_on=beta_on, of_r=0.0), Refuser(), 2)  # type: ignore[arg-type]
        growth.grow()
        assert (growth.theta[0].mean() > 0.5) == moves


class Refuser(BetaGranter):
    """Refuses everything."""

    def grant(self, asking: Asking, proposal: Proposal, drawn: Sequence[float]) -> Grant:
        return Grant((0.0,) * 3, accepted=False)


def test_choice_by_mass_makes_hubs_and_uniform_choice_does_not() -> None:
    def strengths(choice: Any) -> Any:
        runs = grown(GrowthParameters(choice=choice), range(50, 60), BetaGranter())
        return [gini_index(runs.asked.mass[:count, row]) for row, count in enumerate(runs.count.tolist())]

    by_mass, alike = strengths("mass"), strengths("uniform")
    assert all(a > b for a, b in zip(by_mass, alike, strict=True))


@given(st.sampled_from([0.2, 0.5, 0.7]), st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_swapped_types_swap_every_figure_by_mirrored_draws(of_r: float, seed: int) -> None:
    ((rr, rb), (br, bb)) = ALIGNED
    swapped: Means = ((bb, br), (rb, rr))
    usual, mirrored = many.step_lots, many.trial_lots
    runs = grown(GrowthParameters(of_r=of_r, steps=40), [seed], BetaGranter(ALIGNED))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            many, "step_lots", lambda s, n, what: 1 - usual(s, n, what) if what == NEWBORN else usual(s, n, what)
        )
        types = (TARGET_TYPE, SOURCE_TYPE)
        patch.setattr(
            many, "trial_lots",
            lambda s, n, m, what: 1 - mirrored(s, n, m, what) if what in types else mirrored(s, n, m, what),
        )  # fmt: skip
        other = grown(GrowthParameters(of_r=1 - of_r, steps=40), [seed], BetaGranter(swapped))
    there = int(runs.count[0])
    place = np.array([2, 3, 0, 1, *range(4, there)])
    assert other.count[0] == there
    assert (other.types[:there, 0] == 1 - runs.types[place, 0]).all()
    for one, two in ((runs.asked, other.asked), (runs.asking, other.asking)):
        assert (two.mass[:there, 0] == one.mass[place, 0]).all()


def test_lots_are_even_and_know_nothing_of_each_other() -> None:
    seeds = many.hashed_seeds(np.arange(100_000))
    drawn = np.array([many.step_lots(seeds, step, what) for step in (1, 2, 77) for what in (0, 1, 8, 9, 16)])
    assert np.abs(np.corrcoef(drawn) - np.eye(len(drawn))).max() < 0.015
    for one in drawn:
        counts = np.histogram(one, 50, (0, 1))[0]
        assert ((counts - 2000) ** 2 / 2000).sum() < 100


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"newcomer_asks": 0.7, "newcomer_asked": 0.6}, "1.3 together"),
        ({"trials": (3, 3)}, "give three"),
        ({"trials": (0, 3, 3)}, "trials"),
        ({"steps": 0}, "neither steps nor agents"),
        ({"agents": 3}, "4 are there at the start"),
        ({"steps": 0, "agents": 9, "newcomer_asks": 0, "newcomer_asked": 0}, "too few ever come"),
        ({"steps": 0, "agents": 9, "newcomer_asks": 1e-300, "newcomer_asked": 0}, "too few ever come"),
        ({"target": float("inf")}, "target"),
        ({"source": 1e308}, "source"),
        ({"beta": -1.0}, "beta"),
        ({"of_r": 1.5}, "of_r"),
        ({"begin": 1}, "begin"),
        ({"choice": "rich"}, "choice"),
    ],
)
def test_parameters_by_which_nothing_grows_are_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Growth(GrowthParameters(**changes))


class Odd(BetaGranter):
    """Grants what it is given."""

    def __init__(self, grant: Any) -> None:
        super().__init__()
        self._grant = grant

    def grant(self, asking: Asking, proposal: Proposal, drawn: Sequence[float]) -> Any:
        return self._grant


@pytest.mark.parametrize(
    "grant",
    [Grant((0.5, 0.5, 1.5)), Grant((0.5, float("nan"), 0.5)), Grant((0.5, 0.5)), Grant((1, 0, 0), False), "yes", None],  # type: ignore[arg-type]
)
def test_what_is_no_grant_is_refused_and_changes_nothing(grant: Any) -> None:
    growth = Growth(granter=Odd(grant))
    with pytest.raises(ValueError, match="grant"):
        growth.step()
    assert (growth.runs.number, growth.agents) == (0, 4)
    with pytest.raises(AssertionError, match="grant"):
        check_granter(lambda: Odd(grant))


class Long(BetaGranter):
    """Says more than can be kept."""

    def propose(self, asking: Asking) -> Proposal:
        return Proposal("a" * 4001)


def test_a_proposal_that_no_save_could_hold_is_refused_before_it_is_kept() -> None:
    with pytest.raises(AssertionError, match="cannot be kept"):
        check_granter(Long)
    with pytest.raises(ValueError, match="step 1 cannot be"):
        Growth(granter=Long()).step()


def test_the_granter_that_ships_keeps_its_promises_and_one_that_draws_by_itself_does_not() -> None:
    check_granter(lambda: BetaGranter(ALIGNED))
    draw = np.random.default_rng(1)

    class Moody(BetaGranter):
        def grant(self, asking: Asking, proposal: Proposal, drawn: Sequence[float]) -> Grant:
            return super().grant(asking, proposal, draw.random(3).tolist())

    with pytest.raises(AssertionError, match="otherwise"):
        check_granter(Moody)


def test_events_that_do_not_follow_are_refused() -> None:
    kept: list[Record] = []
    growth = Growth(seed=4, keep=kept.append)
    growth.grow()
    with pytest.raises(ValueError, match="ended"):
        growth.step()
    events: list[Any] = [record.event for record in kept]
    other = Growth(seed=4)
    with pytest.raises(ValueError, match="does not follow"):
        other.apply(events[1])
    one = next(e for e in events if e.kind == 3)
    first = one.trials[0]

    def odd(**changes: Any) -> tuple[Any, ...]:
        return (msgspec.structs.replace(first, **changes), *one.trials[1:])

    for changes, says in (
        ({"trials": odd(target=99)}, "not there"),
        ({"trials": odd(source=first.target)}, "one alone"),
        ({"trials": odd(source=-1)}, "cannot be"),
        ({"trials": odd(grant=Grant((0.5, float("nan"), 0.5)))}, "cannot be"),
        ({"trials": odd(grant=Grant((0.5, 0.5, 0.5), False))}, "a refusal that grants"),
        ({"trials": odd(proposal=Proposal("a" * 9000))}, "cannot be"),
        ({"trials": ()}, "of another"),
        ({"trials": one.trials[:2]}, "of another"),
        ({"newborn": 0}, "of another"),
        ({"kind": 1}, "of another"),
        ({"kind": 1, "newborn": 0}, "not there"),
    ):
        before = Growth(seed=4)
        for event in events[: one.number - 1]:
            before.apply(event)
        with pytest.raises(ValueError, match=says):
            before.apply(msgspec.structs.replace(one, **changes))
        assert before.runs.number == one.number - 1
        before.apply(one)
    with pytest.raises(ValueError, match="after the end"):
        growth.apply(msgspec.structs.replace(one, number=101))
    with pytest.raises(ValueError, match="between 0 and 1"):
        BetaGranter((((0.5,) * 3, (0.5,) * 3), ((0.5,) * 3, (0.5, 1.0, 0.5))))
