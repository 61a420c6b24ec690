"""Which things people use: who owns a bed, and what is free. A thing has at most `takes` users, usually one
(town/plan.py: Glyph). Somebody on the way to a thing counts as its user.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sandbox.people.claim_handlers import COUPLE, HasClaims
from sandbox.people.guest_model import in_town
from sandbox.people.model import HasPeople
from sandbox.town.grid import Area, Thing
from sandbox.town.plan import sector_of

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
