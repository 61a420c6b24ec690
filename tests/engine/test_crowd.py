"""A town with several times the people, for measuring: it is a sound scenario, and it lives."""

from lived import engine_of, run

from benchmarks.scaled_town import multiply_people
from sandbox.engine.checking import check_scenario
from sandbox.engine.scenario import Scenario


def test_a_crowded_town_is_sound_and_everybody_in_it_lives(larkspur: Scenario) -> None:
    crowd = multiply_people(larkspur, 3)
    check_scenario(crowd)
    assert len({p.id for p in crowd.cast}) == 3 * len(larkspur.cast)
    assert len({p.first for p in crowd.cast}) == 3 * len(larkspur.cast)
    world = run(engine_of(crowd), 2).world
    assert all(resident.plan or not resident.awake for resident in world.people.residents.values())
