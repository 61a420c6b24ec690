"""Bets: the command and its events, and what can be bet on now (votes, contests and matters that fall due), with the
odds of each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.core.text import percents
from sandbox.director.goal_domain import HasAims
from sandbox.director.history import AnnalsOpened
from sandbox.drama.outcomes import LUCK, UNSURE, form, vote_rules
from sandbox.people.paying import ease, has
from sandbox.people.planning import block_at, resolve
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import awaits_occasion, intensity_at
from sandbox.talk.content import tie_of
from sandbox.talk.pressure_aims import pressures_run
from sandbox.town.plan import VOTE, Decision, Occasion, arena_of

PURSE = 100  # points that a player begins with; they are not anybody's coins
CAP = 20.0  # the most that one point pays
Sort = Literal["vote", "contest", "matter"]
Result = Literal["won", "lost", "void"]
Points = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


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


LONG = 24.0  # hours; further ahead than this the spread grows no more
VOTES, FORMS = 0.15, 0.08  # standard deviations of a voter's score and of a contestant's, LONG before the hour
CELL = 0.01  # width of a cell of the grid on which scores and luck are added up
REACH = 4.0  # standard deviations; the tails beyond are ignored

Grid = NDArray[np.float64]


def score_spread(most: float, left: int) -> float:
    """Standard deviation of how far a score may still move in `left` seconds. most: that at LONG hours or more."""
    return most * math.sqrt(min(LONG, max(0.0, left / HOUR)) / LONG)


def normal(x: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def votes_yes(score: float, sd: float) -> float:
    """The probability of a yes: the mean of clip(1/2 + 1/2 score/UNSURE) over a normal spread of the score."""
    if sd <= 0:
        return min(1.0, max(0.0, 0.5 + 0.5 * score / UNSURE))
    steps = np.linspace(-REACH, REACH, 81)
    weights = np.exp(-0.5 * steps * steps)
    yes = np.clip(0.5 + 0.5 * (score + sd * steps) / UNSURE, 0.0, 1.0)
    return float((weights * yes).sum() / weights.sum())


def majority(voters: Sequence[tuple[float, float]], least: int) -> tuple[float, float, float]:
    """Probabilities (yes, no, off) of a vote. voters: for each the probability of being there, and that of a yes;
    least: quorum, below which the vote is off. A tie is a no.
    """
    table = {(0, 0): 1.0}
    for there, yes in voters:
        grown: dict[tuple[int, int], float] = {}
        for (y, n), p in table.items():
            for key, q in (((y + 1, n), there * yes), ((y, n + 1), there * (1.0 - yes)), ((y, n), 1.0 - there)):
                if q:
                    grown[key] = grown.get(key, 0.0) + p * q
        table = grown
    off = sum(p for (y, n), p in table.items() if y + n < least)
    won = sum(p for (y, n), p in table.items() if y + n >= least and y > n)
    return won, max(0.0, 1.0 - off - won), off


@cache
def _luck(sd: float) -> tuple[float, Grid]:
    """(lowest value, cell probabilities) of luck plus spread: a triangle of half width LUCK and a normal."""
    half = round((LUCK + REACH * sd) / CELL) + 1
    x = np.arange(-half, half + 1) * CELL
    triangle = np.maximum(0.0, 1.0 - np.abs(x) / LUCK)
    if sd > 0:
        bell = np.exp(-0.5 * (x / sd) ** 2)
        triangle = np.convolve(triangle, bell, "same")
    return float(x[0]), triangle / triangle.sum()


def win_chances(entrants: Sequence[tuple[float, float]], sd: float) -> tuple[list[float], float]:
    """(each entrant's probability of winning, probability that fewer than two come) of a contest. entrants: for each
    the probability of being there, and the score by the rules.
    """
    if not entrants:
        return [], 1.0
    low, luck = _luck(round(sd, 3))
    scores = [score for _, score in entrants]
    first = min(scores) + low
    cells = round((max(scores) - min(scores)) / CELL) + len(luck) + 2
    densities = np.zeros((len(entrants), cells))
    for i, score in enumerate(scores):
        at = round((score + low - first) / CELL)
        densities[i, at : at + len(luck)] = luck
    there = np.array([p for p, _ in entrants])
    beaten = 1.0 - there[:, None] + there[:, None] * (np.cumsum(densities, axis=1) - densities / 2)
    wins, off = [], float(np.prod(1.0 - there))
    for i, p in enumerate(there):
        alone = float(p * np.prod(np.delete(1.0 - there, i)))
        others = np.prod(np.delete(beaten, i, axis=0), axis=0)
        wins.append(max(0.0, float(p * (densities[i] * others).sum()) - alone))
        off += alone
    return wins, min(1.0, off)


# kind -> weights of the features (see `matter_features`); a kind that is not listed has no odds
WEIGHTS: dict[str, tuple[float, ...]] = {
    "debt": (0.43, -1.46, -0.34, 0.52, 0.03, 0.87, -0.28, 0.00, 1.90, 1.82),
    "promise": (0.16, -0.10, 0.54, 0.24, 0.01, 0.00, -1.09, 0.00, 0.31, -0.01),
    "ambition": (-3.45, 1.56, 0.07, 0.40, -0.17, 0.00, 0.08, -0.41, 1.03, 0.31),
}
LEAST = 0.05  # estimates are kept within [LEAST, 1 - LEAST]


def matter_features(w: HasBets, p: ActivePressure, t: int) -> tuple[float, ...]:
    """The features of a matter: 1 (bias), stage, intensity, hours left, whether its holder has the money and how
    easily, what has been tried, how often it was refused, and the feelings of the two for each other.
    """
    a, b = p.holder, p.about
    return (
        1.0,
        float(p.stage),
        intensity_at(p, t, w.pressure_parameters),
        math.log1p(max(0.0, (p.due - t) / HOUR)),
        1.0 if has(w, a, p.amount) else 0.0,
        ease(w, a, p.amount, a),
        math.log1p(len(p.tried)),
        float(min(3, p.refused)),
        tie_of(w, a, b).feeling if b else 0.0,
        tie_of(w, b, a).feeling if b else 0.0,
    )


def goes_well(w: HasBets, p: ActivePressure, t: int) -> float | None:
    """The probability that a matter ends well; None for a kind without weights."""
    weights = WEIGHTS.get(p.kind)
    if weights is None:
        return None
    z = sum(x * y for x, y in zip(weights, matter_features(w, p, t), strict=True))
    return min(1.0 - LEAST, max(LEAST, 1.0 / (1.0 + math.exp(-z))))


AHEAD = DAY  # seconds before its hour from which something can be bet on
CLOSED = 10 * MINUTE  # seconds before its hour from which it no longer can
# Probability of being there: the plan says so; no plan yet for that hour; the plan says elsewhere.
PLANNED, USUAL, ELSEWHERE = 0.98, 0.97, 0.05
SHOWN = 0.02  # chance below which a contestant is not offered as a side
YES, NO, WELL, BADLY = "yes", "no", "well", "badly"


def bet_offers(w: HasBets) -> list[BetOffer]:
    """All that can be bet on now, the soonest first."""
    if not pressures_run(w):
        return []
    return sorted([*_occasions(w), *_matters(w)], key=lambda x: (x.t, x.on))


def _timely(w: HasBets, t: int) -> bool:
    return w.now + CLOSED <= t <= w.now + AHEAD


# ---- occasions


def _occasions(w: HasBets) -> Iterator[BetOffer]:
    for day in (w.clock.day(w.now), w.clock.day(w.now) + 1):
        for o in w.calendar.on(day):
            d = o.decides
            t = w.calendar.hour(o, day)
            if d is None or not _timely(w, t) or not _pending(w, o, d):
                continue
            chances = _vote(w, o, d, t) if d.kind == VOTE else _contest(w, o, d, t)
            if chances:
                yield _offer(w, o, d, f"{o.id}@{day}", t, chances)


def _pending(w: HasBets, occasion: Occasion, decision: Decision) -> bool:
    """Whether an occasion still decides something: a recurring one only while a matter that it settles is open."""
    return bool(occasion.on) or not decision.settles or any(id in w.pressures.open for id in decision.settles)


def _offer(w: HasBets, occasion: Occasion, decision: Decision, on: str, t: int, chances: dict[str, float]) -> BetOffer:
    if decision.kind == VOTE:
        return BetOffer(
            on,
            "vote",
            f"{occasion.title}: {decision.about}",
            t,
            chances,
            {YES: "it is carried", NO: "it is not carried"},
        )
    names = {who: f"{w.handbook.name(who)} wins" for who in chances}
    return BetOffer(on, "contest", f"{occasion.title}: {decision.about}", t, chances, names)


def there(w: HasBets, who: str, occasion: Occasion, t: int) -> float:
    """The probability that somebody is at an occasion's place at second t."""
    plan, where = w.people.residents[who].plan, resolve(w.cast[who], occasion.where)
    if plan and plan[0].start <= t < plan[-1].end:
        return PLANNED if arena_of(plan[block_at(w.people.residents[who], t)].where) == where else ELSEWHERE
    return USUAL if who in occasion.who else ELSEWHERE


def _vote(w: HasBets, occasion: Occasion, decision: Decision, t: int) -> dict[str, float]:
    """Chances of yes and no, given that the vote takes place."""
    sd = score_spread(VOTES, t - w.now)
    voters = [
        (there(w, who, occasion, t), votes_yes(sum(rule.value for rule in vote_rules(w, decision, who, w.now)), sd))
        for who in decision.who
    ]
    yes, no, _ = majority(voters, decision.least)
    return {YES: yes / (yes + no), NO: no / (yes + no)} if yes + no > 0 else {}


def _contest(w: HasBets, occasion: Occasion, decision: Decision, t: int) -> dict[str, float]:
    """Chances of each contestant, given that the contest takes place."""
    sd = score_spread(FORMS, t - w.now)
    entrants = [
        (there(w, who, occasion, t), sum(rule.value for rule in form(w, decision, who, w.now))) for who in decision.who
    ]
    wins, _ = win_chances(entrants, sd)
    whole = sum(wins)
    if whole <= 0:
        return {}
    return {who: win / whole for who, win in zip(decision.who, wins, strict=True) if win / whole >= SHOWN}


# ---- matters


def _matters(w: HasBets) -> Iterator[BetOffer]:
    for p in w.pressures.open.values():
        if p.due < 0 or not _timely(w, p.due) or awaits_occasion(w, p, w.now):
            continue
        well = goes_well(w, p, w.now)
        if well is None:
            continue
        says = w.drama.kinds[p.kind].says.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))
        yield BetOffer(
            p.id, "matter", says, p.due, {WELL: well, BADLY: 1.0 - well}, {WELL: "it ends well", BADLY: "it does not"}
        )
