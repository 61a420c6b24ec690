"""Bets as a domain: the tally, the command by which one is placed, and the system that settles them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandbox.core.domain import CommandEvent, Domain, Phase, State, System
from sandbox.core.events import Event, Stamp, r6
from sandbox.core.faults import unknown
from sandbox.core.plain import count_of
from sandbox.core.protocols import Step
from sandbox.director.bet_offers import (
    BADLY,
    NO,
    WELL,
    YES,
    Bet,
    BetPlaced,
    BetSettled,
    BetState,
    HasBets,
    Result,
    bet_offers,
    fair_odds,
)
from sandbox.director.history import opens
from sandbox.director.unmet_conditions import ending_sentence

OFF = "off"
NOTHING = "there was nothing left to decide"


def place_bet(w: HasBets, c: Bet) -> Sequence[CommandEvent]:
    """The events of placing a bet. Raises ValueError, with a sentence for the player, if it cannot be placed."""
    found = {x.on: x for x in bet_offers(w)}
    offer = found.get(c.on)
    if offer is None:
        if not found:
            raise ValueError("nothing falls due that can be bet on now; come back later in the day")
        raise ValueError(f"there is {unknown('bet', c.on, found)}")
    if c.side not in offer.chances:
        raise ValueError(f"{offer.says} has {unknown('side', c.side, offer.chances)}")
    twice = next((x for x in w.bets.open.values() if (x.on, x.side) == (c.on, c.side)), None)
    if twice is not None:
        stake = count_of(twice.stake, "point")
        raise ValueError(
            f"you have bet {stake} on that already ({twice.says}); bet on another side, or on something else"
        )
    if c.stake > w.bets.points:
        left = count_of(w.bets.points, "point")
        raise ValueError(f"a stake of {c.stake} is more than the {left} you have; bet less")
    chance = r6(offer.chances[c.side])
    event = BetPlaced(
        c.on, offer.sort, c.side, c.stake, f"{offer.says}: {offer.names[c.side]}", chance, fair_odds(chance), offer.t
    )
    return (*opens(w, c.before), CommandEvent(event))


def apply_bet_placed(w: HasBets, e: BetPlaced, stamp: Stamp) -> None:
    if e.stake > w.bets.points:
        raise ValueError(f"nobody has {e.stake} points to bet")
    w.bets.points -= e.stake
    w.bets.open[stamp.seq] = e


def apply_bet_settled(w: HasBets, e: BetSettled, stamp: Stamp) -> None:
    del w.bets.open[e.bet]
    w.bets.points = e.tally
    w.bets.won += e.how == "won"
    w.bets.lost += e.how == "lost"


HANDLERS: dict[type[Event], Callable[..., None]] = {BetPlaced: apply_bet_placed, BetSettled: apply_bet_settled}


async def settle_bets(step: Step, w: HasBets) -> None:
    """Settle the bets that are decided. Emits no event in a town without bets."""
    for seq, x in [*w.bets.open.items()]:
        found = _came(w, seq, x, step.end)
        if found is None:
            continue
        side, came, of = found
        how: Result = "void" if side == OFF else "won" if side == x.side else "lost"
        back = {"void": x.stake, "won": round(x.stake * x.pays), "lost": 0}[how]
        step.emit(BetSettled(seq, how, back - x.stake, x.says, came, w.bets.points + back), causes=(seq, *of))


def _came(w: HasBets, seq: int, x: BetPlaced, end: int) -> tuple[str, str, tuple[int, ...]] | None:
    """(winning side, how it came out, ids of the deciding event); None while the bet is open. seq: the bet's event;
    end: second up to which everything is decided.
    """
    if x.sort == "matter":
        for c in reversed(w.annals.ended):
            if c.seq < seq:
                break
            if c.course.id == x.on:
                return (WELL if c.good else BADLY), ending_sentence(w, c), (c.seq,)
        return None
    for v in reversed(w.annals.decided):
        if v.seq > seq and f"{v.occasion}@{w.clock.day(v.t)}" == x.on:
            side = v.winner if x.sort == "contest" and v.how != OFF else v.how if v.how in (YES, NO) else OFF
            return side, v.says, (v.seq,)
    return (OFF, NOTHING, ()) if x.due < end else None


def _check(w: Any, state: BetState, now: int) -> None:
    """Raise ValueError for a state that is impossible in this world."""
    if state.points < 0 or any(seq < 2 for seq in state.open):
        raise ValueError("other bets")


BETS = Domain(
    "bets",
    states=(State("bets", BetState, lambda w: BetState(), _check, later=True),),
    handlers=HANDLERS,
    systems=(System(lambda: settle_bets, (Phase.BETS,)),),
    commands={Bet: place_bet},
    again={BetPlaced: lambda e, at: Bet(on=e.on, side=e.side, stake=e.stake)},
)
