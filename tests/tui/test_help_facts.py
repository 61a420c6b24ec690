"""Help does what it names; facts say what one needs to live a town again."""

from __future__ import annotations

from pathlib import Path

import pytest
from larkspur import SIZES, text
from textual.pilot import Pilot

from sandbox.store.session import open_session
from sandbox.tui.app import actions
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.sheets.help import HelpSheet
from sandbox.tui.view.action import LIVE, SHEET


def screen_of(app: SandboxApp) -> TownScreen:
    assert isinstance(app.screen, TownScreen)
    return app.screen


async def press(pilot: Pilot[None], *names: str) -> None:
    for name in names:
        await pilot.press(name)
        await pilot.pause()
    await pilot.pause()


@pytest.mark.sampled(1)
@SIZES
@pytest.mark.parametrize("pane", ["1", "2", "3", "4", "5"])
async def test_every_key_of_a_pane_is_told_and_can_be_done(app: SandboxApp, size: tuple[int, int], pane: str) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, pane, "question_mark")
        screen = screen_of(app)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, HelpSheet)
        assert sheet.where == screen.current
        told = {entry.key for entry in sheet.entries(74) if entry.does is not None}
        wanted = {a.id for a in actions.usable(screen.current, LIVE) if a.says} - {"app.help"}
        assert told == wanted
        assert sheet.where in "".join(text(app)[:8])
        await press(pilot, "question_mark")
        assert screen.sheets.topmost is None


@pytest.mark.slow
@SIZES
async def test_enter_and_a_click_do_what_a_row_says(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "question_mark")
        sheet = screen_of(app).sheets
        assert sheet.chosen is not None
        assert sheet.chosen.key == "town.next"
        await press(pilot, "enter")
        first = app.viewer.selected
        assert first
        assert sheet.topmost is None
        await press(pilot, "question_mark")
        row = next(y for y, line in enumerate(text(app)) if "Choose the next person in view." in line)
        await pilot.click(offset=(sheet.content_region.x + 2, row))
        await pilot.pause()
        assert app.viewer.selected not in ("", first)


@SIZES
async def test_marks_and_moods_are_reached_at_the_end(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "question_mark", "G")
        rows = "\n".join(text(app))
        assert "Mouse" in rows
        assert "z asleep" in rows
        assert "vague" in rows


async def test_over_a_sheet_help_tells_the_keys_of_sheets(app: SandboxApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "f2", "question_mark")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, HelpSheet)
        assert sheet.where == SHEET
        await press(pilot, "escape")
        assert screen_of(app).sheets.kind == "settings"


@pytest.mark.slow
@SIZES
async def test_facts_name_what_a_run_depends_on(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    async with open_session("larkspur", seed=7, save=tmp_path / "a.db", paced=True) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await screen_of(app).do("app.facts")
            await pilot.pause()
            rows = "\n".join(text(app))
            digest = session.save.digest.hex()
            for wanted in ("Larkspur", "seed      7", "memories", "made with", "sandbox 0.", digest[:50], "MB"):
                assert wanted in rows, wanted
            assert digest in screen_of(app).sheets.copied()
            await screen_of(app).do("app.facts")
            assert screen_of(app).sheets.topmost is None
        await app.viewer.pace.stop()
