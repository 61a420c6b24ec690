"""Money that changes hands: what an act costs, the events of it, and what they do to purses and memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.people.memory import Memories
from sandbox.people.model import CurrentAct, HasPeople
from sandbox.people.purse import SATED, Coins, Sum, spare
from sandbox.town.plan import sector_of

FEW = 10  # coins that nobody gives away as a part of a debt
DEBT, PART, LOAN = "a debt", "a part of a debt", "a loan"  # what is paid to a person
GIFT = "a gift"  # and what is given


class Paid(Event, frozen=True):
    """The actor pays for a thing, or pays somebody. what: the thing, or DEBT, PART, LOAN, GIFT; to: a person, or "".
    left: coins the actor then has. debt: the pressure it is paid for, or "".
    """

    KIND: ClassVar[str] = "paid"
    amount: Annotated[int, msgspec.Meta(ge=1)]
    what: str
    left: Coins
    to: str = ""
    debt: str = ""

    def touches(self) -> tuple[str, ...]:
        return (self.to,) if self.to else ()


class Lacked(Event, frozen=True):
    """The actor cannot pay for a thing of this price. seen: the friend who is there and lends, or "". It changes
    nothing; it explains what comes of it.
    """

    KIND: ClassVar[str] = "lacked"
    what: str
    price: Sum
    seen: str = ""

    def touches(self) -> tuple[str, ...]:
        return (self.seen,) if self.seen else ()


class Earned(Event, frozen=True):
    """Pay day: the wages of the week. wages: person -> coins."""

    KIND: ClassVar[str] = "earned"
    wages: dict[str, Sum]


def cost(w: HasPeople, who: str, act: CurrentAct) -> tuple[str, int]:
    """What an act is paid for and its price; ("", 0) if it is free.

    Nobody pays at a home or where they work or live, nor again for what they have just paid for.
    """
    deck, money = w.handbook, w.money
    if money is None:
        return "", 0
    do, block = deck.activities.get(act.do), deck.deck.blocks.get(act.block)
    costs = (do.costs if do else {}) or (block.costs if block else {})
    if not costs:
        return "", 0
    area = w.map.areas[act.where]
    sector, me = area.sector.name, w.cast[who]
    if "home" in area.arena.tags or sector in (sector_of(me.work), me.home.partition(" / ")[0]):
        return "", 0
    thing = next((thing for place, thing in costs.items() if place in ("", sector, *area.arena.tags)), "")
    price = money.prices.get(thing, 0)
    purse = w.people.residents[who].purse
    if not price or (purse.thing == thing and act.until - act.seconds - purse.t < SATED):
        return "", 0
    return thing, price


def affords(w: HasPeople, who: str, act: CurrentAct) -> bool:
    """Whether somebody can pay for an act that begins."""
    return cost(w, who, act)[1] <= w.people.residents[who].purse.coins


def has(w: HasPeople, who: str, amount: int) -> bool:
    """Whether somebody has so many coins. In a world without money nobody lacks any."""
    return w.money is None or amount <= w.people.residents[who].purse.coins


def some_of(w: HasPeople, who: str, amount: int) -> int:
    """How much of a sum somebody can pay and still have a little: at most half of it; 0 if they can pay none."""
    if w.money is None:
        return 0
    return max(0, min(amount // 2, (w.people.residents[who].purse.coins - FEW) // 2))


def ease(w: HasPeople, me: str, amount: int, payer: str) -> float:
    """How easily `me` can do without a sum that `payer` owes, in [-1, 1]; 0 for a debt that is none of money."""
    if w.money is None or not amount:
        return 0.0
    return spare(w.people.residents[me].purse.coins - (amount if me == payer else 0))


def pay(
    step: Step, w: HasPeople, who: str, amount: int, what: str, t: int, cause: int, to: str = "", debt: str = ""
) -> int:
    """Have somebody pay a sum that they have. Returns the event's number."""
    left = w.people.residents[who].purse.coins - amount
    return step.emit(Paid(amount, what, left, to, debt), t=t, actor=who, causes=(cause,))


def apply_payment(w: HasPeople, e: Paid, stamp: Stamp) -> None:
    purse = w.people.residents[stamp.actor].purse
    if e.to == stamp.actor or e.left != purse.coins - e.amount:
        raise ValueError(f"{stamp.actor} cannot have paid that: {e.amount} of {purse.coins}")
    other = w.people.residents[e.to].purse if e.to else None
    purse.coins = e.left
    if other is not None:
        other.coins += e.amount
    else:
        purse.thing, purse.t = e.what, stamp.t


def apply_wages(w: HasPeople, e: Earned, stamp: Stamp) -> None:
    purses = [(w.people.residents[who].purse, coins) for who, coins in e.wages.items()]
    for purse, coins in purses:
        purse.coins += coins


def _nothing(w: HasPeople, e: Lacked, stamp: Stamp) -> None:
    """No purse has changed."""


HANDLERS: dict[type[Event], Callable[..., None]] = {Paid: apply_payment, Earned: apply_wages, Lacked: _nothing}


def remember_paid(memories: Memories, e: Paid, stamp: Stamp) -> None:
    if e.to:
        what, sum_ = e.what, spelt(e.amount)
        memories.keep(
            stamp.actor, stamp, "event", f"paid {memories.lexicon.name(e.to)} {sum_}: {what}", (e.to,), 3, form="deed"
        )
        memories.keep(
            e.to,
            stamp,
            "event",
            f"was paid {sum_} by {memories.lexicon.name(stamp.actor)}: {what}",
            (stamp.actor,),
            3,
            form="deed",
        )


REMEMBER: dict[type[Event], Callable[..., None]] = {Paid: remember_paid}
