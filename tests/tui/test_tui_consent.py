"""A world that names a model that costs money asks first, and a yes is remembered for that save."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from larkspur import opened, words
from msgspec.structs import replace
from textual.pilot import Pilot

from sandbox.engine.scenario import Scenario
from sandbox.minds.spec import MindSpec, Model
from sandbox.store.allowed import FILE
from sandbox.store.session import found, open_session
from sandbox.tui.app import SandboxApp
from sandbox.tui.leaves.consent import WAITS, ConsentLeaf
from sandbox.tui.screen import TownScreen

PAID, LOGS_IN = Model("openai/gpt-4o"), Model("chatgpt/gpt-5")
Running = tuple[SandboxApp, Pilot[None]]


async def kept(scenario: Scenario, path: Path, model: Model) -> Path:
    """A save of Larkspur in which a model is to answer for Mara, and asks for nothing but an interview."""
    mind = MindSpec(people={"mara": model}, asks=("interview",))
    async with await found(replace(scenario, mind=mind), path):
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
    return app.screen.sheet.leaf


async def test_time_stands_until_it_is_answered_and_no_is_for_nothing(
    scenario: Scenario, tmp_path: Path, home: Path
) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", PAID)) as (app, pilot):
        assert isinstance(leaf_of(app), ConsentLeaf)
        assert "openai/gpt-4o for Mara" in words(app)
        await pilot.press("space", "full_stop")
        assert app.viewer.pace.stands_for(WAITS)
        await pilot.press("enter")  # the cursor stands on no
        await pilot.pause()
        assert leaf_of(app) is None
        assert not app.viewer.pace.paced.paused
        assert app.viewer.session.thinking is None
    assert not (home / FILE).exists()


async def test_no_key_moves_a_town_that_stood_already_until_it_is_answered(scenario: Scenario, tmp_path: Path) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", PAID), greet=True) as (app, pilot):
        app.viewer.pace.paced.pause("you paused")
        await pilot.press("escape")
        await pilot.pause()
        screen, pace, step = app.screen, app.viewer.pace, app.viewer.world.step
        assert isinstance(screen, TownScreen)
        assert isinstance(leaf_of(app), ConsentLeaf)
        chosen = app.viewer.selected, screen.current
        for keys in (("space", "full_stop"), ("question_mark", "space", "escape"), ("n", "4")):
            await pilot.press(*keys)
            assert pace.stands_for(WAITS), keys
        assert isinstance(leaf_of(app), ConsentLeaf)
        assert (app.viewer.selected, screen.current, app.viewer.world.step) == (*chosen, step)
        await pilot.press("enter")
        await pilot.pause()
        assert pace.stands_for("you paused")
        await pilot.press("space")
        assert pace.running


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


async def test_what_logs_in_by_itself_is_no_question(scenario: Scenario, tmp_path: Path) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", LOGS_IN)) as (app, _):
        assert leaf_of(app) is None
        assert app.viewer.session.thinking is None
        assert any("log in by itself" in note.message for note in app._notifications)


async def test_behind_the_menu_it_waits_until_the_town_is_played(scenario: Scenario, tmp_path: Path) -> None:
    async with shown(await kept(scenario, tmp_path / "a.db", PAID), greet=True) as (app, pilot):
        assert not isinstance(leaf_of(app), ConsentLeaf)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(leaf_of(app), ConsentLeaf)


async def test_a_file_that_cannot_be_written_allows_nothing(scenario: Scenario, tmp_path: Path, home: Path) -> None:
    (home / FILE).mkdir(parents=True)
    async with shown(await kept(scenario, tmp_path / "a.db", PAID)) as (app, pilot):
        await pilot.press("up", "enter")
        await pilot.pause()
        assert isinstance(leaf_of(app), ConsentLeaf)
        assert app.viewer.session.thinking is None
        assert app.viewer.pace.paced.paused
