"""A save gone on with: its last hours are there at once, and what was before is read when one wants to see it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from diary import Diary
from larkspur import WIDE, press, saved, screen_of, settle, until
from textual.pilot import Pilot
from textual.widgets import Input

from sandbox.core.clock import HOUR
from sandbox.engine.registry import EVENTS
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.store import session as sessions
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.sheets.find import Finder
from sandbox.tui.view import timeline_rows
from sandbox.tui.view.timeline_rows import TOLD
from sandbox.tui.view.viewer import Viewer

LIVED, SHOWN, WINDOW = 6 * HOUR, 300, 500


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory, diary: Diary) -> Path:
    """The first six hours of a Larkspur, in steps of a minute."""
    return saved(diary, tmp_path_factory.mktemp("lived") / "larkspur.db", LIVED)


@pytest.fixture
def save(lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it; what is shown of it at once, and read of it at a time, is little."""
    monkeypatch.setattr(sessions, "TAIL", SHOWN)
    monkeypatch.setattr(timeline_rows, "WINDOW", WINDOW)
    return Path(shutil.copy(lived, tmp_path / "larkspur.db"))


@asynccontextmanager
async def gone_on(save: Path) -> AsyncIterator[tuple[SandboxApp, Pilot[None]]]:
    async with open_session(save) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            yield app, pilot
            await app.end()


async def told_at_once(path: Path) -> list[TimelineRow]:
    """The rows of the whole log, read in one go."""
    async with await Save.open(path, read_only=True) as save:
        world = await save.beginning()
        timeline = Timeline(world.handbook, world.clock, world.calendar)
        rows = timeline.read(await save.records(EVENTS.keys() - {"founded"}, 1, save.last_seq), save.now)
        return [row for row in rows if row.weight >= TOLD]


def says(row: TimelineRow) -> TimelineRow:
    """A row but for the event it is put to: an occasion, which is none, goes with the first that is read after it."""
    return row._replace(seq=0)


@pytest.mark.slow
async def test_the_windows_together_tell_what_the_log_read_in_one_go_tells(save: Path) -> None:
    whole = await told_at_once(save)
    async with open_session(save) as session:
        viewer = Viewer(session)
        first = viewer.chronicle.since(0)
        assert 0 < len(first) < len(whole) / 2
        windows = []
        viewer.past.heard.append(lambda: windows.append(len(viewer.chronicle)))
        viewer.past.want(all=True)
        await viewer.past.read()
        assert viewer.past.whole
        assert len(windows) > 3
        rows = viewer.chronicle.since(0)
        older = len(rows) - len(first)
        assert (
            sorted(map(says, rows))[:older] == sorted(map(says, whole))[:older]
        )  # of the last hours, talks begun before
        assert [row.t for row in rows][:older] == [row.t for row in whole][:older]
        assert {row.t for row in rows} == {row.t for row in whole}


@pytest.mark.slow
async def test_what_was_before_is_read_as_one_goes_back_and_the_oldest_row_is_of_the_first_morning(save: Path) -> None:
    oldest = (await told_at_once(save))[0]
    async with gone_on(save) as (app, pilot):
        viewer, timeline = app.viewer, screen_of(app).timeline
        newest = timeline.chosen
        await until(lambda: timeline._index(timeline.shown()) > 50 or viewer.past.whole)
        assert timeline.chosen == newest
        await press(pilot, "2", "home")
        await until(lambda: viewer.past.whole)
        await settle(pilot)
        assert timeline.chosen is not None
        assert timeline.chosen.t == oldest.t
        await press(pilot, "end")
        assert timeline.chosen == newest


@pytest.mark.slow
async def test_the_finder_finds_what_happened_on_the_first_morning(save: Path) -> None:
    whole = await told_at_once(save)
    early = next(row for row in whole if row.talk and row.weight > 1 and row.t < HOUR)
    async with gone_on(save) as (app, pilot):
        assert early not in app.viewer.chronicle.since(0)
        await press(pilot, "slash")
        await until(lambda: isinstance(app.screen, Finder))
        finder = app.screen
        assert isinstance(finder, Finder)
        finder.query_one(Input).value = early.text
        await until(lambda: any(found.row is not None and found.row.seq == early.seq for found in finder.pane.found))
        await press(pilot, "escape")


@pytest.mark.slow
async def test_a_log_damaged_before_is_told_of_and_what_is_there_stays(
    save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_session(save) as session:
        viewer = Viewer(session)
        before = viewer.chronicle.since(0)

        async def broken(kinds: object, after: int, upto: int) -> list[object]:
            raise sessions.SaveError(save, "is damaged", "copy it")

        monkeypatch.setattr(session.save, "records", broken)
        viewer.past.want()
        await viewer.past.read()
        assert "is damaged" in viewer.past.fault
        assert viewer.past.whole
        assert viewer.chronicle.since(0) == before
