"""Cards that change the town for a while: a shut door, rain, a blackout, an occasion that was called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.director.deck import Card
from sandbox.director.model import Dealt, HasDirector, Waiting
from sandbox.director.rules.rule import DONE, Rule, Touch, births, reach, says_of, together
from sandbox.people.activities import DUTY
from sandbox.people.claims.apply import closed
from sandbox.people.model import Block
from sandbox.people.planning import block_at
from sandbox.talk.content import tie_of
from sandbox.town.called import OccasionCalled
from sandbox.town.conditions import ConditionBegan, ConditionEnded, bars, within
from sandbox.town.plan import Occasion

GATHER = "gather"  # the block of an occasion that was called
GUESTS = 9  # who are asked to one, at most
SPAN = 50 * MINUTE  # how long one lasts whose card does not say
NOTICE = 10 * MINUTE  # before it begins that people are told, at least
DAWN, NIGHT = 8 * HOUR, 21 * HOUR  # between which one may begin


# ---- what holds for a while


def condition(step: Step, w: HasDirector, seq: int, x: Waiting, card: Card) -> str:
    """It holds; whose day it crosses finds something else to do, and two of them have that in common."""
    d = x.dealt
    says = says_of(w, d, card)
    kind: Any = card.condition  # one of WEATHER, as the deck was read
    event = ConditionBegan(kind, x.until, says[:1].lower() + says[1:], d.where, d.to)
    began = step.emit(event, causes=(seq,))
    hindered = [(who, b) for who in w.people.residents if (b := _crossed(w, who, step.now, x.until)) is not None]
    met: list[tuple[str, int]] = []
    for who, block in hindered:
        why = f"had to think of something else: {event.says}"
        at = reach(step, w, seq, who, "hindered", why, (began,), poignancy=4, topic=event.says)
        if block.start <= step.now:
            met.append((who, at))
    if d.to:
        at = reach(step, w, seq, d.to, "heard", f"was told so: {event.says}", (began,), poignancy=6)
        met = [(d.to, at), *((who, at) for who in w.people.residents if who == d.whom)]
    together(step, w, card, met or [(who, began) for who, _ in hindered])
    return DONE


def _crossed(w: HasDirector, who: str, now: int, until: int) -> Block | None:
    """The first block of somebody's day that cannot be where it was to be."""
    r = w.people.residents[who]
    if not r.awake or not r.plan or r.talk:
        return None
    ahead = r.plan[block_at(r, now) :]
    return next((b for b in ahead if b.start < until and b.do != "sleep" and bars(w, b.where) is not None), None)


def lift(step: Step, w: HasDirector) -> None:
    """What held for a while holds no more, as its hour comes."""
    for c in [c for c in w.conditions.open.values() if c.until <= step.now]:
        step.emit(ConditionEnded(c.seq, AGAIN[c.kind]), causes=(c.seq,))


AGAIN = {
    "shut": "the door is open again", "rain": "the rain has stopped", "blackout": "there is light again",
    "muted": "the account is open again", "pushed": "the post is one among others again",
}  # fmt: skip


def crossed(w: HasDirector, d: Dealt, card: Card) -> Iterator[Touch]:
    """Whose day it crosses."""
    if d.to:
        yield Touch(d.to, "cannot write or read on the feed", 1.0)
        return
    begins = w.now + d.later
    until = begins + (d.lasts or card.lasts)
    for who, r in w.people.residents.items():
        for b in r.plan[block_at(r, begins) :] if r.plan else ():
            if b.start >= until or b.do == "sleep" or not _would_bar(w, card.condition, d.where, b.where):
                continue
            here = b.start <= begins
            duty = w.handbook.kind(b.do) == DUTY
            what = f"{'is' if here else 'means to be'} {w.handbook.doing(b.do)} {w.handbook.at(b.where)}"
            yield Touch(who, what, 0.9 if here else 0.7 if duty else 0.5)
            break


def _would_bar(w: HasDirector, kind: str, where: str, place: str) -> bool:
    """Whether a condition would keep people out of a place."""
    area = w.map.areas.get(place)
    if area is None or not within(place, where):
        return False
    tags = area.arena.tags
    return kind == "shut" or (kind == "rain" and "outdoors" in tags) or (
        kind == "blackout" and "indoors" in tags and "home" not in tags
    )  # fmt: skip


def not_twice(w: HasDirector, d: Dealt, card: Card) -> None:
    """What holds already does not begin again."""
    for c in w.conditions.open.values():
        if c.kind == card.condition and (c.where, c.who) in (("", ""), (d.where, d.to)):
            raise ValueError(f"that is so already, until {w.clock.hhmm(c.until)}: {c.says}")


# ---- an occasion


def occasion(step: Step, w: HasDirector, seq: int, x: Waiting, card: Card) -> str:
    """People are asked to come; those whose day leaves room for it do."""
    d = x.dealt
    begins = step.now + NOTICE
    begins -= begins % MINUTE
    second = w.clock.second_of_day(begins)
    if not DAWN <= second < NIGHT:
        return "" if step.now < x.until else "it was never a time of day for it"
    if d.to and not w.people.residents[d.to].awake:
        return "" if step.now < x.until else f"{w.handbook.name(d.to)} was asleep all the while"
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
        births(step, w, card, at, host, left_out, title[:1].lower() + title[1:])
    return DONE if guests else "everybody had something else to do"


def _guests(w: HasDirector, d: Dealt, begins: int) -> list[str]:
    """Who comes: the host, and those of the others who are free then, their friends first."""
    host = d.to
    free = [who for who in w.people.residents if who == host or _free(w, who, begins)]
    order = {who: i for i, who in enumerate(w.cast)}
    return sorted(free, key=lambda who: (who != host, -tie_of(w, who, host).feeling if host else 0.0, order[who]))[
        :GUESTS
    ]


def _free(w: HasDirector, who: str, t: int) -> bool:
    """Whether somebody is up, in no talk, and has no duty at that time."""
    r = w.people.residents[who]
    if not r.awake or r.talk or not r.plan:
        return False
    block = r.plan[block_at(r, t)]
    return w.handbook.kind(block.do) != DUTY and block.do != "sleep"


def asked(w: HasDirector, d: Dealt, card: Card) -> Iterator[Touch]:
    """Who would come."""
    t = w.now + d.later + NOTICE
    for who in _guests(w, d, t):
        yield Touch(who, "gives it" if who == d.to else "has nothing else to do then", 1.0 if who == d.to else 0.8)


def open_place(w: HasDirector, d: Dealt, card: Card) -> None:
    """People can come together there."""
    if closed(w, d.where):
        raise ValueError(f"{w.handbook.place(d.where)} is shut; name another place")


TOWN = {
    "condition": Rule(condition, crossed, not_twice),
    "occasion": Rule(occasion, asked, open_place),
}
