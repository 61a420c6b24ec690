"""What a terminal behind a slow line is sent: little, for somebody who walks; nothing, for a town that stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandbox.engine.scenario import Scenario
from sandbox.tui.map.painter import FrameChange, Painter
from sandbox.tui.map.people import MapFigure
from sandbox.tui.map.picture import Picture
from sandbox.tui.view.cells import Box

NOON = 12 * 3600
TILES, FRAMES_A_TILE = 10, 6
VIEW = Box(20, 18, 74, 36)  # the middle of the town, as a wide screen shows it
PEOPLE = 25


@pytest.fixture(scope="module")
def painter(scenario: Scenario) -> Painter:
    made = Painter(Picture(scenario.plan))
    made.still = True
    return made


def walk(painter: Painter, dx: int, dy: int, people: int = 1) -> Iterator[FrameChange]:
    """What each frame of a walk of ten tiles changes; the people start apart from each other."""
    for frame in range(TILES * FRAMES_A_TILE + 1):
        gone = frame / FRAMES_A_TILE
        figures = [
            MapFigure(f"p{i:02}", "Ada", 36.0 + i % 5 * 11 + dx * gone, 30.0 + i // 5 * 5 + dy * gone)
            for i in range(people)
        ]
        delta = painter.compose(VIEW, NOON, figures, roofs=dict.fromkeys(painter.picture.names, 0.0))
        if frame:
            yield delta


def cells(delta: FrameChange) -> int:
    return sum(stop - start for _, start, stop in delta.spans)


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)])
def test_somebody_who_walks_touches_few_rows(painter: Painter, dx: int, dy: int) -> None:
    deltas = list(walk(painter, dx, dy))
    assert max(len(delta.rows) for delta in deltas) <= 6
    assert max(cells(delta) for delta in deltas) <= 24
    assert not any(delta.full for delta in deltas)
    moved = [delta for delta in deltas if delta.rows]
    assert TILES <= len(moved) <= 3 * TILES  # between two cells nothing is drawn


def test_a_crowd_that_walks_costs_no_more_than_its_people(painter: Painter) -> None:
    for delta in walk(painter, 1, 0, PEOPLE):
        assert cells(delta) <= PEOPLE * 24


def test_nobody_moves_and_nothing_is_sent(painter: Painter) -> None:
    ada = [MapFigure("ada", "Ada", 50.0, 30.0, selected=True)]
    painter.compose(VIEW, NOON, ada)
    assert painter.compose(VIEW, NOON, ada).spans == ()
