"""How cards change the state, and what they leave in memory."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp
from sandbox.director.model import HUSHED, CardOver, CardPlayed, CardReached, HasDirector, ReceivedCard, WaitingCard
from sandbox.people.beliefs import believe
from sandbox.people.handlers import divert, upset
from sandbox.people.memory import Memories
from sandbox.people.pressure_handlers import check_residents, facts_of, turn_feelings

HOLDS = DAY  # how long a card waits for its moment whose deck does not say, and for how long one is asked about it
KEPT = 6  # cards that somebody is asked about


def played(w: HasDirector, e: CardPlayed, at: Stamp) -> None:
    card = w.card_deck.cards.get(e.dealt.card)
    check_residents(w, e.dealt.to, e.dealt.whom)
    lasts = e.dealt.lasts or (card.lasts if card is not None else 0) or HOLDS
    begins = at.t + e.dealt.later
    w.director.waiting[at.seq] = WaitingCard(e.dealt, begins, begins + lasts, [at.actor] if at.actor else [])
    day = w.clock.day(at.t)
    w.director.spent = {day: w.director.spent.get(day, 0) + e.price}
    w.director.dealt += 1


def reached(w: HasDirector, e: CardReached, at: Stamp) -> None:
    check_residents(w, e.about)
    waiting = w.director.waiting.get(e.card)
    if waiting is not None:
        if at.actor not in waiting.by:
            waiting.by.append(at.actor)
        if e.how == "met":
            waiting.met += [at.actor, e.about]
        facts = tuple(row.fact for row in e.told if row.who == at.actor)
        came = ReceivedCard(waiting.dealt.card, e.card, at.seq, at.t, e.how, waiting.dealt.matter or e.matter, facts)
        if e.matter:
            waiting.came = came
        lately = [c for c in w.director.came.get(at.actor, ()) if at.t - c.t < HOLDS]
        w.director.came[at.actor] = [*lately, came][-KEPT:]
    believe(w, e.told, facts_of(w, e.told), at)
    turn_feelings(w, e.feelings, at)
    if e.coins:
        w.people.residents[at.actor].purse.coins += e.coins
        if e.loser:
            w.people.residents[e.loser].purse.coins -= e.coins
    if e.block is not None:
        divert(w, at.actor, e.block, e.says, "invitation", at)
    elif e.how == "hindered":
        upset(w, at.actor, e.says, "hindrance", at)


def over(w: HasDirector, e: CardOver, at: Stamp) -> None:
    del w.director.waiting[e.card]


HANDLERS: dict[type[Event], Callable[..., None]] = {CardPlayed: played, CardReached: reached, CardOver: over}


def remember_reached(m: Memories, e: CardReached, at: Stamp) -> None:
    about = (e.about,) if e.about and e.about != at.actor else ()
    topic = "" if about else e.topic
    kind, topic = ("thought", "") if e.how in HUSHED else ("event", topic)
    m.keep(at.actor, at, kind, e.says, about, e.poignancy, topic=topic, form="deed")


REMEMBER: dict[type[Event], Callable[..., None]] = {CardReached: remember_reached}
