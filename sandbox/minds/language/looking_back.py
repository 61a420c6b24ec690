"""What people make of what has happened: reflection, and what an exchange makes them feel."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from sandbox.core.chance import Stream
from sandbox.minds.language.asking import Choice, Emotion, Offered, Prompt, Unusable, pick
from sandbox.minds.language.writing import phrase, plain
from sandbox.people.model import Insight
from sandbox.people.occ import OCC
from sandbox.people.questions import Reflect, Reflection
from sandbox.talk.questions import Appraise, Appraised

LOOKS, THOUGHTS, TEXT, WHY = 16, 3, 140, 80  # memories shown; thoughts kept; letters
EVIDENCE = 6
WEIGHTS = {"small": 3, "middle": 5, "great": 8}
STRENGTHS = {"faint": 0.25, "clear": 0.5, "strong": 0.8}
EMOTIONS: Offered = {"emotions": {name: Choice(name, name) for name in OCC}}
Strength = Literal["faint", "clear", "strong"]
Text = Annotated[str, msgspec.Meta(max_length=2000)]


class Thought(msgspec.Struct, frozen=True):
    """A thought and what it rests on."""

    text: Text
    memories: Annotated[list[int], msgspec.Meta(max_length=60)] = []
    weight: Literal["small", "middle", "great"] = "middle"
    about: Annotated[str, msgspec.Meta(max_length=80)] = ""


class LookBack(msgspec.Struct, frozen=True):
    """A reflection as a model gives it."""

    questions: Annotated[list[Text], msgspec.Meta(max_length=20)]
    thoughts: Annotated[list[Thought], msgspec.Meta(max_length=20)]
    emotion: Emotion
    strength: Strength = "clear"


def _looked(q: Reflect, got: LookBack, offered: Offered, chance: Stream) -> Reflection:
    known = {look.id for look in q.memories}
    insights = []
    for thought in got.thoughts[:THOUGHTS]:
        text = phrase(thought.text, TEXT)
        rests = tuple(dict.fromkeys(x for x in thought.memories if x in known))[:EVIDENCE]
        if not any(map(str.isalpha, text)) or not rests:
            raise Unusable("every thought needs words, and the numbers of memories it rests on")
        about = thought.about if thought.about in q.names else ""
        insights.append(Insight(text, rests, WEIGHTS[thought.weight], about))
    focus = tuple(x for x in (plain(text, TEXT) for text in got.questions[:THOUGHTS]) if x)
    return Reflection(focus, tuple(insights), pick(offered, "emotions", got.emotion), STRENGTHS[got.strength])


class Feeling(msgspec.Struct, frozen=True):
    """An emotion and how strong it is."""

    emotion: Emotion
    strength: Strength = "clear"


class Feelings(msgspec.Struct, frozen=True):
    """What an exchange makes somebody feel."""

    felt: Annotated[list[Feeling], msgspec.Meta(max_length=20)]
    why: Text = ""


def _felt(q: Appraise, got: Feelings, offered: Offered, chance: Stream) -> Appraised:
    felt = {pick(offered, "emotions", x.emotion): STRENGTHS[x.strength] for x in got.felt[:2]}
    return Appraised(tuple(felt.items()), phrase(got.why, WHY))


PROMPTS: dict[type, Prompt] = {
    Reflect: Prompt(
        "reflect",
        "reflect.j2",
        LookBack,
        _looked,
        lambda q, chance: EMOTIONS if q.memories else None,
        lambda q: {"looks": q.memories[:LOOKS], "ids": ", ".join(sorted(q.names)[:12])},
        tokens=500,
    ),
    Appraise: Prompt("appraise", "appraise.j2", Feelings, _felt, lambda q, chance: EMOTIONS),
}
