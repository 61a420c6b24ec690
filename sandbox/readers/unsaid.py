"""The words of a talk that was not recorded in words, made on request by the embedded mind from the state at each
moment. They have no effect, and nobody remembers them.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.readers.talk_measures import replay_steps
from sandbox.readers.talkagain import Again, rounds
from sandbox.readers.talks import TalkLine
from sandbox.store.errors import explain_unfitting
from sandbox.store.read import SaveReader
from sandbox.talk.model import Closed, Exchanged
from sandbox.talk.saying import Said, Say
from sandbox.talk.turns import run_exchanges


async def unsaid_lines(save: SaveReader, id: str, step: int) -> list[TalkLine]:
    """What the two would have said. id: of the talk; step: the one in which it began. Raises SaveError."""
    world = await save.seek(step - 1)
    world.memories.live = True
    await world.memories.catch_up(save, world.seq)
    mind = EmbeddedMind(world.chance, world.scenario.lines)
    out: list[TalkLine] = []
    heard: dict[str, int] = {}  # variant used so far -> second; none is used twice
    with explain_unfitting(save.path):
        async for records in replay_steps(save, world, lambda done, of: None):
            starts = rounds(world, records)
            for at, record in enumerate(records):
                for later in records[at : starts.get(at, at)]:
                    if isinstance(later.event, Exchanged) and later.event.talk == id:
                        out += await _said(mind, world, later, later.event, heard)
                if isinstance(record.event, Closed) and record.event.talk == id:
                    return out
                world.apply(record)
            world.advance(records[0].stamp.step)
    return out


async def _said(mind: EmbeddedMind, w: World, record: Record, e: Exchanged, heard: dict[str, int]) -> list[TalkLine]:
    """The lines of one exchange, as logged or as they would have been; adds the variants used to `heard`."""
    at = record.stamp
    if e.in_words:
        return [TalkLine(at.seq, at.t, x.who, x.text, x.move, x.valence, "") for x in e.lines if x.text]
    step = Again(w, at.t, e)
    await run_exchanges(step, w, [w.talk.open[e.talk]], aloud=True)
    told: dict[str, str] = {}
    just = Said("")
    for q in step.prompter.asked:
        if isinstance(q, Say):
            answers = just.variants[-1] if just.variants else ""
            to = replace(q, just=just.text, answers=answers, avoid={**q.avoid, **heard})
            (answer,) = await mind.answer([to], w.step + 1)
            if isinstance(answer, Said):
                just, told[q.who] = answer, answer.text
                heard |= dict.fromkeys(answer.variants, at.t)
    why = {x.who: e.why for x in e.lines if not e.aim and x.who != at.actor}  # what made it another reply
    return [
        TalkLine(at.seq, at.t, x.who, told[x.who], x.move, x.valence, "", why=why.get(x.who, ()))
        for x in e.lines
        if x.who in told
    ]
