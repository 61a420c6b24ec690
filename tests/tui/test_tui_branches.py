"""Saves as a tree, two of them side by side, their names, and the last act taken back."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from larkspur import opened, text, words
from rich.cells import cell_len
from textual.pilot import Pilot

from sandbox.core.places import saves_dir
from sandbox.engine.domain import Reseed, SetStep
from sandbox.engine.engine import Engine
from sandbox.store.branch import branch, is_unnamed
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.sheets.asking import WAITS, TypedLine, UndoSheet
from sandbox.tui.sheets.compare import CompareSheet
from sandbox.tui.sheets.saves import COMPARES, PLAYS, SavesSheet
from sandbox.tui.view import opening

Running = tuple[SandboxApp, Pilot[None]]
FORK, LIVED = 20, 50


@pytest.fixture(scope="session")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a save of fifty steps, and a branch of it at step 20 with other luck and longer steps."""
    folder = tmp_path_factory.mktemp("two")

    async def go() -> None:
        async with open_session("larkspur", save=folder / "larkspur-1.db") as session:
            for _ in range(LIVED):
                await session.engine.step()
        await branch(folder / "larkspur-1.db", FORK, folder / "larkspur-2.db")
        async with open_session(folder / "larkspur-2.db", seed=5) as session:
            for step in range(LIVED - FORK):
                if step == 10:
                    session.engine.do(SetStep(seconds=60))
                await session.engine.step()

    asyncio.run(go())
    return folder


@pytest.fixture
def saves(two: Path, home: Path) -> Path:
    """Those two among the player's own."""
    return Path(shutil.copytree(two, saves_dir()))


@asynccontextmanager
async def played(path: Path, replay: bool = False) -> AsyncIterator[Running]:
    stack = AsyncExitStack()
    way = opening.open_replay(path, opening.At(30)) if replay else open_session(path, paced=True)
    app = SandboxApp(await stack.enter_async_context(way), stack=stack)  # type: ignore[arg-type]
    app.viewer.pace.paced.pause("you paused")
    try:
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            yield app, pilot
    finally:
        await app.end()


def screen_of(app: SandboxApp) -> TownScreen:
    assert isinstance(app.screen, TownScreen)
    return app.screen


def leaf_of(app: SandboxApp) -> object:
    return screen_of(app).sheets.topmost


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        await opened(pilot)


async def choose(pilot: Pilot[None], key: object) -> None:
    """Put the cursor of the open sheet on an entry."""
    assert isinstance(pilot.app, SandboxApp)
    sheet = screen_of(pilot.app).sheets
    sheet.pull()
    await press(pilot, "home")
    for _ in range(60):
        if sheet.chosen is not None and sheet.chosen.key == key:
            return
        await press(pilot, "down")
    raise AssertionError(f"there is no entry {key}")


async def told(app: SandboxApp, pilot: Pilot[None]) -> None:
    """The sentences of the list have come."""
    await app.workers.wait_for_complete([w for w in app.workers if w.name == "forks"])
    await pilot.pause()


async def meta(path: Path) -> dict[str, str]:
    async with await Save.open(path, read_only=True) as save:
        return (await save.info()).meta


# ---- the list


@pytest.mark.slow
async def test_the_list_is_a_tree_that_says_what_was_different(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await screen_of(app).do("saves.list")
        await told(app, pilot)
        rows = words(app)
        assert "└ larkspur-2" in rows
        assert "left day 1, 07:50: with other luck: Yara saw Una" in rows
        assert "open now" in rows


@pytest.mark.slow
async def test_a_name_from_outside_stays_text(saves: Path) -> None:
    async with await Save.open(saves / "larkspur-2.db") as save:
        await save.note("title", "[bold red]x[/] \x1b[31m")
        await save.note("parent", "\x1b[0m[link=x]")
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await screen_of(app).do("saves.list")
        await told(app, pilot)
        rows = words(app)
        assert "[bold red]x" in rows
        assert "a branch of a save that is not here" in rows
        assert "\x1b" not in rows


@pytest.mark.slow
async def test_a_save_is_named_from_the_list_and_the_open_one_without_it(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await screen_of(app).do("saves.list")
        await choose(pilot, str(saves / "larkspur-2.db"))
        await press(pilot, "R")
        assert isinstance(app.screen, TypedLine)
        await press(pilot, *["backspace"] * 8, "enter")
        assert isinstance(app.screen, TypedLine)  # nothing is no name
        await press(pilot, *"other", "enter")
        assert isinstance(leaf_of(app), SavesSheet)
        await press(pilot, "escape", "R", *"main", "enter")
        assert isinstance(app.screen, TownScreen)
    assert (await meta(saves / "larkspur-2.db"))["title"] == "other"
    assert (await meta(saves / "larkspur-1.db"))["title"] == "main"


@pytest.mark.slow
async def test_enter_does_one_of_three_things_in_turn(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await screen_of(app).do("saves.list")
        sheet = leaf_of(app)
        assert isinstance(sheet, SavesSheet)
        assert sheet.verb == PLAYS
        assert "] watch instead  enter play" in words(app)
        assert "C compare" in words(app)
        assert "R name" in words(app)
        await press(pilot, "right_square_bracket", "right_square_bracket")
        assert sheet.verb == COMPARES
        assert "] play instead  enter compare" in words(app)
        await choose(pilot, str(saves / "larkspur-1.db"))
        await press(pilot, "enter")
        assert "is the one that is open" in next(iter(app._notifications)).message
        await choose(pilot, str(saves / "larkspur-2.db"))
        await press(pilot, "enter")
        assert isinstance(leaf_of(app), CompareSheet)


async def test_what_a_save_is_called_is_told_whole_where_names_of_files_are_short(saves: Path) -> None:
    async with await Save.open(saves / "larkspur-2.db") as save:
        await save.note("title", "if nobody had asked")
    async with played(saves / "larkspur-1.db") as (app, _):
        await screen_of(app).do("saves.list")
        sheet = leaf_of(app)
        assert isinstance(sheet, SavesSheet)
        rows = ["".join(s.text for s in line) for entry in sheet.entries(74) for line in entry.lines]
        assert any("larkspur-2 if nobody had asked" in row for row in rows)
        assert all(cell_len(row) <= 74 for row in rows)


@pytest.mark.slow
async def test_naming_leaves_the_list_as_it_was(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await press(pilot, "C")
        await choose(pilot, str(saves / "larkspur-2.db"))
        await press(pilot, "R", *"x", "enter")
        sheet = leaf_of(app)
        assert isinstance(sheet, SavesSheet)
        assert sheet.verb == COMPARES
        assert "compares with the one that is open" in words(app)
        chosen = sheet.chosen()
        assert chosen is not None
        assert chosen.path == saves / "larkspur-2.db"


# ---- two side by side


async def compared(app: SandboxApp, pilot: Pilot[None], other: Path) -> CompareSheet:
    """The sheet, by the keys of the list."""
    await press(pilot, "C")
    await choose(pilot, str(other))
    await press(pilot, "C")
    sheet = leaf_of(app)
    assert isinstance(sheet, CompareSheet)
    return sheet


@pytest.mark.slow
async def test_the_sheet_tells_where_they_part_and_what_differs(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        sheet = await compared(app, pilot, saves / "larkspur-2.db")
        text = sheet.plain()
        one, two = sheet.found.first
        assert one is not None
        assert two is not None
        assert f"The same up to step {FORK}" in text
        assert "B Tue 4 Mar 07:50: a player: From here on chance is another" in " ".join(text.split())
        flat = " ".join(text.split())
        assert one.text in flat
        assert two.text in flat
        assert all(m.name in text for m in sheet.found.moods)
        await press(pilot, "C")
        assert isinstance(leaf_of(app), SavesSheet)


@pytest.mark.slow
async def test_enter_on_the_first_difference_watches_the_open_save_from_there(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        sheet = await compared(app, pilot, saves / "larkspur-2.db")
        first = sheet.found.first[0]
        assert first is not None
        await choose(pilot, ("first", "A"))
        await press(pilot, "enter")
        assert app.viewer.replaying
        assert app.viewer.session.path == saves / "larkspur-1.db"
        assert app.viewer.world.step == first.step
        await press(pilot, "r")
        assert not app.viewer.replaying


@pytest.mark.slow
async def test_enter_on_the_other_first_difference_watches_the_other_save(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        sheet = await compared(app, pilot, saves / "larkspur-2.db")
        first = sheet.found.first[1]
        assert first is not None
        await choose(pilot, ("first", "B"))
        await press(pilot, "enter")
        assert app.viewer.replaying
        assert app.viewer.session.path == saves / "larkspur-2.db"
        assert first.step <= app.viewer.world.step <= first.step + 5  # it runs from there


@pytest.mark.slow
async def test_a_replay_is_compared_and_gone_to_within_itself(saves: Path) -> None:
    async with played(saves / "larkspur-1.db", replay=True) as (app, pilot):
        sheet = await compared(app, pilot, saves / "larkspur-2.db")
        first = sheet.found.first[0]
        assert first is not None
        await choose(pilot, ("first", "A"))
        await press(pilot, "enter")
        assert app.viewer.world.step == first.step


@pytest.mark.slow
async def test_what_cannot_be_compared_is_told(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await press(pilot, "C")
        await choose(pilot, str(saves / "larkspur-2.db"))
        (saves / "larkspur-2.db").write_text("nonsense")
        await press(pilot, "C")
        assert "is not a save" in next(iter(app._notifications)).message
        assert isinstance(leaf_of(app), SavesSheet)


# ---- taken back


@pytest.mark.slow
async def test_the_last_act_is_taken_back_in_a_save_without_a_name(saves: Path) -> None:
    path = saves / "larkspur-2.db"
    async with played(path) as (app, pilot):
        await press(pilot, "U")
        sheet = leaf_of(app)
        assert isinstance(sheet, UndoSheet)
        assert app.viewer.pace.stands_for(WAITS)
        assert "space" not in text(app)[-1]  # no key lets time go on
        assert sheet.acts.step == FORK + 11
        assert "From the next step on a step lasts 60 seconds" in words(app)
        await press(pilot, "up", "enter")
        viewer = app.viewer
        assert viewer.session.path == saves / "larkspur-3.db"
        assert not viewer.replaying
        assert viewer.world.step == FORK + 10
        assert viewer.pace.paced.paused
        await press(pilot, "full_stop")
        assert viewer.world.step == FORK + 11
    found = await meta(saves / "larkspur-3.db")
    assert is_unnamed(saves / "larkspur-3.db", found)
    async with (
        await Save.open(path, read_only=True) as old,
        await Save.open(saves / "larkspur-3.db", read_only=True) as new,
    ):
        assert (old.last_step, new.last_step) == (LIVED, FORK + 11)
        kinds = [row.kind for row in await new.rows(1, new.last_seq)]
    assert kinds.count("reseeded") == 1  # that of the branch before: none comes of going on
    assert "step_set" not in kinds


@pytest.mark.slow
async def test_a_branch_of_a_save_from_elsewhere_is_compared_with_it(saves: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = (saves / "larkspur-2.db").rename(elsewhere / "mine.db")
    async with played(path) as (app, pilot):
        assert app.viewer.missed  # one comes to a town that was left
        await press(pilot, "U", "up", "enter")
        assert app.viewer.session.path == saves / "larkspur-2.db"
        assert not app.viewer.missed
        assert "before you left" not in words(app)
        sheet = await compared(app, pilot, path)
        assert sheet.found.parting.shared is not None
        assert sheet.found.parting.shared.step == FORK + 10
        await press(pilot, "escape")
        assert "└ larkspur-2" in words(app)
        assert "says it" not in words(app)
        await press(pilot, "escape")
        path.rename(elsewhere / "other.db")
        await press(pilot, "C")
        assert "has moved away or is gone" in " ".join(words(app).split())


@pytest.mark.slow
async def test_no_leaves_it_done_and_time_as_it_stood(saves: Path) -> None:
    async with played(saves / "larkspur-2.db") as (app, pilot):
        await press(pilot, "U", "enter")  # the cursor stands on no
        assert leaf_of(app) is None
        assert app.viewer.session.path == saves / "larkspur-2.db"
        assert app.viewer.pace.paced.reason == "you paused"
        await press(pilot, "U", "U")
        assert leaf_of(app) is None
    assert sorted(p.name for p in saves.glob("*.db")) == ["larkspur-1.db", "larkspur-2.db"]


async def test_where_nobody_has_done_anything_that_is_said(saves: Path) -> None:
    async with played(saves / "larkspur-1.db") as (app, pilot):
        await press(pilot, "U")
        assert leaf_of(app) is None
        assert "nothing in this town that could be taken back" in next(iter(app._notifications)).message


async def test_an_act_that_waits_for_its_step_is_taken_back_at_once(saves: Path) -> None:
    async with played(saves / "larkspur-2.db") as (app, pilot):
        engine = app.viewer.session.engine
        assert isinstance(engine, Engine)
        engine.do(Reseed(seed=77))
        await press(pilot, "U")
        assert leaf_of(app) is None
        assert engine.commands == []
        assert app.viewer.session.path == saves / "larkspur-2.db"


async def test_a_replay_has_no_act_to_take_back(saves: Path) -> None:
    async with played(saves / "larkspur-2.db", replay=True) as (app, pilot):
        await press(pilot, "U")
        assert leaf_of(app) is None
        assert app.viewer.replaying


# ---- with a name of one's own


@pytest.mark.slow
async def test_one_goes_on_live_from_a_replay_in_a_save_that_one_names(saves: Path) -> None:
    async with played(saves / "larkspur-1.db", replay=True) as (app, pilot):
        await screen_of(app).do("saves.branch")
        await pilot.pause()
        assert isinstance(app.screen, TypedLine)
        await press(pilot, *"what if", "enter")
        assert app.viewer.session.path == saves / "larkspur-3.db"
        assert not app.viewer.replaying
    found = await meta(saves / "larkspur-3.db")
    assert found["title"] == "what if"
    assert found["parent_step"] == "30"
