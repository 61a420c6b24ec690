"""Any step length works: six hours, and what people get done in them."""

import msgspec
import pytest
from lived import engine_of, founding, log_of, run

from sandbox.core.clock import HOUR
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.model import Chose, Woke
from sandbox.talk.model import Closed, Exchanged, Opened


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seconds", [10, 60, 180, 1200, 3600])
def test_six_hours_pass_in_steps_of_any_length(larkspur: Scenario, seconds: int) -> None:
    scenario = msgspec.structs.replace(larkspur, step=seconds)
    engine = run(engine_of(scenario), 6 * HOUR // seconds)
    world = engine.world
    records = log_of(engine).all()
    assert world.now == 6 * HOUR

    def of(*kinds: type) -> list:
        return [r.event for r in records if isinstance(r.event, kinds)]

    slept = [p for p in world.cast if p not in larkspur.opening]
    assert len(of(Woke)) >= len(slept) > 10
    assert {"breakfast", "lunch", "work"} <= {e.block for e in of(Chose)}
    talks = of(Opened)
    assert len(talks) >= 15
    assert len(of(Closed)) == len(talks) - len(world.talk.open)
    assert max(e.n for e in of(Exchanged)) < world.talk_parameters.cap
    assert all(r.awake for r in world.people.residents.values())
    last: dict[str, int] = {}
    for stamp, _ in records:
        assert stamp.t >= last.get(stamp.actor, 0) or not stamp.actor
        last[stamp.actor] = stamp.t


@pytest.mark.parametrize("seconds", [180, 3600])
def test_a_replay_needs_no_step_length_of_its_own(larkspur: Scenario, seconds: int) -> None:
    scenario = msgspec.structs.replace(larkspur, step=seconds)
    engine = run(engine_of(scenario), 2 * HOUR // seconds)
    world = World.found(founding(scenario))
    for number, records in enumerate(log_of(engine).steps, 1):
        for record in records:
            world.apply(record)
        world.advance(number)
    assert world.snapshot() == engine.world.snapshot()
