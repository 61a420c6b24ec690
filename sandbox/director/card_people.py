"""Cards dealt to a person: coins, a job, a seat beside another, sparks that the deck else fires by chance, and a guest
who comes to see somebody.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.faults import unknown
from sandbox.core.protocols import Step
from sandbox.director.card_rule import DONE, CardRule, Touch, card_sentence, own_will, presses, reach, spawn_pressures
from sandbox.director.deck import ANY_AGE, DeckCard
from sandbox.director.model import Dealt, HasDirector, How, WaitingCard
from sandbox.drama.consequences import free_moment
from sandbox.drama.pressure_clock import befall, cast, pressures_can_be
from sandbox.drama.seeking import is_available
from sandbox.people.claim_handlers import closed
from sandbox.people.guest_handlers import Came
from sandbox.people.guest_model import Guest, in_town, leaving
from sandbox.people.model import SEEK, Block
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.planning import expected_place, parlour
from sandbox.people.pressure_beginnings import OTHER, Role, Spark
from sandbox.talk.content import tie_of
from sandbox.town.grid import way_in

SITS = 35 * MINUTE  # for which the two sit together
ROOM = ("drink", "food")  # tags of places where two can sit down together


def run_coins(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Somebody finds coins; if these have an owner, the owner misses them."""
    d = waiting.dealt
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
        late = "nobody suited the third part" if roles is None else "those it was for were never up at the same time"
        return "" if step.now < waiting.until else late
    own = pressures_can_be(w, spark, roles)
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
    """Raise ValueError unless the card's spark, if any, is in the deck, both have the jobs, traits and ages that it
    asks for (feelings do not count), and its pressures can be between them or the card has others (`otherwise`). A
    third person is sought only when it fires.
    """
    if not card.spark:
        return
    spark = w.drama.sparks.get(card.spark)
    if spark is None:
        raise ValueError(f"there is no spark {card.spark} in this world's deck; deal another card")
    roles = {"actor": dealt.to, "target": dealt.whom}
    for role, who in roles.items():
        if role in spark.roles and not spark.roles[role].suits(w.cast[who]):
            name, age = w.handbook.name(who), w.cast[who].age
            raise ValueError(f"that cannot happen to {name}, who is {age}; name {role_words(spark.roles[role])}")
    if not card.otherwise and not pressures_can_be(w, spark, roles):
        a, b = w.handbook.name(dealt.to), w.handbook.name(dealt.whom)
        raise ValueError(f"{a} and {b} cannot have what comes of it; name two others")


def role_words(role: Role) -> str:
    """Whom a role asks for: "somebody from 18 to 30, a smith or baker, who is shy"."""
    low, high = role.ages
    ages = "" if role.ages == ANY_AGE else f" from {low} on" if high >= ANY_AGE[1] else f" from {low} to {high}"
    jobs = f", a {' or '.join(role.jobs)}" if role.jobs else ""
    traits = f", who is {' or '.join(role.traits)}" if role.traits else ""
    return f"somebody{ages}{jobs}{traits}"


# ---- the card by which a guest comes to town and stays for some nights


DAWN, NIGHT = 7 * HOUR, 20 * HOUR  # hours of the day between which a guest may arrive
GOES = 10 * HOUR  # hour of the day at which a guest leaves
LOOKS = 40 * MINUTE  # for which they look for whom they visit
UNSAID = "what was left unsaid between them"  # what there is to say, where neither card nor file names it
MINDS = 0.3  # feeling, for or against, from which somebody is moved by their arrival


def run_guest(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Bring a guest in by the road, and send them to whom they visit."""
    d, asked = waiting.dealt, w.invited.get(waiting.dealt.guest)
    if asked is None or here_now(w, d.guest):
        return "there was nobody to come"
    if not DAWN <= w.clock.second_of_day(step.now) < NIGHT:
        return "" if step.now < waiting.until else "nobody travels at such an hour"
    p, to = asked.persona, person_to_visit(w, d, asked)
    t = max(step.now, w.last.get(p.id, 0))
    area = w.map.areas[p.home]
    tile = way_in(w.map, area.tiles[0], w.ways.part(area.tiles[0]))
    where = expected_place(w, to, t) if to else ""
    why = f"has come to see {w.handbook.name(to)}"
    block = Block(t, t + LOOKS, SEEK, where, why, to) if where in w.map.areas else None
    until = guest_departure(w, d, asked, t)
    came = Came(*w.map.xy(tile), p, until, asked.visit.why, asked.visit.regards, block)
    at = step.emit(came, t=t, actor=p.id, causes=(seq,))
    if to and w.people.residents[to].awake and not w.people.residents[to].talk:
        says = f"heard that {w.handbook.name(p.id)} has come to town"
        at = reach(step, w, seq, to, "heard", says, (at,), about=p.id, poignancy=6)
    theirs = tuple(x for x in card.children if w.drama.children[x].holder == "actor")
    matter = d.words or (asked.visit.matter if to == asked.visit.to else "") or UNSAID
    spawn_pressures(step, w, replace(card, children=theirs), at, p.id, to, matter)
    spawn_pressures(step, w, replace(card, children=tuple(x for x in card.children if x not in theirs)), at, p.id, to)
    return DONE


def here_now(w: HasDirector, who: str) -> bool:
    """Whether a guest is in town."""
    return who in w.guests.stays and in_town(w, who)


def person_to_visit(w: HasDirector, dealt: Dealt, asked: Guest) -> str:
    """Whom a guest visits: whom the card names, else whom their file names; "" if that person is not in town."""
    to = dealt.to or asked.visit.to
    return to if to in w.cast and in_town(w, to) else ""


def guest_departure(w: HasDirector, dealt: Dealt, asked: Guest, t: int) -> int:
    """The second from which a guest who comes at second t may leave."""
    nights = max(1, round(dealt.lasts / DAY)) if dealt.lasts else asked.visit.nights
    return w.clock.midnight(w.clock.day(t) + nights) + GOES


def guest_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """The guest, whom they visit, and who knows them from before."""
    asked = w.invited[dealt.guest]
    me, name = asked.persona.id, w.handbook.name(dealt.guest)
    to = person_to_visit(w, dealt, asked)
    if to:
        yield Touch(to, f"{name} comes to see them", 1.0)
    regards = {past.with_: past.feeling for past in asked.visit.regards}
    history = {past.with_: past.why for past in asked.persona.history}
    for who in w.cast:
        feeling = tie_of(w, who, me).feeling if me in w.cast else regards.get(who, 0.0)
        if who in history and who != to:
            yield Touch(who, f"is known to {name}: {history[who]}", 0.6)
        elif abs(feeling) >= MINDS and who != to:
            yield Touch(who, f"{'likes' if feeling > 0 else 'does not like'} {name}", 0.4 + 0.4 * abs(feeling))


def check_may_come(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless there is such a guest, and they are not in town."""
    if not w.invited:
        raise ValueError("this world has no guests; name some under `guests` in its world.yaml")
    asked = w.invited.get(dealt.guest)
    if asked is None:
        raise ValueError(f"there is {unknown('guest', dealt.guest, w.invited)}")
    name, stay = w.handbook.name(dealt.guest), w.guests.stays.get(dealt.guest)
    if here_now(w, dealt.guest):
        if stay is not None and leaving(w, dealt.guest):
            raise ValueError(f"{name} is just leaving; deal it once they are gone")
        until = f", until {w.clock.words(stay.until)}" if stay is not None and stay.until >= 0 else ""
        raise ValueError(f"{name} is here already{until}; name another guest")
    if any(x.dealt.guest == dealt.guest for x in w.director.waiting.values()):
        raise ValueError(f"{name} is on the way already; name another guest")


PEOPLE = {
    "coins": CardRule(run_coins, finder_touches, check_coins, needs=("to", "coins"), noun="a find",
        ready=is_available, vain="never came by"),
    "offer": CardRule(run_offer, worker_touches, check_has_work, needs=("to", "whom"),
        ready=is_available, vain="could not be found"),
    "seat": CardRule(run_seat, sitter_touches, check_may_sit, needs=("to", "whom"), one_room=True),
    "happening": CardRule(run_happening, happening_touches, check_suits, needs=("to", "whom")),
    "guest": CardRule(run_guest, guest_touches, check_may_come, needs=("guest",)),
}  # fmt: skip
