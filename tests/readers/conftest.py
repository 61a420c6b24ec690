"""The fixtures: an hour lived once for all tests, and a new village for each."""

from __future__ import annotations

import pytest
from storyworld import Lived, Village, live


@pytest.fixture(scope="session")
def hour() -> Lived:
    """Sixty steps of a minute."""
    return live(60, seed=44)


@pytest.fixture
def village() -> Village:
    """A new one."""
    return Village()
