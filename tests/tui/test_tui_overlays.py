"""What lies over the town takes the keys that are its own, and lets go of them in time."""

from __future__ import annotations

import pytest
from larkspur import SMALL, WIDE, Clock, press, screen_of, settle, tell, words
from textual.events import Click

from sandbox.readers.timeline import TimelineRow
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.view.textual_internals import Palette

WORDS = ("first", "second", "third")


@pytest.mark.slow
async def test_in_a_list_to_choose_from_letters_do_nothing_behind_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot, app.viewer.pace._lock:  # no step is made
        await press(pilot, "j")
        screen, viewer = screen_of(app), app.viewer
        chosen, opens = viewer.selected, screen.town.camera.area
        for open_it in ("u", "f2"):
            await press(pilot, open_it)
            kind = screen.sheets.kind
            assert kind
            for key in ("f", "asterisk", "3", "t", "w", "c", "i", "z", "slash", "U", "r"):
                await press(pilot, key)
                assert (screen.sheets.kind, app.screen) == (kind, screen), key
                assert (viewer.selected, viewer.following, screen.current, screen.large) == (
                    chosen,
                    False,
                    "town",
                    False,
                )
                assert not viewer.favourites
                assert screen.town.camera.area == opens
            await press(pilot, open_it)  # its own key closes it
            assert not screen.sheets.kind
        await press(pilot, "u", "n")  # and what it names a key for, that key does
        assert not screen.sheets.kind
        assert viewer.pace.goal


@pytest.mark.slow
async def test_an_event_that_was_found_has_the_keys(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = screen_of(app)
        for size in (SMALL, WIDE):
            await pilot.resize_terminal(*size)
            rows = [
                TimelineRow(600 + i, 100 + i, "!", f"{word} {size[0]} barn", ("mara",), "", 9.0)
                for i, word in enumerate(WORDS)
            ]
            for row in rows:
                tell(app, row)
            await press(pilot, "4", "1", "slash", *f"second {size[0]}", "enter")
            assert (screen.current, screen.timeline.chosen) == ("timeline", rows[1])
            assert app.focused is screen.timeline
            await press(pilot, "k")
            assert screen.timeline.chosen == rows[0]


@pytest.mark.slow
async def test_where_there_is_no_room_the_card_alone_is_seen_and_quits(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = screen_of(app)
        await press(pilot, "slash", "m")
        finder = app.screen
        await pilot.resize_terminal(50, 12)
        await settle(pilot)
        assert "60 x 18 cells needed" in words(app)
        assert "Find" not in words(app)
        await press(pilot, "a", "enter", "escape", "ctrl+p", "space")
        assert "60 x 18 cells needed" in words(app)
        await pilot.resize_terminal(*SMALL)
        await settle(pilot)
        assert app.screen is finder  # as it was
        assert finder.asked.value == "m"
        await press(pilot, "escape", "question_mark")
        assert screen.sheets.kind == "help"
        await pilot.resize_terminal(50, 12)
        await press(pilot, "escape", "ctrl+p")
        assert screen.sheets.kind == "help"
        await pilot.resize_terminal(*SMALL)
        await press(pilot, "ctrl+p")
        assert isinstance(app.screen, Palette)
        await pilot.resize_terminal(59, 24)
        await settle(pilot)
        assert "60 x 18 cells needed" in words(app)
        await press(pilot, "q")
        assert app._exit


async def test_while_nothing_can_be_seen_time_stands_and_then_goes_on(app: SandboxApp, clock: Clock) -> None:
    async with app.run_test(size=SMALL) as pilot:
        pace = app.viewer.pace
        pace.run_to("to the morning", steady=True)
        assert pace.running
        await pilot.resize_terminal(50, 12)
        await settle(pilot)
        assert "time is stopped until then" in words(app)
        assert not pace.running
        shown, seen = app.viewer.shown, app.viewer.clock()
        clock.now += 60
        await pilot.resize_terminal(40, 12)  # still too small
        await settle(pilot)
        assert (app.viewer.shown, app.viewer.clock()) == (shown, seen)
        await pilot.resize_terminal(*SMALL)
        await settle(pilot)
        assert pace.running
        assert pace.words == "▶ to the morning"
        await press(pilot, "u")
        for stands in (pace.words, "■ you paused"):  # for what is being chosen; by a key
            await pilot.resize_terminal(50, 12)
            await pilot.resize_terminal(*SMALL)
            await settle(pilot)
            assert not pace.running
            assert pace.words == stands
            pace.paced.pause()


@pytest.mark.slow
async def test_a_click_beyond_the_edge_of_a_terminal_that_became_smaller_closes_the_palette(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "ctrl+p")
        palette = app.screen
        assert isinstance(palette, Palette)
        await pilot.resize_terminal(*SMALL)
        at = {"x": 100, "y": 30, "delta_x": 0, "delta_y": 0, "button": 1, "shift": False, "meta": False, "ctrl": False}
        palette.post_message(Click(palette, **at, screen_x=100, screen_y=30))
        await settle(pilot)
        assert app.screen is screen_of(app)
