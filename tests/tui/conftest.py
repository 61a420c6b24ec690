"""Larkspur in memory, and the app over it with time standing still."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from diary import Diary
from larkspur import Clock, Town

from sandbox.core.places import shipped_folder
from sandbox.engine.loading import load
from sandbox.engine.scenario import Scenario
from sandbox.tui.app.app import SandboxApp


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own: what is set on the screen is written there."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TMUX", raising=False)  # what is copied stays in the test
    return tmp_path / "home"


@pytest.fixture(scope="session")
def scenario() -> Scenario:
    return load(shipped_folder("worlds") / "larkspur", seed=42)


@pytest.fixture(scope="session")
def diary(scenario: Scenario, kept_days: Path | None) -> Diary:
    """A day of Larkspur as these tests live it, kept from run to run."""
    return Diary.of(scenario, kept_days)


@pytest.fixture(autouse=True)
def out_of_the_diary(diary: Diary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Towns that live that day live it again from its events; any other is lived by the engine."""
    diary.lend(monkeypatch)


@pytest.fixture
def town(scenario: Scenario) -> Town:
    return Town(scenario)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(town: Town, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> SandboxApp:
    """The app, paused; the clock on the wall stands too."""
    monkeypatch.setattr("sandbox.engine.drivers.perf_counter", clock)
    made = SandboxApp(town, clock=clock)
    made.viewer.pace.paced.pause()
    return made


@pytest.fixture
def hostile(scenario: Scenario) -> Town:
    """Larkspur with a baker whose name is markup, an escape sequence and a wide sign."""
    first, *others = scenario.cast
    name = "[bold red]Eve[/] \x1b[31m美玲\x07 [@click=app.quit]x"
    return Town(msgspec.structs.replace(scenario, cast=(msgspec.structs.replace(first, name=name), *others)))
