"""Measuring memory: what it costs somebody who remembers much to think of what bears on a question."""

from __future__ import annotations

from time import process_time
from typing import NamedTuple

from sandbox.core.chance import Stream as Chance
from sandbox.people.memory import MemoryParameters, retrieve
from sandbox.people.mood import Pad
from sandbox.people.stream import Memory, Stream

MEMORIES = 10_000
SHOWN = 30
ROUNDS = 50
QUERY = "What is there between Otis and me about sixty-two on the bakery slate?"
DEEDS = (
    "fed the ducks",
    "talked with Otis about the loaf",
    "saw Mara sweeping the bakery",
    "paid what was on the slate",
)


class Thinking(NamedTuple):
    """CPU seconds a retrieval, and bytes of the columns it is weighed by."""

    seconds: float
    size: int


def measure_retrieval() -> Thinking:
    """Retrieve again and again from one long life."""
    chance = Chance(b"bench retrieval")
    stream = Stream(kept=MEMORIES)
    for i in range(MEMORIES):
        after = Pad(*(2.0 * chance.unit() - 1.0 for _ in range(3)))
        text = f"{chance.choice(DEEDS)} for the {i % 997}th time"
        stream.add(Memory(i, "event", i * 60, i * 60, text, (), 1 + chance.below(10), i + 1, after=after))
    now, mood, p = MEMORIES * 60, Pad(0.4, 0.2, -0.3), MemoryParameters()
    retrieve(stream, QUERY, now, mood, p, SHOWN)
    best = float("inf")
    for _ in range(ROUNDS):
        began = process_time()
        retrieve(stream, QUERY, now, mood, p, SHOWN)
        best = min(best, process_time() - began)
    return Thinking(best, stream.columns().nbytes)
