"""What retrieving memories costs."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import best_time
from sandbox.core.chance import Stream
from sandbox.people.memory import MemoryParameters, retrieve
from sandbox.people.memory_stream import Memory, MemoryStream
from sandbox.people.mood import Pad

MEMORIES = 10_000
SHOWN = 30  # memories retrieved at a time
QUERY = "What is there between Otis and me about sixty-two on the bakery slate?"
DEEDS = (
    "fed the ducks",
    "talked with Otis about the loaf",
    "saw Mara sweeping the bakery",
    "paid what was on the slate",
)


class RetrievalCost(NamedTuple):
    """CPU seconds of a retrieval, and bytes of the columns it is ranked by."""

    seconds: float
    size: int


async def measure_memory_group(run: BenchmarkRun) -> list[Reading]:
    """Measure one person with many memories."""
    got = measure_retrieval()
    note = f"{MEMORIES:,} memories, {got.size / MEMORIES:.0f} bytes each beside the text"
    return [Reading("retrieval.10k", got.seconds, note)]


def measure_retrieval() -> RetrievalCost:
    """Retrieve again and again from one long stream of memories."""
    chance = Stream(b"bench retrieval")
    stream = MemoryStream(kept=MEMORIES)
    for i in range(MEMORIES):
        after = Pad(*(2.0 * chance.unit() - 1.0 for _ in range(3)))
        text = f"{chance.choice(DEEDS)} for the {i % 997}th time"
        stream.add(Memory(i, "event", i * 60, i * 60, text, (), 1 + chance.below(10), i + 1, after=after))
    now, mood, p = MEMORIES * 60, Pad(0.4, 0.2, -0.3), MemoryParameters()
    retrieve(stream, QUERY, now, mood, p, SHOWN)
    seconds = best_time(50, lambda: retrieve(stream, QUERY, now, mood, p, SHOWN))
    return RetrievalCost(seconds, stream.columns().nbytes)


MEMORY_GROUP = FigureGroup(
    "memory",
    (FigureSpec("retrieval.10k", "ms", "what comes to mind of 10,000 memories, by a question and a mood", 1.0),),
    measure_memory_group,
    usual=True,
)
