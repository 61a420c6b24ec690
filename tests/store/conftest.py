"""Every test here must end with no connection left open: one would keep the program alive."""

import threading

import pytest


@pytest.fixture(autouse=True)
def no_connection_left():
    before = set(threading.enumerate())
    yield
    left = [t for t in set(threading.enumerate()) - before if "asyncio" not in t.name]
    for thread in left:  # one that is about to end
        thread.join(5)
    assert not [t.name for t in left if t.is_alive()]
