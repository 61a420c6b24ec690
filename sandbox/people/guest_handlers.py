"""Guests arriving, setting off and leaving: the events, what they change, and what people remember of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from sandbox.core.events import Event, Stamp, r6
from sandbox.core.faults import in_quotes
from sandbox.people.claim_model import Claim
from sandbox.people.guest_model import FOR_GOOD, Stay, in_town
from sandbox.people.handbook import Deck
from sandbox.people.handlers import end, possible
from sandbox.people.memory import Memories
from sandbox.people.model import Block, HasPeople, Resident, set_due
from sandbox.people.mood import CALM, Mood, temperament
from sandbox.people.needs import Needs
from sandbox.people.persona import FAR, PastTie, Persona, Pressure
from sandbox.people.purse import Purse, wage
from sandbox.people.ties import Tie, TieCause
from sandbox.town.grid import TownMap
from sandbox.town.model import Move, Walked
from sandbox.town.plan import arena_of

OWN = ("home", "work")  # words in a routine that stand for one's own addresses


def bed_fault(persona: Persona, town: TownMap) -> str:
    """What is wrong with a persona's home as a place to sleep, "" if nothing is."""
    area = town.areas.get(persona.home)
    if area is None:
        return (
            f"there is no place {in_quotes(persona.home)} in which {persona.first} could stay; name a room of this town"
        )
    if not area.beds():
        room = f"{in_quotes(persona.home)}, where {persona.first} would stay,"
        return f"{room} has nothing to lie on; name a room with a bed or a sofa"
    return ""


def wrong_life(persona: Persona, town: TownMap, deck: Deck) -> str:
    """What is wrong with a newcomer's places, activities or bed in this world, "" if nothing is."""
    places = {persona.work or persona.home, *(slot.where for day in persona.routine.days for slot in day.slots)} - {
        *OWN
    }
    strange = sorted(place for place in places if arena_of(place) not in town.areas)
    odd = sorted({slot.do for day in persona.routine.days for slot in day.slots} - deck.blocks.keys())
    if strange:
        return f"there is no place {in_quotes(strange[0])} for the days of {persona.first}"
    if odd:
        return f"nobody can {in_quotes(odd[0])} here, as the days of {persona.first} have it"
    return bed_fault(persona, town)


def new_resident(w: HasPeople, who: str, t: int, awake: bool) -> Resident:
    """The initial state of a person at second t: mood at rest, starting coins, nothing planned."""
    rest = temperament(w.cast[who].big_five) if w.mood_parameters.temperament else CALM
    mood = Mood(rest, rest, t, [])
    return Resident(mood=mood, due=t, awake=awake, seen=[], acted=[], needs=Needs(t=t), purse=Purse(_coins(w, who)))


def _coins(w: HasPeople, who: str) -> int:
    """What somebody has at the start: what their file says, else a week's wage."""
    p = w.cast[who]
    if w.money is None:
        return 0
    return p.purse if p.purse is not None else wage(w.money, p.job, p.wage)


def ties_of(w: HasPeople, history: Iterable[PastTie], t: int) -> dict[str, Tie]:
    """Ties made from a persona's history, as they stand at second t."""
    out: dict[str, Tie] = {}
    for past in history:
        if past.with_ in w.cast:
            causes = [TieCause("feeling", past.feeling, t, 0, past.why)]
            close = r6(w.tie_parameters.begin * past.closeness)
            out[past.with_] = Tie(close, past.feeling, w.clock.day(t) - 1, causes=causes)
    return out


NEWCOMER = "has only just come to town"  # reason for a newcomer's first plan
WEIGHS = 6  # poignancy of the memory of coming or leaving


class Came(Move, frozen=True):
    """The actor has come to town, and lives there from now on. x, y: where they enter. until: the second from which
    they leave, FOR_GOOD for never. why: the purpose, completing "has come to town". regards: how others (`with`) felt
    about them before. block: what they do first. claims: those they bring; pressures: what they owe and want, and what
    others have with them, with times in seconds of the world.
    """

    KIND: ClassVar[str] = "came"
    persona: Persona
    until: int = FOR_GOOD
    why: str = ""
    regards: tuple[PastTie, ...] = ()
    block: Block | None = None
    claims: tuple[Claim, ...] = ()
    pressures: tuple[Pressure, ...] = ()


class SetOff(Walked, frozen=True):
    """The actor drops what they are doing and walks out of town."""

    KIND: ClassVar[str] = "set_off"


class Left(Move, frozen=True):
    """The actor has left town at x, y. Nobody meets them until they come again."""

    KIND: ClassVar[str] = "left"


def came(w: HasPeople, e: Came, stamp: Stamp) -> None:
    p, stays = e.persona, w.guests.stays
    known = stays.get(p.id)
    if stamp.actor != p.id or (p.id in w.cast and (known is None or known.left < 0)):
        raise ValueError(f"{p.id} cannot come: they are here already, or another comes in their name")
    tile = e.y * w.map.width + e.x
    if not (0 <= e.x < w.map.width and 0 <= e.y < w.map.height) or not w.map.walkable[tile]:
        raise ValueError(f"nobody can come to town at {e.x},{e.y}")
    if wrong := wrong_life(p, w.map, w.handbook.deck):
        raise ValueError(wrong)
    possible(w, (e.block,) if e.block is not None else ())
    w.files[p.id] = w.cast[p.id] = p
    stays[p.id] = Stay(p, tile, stamp.t, stamp.seq, e.until, pressures=e.pressures)
    if known is None:
        w.people.residents[p.id] = new_resident(w, p.id, stamp.t, True)
        w.people.ties[p.id] = ties_of(w, p.history, stamp.t)
        for past in e.regards:
            if past.with_ in w.cast and past.with_ != p.id:
                back = PastTie(p.id, past.feeling, past.closeness, past.why)
                w.people.ties.setdefault(past.with_, {}).update(ties_of(w, (back,), stamp.t))
    r = w.people.residents[p.id]
    r.awake, r.needs, r.join = True, Needs(t=stamp.t), e.block
    r.upset, r.replan, r.replan_cause = "invitation", NEWCOMER, stamp.seq
    w.town.spots[p.id] = e.spot(stamp.t, w.map.width)
    set_due(w.people, p.id, stamp.t)


def set_off(w: HasPeople, e: SetOff, stamp: Stamp) -> None:
    stay = w.guests.stays[stamp.actor]
    _drop(w, stamp.actor)
    w.town.spots[stamp.actor] = e.spot(stamp.t, w.map.width)
    stay.off = stamp.t


def left(w: HasPeople, e: Left, stamp: Stamp) -> None:
    stay, r = w.guests.stays[stamp.actor], w.people.residents[stamp.actor]
    if not in_town(w, stamp.actor) or r.talk:
        raise ValueError(f"{stamp.actor} cannot leave: they have left, or are in a talk")
    _drop(w, stamp.actor)
    w.town.spots[stamp.actor] = e.spot(stamp.t, w.map.width)
    r.awake, r.notes = False, []
    stay.off = stamp.t if stay.off < 0 else stay.off
    stay.left = stamp.t


def _drop(w: HasPeople, who: str) -> None:
    """Clear somebody's act, walk and plan, and let them decide nothing more."""
    end(w, who)
    r = w.people.residents[who]
    r.going, r.join, r.plan, r.block, r.items, r.item = None, None, (), -1, (), 0
    r.upset, r.replan, r.replan_cause = "", "", 0
    set_due(w.people, who, FAR)


HANDLERS: dict[type[Event], Callable[..., None]] = {Came: came, SetOff: set_off, Left: left}


def remember_came(memories: Memories, e: Came, stamp: Stamp) -> None:
    memories.join(stamp.actor)
    why = f" {e.why}" if e.why else ""
    memories.keep(stamp.actor, stamp, "event", f"came to town{why}", (), WEIGHS, form="deed")


def remember_left(memories: Memories, e: Left, stamp: Stamp) -> None:
    memories.keep(stamp.actor, stamp, "event", "left town", (), WEIGHS, form="deed")


REMEMBER: dict[type[Event], Callable[..., None]] = {Came: remember_came, Left: remember_left}
