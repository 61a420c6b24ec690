"""A replica that is whole, or that another run is living, is left to whoever has it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sandbox.engine.loading import find_world, load
from sandbox.lab.experiment import read_experiment
from sandbox.lab.parallel_runs import run_many
from sandbox.lab.replica import HALF, META, Config, is_complete, replicas, run_replica
from sandbox.store import guard
from sandbox.store.errors import OutOfReach
from sandbox.store.save import Save
from sandbox.store.session import founding


@pytest.fixture
def config(small: Path) -> Config:
    return replicas(read_experiment(small, ["with"]))[0].config


def half(config: Config, folder: Path) -> Path:
    return folder / f"{config.name}{HALF}"


@pytest.mark.slow
def test_a_replica_that_another_run_is_living_is_left_to_it(config: Config, village: Path, tmp_path: Path) -> None:
    async def beside() -> str:
        path = half(config, tmp_path)
        async with await Save.create(path, founding(load(find_world(str(village))))):
            found = await asyncio.to_thread(run_replica, config, str(tmp_path))
            assert path.is_file()
        return found.error

    assert "is being played by another process" in asyncio.run(beside())


async def kept_whole(config: Config, village: Path, folder: Path) -> None:
    """A save that says it is the replica's, without the steps."""
    meta = {META: config.name}
    async with await Save.create(config.save(folder), founding(load(find_world(str(village)))), meta):
        pass


@pytest.mark.sampled(1)
@pytest.mark.parametrize("trouble", [PermissionError(13, "no"), MemoryError(), OSError(5, "Input/output error")])
def test_a_save_that_cannot_be_read_now_is_not_lived_again(
    config: Config, village: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException
) -> None:
    asyncio.run(kept_whole(config, village, tmp_path))
    before = config.save(tmp_path).read_bytes()

    def troubled(path: Path) -> object:
        raise trouble

    with monkeypatch.context() as patch:
        patch.setattr(guard, "read_ordinary", troubled)
        with pytest.raises(OutOfReach):
            is_complete(config, tmp_path)
        (found,) = run_many([config], tmp_path).values()
    assert found.error
    assert config.save(tmp_path).read_bytes() == before
