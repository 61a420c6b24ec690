"""Every key does something, every state has a way out, and what one wants is few keys away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, live, press, screen_of, settle, text, words
from textual.pilot import Pilot

from sandbox.readers.timeline import TimelineRow
from sandbox.store.session import open_session
from sandbox.tui.app import actions
from sandbox.tui.app.actions import ACTIONS, check_actions
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.roster import PANES as KINDS
from sandbox.tui.view.action import GO_ON, SHEET, Action

TOWN = "town"
PANES = {kind.PLACE.name: kind.PLACE.digit for kind in KINDS}
PATIENCE = 2000  # turns of the loop that a run to the next event may take
MOST_OUT = 12  # times escape


@asynccontextmanager
async def seated(
    size: tuple[int, int], home: Path, monkeypatch: pytest.MonkeyPatch, until: str = "08:10"
) -> AsyncIterator[Pilot[None]]:
    """The real program over a save in memory, paused at 08:10; what it writes goes to a folder of the test."""
    monkeypatch.setenv("SANDBOX_HOME", str(home))
    async with open_session("larkspur", seed=42) as session:
        app = SandboxApp(session, clock=Clock())
        app.viewer.pace.paced.pause()
        try:
            async with app.run_test(size=size) as pilot:
                await live(app, until)
                await settle(pilot)
                yield pilot
        finally:
            await app.end()


def app_of(pilot: Pilot[None]) -> SandboxApp:
    app = pilot.app
    assert isinstance(app, SandboxApp)
    return app


async def until_it_stands(pilot: Pilot[None]) -> None:
    """Let time run to where it stops by itself."""
    pace = app_of(pilot).viewer.pace
    for _ in range(PATIENCE):
        await asyncio.sleep(0)
        if not pace.running and not pace._asked:
            break
        await asyncio.sleep(0.005)
    assert not pace.running, pace.words
    await settle(pilot)


def plain(screen: TownScreen) -> tuple[object, ...]:
    """What must be as at the beginning once one is out of everything."""
    viewer = screen.viewer
    return (
        screen.sheets.kind, screen.sheets.topmost, screen.large, screen.current, viewer.selected, viewer.following,
        viewer.replaying, screen.app.focused is screen.town, len(screen.app.screen_stack),
    )  # fmt: skip


PLAIN = ("", None, False, "town", "", False, False, True, 1)


async def out(pilot: Pilot[None]) -> None:
    """Escape until one is out of everything, or nothing of it changes any more."""
    app = app_of(pilot)
    for _ in range(MOST_OUT):
        before = plain(screen_of(app)), text(app)  # the circle of a pane is no part of the first, and can be seen
        if before[0] == PLAIN:
            break
        await press(pilot, "escape")
        if (plain(screen_of(app)), text(app)) == before:
            break
    await press(pilot, "escape")


# ---- the table


def test_the_table_takes_no_action_twice_and_none_that_cannot_be_done() -> None:
    one = ACTIONS[0]
    assert check_actions([one]) == (one,)
    with pytest.raises(TypeError, match=f"two actions are called {one.id}"):
        check_actions([one, one])
    for does in ("pause", lambda: None, lambda stage, more: None):
        with pytest.raises(TypeError, match=f"action {one.id}: "):
            check_actions([one._replace(does=does)])  # type: ignore[arg-type]


def test_what_has_no_key_can_be_found_in_the_palette() -> None:
    assert all(a.palette for a in ACTIONS if not a.keys)


def test_arrows_and_their_letters_are_told_once() -> None:
    silent = [a.id for a in ACTIONS if not a.says]
    assert all(id.startswith("town.") for id in silent)


# ---- every key of the footer does something


def labelled(where: str) -> list[Action[TownLayout]]:
    """What the footer of a pane can show while no mind is waited for, the way out of the program last."""
    found = [a for a in actions.usable(where) if a.label and a.keys and a.id != GO_ON]
    return sorted(found, key=lambda a: a.id in ("app.quit", "time.rewind"))


async def get_ready(pilot: Pilot[None], where: str, action: Action[TownLayout]) -> None:
    """Somebody is chosen and the pane has the focus, so that the action has something to do."""
    app = app_of(pilot)
    screen = screen_of(app)
    screen.viewer.pace.pause()
    await out(pilot)
    screen.choose("mara", look=True)
    if where == SHEET:
        await pilot.resize_terminal(pilot.app.size.width, 24)
        await press(pilot, "w")
    elif where != TOWN:
        await press(pilot, PANES[where])
    if action.id == "list.down":
        if where == "feed":  # what is hot among strangers, too: the town has written little by then
            await press(pilot, *["right_square_bracket"] * 3)
        await press(pilot, "g")
    await settle(pilot)


def look(app: SandboxApp) -> tuple[object, ...]:
    """All that can be seen, and what is kept for later."""
    screen, viewer = app.screen, app.viewer
    return (
        [tuple((s.text, s.style) for s in strip) for strip in screen._compositor.render_strips()],
        viewer.world.step + len(viewer.pace._asked),
        viewer.following,  # on a small screen another pane may hide the map that says it
        app.clipboard,
        app._exit,
        type(screen),
    )


@pytest.mark.sampled(0)
@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
@pytest.mark.parametrize("where", [*PANES, SHEET])
async def test_every_key_of_the_footer_does_something(
    size: tuple[int, int], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = []
    async with seated(size, tmp_path, monkeypatch) as pilot:
        for action in labelled(where):
            await get_ready(pilot, where, action)
            before = look(app_of(pilot))
            await press(pilot, action.keys.split(",")[0])
            if look(app_of(pilot)) == before:
                idle.append(action.id)
    assert not idle


# ---- ways out

STATES = (
    ("j", "t"),
    ("j", "w"),
    ("j", "w", "enter"),
    ("j", "f"),
    ("j", "f", "3", "z", "w", "t"),
    ("question_mark",),
    ("question_mark", "slash", "m"),
    ("2",),
    ("2", "enter"),
    ("2", "k", "k", "enter", "right_square_bracket"),
    ("3", "right_square_bracket", "enter"),
    ("4", "s", "enter"),
    ("4", "z", "enter", "w"),
    ("5", "a"),
    ("5", "enter", "right_square_bracket", "enter"),
    ("j", "5", "left_square_bracket", "left_square_bracket", "enter", "a"),
    ("6",),
    ("6", "j", "enter", "k", "enter", "enter"),
    ("6", "left", "enter", "right_square_bracket", "left"),
    ("6", "left_square_bracket", "j", "left"),
    ("6", "enter", "z", "w"),
    ("z",),
    ("v",),
    ("v", "right", "enter"),
    ("minus", "v", "left"),
    ("j", "i"),
    ("j", "i", "h", "i", "enter"),
    ("slash",),
    ("slash", "m", "a", "r"),
    ("slash", "m", "a", "r", "enter", "w"),
    ("slash", "q", "x", "z", "enter"),
    ("exclamation_mark",),
    ("exclamation_mark", "enter"),
    ("u",),
    ("u", "down", "enter"),
    ("n",),
    ("N",),
    ("r",),
    ("r", "w", "slash", "a"),
    ("f2",),
    ("f2", "down", "enter"),
    ("f10",),
    ("f10", "down", "enter"),
    ("f12",),
    ("f1", "f2", "f10", "exclamation_mark", "w"),
)


PARTS = 6  # that they are tried in


def frame(app: SandboxApp) -> list[str]:
    """The first and the last rows: the map between them lives on, marks come and go."""
    rows = text(app)
    return [rows[0], *rows[-2:]]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
@pytest.mark.parametrize("part", range(PARTS))
async def test_each_state_has_a_way_out(
    size: tuple[int, int], part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = []
    async with seated(size, tmp_path, monkeypatch) as pilot:
        for keys in STATES[part::PARTS]:
            await press(pilot, *keys)
            app_of(pilot).viewer.pace.pause()
            await until_it_stands(pilot)
            await out(pilot)
            before = frame(app_of(pilot))
            await press(pilot, "escape")
            found = plain(screen_of(app_of(pilot)))
            if found != PLAIN or frame(app_of(pilot)) != before:
                stuck.append((keys, found))
                while len(app_of(pilot)._towns.sittings) > 1:
                    await app_of(pilot).leave_replay()
    assert not stuck


@pytest.mark.slow
@SIZES
async def test_a_sheet_of_the_palette_has_a_way_out(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(size, tmp_path, monkeypatch) as pilot:
        for id in ("go.page", "app.facts", "go.alerts", "app.settings", "time.until"):
            screen = screen_of(app_of(pilot))
            await screen.do(id)
            await settle(pilot)
            assert screen.sheets.kind, id
            await out(pilot)
            assert plain(screen) == PLAIN, id


async def test_a_key_that_opens_a_sheet_closes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with seated((120, 40), tmp_path, monkeypatch) as pilot:
        for key in ("question_mark", "w", "t", "f2", "exclamation_mark"):
            await press(pilot, "j", key)
            assert screen_of(app_of(pilot)).sheets.kind, key
            await press(pilot, key)
            assert not screen_of(app_of(pilot)).sheets.kind, key


# ---- few keys


@pytest.mark.slow
@SIZES
async def test_find_somebody_and_see_why_they_feel_so_in_seven_keys(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(size, tmp_path, monkeypatch) as pilot:
        keys = ("slash", *"mara", "enter", "w")
        assert len(keys) <= 7
        await press(pilot, *keys)
        screen = screen_of(app_of(pilot))
        assert screen.sheets.kind == "why"
        assert screen.viewer.selected == "mara"
        rows = words(app_of(pilot))
        assert "Why " in rows
        assert screen.viewer.name("mara") in rows
        assert "ago" in rows or "just now" in rows


@pytest.mark.slow
@SIZES
async def test_the_last_row_in_full_is_one_key_and_its_talk_another(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(size, tmp_path, monkeypatch) as pilot:
        app = app_of(pilot)
        while (told := app.viewer.story((row := newest(app)).talk)) is None or told.quiet:
            await app.viewer.pace.ask_step()
        await press(pilot, "2")
        assert row.text in shown_in(app)
        await press(pilot, "enter")
        story = app.viewer.story(row.talk)
        assert story is not None
        assert screen_of(app).sheets.kind == "talk"
        assert " ".join(story.lines[0].text.split()[:3]) in shown_in(app)


def newest(app: SandboxApp) -> TimelineRow:
    """The row the timeline ends with."""
    row = screen_of(app).timeline.chosen
    assert row is not None
    return row


def shown_in(app: SandboxApp) -> str:
    """The words of the pane or sheet in focus, its lines put together again."""
    pane = app.focused
    assert pane is not None
    edge = pane.content_region
    rows = text(app)[edge.y : edge.bottom]
    return " ".join(" ".join(row[edge.x : edge.right] for row in rows).split())


@SIZES
async def test_the_next_event_is_one_key_away_and_says_what_it_is(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(size, tmp_path, monkeypatch) as pilot:
        app = app_of(pilot)
        viewer, screen = app.viewer, screen_of(app)
        before, began = screen.here(), viewer.chronicle.told
        await press(pilot, "n")
        await until_it_stands(pilot)
        notable = [row for row in viewer.chronicle.since(began) if row.weight >= viewer.notable.line]
        assert notable
        event = notable[-1].text
        head = " ".join(event.split()[:4])
        assert any(head in row for row in text(app)[1:])
        # why time stands is said on the first row, without a key
        first = text(app)[0]
        assert first.startswith(" ■ ")
        assert "you paused" not in first
        assert event[:16] in first
        # and one key goes back
        if screen.here() != before:
            await press(pilot, "backspace")
        assert screen.here() == before


@pytest.mark.slow
@SIZES
async def test_one_key_goes_back_to_where_one_was(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(size, tmp_path, monkeypatch) as pilot:
        screen = screen_of(app_of(pilot))
        await press(pilot, "j", "up", "left")
        places = [screen.here()]
        for who in ("otis", "jory", "mara"):
            screen.go_to_person(who, "person")
            await settle(pilot)
            places.append(screen.here())
        for later, earlier in pairwise(reversed(places)):
            assert screen.here() == later
            await press(pilot, "backspace")
            assert screen.here() == earlier
