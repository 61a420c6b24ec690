"""What somebody meets in the first ten minutes: no colours, wide screens, sheets, pauses, midnight, names of places."""

from __future__ import annotations

from pathlib import Path

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, said, screen_of, tell, text, words

from sandbox.cli import play
from sandbox.people.mood import Cause, Pad
from sandbox.readers.timeline import TimelineRow
from sandbox.talk.model import ScoredRule
from sandbox.tui.app import actions
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.map.bubbles import figure_area
from sandbox.tui.map.letters import LetterPainter
from sandbox.tui.panes.nowline import now_line
from sandbox.tui.panes.roster import PANES
from sandbox.tui.panes.status import footer_actions, status_line
from sandbox.tui.panes.timeline import row_lines
from sandbox.tui.sheets.help import HelpSheet
from sandbox.tui.sheets.talk import began, weights
from sandbox.tui.view.action import shown_key
from sandbox.tui.view.person_words import mood_reasons
from sandbox.tui.view.text_lines import width_of

# ---- colours and sizes


@SIZES
async def test_no_color_shows_the_town_in_grey_letters_with_its_people(
    town: Town, clock: Clock, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = SandboxApp(town, clock=clock)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await live(app, "08:10")
        await press(pilot, "j", "c")
        town_pane = screen_of(app).town
        assert isinstance(town_pane.painter, LetterPainter)
        about = app.viewer.view.row(app.viewer.selected, app.viewer.shown)
        area = town_pane.painter.bodies[about.id]
        x, y = town_pane.content_region.x + area.x, town_pane.content_region.y + area.y
        assert text(app)[y][x].casefold() == about.name[0].casefold()
        for keys in (("j",), ("w",), ("t",), ("question_mark",), ("escape", "2"), ("3",), ("1", "z"), ("z",)):
            await press(pilot, *keys)
            strips = app.screen._compositor.render_strips()
            assert len(strips) == size[1]
        colours = {s.style.color.get_truecolor() for strip in strips for s in strip if s.style and s.style.color}
        assert len(colours) > 3
        assert all(c.red == c.green == c.blue for c in colours)
        await pilot.resize_terminal(50, 12)
        assert "cells needed" in words(app)


@pytest.mark.parametrize(("width", "side"), [(120, 44), (149, 44), (150, 48), (189, 48), (190, 70)])
async def test_a_wide_screen_has_a_wide_side(app: SandboxApp, width: int, side: int) -> None:
    async with app.run_test(size=(width, 40)):
        assert screen_of(app).timeline.outer_size.width == side


@SIZES
async def test_status_drops_rare_moods_before_the_right_end(town: Town, size: tuple[int, int]) -> None:
    app = SandboxApp(Town(town.world.scenario, Path("a.db")))  # no file is made: this town is kept in memory
    app.viewer.pace.paced.pause()
    full = said(status_line(app.viewer, 300))
    for width in range(64, 200):
        row = said(status_line(app.viewer, width))
        assert row.endswith(" saved"), width
        assert full.startswith(row.removesuffix("saved").rstrip())
    assert said(status_line(app.viewer, 30)).startswith("■ you paused")


# ---- keys


@pytest.mark.sampled(1)
@SIZES
@pytest.mark.parametrize("key", ["question_mark", "w", "t"])
async def test_q_closes_a_sheet_first(app: SandboxApp, size: tuple[int, int], key: str) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:00")
        await press(pilot, "j", key)
        assert screen_of(app).sheets.kind
        await press(pilot, "q")
        assert not screen_of(app).sheets.kind
        assert app.is_running
        assert app.focused is screen_of(app).town
        assert app._exit is False
        await press(pilot, "q")
        assert app._exit is True


@SIZES
async def test_ctrl_c_tells_how_to_leave_over_a_sheet_too(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size, notifications=True) as pilot:
        await press(pilot, "question_mark", "ctrl+c")
        await pilot.pause(0.2)
        assert "ctrl+q" in words(app)
        assert screen_of(app).sheets.kind == "help"


async def test_a_pause_shows_the_speed_to_come(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "less_than_sign")
        assert text(app)[0].startswith(" ■ you paused (slow)  ")
        await press(pilot, "greater_than_sign", "greater_than_sign")
        assert text(app)[0].startswith(" ■ you paused (fast)  ")


@pytest.mark.parametrize("where", [kind.PLACE.name for kind in PANES])
def test_the_way_out_and_the_next_pane_stay_in_the_footer(where: str) -> None:
    stay = {"app.quit", "app.help", "time.pause"}
    for chosen in (False, True):
        assert stay | {"pane.next"} <= {
            a.id for a in footer_actions(where, actions.usable(where), chosen, {}, WIDE[0] - 2)
        }
        assert stay <= {
            a.id for a in footer_actions(where, actions.usable(where), chosen, {}, SMALL[0] - 2)
        }  # the strip names the panes


@pytest.mark.slow
async def test_a_sheet_offers_scrolling_only_where_there_is_more(app: SandboxApp) -> None:
    async with app.run_test(size=(120, 60)) as pilot:
        await live(app, "08:00")
        await press(pilot, "j", "w")
        assert "down" not in text(app)[-1]
        await press(pilot, "escape")
        await pilot.resize_terminal(120, 30)
        await press(pilot, "question_mark")
        assert "j down" in text(app)[-1]
        assert "newest" not in text(app)[-1]


@pytest.mark.parametrize("where", actions.WHERES)
async def test_help_shows_every_key_and_mark_whole(app: SandboxApp, where: str) -> None:
    async with app.run_test(size=WIDE):
        for width in (40, 58, 76):
            lines = [line for entry in HelpSheet(screen_of(app), where).entries(width) for line in entry.lines]
            told = " ".join(said(line) for line in lines)
            assert all(width_of(line) <= width for line in lines)
            assert all(mark in told for mark in ("+ joy", "^ contempt", ". calm", ", vague", "z asleep"))
            keys = {shown_key(a.keys.split(",")[0]) for a in actions.usable(where) if a.keys and a.says}
            assert keys - {"?"} <= set(told.split())


# ---- the timeline


async def test_routine_is_told_of_the_chosen_only(app: SandboxApp) -> None:
    viewer = app.viewer
    async with app.run_test(size=WIDE) as pilot:
        now = viewer.world.now
        for who in ("mara", "una"):
            tell(app, TimelineRow(now, 1, "'", f"{viewer.name(who)} woke", (who,), "", 1.0))
        await press(pilot, "2")
        assert f"{viewer.name('mara')} woke" not in words(app)
        screen_of(app).choose("una")
        await pilot.pause()
        rows = words(app)
        assert f"{viewer.name('una')} woke" in rows
        assert f"{viewer.name('mara')} woke" not in rows


@SIZES
async def test_a_line_across_at_midnight(app: SandboxApp, size: tuple[int, int]) -> None:
    viewer = app.viewer
    clock = viewer.world.clock
    async with app.run_test(size=size) as pilot:
        for t in (clock.midnight(2) - 60, clock.midnight(2), clock.midnight(2) + 60):
            tell(app, TimelineRow(t, 1, "*", f"a thing at {t}", (), "", 5.0))
        await press(pilot, "2")
        rows = text(app)
        (at,) = [i for i, row in enumerate(rows) if "── Wed 5 Mar, day 2 ──" in row]
        assert "23:59" in rows[at - 1]
        assert "00:00" in rows[at + 1]


def test_rows_of_the_timeline_are_whole(town: Town) -> None:
    long = "Mara and Una, the square: " + "the price of flour and " * 4
    clock = town.world.clock
    for weight, notable, chosen in ((1.0, False, False), (3.0, True, False), (1.0, False, True)):
        lines = row_lines(TimelineRow(0, 1, '"', long, (), "t", weight), clock, 42, chosen, notable=notable)
        assert len(lines) == 4
        assert " ".join(said(line)[8:].strip() for line in lines) == long.strip()


async def test_the_now_line_is_no_row_of_the_timeline(app: SandboxApp) -> None:
    viewer = app.viewer
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:00")
        tell(app, TimelineRow(int(viewer.shown), 1, "!", "Bo and Ada fell out", ("mara",), "", 9.0))
        viewer.spoken = None
        line = now_line(viewer, 78, actions.KEYS)
        assert "! Bo and Ada fell out" in said(line)
        screen = screen_of(app)
        await press(pilot, "2")
        assert screen.query_one("#nowline").styles.background != screen.timeline.styles.background


# ---- words


def moods(app: SandboxApp, rest: Pad, *causes: Cause) -> list[tuple[str, str]]:
    """Heads and words of why Mara feels so, with that nature and these causes."""
    mine, now = app.viewer.world.people.residents["mara"].mood, app.viewer.world.now
    mine.t, mine.rest, mine.causes = now, rest, list(causes)
    deltas = [(c.p, c.a, c.d) for c in causes]
    mine.pad = Pad(*(x + sum(d[axis] for d in deltas) for axis, x in enumerate(rest)))
    return [(head, cause.why) for head, cause in mood_reasons(app.viewer, "mara", now)]


def test_because_speaks_for_the_mood_that_is_there(town: Town) -> None:
    app = SandboxApp(town)
    now = app.viewer.world.now
    even, anxious = Pad(0.0, 0.0, 0.0), Pad(-0.5, 0.5, -0.5)
    toe, bread = Cause(-0.1, 0.0, 0.0, now, 5, "a stubbed toe"), Cause(0.3, 0.1, 0.0, now, 6, "warm bread")
    assert moods(app, even, toe, bread) == [("because", "warm bread"), ("against", "a stubbed toe")]
    assert moods(app, even, bread) == [("because", "warm bread")]
    praise = Cause(0.1, 0.1, 0.0, now, 8, "praise")
    assert moods(app, anxious, praise) == [("despite", "praise"), ("because", "anxious by nature")]
    worry = Cause(-0.2, 0.1, 0.0, now, 7, "a letter")
    assert moods(app, anxious, praise, worry) == [("because", "a letter"), ("and", "anxious by nature")]
    assert moods(app, even) == []
    snub = Cause(-0.06, 0.5, 0.5, now, 9, "turned away by Vera")  # it rouses, but nobody is faintly elated by it
    tea = Cause(0.16, 0.0, 0.1, now, 6, "warm tea")
    assert moods(app, even, tea, snub) == [("because", "warm tea"), ("against", "turned away by Vera")]


async def test_a_talk_says_why_it_began_in_words(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "08:30")
        story = app.viewer.timeline.talk(next(row.talk for row in app.viewer.chronicle.since(0) if row.talk))
        assert story is not None
        story.intent, story.over = "chat", "vent"
        story.why = (
            ScoredRule("chat", 1.0),
            ScoredRule("fond of them", 0.5),
            ScoredRule("close", 0.2),
            ScoredRule("in a hurry", -0.2),
        )
        world = app.viewer.world
        name = world.handbook.name(story.who[0])
        lines = [said(line) for line in (*began(story, world.handbook, 78), *weights(story, 78))]
        assert lines[0] == f"{name} wanted a chat (and thought of letting off steam)"
        assert lines[1] == "  chat +1.00   fond of them +0.50   close +0.20   in a hurry -0.20"


def test_the_command_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "checkout", lambda: tmp_path)
    monkeypatch.setattr(play, "which", lambda name: None)
    inside, outside = tmp_path / "saves" / "larkspur-1.db", tmp_path.parent / "other.db"
    assert play.resume_command(inside) == "make play ARGS=saves/larkspur-1.db"
    assert play.resume_command(outside) == f"make play ARGS={outside}"
    assert play.resume_command(tmp_path / "my saves" / "a.db") == """make play ARGS=''"'"'my saves/a.db'"'"''"""
    monkeypatch.setattr(play, "which", lambda name: "/usr/bin/sandbox")
    assert play.resume_command(inside) == f"sandbox play {inside}"
    monkeypatch.setattr(play, "which", lambda name: None)
    monkeypatch.setattr(play, "checkout", lambda: None)
    assert play.resume_command(inside) == f"sandbox play {inside}"


# ---- names of places


@SIZES
async def test_buildings_bear_their_names(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        screen = screen_of(app)
        town = screen.town
        app.viewer.bubbles.forget()  # which one stands may owe to when frames were drawn
        town.camera.centre(54, 26)
        town.pull()
        await press(pilot, "escape")
        rows = " ".join(text(app)[1:-3])
        assert " town hall " in rows
        bodies = [figure_area(f, town.camera.x, town.camera.y) for f in town.figures]
        assert town.over.labels.chips
        assert bodies
        for chip in town.over.labels.chips:
            assert not any(
                a.y <= chip.y < a.y + a.height and a.x < chip.x + len(chip.text) and chip.x < a.x + a.width
                for a in bodies
            )
            assert not any(chip.area.overlap(words) for words in town.painter.words)
        await press(pilot, "l")
        assert " town hall " not in " ".join(text(app)[1:-3])
        await press(pilot, "l")
        assert " town hall " in " ".join(text(app)[1:-3])


def test_a_chosen_row_is_shown_whole_however_long(town: Town) -> None:
    text = " ".join(f"word{i}" for i in range(80))
    lines = row_lines(TimelineRow(0, 1, "!", text, ("mara",), "", 9.0), town.world.clock, 42, True)
    assert " ".join(said(line)[8:].strip() for line in lines) == text
