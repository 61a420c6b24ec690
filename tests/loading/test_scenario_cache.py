"""A world that was read is kept, and read again once a file of it is another; a damaged cache costs time only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from tinyworld import MAP, Tiny
from village import build

from sandbox.core.places import cache_dir
from sandbox.engine import loading, scenario_cache

Build = Callable[..., Tiny]


@pytest.fixture(autouse=True)
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The worlds that were read from their files, in a home with an empty cache."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(loading, "world_key", scenario_cache.world_key)
    whole, found = loading._read, list[Path]()

    def counted(path: Path, *args: object, **more: object) -> object:
        found.append(path)
        return whole(path, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "_read", counted)
    return found


def kept() -> list[Path]:
    """The worlds in the cache."""
    return sorted(cache_dir().glob("*"))


def test_a_world_is_read_once_and_is_the_same_from_the_cache(tiny_world: Build, reads: list[Path]) -> None:
    tiny = tiny_world()
    first, second = tiny.read(), tiny.read()
    assert len(reads) == 1
    assert len(kept()) == 1
    assert second.scenario == first.scenario is not None
    assert [*second.faults] == [*first.faults]


def test_warnings_are_kept_with_the_world(tiny_world: Build, reads: list[Path]) -> None:
    tiny = tiny_world()
    tiny.write("world/map.txt", MAP.replace("#b.b.#", "#b...#"))  # too few beds
    first = tiny.read()
    assert first.scenario is not None
    assert len(first.faults.at("warning")) == 1
    before = len(reads)
    assert [*tiny.read().faults] == [*first.faults]
    assert len(reads) == before


def test_seed_and_step_are_given_to_a_cached_world(tiny_world: Build, reads: list[Path]) -> None:
    tiny = tiny_world()
    tiny.read()
    scenario, faults = tiny.read(seed=99, step=30)
    assert scenario is not None
    assert (scenario.seed, scenario.step) == (99, 30)
    assert not len(faults)
    refused = tiny.read(seed=-1, step=5)
    assert refused.scenario is None
    assert [fault.file for fault in refused.faults] == ["--seed", "--step"]
    assert len(reads) == 1


@pytest.mark.parametrize("name", ["world/world.yaml", "world/map.txt", "data/lines.yaml", "personas/ben.yaml"])
def test_a_world_is_read_again_if_a_file_of_it_is_another(tiny_world: Build, reads: list[Path], name: str) -> None:
    tiny = tiny_world()
    tiny.read()
    file = tiny.root / name
    file.write_bytes(file.read_bytes() + b"\n")
    tiny.read()
    assert len({*reads}) == 1
    assert len(reads) > 1


def test_settings_and_the_program_tell_cached_worlds_apart(
    tiny_world: Build, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = tiny_world()
    tiny.read()
    tiny.read(settings=("talk.cooldown=30",))
    assert len(reads) == 2
    monkeypatch.setattr(scenario_cache, "_program", lambda: ("another",))
    tiny.read()
    assert len(reads) == 3


def test_a_world_with_errors_is_not_kept(tiny_world: Build, reads: list[Path]) -> None:
    tiny = tiny_world()
    tiny.change("world/world.yaml", "title:", "titel:")
    assert tiny.read().scenario is None
    assert kept() == []


@pytest.mark.parametrize("damage", [b"", b"\0" * 100, None])
def test_a_damaged_cache_is_made_anew(tiny_world: Build, reads: list[Path], damage: bytes | None) -> None:
    tiny = tiny_world()
    first = tiny.read()
    (file,) = kept()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data) if damage is None else damage)
    assert tiny.read().scenario == first.scenario
    assert len(reads) == 2
    tiny.read()
    assert len(reads) == 2


def test_without_a_place_for_the_cache_a_world_is_read_each_time(
    tiny_world: Build, reads: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "home").write_text("no folder")
    tiny = tiny_world()
    assert tiny.read().scenario is not None
    assert tiny.read().scenario is not None
    assert len(reads) == 2


def test_the_cache_keeps_the_worlds_used_last(
    tiny_world: Build, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_cache, "KEPT", 2)
    tiny = tiny_world()
    for cooldown in (10, 20, 30):
        tiny.read(settings=(f"talk.cooldown={cooldown}",))
    assert len(kept()) == 2
    assert len(reads) == 3
    tiny.read(settings=("talk.cooldown=30",))
    assert len(reads) == 3


@pytest.mark.parametrize("name", [*loading.list_worlds(), "green"])
def test_a_world_is_founded_by_the_same_bytes_from_the_cache(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = build(tmp_path) if name == "green" else loading.find_world(name)
    loading.load(folder)
    cached = loading.load(folder)
    monkeypatch.setattr(loading, "world_key", lambda path, others, settings: "")
    assert msgspec.json.encode(loading.load(folder)) == msgspec.json.encode(cached)
