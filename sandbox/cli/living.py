"""Living without a screen: what `run` and a headless `play` do alike."""

from __future__ import annotations

import gc
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from sandbox.cli.telling import count, progress, warn
from sandbox.core.clock import DAY

if TYPE_CHECKING:
    from sandbox.core.events import Record
    from sandbox.store.session import Session


class Length(NamedTuple):
    """How long to live: one of steps, seconds, or the next such second of the day; None of all = 24 hours."""

    steps: int | None = None
    seconds: int | None = None
    until: int | None = None

    def ends(self, session: Session) -> tuple[int | None, int | None]:
        """(steps, t at which to stop), one of them None."""
        if self.steps is not None:
            return self.steps, None
        world = session.world
        if self.until is not None:
            return None, world.clock.next_time(world.now, self.until)
        return None, world.now + (DAY if self.seconds is None else self.seconds)


class Lived(NamedTuple):
    """What came of it. records: events of the last 24 hours lived. events: how many there were in all."""

    steps: int
    events: int
    wall: float
    records: list[Record]


async def live(session: Session, length: Length) -> Lived:
    """Live that long, as fast as it goes, and settle; on standard error, which models are withheld and how far it is.

    Raises JournalFull if the disk is full.
    """
    from sandbox.engine.drivers import run_free

    world = session.world
    steps, until = length.ends(session)
    seconds = 0 if until is None else until - world.now
    day: deque[Record] = deque()
    made = 0
    warn(session.notice)
    gc.freeze()
    with progress(world.scenario.title, "steps") as moved:

        def after() -> None:
            nonlocal made
            made += 1
            while day and day[0].stamp.t < world.now - DAY:
                day.popleft()
            if steps is not None:
                moved(made, steps)
            elif until is not None:
                left = -(-max(0, until - world.now) // world.step_seconds)
                moved(made, made + left if seconds else 0)

        session.engine.watchers.append(day.extend)
        began = perf_counter()
        try:
            await run_free(session.engine, steps=steps, until=until, on_step=after)
            await session.save.settle()
        finally:
            session.engine.watchers.remove(day.extend)
        return Lived(made, world.seq - session.first_seq, perf_counter() - began, list(day))


def told_minds(session: Session) -> str:
    """A line on what models did in this sitting, "" if none was to answer."""
    t = session.thinking
    if t is None:
        return ""
    models = ", ".join(dict.fromkeys(t.models.values()))
    spent = f"{t.spent.calls:,} calls and {t.spent.tokens:,} tokens in this save so far"
    if not t.fallbacks:
        return f"{models} answered {count(t.answered, 'question')}; {spent}"
    if not t.answered:
        return f"{models} answered none of {count(t.fallbacks, 'question')}, the embedded mind did, because {t.fault}"
    instead = f"the embedded mind answered the other {t.fallbacks:,}, last because {t.fault}"
    return f"{models} answered {t.answered:,} of {count(t.answered + t.fallbacks, 'question')}; {instead}; {spent}"


def told_day(session: Session, lived: Lived) -> str:
    """The digest of the last 24 hours lived, for a person."""
    from sandbox.stories.day import digest
    from sandbox.stories.edition import tell

    return tell(digest(lived.records, session.world))
