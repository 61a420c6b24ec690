"""Every measure of an experiment has a value on a real save, and a name that nobody knows is told at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from sandbox.core.places import shipped_folder
from sandbox.lab.experiment import find_experiment, read_experiment
from sandbox.lab.measuring import Measurements, measure_one
from sandbox.lab.metrics import METRICS, _drama, _talk
from sandbox.lab.replica import replicas, run_replica
from sandbox.people.model import Reflected
from sandbox.readers.all_stories import event_counts
from sandbox.store.save import Save

NOTHING = {  # of these a morning has none, and 0 is right -> why
    "drift": "nobody changes community in three hours",
    "drift_raw": "the same",
    "quarrels": "nothing has come to a head by eleven",
    "reflections": "the weight of a morning is below what makes one look back",
    "toxic_lines": "nobody calls anybody names",
    "stood_in": "there is no model to be stood in for",
}


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> Measurements:
    """Three hours of Larkspur, as the experiment that ships lives them, with drama."""
    whole = read_experiment(find_experiment("sentipolis"), ["drama_on"])
    (replica,) = replicas(replace(whole, seeds=(1,), steps=9))
    folder = tmp_path_factory.mktemp("morning")
    assert not run_replica(replica.config, str(folder)).error
    return measure_one(str(replica.config.save(folder)))


def test_every_measure_has_a_value_on_a_real_save_and_none_fails(morning: Measurements) -> None:
    assert morning.faults == {}
    assert [key for key in METRICS if morning.values[key] is None] == []
    assert {key for key in METRICS if not morning.values[key]} <= {*NOTHING}  # 0 is what a count of nothing known is


def test_what_a_morning_has_none_of_is_counted_by_a_name_that_stories_know() -> None:
    async def looked_back() -> int:
        async with await Save.open(shipped_folder("saves") / "larkspur-day.db", read_only=True) as save:
            found = await save.records((Reflected.KIND,), 0, save.last_seq)
        return sum(dict(event_counts(r.event)).get("reflections", 0) for r in found)

    assert asyncio.run(looked_back()) > 0


@pytest.mark.parametrize("of", [_talk, _drama])
def test_a_measure_of_a_name_that_nobody_measures_fails_when_the_program_starts(of: Callable[[str], object]) -> None:
    with pytest.raises(ValueError, match="measures no tone"):
        of("tone")
