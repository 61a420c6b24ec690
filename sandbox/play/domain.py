"""Playing a person as a domain: who is played, the commands, what was said to questions, and what is carried out."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, Place, State, System
from sandbox.people.played import PlayedState
from sandbox.play.answers import ANSWERS
from sandbox.play.apply import HANDLERS
from sandbox.play.bidding import COMMANDS
from sandbox.play.model import (
    Aside,
    Bid,
    Bidden,
    GiveBack,
    HasPlay,
    Headed,
    Leave,
    Play,
    PlayBegan,
    PlayEnded,
    Replied,
    Reply,
    SetAside,
    Speak,
    TookLeave,
    Walk,
    Wished,
)
from sandbox.play.system import carry_out


def _check(w: HasPlay, state: PlayedState, now: int) -> None:
    """Raise ValueError for a state that cannot be of this world."""
    named = {state.who, *(x for p in (state.wish,) if p for x in (p.whom,)), *(p.other for p in (state.put,) if p)}
    if not named - {""} <= w.cast.keys():
        raise ValueError("somebody is played who is not there")
    if state.heading >= w.map.width * w.map.height:
        raise ValueError("whoever is played has set out for a tile that is not there")


def _again_bid(e: Bidden, at: Any) -> Bid:
    return Bid(by=at.actor, do=e.block.do, where=e.block.where, lasts=e.block.end - e.block.start)


PLAY = Domain(
    "play",
    states=(State("played", PlayedState, lambda w: PlayedState(), _check, later=True),),
    handlers=HANDLERS,
    systems=(System(lambda: carry_out, (Place.PLAYED,)),),
    commands=COMMANDS,
    again={
        PlayBegan: lambda e, at: Play(by=at.actor),
        PlayEnded: lambda e, at: GiveBack(by=at.actor),
        Aside: lambda e, at: SetAside(by=at.actor, on=e.on),
        Headed: lambda e, at: Walk(by=at.actor, x=e.x, y=e.y),
        Bidden: _again_bid,
        Wished: lambda e, at: Speak(by=at.actor, whom=e.whom, do=e.do, aim=e.aim, words=e.words),
        Replied: lambda e, at: Reply(by=at.actor, how=e.how, words=e.words),
        TookLeave: lambda e, at: Leave(by=at.actor),
    },
    answers=ANSWERS,
)
