"""Replicas: lived once, named by all they depend on, never half, and no harm to one another."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest

from sandbox.core.clock import HOUR
from sandbox.engine.loading import WorldFaults, find_world, load
from sandbox.engine.world import World
from sandbox.lab import replica as replica_module
from sandbox.lab.experiment import LabFaults, read_experiment
from sandbox.lab.parallel_runs import run_many, workers
from sandbox.lab.replica import META, Config, ReplicaOutcome, is_complete, replicas, run_replica, shift_start

START = "2025-02-13 08:00"


@pytest.fixture
def configs(small: Path) -> list[Config]:
    return [r.config for r in replicas(read_experiment(small))]


def log(path: Path) -> list[tuple[object, ...]]:
    db = sqlite3.connect(path)
    try:
        return db.execute("SELECT step, hex(digest) FROM steps ORDER BY step").fetchall()
    finally:
        db.close()


def meta(path: Path, key: str, value: str | None = None) -> str:
    db = sqlite3.connect(path)
    try:
        if value is not None:
            db.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
            db.commit()
        return str(db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])
    finally:
        db.close()


@pytest.mark.slow
def test_a_save_is_named_by_all_that_decides_it_and_not_by_where_its_world_lies(configs: list[Config]) -> None:
    config = configs[0]
    assert len({c.name for c in configs}) == len(configs) == 4
    for change in ({"seed": 9}, {"steps": 5}, {"minds": ("other",)}, {"code": "x"}, {"versions": {}}, {"content": "x"}):
        assert msgspec.structs.replace(config, **change).name != config.name
    assert msgspec.structs.replace(config, world="/elsewhere/green").name == config.name


@pytest.mark.slow
def test_many_are_lived_and_what_is_whole_is_not_lived_again(configs: list[Config], tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    first = run_many(configs, tmp_path, moved=lambda done, of: heard.append((done, of)))
    assert list(first) == [c.name for c in configs]
    assert all(not o.error and not o.skipped for o in first.values())
    assert heard == [(n, 4) for n in range(5)]
    assert sorted(tmp_path.glob("*.db*")) == sorted(c.save(tmp_path) for c in configs)  # and nothing beside them
    logs = [log(c.save(tmp_path)) for c in configs]
    assert [rows[-1][0] for rows in logs] == [4] * 4
    assert all(o.skipped for o in run_many(configs, tmp_path).values())
    assert [log(c.save(tmp_path)) for c in configs] == logs


@pytest.mark.slow
def test_half_a_save_and_a_save_of_another_config_are_lived_anew(configs: list[Config], tmp_path: Path) -> None:
    config = configs[0]
    longer = msgspec.structs.replace(config, steps=6)
    run_replica(config, str(tmp_path))
    config.save(tmp_path).rename(longer.save(tmp_path))
    assert not is_complete(longer, tmp_path)  # it ends at step 4, and its meta names the other
    assert not run_replica(longer, str(tmp_path)).skipped
    assert is_complete(longer, tmp_path)
    meta(longer.save(tmp_path), META, config.name)
    assert not is_complete(longer, tmp_path)
    longer.save(tmp_path).write_bytes(b"no save")
    assert not is_complete(longer, tmp_path)
    assert not run_replica(longer, str(tmp_path)).error
    assert log(longer.save(tmp_path))[-1][0] == 6


@pytest.mark.slow
def test_one_that_fails_harms_no_other_and_says_why(configs: list[Config], tmp_path: Path) -> None:
    broken = msgspec.structs.replace(configs[1], content="of other files")
    elsewhere = msgspec.structs.replace(configs[1], code="of another version")
    found = run_many([configs[0], broken, elsewhere, configs[2]], tmp_path)
    assert [bool(o.error) for o in found.values()] == [False, True, True, False]
    assert "the world's files have changed since" in found[broken.name].error
    assert "this worker has another version" in found[elsewhere.name].error
    assert not broken.save(tmp_path).exists()
    assert is_complete(configs[2], tmp_path)


@pytest.mark.slow
def test_stopped_it_keeps_what_is_whole_and_leaves_no_half(
    configs: list[Config], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived = []

    async def stopping(engine: object, steps: int) -> None:
        if len(lived) == 1:
            raise KeyboardInterrupt
        lived.append(steps)
        await real(engine, steps=steps)  # type: ignore[arg-type]

    real = replica_module.run_free
    monkeypatch.setattr(replica_module, "run_free", stopping)
    with pytest.raises(KeyboardInterrupt):
        run_many(configs, tmp_path / "runs")
    assert [*(tmp_path / "runs").iterdir()] == [configs[0].save(tmp_path / "runs")]
    assert is_complete(configs[0], tmp_path / "runs")


@pytest.mark.slow
def test_processes_give_the_same_saves(configs: list[Config], tmp_path: Path) -> None:
    run_many(configs[:2], tmp_path / "here")
    with workers(jobs=2) as pool:
        found = run_many(configs[:2], tmp_path / "there", pool)
    assert not any(o.error for o in found.values())
    for config in configs[:2]:
        assert log(config.save(tmp_path / "here")) == log(config.save(tmp_path / "there"))


@pytest.mark.slow
def test_a_cluster_gives_the_same_saves(configs: list[Config], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    run_many(configs[:2], tmp_path / "here")
    local = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with local, workers(cluster=local.scheduler_address) as executor:
        found = run_many(configs[:2], tmp_path / "there", executor)
    assert [o for o in found.values() if o.error] == []
    for config in configs[:2]:
        assert log(config.save(tmp_path / "here")) == log(config.save(tmp_path / "there"))


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("sandbox.lab.parallel_runs.WAIT", 0.2)
    with (
        pytest.raises(LabFaults, match="--cluster: cannot reach tcp://127"),
        workers(cluster="tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.slow
def test_a_lost_worker_is_a_failed_replica(configs: list[Config], tmp_path: Path) -> None:
    class Lost(Exception):
        pass

    class Losing:
        def submit(self, work: object, config: Config, folder: str, *own: object) -> object:
            from concurrent.futures import Future

            future: Future[ReplicaOutcome] = Future()
            if config is configs[1]:
                future.set_exception(Lost("the worker is gone"))
            else:
                future.set_result(run_replica(config, folder))
            return future

    found = run_many(configs[:3], tmp_path, Losing())  # type: ignore[arg-type]
    errors = [o.error for o in found.values()]
    assert errors[1].startswith("Lost: the worker is gone")
    assert errors[::2] == ["", ""]


@pytest.mark.slow
def test_minds_that_there_cannot_be_are_refused(small: Path) -> None:
    for mind, said in (("no model", "is no model"), ("bob=ollama/x", 'nobody is called "bob"')):
        with pytest.raises(WorldFaults, match=f"--mind: .*{said}"):
            replicas(read_experiment(small), [mind])


@pytest.mark.slow
def test_another_mind_is_another_replica_and_settings_choose_none(small: Path, tmp_path: Path) -> None:
    experiment = read_experiment(small, ["with"])
    settings = tmp_path / "home" / "settings.yaml"
    settings.parent.mkdir(exist_ok=True)
    usual = replicas(experiment)[0].config
    settings.write_text("mind: ollama/llama3.2\n", encoding="utf-8")
    assert replicas(experiment)[0].config == usual
    assert usual.asked == ""
    other = replicas(experiment, ["ollama/llama3.2"])[0].config
    assert other.asked
    assert other.name != usual.name


def test_at_another_start_people_are_where_their_routine_has_them() -> None:
    larkspur = load(find_world("larkspur"))
    scenario = shift_start(larkspur, START)
    world = World(scenario)
    eight = 8 * HOUR
    for who, resident in world.people.residents.items():
        routine = world.cast[who].routine
        assert resident.awake == (not routine.asleep(eight)), who
    assert sum(r.awake for r in world.people.residents.values()) > 15
    assert world.clock.weekday(0) == "thu"
    assert {o.id for o in world.calendar.on(1)} >= {"school_gate", "soup"}
    assert not any(o.on for o in world.calendar.on(1))  # no date of March
    assert shift_start(larkspur, larkspur.start) is larkspur


def test_at_another_start_pressures_keep_their_time_of_day() -> None:
    larkspur = load(find_world("larkspur"))
    scenario = shift_start(larkspur, START)
    earlier = HOUR // 2  # the world's own hour is 07:30
    for was, now in zip(larkspur.pressures, scenario.pressures, strict=True):
        assert now.wakes == max(0, was.wakes - earlier)
        if was.due is not None and now.due is not None:
            assert now.due in (was.due, was.due - earlier)
            assert now.due > now.wakes
