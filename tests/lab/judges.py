"""Scripted judges on this computer, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sandbox.minds.loopback import Loopback, Request, Scripted

Script = Callable[[Request], Scripted]


def scores(a: object, b: object) -> Scripted:
    return Scripted(json.dumps({"why_a": "So it is.", "score_a": a, "why_b": "And so is that.", "score_b": b}))


def versions(request: Request) -> tuple[str, str]:
    """What stands in a question as version A and as version B."""
    data = request.messages[1]["content"].split("\nEND OF DATA\n")[0]
    a, b = data.split("version A:\n")[1].split("version B:\n")
    return a.strip(), b.strip()


def first(request: Request) -> Scripted:
    """Prefers what stands first."""
    return scores(7, 5)


def wordy(request: Request) -> Scripted:
    """A fair judge: the more is said, the higher the score, wherever it stands."""
    a, b = versions(request)
    return scores(len(a) % 97 / 10, len(b) % 97 / 10)


def terse(request: Request) -> Scripted:
    """Says the opposite of `wordy`."""
    a, b = versions(request)
    return scores(10 - len(a) % 97 / 10, 10 - len(b) % 97 / 10)


@contextmanager
def serving(script: Script) -> Iterator[Loopback]:
    """A model in a thread of its own, for a command that has its own loop."""
    server, up, loop = Loopback(script), threading.Event(), asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with server:
            up.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert up.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
