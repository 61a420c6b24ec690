"""What a line offers is what its key does, in every pane; whom one is keeps its place; a list to choose from stands."""

from __future__ import annotations

import re

import pytest
from larkspur import SIZES, SMALL, WIDE, Town, press, said, screen_of, settle, tell, text, words
from msgspec.structs import replace
from rich.cells import cell_len
from textual.pilot import Pilot

from sandbox.people.guest_model import Stay
from sandbox.readers.stories_of_feed import MARK
from sandbox.readers.stories_of_people import ROAD
from sandbox.readers.stories_of_pressures import OUTCOME
from sandbox.readers.stories_of_showdowns import BEFORE_ALL
from sandbox.readers.talks import TALK, TalkLine, TalkStory
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import HEIGHT, WIDTH
from sandbox.tui.panes.status import status_line
from sandbox.tui.sheets.play_whom import WhomSheet
from sandbox.tui.sheets.staged_screen import TheatreScreen
from sandbox.tui.view.ports import TimeGoal
from sandbox.tui.view.viewer import Viewer

TWO = ("mara", "otis")
SAID = TalkStory("0.mara", TWO, "Market Square / stalls", 0, "chat", (), "", seq=2)
SAID.lines.append(TalkLine(2, 0, "mara", "There you are.", "greet", 0.2, ""))


async def stop(app: SandboxApp, pilot: Pilot[None], mark: str, talk: str = "") -> None:
    """Let time stand at a row of two people, with the map before one, and one of the two chosen."""
    viewer, screen = app.viewer, screen_of(app)
    viewer.select("")
    tell(app, TimelineRow(viewer.world.now, viewer.world.seq, mark, "Mara met Otis", TWO, talk, 9.0))
    screen.guard.stop_at(viewer.chronicle.told - 1)
    screen.show_pane(screen.home)
    await settle(pilot)


# ---- enter


@pytest.mark.slow
@SIZES
async def test_enter_watch_is_offered_where_enter_stages_a_scene_and_nowhere_else(
    app: SandboxApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        screen, viewer = screen_of(app), app.viewer
        viewer.recalled = SAID
        panes = list(screen.panes)
        tried = [(TALK, SAID.id, panes), (MARK, "", panes)]
        tried += [
            (mark, talk, panes[:1]) for mark, talk in ((TALK, "0.otis"), (ROAD, ""), (OUTCOME, ""), (BEFORE_ALL, ""))
        ]
        for mark, talk, there in tried:
            for name in there:
                await stop(app, pilot, mark, talk)
                await press(pilot, screen.panes[name].PLACE.digit)
                offered = "enter watch" in words(app)
                assert offered == (talk == SAID.id and name == screen.home), (mark, name)
                await press(pilot, "enter")
                assert isinstance(app.screen, TheatreScreen) == offered, (mark, name)
                await press(pilot, "escape")
                screen.close_all()


async def test_where_a_cursor_or_a_sheet_has_enter_no_scene_is_offered(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        app.viewer.recalled = SAID
        await stop(app, pilot, TALK, SAID.id)
        assert "enter watch" in words(app)
        assert "enter more" not in words(app)  # nor does the card say otherwise
        await press(pilot, "v")
        assert "enter watch" not in words(app)
        await press(pilot, "v")
        assert "enter watch" in words(app)
        screen_of(app).choose("kit")  # enter is theirs
        await settle(pilot)
        assert "enter watch" not in words(app)
        assert "enter more" in words(app)


async def test_the_talk_is_offered_at_a_stop_where_it_is_that_of_whom_t_opens(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        app.viewer.recalled = SAID
        await stop(app, pilot, TALK, SAID.id)
        row = text(app)[-2]
        assert "enter watch" in row
        assert "t talk" not in row  # neither of the two has talked for hours: the key would say so
        app.viewer.world.people.residents["mara"].talk = SAID.id
        screen_of(app).update()
        await settle(pilot)
        assert "t talk" in text(app)[-2]


async def test_who_this_is_is_taught_where_enter_tells_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = screen_of(app)
        app.viewer.learnt.add("time.next")
        screen.choose("mara")
        for name, pane in screen.panes.items():
            await press(pilot, pane.PLACE.digit)
            assert ("enter who is this" in words(app)) == (name == screen.home), name
        await press(pilot, "1", "enter")
        assert screen.current == "person"


async def test_the_last_row_says_what_enter_does_at_a_stop(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        app.viewer.recalled = SAID
        await stop(app, pilot, TALK, SAID.id)
        assert "enter watch" in text(app)[-1]
        assert "enter open" not in text(app)[-1]
        screen_of(app).choose("kit")
        await settle(pilot)
        assert "enter open" in text(app)[-1]


@pytest.mark.parametrize(("kind", "then"), [("posted", True), ("decided", False), ("showdown", False)])
async def test_what_befalls_others_in_the_same_second_is_the_next_stop_unless_it_was_settled_then(
    app: SandboxApp, kind: str, then: bool
) -> None:
    """Posts and guests share a mark with what is settled before all."""
    async with app.run_test(size=SMALL):
        viewer, guard = app.viewer, screen_of(app).guard
        now, seq = viewer.world.now, viewer.world.seq
        rows = [
            TimelineRow(now, seq, MARK, "Mara posted", ("mara",), "", 9.0, kind=kind),
            TimelineRow(now, seq, TALK, "Kit met Una", ("kit", "una"), "", 8.0),
        ]
        for row in rows:
            tell(app, row)
        goal = TimeGoal("on", lambda records, rows: "there", rows=lambda row: True)
        guard._reach(goal, [], rows)
        assert viewer.stop == rows[0]
        viewer.stop = None
        guard.run(goal)
        assert (viewer.stop == rows[1]) == then


# ---- whom one is


def test_what_waits_to_be_looked_at_is_called_an_alert_where_there_is_room(town: Town) -> None:
    viewer = Viewer(town)
    viewer.unread = 1
    assert re.search(r"! 1 alert\b", said(status_line(viewer, 120)))
    viewer.unread = 12
    assert "! 12 alerts" in said(status_line(viewer, 80))
    narrow = min(width for width in range(30, 80) if "! 12" in said(status_line(viewer, width)))
    assert "alerts" not in said(status_line(viewer, narrow))


@pytest.mark.parametrize("aside", [False, True])
def test_whom_one_is_keeps_its_place_beside_the_longest_stop(town: Town, aside: bool) -> None:
    viewer = Viewer(town)
    town.world.played.who, town.world.played.aside = "hettie", aside
    says = " | Hettie, left alone" if aside else " | You are Hettie"
    for reason in ("STOP Somebody with a very long name and others too had words " * 2, "you paused"):
        viewer.pace.arrive(reason)
        for width in range(WIDTH - 2, 200):  # the row has a cell at either side
            row = said(status_line(viewer, width))
            assert cell_len(row) <= width
            assert says in row, width
            assert "Tue 4 Mar 07:30" in row
            assert row.startswith(f"■ {reason[:6]}")
            assert f"{says} " in f"{row} "


async def test_on_the_smallest_screen_the_stop_gives_way_to_whom_one_is(app: SandboxApp) -> None:
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        app.viewer.world.played.who = "una"
        app.viewer.pace.arrive("STOP Somebody with a very long name and others too had words")
        screen_of(app).update()
        await settle(pilot)
        assert text(app)[0].rstrip().endswith("Tue 4 Mar 07:31 | You are Una")
        assert "■ STOP" in text(app)[0]


# ---- whom to be


def order(sheet: WhomSheet) -> list[object]:
    return [entry.key for entry in sheet.entries(60) if entry.does is not None]


async def test_while_one_looks_whom_to_be_no_row_moves(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen, world = screen_of(app), town.world
        stays = world.guests.stays
        stay = Stay(world.cast["kit"], 0, 0, 2, 10**9, off=0, left=0)
        stays["kit"] = stay  # out of town
        await press(pilot, "p")
        sheet = screen.sheets.topmost
        assert isinstance(sheet, WhomSheet)
        before = order(sheet)
        near = screen.town.in_view()
        assert before[: len(near)] == near
        assert "kit" not in before
        await press(pilot, "j", "j")
        looked = text(app)
        chosen = before[2]
        assert isinstance(chosen, str)
        for _ in range(12):
            await app.viewer.pace.ask_step()
        screen.town.pan(60, 40)
        await settle(pilot)
        assert screen.town.in_view() != near
        gone = str(before[0])
        stays[gone] = replace(stay, persona=world.cast[gone])  # leaves town
        del stays["kit"]  # comes
        screen.update()
        await settle(pilot)
        assert order(sheet) == [*before, "kit"]
        heads = [row.split("▶")[1].split("  ")[0] for row in text(app) if "▶" in row]
        assert heads == [row.split("▶")[1].split("  ")[0] for row in looked if "▶" in row]
        await press(pilot, "k", "k", "enter")
        assert not app.viewer.plays  # nobody is who is out of town
        assert "is out of town: left on Tuesday" in [note.message for note in app._notifications][-1]
        await press(pilot, "j", "j", "enter")
        assert app.viewer.plays == chosen


async def test_opened_again_the_first_row_is_who_stands_first_at_that_moment(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen = screen_of(app)
        await press(pilot, "p", "j", "j", "escape")
        first = screen.town.in_view()[0]
        screen.town.pan(60, 40)
        await settle(pilot)
        await press(pilot, "p")
        assert isinstance(screen.sheets.topmost, WhomSheet)
        now = order(screen.sheets.topmost)[0]
        assert now != first
        assert screen.sheets.chosen is not None
        assert screen.sheets.chosen.key == now
        await press(pilot, "enter")
        assert app.viewer.plays == now
