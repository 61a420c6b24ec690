"""The interview on the screen: one asks, they answer, and the town is as it was."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, screen_of, settle, text, words
from test_tui_waiting import HOSTILE, slow_town
from textual.pilot import Pilot
from textual.widgets import Input

from sandbox.minds.budget import Thinking
from sandbox.people.interview_question import Interview, Interviewed
from sandbox.store.save import Save
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.sheets.interview import InterviewScreen
from sandbox.tui.view import opening


async def answered(pilot: Pilot[None]) -> None:
    """All that was asked is answered, and stands there."""
    while screen_of(pilot.app).interviews.pending:  # type: ignore[arg-type]
        await pilot.pause(0)
    await settle(pilot)


async def put(pilot: Pilot[None], question: str) -> None:
    """Ask, and wait until it is answered; for what is no question, until nothing has come of it for long."""
    sheet = pilot.app.screen
    assert isinstance(sheet, InterviewScreen)
    interviews = screen_of(pilot.app).interviews  # type: ignore[arg-type]
    before = len(interviews._asked.get(sheet.who, ()))
    sheet.query_one(Input).value = question
    await press(pilot, "enter")
    for _ in range(200):
        if len(interviews._asked.get(sheet.who, ())) > before:
            break
        await pilot.pause(0)
    await answered(pilot)


@pytest.mark.slow
@SIZES
async def test_one_asks_and_is_answered_and_nothing_changes(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:00")
        before, log = app.viewer.world.snapshot(), app.viewer.world.seq
        screen_of(app).choose("mara")
        await press(pilot, "i")
        assert isinstance(app.screen, InterviewScreen)
        assert "Ask Mara anything" in words(app)
        await press(pilot, *"hello", "enter")
        await answered(pilot)
        assert "You: hello" in words(app)
        assert "Mara: " in words(app)
        assert (app.viewer.world.snapshot(), app.viewer.world.seq) == (before, log)
        await press(pilot, "escape")
        assert not isinstance(app.screen, InterviewScreen)
        await press(pilot, "i")
        assert "You: hello" in words(app)  # what was said stays


@pytest.mark.slow
async def test_a_memory_that_is_named_leads_to_its_event(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:30")
        screen_of(app).choose("jory")
        await press(pilot, "i")
        await put(pilot, "What happened today?")
        (asked,) = screen_of(app).interviews.of("jory")
        assert asked.memories
        await press(pilot, "up", "enter")
        assert not isinstance(app.screen, InterviewScreen)
        assert screen_of(app).sheets.topmost is not None


async def test_nothing_and_much_and_codes_may_be_typed(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        screen_of(app).choose("mara")
        await press(pilot, "i", "enter", "space", "enter")
        assert not screen_of(app).interviews.of("mara")
        await put(pilot, HOSTILE + "x" * 900)
        (asked,) = screen_of(app).interviews.of("mara")
        assert len(asked.ask) <= 300
        assert "[bold red]no[/]" in words(app)
        assert "\x1b" not in words(app)


@pytest.mark.slow
async def test_what_a_model_says_is_text_and_nothing_else(app: SandboxApp, town: Town) -> None:
    embedded = town.engine.mind

    class Rude:
        def reads(self, question: object) -> bool:
            return False

        async def answer(self, questions: list[object], step: int, wave: int = 0) -> list[object]:
            if isinstance(questions[0], Interview):
                return [Interviewed(HOSTILE * 90, (10**9, -1), fault=HOSTILE)]
            return list(await embedded.answer(questions, step, wave))  # type: ignore[arg-type]

    town.engine.mind = Rude()  # type: ignore[assignment]
    town.thinking = Thinking()
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen_of(app).choose("mara")
        await press(pilot, "i")
        await put(pilot, "How are you?")
        (asked,) = screen_of(app).interviews.of("mara")
        assert asked.memories == ()  # only what was shown can be named
        assert len(asked.answer) <= 1200
        assert "[bold red]no[/]" in words(app)
        assert "\x1b" not in words(app)
        assert "\u202e" not in words(app)
        assert "The embedded mind answered: [bold red]no" in words(app)


@pytest.mark.slow
async def test_one_may_leave_while_they_think_and_find_the_answer_later(clock: Clock) -> None:
    async with slow_town() as (town, slow):
        app = SandboxApp(town, clock=clock)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            slow.from_step = 1
            screen_of(app).choose("mara")
            await press(pilot, "i", *"hello", "enter")
            await slow.asked.wait()
            clock.now += 3
            app.screen.query_one("#said").pull()  # type: ignore[attr-defined]
            await settle(pilot)
            assert "… Mara is thinking, 3 s" in words(app)
            assert text(app)[0].strip().startswith("■ you paused")  # no step waits for it
            await press(pilot, "escape")
            slow.gate.set()
            await answered(pilot)
            await press(pilot, "i")
            assert "Mara: " in words(app)


@pytest.mark.slow
async def test_interviews_are_kept_beside_the_log_and_asked_of_a_replay_too(tmp_path: Path) -> None:
    path = tmp_path / "asked.db"
    async with slow_town(path) as (town, slow):
        slow.gate.set()
        app = SandboxApp(town)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            screen_of(app).choose("mara")
            await press(pilot, "i")
            await put(pilot, "How are you?")
        await app.end()
    async with await Save.open(path, read_only=True) as save:
        (kept,) = await save.interviews("mara")
        assert kept.ask == "How are you?"
        digest = save.digest
    async with opening.open_replay(path) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            app.viewer.pace.paced.shown = float(app.viewer.world.now)
            screen_of(app).choose("mara")
            await press(pilot, "i")
            for _ in range(8000):  # what was asked is read from the file
                if "You: How are you?" in words(app):
                    break
                await pilot.pause(0)
            assert "You: How are you?" in words(app)
            await put(pilot, "Who are you?")
            assert "You: Who are you?" in words(app)
        await app.end()
    async with await Save.open(path, read_only=True) as save:
        assert len(await save.interviews("mara")) == 1  # what is watched only is not written to
        assert save.digest == digest


@pytest.mark.slow
async def test_a_baker_whose_name_is_markup_can_be_asked(hostile: Town) -> None:
    app = SandboxApp(hostile)
    app.viewer.pace.paced.pause()
    who = next(iter(hostile.world.cast))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen_of(app).choose(who)
        await press(pilot, "i")
        await put(pilot, "How are you?")
        assert "[bold red]Eve[/]" in words(app)
        assert "\x1b" not in words(app)
        assert msgspec.json.encode(screen_of(app).interviews.of(who))
