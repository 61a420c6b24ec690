from maps import town_of

from sandbox.engine.scenario import Scenario
from sandbox.town.grid import TownMap

HOUSE = """
############
#bb..#..O..#
#b...+.....+
#....#..b..#
############
"""
ROOMS = {"Mill House": {"bedroom": (1, 1, 4, 3), "kitchen": (6, 1, 5, 3)}}


def test_several_of_a_kind_are_numbered_in_reading_order() -> None:
    town = town_of(HOUSE, ROOMS)
    beds = [town.things[f"Mill House / bedroom / bed {n}"] for n in (1, 2, 3)]
    assert [town.xy(b.tile) for b in beds] == [(1, 1), (2, 1), (1, 2)]
    assert {b.kind for b in beds} == {"bed"}


def test_one_of_a_kind_in_its_room_has_no_number() -> None:
    town = town_of(HOUSE, ROOMS)
    assert town.things["Mill House / kitchen / bed"].idle == "made"
    assert town.things["Mill House / kitchen / oven"].affords == ("bake", "cook")
    assert len(town.things) == 5


def test_an_address_leads_to_room_and_back() -> None:
    town = town_of(HOUSE, ROOMS)
    kitchen = town.areas["Mill House / kitchen"]
    assert kitchen.affords() == {"bake", "cook", "sleep"}
    assert all(town.area_of[t] == kitchen.address for t in kitchen.tiles)
    assert town.area_of[0] == ""
    assert kitchen.sector.name == "Mill House"


def test_a_bed_is_used_from_itself_and_an_oven_from_beside() -> None:
    town = town_of(HOUSE, ROOMS)
    bed, oven = town.things["Mill House / kitchen / bed"], town.things["Mill House / kitchen / oven"]
    assert bed.spots == (bed.tile,)
    assert {town.xy(t) for t in oven.spots} == {(7, 1), (9, 1), (8, 2)}
    assert oven.tile not in town.areas["Mill House / kitchen"].tiles


def test_only_neighbours_on_the_map_are_beside() -> None:
    town = town_of("...\n...")
    assert sorted(town.beside(0)) == [1, 3]
    assert sorted(town.beside(4)) == [1, 3, 5]
    assert sorted(town.beside(2)) == [1, 5]


def test_places_are_called_as_people_call_them(town: TownMap) -> None:
    assert town.place_name("Tansy Bakery / kitchen") == "the bakery"
    assert town.place_name("") == "the street"
    assert town.whereabouts("") == "in the street"
    assert town.whereabouts("Tansy Bakery / kitchen / oven") == "at the bakery"
    assert town.whereabouts("Rowan House / kitchen") == "in the kitchen at Rowan House"


def test_larkspur_is_as_large_as_promised(larkspur: Scenario, town: TownMap) -> None:
    assert 15 <= len(larkspur.plan.sectors) <= 25
    assert len(town.areas) >= 50
    assert len(town.things) >= 150
    beds = [t for t in town.things.values() if "sleep" in t.affords]
    assert sum(t.takes for t in beds) >= len(larkspur.cast) == 25


def test_every_thing_in_larkspur_can_be_used_and_lies_in_its_room(town: TownMap) -> None:
    for thing in town.things.values():
        assert thing.spots, thing.address
        assert all(town.walkable[s] for s in thing.spots), thing.address
        assert town.area_of[thing.tile] == thing.arena
        assert thing.address.startswith(thing.arena + " / ")


def test_every_place_a_larkspur_person_names_is_there(larkspur: Scenario, town: TownMap) -> None:
    for p in larkspur.cast:
        wheres = [p.home, p.work, *(s.where for d in p.routine.days for s in d.slots)]
        for where in wheres:
            if where not in ("", "home", "work"):
                assert " / ".join(where.split(" / ")[:2]) in town.areas, f"{p.id}: {where}"
