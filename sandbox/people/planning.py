"""Builds the planning question (PlanDay): what a planner may know of routine, calendar, friends and mood. Also which
things people use, and who sleeps where.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.people.claim_effects import GUESTS, has_left, occasions_of, parted_of_late, stays_away
from sandbox.people.claim_handlers import COUPLE, OWNS, HasClaims, closed, entails
from sandbox.people.claim_model import TRADE
from sandbox.people.guest_model import in_town
from sandbox.people.handbook import DUTY, LEISURE
from sandbox.people.model import Block, HasPeople, Note, Resident
from sandbox.people.mood_queries import mood_of
from sandbox.people.persona import Persona, Slot
from sandbox.people.question_plan import Friend, PlanDay
from sandbox.people.ties import closeness_at
from sandbox.town.conditions import barring_condition
from sandbox.town.grid import Area, Thing
from sandbox.town.model import TownParameters
from sandbox.town.plan import arena_of, sector_of
from sandbox.town.ways import Ways

FRIENDS = 6  # whom a planner thinks of
REST = "rest"  # what those do who have no work
EVENING = 18 * HOUR  # seconds after midnight from which a free hour counts as the evening
SOON = 15 * MINUTE  # after a block begins, when people are where it takes them


class PlanChange(NamedTuple):
    """A block of a day's frame that is there for a claim or a mark: the number of the event it came of."""

    block: Block
    seq: int


class HasWays(HasClaims):
    """The part of a world that decisions use. last: person -> second of their last event."""

    last: dict[str, int]
    town_parameters: TownParameters

    @property
    def ways(self) -> Ways:
        """Paths and sight."""
        raise NotImplementedError


def block_at(resident: Resident, t: int) -> int:
    """The number of the plan's block that covers t (the last if none does)."""
    for i, block in enumerate(resident.plan):
        if t < block.end:
            return i
    return len(resident.plan) - 1


def parlour(w: HasPeople, home: str) -> str:
    """The room of a home where a visitor is received: one that affords sitting or eating, the bedroom only if
    there is no other.
    """
    found = _rooms(w, home)
    found.sort(key=lambda a: ("sleep" in a.affords(), "sit" not in a.affords(), "eat" not in a.affords(), a.address))
    return found[0].address if found else home


def guest_room(w: HasPeople, home: str) -> str:
    """The room of a home where a guest sleeps: no bedroom and nobody's, with a place to lie, if there is one."""
    found, taken = _rooms(w, home), {p.home for p in w.cast.values() if in_town(w, p.id)}
    found.sort(key=lambda a: ("sleep" in a.affords(), a.address in taken, "rest" not in a.affords(), a.address))
    return found[0].address if found else home


def _rooms(w: HasPeople, home: str) -> list[Area]:
    sector = sector_of(home)
    return [a for a in w.map.areas.values() if a.sector.name == sector and "indoors" in a.arena.tags]


def resolve(persona: Persona, where: str) -> str:
    """ "home" and "work" as addresses; an object's address as its arena's."""
    if where == "home":
        where = persona.home
    elif where == "work":
        where = persona.work or persona.home
    return arena_of(where)


def expected_place(w: HasClaims, who: str, t: int) -> str:
    """Where others think somebody is: an occasion they never miss, else what their usual day says. It may be wrong. ""
    for nowhere, as of who has left town.
    """
    if not in_town(w, who):
        return ""
    day, second = w.clock.day(t), w.clock.second_of_day(t)
    for o in occasions_of(w, who, day):
        where = resolve(w.cast[who], o.where)
        if o.from_ - 10 * MINUTE <= second < o.to - 5 * MINUTE and not closed(w, where):
            return where
    begun = [b for b in usual_blocks(w, who, day) if b.start <= t]
    return begun[-1].where if begun else ""


def notes_of(w: HasPeople, who: str, now: int) -> tuple[Note, ...]:
    """The planning notes of the last day, the newest first, a person once; not those about whom one has talked with
    since.
    """
    ties = w.people.ties.get(who, {})
    out: dict[str, Note] = {}
    for t, note in reversed(w.people.residents[who].notes):
        if t >= now - DAY and in_town(w, note.about) and (note.about not in ties or ties[note.about].last_talk <= t):
            out.setdefault(note.about, note)
    return tuple(out.values())


def usual_blocks(w: HasClaims, who: str, day: int) -> list[Block]:
    """What somebody does on such a day as a rule, by the hour, as blocks without an end."""
    midnight = w.clock.midnight(day)
    slots = (_now(w, who, s) for s in w.cast[who].routine.usual(w.clock.weekday(midnight + DAY // 2)))
    blocks = (Block(midnight + s.at, 0, s.do, resolve(w.cast[who], s.where), "") for s in slots)
    trades = [*passed_trades(w)]
    return [_open(w, who, _by_trade(w, who, b, trades) if b.start - midnight >= EVENING else b) for b in blocks]


def passed_trades(w: HasClaims) -> Iterator[tuple[Persona, Persona]]:
    """Of each trade that has passed to another: who had it first, and who has it now."""
    trades = w.claim_deck.trades if entails(w, OWNS, TRADE) else {}
    first = {c.terms: c.a for c in w.claim_deck.claims if c.kind == OWNS and c.terms in trades} if trades else {}
    for c in w.claims.open.values() if first else ():
        if c.kind == OWNS and c.a != first.get(c.terms, c.a):
            yield w.files[first[c.terms]], w.cast[c.a]


def _lost_guest(w: HasClaims, who: str, where: str, first: Persona) -> bool:
    """Whether somebody is a guest at a place whose trade was `first`'s, and is another's now."""
    return sector_of(where) == sector_of(first.work) and w.cast[who].household != w.cast[first.id].household


def _by_trade(w: HasClaims, who: str, block: Block, trades: Sequence[tuple[Persona, Persona]]) -> Block:
    """A block of an evening as trades change it that have passed to another: guests in a free hour go where the trade
    is now, for what people of leisure come there for.
    """
    free = w.handbook.kinds[LEISURE]
    for first, now in trades:
        if _lost_guest(w, who, block.where, first) and block.do in free and now.work:
            held = ((o.block, arena_of(o.where)) for o in w.calendar.occasions if o.block in free)
            there = [x for x in (*w.leisure(who), *held) if sector_of(x[1]) == sector_of(now.work)]
            do, where = max(there, key=lambda x: x[0] == block.do, default=(block.do, block.where))
            block = replace(block, do=do, where=where)
    return block


def _open(w: HasClaims, who: str, block: Block) -> Block:
    """A block as it can be where places are shut: in the place most like it where such is done; else rest at home."""
    if not closed(w, block.where):
        return block
    tags = {*w.map.areas[block.where].arena.tags}
    others = [where for do, where in w.leisure(who) if do == block.do]
    like = max(others, key=lambda where: len(tags & {*w.map.areas[where].arena.tags}), default="")
    held = barring_condition(w, block.where)
    why = held.says if held is not None else f"{w.handbook.place(block.where)} is shut"
    return replace(block, do=block.do if like else REST, where=like or w.cast[who].home, why=why)


def _now(w: HasClaims, who: str, slot: Slot) -> Slot:
    """A slot of somebody's routine as they live now: what their file has them do at their home, or where they work, is
    done where they live and work since; without work, they rest at home.
    """
    now, file = w.cast[who], w.files[who]
    if stays_away(w, who, slot.where) or has_left(w, who, slot.of):
        return replace(slot, do=REST, where="home")
    if now is file:
        return slot
    sector = sector_of(slot.where)
    duty = w.handbook.kind(slot.do) == DUTY and (sector == sector_of(file.work) or not now.work)
    works = slot.where == "work" or duty
    if works and now.work != file.work:
        return replace(slot, where="work") if now.work else replace(slot, do=REST, where="home")
    if slot.where == file.work != now.work and not {*w.map.areas[slot.where].arena.tags} & GUESTS:
        return replace(slot, where=parlour(w, now.home))  # it was work that took them there
    if sector == sector_of(file.home) and now.home != file.home:
        return replace(slot, where=parlour(w, now.home))
    return slot


def plan_causes(bent: Iterable[PlanChange], blocks: Sequence[Block]) -> tuple[int, ...]:
    """The numbers of the events behind those changes that the plan has kept."""
    found = (
        x.seq
        for x in bent
        for b in blocks
        if (b.do, b.where) == (x.block.do, x.block.where) and b.start <= x.block.start + SOON < b.end
    )
    return tuple(dict.fromkeys(found))


def plan_question(w: HasWays, who: str, now: int) -> PlanDay:
    """All that a person's planner may know at that moment."""
    persona = w.cast[who]
    r = w.people.residents[who]
    clock = w.clock
    routine = persona.routine
    day = clock.day(now)
    running = r.plan and r.upset and now < r.plan[-1].end
    # Somebody who wakes late at night or before dawn plans the day that the coming sleep ends.
    sleep_of_day = routine.sleep if routine.sleep > routine.wake else routine.sleep + DAY
    if clock.second_of_day(now) < routine.wake and now < clock.midnight(day) + sleep_of_day - DAY:
        day -= 1
    if running:  # what upset a plan after midnight does not skip the night
        day = r.day
    midnight = clock.midnight(day)
    occasions = tuple(
        Block(midnight + o.from_, midnight + o.to, o.block, resolve(persona, o.where), o.title)
        for o in occasions_of(w, who, day)
        if not closed(w, resolve(persona, o.where))
    )
    if r.join is not None:
        occasions = (*occasions, r.join)
    friends = []
    for other, tie in w.people.ties.get(who, {}).items():
        close = closeness_at(tie, day, w.tie_parameters)
        apart = w.cast[other].household != persona.household and not parted_of_late(w, who, other, now)
        if tie.feeling > 0.1 and close > 0.15 and apart and in_town(w, other):
            friends.append(Friend(other, w.handbook.name(other), tie.feeling, close, parlour(w, w.cast[other].home)))
    friends.sort(key=lambda f: (-f.feeling - f.closeness, f.who))
    notes = notes_of(w, who, now)
    return PlanDay(
        who=who,
        now=now,
        day=day,
        midnight=midnight,
        wake_next=midnight + DAY + routine.wake,
        sleep=midnight + sleep_of_day,
        bed=persona.home,
        usual=tuple(usual_blocks(w, who, day)),
        occasions=occasions,
        leisure=_open_to(w, who),
        free=w.handbook.kinds[LEISURE],
        bound=w.handbook.kinds[DUTY],
        friends=_known(friends, notes),
        notes=notes,
        persona=persona,
        mood=mood_of(w, who, now),
        jitter=w.plan_parameters.jitter,
        why=r.replan,
        shaken=r.upset == "conflict",
    )


def _open_to(w: HasClaims, who: str) -> tuple[tuple[str, str], ...]:
    """What somebody may choose for a free hour: nothing where a group meets that they have left, nor at a place that
    has lost its trade.
    """
    lost = [first for first, _ in passed_trades(w)]
    pairs = (x for x in w.leisure(who) if not stays_away(w, who, x[1]))
    return tuple(x for x in pairs if not any(_lost_guest(w, who, x[1], first) for first in lost))


def _known(friends: list[Friend], notes: tuple[Note, ...]) -> tuple[Friend, ...]:
    """The FRIENDS best friends, and those one means to see."""
    meant = {n.about for n in notes}
    return tuple(f for i, f in enumerate(friends) if i < FRIENDS or f.who in meant)


# ---- which things people use. A thing has at most `takes` users, usually one (town/plan.py: Glyph). Somebody on their
# way to a thing counts as its user.


Users = dict[str, dict[str, int]]  # address of a thing -> who uses it -> the tile they do it on


def users(w: HasPeople) -> Users:
    """Everything in use, or about to be."""
    out: Users = {}
    for who, r in w.people.residents.items():
        act = r.going or r.act
        if act is not None and act.thing:
            out.setdefault(act.thing, {})[who] = act.tile
    return out


def has_room(used: Users, thing: Thing, who: str) -> bool:
    """Whether somebody can use a thing beside those who do."""
    return bool(thing.spots) and len(used.get(thing.address, {}).keys() - {who}) < thing.takes


def free_spots(used: Users, thing: Thing, who: str) -> Sequence[int]:
    """The tiles a thing is used from that are nobody's yet, if it has one left."""
    taken = {tile for x, tile in used.get(thing.address, {}).items() if x != who}
    return [tile for tile in thing.spots if tile not in taken] or thing.spots


# ---- beds


def shared_out(beds: Sequence[Thing], mates: Sequence[str], couples: Iterable[Collection[str]]) -> dict[str, Thing]:
    """Person -> bed in a room: couples get the beds for two first, then the others the rest, single beds first. mates:
    who sleeps there, in order of precedence. People without a bed are left out.
    """
    left, out = list(beds), dict[str, Thing]()
    for pair in couples:
        wide = next((bed for bed in left if bed.takes > 1), None)
        if wide is not None and {*pair} <= {*mates} and not out.keys() & {*pair}:
            out |= dict.fromkeys(pair, wide)
            left.remove(wide)
    left.sort(key=lambda bed: bed.takes > 1)
    return out | dict(zip((who for who in mates if who not in out), left, strict=False))


def own_beds(w: HasClaims, home: str) -> dict[str, Thing]:
    """Person -> their own bed, of those who live in a room and have one."""
    mates = [p.id for p in w.cast.values() if p.home == home and in_town(w, p.id)]
    mates.sort(key=lambda who: who not in w.files or w.files[who].home != home)  # who has come to live there, last
    ids = {id for who in mates for id in w.claims.of.get(who, ())}
    couples = [c.people for c in w.claims.open.values() if c.id in ids and c.kind == COUPLE and len(c.people) > 1]
    return shared_out(w.map.areas[home].beds(), mates, (*couples, *w.wedded))


def tile_to_sleep(w: HasClaims, who: str) -> int:
    """The tile somebody sleeps on: of their own bed (a different one for each of two), else of a bed they share, else
    of their room.
    """
    home = w.cast[who].home
    area, own = w.map.areas[home], own_beds(w, home)
    if who in own:
        bed, n = own[who], [x for x in w.cast if own.get(x) == own[who]].index(who)
    else:
        bare = [
            p.id for p in w.cast.values() if p.home == home and p.id not in own and (p.id == who or in_town(w, p.id))
        ]
        if not (beds := area.beds()):
            return area.tiles[0]
        again, at = divmod(bare.index(who), len(beds))
        bed, n = beds[at], again + 1
    return bed.spots[n % len(bed.spots)]


def not_others(w: HasClaims, who: str, area: Area, things: Iterable[Thing]) -> list[Thing]:
    """Of the things of an area, those that are no bed of somebody else's."""
    theirs = {bed.address for x, bed in own_beds(w, area.address).items() if x != who}
    mine = own_beds(w, w.cast[who].home).get(who)
    return [x for x in things if x.address not in theirs or x == mine]


def place_to_sleep(w: HasClaims, used: Users, who: str, area: Area) -> Thing | None:
    """What somebody sleeps on in an area: their own bed, else a free bed there that is nobody's, else a sofa in the
    house. None: the floor.
    """
    mine = own_beds(w, area.address).get(who)
    if mine is not None and has_room(used, mine, who):
        return mine
    house = [a for a in w.map.areas.values() if a.sector.name == sector_of(area.address) and a is not area]
    sofas = [x for a in house if "indoors" in a.arena.tags for x in a.things if "rest" in x.affords]
    found = (*not_others(w, who, area, area.beds()), *(x for x in sofas if "sleep" not in x.affords))
    return next((x for x in found if has_room(used, x, who)), None)
