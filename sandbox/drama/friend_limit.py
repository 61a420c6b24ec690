"""Limit on friendships: at day's end, closeness beyond a person's capacity is taken from the ties with the least recent
talk. Housemates stay close without talking. The system, its event and its handler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sandbox.core.events import Event, r6
from sandbox.core.protocols import Step
from sandbox.people.guest_model import in_town
from sandbox.people.ties import Tie, closeness_at, crowded_out
from sandbox.talk.closing import related
from sandbox.talk.model import HasTalk, Relation
from sandbox.talk.pressure_aims import pressures_run


class Drifted(Event, frozen=True):
    """How the actor's ties changed at day's end, beside talks: what some lost to those that grew, and ties kept alive
    by a shared home (change 0).
    """

    KIND: ClassVar[str] = "drifted"
    relations: tuple[Relation, ...]


HANDLERS: dict[type[Event], Callable[..., None]] = {Drifted: lambda w, e, at: related(w, e.relations, at)}


async def drift_ties(step: Step, w: HasTalk) -> None:
    """Adjust everybody's ties in the slice in which a day ends."""
    day = w.clock.day(step.now)
    if pressures_run(w) and w.tie_parameters.room and w.clock.day(step.end) != day:
        for who, ties in w.people.ties.items():
            if in_town(w, who):
                _drift(step, w, who, ties, day)


def _drift(step: Step, w: HasTalk, who: str, ties: dict[str, Tie], day: int) -> None:
    """Take one person's excess closeness from the ties that were not fed, and keep the ties at home from fading."""
    p, house = w.tie_parameters, w.cast[who].household
    home = {v for v in ties if w.cast[v].household == house}
    close = {v: closeness_at(tie, day if v in home else day + 1, p) for v, tie in ties.items()}
    grown = {v: today for v, tie in ties.items() if (today := _today(tie, day))}
    most = max(grown, key=lambda v: (grown[v], v), default="")
    over = sum(close.values()) - p.room if grown else 0.0
    gives = crowded_out(((tie.last_talk, close[v], v) for v, tie in ties.items() if v not in home), over)
    out = []
    for v, tie in ties.items():
        after, why = r6(close[v] - gives.get(v, 0.0)), ""
        if v in gives:
            why = f"has less time for {w.handbook.name(v)}"
            why += f", and more for {w.handbook.name(most)}" if v != most else ""
        elif v not in home or tie.day == day or not after:
            continue
        out.append(Relation(who, v, 0.0, tie.feeling, r6(after - close[v]), after, _today(tie, day), why))
    if out:
        fed = [c.seq for c in ties[most].causes if c.what == "closeness" and c.seq] if gives else []
        step.emit(Drifted(tuple(out)), t=max(step.now, w.last.get(who, 0)), actor=who, causes=tuple(fed[-1:]))


def _today(tie: Tie, day: int) -> float:
    """How much a tie has grown today."""
    return tie.grown if tie.day == day else 0.0
