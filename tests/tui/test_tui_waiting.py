"""A mind that takes its time: what is shown while a step waits for it, and that nothing shown is half made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, press, screen_of, settle, text, words

from sandbox.core.events import Record, Stamp
from sandbox.core.places import shipped_folder
from sandbox.core.protocols import Answer, Mind, Question
from sandbox.engine.domain import StandIn, StoodIn
from sandbox.minds.budget import Spent, Thinking
from sandbox.store.save import Save
from sandbox.store.session import Session, open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.view import mind_progress
from sandbox.tui.view.opening import to_show

HOSTILE = "[bold red]no[/] \x1b[31m\x1b]0;owned\x07 \u202eanswer [@click=app.quit]x"


class Slow:
    """Answers as another mind does, once the gate is open; who is not waited for is answered for by that mind."""

    def __init__(self, mind: Mind, thinking: Thinking) -> None:
        self.mind, self.thinking = mind, thinking
        self.gate, self.asked = asyncio.Event(), asyncio.Event()
        self.from_step = 2
        self.broken_off = 0

    def reads(self, question: Question) -> bool:
        return False

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        answers = await self.mind.answer(questions, step, wave)
        if step < self.from_step or self.gate.is_set():
            return answers
        for q in questions:
            self.thinking.begin(q.who)
        self.asked.set()
        opened, hurried = (asyncio.ensure_future(x) for x in (self.gate.wait(), self.thinking.hurried()))
        try:
            done, _ = await asyncio.wait({opened, hurried}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.broken_off += 1
            raise
        finally:
            opened.cancel()
            hurried.cancel()
            for q in questions:
                self.thinking.end(q.who)
        fault = "" if opened in done else "not waited for"
        self.thinking.fallbacks += len(answers) if fault else 0
        return [msgspec.structs.replace(a, fault=fault) for a in answers]


@asynccontextmanager
async def slow_town(path: Path | None = None) -> AsyncIterator[tuple[Session, Slow]]:
    async with open_session(shipped_folder("worlds") / "larkspur", seed=42, save=path, paced=True) as lived:
        thinking = Thinking()
        slow = Slow(lived.engine.mind, thinking)
        lived.engine.mind = slow
        town = await to_show(lived._replace(thinking=thinking))
        assert isinstance(town, Session)
        assert town.world is not town.engine.world
        yield town, slow


@asynccontextmanager
async def watched(clock: Clock, path: Path | None = None) -> AsyncIterator[tuple[SandboxApp, Slow]]:
    async with slow_town(path) as (town, slow):
        app = SandboxApp(town, clock=clock)
        app.viewer.pace.paced.pause()
        yield app, slow


async def wait_for_it(app: SandboxApp, slow: Slow) -> asyncio.Future[None]:
    """Ask for a step, and come back once it waits."""
    made = app.viewer.pace.ask_step()
    await slow.asked.wait()
    return made


def commands(app: SandboxApp) -> list[str]:
    return [command.title for command in app.get_system_commands(screen_of(app))]


def shown_state(app: SandboxApp) -> bytes:
    return app.viewer.world.snapshot()


@pytest.mark.slow
@SIZES
async def test_the_first_words_say_that_the_model_is_waited_for(clock: Clock, size: tuple[int, int]) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=size) as pilot:
        await settle(pilot)
        assert not mind_progress.waiting_words(app.viewer)
        assert "m don't wait" not in words(app)
        await wait_for_it(app, slow)
        screen_of(app).pulse()
        await settle(pilot)
        assert "waiting" not in text(app)[0]  # not yet worth a word
        clock.now += 4.2
        screen_of(app).pulse()
        await settle(pilot)
        assert text(app)[0].strip().startswith("… waiting for the model, 4 s (m: go on without)")
        assert "m don't wait" in text(app)[-1]
        slow.gate.set()


@pytest.mark.slow
async def test_what_is_shown_is_whole_while_a_step_waits(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        before = shown_state(app)
        made = await wait_for_it(app, slow)
        assert app.viewer.session.engine.world.snapshot() != before  # the step has begun to change the town
        for keys in (("j", "enter", "right_square_bracket", "right_square_bracket"), ("escape", "w"), ("escape", "t")):
            await press(pilot, *keys)
        await press(pilot, "escape", "4", "3", "2", "1", "shift+left", "minus", "v", "escape")
        assert shown_state(app) == before
        assert app.viewer.world.step == 1
        slow.gate.set()
        await made
        assert app.viewer.world.step > 1
        assert shown_state(app) == app.viewer.session.engine.world.snapshot()


@pytest.mark.slow
async def test_the_new_town_is_there_before_its_first_answers_are(clock: Clock) -> None:
    async with watched(clock) as (app, slow):
        slow.from_step = 1
        async with app.run_test(size=SMALL) as pilot:
            await slow.asked.wait()
            await settle(pilot)
            assert app.viewer.world.step == 0
            assert "day 1" in text(app)[0]
            await press(pilot, "j", "3", "4", "1")
            slow.gate.set()
            while app.viewer.world.step == 0:
                await pilot.pause(0)
            assert app.viewer.pace.fault is None


@pytest.mark.slow
async def test_whoever_thinks_has_a_mark(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        made = await wait_for_it(app, slow)
        who = next(iter(app.viewer.asked))
        await press(pilot, "4")
        assert f"…{app.viewer.name(who)}" in words(app)
        stage = screen_of(app)
        stage.town.look_at(who)
        stage.town.pull()
        assert next(f for f in stage.town.figures if f.id == who).mark == "…"
        app.settings = app.viewer.settings = app.viewer.settings.with_("glyphs", "ascii")
        stage.town.restyle()
        assert next(f for f in stage.town.figures if f.id == who).mark == ":"  # "~" is fear
        slow.gate.set()
        await made
        stage.town.pull()
        assert not any(f.mark in "…:" for f in stage.town.figures if f.mark)


@pytest.mark.slow
async def test_m_goes_on_without_the_model_to_the_end_of_the_step(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert "time: go on without the model" not in commands(app)
        made = await wait_for_it(app, slow)
        assert "time: go on without the model" in commands(app)
        await press(pilot, "m")
        while not made.done():  # the step may ask more than once
            screen_of(app).pulse()
            await pilot.pause(0)
        assert app.viewer.world.step == 2
        assert slow.thinking.fallbacks
        assert app.viewer.stood_in
        rows = [row for row in app.viewer.chronicle.since(0) if row.mark == "e"]
        assert [row.text.split(": ")[1] for row in rows] == ["not waited for"]
        who = next(iter(app.viewer.stood_in))
        screen_of(app).choose(who)
        await press(pilot, "3")
        assert "the embedded mind decided last" in words(app)


@pytest.mark.slow
async def test_space_while_waiting_shows_a_pause_at_once_and_nobody_jumps(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        pace = app.viewer.pace
        slow.from_step = app.viewer.world.step + 1
        pace.paced.go()
        pace.paced.shown = float(app.viewer.world.now)  # the next moment needs another step
        pace._stirred.set()
        clock.now += 0.1
        await slow.asked.wait()
        clock.now += 2
        await press(pilot, "space")
        assert text(app)[0].strip().startswith("■ you paused")
        shown = pace.shown
        slow.gate.set()
        while app.viewer.world.step < slow.from_step:
            await pilot.pause(0)
        await settle(pilot)
        assert pace.shown == shown
        assert not pace.running


@pytest.mark.slow
async def test_leaving_while_a_step_waits_is_quick_and_keeps_all_that_was_whole(clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "slow.db"
    async with watched(clock, path) as (app, slow):
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            slow.from_step = 4
            for _ in range(2):
                await app.viewer.pace.ask_step()
            made = app.viewer.pace.ask_step()
            await slow.asked.wait()
            await press(pilot, "q")
        assert slow.broken_off == 0
        await app.end()
        assert slow.broken_off == 1
        assert made.done()
        assert app.fault is None
    async with await Save.open(path, read_only=True) as save:
        assert save.last_step == 3
        assert (await save.seek()).step == 3


@pytest.mark.slow
async def test_what_was_lived_can_be_watched_again_while_a_step_waits(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await wait_for_it(app, slow)
        await press(pilot, "r")
        assert app.viewer.replaying
        await press(pilot, "r")
        assert not app.viewer.replaying
        slow.gate.set()


@pytest.mark.slow
async def test_what_it_cost_stands_at_the_end_of_the_first_row_and_in_the_facts(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        thinking = slow.thinking
        assert "$" not in text(app)[0]
        thinking.spent = Spent(7, 4321, 0.1234)
        thinking.models = dict.fromkeys(app.viewer.world.cast, "house/small")
        thinking.left, thinking.fallbacks, thinking.fault = "$0.88", 2, HOSTILE
        screen_of(app).pulse()
        await settle(pilot)
        assert "$0.12" in text(app)[0]
        thinking.spent = Spent(7, 43210, 0.0)
        screen_of(app).pulse()
        await settle(pilot)
        assert "43k tokens" in text(app)[0]
        await screen_of(app).do("app.facts")
        await settle(pilot)
        told = words(app)
        for part in ("house/small: everybody", "7, 43,210 tokens", "$0.88 left", "2 answers were the embedded mind's"):
            assert part in told
        assert "[bold red]no[/]" in told  # as it was written: no markup, and no command of the terminal
        assert "\x1b" not in told
        assert "\u202e" not in told


@pytest.mark.slow
async def test_a_used_up_budget_is_told_once(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        slow.gate.set()
        slow.thinking.stopped = f"the calls of the day are used up (10) {HOSTILE}"
        for _ in range(3):
            await app.viewer.pace.ask_step()
        told = [alert for alert in app.viewer.alerts if "used up" in alert.row.text]
        assert len(told) == 1
        screen_of(app).pulse()
        await settle(pilot)
        await press(pilot, "exclamation_mark", "enter")
        assert "\x1b" not in words(app)


@pytest.mark.slow
async def test_why_the_embedded_mind_stood_in_is_text_and_nothing_else(clock: Clock) -> None:
    async with watched(clock) as (app, slow), app.run_test(size=WIDE) as pilot:
        slow.gate.set()
        await settle(pilot)
        viewer = app.viewer
        who = next(iter(viewer.world.cast))
        event = StoodIn((StandIn("PlanDay", HOSTILE),))
        viewer._saw([Record(Stamp(viewer.world.seq + 1, 1, viewer.world.now, who, ()), event)])
        screen_of(app).choose(who)
        await press(pilot, "2", "G")
        assert "[bold red]no[/]" in words(app)
        assert "\x1b" not in words(app)
        await press(pilot, "F", "F")  # notable, then the followed
        assert "[bold red]no[/]" not in words(app)
        await press(pilot, "3", "z")
        assert any("the embedded mind decided last: [bold red]no[/]" in line for line in text(app))
