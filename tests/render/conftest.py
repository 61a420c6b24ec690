"""A picture of the hamlet, still, shared by all tests of a run (it is never changed)."""

from __future__ import annotations

import pytest
from hamlet import HAMLET

from sandbox.tui.map.painter import Painter
from sandbox.tui.map.picture import Picture


@pytest.fixture(scope="session")
def picture() -> Picture:
    return Picture(HAMLET)


@pytest.fixture
def painter(picture: Picture) -> Painter:
    still = Painter(picture)
    still.still = True
    return still
