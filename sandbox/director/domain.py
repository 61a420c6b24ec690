"""Cards as a domain: what was dealt and waits, the command, and the system by which it takes effect."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.director.dealing import deal_card
from sandbox.director.handlers import HANDLERS, REMEMBER
from sandbox.director.model import CardPlayed, DealCard, DirectorParameters, DirectorState
from sandbox.director.system import direct


def _settle(w: Any, scenario: Any) -> None:
    w.card_deck = scenario.cards
    w.invited = {g.persona.id: g for g in scenario.guests}


def _check(w: Any, state: DirectorState, now: int) -> None:
    """Raise ValueError for a state that cannot be of this world."""
    named = {who for x in state.waiting.values() for who in (x.dealt.to, x.dealt.whom, *x.by) if who}
    named |= state.came.keys()
    if not {x.dealt.guest for x in state.waiting.values()} <= {"", *w.invited}:
        raise ValueError("cards name guests of another world")
    if not named <= w.cast.keys():
        raise ValueError(f"cards name people who are not there: {', '.join(sorted(named - w.cast.keys()))}")


DIRECTOR = Domain(
    "director",
    states=(State("director", DirectorState, lambda w: DirectorState(), _check, later=True),),
    tables=(ParameterTable("director", "director_parameters", DirectorParameters),),
    settle=_settle,
    handlers=HANDLERS,
    memories=REMEMBER,
    systems=(System(lambda: direct, (Phase.CARDS,)),),
    commands={DealCard: deal_card},
    again={CardPlayed: lambda e, at: DealCard(by=at.actor, dealt=e.dealt)},
)
