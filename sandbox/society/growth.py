"""A society that grows by itself, step by step; each step is an event, and the same events make the same network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.core.events import Record, Stamp
from sandbox.society.granters import BetaGranter, Granter, check_grant
from sandbox.society.hearing import StillNetwork
from sandbox.society.many import Doubles, Runs, StepPlan
from sandbox.society.model import (
    COORDINATES,
    NOBODY,
    TYPES,
    Asking,
    B,
    D,
    Grant,
    Grew,
    GrowthParameters,
    Proposal,
    R,
    Trial,
    check_follows,
    check_parameters,
)

if TYPE_CHECKING:
    import networkx as nx


class Growth:
    """A growing network. granter: who decides what is granted; None = the embedded one, neutral. keep: is given each
    event. arcs: (source, target) -> weight, three coordinates. runs: its masses (`many.Runs`).
    """

    def __init__(
        self,
        parameters: GrowthParameters = GrowthParameters(),  # noqa: B008  # it cannot change
        granter: Granter | None = None,
        seed: int = 0,
        keep: Callable[[Record], None] | None = None,
    ) -> None:
        self.p = check_parameters(parameters)
        self.granter: Granter = granter if granter is not None else BetaGranter()
        self.seed, self._keep = seed, keep
        self.runs = Runs(self.p, [seed])
        first = 2 * self.p.begin
        self.arcs = {(a, b): np.full(D, self.p.begin_weight) for a in range(first) for b in range(first) if a != b}

    def __repr__(self) -> str:
        return f"<Growth of {self.agents} agents after {self.runs.number} steps, {len(self.arcs)} arcs>"

    @property
    def agents(self) -> int:
        """How many agents there are."""
        return int(self.runs.count[0])

    @property
    def types(self) -> Any:
        """Whether each agent is of type R, (agents,)."""
        return self.runs.types[: self.agents, 0] == R

    @property
    def theta(self) -> tuple[Doubles, Doubles]:
        """Prominence of type R among the asked and among the asking, (3,) each."""
        asked, asking = self.runs.theta[:, :, 0]
        return asked, asking

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return not bool(self.runs.going[0])

    def grow(self) -> None:
        """Go on until the end."""
        while not self.over:
            self.step()

    def graph(self) -> nx.DiGraph[int]:
        """The network: agents with `type`, arcs with `tokens`, `rounds`, `effort` and `weight`, their sum."""
        import networkx as nx

        found: nx.DiGraph[int] = nx.DiGraph()
        found.add_nodes_from((i, {"type": TYPES[R if of_r else B]}) for i, of_r in enumerate(self.types.tolist()))
        for (source, target), weight in self.arcs.items():
            told = dict(zip(COORDINATES, weight.tolist(), strict=True))
            found.add_edge(source, target, **told, weight=float(weight.sum()))
        return found

    def network(self) -> StillNetwork:
        """The network as it stands, for talks on it."""
        weights = np.zeros((self.agents, self.agents))
        for pair, weight in self.arcs.items():
            weights[pair] = weight.sum()
        return StillNetwork(weights, self.runs.types[: self.agents, 0].copy())

    def in_prominence(self) -> tuple[float, float]:
        """How much more of all that is granted goes to each type than its share of the agents: for R and for B; 1 =
        just as much.
        """
        share = float(self.theta[0].mean())
        of_r = float(self.types.mean())
        return share / of_r, (1 - share) / (1 - of_r)

    def step(self) -> Grew:
        """One step: draw who asks whom, let the granter decide, and take in what is granted. Raises ValueError after
        the end, or if the granter gives what is no grant.
        """
        plan, askings = self.ask()
        drawn = self.runs.drawn(plan)[:, :, 0].tolist()
        said = []
        for asking, lots in zip(askings, drawn, strict=False):
            proposal = self.granter.propose(asking)
            said.append((proposal, self.granter.grant(asking, proposal, lots)))
        return self.take(plan, askings, said)

    def ask(self) -> tuple[StepPlan, list[Asking]]:
        """Who asks whom in the next step, which only `take` makes happen: between them minds may take their time.
        Raises ValueError after the end.
        """
        if self.over:
            raise ValueError(f"it has ended after {self.runs.number} steps")
        plan = self.runs.plan()
        ends = (plan.source, plan.target, plan.source_type, plan.target_type)
        trials = zip(*(end[:, 0].tolist() for end in ends), strict=True)
        return plan, [
            Asking(plan.number, m, source, target, (source_type == R, target_type == R))
            for m, (source, target, source_type, target_type) in enumerate(trials)
            if source != NOBODY
        ]

    def take(self, plan: StepPlan, askings: Sequence[Asking], said: Sequence[tuple[Proposal, Grant]]) -> Grew:
        """The event of a step in which this was asked and granted. Raises ValueError if it is no grant."""
        trials = tuple(
            Trial(asking.source, asking.target, proposal, check_grant(grant))
            for asking, (proposal, grant) in zip(askings, said, strict=True)
        )
        event = Grew(plan.number, int(plan.kind[0]), int(plan.newborn[0]), trials)
        self.apply(event)
        return event

    def apply(self, event: Grew) -> None:
        """Let an event of a log happen. Raises ValueError if it does not follow."""
        check_follows(self.p, event, self.runs.number, self.agents)
        types = self.runs.types[: self.agents, 0].tolist() + [event.newborn] * (event.newborn != NOBODY)
        ends = [[getattr(t, end) for t in event.trials] for end in ("source", "target")]
        source, target = (np.array(end, np.int64)[:, None] for end in ends)
        source_type, target_type = (np.array([types[i] for i in end], np.int8)[:, None] for end in ends)
        newborn = np.array([event.newborn], np.int8)
        plan = StepPlan(event.number, np.array([event.kind]), newborn, source, target, source_type, target_type)
        given = np.array([t.grant.given for t in event.trials], np.float64)
        added = self.runs.add(plan, given[:, :, None])[:, :, 0]
        for trial, weight in zip(event.trials, added, strict=True):
            pair = trial.source, trial.target
            self.arcs[pair] = self.arcs[pair] + weight if pair in self.arcs else weight
        if self._keep is not None:
            self._keep(Record(Stamp(event.number, event.number, event.number, "", ()), event))
