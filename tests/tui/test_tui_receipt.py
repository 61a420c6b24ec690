"""What came of an act of the player: asked on its sheet, told at once, and later beside the same time without it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from larkspur import SIZES, WIDE, Town, live, said, screen_of, settle, until
from textual.pilot import Pilot

from sandbox.core.events import Record
from sandbox.core.places import shipped_folder
from sandbox.feed.commands import OnFeed
from sandbox.feed.events import Posted
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.sheets import receipt
from sandbox.tui.sheets.event import EventSheet, open_event
from sandbox.tui.sheets.receipt import ASKS, KEPT_NOWHERE, LIVES, ReceiptSheet, open_last

WIDTH = 70
SAID = "Basil owes me for bread, and he knows it."


async def read(pilot: Pilot[None]) -> None:
    """Let a sheet read what it tells."""
    for _ in range(4):
        await pilot.pause(0.02)
        await settle(pilot)


def whole(sheet: ReceiptSheet) -> str:
    return "\n".join("".join(said(line)) for entry in sheet.entries(WIDTH) for line in entry.lines)


async def by_hand(app: SandboxApp, then: str) -> Record:
    """Mara posts something by hand, and the town goes on to that hour."""
    viewer = app.viewer
    before = viewer.world.seq
    viewer.session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": SAID}))  # type: ignore[union-attr]
    await live(app, then)
    (act, *_) = await viewer.session.save.records((Posted.KIND,), before, before + 1)
    return act


@pytest.mark.slow
@SIZES
async def test_the_sheet_of_an_act_asks_what_came_of_it_and_each_line_leads_to_an_event(
    app: SandboxApp, size: Town
) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:00")
        act = await by_hand(app, "09:30")
        screen = screen_of(app)
        await open_event(screen, act.stamp.seq)
        await read(pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, EventSheet)
        asked = next(e for e in sheet.entries(WIDTH) if e.key == "receipt")
        assert ASKS in said(asked.lines[0])
        await asked.enter()
        sheet = screen.sheets.topmost
        assert isinstance(sheet, ReceiptSheet)
        await until(lambda: sheet.ready)
        await read(pilot)
        text = whole(sheet)
        assert SAID in text.replace("\n", " ")
        assert "so far" in text
        assert KEPT_NOWHERE in text, "the town of this test is no save"
        leading = [e for e in sheet.entries(WIDTH) if e.does]
        await leading[-1].enter()
        await read(pilot)
        assert screen.sheets.topmost is not sheet


async def test_an_event_of_the_town_itself_does_not_ask(app: SandboxApp) -> None:
    async with app.run_test() as pilot:
        await live(app, "08:00")
        screen = screen_of(app)
        await open_event(screen, 30)
        await read(pilot)
        assert screen.sheets.topmost is not None
        assert all(e.key != "receipt" for e in screen.sheets.topmost.entries(WIDTH))


async def test_where_nothing_was_done_by_hand_it_says_so(app: SandboxApp) -> None:
    async with app.run_test() as pilot:
        await live(app, "07:40")
        await open_last(screen_of(app))
        await read(pilot)
        assert screen_of(app).sheets.topmost is None
        assert any("by hand" in n.message for n in app._notifications)


@pytest.mark.slow
async def test_the_sheet_tells_other_luck_once_the_other_process_is_done(tmp_path: Path) -> None:
    async with open_session(shipped_folder("worlds") / "larkspur", seed=3, save=tmp_path / "a.db") as session:
        session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": SAID}))
        for _ in range(30):
            await session.engine.step()
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            screen = screen_of(app)
            await open_last(screen)
            sheet = screen.sheets.topmost
            assert isinstance(sheet, ReceiptSheet)
            await until(lambda: sheet.ready)
            assert LIVES in whole(sheet)
            await until(lambda: sheet.receipt is not None)
            text = whole(sheet)
            assert LIVES not in text
            assert "of these would not be there" in text
            assert "Other luck without it" in text
            copied = sheet.plain()
            assert SAID[:20] in copied


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kept", [True, False], ids=["in a file", "in memory"])
async def test_the_same_time_without_it_is_lived_in_another_process_and_told_when_that_is_done(
    kept: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.db" if kept else None
    async with open_session(shipped_folder("worlds") / "larkspur", seed=3, save=path) as session:
        for _ in range(5):
            await session.engine.step()
        session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": SAID}))
        seq = session.world.seq + 1
        for _ in range(30):
            await session.engine.step()
        found = await receipt.without(session.save, seq, 30 * 60, False)
        assert found.told.act.seq == seq
        assert found.luck is not None
        assert found.luck.here.events >= 0
        assert not found.luck.missed


async def test_whoever_goes_away_ends_the_process(tmp_path: Path) -> None:
    async with open_session(shipped_folder("worlds") / "larkspur", seed=3, save=tmp_path / "a.db") as session:
        session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": SAID}))
        await session.engine.step()
        begun: list[asyncio.subprocess.Process] = []
        make = asyncio.create_subprocess_exec

        async def noted(*words: str, **more: object) -> asyncio.subprocess.Process:
            begun.append(await make(*words, **more))  # type: ignore[arg-type]
            return begun[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio, "create_subprocess_exec", noted)
            work = asyncio.create_task(receipt.without(session.save, 2, 3600, False))
            await until(lambda: bool(begun))
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
        assert begun[0].returncode is not None
