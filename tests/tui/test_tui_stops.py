"""Where time stands: the timeline follows it again, `w` tells why it stopped, the panel hides and claims nothing."""

from __future__ import annotations

import pytest
from larkspur import SIZES, SMALL, WIDE, live, press, said, screen_of, settle, tell, text, until, words
from textual.pilot import Pilot

from sandbox.readers.talks import SPOKEN
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.commands import chosen
from sandbox.tui.map.bubbles import Bubble, place_bubbles
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.cells import Box

NEWER = 30
BROAD = (160, 48)


def rows(app: SandboxApp, count: int = NEWER) -> None:
    """Let that many things be told, the first of them notable."""
    now = app.viewer.world.now
    for i in range(count):
        tell(app, TimelineRow(now, 10**6 + i, "!", f"{i}: Mara and Otis met", ("mara",), "", 9.0 if i == 0 else 2.0))


# ---- the timeline


@SIZES
async def test_the_timeline_follows_again_when_time_goes_on(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        timeline = screen_of(app).timeline
        rows(app)
        await press(pilot, "N")
        assert timeline.chosen is not None
        assert timeline.chosen.text.startswith("0:")
        await press(pilot, "full_stop")
        assert timeline.chosen == app.viewer.chronicle[app.viewer.chronicle.told - 1]


@SIZES
async def test_who_reads_the_timeline_stays_where_they_read(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        timeline = screen_of(app).timeline
        rows(app)
        await press(pilot, "2", "k", "k", "k")
        read = timeline.chosen
        await press(pilot, "full_stop")
        assert timeline.chosen == read
        await press(pilot, "G", "full_stop")
        assert timeline.chosen == app.viewer.chronicle[app.viewer.chronicle.told - 1]


@pytest.mark.slow
@SIZES
async def test_a_timeline_that_stays_behind_says_how_many_are_newer(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        timeline = screen_of(app).timeline
        rows(app, 60)
        await press(pilot, "2")
        assert "newer, G" not in words(app)
        await press(pilot, "g")
        last = timeline._seen[-1] if timeline._seen[-1] >= 0 else timeline._seen[-2]
        assert f"{app.viewer.chronicle.told - 1 - last} newer, G" in words(app)
        await press(pilot, "G")
        assert "newer, G" not in words(app)
        await press(pilot, "1", "N")
        if size == WIDE:
            assert " newer, 2 G" in words(app)
        await press(pilot, "2", "G")
        assert "newer, " not in words(app)


@SIZES
@pytest.mark.parametrize("up", range(4))
async def test_the_timeline_holds_whole_rows(app: SandboxApp, size: tuple[int, int], up: int) -> None:
    async with app.run_test(size=size) as pilot:
        timeline = screen_of(app).timeline
        now, long = app.viewer.world.now, "and they met again to speak of it at length " * 4
        for i in range(40):
            tell(app, TimelineRow(now, 10**6 + i, "!", f"{i}: {long}", ("mara",), "", 9.0 if i % 3 else 2.0))
        await press(pilot, "2", *"k" * up)
        lines = [said(line).strip() for line in timeline.lines(*timeline.content_size)]
        told = " ".join(" ".join(lines).split())
        assert told.count(" ! ") > 1
        assert told.count(" ! ") == told.count(long.strip())


# ---- why it stopped


async def stop_at(app: SandboxApp, pilot: Pilot[None], row: TimelineRow) -> None:
    """Let time stand at a row."""
    tell(app, row)
    screen_of(app).guard.stop_at(app.viewer.chronicle.told - 1)
    await settle(pilot)


async def lived(app: SandboxApp) -> TimelineRow:
    """Live a while; an event that befell one person."""
    await live(app, "08:45")
    return next(r for r in reversed(app.viewer.chronicle.since(0)) if not r.talk and len(r.who) == 1 and r.seq > 1)


@pytest.mark.slow
@SIZES
async def test_w_at_a_stop_tells_first_why_time_stopped(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        await stop_at(app, pilot, await lived(app))
        assert "w why" in text(app)[-1 if size == SMALL else -2]  # on a small screen the footer has it
        await press(pilot, "w")
        assert screen.sheets.kind == "event"
        await press(pilot, "w")
        assert screen.sheets.kind == "why"  # then the mood of whom it befell


@pytest.mark.slow
@SIZES
async def test_w_at_a_talk_begins_with_why_they_talk(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        await live(app, "08:45")
        row = next(r for r in reversed(app.viewer.chronicle.since(0)) if r.mark in SPOKEN and r.talk)
        await stop_at(app, pilot, row)
        await press(pilot, "w")
        assert screen.sheets.kind == "talk"
        assert screen.sheets.chosen is not None
        assert screen.sheets.chosen.key == "began"


async def test_w_at_a_stop_with_the_mark_of_a_talk_but_none_tells_the_event(
    app: SandboxApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    async def open_event(stage: TownLayout, seq: int) -> None:
        opened.append(seq)

    monkeypatch.setattr(chosen, "open_event", open_event)
    row = TimelineRow(0, 77, SPOKEN[0], "Mara has put two and two together", ("mara",), "", 9.0)
    await chosen._why_stopped(app._towns.first.screen, row)
    assert opened == [77]


@pytest.mark.slow
@SIZES
async def test_w_tells_of_whom_one_chose_at_a_stop(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen, row = screen_of(app), await lived(app)
        await stop_at(app, pilot, row)
        screen.choose(next(who for who in app.viewer.world.cast if who not in row.who))
        await settle(pilot)
        assert "w why" not in text(app)[-3 if size == SMALL else -2]
        await press(pilot, "w")
        assert screen.sheets.kind == "why"


@pytest.mark.slow
@SIZES
async def test_nobody_is_the_reason_of_an_occasion(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size, notifications=True) as pilot:
        screen, viewer = screen_of(app), app.viewer
        await live(app, "12:10")
        row = next(r for r in viewer.chronicle.since(0) if r.mark == OCCASION and "pancake race" in r.text)
        await stop_at(app, pilot, row)
        assert viewer.selected
        assert "w why" not in text(app)[-3 if size == SMALL else -2]
        await press(pilot, "w")
        assert screen.sheets.topmost is None
        assert "It is in the calendar" in words(app)
        await press(pilot, "j", "w")
        assert screen.sheets.kind == "why"


@pytest.mark.parametrize(("size", "pane"), [(SMALL, "feed"), (BROAD, "ties")])
async def test_a_stop_brings_the_town_back_where_another_pane_lies_over_it(
    app: SandboxApp, size: tuple[int, int], pane: str
) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        screen.show_pane(pane)
        await settle(pilot)
        assert not screen.town.display
        await stop_at(app, pilot, TimelineRow(app.viewer.world.now, 10**6, "!", "Mara met Otis", ("mara",), "", 9.0))
        assert screen.current == "town"
        assert screen.town.display
        await until(lambda: screen.missed.display)


# ---- the panel


@pytest.mark.slow
@SIZES
async def test_before_that_tells_of_those_the_stop_is_about(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        viewer = app.viewer
        row = await lived(app)
        stranger = next(who for who in viewer.world.cast if who not in row.who)
        mine = TimelineRow(row.t, row.seq, "-", "a blow to the same", row.who, "", 8.0)
        tell(app, mine)
        tell(app, TimelineRow(row.t, row.seq, "x", "a stranger grew angry", (stranger,), "", 9.0))
        await stop_at(app, pilot, row)
        assert mine in viewer.missed
        assert all(set(r.who[:2]) & set(row.who) for r in viewer.missed)
        occasion = TimelineRow(
            row.t, row.seq, OCCASION, "Time for tea at the square", tuple(viewer.world.cast), "", 9.0
        )
        await stop_at(app, pilot, occasion)
        assert viewer.missed == ()


@pytest.mark.slow
@SIZES
async def test_bubbles_keep_clear_of_the_panel(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        row = await lived(app)
        await stop_at(app, pilot, row)
        panel, inside = screen.missed.region, screen.town.content_region
        assert screen.missed.display
        assert screen.town.lid == Box(panel.x - inside.x, panel.y - inside.y, panel.width, panel.height)
        await press(pilot, "space", "space")
        assert screen.town.lid.height == 0


def test_a_bubble_stands_where_nothing_lies_over_it() -> None:
    view, body = Box(0, 0, 60, 20), Box(30, 12, 2, 2)
    bubble = Bubble("ada", "Ada", "joy", "Good morning to you")
    (free,) = place_bubbles([bubble], {"ada": body}, view)
    for lid in (Box(0, 0, 60, free.area.y + 1), free.area):
        (moved,) = place_bubbles([bubble], {"ada": body}, view, [free], lids=[lid])
        assert not moved.area.overlap(lid)
    assert not place_bubbles([bubble], {"ada": body}, view, lids=[view])
