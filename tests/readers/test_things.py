"""Things on the map: where one came to lie, whose it is, and until when; and that no event knows of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from storyworld import live

from sandbox.core.events import Event, Record, Stamp
from sandbox.core.places import shipped_folder
from sandbox.engine.loading import load
from sandbox.people.pressure_beginnings import Role, Spark
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_model import Began, Ended, Sparked
from sandbox.readers.places import LASTS, MapThing, Things, asked_of, latest_thing

HORN = Spark("{actor} bought it", {"actor": Role(), "target": Role()}, (), 5, thing="a trombone")
DECK = DramaDeck(sparks={"horn": HORN, "talk": replace(HORN, thing="")})
PLACES = {"ada": (4.0, 7.4), "bo": (9.0, 1.0)}


def record(seq: int, t: int, e: Event, *causes: int) -> Record:
    return Record(Stamp(seq, 1, t, "", causes), e)


def began(id: str) -> Began:
    return Began(id, "debt", "bo", 0.5, 0, -1, "a tune", "it came", id, ())


@pytest.fixture
def things() -> Things:
    return Things(DECK)


def take(things: Things, *records: Record) -> None:
    for each in records:
        things.take(each, lambda who, t: PLACES.get(who))


def test_a_thing_lies_where_the_first_of_its_roles_stood(things: Things) -> None:
    take(things, record(10, 600, Sparked("horn", {"actor": "ada", "target": "bo"}, "Ada bought it")))
    assert things.at(599) == []
    assert things.at(600) == [MapThing("a trombone", "ada", ("ada", "bo"), 4, 7, 600, 10)]


def test_it_is_gone_after_a_day_or_so(things: Things) -> None:
    take(things, record(10, 600, Sparked("horn", {"actor": "ada", "target": "bo"}, "")))
    assert things.at(600 + LASTS - 1)
    assert not things.at(600 + LASTS)


def test_it_is_gone_when_all_that_came_of_it_is_over_and_was_there_before(things: Things) -> None:
    take(
        things,
        record(10, 600, Sparked("horn", {"actor": "ada", "target": "bo"}, "")),
        record(11, 600, began("one"), 10),
        record(12, 600, began("two"), 10),
        record(13, 600, began("other"), 9),
        record(20, 900, Ended("one", "paid", True, "repay")),
    )
    (thing,) = things.at(900)
    assert things.began(thing) == ("two",)
    take(things, record(21, 1200, Ended("two", "paid", True, "repay")))
    assert things.at(1200) == []
    assert things.at(1199) == [thing]  # a moment that is watched again


def test_what_brings_nothing_or_befalls_nobody_known_leaves_nothing(things: Things) -> None:
    take(
        things,
        record(10, 600, Sparked("talk", {"actor": "ada"}, "")),
        record(11, 600, Sparked("horn", {"actor": "nobody"}, "")),
        record(12, 600, Sparked("gone_from_the_deck", {"actor": "ada"}, "")),
    )
    assert things.at(700) == []


def test_only_who_has_to_do_with_it_is_asked_about_it(things: Things) -> None:
    take(things, record(10, 600, Sparked("horn", {"actor": "ada", "target": "bo"}, "")))
    thing = latest_thing(things.at(700), "bo")
    assert thing is not None
    assert asked_of(thing) == "What about the trombone?"
    assert latest_thing(things.at(700), "cy") is None


def test_some_35_sparks_of_what_ships_bring_something() -> None:
    sparks = load(shipped_folder("worlds") / "larkspur").drama.sparks
    assert 35 <= sum(bool(spark.thing) for spark in sparks.values()) < len(sparks)
    assert all(spark.thing == spark.thing.strip() and not spark.thing.endswith(".") for spark in sparks.values())


@pytest.mark.slow
def test_no_event_knows_of_a_thing() -> None:
    lived = live(250, seed=9)
    sparks = [r for r in lived.records if isinstance(r.event, Sparked)]
    assert sparks
    deck = lived.world.scenario.drama
    bare = replace(deck, sparks={id: replace(spark, thing="") for id, spark in deck.sparks.items()})
    assert live(250, seed=9, drama=bare).records == lived.records
