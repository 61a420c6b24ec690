"""Bets: an offer, a bet, the tally of points, and the command and events."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec

from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.core.text import percents
from sandbox.director.goal_model import HasAims
from sandbox.director.history import AnnalsOpened

PURSE = 100  # points that a player begins with; they are not anybody's coins
LEAST = 1
CAP = 20.0  # the most that one point pays
Sort = Literal["vote", "contest", "matter"]
Result = Literal["won", "lost", "void"]
Points = Annotated[int, msgspec.Meta(ge=LEAST, le=1_000_000)]


class BetOffer(NamedTuple):
    """Something undecided that can be bet on. on: an occasion and its day, "council_vote@3", or the id of a pressure.
    says: what it is; t: second it is decided; chances: side -> probability; names: side -> its name.
    """

    on: str
    sort: Sort
    says: str
    t: int
    chances: dict[str, float]
    names: dict[str, str]

    @property
    def percents(self) -> dict[str, int]:
        """Side -> chance in whole percent, likeliest first, adding up to 100; "" stands for all who are no side."""
        sides = dict(sorted(self.chances.items(), key=lambda one: -one[1]))
        found = percents({**sides, "": max(0.0, 1.0 - sum(sides.values()))})
        return {side: n for side, n in found.items() if side or n}

    def called(self, side: str) -> str:
        """The outcome in words if this side wins."""
        return self.names[side] if side else "anybody else wins"

    def pays(self, side: str) -> float:
        """The points paid back for one point on a side that wins."""
        return fair_odds(self.chances[side])


def fair_odds(chance: float) -> float:
    """Fair odds: 1/p, at most CAP, with two decimals."""
    return round(min(CAP, 1.0 / max(chance, 1.0 / CAP)), 2)


class Bet(Command, frozen=True):
    """Bet points on a side of a `BetOffer`. on, side: as there; before: as in `ChooseGoal`."""

    on: str
    side: str
    stake: Points
    before: AnnalsOpened = AnnalsOpened()


class BetPlaced(Event, frozen=True):
    """The player has bet. says: the bet in words; chance: of that side at that time; pays: points paid back for one
    point; due: second at which it is decided.
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
    """A bet is decided. bet: the event that placed it; how: "won", "lost" or "void" (nothing was decided); gain: points
    paid back less the stake; came: the outcome, a clause; tally: points afterwards.
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
    """open: bets by the event that placed them. points: left to bet with. won, lost: number of bets."""

    open: dict[int, BetPlaced] = msgspec.field(default_factory=dict)
    points: int = PURSE
    won: int = 0
    lost: int = 0


class HasBets(HasAims):
    """The part of a world that these rules touch."""

    bets: BetState
