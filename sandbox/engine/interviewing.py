"""An interview: a question from outside the town, put to a mind beside all steps. It changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from sandbox.core.protocols import Brief, Mind
from sandbox.director.asking import card_replies
from sandbox.engine.briefing import brief
from sandbox.engine.world import World
from sandbox.people.asking import make_interview, private
from sandbox.people.interview_question import Interview, Interviewed
from sandbox.people.mood_queries import describe
from sandbox.people.question_mood import Described

BESIDE = 1_000_000  # numbers of questions about moods that no step asks


async def ask_person(
    world: World, mind: Mind, who: str, text: str, t: int, n: int = 0, matters: Collection[str] = ()
) -> Interviewed:
    """What that person answers at second t; what they remember must have been read from the log.

    n: tells apart what is asked of one person between two steps, so that not all answers are alike. matters: the
    pressures that the question is about, where that is known.
    """
    mood = ""
    if world.mood_parameters.on:
        felt = msgspec.structs.replace(describe(world, who, t), n=BESIDE + n)
        (described,) = await mind.answer([felt], world.step)
        assert isinstance(described, Described)
        mood = described.text
    q: Interview = _with_cards(world, make_interview(world, who, text, t, mood, n, matters))
    if mind.reads(q):
        q = msgspec.structs.replace(q, brief=_spoken_of(world, who, *brief(world, q, mood, t)))
    (said,) = await mind.answer([q], world.step)
    assert isinstance(said, Interviewed)
    known = {m.id for m in q.memories}
    return msgspec.structs.replace(said, memories=tuple(id for id in said.memories if id in known))


def _spoken_of(world: World, who: str, told: Brief, ids: Sequence[int]) -> Brief:
    """A brief without what that person keeps to themselves. ids: of its memories."""
    found = (world.memories.streams[who].node(id) for id in ids)
    kept = (text for text, m in zip(told.memories, found, strict=True) if m is None or not private(m))
    return msgspec.structs.replace(told, memories=tuple(kept))


def _with_cards(world: World, q: Interview) -> Interview:
    """The question with what cards have brought that person within a day; that which it names first among memories."""
    cards = card_replies(world, q.who, q.now)
    told = [b.told for b in cards if b.told is not None]
    named = [b.told for b in cards if b.told is not None and b.name in q.ask.lower()]
    found = {m.id: m for m in (*named, *q.memories, *told)}
    return msgspec.structs.replace(q, brought=cards, memories=tuple(found.values()))
