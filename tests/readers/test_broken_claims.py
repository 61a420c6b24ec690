"""Deeds that broke a claim: seen by somebody else, and minded, or not."""

from __future__ import annotations

import pytest
from lived import founding

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.beliefs import SAW, BeliefUpdate
from sandbox.people.claim_model import Broken
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.phones.model import Read
from sandbox.readers.breaches import Breaches
from sandbox.talk.model import Exchanged

HEART, BIKE = "heart", "dark_bicycle"  # Mara's, who is married to Basil; Jory's secret, of which he has told Kit


def began(
    id: str, kind: str, about: str, known_by: tuple[str, ...] = (), stakes: str = "where Jory was at midnight"
) -> Began:
    return Began(id, kind, about, 0.5, 0, -1, stakes, "it began", id, known_by)


class Log:
    """What has come to pass in Larkspur, and the measure of it."""

    def __init__(self, larkspur: Scenario) -> None:
        self.reader = Breaches(World.found(founding(larkspur)))
        self.seq = 1

    def add(self, hour: float, actor: str, event: Event) -> Log:
        self.seq += 1
        self.reader.read(Stamp(self.seq, 1, round(hour * HOUR), actor, ()), event)
        return self

    def told(self, hour: float, who: str, fact: str, source: str, a: str, b: str) -> Log:
        return self.add(
            hour,
            source,
            Exchanged("talk", 1, "gossip", (), (), told=(BeliefUpdate(who, fact, a, b, "", 0, 5.0, source),)),
        )

    def loves(self) -> Log:
        return self.add(1, "mara", began(HEART, "crush", "otis"))

    def minds(self, hour: float, who: str = "basil", whom: str = "mara", child: str = "jealous") -> Log:
        return self.add(hour, who, began(f"{child}.{who}.{whom}.9", "grudge", whom))

    def noticed(self) -> tuple[int, int]:
        self.add(200, "una", Broken("una_bicycle", "owns", "una", "", "the post bicycle"))  # the log goes on
        return self.reader.noticed(range(1, 9))


@pytest.fixture
def log(larkspur: Scenario) -> Log:
    return Log(larkspur)


def test_a_deed_that_nobody_else_knows_of_is_not_counted(log: Log) -> None:
    assert log.loves().minds(3).noticed() == (0, 0)


def test_a_deed_that_others_know_of_is_minded_or_not(larkspur: Scenario, log: Log) -> None:
    assert log.loves().told(2, "una", HEART, "wilf", "mara", "otis").noticed() == (0, 1)
    assert Log(larkspur).loves().told(2, "una", HEART, "wilf", "mara", "otis").minds(3).noticed() == (1, 1)


def test_what_somebody_has_read_they_know_as_well(log: Log) -> None:
    told = (BeliefUpdate("una", HEART, "mara", "otis", "", 0, 5.0, "wilf"),)
    assert log.loves().add(2, "una", Read("post", 3, "wilf", "a crush", told)).minds(3).noticed() == (1, 1)


def test_all_that_counts_is_within_two_days(larkspur: Scenario) -> None:
    for heard, minded, found in ((48.9, 40, (1, 1)), (49.1, 40, (0, 0)), (2, 49.1, (0, 1))):
        log = Log(larkspur).loves()
        for hour in sorted((heard, minded)):
            _ = log.told(hour, "una", HEART, "wilf", "mara", "otis") if hour == heard else log.minds(hour)
        assert log.noticed() == found


def test_only_those_whose_claim_it_was_and_only_about_whoever_broke_it(log: Log) -> None:
    log.loves().told(2, "una", HEART, "wilf", "mara", "otis")
    assert log.minds(3, "wilf").minds(4, "basil", "otis").minds(5, child="slight").noticed() == (0, 1)


def test_to_mind_once_more_is_to_mind(log: Log) -> None:
    log.add(0.5, "basil", began("jealous.basil.mara.1", "grudge", "mara"))
    log.loves().told(2, "una", HEART, "wilf", "mara", "otis")
    again = Stirred("jealous.basil.mara.1", "again", "", "mara", 0.1, 0.6, 1)
    assert log.add(3, "basil", again).noticed() == (1, 1)


def test_who_tells_on_what_was_told_in_trust_has_broken_that_then(larkspur: Scenario) -> None:
    log = Log(larkspur).add(1, "jory", began(BIKE, "secret", "quentin", ("kit",)))
    assert log.told(2, "una", BIKE, "jory", "jory", "quentin").noticed() == (0, 0)
    log = Log(larkspur).add(1, "jory", began(BIKE, "secret", "quentin", ("kit",)))
    log.told(60, "una", BIKE, "kit", "jory", "quentin").told(61, "wilf", BIKE, "kit", "jory", "quentin")
    assert log.minds(70, "jory", "kit", "trust_broken").noticed() == (1, 1)


def test_who_is_turned_on_by_an_ally_and_has_it_out_with_them_has_noticed(larkspur: Scenario) -> None:
    def turned_on(hour: float, by: str, actor: str = "dov", to: str = "ivo") -> tuple[int, int]:
        log = Log(larkspur).add(1, "dov", began("slight", "grudge", "ivo"))
        log.told(2, "una", "slight", "wilf", "dov", "ivo")
        return log.add(hour, actor, Ended("slight", "made_up", True, by, "accept", to)).noticed()

    assert turned_on(3, "confront") == turned_on(3, "showdown", to="") == turned_on(3, "apologise", "ivo", "") == (1, 1)
    assert turned_on(3, "") == turned_on(50, "confront") == turned_on(3, "appeal", to="greta") == (0, 1)


def test_what_cost_the_claim_itself_was_noticed(larkspur: Scenario) -> None:
    def lost(hour: float) -> tuple[int, int]:
        log = Log(larkspur).loves().told(2, "una", HEART, "wilf", "mara", "otis")
        claim = next(c for c in World.found(founding(larkspur)).claims.open.values() if {c.a, c.b} == {"mara", "basil"})
        return log.add(hour, "basil", Broken(claim.id, claim.kind, claim.a, claim.b)).noticed()

    assert (lost(40), lost(50)) == ((1, 1), (0, 1))


def test_a_row_that_was_seen_is_a_deed_to_kin_of_whoever_was_shouted_at(log: Log) -> None:
    log.add(1, "dov", began("thorn", "grudge", "thea"))
    saw = tuple(BeliefUpdate(who, "", "dov", "thea", "", 2, 20.0, SAW) for who in ("una", "lev"))
    log.add(2, "dov", Stirred("thorn", "confront", "refuse", "thea", 0.1, 0.6, 3, hostile=True, turn=True, learned=saw))
    log.minds(2, "lev", "dov", "for_ones_own")
    assert log.noticed() == (1, 3), "her mother and her brother have not heard of it"
