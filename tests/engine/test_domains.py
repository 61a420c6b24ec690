"""A part of the town's life is declared once, and world, step, snapshots, parameters and log follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest
from lived import engine_of, founding, log_of, restored, run

from sandbox.core.domain import Command, CommandEvent, Domain, ParameterTable, Phase, State, System
from sandbox.core.events import ZERO, Event, Stamp, chain_digest, to_row
from sandbox.core.protocols import Step
from sandbox.engine.domain import Reseed, SetStep, StepSet
from sandbox.engine.registry import EVENTS, REGISTRY, Registry
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.memory import Memories


class BellParameters(msgspec.Struct, frozen=True):
    every: int = 3


class Bell(msgspec.Struct):
    rung: dict[str, int] = {}


class Rung(Event, frozen=True):
    KIND: ClassVar[str] = "rung"
    times: int


class Ring(Command, frozen=True):
    times: int = 1


def rung(w: Any, e: Rung, at: Stamp) -> None:
    w.bell.rung[at.actor] = w.bell.rung.get(at.actor, 0) + e.times


def remember_rung(m: Memories, e: Rung, at: Stamp) -> None:
    m.keep(at.actor, at, "event", "rang the bell", (), 3, topic="bell")


async def ring_often(step: Step, w: Any) -> None:
    if step.number % w.bell_parameters.every == 0:
        step.emit(Rung(1), actor=next(iter(w.cast)), t=max(step.now, w.last.get(next(iter(w.cast)), 0)))


def ring(w: Any, c: Ring) -> Sequence[CommandEvent]:
    if c.times > 9:
        raise ValueError("nobody rings more than nine times")
    return [CommandEvent(Rung(c.times), c.by)]


def check(w: Any, state: Bell, now: int) -> None:
    if not state.rung.keys() <= w.cast.keys():
        raise ValueError("other people ring")


BELL = Domain(
    "bell",
    states=(State("bell", Bell, lambda w: Bell(), check, later=True),),
    tables=(ParameterTable("bell", "bell_parameters", BellParameters),),
    handlers={Rung: rung},
    memories={Rung: remember_rung},
    systems=(System(lambda: ring_often, (Phase.REFLECT + 1,)),),
    commands={Ring: ring},
)
WITH = Registry((*REGISTRY.domains, BELL))


def town(scenario: Scenario) -> Any:
    world = World(scenario, WITH)
    world.seq = 1
    return world


def test_a_domain_lives_in_the_town_by_its_declaration_alone(larkspur: Scenario) -> None:
    often = msgspec.structs.replace(larkspur, parameters={**larkspur.parameters, "bell.every": 2})
    engine = run(engine_of(often, world=town(often)), 5)
    world: Any = engine.world
    who = next(iter(world.cast))
    assert world.bell.rung == {who: 2}
    assert [m.text for m in world.memories.streams[who]].count("rang the bell") == 2
    again = town(often)
    restored(again, world.snapshot(), log_of(engine).all())
    assert again.bell == world.bell
    assert again.snapshot() == world.snapshot()
    replayed = town(often)
    for record in log_of(engine).all():
        replayed.apply(WITH.decode(to_row(record)))
    assert replayed.bell == world.bell


def test_a_snapshot_from_before_a_domain_is_one_in_which_it_has_only_begun(larkspur: Scenario) -> None:
    before = World.found(founding(larkspur))
    world = town(larkspur)
    world.bell.rung["mara"] = 4
    world.restore(before.snapshot())
    assert world.bell == Bell()
    assert world.snapshot() == before.snapshot(), "and it takes no room there"


def test_a_snapshot_is_checked_by_each_domain(larkspur: Scenario) -> None:
    world = town(larkspur)
    world.bell.rung["stranger"] = 1
    with pytest.raises(ValueError, match="no snapshot of this world: other people ring"):
        town(larkspur).restore(world.snapshot())


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        (Domain("bell"), "declared twice: domain bell"),
        (Domain("other", states=(State("bell", Bell, lambda w: Bell()),)), "declared twice: state bell"),
        (
            Domain("other", tables=(ParameterTable("bell", "x", BellParameters),)),
            "declared twice: table of parameters bell",
        ),
        (Domain("other", memories={Rung: remember_rung}), "declared twice: memory of rung"),
        (Domain("other", commands={Ring: ring}), "declared twice: command Ring"),
        (Domain("other", upcasters={("chime", 1): dict}), "no domain handles chime"),
    ],
)
def test_what_is_declared_twice_or_for_nothing_is_an_error(domain: Domain, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Registry((*WITH.domains, domain))


def test_a_memory_of_what_nobody_handles_is_an_error() -> None:
    with pytest.raises(ValueError, match="no domain handles rung"):
        Registry((*REGISTRY.domains, Domain("other", memories={Rung: remember_rung})))


# ---- thousands who are no residents


class Tallied(Event, frozen=True):
    KIND: ClassVar[str] = "tallied"
    packed: bytes
    digest: str


def digest_of(columns: np.ndarray) -> str:
    return sha256(columns.tobytes()).hexdigest()


def tallied(w: Any, e: Tallied, at: Stamp) -> None:
    w.columns[np.frombuffer(e.packed, "<u4")] += 1
    if digest_of(w.columns) != e.digest:
        raise ValueError("the columns are not those of this event")


def columns(w: Any, scenario: Scenario) -> None:
    w.columns = np.zeros(1000, "<i4")


async def tally(step: Step, w: Any) -> None:
    who = np.array([step.number, 2 * step.number], "<u4")
    after = w.columns.copy()
    after[who] += 1
    step.emit(Tallied(who.tobytes(), digest_of(after)))


CROWD = Domain("crowd", settle=columns, handlers={Tallied: tallied}, systems=(System(lambda: tally, (Phase.SEE - 1,)),))


def test_columns_outside_the_snapshot_stand_in_the_chain_by_their_packed_events(larkspur: Scenario) -> None:
    registry = Registry((*REGISTRY.domains, CROWD))
    world: Any = World(larkspur, registry)
    world.seq = 1
    engine = run(engine_of(larkspur, world=world), 3)
    assert "columns" not in msgspec.msgpack.decode(world.snapshot())
    rows = [to_row(r) for step in log_of(engine).steps for r in step]
    again: Any = World(larkspur, registry)
    for row in rows:
        again.apply(registry.decode(row))
    assert world.columns.sum() == 6
    assert digest_of(again.columns) == digest_of(world.columns)
    packed = [i for i, row in enumerate(rows) if row.kind == "tallied"]
    other = rows[packed[1]]._replace(data=rows[packed[0]].data)
    assert chain_digest(ZERO, 2, [other]) != chain_digest(ZERO, 2, [rows[packed[1]]])
    with pytest.raises(ValueError, match="not those of this event"):
        again.apply(registry.decode(other))


# ---- the one way in


def test_a_command_becomes_events_of_the_next_step_and_replays(larkspur: Scenario) -> None:
    engine = run(engine_of(larkspur, world=town(larkspur)), 1)
    engine.do(Ring(by="mara", times=2))
    engine.do(SetStep(seconds=600))
    before = engine.world.snapshot()
    run(engine, 1)
    done = [r for r in log_of(engine).steps[1] if isinstance(r.event, Rung | StepSet)]
    assert [(r.stamp.actor, r.event) for r in done] == [("mara", Rung(2)), ("", StepSet(600))]
    replayed = town(larkspur)
    replayed.restore(before)
    for record in log_of(engine).steps[1]:
        replayed.apply(WITH.decode(to_row(record)))
    assert replayed.bell.rung == {"mara": 2}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (Ring(by="mara", times=10), "nobody rings more than nine times"),
        (Ring(by="stranger"), "there is nobody called stranger in this town"),
        (SetStep(seconds=5), "a step lasts 10 to 3600 seconds, not 5"),
        (Reseed(seed=-1), "a seed is 0 to .*, not -1"),
        (Command(), "nothing here answers to Command"),
    ],
)
def test_a_command_that_cannot_be_is_refused_in_a_sentence(larkspur: Scenario, command: Command, words: str) -> None:
    engine = engine_of(larkspur, world=town(larkspur))
    with pytest.raises(ValueError, match=words):
        engine.do(command)
    assert not engine.commands


def test_a_command_that_can_no_longer_be_when_its_step_begins_changes_nothing(larkspur: Scenario) -> None:
    engine = run(engine_of(larkspur, world=town(larkspur)), 1)
    late = Ring(by="mara", times=10)
    engine.commands.append(late)  # as one given while a step was being made
    run(engine, 1)
    assert engine.refused == [(late, "nobody rings more than nine times")]
    assert not any(isinstance(e, Rung) for _, e in log_of(engine).all())


def test_the_town_itself_is_a_list_of_domains() -> None:
    parts = ["running", "town", "people", "talk", "phones", "pressures", "drama", "claims", "marks", "goals", "feed"]
    parts += ["policy", "annals", "director", "aims", "bets", "play", "society", "grown"]
    assert [d.name for d in REGISTRY.domains] == parts
    assert {e for d in REGISTRY.domains for e in d.handlers} == {*EVENTS.values()}
    places = sorted(place for d in REGISTRY.domains for s in d.systems for place in s.places)
    assert places == [*Phase], "each place of the step is somebody's"
