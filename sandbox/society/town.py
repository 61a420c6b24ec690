"""Asking for help in a town: which exchange asks, what its answer grants, and what a round adds (docs/society.md, In
the town). Nothing here changes a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.core.events import r6
from sandbox.society.model import MOST_WORDS, Grant, Proposal, Trial, Vector
from sandbox.society.town_model import AskedHelp, PendingAsk, SocietyParameters
from sandbox.talk.lines import ROWS
from sandbox.town.conditions import DEFERENCE, TownCondition

if TYPE_CHECKING:
    from sandbox.society.many import Doubles

WORDS, EXCHANGES = 100, 4  # of a full grant: tokens and rounds as the protocol bounds them
EFFORT = {"accept": 1.0, "dodge": 0.25, "lie": 0.1}  # of an answer, before its warmth


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


def deferences(w: Any) -> list[TownCondition]:
    """The open conditions by which beta is lifted."""
    return [c for c in w.conditions.open.values() if c.kind == DEFERENCE]


def beta_in_force(w: Any) -> float:
    """What is added to grants of type R to type B now: the parameter, and its lift while a card says so."""
    return r6(w.society_parameters.beta + w.society_parameters.lift * bool(deferences(w)))


def round_weights(p: SocietyParameters, beta: float, of_r: Sequence[tuple[bool, bool]], given: Doubles) -> Doubles:
    """What each grant of a round adds, (trials, 3), as `many.added_weights` has it. of_r: whether source and target are
    of type R; given: raw, (trials, 3).
    """
    from sandbox.society.many import added_weights

    to_b = np.array([target and not source for source, target in of_r])
    return added_weights(given[:, :, None], to_b[:, None], beta, p.beta_on)[:, :, 0]
