"""Cards as a domain: state, command, handlers, and the system that makes them take effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.core.clock import DAY
from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.core.events import Event, Stamp
from sandbox.director.dealing import deal_card, direct
from sandbox.director.model import (
    HUSHED,
    CardOver,
    CardPlayed,
    CardReached,
    DealCard,
    DirectorParameters,
    DirectorState,
    HasDirector,
    ReceivedCard,
    WaitingCard,
)
from sandbox.people.beliefs import believe
from sandbox.people.handlers import divert, upset
from sandbox.people.memory import Memories
from sandbox.people.pressure_handlers import check_residents, facts_of, turn_feelings

HOLDS = DAY  # seconds that a card waits, if its deck does not say, and that its receiver can be asked about it
KEPT = 6  # received cards that are kept for questions


def played(w: HasDirector, e: CardPlayed, stamp: Stamp) -> None:
    card = w.card_deck.cards.get(e.dealt.card)
    check_residents(w, e.dealt.to, e.dealt.whom)
    lasts = e.dealt.lasts or (card.lasts if card is not None else 0) or HOLDS
    begins = stamp.t + e.dealt.later
    reached = [stamp.actor] if stamp.actor else []  # whoever deals it has it already
    w.director.waiting[stamp.seq] = WaitingCard(e.dealt, begins, begins + lasts, reached)
    day = w.clock.day(stamp.t)
    w.director.spent = {day: w.director.spent.get(day, 0) + e.price}
    w.director.dealt += 1


def reached(w: HasDirector, e: CardReached, stamp: Stamp) -> None:
    check_residents(w, e.about)
    waiting = w.director.waiting.get(e.card)
    if waiting is not None:
        if stamp.actor not in waiting.by:
            waiting.by.append(stamp.actor)
        if e.how == "met":
            waiting.met += [stamp.actor, e.about]
        facts = tuple(row.fact for row in e.told if row.who == stamp.actor)
        came = ReceivedCard(
            waiting.dealt.card, e.card, stamp.seq, stamp.t, e.how, waiting.dealt.matter or e.matter, facts
        )
        if e.matter:
            waiting.came = came
        lately = [c for c in w.director.came.get(stamp.actor, ()) if stamp.t - c.t < HOLDS]
        w.director.came[stamp.actor] = [*lately, came][-KEPT:]
    believe(w, e.told, facts_of(w, e.told), stamp)
    turn_feelings(w, e.feelings, stamp)
    if e.coins:
        w.people.residents[stamp.actor].purse.coins += e.coins
        if e.loser:
            w.people.residents[e.loser].purse.coins -= e.coins
    if e.block is not None:
        divert(w, stamp.actor, e.block, e.says, "invitation", stamp)
    elif e.how == "hindered":
        upset(w, stamp.actor, e.says, "hindrance", stamp)


def over(w: HasDirector, e: CardOver, stamp: Stamp) -> None:
    del w.director.waiting[e.card]


HANDLERS: dict[type[Event], Callable[..., None]] = {CardPlayed: played, CardReached: reached, CardOver: over}


def remember_reached(memories: Memories, e: CardReached, stamp: Stamp) -> None:
    about = (e.about,) if e.about and e.about != stamp.actor else ()
    topic = "" if about else e.topic
    kind, topic = ("thought", "") if e.how in HUSHED else ("event", topic)
    memories.keep(stamp.actor, stamp, kind, e.says, about, e.poignancy, topic=topic, form="deed")


REMEMBER: dict[type[Event], Callable[..., None]] = {CardReached: remember_reached}


def _settle(w: Any, scenario: Any) -> None:
    w.card_deck = scenario.cards
    w.invited = {g.persona.id: g for g in scenario.guests}


def _check(w: Any, state: DirectorState, now: int) -> None:
    """Raise ValueError for a state that is impossible in this world."""
    named = {who for x in state.waiting.values() for who in (x.dealt.to, x.dealt.whom, *x.by) if who}
    named |= state.came.keys()
    if not {x.dealt.guest for x in state.waiting.values()} <= {"", *w.invited}:
        raise ValueError("cards name guests of another world")
    if not named <= w.cast.keys():
        raise ValueError(f"cards name people who are not there: {', '.join(sorted(named - w.cast.keys()))}")


DIRECTOR = Domain(
    "director",
    states=(State("director", DirectorState, lambda w: DirectorState(), _check, later=True),),
    tables=(ParameterTable("director", "director_parameters", DirectorParameters),),
    settle=_settle,
    handlers=HANDLERS,
    memories=REMEMBER,
    systems=(System(lambda: direct, (Phase.CARDS,)),),
    commands={DealCard: deal_card},
    again={CardPlayed: lambda e, at: DealCard(by=at.actor, dealt=e.dealt)},
)
