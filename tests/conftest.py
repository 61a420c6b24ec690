"""Larkspur, and one day of it lived once and shared by every test that only looks."""

import pytest
from lived import Day, a_day

from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.town.grid import Town


@pytest.fixture(scope="session")
def larkspur() -> Scenario:
    return load(find_world("larkspur"))


@pytest.fixture(scope="session")
def town(larkspur: Scenario) -> Town:
    return Town(larkspur.plan)


@pytest.fixture(scope="session")
def day(larkspur: Scenario) -> Day:
    """24 hours in steps of a minute. Nobody may change it."""
    return a_day(larkspur)
