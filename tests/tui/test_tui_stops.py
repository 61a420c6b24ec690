"""Where time stands: the timeline follows it again, `w` tells why it stopped, and the panel hides and claims nothing."""

from __future__ import annotations

import pytest
from larkspur import SIZES, WIDE, live, press, said, screen_of, settle, tell, text, words

from sandbox.stories.timeline import Row
from sandbox.tui.app import SandboxApp

NEWER = 30


def rows(app: SandboxApp, count: int = NEWER) -> None:
    """Let that many things be told, the first of them notable."""
    now = app.viewer.world.now
    for i in range(count):
        tell(app, Row(now, 10**6 + i, "!", f"{i}: Mara and Otis met", ("mara",), "", 9.0 if i == 0 else 2.0))


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


@SIZES
@pytest.mark.parametrize("up", range(4))
async def test_the_timeline_begins_with_a_whole_row(app: SandboxApp, size: tuple[int, int], up: int) -> None:
    async with app.run_test(size=size) as pilot:
        timeline = screen_of(app).timeline
        now, long = app.viewer.world.now, "and they met again to speak of it at length " * 4
        for i in range(40):
            tell(app, Row(now, 10**6 + i, "!", f"{i}: {long}", ("mara",), "", 9.0 if i % 3 else 2.0))
        await press(pilot, "2", *"k" * up)
        lines = [said(line) for line in timeline.lines(*timeline.content_size)]
        assert lines[0].strip()[:2].isdigit(), lines[0]  # its hour
