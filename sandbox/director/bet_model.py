"""A bet, the tally, and the command and events of them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec

from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.core.text import percents
from sandbox.director.goal_model import HasAims
from sandbox.director.history import AnnalsOpened

PURSE = 100  # points that a player begins with; they are nobody's coins
LEAST = 1
CAP = 20.0  # what a point pays at most
Sort = Literal["vote", "contest", "matter"]
Result = Literal["won", "lost", "void"]
Points = Annotated[int, msgspec.Meta(ge=LEAST, le=1_000_000)]


class BetOffer(NamedTuple):
    """Something that falls due and can be bet on. on: an occasion and its day, "council_vote@3", or the id of a
    pressure. says: what it is; t: its hour. chances: side -> probability; names: side -> what it is called.
    """

    on: str
    sort: Sort
    says: str
    t: int
    chances: dict[str, float]
    names: dict[str, str]

    @property
    def percents(self) -> dict[str, int]:
        """Side -> its chance in whole percents, the likeliest first; "" = of whoever is no side. They add up to 100."""
        sides = dict(sorted(self.chances.items(), key=lambda one: -one[1]))
        found = percents({**sides, "": max(0.0, 1.0 - sum(sides.values()))})
        return {side: n for side, n in found.items() if side or n}

    def called(self, side: str) -> str:
        """What comes about where a side wins."""
        return self.names[side] if side else "anybody else wins"

    def pays(self, side: str) -> float:
        """What a point on a side comes back as, if it is right."""
        return fair_odds(self.chances[side])


def fair_odds(chance: float) -> float:
    """Fair odds: 1/p, at most CAP, with two decimals."""
    return round(min(CAP, 1.0 / max(chance, 1.0 / CAP)), 2)


class Bet(Command, frozen=True):
    """Bet points on a side of something that falls due. on, side: as of `Offer`; before: as of `ChooseGoal`."""

    on: str
    side: str
    stake: Points
    before: AnnalsOpened = AnnalsOpened()


class BetPlaced(Event, frozen=True):
    """The player has bet. says: on what, and on which side, in words; chance: of that side as it was then; pays: what a
    point comes back as; due: the hour of what it is on.
    """

    KIND: ClassVar[str] = "bet_placed"
    BY_HAND: ClassVar[bool] = True
    on: str
    sort: Sort
    side: str
    stake: Points
    says: str
    chance: Annotated[float, msgspec.Meta(ge=0, le=1)]
    pays: Annotated[float, msgspec.Meta(ge=1, le=CAP)]
    due: int


class BetSettled(Event, frozen=True):
    """What was bet on is decided. bet: the event it was placed in; how: "won", "lost" or "void" (nothing was decided);
    gain: points since it was placed, the stake taken off; came: how it came out, a clause; tally: after it.
    """

    KIND: ClassVar[str] = "bet_settled"
    CITES: ClassVar[tuple[str, ...]] = ("bet",)
    bet: int
    how: Result
    gain: Annotated[int, msgspec.Meta(ge=-1_000_000, le=20_000_000)]
    says: str
    came: str
    tally: Annotated[int, msgspec.Meta(ge=0)]


class BetState(msgspec.Struct):
    """open: bets by the event they were placed in. points: what is left to bet with. won, lost: how many were."""

    open: dict[int, BetPlaced] = msgspec.field(default_factory=dict)
    points: int = PURSE
    won: int = 0
    lost: int = 0


class HasBets(HasAims):
    """The part of a world that these rules touch."""

    bets: BetState
