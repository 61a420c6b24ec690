"""Coins that somebody who is played hands to another: a gift, a loan, or what is owed."""

from __future__ import annotations

from sandbox.core.clock import DAY
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.drama.consequences import free_moment, move_pressure
from sandbox.drama.new_pressures import bear
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.paying import GIFT, PART, has, pay
from sandbox.people.played import GIVE, LEND, PAY, TalkWish, given_key
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import pressures_between
from sandbox.play.model import Handed, HasPlay
from sandbox.talk.content import feeling_change, tie_of
from sandbox.talk.pressure_aims import DEBT, ending_pays

HANDS = {GIVE: "give them {amount}", LEND: "lend them {amount}", PAY: "pay them {amount} of what is owed"}
LOAN = "coins_lent"  # the child of the deck that a loan is
PROUD = -0.3  # feeling below which nobody takes a gift or a loan
WARMS, MORE, HALF = 0.02, 0.08, 10  # what a gift warms: at least, by how much more, and the coins that are half of that
GRATEFUL, TURNED_DOWN = 0.4, 0.3  # size of the feelings


def oldest_debt(w: HasPlay, me: str, other: str) -> ActivePressure | None:
    """The debt of coins that one has with another, the oldest of several."""
    found = pressures_between(w.pressures, me, other)
    return min((p for p in found if p.kind == DEBT and p.holder == me and p.amount), key=lambda p: p.seq, default=None)


def takes(w: HasPlay, me: str, other: str, how: str) -> bool:
    """Whether somebody takes it: what is owed always, a gift or a loan of nobody they cannot stand."""
    return how == PAY or tie_of(w, other, me).feeling >= PROUD


def no_hand(w: HasPlay, me: str, wish: TalkWish) -> str:
    """What stands against handing somebody coins, a clause; "" if nothing does."""
    name, sum_ = w.handbook.name(wish.whom), spelt(wish.coins)
    if wish.do not in HANDS:
        return f"coins are handed over to give, lend or pay, and not to {wish.do}"
    if w.money is None:
        return "there is no money in this town"
    if not has(w, me, wish.coins):
        return f"you have not got {sum_}; you have {spelt(w.people.residents[me].purse.coins)}"
    if wish.do == PAY:
        debt = oldest_debt(w, me, wish.whom)
        if debt is None:
            return f"you owe {name} no coins"
        return f"you owe {name} {spelt(debt.amount)}, and not {sum_}" if wish.coins > debt.amount else ""
    if wish.do == LEND and LOAN not in w.drama.children:
        return "nobody lends anything in this town"
    if wish.do == LEND and any(p.kind == DEBT for p in pressures_between(w.pressures, me, wish.whom)):
        return f"there is something owed between you and {name} already"
    return ""


def warms(coins: int) -> float:
    """What a gift does to the feeling of whoever is given it."""
    return WARMS + MORE * coins / (coins + HALF)


def hand_over(step: Step, w: HasPlay, me: str, wish: TalkWish) -> None:
    """Hand it over, now that the two stand before each other: what comes of it is as the rules have it."""
    other, coins = wish.whom, wish.coins
    t = free_moment(step, w, me, other)
    taken = takes(w, me, other, wish.do)
    since = w.played.given.get(given_key(me, other))
    warm = taken and wish.do == GIVE and (since is None or t - since >= DAY)
    why = f"{w.handbook.name(me)} gave them {spelt(coins)}"
    feelings = (feeling_change(w, other, me, warms(coins), why),) if warm else ()
    seq = step.emit(Handed(other, wish.do, coins, taken, feelings), t=t, actor=me, causes=(wish.seq,))
    if not taken:
        name = w.handbook.name(other)
        express(step, w, me, Appraisal("disappointment", TURNED_DOWN, f"{name} would not take it", other), t, seq)
    elif wish.do == GIVE:
        paid = pay(step, w, me, coins, GIFT, t, seq, other)
        express(step, w, other, Appraisal("gratitude", GRATEFUL, why, me, "deed"), t, paid)
    elif wish.do == LEND:
        bear(step, w, LOAN, (seq,), me, other, since=t, amount=coins)
    elif (debt := oldest_debt(w, me, other)) is not None:
        _pays(step, w, me, debt, coins, seq)


def _pays(step: Step, w: HasPlay, me: str, debt: ActivePressure, coins: int, seq: int) -> None:
    """Pay a part of a debt, or all of it, which ends it as its kind has it."""
    ways = w.drama.kinds[debt.kind].ways
    whole = [x for x in ways if (x.by, x.to) == ("holder", "about") and ending_pays(w, debt, x.accept.end)]
    if coins == debt.amount and whole:
        move_pressure(step, w, debt, Effect(end=whole[0].accept.end), (seq,), me, debt.about, whole[0].do, "accept")
    else:
        pay(step, w, me, coins, PART, free_moment(step, w, me, debt.about), seq, debt.about, debt.id)
