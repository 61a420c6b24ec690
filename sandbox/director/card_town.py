"""Cards of the whole town: a condition for some time (rain, a blackout, a locked door, somebody barred from the feed),
and an occasion, to which those who are free come, and which some who were not asked mind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.director.card_rule import DONE, CardRule, Touch, card_sentence, reach, spawn_pressures, without_article
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.people.claim_handlers import closed
from sandbox.people.handbook import DUTY
from sandbox.people.model import Block
from sandbox.people.perceive import area_at
from sandbox.people.planning import block_at
from sandbox.people.ties import pair_key
from sandbox.talk.content import tie_of
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import (
    DEFERENCE,
    INDOORS,
    ConditionBegan,
    ConditionEnded,
    TownCondition,
    is_within,
    keeps_out,
    tags_of,
)
from sandbox.town.plan import Occasion

PAIRS = 2  # pairs that one condition brings together, at most
SLEEP = "sleep"


def run_condition(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Start the condition; while it holds, hinder everybody whose plan it disturbs, and bring some of them together."""
    held = _held(w, waiting, card)
    if held is None:
        if step.now >= waiting.until:
            return DONE if waiting.by or card.condition == DEFERENCE else "it crossed nobody's day"
        held = _begin(step, w, seq, waiting, card)
    if waiting.dealt.to:
        return _silenced(step, w, seq, waiting, card, held)
    for who in w.people.residents:
        if who not in waiting.by and (block := _crossed(w, who, step.now, held)) is not None:
            why = _words(step, w, card.crosses, who, block) or f"had to think of something else: {held.says}"
            reach(
                step,
                w,
                seq,
                who,
                "hindered",
                why,
                (held.seq,),
                poignancy=4,
                topic=f"the {without_article(card.thing or card.called)}",
            )
    if card.children and len(waiting.met) < 2 * PAIRS:
        _bring_together(step, w, seq, waiting, card, held)
    return ""


def _held(w: HasDirector, waiting: WaitingCard, card: DeckCard) -> TownCondition | None:
    """The open condition that this card started, None before it has."""
    d = waiting.dealt
    mine = (card.condition, d.where, d.to, waiting.until)
    return next((c for c in w.conditions.open.values() if (c.kind, c.where, c.who, c.until) == mine), None)


def _begin(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> TownCondition:
    """Start the condition of a card."""
    says = card_sentence(w, waiting.dealt, card)
    kind: Any = card.condition  # one of WEATHER, as the deck was read
    event = ConditionBegan(kind, waiting.until, says[:1].lower() + says[1:], waiting.dealt.where, waiting.dealt.to)
    return w.conditions.open[step.emit(event, causes=(seq,))]


def _silenced(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard, held: TownCondition) -> str:
    """A condition for one person alone, who blames `whom` for it."""
    d = waiting.dealt
    at = reach(step, w, seq, d.to, "heard", f"was told so: {held.says}", (held.seq,), poignancy=6)
    spawn_pressures(step, w, card, at, d.to, d.whom)
    return DONE


def _crossed(w: HasDirector, who: str, now: int, held: TownCondition) -> Block | None:
    """The first planned block within the condition that must be elsewhere because of it; None if asleep or talking."""
    r = w.people.residents[who]
    if not r.awake or not r.plan or r.talk:
        return None
    ahead = r.plan[block_at(r, now) :]
    soon = (b for b in ahead if b.start < held.until and b.do != SLEEP)
    return next((b for b in soon if keeps_out(w, held.kind, held.where, b.where)), None)


def _words(step: Step, w: HasDirector, of: tuple[str, ...], who: str, block: Block) -> str:
    """A sentence of `of`, chosen by chance and filled in for a block; "" if there is none."""
    if not of:
        return ""
    says = step.chance(who, "crossed").choice(of)
    return says.format(do=w.handbook.infinitive(block.do), at=w.handbook.at(block.where))


# ---- two whom it brings together


def _bring_together(
    step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard, held: TownCondition
) -> None:
    """Pair hindered people with others at hand, strongest feelings first, and give each pair a pressure."""
    found = [
        (a, b)
        for a in waiting.by
        if _can(w, waiting, card, a)
        for b in _come_upon(w, waiting, card, a, step.now)
        if w.cast[a].household != w.cast[b].household
    ]
    for _ in range(PAIRS - len(waiting.met) // 2):
        found = [two for two in found if not {*two} & {*waiting.met}]
        if not found:
            return
        a, b = max(found, key=lambda two: (_stirs(w, *two), pair_key(*two)))
        place = area_at(w, a, step.now) or waiting.dealt.where
        at = w.handbook.at(place) if place else "in the street"
        says = step.chance(a, "met").choice(card.meets or MEETS).format(whom=w.handbook.name(b), at=at)
        cause = reach(
            step,
            w,
            seq,
            a,
            "met",
            says,
            (held.seq,),
            about=b,
            topic=f"the {without_article(card.thing or card.called)}",
            poignancy=6,
        )
        spawn_pressures(step, w, card, cause, a, b)


MEETS = ("stood about {at} with {whom} until it was over",)


def _can(w: HasDirector, waiting: WaitingCard, card: DeckCard, who: str) -> bool:
    """Whether somebody is awake, in no talk, of the card's ages, and has met nobody yet by this card."""
    r, (low, high) = w.people.residents[who], card.ages
    return r.awake and not r.talk and who not in waiting.met and low <= w.cast[who].age <= high


def _come_upon(w: HasDirector, waiting: WaitingCard, card: DeckCard, a: str, now: int) -> Iterator[str]:
    """Whom `a` may meet: people at rest in the same place, in a blackout only under a roof; before a locked door,
    others who are hindered or work behind it.
    """
    if card.condition == "shut":
        yield from (
            b
            for b in w.people.residents
            if b != a and _can(w, waiting, card, b) and (b in waiting.by or _works(w, b, waiting.dealt.where))
        )
        return
    place = "" if w.town.spots[a].path else area_at(w, a, now)
    if card.condition == "blackout" and INDOORS not in tags_of(w, place):
        return  # there is daylight out of doors
    for b in w.people.residents if place else ():
        if b != a and _can(w, waiting, card, b) and not w.town.spots[b].path and area_at(w, b, now) == place:
            yield b


def _works(w: HasDirector, who: str, where: str) -> bool:
    """Whether somebody works at a place, and so may have the key."""
    return bool(w.cast[who].work) and is_within(w.cast[who].work, where)


def _stirs(w: HasDirector, a: str, b: str) -> float:
    """How strong the feelings between two are, for or against."""
    return abs(tie_of(w, a, b).feeling) + abs(tie_of(w, b, a).feeling)


# ---- as it ends


def lift_conditions(step: Step, w: HasDirector) -> None:
    """End the conditions whose time is over."""
    for c in [c for c in w.conditions.open.values() if c.until <= step.now]:
        step.emit(ConditionEnded(c.seq, AGAIN[c.kind]), causes=(c.seq,))


AGAIN = {
    "shut": "the door is open again", "rain": "the rain has stopped", "blackout": "there is light again",
    "muted": "the account is open again", "pushed": "the post is one among others again",
    "deference": "everybody's word counts alike again",
}  # fmt: skip


# ---- whom it touches


def condition_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Whose plan the condition would disturb."""
    if dealt.to:
        yield Touch(dealt.to, "cannot write or read on the feed", 1.0)
        return
    begins = w.now + dealt.later
    until = begins + (dealt.lasts or card.lasts)
    for who, r in w.people.residents.items():
        for b in r.plan[block_at(r, begins) :] if r.plan else ():
            if b.start >= until or b.do == SLEEP or not keeps_out(w, card.condition, dealt.where, b.where):
                continue
            here = b.start <= begins
            duty = w.handbook.kind(b.do) == DUTY
            what = f"{'is' if here else 'means to be'} {w.handbook.doing(b.do)} {w.handbook.at(b.where)}"
            yield Touch(who, what, 0.9 if here else 0.7 if duty else 0.5)
            break


def check_not_twice(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError if the same condition holds, or is already dealt, for an overlapping time."""
    begins, places = w.now + dealt.later, (("", ""), (dealt.where, dealt.to))
    for c in w.conditions.open.values():
        if c.kind == card.condition and (c.where, c.who) in places and begins < c.until:
            raise ValueError(f"that holds already, until {w.clock.hhmm(c.until)}: {c.says}")
    ends = begins + (dealt.lasts or card.lasts)
    for x in w.director.waiting.values():
        same = w.card_deck.cards[x.dealt.card].condition == card.condition and (x.dealt.where, x.dealt.to) in places
        if same and x.t < ends and begins < x.until:
            raise ValueError(f"that has been dealt already, from {w.clock.words(x.t)} on; choose another hour or place")


GATHER = "gather"  # name of the block that people spend there
GUESTS = 9  # people asked, at most
SPAN = 50 * MINUTE  # its length where the card names none
NOTICE = 10 * MINUTE  # by which people are told before it begins, at least
DAWN, NIGHT = 8 * HOUR, 21 * HOUR  # hours of the day between which it may begin


def run_occasion(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Ask people to come; those whose plan leaves room do."""
    d = waiting.dealt
    begins = step.now + NOTICE
    begins -= begins % MINUTE
    second = w.clock.second_of_day(begins)
    if not DAWN <= second < NIGHT:
        return "" if step.now < waiting.until else "it was never a time of day for it"
    if d.to and not w.people.residents[d.to].awake:
        return "" if step.now < waiting.until else f"{w.handbook.name(d.to)} was asleep all the while"
    where, span = d.where, d.lasts or card.lasts or SPAN
    title = d.words or f"A gathering {w.handbook.at(where)}"
    guests = _guests(w, d, begins)
    why = f"everybody was asked: {title}"
    date = f"{w.clock.at(begins):%Y-%m-%d}"
    called = Occasion(
        f"called.{seq}", title[:80], second, min(DAY, second + span), where, GATHER, on=date, who=tuple(guests),
        why=why[:240],
    )  # fmt: skip
    at = step.emit(OccasionCalled(called), causes=(seq,))
    for who in guests:
        block = Block(begins, begins + span, GATHER, where, title)
        says = f"was asked to come: {title}"
        reach(step, w, seq, who, "invited", says, (at,), block=block, about=d.to if d.to != who else "", poignancy=4)
    left_out = max(
        (who for who in w.people.residents if who not in guests and w.people.residents[who].awake),
        key=lambda who: max((tie_of(w, who, x).feeling for x in guests), default=0.0),
        default="",
    )
    host = d.to or (guests[0] if guests else "")
    if left_out and host:
        spawn_pressures(step, w, card, at, host, left_out, title[:1].lower() + title[1:])
    return DONE if guests else "everybody had something else to do"


def _guests(w: HasDirector, dealt: Dealt, begins: int) -> list[str]:
    """Who comes: the host, and others who are free then, the host's friends first."""
    host = dealt.to
    free = [who for who in w.people.residents if who == host or _free(w, who, begins)]
    order = {who: i for i, who in enumerate(w.cast)}
    return sorted(free, key=lambda who: (who != host, -tie_of(w, who, host).feeling if host else 0.0, order[who]))[
        :GUESTS
    ]


def _free(w: HasDirector, who: str, t: int) -> bool:
    """Whether somebody is awake, in no talk, and without a duty at second t."""
    r = w.people.residents[who]
    if not r.awake or r.talk or not r.plan:
        return False
    block = r.plan[block_at(r, t)]
    return w.handbook.kind(block.do) != DUTY and block.do != "sleep"


def occasion_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Who would be asked and come."""
    t = w.now + dealt.later + NOTICE
    for who in _guests(w, dealt, t):
        yield Touch(
            who, "gives it" if who == dealt.to else "has nothing else to do then", 1.0 if who == dealt.to else 0.8
        )


def check_open_place(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless people can gather there."""
    if closed(w, dealt.where):
        raise ValueError(f"{w.handbook.place(dealt.where)} is shut; name another place")


TOWN = {
    "condition": CardRule(run_condition, condition_touches, check_not_twice, timed=True),
    "occasion": CardRule(run_occasion, occasion_touches, check_open_place, needs=("where",), one_room=True, timed=True),
}
