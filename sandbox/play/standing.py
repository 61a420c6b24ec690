"""The rule of the command by which the player takes a stance on a turning point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sandbox.core.domain import Again, Command, CommandEvent, Rule
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.people.played import is_played
from sandbox.play.command_rules import speak
from sandbox.play.handlers import wished
from sandbox.play.model import HasPlay, Speak, StanceTaken, Stand, Wished
from sandbox.play.turning import STANCES, choices, pending


def stand(w: HasPlay, c: Stand) -> Sequence[CommandEvent]:
    """They let it be, or mean to say what the stance is. Raises ValueError, with a sentence, if impossible."""
    name = w.handbook.name(c.by) if c.by else "nobody"
    if not c.by or not is_played(w, c.by):
        raise ValueError(f"{name} is not in your hands")
    point = pending(w)
    if point is None:
        raise ValueError(f"nothing waits for a stance from {name}")
    choice = next((x for x in choices(w, point) if x.stance == c.how), None)
    if choice is None:
        raise ValueError(f"there is {unknown('stance', c.how, STANCES)}")
    causes = (w.played.turning.seq,)
    if choice.stance == "let_be":
        return (CommandEvent(StanceTaken("let_be", point.matter, point.whom), c.by, causes),)
    if choice.offer is None:
        raise ValueError(choice.why_not)
    said = Speak(by=c.by, whom=choice.whom, do=choice.offer.do, aim=choice.offer.aim, words=c.words)
    *first, (wish, _, _) = speak(w, said)
    assert isinstance(wish, Wished)
    return (*first, CommandEvent(StanceTaken(choice.stance, point.matter, point.whom, wish), c.by, causes))


def apply_stance_taken(w: HasPlay, e: StanceTaken, stamp: Stamp) -> None:
    w.played.turning.point = None
    if e.wish is not None:
        wished(w, e.wish, stamp)


HANDLERS: dict[type[Event], Callable[..., None]] = {StanceTaken: apply_stance_taken}
COMMANDS: Mapping[type[Command], Rule] = {Stand: stand}
AGAIN: Mapping[type[Event], Again] = {
    StanceTaken: lambda e, at: Stand(by=at.actor, how=e.stance, words=e.wish.words if e.wish is not None else ""),
}
