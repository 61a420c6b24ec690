"""Larkspur, and one day of it lived once and shared by every test that only looks; and what runs by default.

`make test` is to take three minutes. So a matrix of keys or sizes marked `sampled(n)`, or `sampled(n, "size")` where
the values of other parameters all count, runs n of its parameters by default, another choice for each test, and the
others with `-m slow`; a property is tried with 15 examples by default, and with 200 when `-m slow` is asked for.
"""

from __future__ import annotations

import gc
import os
import signal
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from lived import Day, a_day
from msgspec.structs import replace
from yaml.nodes import Node

from sandbox.core import textfiles
from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.core.yamlnodes import compose
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.town.grid import Town

# The same examples each time: a run says what the tree is worth, not what luck it had. `--hypothesis-profile search`
# draws new ones, and many.
hypothesis.settings.register_profile("default", max_examples=15, deadline=None, derandomize=True)
hypothesis.settings.register_profile("whole", max_examples=200, deadline=None, derandomize=True)
hypothesis.settings.register_profile("search", max_examples=2000, deadline=None)


def is_slow(config: pytest.Config) -> bool:
    """Whether the heavy tests were asked for."""
    wanted = str(config.option.markexpr)
    return "slow" in wanted and "not slow" not in wanted


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: some tests wait for a program of their own, a terminal or a server."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look seldom for garbage, and never among modules and tests: that is a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples a property is tried with; be deaf to no signal, however the tests were started.

    `nohup` has everything ignore SIGHUP, a shell's `&` SIGINT: the program rightly keeps to that, its tests would wait.
    """
    chosen = config.getoption("--hypothesis-profile", None)
    hypothesis.settings.load_profile(chosen or ("whole" if is_slow(config) else "default"))
    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow what a sample leaves out; properties are tried in both runs."""
    matrices: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            matrices[matrix_of(item)].append(item)
        if is_slow(config) and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("slow")
    for name, matrix in matrices.items():
        mark = matrix[0].get_closest_marker("sampled")
        assert mark is not None
        kept = sample(name, len(matrix), mark.args[0])
        for place, item in enumerate(matrix):
            if place not in kept:
                item.add_marker("slow")


def matrix_of(item: pytest.Item) -> str:
    """The name of what an item is one of: its test, and the values of what is not sampled."""
    mark = item.get_closest_marker("sampled")
    axes = mark.args[1:] if mark is not None else ()
    params = getattr(item, "callspec").params  # noqa: B009
    fixed = {name: repr(value) for name, value in params.items() if axes and name not in axes}
    return f"{item.nodeid.split('[')[0]} {sorted(fixed.items())}"


def sample(name: str, count: int, n: int) -> set[int]:
    """n places of `count`, evenly apart, beginning at one that follows from the name."""
    first = zlib.crc32(name.encode())
    return {(first + k * count // n) % count for k in range(min(n, count))}


@pytest.fixture(scope="session", autouse=True)
def decks_taken_apart_once() -> Iterator[None]:
    """Hundreds of tests load a world with the decks that ship: their YAML is parsed once while it stays what it is."""
    known: dict[tuple[Path, str], Node | None] = {}

    def composed(text: str, path: Path, faults: Faults) -> Node | None:
        if path.parent != data_dir():
            return compose(text, path, faults)
        if (path, text) not in known:
            known[path, text] = compose(text, path, faults)
        return known[path, text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textfiles, "compose", composed)
        yield


@pytest.fixture(scope="session")
def larkspur() -> Scenario:
    return load(find_world("larkspur"))


@pytest.fixture(scope="session")
def town(larkspur: Scenario) -> Town:
    return Town(larkspur.plan)


@pytest.fixture(scope="session")
def day(larkspur: Scenario) -> Day:
    """24 hours in steps of a minute. Nobody may change it."""
    return a_day(larkspur)


@pytest.fixture(scope="session")
def spoken(larkspur: Scenario) -> Day:
    """The same without silence: small talk has words, too. Nobody may change it."""
    return a_day(replace(larkspur, parameters={**larkspur.parameters, "talk.quiet": False}))
