"""One thing, one user, unless the map says how many: above all, whose a bed is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lived import Day, engine_of, founding, run
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_handlers import COUPLE, claims_of
from sandbox.people.model import CurrentAct
from sandbox.people.planning import Users, has_room, not_others, own_beds, place_to_sleep, shared_out, users
from sandbox.town.grid import Thing
from sandbox.town.plan import MANY, Glyph

ROOM = "Number Nine / room two"
FRONT = "Rowan House / front bedroom"


def bed(n: int, takes: int = 1) -> Thing:
    return Thing(f"room / bed {n}", "bed", "room", n, (n,), ("sleep", "rest"), "made", takes)


def crowded(
    w: World, acts: dict[str, CurrentAct | None], awake: dict[str, bool], tiles: dict[str, int]
) -> Iterator[str]:
    """What is used by more than it takes, and which bed somebody sleeps in where another is who is not their love."""
    used: dict[str, list[str]] = {}
    for who, act in acts.items():
        if act is not None and act.thing:
            used.setdefault(act.thing, []).append(who)
    for address, those in used.items():
        thing = w.map.things[address]
        if len(those) > thing.takes:
            yield f"{address}: {those}"
    for address, those in used.items():
        if "sleep" not in w.map.things[address].affords:
            continue
        for who in those:
            here = {x for x, tile in tiles.items() if tile in w.map.things[address].spots} - {who}
            begun = [
                c for c in w.claim_deck.claims if c.kind == COUPLE and who in (c.a, c.b)
            ]  # who may have parted since
            dear = {x for c in begun for x in (c.a, c.b)} | {x for c in claims_of(w, who, COUPLE) for x in c.people}
            if not awake[who] and here - dear:
                yield f"{who} sleeps on {address} beside {here - dear}"


def test_a_bed_for_two_is_a_couples_and_everybody_else_has_one_alone() -> None:
    beds = [bed(1, takes=2), bed(2), bed(3)]
    own = shared_out(beds, ["ann", "bo", "cid", "dee"], [("cid", "ann")])
    assert {who: x.tile for who, x in own.items()} == {"ann": 1, "cid": 1, "bo": 2, "dee": 3}
    own = shared_out(beds[:2], ["ann", "bo", "cid"], [("ann", "elsewhere")])
    assert {who: x.tile for who, x in own.items()} == {"ann": 2, "bo": 1}, "the third has none"
    assert shared_out([bed(1)], ["ann", "bo"], [("ann", "bo")]).keys() == {"ann"}, "a single bed is no couple's"


def test_in_larkspur_everybody_has_a_bed_and_couples_share_one(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    for who, p in w.cast.items():
        own = own_beds(w, p.home)
        assert who in own
        dear = {x for claim in claims_of(w, who, COUPLE) for x in claim.people} - {who}
        assert {x for x, thing in own.items() if thing == own[who]} - {who} == dear
        assert own[who].takes == 1 + len(dear)


@pytest.mark.parametrize("claims", [True, False])
def test_everybody_begins_in_the_bed_that_is_theirs(larkspur: Scenario, claims: bool) -> None:
    """In a room whose bed for two stands first, and whose couple is not the first of the cast."""
    cast = sorted(larkspur.cast, key=lambda p: p.id not in ("jory", "pip"))
    cast = [replace(p, home=FRONT) if p.id in ("jory", "pip", "otis") else p for p in cast]
    rows = [[*row] for row in larkspur.plan.rows]
    for n in (6, 8):
        assert rows[3][n] == " "
        rows[3][n] = "b"
    plan = replace(larkspur.plan, rows=tuple(map("".join, rows)))
    parameters = {**larkspur.parameters, "claims.on": claims}
    w = World.found(founding(replace(larkspur, cast=tuple(cast), plan=plan, parameters=parameters)))
    own, begin = own_beds(w, FRONT), {who: w.town.spots[who].tile for who in w.cast}
    assert [thing.takes for thing in w.map.areas[FRONT].beds()] == [2, 1, 1]
    assert own["mara"] == own["basil"] != own["jory"]
    assert {who: w.map.things[bed.address] for who, bed in own.items() if begin[who] not in bed.spots} == {}
    assert len({begin[who] for who in own}) == 4, "each on a tile of their own"
    assert "otis" not in own
    assert begin["otis"] in {tile for bed in w.map.areas[FRONT].beds() for tile in bed.spots}, "who has none shares one"


def test_letters_of_a_bed_for_two_side_by_side_are_one_bed(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    (wide,) = w.map.areas[FRONT].beds()
    assert (wide.address, wide.takes, len(wide.spots)) == (f"{FRONT} / double bed", 2, 2)
    assert wide.spots[1] == wide.spots[0] + 1


@pytest.mark.parametrize(
    ("glyph", "takes"),
    [
        (Glyph("oven", "object", "oven", ("bake",), walk=False), 1),
        (Glyph("desk", "object", "desk", ("write", "read"), walk=False), 1),
        (Glyph("bath", "object", "bath", ("wash",), walk=False), 1),
        (Glyph("bench", "object", "bench", ("sit", "eat")), 1),
        (Glyph("table", "object", "table", ("sit", "eat"), walk=False), MANY),
        (Glyph("table", "object", "table", ("sit", "eat"), walk=False, takes=4), 4),
    ],
)
def test_a_thing_is_for_one_unless_people_do_it_together_or_the_map_says_so(glyph: Glyph, takes: int) -> None:
    assert glyph.users == takes


def test_a_bed_that_is_in_use_is_left_to_who_is_in_it(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    area, own = w.map.areas[ROOM], own_beds(w, ROOM)
    assert own["yara"] != own["flora"]
    used: Users = {}
    assert place_to_sleep(w, used, "flora", area) == own["flora"]
    used[own["flora"].address] = {"yara": own["flora"].tile}  # who lay down there while it was hers
    sofa = place_to_sleep(w, used, "flora", area)
    assert sofa is not None
    assert (sofa.kind, sofa.arena) == ("sofa", "Number Nine / lounge")
    used |= {x.address: {"kit": x.tile} for x in w.map.areas["Number Nine / lounge"].things}
    assert place_to_sleep(w, used, "flora", area) is None, "then the floor"
    assert own["yara"] not in not_others(w, "flora", area, area.beds())
    assert not has_room(used, own["flora"], "flora")


def test_at_every_minute_of_a_day_no_thing_has_more_users_than_it_takes(day: Day) -> None:
    w, n = day.world, 0
    for minute in range(DAY // 60):
        now = {who: glances[minute] for who, glances in day.glances.items()}
        n += sum(g.act is not None and bool(g.act.thing) for g in now.values())
        found = crowded(
            w, {x: g.act for x, g in now.items()}, {x: g.awake for x, g in now.items()},
            {x: g.tile for x, g in now.items() if not g.walking},
        )  # fmt: skip
        assert not [*found], day.at(minute * 60)
    assert n > 1000


def minute_by_minute(scenario: Scenario, hours: int) -> list[str]:
    """Whatever was used by too many in so many hours."""
    engine = engine_of(scenario)
    w, found = engine.world, list[str]()

    def look() -> None:
        acts = {who: r.act for who, r in w.people.residents.items()}
        awake = {who: r.awake for who, r in w.people.residents.items()}
        tiles = {who: spot.tile for who, spot in w.town.spots.items() if not spot.path}
        found.extend(f"{w.clock.words(w.now)}: {x}" for x in crowded(w, acts, awake, tiles))

    run(engine, hours * HOUR // w.step_seconds, look)
    assert users(w)
    return found


@pytest.mark.slow
def test_for_two_days_nobody_lies_on_a_bed_in_which_another_sleeps(larkspur: Scenario) -> None:
    """The town in which Yara lay on Flora's bed on the first evening, and Esme on Clem's on the second."""
    assert not minute_by_minute(replace(larkspur, seed=424242), 48)


@pytest.mark.sampled(0, slow=3)
@pytest.mark.parametrize("seed", [60606, *range(1, 10)])
def test_at_every_minute_of_a_day_and_a_night_no_thing_has_more_users_than_it_takes(
    larkspur: Scenario, seed: int
) -> None:
    """Of ten seeds, from one afternoon to the next."""
    afternoon = replace(larkspur, seed=seed, step=60, start="2025-03-04 16:00", opening={})
    assert not minute_by_minute(afternoon, 24)


def test_a_second_sleeper_lies_on_the_sofa_and_a_third_on_the_floor(larkspur: Scenario) -> None:
    """Where a room has one bed for three."""
    cast = tuple(replace(p, home=ROOM) if p.id in ("kit", "ivo", "jory") else p for p in larkspur.cast)
    late = replace(larkspur, cast=cast, start="2025-03-04 22:00", opening={}, step=180, calendar=())
    w = run(engine_of(late), 2 * HOUR // 180).world
    lying = {who: r.act.thing for who, r in w.people.residents.items() if not r.awake and r.act is not None}
    mine = [lying[who] for who in ("kit", "ivo", "jory", "flora", "yara") if who in lying]
    assert len(mine) >= 4
    beds = [x for x in mine if x]
    assert len(beds) == len({*beds})
    assert any("lounge" in x for x in beds)
