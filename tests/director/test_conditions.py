"""Conditions on the town: claims, beliefs, ties, endings, decisions and talks, and what stands in their way."""

from __future__ import annotations

from pathlib import Path

import pytest
from lived import engine_of, founding, log_of, restored, run
from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core import structs
from sandbox.core.events import Stamp
from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader, root_of
from sandbox.director.conditions import Nameable, Predicate, condition_people, is_met, odd
from sandbox.director.history import OpenAnnals, TownHistory, annals_of, closed
from sandbox.director.unmet_conditions import obstacles, threats
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.beliefs import BeliefUpdate, believe
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_handlers import facts_of
from sandbox.people.ties import Tie
from sandbox.talk.model import Closed

NEVER = Stamp(0, 0, 0, "", ())


def condition(text: str, faults: Faults | None = None) -> Predicate:
    """A condition as a file says it."""
    root = root_of(text, Path("goals.yaml"), Faults() if faults is None else faults)
    return structs.read(Predicate, MappingReader(root))


@pytest.fixture
def stage(larkspur: Scenario) -> Stage:
    """Larkspur, where Mara owes Basil and keeps a secret from Otis, and nothing else presses."""
    owes = pressure("debt", due=3600, stakes="sixty coins for a ladder", amount=0)
    found = Stage(larkspur, owes, pressure("secret", about="otis", stakes="where the ladder went", thread="attic"))
    found.world.annals.kept = True
    return found


def test_a_claim_holds_that_stands_and_either_way_round_where_it_is_mutual(stage: Stage) -> None:
    assert is_met(stage.world, condition("claim: {kind: couple, a: basil, b: mara}"))
    assert is_met(stage.world, condition("claim: {kind: holds, terms: the dented pan}"))
    assert not is_met(stage.world, condition("claim: {kind: employs, a: jory, b: mara}"))
    pan = condition("claim: {kind: holds, a: rufus, terms: the dented pan}")
    assert obstacles(stage.world, pan) == ["Jory holds the dented pan"]
    assert obstacles(stage.world, condition("claim: {kind: couple, a: kit, b: yara}")) == [
        "It is not so yet: Kit and Yara are a couple"
    ]


def test_what_may_undo_a_claim_is_told_with_its_hour(stage: Stage) -> None:
    stage.wake()
    lodges = condition("claim: {kind: lodges, a: kit}")
    assert threats(stage.world, lodges) == []
    stage = Stage(
        stage.world.scenario, pressure("debt", "kit", "zeno", due=3600, stakes="two months' rent", amount=120)
    )
    stage.wake()
    assert threats(stage.world, lodges) == ["Kit owes Zeno: two months' rent (120 coins), by Tue 4 Mar 08:30"]


def test_a_belief_is_asked_of_one_person_and_by_a_moment(stage: Stage) -> None:
    w = stage.world
    stage.wake()
    knows = condition("believes: {who: basil, fact: secret, truly: yes}")
    in_time = condition('believes: {who: basil, fact: secret, before: "day 1 08:00"}')
    unheard = condition("nobody_believes: {fact: secret, but: [wilf]}")
    assert is_met(w, unheard)
    assert obstacles(w, knows) == [
        "Nobody but Mara knows of it: Mara is keeping something from Otis, and it has to do with where the ladder went"
    ]
    w.now = 3600
    rows = (BeliefUpdate("basil", "secret", "mara", "otis", "", 1, 20.0, "saw"),)
    believe(w, rows, facts_of(w, rows), Stamp(9, 1, 3600, "", ()))
    assert is_met(w, knows)
    assert not is_met(w, in_time)
    assert "too late" in obstacles(w, in_time)[0]
    assert obstacles(w, unheard)[0].startswith("Basil knows of it")
    assert is_met(w, condition("believes: {who: basil, fact: secret, of: mara}"))
    assert not is_met(w, condition("believes: {who: basil, fact: secret, of: kit}"))


def test_a_tie_is_asked_from_one_side_or_from_both(stage: Stage) -> None:
    w = stage.world
    w.people.ties["zeno"]["dov"] = Tie(0.4, 0.3, 1)
    w.people.ties["dov"]["zeno"] = Tie(0.4, -0.2, 1)
    assert is_met(w, condition("tie: {u: zeno, v: dov, least: 0.2}"))
    both = condition("tie: {u: zeno, v: dov, least: 0.2, both: yes}")
    assert obstacles(w, both) == ["Dov's feeling for Zeno is -0.20, and has to be 0.20 at least"]
    assert is_met(w, condition("tie: {u: zeno, v: dov, of: closeness, least: 0.4, most: 0.5}"))


def test_an_ending_is_known_by_matter_thread_and_whether_it_was_good(stage: Stage) -> None:
    w, p = stage.world, stage.wake()
    ended = condition("ended: {thread: ladders, good: yes}")
    assert not is_met(w, ended)
    assert obstacles(w, ended) == ["Mara owes Basil: sixty coins for a ladder, by Tue 4 Mar 08:30"]
    assert is_met(w, condition("open: {matter: debt}"))
    stage.move(120, p, Effect(end="let_off"), "basil", "mara", "let_off")
    assert is_met(w, ended)
    assert is_met(w, condition('ended: {matter: debt, how: let_off, before: "day 1 08:00"}'))
    assert not is_met(w, condition('ended: {matter: debt, after: "day 1 08:00"}'))
    assert obstacles(w, condition("ended: {matter: debt, how: repaid}")) == [
        "Basil has let Mara off: sixty coins for a ladder"
    ]
    assert obstacles(w, condition("not: {ended: {matter: debt}}")) == [
        "Basil has let Mara off: sixty coins for a ladder"
    ]


def test_two_have_spoken_kindly_only_since_their_last_words(stage: Stage) -> None:
    w, kindly = stage.world, condition("spoke: {a: zeno, b: dov}")
    assert obstacles(w, kindly) == ["Zeno and Dov have not spoken kindly yet"]
    talk = Closed("1", ("dov", "zeno"), "pie", "warm", "pie", ())
    closed(w, talk, NEVER._replace(t=60))
    assert is_met(w, kindly)
    closed(w, replace(talk, tone="hostile"), NEVER._replace(t=90))
    assert not is_met(w, kindly)
    assert "since their words of Tue 4 Mar" in obstacles(w, kindly)[0]


def test_conditions_are_joined_by_all_any_and_not(stage: Stage) -> None:
    w = stage.world
    pan, early = "claim: {kind: holds, a: jory, terms: the dented pan}", 'after: "day 2 07:00"'
    assert is_met(w, condition(f"any: [{{{early}}}, {{{pan}}}]"))
    assert not is_met(w, condition(f"all: [{{{early}}}, {{{pan}}}]"))
    assert is_met(w, condition(f"all: [{{not: {{{early}}}}}, {{{pan}}}]"))
    assert not is_met(w, condition(f"{early}\n{pan}"))  # all that one says must be so
    assert obstacles(w, condition(f"not: {{{pan}}}")) == ["Jory holds the dented pan"]


def test_whom_a_condition_names_is_known_however_deep() -> None:
    found = condition("any: [{tie: {u: zeno, v: dov, of: closeness}}, {not: {nobody_believes: {fact: x, but: [una]}}}]")
    assert condition_people(found) == ("zeno", "dov", "una")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("claim: {kind: couple, a: juri}", 'no person of the cast "juri"'),
        ("claim: {kind: cuple}", 'no kind of claim "cuple"'),
        ("decided: {occasion: vote, how: won}", 'no outcome of it "won"'),
        ("ended: {good: yes}", "is missing; say which matter"),
        ("believes: {who: jory, fact: deed}", 'no fact "deed"'),
        ("all: []", "says nothing"),
        ("tie: {u: jory, v: jory, least: 0.4, most: 0.1}", "more than the most"),
    ],
)
def test_what_there_is_not_is_told_in_a_sentence(text: str, fault: str) -> None:
    known = Nameable(
        ("jory",), ("couple",), ("hidden",), ("hidden",), ("deed",), ("secret",), ("told",), {"vote": ("yes", "no")}
    )
    assert fault in " ".join(o.message for o in odd(condition(text), known))


def test_a_moment_that_is_none_is_told_at_its_line() -> None:
    faults = Faults()
    condition('after: "Tuesday"', faults)
    assert [str(f) for f in faults] == ['goals.yaml:1: after: "Tuesday" is no moment; write it as "day 1 07:30"']


@pytest.mark.slow
def test_annals_are_kept_from_when_they_are_asked_for_and_know_what_was_before(larkspur: Scenario) -> None:
    engine = engine_of(replace(larkspur, step=600))
    w, whole = engine.world, engine_of(replace(larkspur, step=600))
    whole.do(OpenAnnals())
    run(whole, 60)
    run(engine, 30)
    assert w.annals == TownHistory()
    assert b"annals" not in w.snapshot()
    engine.do(OpenAnnals(before=annals_of(log_of(engine).all(), w.cast_pressures)))
    run(engine, 30)
    kept, same = w.annals, whole.world.annals
    assert kept.ended
    assert kept.decided
    assert [(x.course.id, x.how, x.t) for x in kept.ended] == [(x.course.id, x.how, x.t) for x in same.ended]
    assert (kept.warm, kept.quarrels, kept.courses.keys()) == (same.warm, same.quarrels, same.courses.keys())
    again = restored(World.found(founding(w.scenario)), w.snapshot(), log_of(engine).all())
    assert again.annals == w.annals
