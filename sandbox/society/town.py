"""Asking for help in a town: which exchange asks, what its answer grants, what a round adds, and what the mean field
makes of the grants so far (docs/society.md, In the town). Nothing here changes a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sandbox.core.events import r6
from sandbox.society.many import NOBODY, Doubles, Runs, StepPlan
from sandbox.society.model import AMONG_ALL, MOST_WORDS, D, Grant, GrowthParameters, Proposal, Trial, Vector
from sandbox.society.theory import SIDES, drift, with_beta
from sandbox.society.town_model import AskedHelp, PairGrants, PendingAsk, SocietyParameters, SocietyState
from sandbox.talk.lines import ROWS
from sandbox.town.conditions import DEFERENCE

WORDS, EXCHANGES = 100, 4  # of a full grant: tokens and rounds as the protocol bounds them
EFFORT = {"accept": 1.0, "dodge": 0.25, "lie": 0.1}  # of an answer, before its warmth
FEW = 20  # rounds after which the forecast takes more than one at a time
SMALL = 1e-9  # a weight that leaves the choice to the masses given


def help_asked(w: Any, do: str) -> str:
    """Which help an exchange of the deck asks for: advice, hand, loan or word; "" if it asks for none."""
    exchange = w.drama.exchanges.get(do)
    return ROWS[exchange.move].help if exchange is not None and exchange.move in ROWS else ""


def granted(ask: PendingAsk) -> Vector:
    """What an answer grants: tokens: its words in hundred; rounds: exchanges spent on it, of four; effort: by the
    answer, and how warm it is. A refusal is all 0.
    """
    if ask.answer not in EFFORT:
        return (0.0, 0.0, 0.0)
    warm = (1.0 + max(-1.0, min(1.0, ask.valence))) / 2
    tokens, rounds = min(1.0, ask.words / WORDS), min(1.0, ask.rounds / EXCHANGES)
    return r6(tokens), r6(rounds), r6(EFFORT[ask.answer] * warm)


def as_trial(ask: PendingAsk, numbers: dict[str, int]) -> AskedHelp:
    """An ask as the protocol has it. numbers: of the residents."""
    given = granted(ask)
    grant = Grant(given, any(given), ask.replied[:MOST_WORDS])
    trial = Trial(numbers[ask.source], numbers[ask.target], Proposal(ask.said[:MOST_WORDS]), grant)
    return AskedHelp(trial, ask.source, ask.target, ask.t, ask.do, ask.about)


def beta_in_force(w: Any) -> float:
    """What is added to grants of type R to type B now: the parameter, and its lift while a card says so."""
    p: SocietyParameters = w.society_parameters
    lifted = any(c.kind == DEFERENCE for c in w.conditions.open.values())
    return r6(p.beta + p.lift * lifted)


def round_weights(p: SocietyParameters, beta: float, of_r: Sequence[tuple[bool, bool]], given: Doubles) -> Doubles:
    """What each grant of a round adds, (trials, 3): beta before, then a coordinate at a time divided by the sum
    (`many.Runs.add`). of_r: whether source and target are of type R; given: raw, (trials, 3).
    """
    many = len(of_r)
    runs = Runs(GrowthParameters(begin=2 * many, beta=beta, beta_on=p.beta_on), [0])  # R and B have 2 * many seats each
    ends = ([(0 if pair[end] else 2 * many) + end * many + m for m, pair in enumerate(of_r)] for end in (0, 1))
    source, target = (np.array(seats)[None] for seats in ends)
    plan = StepPlan(1, np.array([AMONG_ALL]), np.array([NOBODY]), source, target)
    found: Doubles = runs.add(plan, given[None])[0]
    return found


def mean_grants(pairs: Sequence[PairGrants]) -> Doubles:
    """The mean raw grants so far, (2, 2, 3) by target's and source's type; those of all where a pair has none."""
    many = sum(x.many for x in pairs)
    whole = np.sum([x.given for x in pairs], axis=0) / max(1, many)
    found = np.array([np.array(x.given) / x.many if x.many else whole for x in pairs])
    shaped: Doubles = np.maximum(found, SMALL).reshape(2, 2, D)
    return shaped


def forecast(state: SocietyState, p: SocietyParameters, rounds: int) -> list[float]:
    """The share of type R in all that is credited after 1, 2, ... rounds, as the mean field has it: the protocol's own
    drift with the mean grants and the mean beta so far, among as many of each type as there are, nobody coming (p = q =
    0). Later rounds are taken several at a time, as the course is one in log-time.
    """
    if not state.number:
        return []
    beta, to_b = state.betas / state.number, state.pairs[1]  # of type R to type B
    if p.beta_on == "granted":
        beta *= to_b.granted / max(1, to_b.many)
    growth = GrowthParameters(0, 0, trials=(p.trials,) * 3, target=SMALL, source=SMALL, beta=beta)
    mu = with_beta(growth, mean_grants(state.pairs))
    agents, smooth = len(state.members), np.array((p.target, p.source))
    theta, t, at, found = np.full((SIDES, D), state.of_r), 0, [], []
    while t < rounds:
        chance = (theta.sum(axis=1) * t + state.of_r * agents * smooth) / (D * t + agents * smooth)
        by = 1 + t // FEW
        theta = theta + (drift(growth, mu, np.repeat(chance[:, None], D, axis=1)) - theta) * by / (t + by)
        t += by
        at.append(t)
        found.append(float(theta[0].mean()))
    course: list[float] = np.interp(np.arange(1, rounds + 1), at, found).tolist()
    return course
