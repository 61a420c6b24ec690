"""The mood paragraph: how strong a feeling is, what did it, and what it makes likely."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, repeat
from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import QuestionSpec, nobody, text_fault
from sandbox.people.mood import Pad, Sort
from sandbox.people.mood_words import NO_NAME, UNNAMED
from sandbox.people.persona import Persona
from sandbox.people.question_parts import ANN
from sandbox.people.wording import clause

CALMLY = "take things as they come"
FAINT, STRONG = 0.25, 0.6  # lengths of a PAD vector: below the first one feels a little, from the second on very much
FELT = 0.25  # arousal and dominance that are told


class MoodWords(NamedTuple):
    """The words for a label: feels, and touch where it is not the nearest ("" = none); what it makes likely: the trait
    that decides, and what follows where somebody has more or less of it.
    """

    feels: str
    touch: str = ""
    trait: str = "openness"
    more: str = CALMLY
    less: str = CALMLY


_GLAD = MoodWords("happy", "some gladness", "extraversion", "share it with whoever comes by", "keep it and hum")
WORDS = {  # for each label, of either set (people.mood_words)
    "Happiness": _GLAD,
    "Joy": _GLAD,
    "Trust": MoodWords(
        "at ease",
        "a good deal of trust",
        "agreeableness",
        "say yes before the question is out",
        "leave the door on the latch and say nothing of it",
    ),
    "Anticipation": MoodWords(
        "eager", "an eye on what is coming", "conscientiousness", "be early", "talk of it before it is there"
    ),
    "Sadness": MoodWords(
        "low", "some sadness", "extraversion", "look for somebody to tell", "keep to a corner and say little"
    ),
    "Anger": MoodWords(
        "angry",
        "a temper near the surface",
        "agreeableness",
        "swallow it for as long as it will go down",
        "say so to somebody's face",
    ),
    "Fear": MoodWords(
        "uneasy", "a worry", "neuroticism", "hear the worst in a plain question", "put a brave face on it"
    ),
    "Surprise": MoodWords("stirred up", "some surprise", "openness", "ask questions", "wait until it makes sense"),
    "Disgust": MoodWords(
        "put off", "some distaste", "agreeableness", "be polite at arm's length", "turn away and let it be seen"
    ),
    "Contempt": MoodWords("scornful", "some contempt", "agreeableness", "hold the tongue", "let it show"),
    "Neutral": MoodWords("calm", "a calm beneath it"),
    NO_NAME: MoodWords(UNNAMED),
}


class DescribeMood(Question, frozen=True):
    """Say in two or three sentences how this person feels and why; no numbers. labels: of the nearest points, the
    nearest first (`people.mood_words`); none = there is no mood to speak of. mood: PAD. causes: what moved it, in the
    order it is told (`people.mood_queries.main_causes`), and sorts: of which sort each is; nature: whether it is more
    of how they are than of these; away: whether it has moved away from that; against: what moved it that goes against
    what it is called, as clauses; memories: what comes to mind; name: what they are told by, "" for the first name;
    asleep: how roused somebody is who sleeps is not told.
    """

    persona: Persona | None = None
    labels: tuple[str, ...] = ()
    mood: Pad = Pad(0.0, 0.0, 0.0)
    nature: bool = False
    away: bool = False
    against: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    sorts: tuple[Sort, ...] = ()
    memories: tuple[str, ...] = ()
    name: str = ""
    asleep: bool = False


class Described(Answer, frozen=True):
    """The mood paragraph."""

    text: str


def describe_mood(q: DescribeMood, chance: Stream | None = None) -> Described:
    """Three sentences at most, none if there is no mood. They depend on the question alone."""
    assert q.persona is not None
    if not q.labels:
        return Described("")
    name = q.name or q.persona.first
    return Described(" ".join((_feels(q, name), _because(q, name), _likely(q, q.persona, name))))


def _feels(q: DescribeMood, name: str) -> str:
    first, *others = q.labels
    size = sum(x * x for x in q.mood) ** 0.5
    how = "a little " if size < FAINT else "very " if size >= STRONG else ""
    word = f"{'' if first in ('Neutral', NO_NAME) else how}{WORDS[first].feels}"
    touch = next((WORDS[label].touch for label in others if label != first and WORDS[label].touch), "")
    body = _body(q)
    who = f"{name} is asleep, and" if q.asleep else name
    return f"{who} feels {word}{f', with {touch}' if touch else ''}{f', {body}' if body else ''}."


def _body(q: DescribeMood) -> str:
    _, roused, bold = q.mood
    awake = "" if q.asleep else "wide awake" if roused >= FELT else "slow" if roused <= -FELT else ""
    sure = "sure of the ground" if bold >= FELT else "on the back foot" if bold <= -FELT else ""
    return " and ".join(part for part in (awake, sure) if part)


def _because(q: DescribeMood, name: str) -> str:
    against = f"; against it: {', then '.join(q.against)}" if q.against else ""
    sorts: Iterator[Sort] = chain(q.sorts, repeat("event"))
    causes = ", then ".join(map(partial(clause, who=name), q.causes, sorts))
    if q.away:
        more = f", and more so for this: {causes}" if causes else ""
        return f"It is how {name} is{more}{against}."
    if not q.causes:
        return f"Nothing has brought it on: it is how {name} is."
    if q.nature:
        return f"For the most part it is how {name} is; what has moved it: {causes}{against}."
    return f"What brought it on: {causes}{against}."


def _likely(q: DescribeMood, persona: Persona, name: str) -> str:
    """What comes to mind, which need not be why, and what one like them is likely to do."""
    words = WORDS[q.labels[0]]
    will = words.more if getattr(persona.big_five, words.trait) > 0.0 else words.less
    nature = f"{' and '.join(persona.traits[:2])} as ever" if persona.traits else "as usual"
    memory = f"lately {name} {q.memories[0]}; " if q.memories else ""
    says = f"{memory}{nature}"
    return f"{says[0].upper()}{says[1:]}, {name} is likely to {will}{' on waking' if q.asleep else ''}."


DESCRIBE_MOOD = QuestionSpec(
    question=DescribeMood, answer=Described, name="DescribeMood", rule=describe_mood,
    fault=lambda q, a: text_fault(a.text, 800),
    samples=(DescribeMood("ann", persona=ANN, labels=("Happiness", "Neutral", "Neutral"), mood=Pad(0.3, 0.1, 0.1)),),
    concerns=nobody, taken=False, asks="describe mood", asked=False,
)  # fmt: skip
QUESTIONS = (DESCRIBE_MOOD,)
