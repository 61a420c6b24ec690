"""Registers claims as a domain of the world: their state, parameters and handlers."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, ParameterTable, State
from sandbox.people.claim_handlers import COUPLE, HANDLERS, beginning, live_by_claims
from sandbox.people.claim_model import ClaimDeck, ClaimParameters, ClaimState


def _settle(w: Any, scenario: Any) -> None:
    on, said = w.claim_parameters.on, scenario.claims
    w.claim_deck = said if on else ClaimDeck()
    w.claims = beginning(w.claim_deck, scenario.cast)  # whose a bed is hangs on it, and so where people begin
    w.wedded = () if on else [(c.a, c.b) for c in said.claims if c.kind == COUPLE and c.b]


def _check(w: Any, state: ClaimState, now: int) -> None:
    """Raise ValueError unless claims name kinds, people and places of this world, and `of` lists exactly the open."""
    of: dict[str, set[str]] = {}
    for id, c in (*state.open.items(), *((c.id, c) for two in state.was.values() for c in two.values())):
        strange = {*c.people, *c.known_by} - w.cast.keys()
        if strange or id != c.id or c.kind not in w.claim_deck.kinds or (c.where and c.where not in w.map.areas):
            raise ValueError("other claims")
        for who in c.of if id in state.open else ():
            of.setdefault(who, set()).add(id)
    held = {who: {*ids} for who, ids in state.of.items() if ids}
    if held != of or any(len({*ids}) < len(ids) for ids in state.of.values()):
        raise ValueError("claims of others")


CLAIMS = Domain(
    "claims",
    states=(State("claims", ClaimState, lambda w: beginning(w.claim_deck, w.scenario.cast), _check, later=True),),
    tables=(ParameterTable("claims", "claim_parameters", ClaimParameters),),
    settle=_settle,
    derive=live_by_claims,
    handlers=HANDLERS,
)
