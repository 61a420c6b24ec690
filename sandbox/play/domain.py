"""Playing a person as a domain: state, commands, answers given by the player, and the systems."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, Phase, State, System, merge_handlers
from sandbox.people.played import PlayedState
from sandbox.play import acts_without_talk, command_rules, handlers, turning
from sandbox.play.model import HasPlay
from sandbox.play.system import ANSWERS, carry_out, come_round


def _check(w: HasPlay, state: PlayedState, now: int) -> None:
    """Raise ValueError for a state that is impossible in this world."""
    whom = state.wish.whom if state.wish is not None else ""
    third = state.wish.third if state.wish is not None else ""
    other = state.put.other if state.put is not None else ""
    point = state.turning.point.whom if state.turning.point is not None else ""
    given = {who for key in state.given for who in key.split()}
    if not {state.who, whom, third, other, point, *given} - {""} <= w.cast.keys():
        raise ValueError("somebody is played who is not there")
    if state.heading >= w.map.width * w.map.height:
        raise ValueError("whoever is played has set out for a tile that is not there")


def _settle(w: Any, scenario: Any) -> None:
    w.newcomers = {n.persona.id: n for n in scenario.newcomers}


def _derive(w: Any) -> None:
    for who in w.guests.stays:
        handlers.offer_goals(w, who)


PLAY = Domain(
    "play",
    states=(State("played", PlayedState, lambda w: PlayedState(), _check, later=True),),
    settle=_settle,
    derive=_derive,
    handlers=merge_handlers(handlers.HANDLERS, turning.HANDLERS),
    systems=(
        System(lambda: carry_out, (Phase.PLAYED,)),
        System(lambda: turning.come_to_head, (Phase.TURNING,)),
        System(lambda: come_round, (Phase.SWAYED,)),
        System(lambda: acts_without_talk.show_player_phone, (Phase.PHONE_BY_HAND,)),
    ),
    commands={**command_rules.COMMANDS, **turning.COMMANDS, **acts_without_talk.COMMANDS},
    again={**command_rules.AGAIN, **turning.AGAIN, **acts_without_talk.AGAIN},
    answers=ANSWERS,
)
