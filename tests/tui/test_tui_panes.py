"""A pane is its own file and a row in the list of panes; keys, tabs, palette, footer, help and docs/keys.md follow."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from runpy import run_path

import pytest
from larkspur import SMALL, Clock, Town, press, settle, text, until, words
from notes import NotesPane
from textual.app import App
from textual.command import CommandList
from textual.widget import Widget

import sandbox.tui.app
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes import roster
from sandbox.tui.view.settings import Settings
from sandbox.tui.widgets.pane import Region

BROAD = (160, 48)
# What is made of the list of panes:
FROM_THE_TABLE = ("actions", "screen", "open_towns", "settingsfile", "app")
Make = Callable[..., App[None]]


@pytest.fixture
def make(town: Town, monkeypatch: pytest.MonkeyPatch) -> Make:
    """The app as it is with one row more in the list of panes, its time standing still."""
    monkeypatch.setattr(roster, "PANES", (*roster.PANES, NotesPane))
    for name in FROM_THE_TABLE:
        importlib.import_module(f"sandbox.tui.app.{name}")
    for name in FROM_THE_TABLE:  # they are imported anew, and put back after the test
        monkeypatch.delattr(sandbox.tui.app, name)
        monkeypatch.delitem(sys.modules, f"sandbox.tui.app.{name}")

    def made(settings: Settings | None = None) -> App[None]:
        app = importlib.import_module("sandbox.tui.app.app").SandboxApp(town, settings, clock=Clock())
        app.viewer.pace.paced.pause()
        return app

    return made


def notes_of(app: App[None]) -> NotesPane:
    return app.screen_stack[0].query_one(NotesPane)


def in_front(app: App[None]) -> bool:
    """Whether the notes are shown, and keys go to them."""
    pane = notes_of(app)
    return pane.display and pane.region.area > 0 and app.focused is pane and "nothing noted yet" in words(app)


def row_with(app: App[None], *said: str) -> tuple[int, str]:
    """The first row of the screen that says all that, and its number."""
    return next((y, row) for y, row in enumerate(text(app)) if all(word in row for word in said))  # type: ignore[arg-type]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [SMALL, BROAD], ids=["small", "broad"])
async def test_a_row_makes_a_pane_that_digit_tab_and_palette_open_and_whose_keys_act(
    size: tuple[int, int], make: Make
) -> None:
    app = make()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert not notes_of(app).display
        await press(pilot, "7")
        assert in_front(app)

        await press(pilot, "2")
        assert not in_front(app)
        y, row = row_with(app, "Timeline", "Notes")  # the row of tabs, or the strip
        await pilot.click(offset=(row.index("Notes") + 1, y))
        await settle(pilot)
        assert in_front(app)

        await press(pilot, "1", "ctrl+p", *"pane: notes")
        await until(lambda: app.screen.query_one(CommandList).option_count == 1)
        await press(pilot, "enter")
        await until(lambda: in_front(app))

        assert "e note" in text(app)[-1]  # type: ignore[arg-type]
        await press(pilot, "e")
        assert notes_of(app).notes == ["noted at 07:30"]
        assert "noted at 07:30" in words(app)  # type: ignore[arg-type]
        await press(pilot, "enter")  # what a pane wants of others it posts
        assert app.viewer.pace.running  # type: ignore[attr-defined]
        await press(pilot, "space", "question_mark")
        await until(lambda: "Keys: the notes" in words(app))  # type: ignore[arg-type]
        assert "Note the hour down." in words(app)  # type: ignore[arg-type]
        await press(pilot, "escape", "left_square_bracket")
        assert app.screen.current == "feed"  # type: ignore[attr-defined]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("region", list(Region), ids=lambda region: region.name.lower())
async def test_a_pane_stands_where_it_says_and_gives_the_place_back(
    region: Region, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NotesPane, "PLACE", NotesPane.PLACE._replace(wide=Region.FOOT, broad=region))
    app = make()
    async with app.run_test(size=BROAD) as pilot:
        await settle(pilot)
        stage = app.screen
        shares = {Region.MAIN: "town", Region.LIST: "timeline", Region.FOOT: "person", Region.SIDE: "people"}[region]
        beside: Widget = stage.query_one(f"#{shares}")
        before = beside.region
        await press(pilot, "7")
        assert in_front(app)
        assert not beside.display
        taken = notes_of(app).region
        tabs = 1 if region is Region.LIST else 0  # a row of tabs, as there are two of them now
        assert (taken.x, taken.width, taken.bottom) == (before.x, before.width, before.bottom)
        assert taken.y == max(before.y, 1 + tabs)
        await press(pilot, NotesPane.PLACE.digit, "1")
        await press(pilot, {"town": "1", "timeline": "2", "person": "3", "people": "4"}[shares])
        assert (beside.display, notes_of(app).display) == (True, False)
        await pilot.resize_terminal(120, 40)
        await press(pilot, "2", "3", "7")
        assert in_front(app)
        assert notes_of(app).region.right == 120
        assert [pane.id for pane in stage.query(".pane") if pane.display] == ["town", "timeline", "notes"]


def test_the_pane_beside_is_one_of_the_same_region(app: SandboxApp) -> None:
    arrangement = app._towns.first.screen._arrangement
    for width, beside in ((120, "feed"), (160, "people")):  # where the people have a column of their own
        arrangement.begin(width)
        assert arrangement.beside("people", 1) == beside
        assert arrangement.beside("timeline", -1) == "feed"
        assert arrangement.turns("people") == (width == 120)
        assert arrangement.turns("person")


async def test_its_keys_can_be_changed_and_stand_on_the_page_of_keys(make: Make) -> None:
    app = make(replace(Settings(), keys={"pane.notes": "f7", "notes.add": "n"}))
    page = run_path(str(Path(__file__).parents[1] / "keys_page.py"))["keys_page"]()
    assert "| `7` | The notes. |  | `pane.notes` |" in page
    assert "| `e` | Note the hour down. | in the notes | `notes.add` |" in page
    async with app.run_test(size=BROAD) as pilot:
        await press(pilot, "f7", "n")
        assert notes_of(app).notes == ["noted at 07:30"]
        assert "n note" in text(app)[-1]  # type: ignore[arg-type]
