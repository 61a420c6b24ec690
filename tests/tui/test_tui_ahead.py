"""Keys typed ahead: what is checked where a key is pressed is checked again where it is done, for the town may have
changed in between. And moments before somebody came: whoever is chosen, followed or told of may not be there.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from larkspur import WIDE, press, screen_of, settle, until, words
from test_tui_keys import app_of, seated
from textual.pilot import Pilot

from sandbox.play.model import GiveBack, Play
from sandbox.tui.app import actions
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_tabs import User
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.sheets.event import open_event
from sandbox.tui.sheets.play_doings import DoingsSheet, PhoneSheet
from sandbox.tui.sheets.play_talk import ActsSheet, BeginSheet, CoinsSheet
from sandbox.tui.sheets.play_whom import WhomSheet
from sandbox.tui.sheets.talk import TalkSheet
from sandbox.tui.sheets.tie_story import TieSheet
from sandbox.tui.sheets.why import TABS, TIES, WhySheet
from sandbox.tui.view.action import BOTH, LIVE
from sandbox.tui.widgets.entries import EntriesPane

WHO = "kit"
FRESH = "07:31"  # the first minute of a new town
# Keys that do something of their own while somebody is played, one of those that do the same.
ACTING = (
    "left", "shift+down", "p", "d", "enter", "n", "space", "full_stop", "A", "U", "b", "L", "escape", "u", "j", "r",
    "x", "t", "w", "m",
)  # fmt: skip
LEAVES = ("q", "f12", "f10", "ctrl+z")  # the program, or for the disk
OTHERS = sorted(
    {a.keys.split(",")[0] for a in actions.ACTIONS if a.when in (BOTH, LIVE) and a.keys} - {*ACTING, *LEAVES}
)
PAIRS = tuple(product(ACTING, ACTING))
SOME = 2
PARTS = 8  # that all of them are tried in


async def be_again(pilot: Pilot[None]) -> None:
    """Nothing is open, time stands, and one is somebody, whatever the keys before have done."""
    app = app_of(pilot)
    while len(app.screen_stack) > 1 and not app.viewer.replaying:
        app.pop_screen()
    while app.viewer.replaying:
        await app.leave_replay()
    await settle(pilot)
    screen, viewer = screen_of(app), app.viewer
    screen.close_all()
    screen.town.end_look()
    viewer.pace.pause()
    await until(lambda: not viewer.pace.stepping)
    if viewer.world.played.who != WHO:
        if viewer.world.played.who:
            viewer.session.engine.do(GiveBack(by=viewer.world.played.who))
        viewer.session.engine.do(Play(by=WHO))
        await viewer.pace.step_once()
    screen.choose(WHO)
    screen.show_pane("town")
    await settle(pilot)


async def tried(pilot: Pilot[None], *keys: str) -> None:
    """All of them are in the queue before the first is handled."""
    app = app_of(pilot)
    await be_again(pilot)
    for key in keys:
        app.simulate_key(key)
    await settle(pilot)
    await until(lambda: not app.viewer.pace.stepping)
    await settle(pilot)
    assert app._exception is None, keys
    assert app.viewer.pace.fault is None, keys


async def test_arrows_and_giving_back_typed_ahead_walk_then_move_the_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(WIDE, tmp_path, monkeypatch, FRESH) as pilot:
        await tried(pilot, "left", "left", "right", "up", "p")
        assert not app_of(pilot).viewer.plays
        await tried(pilot, "p", "left", "d", "enter")
        for keys in PAIRS[7 :: len(PAIRS) // SOME][:SOME]:
            await tried(pilot, *keys)


@pytest.mark.parametrize(
    "part", [pytest.param(i, marks=pytest.mark.long if i else pytest.mark.slow) for i in range(PARTS)]
)
async def test_any_two_keys_typed_ahead_while_somebody_is_played(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = [*product(OTHERS, ("p", "left")), *product(("p", "left"), OTHERS)]
    async with seated(WIDE, tmp_path, monkeypatch) as pilot:
        for keys in [*PAIRS, *other][part::PARTS]:
            await tried(pilot, *keys)


@pytest.mark.slow
async def test_what_sheets_of_play_offer_is_refused_once_nobody_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(WIDE, tmp_path, monkeypatch, FRESH) as pilot:
        await be_again(pilot)
        app = app_of(pilot)
        screen, viewer = screen_of(app), app.viewer
        sheets = [
            ActsSheet(screen, "mara"),
            DoingsSheet(screen),
            BeginSheet(screen, "mara"),
            CoinsSheet(screen, "mara"),
        ]
        sheets += [PhoneSheet(screen), WhomSheet(screen)]
        offered = [(sheet, entry) for sheet in sheets for entry in sheet.entries(60) if entry.does is not None]
        assert len({type(sheet) for sheet, _ in offered}) == len(sheets)
        viewer.session.engine.do(GiveBack(by=WHO))
        await viewer.pace.step_once()
        step = viewer.world.step
        for sheet, entry in offered:
            if not isinstance(sheet, WhomSheet):
                await entry.enter()
                while len(app.screen_stack) > 1:  # words that are typed
                    app.pop_screen()
                screen.close_all()
        for sheet in sheets:
            sheet.entries(60)
        await settle(pilot)
        assert app._exception is None
        assert viewer.world.step == step  # nothing of it was done
        assert not viewer.pace.running


# ---- before somebody came


async def before_they_came(pilot: Pilot[None], late: float) -> None:
    """In a replay of a town to which a lodger has come: to the second before that, and to where it was."""
    app = app_of(pilot)
    screen = screen_of(app)
    await jump_to(screen, 0.0)
    await settle(pilot)
    assert "lodger" not in app.viewer.world.cast
    assert (app.viewer.selected, app.viewer.following, app.viewer.hovered) == ("", False, "")
    screen.restyle()
    await jump_to(screen, late)
    await settle(pilot)


async def with_a_lodger(pilot: Pilot[None]) -> float:
    """A lodger comes in a new town, and is watched coming. The last second of the replay."""
    app = app_of(pilot)
    await press(pilot, "L", "enter", "asterisk")
    await until(lambda: app.viewer.plays == "lodger")  # the step in which they come is made beside the screen
    app.viewer.pace.pause()
    await press(pilot, "p", "full_stop", "r", "comma", "comma")
    assert app.viewer.replaying
    late = 240.0
    await jump_to(screen_of(app), late)
    assert app.viewer.selected == "lodger"  # they are chosen again where they are there
    viewer = app.viewer
    viewer.following, viewer.hovered, viewer.led = True, "lodger", "lodger"
    return late


async def test_before_they_came_nobody_is_chosen_followed_or_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(WIDE, tmp_path, monkeypatch, FRESH) as pilot:
        late = await with_a_lodger(pilot)
        screen = screen_of(app_of(pilot))
        screen.open_sheet(WhySheet(screen, "lodger"))
        await settle(pilot)
        await before_they_came(pilot, late)
        screen.close_all()
        await jump_to(screen, 0.0)
        screen.open_sheet(WhySheet(screen, "zeno", TIES, "lodger"))
        await press(pilot, "right_square_bracket", "y", "enter")
        assert "has not come to town yet" in words(app_of(pilot))
        screen.close_all()
        screen.post_message(EntriesPane.Went("lodger"))
        screen.post_message(FeedPane.Opened(User(10**6)))
        await settle(pilot)


@pytest.mark.slow
async def test_before_they_came_every_pane_tab_and_sheet_does_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(WIDE, tmp_path, monkeypatch, FRESH) as pilot:
        late = await with_a_lodger(pilot)
        app = app_of(pilot)
        viewer, screen = app.viewer, screen_of(app)
        settled = viewer.world.guests.stays["lodger"].seq
        await press(pilot, "z")
        for pane in screen.panes:
            screen.show_pane(pane)
            for _ in range(5):
                await press(pilot, "right_square_bracket")
                await before_they_came(pilot, late)
        sheets = [WhySheet(screen, "lodger", tab) for tab in TABS]
        sheets += [TalkSheet(screen, "", "lodger"), TieSheet(screen, "lodger", "zeno")]
        for sheet in sheets:
            screen.open_sheet(sheet)
            await settle(pilot)
            await jump_to(screen, 0.0)
            await press(pilot, "right_square_bracket", "left_square_bracket", "y", "enter")
            assert "has not come to town yet" in words(app), sheet
            screen.close_all()
            await jump_to(screen, late)
        await open_event(screen, settled)
        await jump_to(screen, 0.0)
        await press(pilot, "y", "j", "enter")
        screen.close_all()
        screen.go_to_person("lodger", "person")
        await settle(pilot)
        assert app._exception is None
