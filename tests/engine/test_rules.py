"""What a step allows: seconds, actors, lengths, inputs, bad snapshots (design, rule 7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import Day, engine_of, founding, log_of, run

from benchmarks.scaled_town import copies
from sandbox.core.clock import DAY
from sandbox.core.protocols import JournalFull
from sandbox.engine.domain import SetStep, StepSet
from sandbox.engine.drivers import SPEEDS, Paced, run_free
from sandbox.engine.engine import Running
from sandbox.engine.registry import REGISTRY
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.model import Woke
from sandbox.people.ties import Tie


@pytest.fixture
def running(larkspur: Scenario) -> Running:
    engine = run(engine_of(larkspur), 3)
    return Running(engine.world, engine.mind)


@pytest.mark.parametrize("t", [179, 0, -1, 240, 10**9])
def test_an_event_outside_its_step_is_refused(running: Running, t: int) -> None:
    with pytest.raises(ValueError, match=r"outside step 4 \[180, 240\)"):
        running.emit(StepSet(60), t=t)
    assert not running.records


def test_an_event_before_its_actors_last_is_refused(running: Running) -> None:
    running.emit(Woke(), t=200, actor="mara")
    running.emit(Woke(), t=190, actor="basil")
    running.emit(Woke(), t=200, actor="mara")
    before = running._world.seq
    with pytest.raises(ValueError, match="before their last event at 200"):
        running.emit(Woke(), t=199, actor="mara")
    assert running._world.seq == before


def test_numbers_and_seconds_of_a_day_rise_as_they_must(day: Day) -> None:
    seq, last = 1, dict.fromkeys(day.world.cast, 0)
    for number, records in enumerate(day.steps, 1):
        for stamp, event in records:
            assert stamp.seq == seq + 1
            assert stamp.step == number
            assert 60 * (number - 1) <= stamp.t < 60 * number
            assert all(0 < c < stamp.seq for c in stamp.causes)
            for who in (stamp.actor, *event.touches()):
                if who:
                    assert stamp.t >= last[who], f"{event.KIND} of {who} at {stamp.t}"
                    last[who] = stamp.t
            seq = stamp.seq
    assert last == day.world.last


def test_a_new_length_holds_from_the_next_step_on(larkspur: Scenario) -> None:
    engine = run(engine_of(larkspur), 2)
    engine.do(SetStep(seconds=1200))
    run(engine, 1)
    assert engine.world.now == 180
    assert engine.world.step_seconds == 1200
    run(engine, 1)
    assert engine.world.now == 180 + 1200
    assert [r.event for r in log_of(engine).all() if isinstance(r.event, StepSet)] == [StepSet(1200)]
    assert not engine.commands


@pytest.mark.parametrize("data", [b"", b"\xc0", b"nonsense", b"\x80"])
def test_what_is_no_snapshot_is_refused(larkspur: Scenario, data: bytes) -> None:
    world = World.found(founding(larkspur))
    before = world.snapshot()
    with pytest.raises(ValueError, match="no snapshot"):
        world.restore(data)
    assert world.snapshot() == before


def test_a_snapshot_of_other_people_is_refused(larkspur: Scenario) -> None:
    two = World.found(founding(copies(larkspur, 2)))
    with pytest.raises(ValueError, match="other people"):
        two.restore(World.found(founding(larkspur)).snapshot())


def test_only_a_founding_founds_a_world(day: Day) -> None:
    with pytest.raises(ValueError, match="not founded"):
        World.found(day.steps[0][0])


# ---- parameters


def test_every_default_is_a_key_of_its_table() -> None:
    groups = {table.group: table.type for table in REGISTRY.tables}
    assert {k.partition(".")[0] for k in REGISTRY.parameters} == set(groups)
    assert REGISTRY.tuned({}) == {group: table() for group, table in groups.items()}


@given(st.floats(0, 100))
def test_a_changed_key_changes_its_table_only(x: float) -> None:
    changed = REGISTRY.tuned({"talk.cooldown": x})
    assert changed.pop("talk").cooldown == x
    assert changed == {t.group: t.type() for t in REGISTRY.tables if t.group != "talk"}


@pytest.mark.slow
def test_the_town_goes_on_without_moods(larkspur: Scenario) -> None:
    import msgspec

    quiet = msgspec.structs.replace(larkspur, parameters={"mood.on": False, "mood.temperament": False})
    engine = run(engine_of(quiet), 240)
    kinds = {r.event.KIND for r in log_of(engine).all()}
    assert "exchanged" in kinds
    assert "felt" not in kinds
    assert all(not any(r.mood.pad) for r in engine.world.people.residents.values())


# ---- many towns


@pytest.mark.slow
def test_copies_live_side_by_side_as_strangers(larkspur: Scenario) -> None:
    two = copies(larkspur, 3, columns=2)
    world = World.found(founding(two))
    assert len(world.cast) == 75
    for who, row in world.people.ties.items():
        assert isinstance(next(iter(row.values())), Tie)
        assert {other.rpartition("_")[2] for other in row} == {who.rpartition("_")[2]}
    engine = run(engine_of(two, world=world), 90)
    assert {r.stamp.actor.rpartition("_")[2] for r in log_of(engine).all() if r.stamp.actor} == {"1", "2", "3"}


# ---- drivers


async def test_running_free_stops_after_steps_or_at_a_time(larkspur: Scenario) -> None:
    engine = engine_of(larkspur)
    assert await run_free(engine, steps=3) == 3
    assert await run_free(engine, until=600) == 7
    assert engine.world.now == 600
    assert await run_free(engine, until=600) == 0
    seen: list[int] = []
    assert await run_free(engine, steps=2, until=10**9, on_step=lambda: seen.append(engine.world.step)) == 2
    assert seen == [11, 12]


class Wall:
    """A clock on the wall that the test turns."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("sandbox.engine.drivers.perf_counter", lambda: self.now)


async def test_paced_time_follows_the_wall(larkspur: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    wall = Wall(monkeypatch)
    paced = Paced(engine_of(larkspur), speed=1)
    for _ in range(9):
        wall.now += 0.2
        await paced.tick()
    assert paced.shown == pytest.approx(9 * 0.2 * SPEEDS[1].rate)
    assert paced.engine.world.now == 120
    paced.pause("tea")
    wall.now += 0.2
    await paced.tick()
    assert (paced.shown, paced.reason) == (pytest.approx(108.0), "tea")
    paced.go()
    await paced.step()
    assert paced.shown == paced.engine.world.now == 180


async def test_a_long_stall_does_not_make_time_leap(larkspur: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    wall = Wall(monkeypatch)
    paced = Paced(engine_of(larkspur), speed=2)
    wall.now += 3600
    await paced.tick()
    assert paced.shown <= 0.25 * SPEEDS[2].rate
    paced.pause()
    wall.now += 3600
    paced.go()
    before = paced.shown
    await paced.tick()
    assert paced.shown == before


async def test_a_full_disk_stops_the_clock_and_says_why(larkspur: Scenario) -> None:
    engine = engine_of(larkspur)

    async def full(*_: object) -> None:
        raise JournalFull("no room on disk")

    engine.journal.write = full  # type: ignore[method-assign]
    paced = Paced(engine)
    await paced.step()
    assert paced.paused
    assert paced.reason == "no room on disk"


async def test_a_mind_is_asked_in_the_step_it_answers_for(larkspur: Scenario) -> None:
    steps: list[int] = []

    class Counting(EmbeddedMind):
        async def answer(self, questions, step, wave=0):
            steps.append(step)
            return await super().answer(questions, step, wave)

    world = World.found(founding(larkspur))
    engine = engine_of(larkspur, Counting(world.chance, larkspur.lines), world)
    await run_free(engine, until=DAY // 48)
    assert steps == sorted(steps)
    assert set(steps) <= set(range(1, 31))
    assert steps[0] == 1
