"""Low needs: they are felt, and the next free hour goes to them. Money: wages on pay day, the price of activities,
and the effects of being short of it. Two systems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import bear
from sandbox.people.claim_effects import occasions_of, parted_of_late
from sandbox.people.claim_handlers import OWNS, claims_of, entails
from sandbox.people.claim_model import TRADE
from sandbox.people.daily_life import stop
from sandbox.people.guest_model import in_town
from sandbox.people.model import SEEK, Block, Chose, CurrentAct, Needed
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.needs import Need, Remedy, RemedyRule, unmet_needs
from sandbox.people.paying import Earned, Lacked, cost, has, pay
from sandbox.people.planning import expected_place, parlour
from sandbox.people.played import is_played
from sandbox.people.pressure_rules import pressures_between
from sandbox.people.purse import Money, pay_hour, payday, spare, wage
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers, pressures_run
from sandbox.town.model import Arrived

AGAIN = 3 * HOUR  # minimum time until the same need is felt again
SIZE = 0.45  # strength (0..1) of the emotion
MEALS = ((11, "breakfast"), (16, "lunch"), (24, "supper"))  # hour until which the meal is called so
DEAR = 0.3  # least feeling (-1..1) for a friend one visits


async def need(step: Step, w: HasTalk) -> None:
    """Let whoever begins something while a need is low feel it and, if free, see to it. Without moods, none is felt."""
    if not pressures_run(w) or not w.mood_parameters.on:
        return
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now or not isinstance(e, Chose) or e.block in ("sleep", SEEK):
            continue
        r = w.people.residents[stamp.actor]
        low = unmet_needs(r.needs, stamp.t, w.need_parameters)
        if not low or r.talk or r.upset:
            continue
        worst = low[0]
        if any(c.sort == worst.sort and stamp.t - c.t < AGAIN for c in r.mood.causes):
            continue
        lack = Appraisal(worst.emotion, SIZE, worst.word, sort=worst.sort)
        express(step, w, stamp.actor, lack, stamp.t, stamp.seq)
        block = remedy(w, stamp.actor, worst, stamp.t) if is_free_block(w, stamp.actor, e.block, stamp.t) else None
        if block is not None:
            t = max(step.now, w.last.get(stamp.actor, 0))
            stop(step, w, stamp.actor, t)
            step.emit(Needed(worst.name, block, block.why), t=t, actor=stamp.actor, causes=(stamp.seq,))


def is_free_block(w: HasTalk, who: str, block: str, t: int) -> bool:
    """Whether a block can give way to a need: it is leisure, no occasion calls for it, and who has it is not played."""
    if is_played(w, who):
        return False
    called = {o.block for o in occasions_of(w, who, w.clock.day(t))}
    return w.handbook.kind(block) == "leisure" and block not in called


def remedy(w: HasTalk, who: str, lacked: Need, t: int) -> Block | None:
    """What somebody does about a need in a free hour; None if nothing can be done."""
    return REMEDIES[lacked.remedy.rule](w, who, lacked.remedy, t) if lacked.remedy is not None else None


def _meal(w: HasTalk, who: str, r: Remedy, t: int) -> Block | None:
    """The meal of this time of day, if the deck has meals."""
    hour = w.clock.second_of_day(t) // HOUR
    meal = next(called for until, called in MEALS if hour < until)
    if meal not in w.handbook.deck.blocks:
        return None
    return Block(t, t + r.minutes * MINUTE, meal, parlour(w, w.cast[who].home), r.why)


def _call_on_friend(w: HasTalk, who: str, r: Remedy, t: int) -> Block | None:
    """A visit to the dearest friend who is awake and whose place can be guessed; None if there is none."""
    ties = w.people.ties.get(who, {})
    friends = sorted((-tie.feeling - tie.closeness, v) for v, tie in ties.items() if tie.feeling >= DEAR)
    for _, friend in friends:
        asleep = w.cast[friend].routine.asleep(w.clock.second_of_day(t))
        if not asleep and not parted_of_late(w, who, friend, t) and (where := expected_place(w, friend, t)):
            why = r.why.format(friend=w.handbook.name(friend))
            return Block(t, t + r.minutes * MINUTE, r.do, where, why, friend)
    return None


REMEDIES: Mapping[RemedyRule, Callable[[HasTalk, str, Remedy, int], Block | None]] = {
    "home": lambda w, who, r, t: Block(t, t + r.minutes * MINUTE, r.do, w.cast[who].home, r.why),
    "meal": _meal,
    "friend": _call_on_friend,
}


# ---- money


SHORT = "short of money"
SORRY, GLAD, PLEASED = 0.5, 0.4, 0.3  # strengths (0..1) of the emotions: being short, being lent something, being paid
HOME = 30 * MINUTE  # length of the rest at home
FRIEND = 0.2  # least feeling (-1..1) of a lender
LENDS, MINDS = 0.15, 0.1  # chance that a friend lends, and that one who sees it worries
LOAN, SEEN = "coin_loan", "counted_coins"  # children of the deck


async def spend(step: Step, w: HasTalk) -> None:
    """Pay wages, if pay hour lies in this slice, and charge for what people have begun in it."""
    if w.money is None:
        return
    _earn(step, w, w.money)
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now or not isinstance(e, (Chose, Arrived)):
            continue
        r = w.people.residents[stamp.actor]
        if r.act is None or r.act.until - r.act.seconds != stamp.t:
            continue
        thing, price = cost(w, stamp.actor, r.act)
        if price and has(w, stamp.actor, price):
            pay(step, w, stamp.actor, price, thing, free_moment(step, w, stamp.actor), stamp.seq)
        elif price:
            _short(step, w, stamp.actor, r.act, thing, price, stamp.seq)


def _earn(step: Step, w: HasTalk, money: Money) -> None:
    """Pay the wages if pay hour is in this slice; whoever was poor is relieved."""
    t = pay_hour(money, w.clock, step.now)
    if t >= step.end or t != payday(money, w.clock, t):
        return
    earners = (p for p in w.cast.values() if in_town(w, p.id) and (p.work or p.id not in w.guests.stays))
    wages = {p.id: coins for p in earners if (coins := wage(money, p.job, p.wage) + trade_coins(w, p.id))}
    if not wages:
        return
    poor = [who for who in wages if spare(w.people.residents[who].purse.coins) < 0.0]
    seq = step.emit(Earned(wages), t=t)
    for who in poor:
        if w.people.residents[who].awake:
            express(step, w, who, Appraisal("relief", PLEASED, "was paid at last", sort="deed"), t, seq)


def trade_coins(w: HasTalk, who: str) -> int:
    """What somebody's trades bring in a week."""
    trades = w.claim_deck.trades if entails(w, OWNS, TRADE) else {}
    return sum(trades.get(c.terms, 0) for c in claims_of(w, who, OWNS) if c.a == who) if trades else 0


def _short(step: Step, w: HasTalk, who: str, act: CurrentAct, thing: str, price: int, seq: int) -> None:
    """Somebody cannot pay: a friend beside them lends the price, or they feel it, are seen, and go home if free to."""
    r = w.people.residents[who]
    t = free_moment(step, w, who)
    if r.talk or r.upset or any(c.sort == "want" and t - c.t < AGAIN for c in r.mood.causes):
        return
    near = hearers(w, who, who, t)
    chance = step.chance(who, "short", t)
    lender = next((x for x in near if _lends(w, x, who, price)), "")
    if lender and LOAN in w.drama.children and chance.unit() < LENDS:
        _lent(step, w, who, lender, thing, price, seq)
        return
    fond = [x for x in near if tie_of(w, x, who).feeling >= FRIEND]
    seen = chance.choice(fond) if fond and SEEN in w.drama.children and chance.unit() < MINDS else ""
    t = free_moment(step, w, who, seen)
    seq = step.emit(Lacked(thing, price, seen), t=t, actor=who, causes=(seq,))
    express(step, w, who, Appraisal("distress", SORRY, SHORT, sort="want"), t, seq)
    if seen:
        bear(step, w, SEEN, (seq,), who, seen, since=t)
    if is_free_block(w, who, act.block, t) and "rest" in w.handbook.deck.blocks:
        t = free_moment(step, w, who)
        block = Block(t, t + HOME, "rest", w.cast[who].home, f"{SHORT}, goes home instead")
        stop(step, w, who, t)
        step.emit(Needed("money", block, block.why), t=t, actor=who, causes=(seq,))


def _lent(step: Step, w: HasTalk, who: str, friend: str, thing: str, price: int, seq: int) -> None:
    """A friend lends the price and is owed it."""
    t = free_moment(step, w, who, friend)
    seq = step.emit(Lacked(thing, price, friend), t=t, actor=who, causes=(seq,))
    bear(step, w, LOAN, (seq,), friend, who, since=t, amount=price)
    t = free_moment(step, w, who)
    paid = pay(step, w, who, price, thing, t, seq)
    why = f"was lent the money for {thing}"
    express(step, w, who, Appraisal("gratitude", GLAD, why, friend, "deed"), t, paid)


def _lends(w: HasTalk, friend: str, who: str, price: int) -> bool:
    """Whether a friend likes them, can spare the sum and is not already in a debt with them."""
    coins = w.people.residents[friend].purse.coins
    if tie_of(w, friend, who).feeling < FRIEND or spare(coins - price) <= 0.0:
        return False
    return not any(p.kind == "debt" for p in pressures_between(w.pressures, friend, who))
