"""What Larkspur says is so between its people: enough to lose, some of it disputed, and all of it true to its files."""

from __future__ import annotations

import re

from lived import founding

from sandbox.core.clock import DAY
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_model import Claim

LIVED = ("lodges", "employs", "member")  # kinds that say where people live, work and belong
CALLED = {"Mum": "mother", "Dad": "father", "Grandad": "grandfather"}


def of_kind(s: Scenario, *kinds: str) -> list[Claim]:
    return [c for c in s.claims.claims if c.kind in kinds]


def belong(s: Scenario, terms: str) -> set[str]:
    return {c.a for c in of_kind(s, "member") if c.terms == terms}


def contested(s: Scenario) -> set[str]:
    """Claims that the stakes of a pressure of theirs name, by what they are of; nobody disputes blood or company."""
    return {
        c.id
        for c in s.claims.claims
        for p in s.pressures
        if c.kind not in ("kin", "member") and c.terms and {p.holder, p.about} & {*c.people}
        if re.search(rf"\b{re.escape(c.terms)}\b", p.stakes)
    }


def test_there_is_much_to_lose_beside_homes_work_and_company(larkspur: Scenario) -> None:
    assert len([c for c in larkspur.claims.claims if c.kind not in LIVED]) >= 30
    assert len(of_kind(larkspur, "couple")) == 6
    assert len(of_kind(larkspur, "ally")) >= 6
    assert len(of_kind(larkspur, "confidence")) >= 5
    assert len(of_kind(larkspur, "owns")) >= 3
    assert len(of_kind(larkspur, "heir")) >= 3


def test_ten_claims_and_more_are_contested_of_six_kinds(larkspur: Scenario) -> None:
    found = contested(larkspur)
    assert len(found) >= 10, found
    kinds = {c.kind for c in larkspur.claims.claims if c.id in found}
    assert kinds >= {"owns", "heir", "role", "ally", "employs", "lodges"}


def test_nobody_has_only_a_home_work_and_company(larkspur: Scenario) -> None:
    told = {who for c in larkspur.claims.claims if c.kind not in LIVED for who in c.people}
    assert told == {p.id for p in larkspur.cast}


def test_all_live_and_work_where_their_files_say_as_the_world_begins(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    assert w.cast == w.files


def test_couples_are_of_two_who_are_no_kin_and_of_one_couple_only(larkspur: Scenario) -> None:
    pairs = [{*c.people} for c in of_kind(larkspur, "couple")]
    assert not [c.id for c in of_kind(larkspur, "kin") if {*c.people} in pairs]
    assert len(set().union(*pairs)) == 2 * len(pairs)


def test_who_calls_somebody_mum_is_their_child(larkspur: Scenario) -> None:
    kin = {(c.a, c.b): c.terms for c in of_kind(larkspur, "kin")}
    calls = [(v, p.id, CALLED[name]) for p in larkspur.cast for v, name in p.speech.calls.items() if name in CALLED]
    assert len(calls) == 10
    assert [(a, b, kin.get((a, b))) for a, b, _ in calls] == calls


def test_the_choir_the_council_and_the_band_are_whom_their_occasions_name(larkspur: Scenario) -> None:
    named = {o.id: {*o.who} for o in larkspur.calendar}
    assert (
        belong(larkspur, "the choir") | {c.a for c in of_kind(larkspur, "role") if "choir" in c.terms} == named["choir"]
    )
    assert belong(larkspur, "the band") == named["band_practice"]
    (vote,) = (o.decides for o in larkspur.calendar if o.id == "council_vote")
    assert vote is not None
    assert belong(larkspur, "the council") == {*vote.who}


def test_what_is_told_in_trust_is_a_secret_of_who_told_it(larkspur: Scenario) -> None:
    names = {p.id: p.name.split()[0] for p in larkspur.cast}
    files = {p.id: " ".join(p.secrets) for p in larkspur.cast}
    for c in of_kind(larkspur, "confidence"):
        filed = names[c.b] in files[c.a]
        held = any(p.holder == c.a and c.b in p.known_by for p in larkspur.pressures)
        assert filed or held, c.id


def test_threads_of_the_cast_fall_due_in_the_second_week(larkspur: Scenario) -> None:
    late = [p for p in larkspur.pressures if p.due is not None and p.due >= 7 * DAY]
    assert len({p.thread for p in late}) >= 6
    assert {p.id for p in late if p.wakes < 3 * DAY} == set()
