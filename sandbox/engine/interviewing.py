"""An interview: a question from outside the town, put to a mind beside all steps. It changes nothing."""

from __future__ import annotations

import msgspec

from sandbox.core.protocols import Mind
from sandbox.director.asking import brought
from sandbox.engine.briefing import brief
from sandbox.engine.world import World
from sandbox.people.asking import interview
from sandbox.people.deciding.interviews import Interview, Interviewed
from sandbox.people.deciding.moods import Described
from sandbox.people.moods import describe

BESIDE = 1_000_000  # numbers of questions about moods that no step asks


async def ask(world: World, mind: Mind, who: str, text: str, t: int, n: int = 0) -> Interviewed:
    """What that person answers at second t; what they remember must have been read from the log.

    n: tells apart what is asked of one person between two steps, so that not all answers are alike.
    """
    mood = ""
    if world.mood_parameters.on:
        felt = msgspec.structs.replace(describe(world, who, t), n=BESIDE + n)
        (described,) = await mind.answer([felt], world.step)
        assert isinstance(described, Described)
        mood = described.text
    q: Interview = _with_cards(world, interview(world, who, text, t, mood, n))
    if mind.reads(q):
        q = msgspec.structs.replace(q, brief=brief(world, q, mood, t)[0])
    (said,) = await mind.answer([q], world.step)
    assert isinstance(said, Interviewed)
    known = {m.id for m in q.memories}
    return msgspec.structs.replace(said, memories=tuple(id for id in said.memories if id in known))


def _with_cards(world: World, q: Interview) -> Interview:
    """The question with what cards have brought that person within a day."""
    cards = brought(world, q.who, q.now)
    told = [b.told for b in cards if b.told is not None and all(b.told.id != m.id for m in q.memories)]
    return msgspec.structs.replace(q, brought=cards, memories=(*q.memories, *told))
