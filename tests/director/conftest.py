"""The morning that cards are dealt into."""

import asyncio

import pytest
from dealt import live_morning


@pytest.fixture(scope="session")
def morning(tmp_path_factory):
    """A save of Larkspur at half past ten of the first day."""
    return asyncio.run(live_morning(tmp_path_factory.mktemp("director") / "morning.db"))
