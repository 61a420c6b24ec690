"""Larkspur, and one day of it lived once and shared by every test that only looks; and what runs when.

Three runs, each with a budget of its own (`tests/budget.py`): by default what is quick; with `-m slow` whole days and
what is tried at many places; with `-m long` weeks, real models and every place (`make long`, by hand).
A matrix marked `sampled(n)` runs n of its parameters by default, another choice for each test, three more with
`-m slow`, or as many as `slow` says, and what is left with `-m long`; `over="size"` samples that axis alone, and the
values of the other parameters all count. A property is tried with 15 examples by default, with 100
when `-m slow` is asked for, and with 2,000 new ones by `--hypothesis-profile search`.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pictures
import pytest
from lived import Day, a_day
from msgspec.structs import replace
from syrupy.report import SnapshotReport
from yaml.nodes import Node

from sandbox.core.faults import Faults
from sandbox.core.places import data_dir, shipped_folder
from sandbox.core.yamlnodes import _Loader
from sandbox.engine import loading
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.engine.scenario_cache import CachedWorld, cache_world
from sandbox.town.grid import TownMap

TESTS = Path(__file__).parent
COUNT = pytest.StashKey[Callable[[], None]]()  # what counts the CPU of a test once it is done

# The same examples each time: a run says what the tree is worth, not what luck it had. `--hypothesis-profile search`
# draws new ones, and many.
hypothesis.settings.register_profile("default", max_examples=15, deadline=None, derandomize=True)
hypothesis.settings.register_profile("whole", max_examples=100, deadline=None, derandomize=True)
hypothesis.settings.register_profile("search", max_examples=2000, deadline=None)


def is_slow(config: pytest.Config) -> bool:
    """Whether the heavy tests were asked for."""
    wanted = str(config.option.markexpr)
    return ("slow" in wanted or "long" in wanted) and "not slow" not in wanted


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu", action="store_true", help="tell which tests cost the most CPU, and what all cost")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many as there are cores: one more would end no sooner, and each costs its start."""
    return os.cpu_count() or 1


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look seldom for garbage, and never among modules and tests: that is a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples a property is tried with; call no picture unused whose test waits for another run; be
    deaf to no signal, however the tests were started.

    `nohup` has everything ignore SIGHUP, a shell's `&` SIGINT: the program rightly keeps to that, its tests would wait.
    """
    chosen = config.getoption("--hypothesis-profile", None)
    hypothesis.settings.load_profile(chosen or ("whole" if is_slow(config) else "default"))
    SnapshotReport.unused = property(pictures.unused)
    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        write_byte_code()


def write_byte_code() -> None:
    """Have the asserts of all test modules rewritten once, before there are workers who would each do so themselves."""
    tail = f".{sys.implementation.cache_tag}-pytest-{pytest.__version__}.pyc"
    modules = list(TESTS.rglob("test_*.py"))
    kept = [m.parent / "__pycache__" / (m.stem + tail) for m in modules]
    stale = [m for m, k in zip(modules, kept, strict=True) if not k.exists() or k.stat().st_mtime < m.stat().st_mtime]
    if len(stale) > len(modules) // 10 and not sys.dont_write_bytecode:
        collect = (sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:xdist", "-p", "no:cacheprovider")
        subprocess.run([*collect, str(TESTS)], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def spent() -> float:
    """CPU seconds of this process and of all that it started and saw end."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what it costs, fixtures that it is the first to ask for and all."""
    began = spent()

    def count() -> None:
        item.user_properties.append(("cpu", spent() - began))

    item.stash[COUNT] = count
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[pytest.TestReport]:
    if call.when == "teardown":
        item.stash[COUNT]()
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With --cpu: the forty dearest tests and files."""
    if not config.option.cpu:
        return
    costs: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "cpu":
                    costs[report.nodeid] = value
    files: Counter[str] = Counter()
    for name, cost in costs.items():
        files[name.partition("::")[0]] += cost
    terminalreporter.section(f"CPU of {len(costs)} tests: {costs.total():.0f} s")
    for name, cost in (*files.most_common(40), *costs.most_common(40)):
        terminalreporter.write_line(f"{cost:8.2f} {name}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what a sample leaves out; what is long is not slow; properties are tried in both quick runs."""
    matrices: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            matrices[matrix_of(item)].append(item)
        if is_slow(config) and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("slow")
    for name, matrix in matrices.items():
        mark = matrix[0].get_closest_marker("sampled")
        assert mark is not None
        quick = sample(name, range(len(matrix)), mark.args[0])
        rest = [place for place in range(len(matrix)) if place not in quick]
        slow = sample(name, rest, mark.kwargs.get("slow", 3))
        for place in rest:
            matrix[place].add_marker("slow" if place in slow else "long")
    for item in items:
        if item.get_closest_marker("long"):
            item.own_markers = [mark for mark in item.own_markers if mark.name != "slow"]


def matrix_of(item: pytest.Item) -> str:
    """The name of what an item is one of: its test, and the values of what is not sampled."""
    mark = item.get_closest_marker("sampled")
    axis = mark.kwargs.get("over", "") if mark is not None else ""
    params = getattr(item, "callspec").params  # noqa: B009
    fixed = {name: repr(value) for name, value in params.items() if axis and name != axis}
    return f"{item.nodeid.split('[')[0]} {sorted(fixed.items())}"


def sample(name: str, places: Sequence[int], n: int) -> set[int]:
    """n of the places, evenly apart, beginning at one that follows from the name."""
    count, first = len(places), zlib.crc32(name.encode())
    return {places[(first + k * count // n) % count] for k in range(min(n, count))}


@pytest.fixture(scope="session", autouse=True)
def decks_taken_apart_once() -> Iterator[None]:
    """Hundreds of tests load a world with the decks that ship: their YAML is parsed once while it stays what it is.

    In the loader, which the laboratory takes for no replaced code, since it makes the same of the same.
    """
    known: dict[str, Node | None] = {}
    ships = {path.read_text("utf-8") for path in data_dir().glob("*.yaml")}
    begin, single = _Loader.__init__, _Loader.get_single_node

    def begun(self: Any, text: str) -> None:
        begin(self, text)
        self.text = text

    def once(self: Any) -> Node | None:
        if self.text not in ships:
            return single(self)
        if self.text not in known:
            known[self.text] = single(self)
        return known[self.text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Loader, "__init__", begun)
        patch.setattr(_Loader, "get_single_node", once)
        for name in ("read_deck", "read_drama"):
            patch.setattr(loading, name, read_once(getattr(loading, name)))
        yield


def read_once(read: Callable[[Iterable[Path], Faults], Any]) -> Callable[[Iterable[Path], Faults], Any]:
    """A deck is three quarters of the work of loading: one of shipped files alone, without a fault, is read once."""
    known: dict[bool, tuple[object, Any, Handed]] = {}  # by whether places are kept, which are told from where one is

    def once(files: Iterable[Path], faults: Faults) -> Any:
        files = tuple(files)
        if {file.parent for file in files} != {data_dir()}:
            return read(files, faults)
        key = (Path.cwd(), *((file, file.read_bytes()) for file in files))
        if faults.keeps not in known or known[faults.keeps][0] != key:
            handed = Handed(faults)
            made = read(files, handed)
            if handed.told:  # by where they stand, so that the same are told once
                return read(files, faults)
            known[faults.keeps] = key, made, handed
        _, made, handed = known[faults.keeps]
        handed.to = faults
        faults.written.update(handed.written)
        return made

    return once


class Handed(Faults):
    """Faults of a deck read once, which are those of whoever asks for it now. told: whether there are any."""

    def __init__(self, to: Faults) -> None:
        super().__init__(to.keeps)
        self.to, self.told = to, False

    def add(self, *args: Any, **more: Any) -> None:
        self.told = True
        self.to.add(*args, **more)


@pytest.fixture(scope="session", autouse=True)
def shipped_worlds_read_once() -> Iterator[None]:
    """Hundreds of tests begin with a world that ships, which nobody changes: with the same settings it is read once."""
    known: dict[object, loading.WorldReading] = {}
    founded: dict[int, CachedWorld] = {}
    read = loading._read

    def once(path: Path, faults: Faults, **given: Any) -> loading.WorldReading:
        settings = {**given, "tables": None, "settings": tuple(given["settings"])}
        key = (path.resolve(), data_dir(), *settings.items())
        if shipped_folder("worlds").resolve() not in path.resolve().parents:
            return read(path, faults, **given)
        if key not in known:
            reading = read(path, faults, **given)
            if len(faults):
                return reading
            known[key] = reading
        return loading.WorldReading(known[key].scenario, faults)

    def kept(key: str, world: CachedWorld) -> CachedWorld:
        """What `cache_world` gives, once for a world that is read once."""
        if all(reading.scenario is not world.scenario for reading in known.values()):
            return cache_world(key, world)
        if id(world.scenario) not in founded:
            founded[id(world.scenario)] = cache_world(key, world)
        return founded[id(world.scenario)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "_read", once)
        patch.setattr(loading, "cache_world", kept)
        patch.setattr(
            loading, "world_key", lambda path, others, settings: ""
        )  # nothing of a test goes to the cache on disk
        yield


@pytest.fixture(scope="session", autouse=True)
def commands_cache_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands that tests run in processes of their own keep what they have read where nobody else looks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp().parent / "cache"))
        yield


@pytest.fixture(scope="session")
def larkspur() -> Scenario:
    return load(find_world("larkspur"))


@pytest.fixture(scope="session")
def town(larkspur: Scenario) -> TownMap:
    return TownMap(larkspur.plan)


@pytest.fixture(scope="session")
def kept_days(request: pytest.FixtureRequest) -> Path | None:
    """Where days that were lived are kept from run to run; None without pytest's cache."""
    cache = getattr(request.config, "cache", None)
    return cache.mkdir("lived") if cache is not None else None


@pytest.fixture(scope="session")
def day(larkspur: Scenario, kept_days: Path | None) -> Day:
    """24 hours in steps of a minute. Nobody may change it."""
    return a_day(larkspur, kept_days)


@pytest.fixture(scope="session")
def spoken(larkspur: Scenario, kept_days: Path | None) -> Day:
    """The same without silence: small talk has words, too. Nobody may change it."""
    return a_day(replace(larkspur, parameters={**larkspur.parameters, "talk.quiet": False}), kept_days)
