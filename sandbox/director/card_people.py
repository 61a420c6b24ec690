"""Cards dealt to a person: coins, a job, a seat beside another, and sparks that the deck else fires by chance."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.director.card_rule import DONE, CardRule, Touch, card_sentence, own_will, presses, reach, spawn_pressures
from sandbox.director.deck import ANY_AGE, DeckCard
from sandbox.director.model import Dealt, HasDirector, How, WaitingCard
from sandbox.drama.consequences import free_moment
from sandbox.drama.pressure_clock import befall, cast, may
from sandbox.drama.seeking import is_available
from sandbox.people.claim_handlers import closed
from sandbox.people.model import Block
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.planning import parlour
from sandbox.people.pressure_beginnings import OTHER, Spark

SITS = 35 * MINUTE  # for which the two sit together
ROOM = ("drink", "food")  # tags of places where two can sit down together


def run_coins(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Somebody finds coins; if these have an owner, the owner misses them."""
    d = waiting.dealt
    if not is_available(w, d.to):
        return "" if step.now < waiting.until else f"{w.handbook.name(d.to)} never came by"
    whose = d.whom
    amount = min(d.coins, w.people.residents[whose].purse.coins) if whose else d.coins
    if amount <= 0:
        return f"{w.handbook.name(whose)} had nothing to lose"
    found = f"found {amount} coins" + (f" that are {w.handbook.name(whose)}'s" if whose else "")
    how: How = "kept" if whose else "found"
    at = reach(step, w, seq, d.to, how, found, coins=amount, loser=whose, about=whose, topic="a find", poignancy=6)
    express(step, w, d.to, Appraisal("joy", 0.5, found, whose, "deed"), step.now, at)
    spawn_pressures(step, w, card, at, d.to, whose)
    return DONE


def finder_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    yield Touch(dealt.to, f"has {w.people.residents[dealt.to].purse.coins} coins, and finds {dealt.coins}", 1.0)
    if dealt.whom:
        yield Touch(dealt.whom, f"has {w.people.residents[dealt.whom].purse.coins} coins, and misses some", 0.8)


def check_coins(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless the world has money and there are coins to find."""
    if w.money is None:
        raise ValueError("nobody in this world has money; deal another card")
    if dealt.coins <= 0:
        raise ValueError("say how many coins, from 1 to 10,000")
    if dealt.whom and not w.people.residents[dealt.whom].purse.coins:
        raise ValueError(f"{w.handbook.name(dealt.whom)} has no coins to lose; name somebody else, or nobody")


def run_offer(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Somebody is offered work with another, and wants it."""
    d = waiting.dealt
    if not is_available(w, d.to):
        return "" if step.now < waiting.until else f"{w.handbook.name(d.to)} could not be found"
    where = w.handbook.place(w.cast[d.whom].work)
    says = f"was told that {w.handbook.name(d.whom)} has work to give, in {where}"
    at = reach(step, w, seq, d.to, "offered", says, about=d.whom, poignancy=7)
    express(step, w, d.to, Appraisal("hope", 0.7, says, d.whom), step.now, at)
    spawn_pressures(step, w, card, at, d.to, d.whom, f"a place in {where}")
    return DONE


def worker_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    me = w.cast[dealt.to]
    now = f"works as {me.job}" if me.work else f"is {me.job or 'without work'}"
    yield Touch(dealt.to, f"{now}, and has {w.people.residents[dealt.to].purse.coins} coins", 1.0)
    yield Touch(dealt.whom, "would have to say yes", 0.8)
    boss = next((c.a for c in w.claims.open.values() if c.kind == "employs" and c.b == dealt.to and c.a), "")
    if boss and boss != dealt.whom:
        yield Touch(boss, f"would lose {w.handbook.name(dealt.to)}", 0.8)


def check_has_work(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless the employer has a workplace, and the other is old enough."""
    if not w.cast[dealt.whom].work:
        raise ValueError(f"{w.handbook.name(dealt.whom)} has no place of work; name somebody who has")
    if w.cast[dealt.to].age < 14:
        raise ValueError(
            f"{w.handbook.name(dealt.to)} is {w.cast[dealt.to].age}, too young for work; name somebody else"
        )
    if w.cast[dealt.to].work == w.cast[dealt.whom].work:
        raise ValueError(f"{w.handbook.name(dealt.to)} works there already; name somebody else")


def run_seat(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Seat two people beside each other."""
    d = waiting.dealt
    both = (d.to, d.whom)
    where = d.where if d.where in w.map.areas else _table(w, d)
    if not where or not all(is_available(w, who) for who in both):
        return "" if step.now < waiting.until else "the two were never free at the same time"
    t = free_moment(step, w, *both)
    do = "drink" if {*ROOM} & {*w.map.areas[where].arena.tags} else "rest"
    for me, other in (both, both[::-1]):
        name = w.handbook.name(other)
        block = Block(t, t + SITS, do, where, f"a seat was kept beside {name}", other)
        says = f"was given a seat beside {name} {w.handbook.at(where)}"
        at = reach(step, w, seq, me, "seated", says, block=block, about=other, poignancy=4)
    spawn_pressures(step, w, card, at, *both)
    return DONE


def _table(w: HasDirector, dealt: Dealt) -> str:
    """Where the two sit: an open place with food or drink, else the home of one of them."""
    found = [a for a in w.map.areas.values() if {*ROOM} & {*a.arena.tags} and "home" not in a.arena.tags]
    found = [a for a in found if not closed(w, a.address)]
    best = max(found, key=lambda a: (sum("sit" in x.affords for x in a.things), a.address), default=None)
    return best.address if best is not None else parlour(w, w.cast[dealt.to].home)


def sitter_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    for me, other in ((dealt.to, dealt.whom), (dealt.whom, dealt.to)):
        held = [p for p in w.pressures.open.values() if (p.holder, p.about) == (me, other)]
        why = presses(w, held[0]) if held else f"has no way round {w.handbook.name(other)} then"
        yield Touch(me, why, 1.0)


def check_may_sit(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless both can be seated."""
    own_will(w, dealt.to, dealt.whom)


def run_happening(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Fire a spark of the deck between two people, perhaps with a third."""
    d = waiting.dealt
    if not card.spark:
        if not (is_available(w, d.to) and is_available(w, d.whom)):
            return "" if step.now < waiting.until else "the two were never up and about at the same time"
        says = card_sentence(w, d, card)
        at = reach(step, w, seq, d.to, "found", f"was in it: {says[:1].lower()}{says[1:]}", about=d.whom, poignancy=6)
        spawn_pressures(step, w, card, at, d.to, d.whom)
        return DONE
    spark = w.drama.sparks[card.spark]
    roles = _roles(w, d, spark)
    if roles is None or not all(w.people.residents[who].awake for who in roles.values()):
        return "" if step.now < waiting.until else "those it was for were never up at the same time"
    own = may(w, spark, roles)
    at = befall(step, w, card.spark, spark if own else replace(spark, children=()), roles, (seq,))
    spawn_pressures(
        step, w, card, at, d.to, d.whom, children=card.children if own else (*card.otherwise, *card.children)
    )
    return DONE


def _roles(w: HasDirector, dealt: Dealt, spark: Spark) -> dict[str, str] | None:
    """Role -> person: those who are named, and a third who suits; None if nobody does."""
    roles = {"actor": dealt.to, "target": dealt.whom}
    roles = {role: who for role, who in roles.items() if role in spark.roles}
    if OTHER not in spark.roles:
        return roles
    others = [who for who, r in w.people.residents.items() if r.awake and who not in roles.values()]
    return cast(w, spark, others, roles) or None


def happening_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    spark = w.drama.sparks.get(card.spark)
    roles = (_roles(w, dealt, spark) if spark is not None else None) or {"actor": dealt.to, "target": dealt.whom}
    for who in roles.values():
        yield Touch(who, "it befalls them", 1.0)


def check_suits(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError if the spark does not suit those two."""
    if not card.spark:
        return
    spark = w.drama.sparks.get(card.spark)
    if spark is None:
        raise ValueError(f"there is no spark {card.spark} in this world's deck; deal another card")
    roles = {"actor": dealt.to, "target": dealt.whom}
    for role, who in roles.items():
        if role in spark.roles and not spark.roles[role].suits(w.cast[who]):
            low, high = spark.roles[role].ages
            ages = f"from {low} on" if high >= ANY_AGE[1] else f"from {low} to {high}"
            raise ValueError(
                f"that cannot happen to {w.handbook.name(who)}, who is {w.cast[who].age}; name somebody {ages}"
            )
    if not card.otherwise and not may(w, spark, roles):
        a, b = w.handbook.name(dealt.to), w.handbook.name(dealt.whom)
        raise ValueError(f"{a} and {b} cannot have what comes of it; name two others")


PEOPLE = {
    "coins": CardRule(run_coins, finder_touches, check_coins, needs=("to", "coins"), noun="a find"),
    "offer": CardRule(run_offer, worker_touches, check_has_work, needs=("to", "whom")),
    "seat": CardRule(run_seat, sitter_touches, check_may_sit, needs=("to", "whom"), one_room=True),
    "happening": CardRule(run_happening, happening_touches, check_suits, needs=("to", "whom")),
}
