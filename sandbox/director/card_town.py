"""The card that calls people together: those who are free come, and some who were not asked mind."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.director.card_rule import DONE, CardRule, Touch, reach, spawn_pressures
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.people.claim_handlers import closed
from sandbox.people.handbook import DUTY
from sandbox.people.model import Block
from sandbox.people.planning import block_at
from sandbox.talk.content import tie_of
from sandbox.town.calendar import OccasionCalled
from sandbox.town.plan import Occasion

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
    "occasion": CardRule(run_occasion, occasion_touches, check_open_place, needs=("where",), one_room=True, timed=True),
}
