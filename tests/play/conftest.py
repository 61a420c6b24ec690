"""The morning in which somebody is played: Larkspur at half past nine of the first day."""

import asyncio

import pytest
from byhand import live_morning


@pytest.fixture(scope="session")
def morning(tmp_path_factory):
    return asyncio.run(live_morning(tmp_path_factory.mktemp("play") / "morning.db"))
