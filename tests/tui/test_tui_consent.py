"""A world that names a model that costs money asks first, and a yes is remembered for that save."""

from __future__ import annotations

import asyncio
import gc
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partialmethod
from pathlib import Path

import pytest
from larkspur import opened, words
from msgspec.structs import replace
from textual.pilot import Pilot

from sandbox.engine.scenario import Scenario
from sandbox.minds.spec import MindSpec, Model
from sandbox.store.choose_mind import FILE
from sandbox.store.errors import OutOfMemory, SaveError
from sandbox.store.session import create_save, open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.program import AppResult, run_app
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.sheets.asking import WAITS, ConsentSheet
from sandbox.tui.view.opening import Session

PAID, LOGS_IN = Model("openai/gpt-4o"), Model("chatgpt/gpt-5")
Running = tuple[SandboxApp, Pilot[None]]


async def kept(scenario: Scenario, path: Path, model: Model) -> Path:
    """A save of Larkspur in which a model is to answer for Mara, and asks for nothing but an interview."""
    mind = MindSpec(people={"mara": model}, asks=("interview",))
    async with await create_save(replace(scenario, mind=mind), path):
        return path


@asynccontextmanager
async def shown(path: Path, greet: bool = False, minds: tuple[str, ...] = ()) -> AsyncIterator[Running]:
    stack = AsyncExitStack()
    session = await stack.enter_async_context(open_session(path, minds=minds, paced=True))
    app = SandboxApp(session, stack=stack, greet=greet)
    try:
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            yield app, pilot
    finally:
        await app.end()


def leaf_of(app: SandboxApp) -> object:
    assert isinstance(app.screen, TownScreen)
    return app.screen.sheets.topmost


@pytest.mark.slow
async def test_time_stands_until_it_is_answered_and_no_is_for_nothing(
    scenario: Scenario, tmp_path: Path, home: Path
) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", PAID)) as (app, pilot):
        assert isinstance(leaf_of(app), ConsentSheet)
        assert "openai/gpt-4o for Mara" in words(app)
        await pilot.press("space", "full_stop")
        assert app.viewer.pace.stands_for(WAITS)
        await pilot.press("enter")  # the cursor stands on no
        await pilot.pause()
        assert leaf_of(app) is None
        assert not app.viewer.pace.paced.paused
        assert app.viewer.session.thinking is None
    assert not (home / FILE).exists()


@pytest.mark.slow
async def test_no_key_moves_a_town_that_stood_already_until_it_is_answered(scenario: Scenario, tmp_path: Path) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", PAID), greet=True) as (app, pilot):
        app.viewer.pace.paced.pause("you paused")
        await pilot.press("escape")
        await pilot.pause()
        screen, pace, step = app.screen, app.viewer.pace, app.viewer.world.step
        assert isinstance(screen, TownScreen)
        assert isinstance(leaf_of(app), ConsentSheet)
        chosen = app.viewer.selected, screen.current
        for keys in (("space", "full_stop"), ("question_mark", "space", "escape"), ("n", "4")):
            await pilot.press(*keys)
            assert pace.stands_for(WAITS), keys
        assert isinstance(leaf_of(app), ConsentSheet)
        assert (app.viewer.selected, screen.current, app.viewer.world.step) == (*chosen, step)
        await pilot.press("enter")
        await pilot.pause()
        assert pace.stands_for("you paused")
        await pilot.press("space")
        assert pace.running


@pytest.mark.slow
async def test_yes_asks_it_from_then_on_and_is_remembered(scenario: Scenario, tmp_path: Path) -> None:
    path = await kept(scenario, tmp_path / "a.db", PAID)
    async with shown(path, minds=("otis=groq/x",)) as (app, pilot):
        await pilot.press("up", "enter")
        await opened(pilot)
        await pilot.pause()
        assert leaf_of(app) is None
        assert app.viewer.session.thinking is not None
        assert app.viewer.session.thinking.models == {"mara": "openai/gpt-4o", "otis": "groq/x"}
        assert app.viewer.session.path == path
    async with shown(path) as (app, _):
        assert leaf_of(app) is None
        assert app.viewer.session.thinking is not None


@pytest.mark.slow
async def test_what_logs_in_by_itself_is_no_question(scenario: Scenario, tmp_path: Path) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", LOGS_IN)) as (app, _):
        assert leaf_of(app) is None
        assert app.viewer.session.thinking is None
        assert any("log in by itself" in note.message for note in app._notifications)


async def test_behind_the_menu_it_waits_until_the_town_is_played(scenario: Scenario, tmp_path: Path) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", PAID), greet=True) as (app, pilot):
        assert not isinstance(leaf_of(app), ConsentSheet)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(leaf_of(app), ConsentSheet)


@pytest.mark.slow
async def test_a_file_that_cannot_be_written_allows_nothing(scenario: Scenario, tmp_path: Path, home: Path) -> None:
    (home / FILE).mkdir(parents=True)
    async with shown(await kept(scenario, tmp_path / "a.db", PAID)) as (app, pilot):
        await pilot.press("up", "enter")
        await pilot.pause()
        assert isinstance(leaf_of(app), ConsentSheet)
        assert app.viewer.session.thinking is None
        assert app.viewer.pace.paced.paused


def after_yes(path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Path], object]) -> AppResult:
    """How the program ends when something happens to a save just before the yes."""

    async def yes(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, SandboxApp)
        await pilot.pause()
        assert isinstance(leaf_of(app), ConsentSheet)
        meanwhile(path)
        await pilot.press("up", "enter")
        await opened(pilot)
        if app.return_code is None:  # it goes on
            await pilot.press("q")

    monkeypatch.setattr(SandboxApp, "run_async", partialmethod(SandboxApp.run_async, headless=True, auto_pilot=yes))
    try:
        return run_app(lambda: open_session(path, paced=True))
    finally:
        gc.unfreeze()


def reopening(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> list[object]:
    """What is opened from now on; none of it can be."""

    @asynccontextmanager
    async def living(target: object, **more: object) -> AsyncIterator[Session]:
        tried.append(target)
        raise fault
        yield

    tried: list[object] = []
    monkeypatch.setattr("sandbox.tui.view.opening.open_living", living)
    return tried


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can be neither removed nor replaced there")
@pytest.mark.sampled(1)
@pytest.mark.parametrize("way", ["was deleted", "was replaced"])
def test_a_save_that_went_before_the_yes_is_told_and_nothing_else_opened(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    path = asyncio.run(kept(scenario, tmp_path / "a.db", PAID))
    other = Path(shutil.copy(path, tmp_path / "other.db"))
    tried = reopening(monkeypatch, SaveError(path, "was opened", "do not"))
    shown = after_yes(path, monkeypatch, Path.unlink if way == "was deleted" else other.replace)
    assert tried == []
    assert shown == (1, tmp_path / "a-kept.db")
    said = capsys.readouterr().err
    assert said.startswith(f"{path}: {way}")
    assert str(shown.kept) in said


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    "fault", [SaveError("a.db", "is damaged", "use a copy"), OutOfMemory("a.db")], ids=["damage", "memory"]
)
def test_a_save_that_cannot_be_opened_again_after_the_yes_ends_with_the_reason(
    scenario: Scenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: SaveError,
) -> None:
    path = asyncio.run(kept(scenario, tmp_path / "a.db", PAID))
    tried = reopening(monkeypatch, fault)
    shown = after_yes(path, monkeypatch, lambda path: None)
    assert tried == [path]
    assert shown == (fault.code, path)
    assert capsys.readouterr().err == f"{fault}\n"
