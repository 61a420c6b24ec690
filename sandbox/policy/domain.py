"""Policies as a domain: who steers the town's feed, and the commands that change it. Rounds are made by the feed's own
system (`feed/domain.py`), which asks the desk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandbox.core.domain import CommandEvent, Domain, ParameterTable, State
from sandbox.core.events import Stamp
from sandbox.policy.desk import PolicyDesk
from sandbox.policy.model import (
    HAND,
    PolicyChosen,
    PolicyParameters,
    PolicyState,
    Steer,
    SteerByHand,
    SteeredByHand,
    check_shares,
    steering_settings,
)


def _chosen(w: Any, e: PolicyChosen, stamp: Stamp) -> None:
    w.policy.chosen, w.policy.own = e.settings, e.own


def _set_by_hand(w: Any, e: SteeredByHand, stamp: Stamp) -> None:
    w.policy.mix, w.policy.down = e.mix, dict(e.down)


def _steer(w: Any, c: Steer) -> Sequence[CommandEvent]:
    _refuse_without_feed(w)
    if c.own and c.own not in w.desk.own:
        raise ValueError(f"no policy {c.own} was given; name its file with --policy")
    return (CommandEvent(PolicyChosen(c.settings, c.own)),)


def _steer_by_hand(w: Any, c: SteerByHand) -> Sequence[CommandEvent]:
    _refuse_without_feed(w)
    if steering_settings(w).learner != HAND or w.policy.own:
        raise ValueError("somebody else is in the platform's seat; take it first")
    mix = None if c.mix is None else tuple(round(share, 6) for share in check_shares(c.mix))
    for user, passes in c.down.items():
        if not 0 <= user < w.feed.users.n:
            raise ValueError(f"there is no user {user}")
        if not 0 <= passes <= 99:
            raise ValueError(f"of whom is turned down 0 to 99 in a hundred cards pass, not {passes}")
    if len(c.down) > (most := int(steering_settings(w).silenced * w.feed.users.n)):
        raise ValueError(f"of {w.feed.users.n:,} users at most {most:,} can be turned down")
    return (CommandEvent(SteeredByHand(mix, tuple(sorted(c.down.items())))),)  # type: ignore[arg-type]


def _refuse_without_feed(w: Any) -> None:
    if not (w.feed.on or w.feed.crowd):
        raise ValueError("this world has no feed to steer; start one with --crowd N")


def _settle(w: Any, scenario: Any) -> None:
    w.desk = PolicyDesk()


POLICY = Domain(
    "policy",
    settle=_settle,
    states=(State("policy", PolicyState, lambda w: PolicyState(), later=True),),
    tables=(ParameterTable("policy", "policy_parameters", PolicyParameters),),
    handlers={PolicyChosen: _chosen, SteeredByHand: _set_by_hand},
    commands={Steer: _steer, SteerByHand: _steer_by_hand},
    again={
        PolicyChosen: lambda e, at: Steer(by=at.actor, settings=e.settings, own=e.own),
        SteeredByHand: lambda e, at: SteerByHand(by=at.actor, mix=e.mix, down=dict(e.down)),
    },
)
