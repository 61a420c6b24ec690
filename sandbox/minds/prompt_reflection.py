"""How people reflect on what happened: the three questions of a reflection, and what an exchange makes them feel."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from sandbox.core.chance import Stream
from sandbox.minds.prompt_form import Emotion, Offered, Person, Prompt, PromptOption, Unusable, pick
from sandbox.minds.prompt_text import phrase, tidy_text
from sandbox.people.model import Insight, Note
from sandbox.people.mood import OCC, sort_of
from sandbox.people.question_parts import LookBack, ShownMemory
from sandbox.people.question_reflection import FindInsights, Focus, Focused, Insights, Reflect, Reflection, Wonder
from sandbox.talk.question_effects import Appraise, Appraised

WIDE, SHOWN, TALKS, LATELY = 24, 16, 12, 4  # memories shown: to ask about, to conclude from, of talks, of thoughts
QUESTIONS, THOUGHTS, NOTES, MOMENTS, PEOPLE = 3, 3, 3, 3, 16  # items of each kind, at most
TEXT, TOPIC, WHY = 140, 60, 80  # letters, at most
EVIDENCE = 6
WEIGHTS = {"small": 3, "middle": 5, "great": 8}
STRENGTHS = {"faint": 0.25, "clear": 0.5, "strong": 0.8}
EMOTIONS = {name: PromptOption(name, name) for name in OCC}
Strength = Literal["faint", "clear", "strong"]
Weight = Literal["small", "middle", "great"]
Text = Annotated[str, msgspec.Meta(max_length=2000)]
Ids = Annotated[list[int], msgspec.Meta(max_length=100)]


def _people(q: LookBack, chance: Stream) -> Offered | None:
    """The people in the memories, by number, and all emotions; None without memories."""
    named = list(q.names.items())[:PEOPLE]
    people = {f"p{i}": PromptOption(name, who) for i, (who, name) in enumerate(named, 1)}
    return {"people": {**people, "nobody": PromptOption("nobody", "")}, "emotions": EMOTIONS} if q.memories else None


def _rests(ids: list[int], looks: tuple[ShownMemory, ...]) -> tuple[int, ...]:
    known = {look.id for look in looks}
    return tuple(dict.fromkeys(x for x in ids if x in known))[:EVIDENCE]


def _worded(text: str) -> str:
    found = phrase(text, TEXT)
    if not any(map(str.isalpha, found)):
        raise Unusable('every "text" needs words')
    return found


class Wondered(msgspec.Struct, frozen=True):
    """A question to reflect on, and whom it is about."""

    text: Text
    about: Person = "nobody"


class Wonders(msgspec.Struct, frozen=True):
    """Questions to reflect on."""

    questions: Annotated[list[Wondered], msgspec.Meta(max_length=20)]


def _focused(q: Focus, got: Wonders, offered: Offered, chance: Stream) -> Focused:
    asked = [Wonder(tidy_text(x.text, TEXT), pick(offered, "people", x.about)) for x in got.questions[:QUESTIONS]]
    return Focused(tuple(x for x in asked if x.text))


class Thought(msgspec.Struct, frozen=True):
    """A thought, or a moment to remember, and the memories it rests on."""

    text: Text
    memories: Ids = []
    weight: Weight = "middle"
    about: Person = "nobody"


class Thoughts(msgspec.Struct, frozen=True):
    """Conclusions from some memories."""

    thoughts: Annotated[list[Thought], msgspec.Meta(max_length=20)]


def _thoughts(q: FindInsights, got: Thoughts, offered: Offered, chance: Stream) -> Insights:
    insights = []
    for thought in got.thoughts[:THOUGHTS]:
        rests = _rests(thought.memories, q.memories)
        if not rests:
            raise Unusable("every thought rests on memories; give their numbers")
        about = pick(offered, "people", thought.about)
        insights.append(Insight(_worded(thought.text), rests, WEIGHTS[thought.weight], about))
    return Insights(tuple(insights))


class PersonPlan(msgspec.Struct, frozen=True):
    """What somebody intends towards a person. topic: to talk about."""

    text: Text
    about: Person
    topic: Text = ""
    memories: Ids = []


class LookedBack(msgspec.Struct, frozen=True):
    """The results of a reflection."""

    emotion: Emotion
    strength: Strength = "clear"
    plans: Annotated[list[PersonPlan], msgspec.Meta(max_length=20)] = []
    moments: Annotated[list[Thought], msgspec.Meta(max_length=20)] = []


def _reflected(q: Reflect, got: LookedBack, offered: Offered, chance: Stream) -> Reflection:
    looks = (*q.talks, *q.memories)
    notes = [
        Note(_worded(x.text), pick(offered, "people", x.about), phrase(x.topic, TOPIC), _rests(x.memories, looks))
        for x in got.plans[:NOTES]
    ]
    moments = [
        Insight(_worded(x.text), _rests(x.memories, looks), WEIGHTS[x.weight], pick(offered, "people", x.about))
        for x in got.moments[:MOMENTS]
    ]
    return Reflection(
        pick(offered, "emotions", got.emotion),
        STRENGTHS[got.strength],
        tuple(note for note in notes if note.about),
        tuple(moments),
    )


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
    why = phrase(got.why, WHY)
    return Appraised(tuple(felt.items()), why, sort_of(why))


PROMPTS = (
    Prompt(Focus, "focus.j2", Wonders, _focused, _people, lambda q: {"looks": q.memories[:WIDE]}, tokens=240),
    Prompt(
        FindInsights,
        "insight.j2",
        Thoughts,
        _thoughts,
        _people,
        lambda q: {"looks": q.memories[:SHOWN], "lately": q.lately[-LATELY:]},
        tokens=320,
    ),
    Prompt(
        Reflect,
        "reflect.j2",
        LookedBack,
        _reflected,
        _people,
        lambda q: {
            "insights": q.insights[:5],
            "looks": {m.id: m for m in (*q.talks[-TALKS:], *q.memories[:8])}.values(),
        },
        tokens=400,
    ),
    Prompt(Appraise, "appraise.j2", Feelings, _felt, lambda q, chance: {"emotions": EMOTIONS}),
)
