"""What two are to each other, read from a log."""

from __future__ import annotations

import pytest
from lived import Day, founding
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Broken, Claim, Made
from sandbox.people.guest_handlers import Came
from sandbox.people.ties import CRUSH, BondSide, bond_name, closeness_at
from sandbox.readers.bonds import Bonds
from sandbox.talk.model import Closed, Relation


def begun(scenario: Scenario) -> Bonds:
    return Bonds(World.found(founding(scenario)))


def event(seq: int, t: int, e: Event, actor: str = "mara") -> Record:
    return Record(Stamp(seq, 1, t, actor, ()), e)


def talk(seq: int, t: int, *relations: tuple[str, str, float, float]) -> Record:
    """A talk that leaves (u, v, feeling, closeness)."""
    told = tuple(Relation(u, v, 0.1, f, 0.1, c, 0.1, "talked about rain") for u, v, f, c in relations)
    return event(seq, t, Closed("t", (told[0].u, told[0].v), "rain", "plain", "", told))


@pytest.fixture
def bonds(larkspur: Scenario) -> Bonds:
    """Clem and Vera are nothing much to each other."""
    found = begun(larkspur)
    assert found.of("vera", "clem") == found.of("clem", "vera") == "acquainted"
    return found


def warm(seq: int, t: int, feeling: float = 0.5) -> Record:
    return talk(seq, t, ("clem", "vera", feeling, 0.6), ("vera", "clem", feeling, 0.6))


def test_what_two_become_is_told_with_the_event_that_made_them_so(bonds: Bonds) -> None:
    bonds.read([warm(7, HOUR)])
    assert bonds.of("vera", "clem") == "friends"
    assert [tuple(x) for x in bonds.changes] == [
        (HOUR, "clem", "vera", "acquainted", "friends", 7, "talked about rain")
    ]


def test_friends_who_meet_no_more_are_none_some_day_and_the_last_talk_is_why(bonds: Bonds) -> None:
    bonds.read([warm(7, HOUR), event(8, 60 * DAY, Made("x", "ally", "mara", "otis"))])
    _, far = (x for x in bonds.changes if (x.a, x.b) == ("clem", "vera"))
    assert (far.was, far.now, far.seq) == ("friends", "acquainted", 7)
    assert far.t == bonds.lines._clock.midnight(bonds.lines._clock.day(far.t)), "as a day begins"


def test_claims_and_crushes_are_what_two_are_for_as_long_as_they_stand(bonds: Bonds) -> None:
    bonds.read([event(3, 60, Made("c", "couple", "clem", "vera", why="they are walking out"), "clem")])
    assert bonds.of("clem", "vera") == "couple"
    bonds.read([event(4, 120, Broken("c", "couple", "clem", "vera", why="it is over"), "clem")])
    assert bonds.of("clem", "vera") == "acquainted"
    assert [x.why for x in bonds.changes] == ["they are walking out", "it is over"]


def test_what_a_guest_brings_is_so_as_they_come(larkspur: Scenario, bonds: Bonds) -> None:
    gus = replace(larkspur.cast[0], id="gus", history=())
    bonds.read([event(3, 60, Came(0, 0, gus, claims=(Claim("c", "couple", "gus", "vera"),)), "gus")])
    assert bonds.of("gus", "vera") == "couple"
    assert [(x.t, x.now, x.seq) for x in bonds.changes] == [(60, "couple", 3)]


def test_only_what_holds_for_a_day_is_a_change_that_lasts(bonds: Bonds) -> None:
    bonds.read([warm(5, HOUR), warm(6, 3 * HOUR, -0.5), warm(7, 40 * HOUR, 0.9)])
    assert [x.now for x in bonds.changes] == ["friends", "fallen out", "friends"]
    assert [x.seq for x in bonds.lasting(0, 2 * DAY)] == [6, 7], "the last holds still"
    assert [x.seq for x in bonds.lasting(3 * HOUR, 2 * DAY)] == [7]


def test_after_a_day_names_are_those_that_the_numbers_give(day: Day) -> None:
    bonds, world = begun(day.scenario), day.world
    bonds.read(day.all())
    today = world.clock.day(world.now - 1)

    def side(u: str, v: str) -> BondSide:
        tie = world.people.ties.get(u, {}).get(v)
        return BondSide(closeness_at(tie, today, world.tie_parameters), tie.feeling) if tie else BondSide(0.0, 0.0)

    for (a, b), name in bonds.all().items():
        between = {c.kind for c in world.claims.open.values() if {c.a, c.b} == {a, b}}
        between |= {p.kind for p in world.pressures.open.values() if {p.holder, p.about} == {a, b}}
        found = bond_name(side(a, b), side(b, a), between, name)
        assert found == name or {found, name} == {"strangers", "acquainted"}, (a, b)
    assert bonds.changes
    assert all(x.seq for x in bonds.changes)
    assert CRUSH in {x.now for x in bonds.changes} | {x.was for x in bonds.changes} | {*bonds.all().values()}
    assert bonds.circles()
