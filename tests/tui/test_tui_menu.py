"""The menu: what is played is kept, what is only looked at is not, and nothing that goes wrong loses anything."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from larkspur import SIZES, opened, text
from textual.pilot import Pilot

from sandbox.core.places import saves_dir
from sandbox.store.branch import saves_list
from sandbox.store.errors import Displaced
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.sheets import menu
from sandbox.tui.sheets.menu import MenuSheet, WorldsSheet
from sandbox.tui.sheets.saves import SavesSheet, save_time_words

WIDE, SMALL = (120, 40), (80, 24)
Running = tuple[SandboxApp, Pilot[None]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, without the day that ships."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(menu, "recorded_day", lambda: None)
    return tmp_path / "home"


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save of twenty steps. Copy it."""
    import asyncio

    path = tmp_path_factory.mktemp("lived") / "larkspur-1.db"

    async def live() -> None:
        async with open_session("larkspur", save=path) as session:
            for _ in range(20):
                await session.engine.step()

    asyncio.run(live())
    return path


@pytest.fixture
def kept(lived: Path) -> Path:
    """That save among the player's own."""
    saves_dir().mkdir(parents=True)
    return Path(shutil.copy(lived, saves_dir() / "larkspur-1.db"))


@asynccontextmanager
async def started(size: tuple[int, int] = WIDE, target: str | Path = "larkspur") -> AsyncIterator[Running]:
    """The program as `sandbox` starts it: a new Larkspur behind the menu, its time standing; closed afterwards."""
    stack = AsyncExitStack()
    session = await stack.enter_async_context(open_session(target, named=True, paced=True))
    app = SandboxApp(session, stack=stack, greet=target == "larkspur")
    app.viewer.pace.paced.pause()
    try:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            screen_of(app).sheets.pull()  # on a busy machine the first frame is not there yet
            await pilot.pause()
            yield app, pilot
    finally:
        await app.end()


def screen_of(app: SandboxApp) -> TownScreen:
    assert isinstance(app.screen, TownScreen)
    return app.screen


def names(app: SandboxApp) -> list[str]:
    """What the menu offers, as far as the first two words."""
    sheet = screen_of(app).sheets.topmost
    assert isinstance(sheet, MenuSheet)
    return [" ".join(entry.lines[0][0].text.split()[:2]) for entry in sheet.entries(42)]


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        await opened(pilot)


async def enter(pilot: Pilot[None], name: str) -> None:
    """Choose an entry of the open sheet by its key, and do it."""
    assert isinstance(pilot.app, SandboxApp)
    sheet = screen_of(pilot.app).sheets
    sheet.pull()
    for _ in range(20):
        if sheet.chosen is not None and sheet.chosen.key == name:
            break
        await press(pilot, "down")
    assert sheet.chosen is not None
    assert sheet.chosen.key == name
    await press(pilot, "enter")


def files() -> list[str]:
    return sorted(p.name for p in saves_dir().iterdir()) if saves_dir().is_dir() else []


# ---- what is offered


@pytest.mark.slow
@SIZES
async def test_a_newcomer_may_play_at_once(size: tuple[int, int]) -> None:
    async with started(size) as (app, _):
        assert names(app) == ["Play this", "New town", "Settings", "Keys", "Quit"]
        sheet = screen_of(app).sheets
        sheet.pull()
        assert sheet.chosen is not None
        assert sheet.chosen.key == "Play"


@pytest.mark.slow
@SIZES
async def test_who_returns_is_offered_the_newest_save_first(kept: Path, size: tuple[int, int]) -> None:
    async with started(size) as (app, _):
        assert names(app)[:4] == ["Continue larkspur-1", "Play this", "New town", "Open a"]
        rows = "\n".join(text(app))
        assert "Continue larkspur-1" in rows
        assert "day 1, 07:50" in rows


@SIZES
async def test_the_menu_never_hides_the_town(size: tuple[int, int]) -> None:
    async with started(size) as (app, _):
        screen = screen_of(app)
        sheet, town = screen.sheets.region, screen.town.region
        assert sheet.area > 0
        assert sheet.height == len(names(app)) + 2
        covered = sheet.intersection(town).area / town.area
        assert covered == 0 if size == WIDE else covered < 0.25


async def test_the_town_lives_behind_the_menu() -> None:
    async with started() as (app, pilot):
        pace = app.viewer.pace
        assert pace.speed == "normal"
        before = app.viewer.world.step
        pace.paced.go()
        await pace.ask_step()
        assert app.viewer.world.step > before
        await press(pilot, "escape")
        assert screen_of(app).sheets.topmost is None


@pytest.mark.slow
async def test_the_recorded_day_is_offered_where_it_is(lived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menu, "recorded_day", lambda: lived)
    async with started() as (app, pilot):
        assert "Watch a" in names(app)
        await enter(pilot, "Watch")
        assert app.viewer.replaying
        assert app.viewer.session.path == lived
        await press(pilot, "f10")
        assert "Watch a" not in names(app)
        assert "Back to" in names(app)
    assert files() == []


@pytest.mark.slow
async def test_a_click_opens_another_town_as_a_key_does(lived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menu, "recorded_day", lambda: lived)
    async with started() as (app, pilot):
        rows = text(app)
        y = next(y for y, row in enumerate(rows) if "Watch a recorded" in row)
        place = (rows[y].index("Watch a recorded") + 2, y)
        await pilot.click(offset=place)
        await pilot.click(offset=place)
        await opened(pilot)
        assert app.viewer.replaying
        assert screen_of(app).viewer is app.viewer
        assert app.viewer.pace.running
        await press(pilot, "space")
        assert not app.viewer.pace.running


# ---- what is kept


@pytest.mark.sampled(1)
@pytest.mark.parametrize("way", ["escape", "enter", "1", "j"])
async def test_what_is_played_is_kept(way: str) -> None:
    async with started() as (app, pilot):
        path = app.viewer.session.path
        assert app.kept is None
        if way == "j":  # chosen by the palette, with the menu still open
            await screen_of(app).do("town.next")
        else:
            await press(pilot, way)
        assert app.kept == path
    assert files() == ["larkspur-1.db"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("way", ["q", "Quit"])
async def test_who_leaves_from_the_menu_leaves_nothing(way: str) -> None:
    async with started() as (app, pilot):
        assert "larkspur-1.db" in files()
        if way == "q":
            await press(pilot, "q")
        else:
            await enter(pilot, way)
        assert app.kept is None
    assert files() == []


@pytest.mark.slow
async def test_looking_at_settings_and_keys_keeps_nothing() -> None:
    async with started() as (app, pilot):
        await enter(pilot, "Settings")
        assert screen_of(app).sheets.kind == "settings"
        await press(pilot, "escape")
        await enter(pilot, "Keys")
        assert screen_of(app).sheets.kind == "help"
        await press(pilot, "escape")
        assert screen_of(app).sheets.kind == "menu"
        assert app.kept is None
    assert files() == []


@pytest.mark.slow
async def test_the_town_behind_goes_when_a_save_is_continued(kept: Path) -> None:
    async with started() as (app, pilot):
        await enter(pilot, "Continue")
        assert app.viewer.session.path == kept
        assert app.viewer.world.step >= 20
        assert files()[0] == "larkspur-1.db"
        assert "larkspur-2.db" not in files()
        assert app.kept == kept
        assert screen_of(app).sheets.topmost is None
    assert files() == ["larkspur-1.db"]


@pytest.mark.slow
async def test_a_town_that_was_played_stays_when_another_begins() -> None:
    async with started() as (app, pilot):
        await press(pilot, "escape", "f10")
        assert names(app)[0] == "Back to"
        await enter(pilot, "New")
        await enter(pilot, "larkspur")
        assert app.viewer.session.path == saves_dir() / "larkspur-2.db"
    assert files() == ["larkspur-1.db", "larkspur-2.db"]


@pytest.mark.slow
async def test_a_new_town_may_have_another_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with started() as (app, pilot):
        screen = screen_of(app)
        monkeypatch.setattr("sandbox.tui.sheets.menu.randbelow", lambda below: 6)
        screen.open_sheet(WorldsSheet(screen))
        entry = next(e for e in WorldsSheet(screen).entries(74) if e.key == ("larkspur", "seed"))
        assert entry.does is not None
        entry.does()
        await opened(pilot)
        assert app.viewer.world.scenario.seed == 7


@pytest.mark.slow
async def test_a_save_can_be_watched_instead(kept: Path) -> None:
    async with started() as (app, pilot):
        await enter(pilot, "Open")
        screen = screen_of(app)
        assert isinstance(screen.sheets.topmost, SavesSheet)
        await press(pilot, "right_square_bracket", "enter")
        assert app.viewer.replaying
        assert app.kept is None
    assert files() == ["larkspur-1.db"]


# ---- what goes wrong


@pytest.mark.slow
@SIZES
async def test_a_broken_save_is_told_and_the_menu_stays(kept: Path, size: tuple[int, int]) -> None:
    (saves_dir() / "bad.db").write_text("nonsense")
    async with started(size) as (app, pilot):
        await enter(pilot, "Open")
        rows = "\n".join(text(app))
        assert "bad.db" in rows
        assert "is not a save" in rows
        assert re.search(r"larkspur-1 +Larkspur +day 1, 07:50 +\d\.\d MB +(just now|\d+ min ago)", rows)
        kept.write_bytes(kept.read_bytes()[:5000])
        await enter(pilot, str(kept))
        assert [n.severity for n in app._notifications] == ["error"]
        assert screen_of(app).sheets.kind == "saves"
        assert app.viewer.session.path == saves_dir() / "larkspur-2.db"


@pytest.mark.slow
async def test_a_save_another_plays_is_told_and_stays_whole(kept: Path) -> None:
    async with await Save.open(kept), started() as (app, pilot):
        await enter(pilot, "Continue")
        assert "is being played" in next(iter(app._notifications)).message
        assert screen_of(app).sheets.kind == "menu"
    assert [s.error for s in await saves_list(saves_dir())] == [""]


@pytest.mark.slow
async def test_a_world_with_faults_is_told(home: Path) -> None:
    world = home / "worlds" / "odd"
    world.mkdir(parents=True)
    (world / "world.yaml").write_text("title: Odd\nstart: never\n")
    async with started() as (app, pilot):
        await enter(pilot, "New")
        assert "Odd" in "\n".join(text(app))
        await enter(pilot, "odd")
        assert "world.yaml" in next(iter(app._notifications)).message
        assert screen_of(app).sheets.kind == "worlds"


# ---- words


async def test_how_far_a_save_is_lived_needs_no_opening(kept: Path) -> None:
    (listed,) = await saves_list(saves_dir())
    assert listed.info is not None
    assert save_time_words(listed.info) == "day 1, 07:50"
    assert save_time_words(listed.info._replace(start="")) == "0.3 hours"
    assert save_time_words(listed.info._replace(start="never")) == "0.3 hours"


@pytest.mark.slow
async def test_a_town_whose_file_is_gone_is_kept_elsewhere_when_it_is_left(kept: Path) -> None:
    other = Path(shutil.copy(kept, saves_dir() / "other.db"))
    async with started(target=kept) as (app, pilot):
        kept.unlink()
        app.show(other)
        await opened(pilot)
        assert any("was deleted while it was played" in told.message for told in app._notifications)
        assert isinstance(app.fault, Displaced)
    assert files() == ["larkspur-1-kept.db", "other.db"]


async def test_the_save_that_was_played_last_is_the_newest_though_it_made_no_step(kept: Path) -> None:
    later = Path(shutil.copy(kept, kept.with_name("larkspur-2.db")))
    for path, t in ((kept, 1_000), (later, 2_000)):
        os.utime(path, (t, t))
    async with started(target=kept):
        pass
    assert [listed.path.name for listed in await saves_list(saves_dir())] == [kept.name, later.name]
