"""The system of talk: talks begin, and every talk under way goes on as far as the step's time reaches."""

from __future__ import annotations

from sandbox.core.protocols import Step, by_lot
from sandbox.talk.closing import close_talks
from sandbox.talk.meeting import meet
from sandbox.talk.model import HasTalk
from sandbox.talk.turns import run_exchanges


async def converse(step: Step, w: HasTalk) -> None:
    """Begin the talks that begin, then run exchanges until every open talk has reached the end of the step."""
    await meet(step, w)
    while True:
        ready = [talk for talk in w.talk.open.values() if talk.at < step.end]
        if not ready:
            return
        ending = await run_exchanges(step, w, by_lot(step, "turn", ready, lambda talk: (talk.id, talk.exchanges)))
        if ending:
            await close_talks(step, w, ending)
        await step.breathe()
