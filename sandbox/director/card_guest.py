"""The card by which a guest comes to town and stays for some nights."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.faults import unknown
from sandbox.core.protocols import Step
from sandbox.director.card_rule import DONE, CardRule, Touch, reach, spawn_pressures
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.people.guest_handlers import Came
from sandbox.people.guest_model import Guest, in_town, leaving
from sandbox.people.model import SEEK, Block
from sandbox.people.planning import expected_place
from sandbox.talk.content import tie_of
from sandbox.town.grid import way_in

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


GUEST = {"guest": CardRule(run_guest, guest_touches, check_may_come, needs=("guest",))}
