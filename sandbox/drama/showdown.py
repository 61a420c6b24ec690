"""A showdown as an event: two have it out in public, and all who have a stake take a side. Its effects on the state and
the memories of those present. When it starts and how it is played: scene.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp
from sandbox.drama.taking_sides import ABOUT, PEACE
from sandbox.people.beliefs import BeliefUpdate, Fact, believe
from sandbox.people.memory import Memories
from sandbox.people.model import set_due
from sandbox.people.pressure_deck import VERDICTS
from sandbox.people.pressure_handlers import check_residents, happening, turn_feelings
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.people.ties import pair_key
from sandbox.talk.model import HasTalk, ScoredRule, Utterance

SHOWDOWN = "showdown"  # `how` of a pressure's event that a showdown brought about
WEEK = 7 * DAY  # period over which showdowns are counted
PACE = 30  # seconds per turn
OWN, LOOKED_ON = 8, 6  # poignancy for those who spoke, and for those who looked on


class ShowdownTurn(msgspec.Struct, frozen=True, array_like=True):
    """One thing said in it. to: to whom; side: holder, about or peace; why: the rules, with their sum in score (above
    0: for the holder; for one of the two: gives way).
    """

    line: Utterance
    to: str
    side: str
    score: float = 0.0
    why: tuple[ScoredRule, ...] = ()


class Showdown(Event, frozen=True):
    """The actor has called somebody to account in public. id: the pressure; two: its holder and whom it is about;
    where: an address; about: the stakes; verdict: holder or about (who is in the right), peace or broken; says: the
    outcome, a sentence; there: the onlookers; pace: seconds between turns; told: new beliefs of all present; feelings:
    as changed.
    """

    KIND: ClassVar[str] = SHOWDOWN
    id: str
    two: tuple[str, str]
    where: str
    about: str
    verdict: str
    end: str
    says: str
    turns: tuple[ShowdownTurn, ...]
    there: tuple[str, ...] = ()
    pace: int = PACE
    told: tuple[BeliefUpdate, ...] = ()
    feelings: tuple[Turned, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return self.speakers

    @property
    def speakers(self) -> tuple[str, ...]:
        """All who spoke, in the order of their first turn."""
        return tuple(dict.fromkeys(turn.line.who for turn in self.turns))

    def stood_by(self, side: str) -> list[str]:
        """All but the two who took this side."""
        return [who for who in self.speakers if who not in self.two and self.side(who) == side]

    def side(self, who: str) -> str:
        """The side of one of the speakers."""
        return next(turn.side for turn in self.turns if turn.line.who == who)


def apply_showdown(w: HasTalk, e: Showdown, stamp: Stamp) -> None:
    check_residents(w, *e.two, *e.speakers, *e.there, *(turn.to for turn in e.turns))
    p = w.pressures.open[e.id]
    if e.verdict not in VERDICTS or e.two != (p.holder, p.about):
        raise ValueError(f"no such showdown can be: {e.verdict} {e.id}")
    believe(w, e.told, {"": came_of(w, p, e.end, e.where, stamp.seq)}, stamp)
    turn_feelings(w, e.feelings, stamp)
    state = w.showdowns
    state.held = {thread: t for thread, t in state.held.items() if stamp.t - t < WEEK} | {p.thread: stamp.t}
    for who in e.speakers:
        for other in e.speakers:
            if who < other:
                w.talk.last[pair_key(who, other)] = stamp.t
    over = stamp.t + e.pace * len(e.turns)
    for who in (*e.speakers, *e.there):
        if not w.people.residents[who].talk:
            set_due(w.people, who, max(over, w.people.residents[who].due))


def came_of(w: HasTalk, p: ActivePressure, end: str, where: str, seq: int = 0) -> Fact:
    """The outcome as a fact that can be known."""
    good = w.drama.kinds[p.kind].ends[end].good
    return happening(p, end, p.holder, p.about, where, 0 if good else 1, seq, good)


def remember_showdown(memories: Memories, e: Showdown, stamp: Stamp) -> None:
    name = memories.lexicon.name
    for turn in e.turns:
        memories.spoken.say(turn.line.who, turn.to, turn.line.variants, -1, stamp.t)
    two = f"{name(e.two[0])} and {name(e.two[1])}"
    for who in (*e.speakers, *e.there):
        others = tuple(x for x in (*e.two, *e.speakers) if x != who)
        if who in e.two:
            text = f"had it out with {name(others[0])} before everybody"
        elif who in e.there:
            text = f"saw {two} have it out before everybody"
        elif e.side(who) == PEACE:
            text = f"asked {two} before everybody to make peace"
        else:
            text = f"stood by {name(e.two[e.side(who) == ABOUT])} before everybody"
        words = f"{text}: {e.about}; {e.says}"
        memories.keep(
            who, stamp, "event", words, tuple(dict.fromkeys(others)), LOOKED_ON if who in e.there else OWN, form="deed"
        )


HANDLERS: dict[type[Event], Callable[..., None]] = {Showdown: apply_showdown}
REMEMBER: dict[type[Event], Callable[[Memories, Any, Stamp], None]] = {Showdown: remember_showdown}
