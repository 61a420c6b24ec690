"""The village of docs/modding.md as a world to run experiments in, and a small experiment, of an evening with talk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from village import build

from sandbox.engine import loading

AS_IT_LIES = {
    name: getattr(loading, name) for name in ("_read", "cache_world", "read_deck", "read_drama", "world_key")
}  # as tests are collected
SMALL = """\
title: Small
about: Two people and a goose.
world: {world}
start: "2025-02-13 20:00"
step: 20m
steps: 4
seeds: 2
settings: [rules.drama=off, mood.temperament=false, talk.quiet=false]
arms:
  with: []
  without: [mood.on=false]
comparisons: [[with, without]]
"""


@pytest.fixture(scope="module", autouse=True)
def code_as_it_lies() -> Iterator[None]:
    """Nothing of this process is replaced, as `read_once` and `shipped_worlds_read_once` do: replicas would be of other
    code.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, function in AS_IT_LIES.items():
            patch.setattr(loading, name, function)
        yield


@pytest.fixture
def village(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its folder. Saves and settings are the test's own."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    return build(tmp_path)


@pytest.fixture
def small(village: Path, tmp_path: Path) -> Path:
    """The file of a small experiment in the village."""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.format(world=village), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same file for all tests of a module, none of which changes it or its village."""
    folder = tmp_path_factory.mktemp("shared")
    path = folder / "small.yaml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANDBOX_HOME", str(folder / "home"))
        path.write_text(SMALL.format(world=build(folder)), encoding="utf-8")
        yield path
