"""Words: a turn in a talk, a summary of a talk, an answer to an interviewer, a paragraph on a mood."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.minds.prompt_choices import bond_key, ending_words, other_name
from sandbox.minds.prompt_form import Offered, Prompt, Unusable
from sandbox.minds.prompt_text import phrase, tidy_text, word_table
from sandbox.people.claim_handlers import Bond
from sandbox.people.interview_question import Interview, Interviewed
from sandbox.people.question_mood import Described, DescribeMood
from sandbox.talk.question_effects import Summarise, Summary
from sandbox.talk.saying import Said, Say

SPOKEN, TOLD, GIST, DESCRIBED = 280, 800, 110, 500  # letters, at most
SETTLED = 4  # turns before somebody may end a talk
LOOKS = 8  # memories shown in an interview, at most
# What the slots of a turn contain, and which moves need slots that every turn has.
FACTS = {
    "matter": "the matter",
    "cause": "how it came about",
    "recall": "you remember, of yourself unless it names another",
    "when": "when that was",
    "why": "your reason",
    "third": "whom it is about",
    "third_fact": "what that person did",
    "rumour": "what is said, as you have it",
    "fact": "what this turn is about",
    "more": "what you add to it",
}
OWN = {"act": "what you are doing", "listener_act": "what the other is doing", "plan": "what you do next"}
NEEDS = {
    "greet": ("listener_act",),
    "small_talk": ("act", "listener_act"),
    "small_talk_back": ("act",),
    "tell_plans": ("plan",),
    "preclose": ("plan",),
    "compliment": ("listener_act",),
    "tease": ("listener_act",),
}
HABITS = "habits of your speech, one at most now and then"
BETWEEN = "what there is between you and the other"
STANCES = {"for": "you are for it", "against": "you are against it"}


class SayReply(msgspec.Struct, frozen=True):
    """A turn. leave: the speaker wants to end the talk soon."""

    say: Annotated[str, msgspec.Meta(max_length=4000)]
    leave: bool = False


def _turn(q: Say) -> dict[str, Any]:
    """Values for the template of a turn, besides the question."""
    slots = {slot: text for slot, text in q.slots.items() if slot not in q.theirs}
    stance = STANCES.get(q.context.get("stance", ""), "")
    facts = [(label, slots[slot]) for slot, label in FACTS.items() if slots.get(slot)]
    bond = Bond(q.context.get("claim", ""), q.context.get("end", ""))
    if between := word_table("partings")["between"].get(bond_key(bond)):
        facts.append((BETWEEN, between))
    wanted = dict.fromkeys(slot for move in q.moves for slot in NEEDS.get(move, ()))
    facts += [(OWN[slot], slots[slot]) for slot in wanted if slots.get(slot)]
    if stance and slots.get("topic"):
        facts.append(("what you think of it", stance))
    if own := habits(q):
        facts.append((HABITS, own))
    moves = word_table("moves")
    topic = slots.get("topic", "")
    return {
        "facts": facts,
        "glosses": [ending_words(move, bond, "them") or moves[move] for move in q.moves],
        "manner": f"You speak in a {q.voice} way.",
        "topic": "" if topic == slots.get("matter") or q.context.get("topic_kind") == "occasion" else topic,
        "habits": q.turn % 16 == 0,
        "may_leave": q.turn >= SETTLED,
    }


def habits(q: Say) -> str:
    """Somebody's typical openings, endings and forms of address; "" if none."""
    return ", ".join((*q.speech.starts[:2], *q.speech.tags[:2], *q.speech.addresses[:1]))


def require_words(text: str, key: str) -> str:
    """The text under a key, if not empty. Raises Unusable."""
    if not any(map(str.isalpha, text)):
        raise Unusable(f'"{key}" holds no words')
    return text


def own_words(q: Say, text: str, limit: int, key: str, heard: tuple[str, ...] = ()) -> str:
    """A model's text under a key, unless empty, said before, or in `heard`. Raises Unusable."""
    text = tidy_text(text, limit)
    if q.brief is not None:  # some models put the speaker's name first, as in a play
        text = text.removeprefix(f"{q.brief.name}:").strip()
        heard += tuple(said for _, said in q.brief.said)
    words = require_words(text, key).casefold().strip(".!?… ")
    if any(words == other.casefold().strip(".!?… ") for other in heard):
        raise Unusable(f'"{key}" repeats what has been said; say something else')
    return text


def _said(q: Say, got: SayReply, offered: Offered, chance: Stream) -> Said:
    """The turn. Raises Unusable if it is empty or repeats what was just said."""
    return Said(own_words(q, got.say, SPOKEN, "say"), closes=got.leave and q.turn >= SETTLED)


class SummariseReply(msgspec.Struct, frozen=True):
    """What a talk was about."""

    about: Annotated[str, msgspec.Meta(max_length=1000)]


def _gist(q: Summarise, got: SummariseReply, offered: Offered, chance: Stream) -> Summary:
    text = phrase(got.about, GIST, lead="they talked about")
    return Summary(require_words(phrase(text, GIST, lead="talked about"), "about"))


class InterviewReply(msgspec.Struct, frozen=True):
    """An answer to an interviewer."""

    text: Annotated[str, msgspec.Meta(max_length=8000)]
    memories: list[int] = []


def _told(q: Interview, got: InterviewReply, offered: Offered, chance: Stream) -> Interviewed:
    text = require_words(tidy_text(got.text, TOLD), "text")
    known = {look.id for look in q.memories}
    return Interviewed(text, tuple(dict.fromkeys(x for x in got.memories if x in known)))


class Paragraph(msgspec.Struct, frozen=True):
    """Some sentences."""

    text: Annotated[str, msgspec.Meta(max_length=4000)]


def _described(q: DescribeMood, got: Paragraph, offered: Offered, chance: Stream) -> Described:
    return Described(require_words(tidy_text(got.text, DESCRIBED), "text"))


def _mood(q: DescribeMood) -> dict[str, Any]:
    """Name, and strength of the feeling, in words without numbers."""
    assert q.persona is not None
    size = sum(x * x for x in q.mood) ** 0.5
    return {
        "persona": f"{q.persona.name}, {q.persona.age}, {q.persona.job}; {', '.join(q.persona.traits)}",
        "labels": ", ".join(q.labels) or "nothing to speak of",
        "strength": "faint" if size < 0.25 else "strong" if size >= 0.6 else "clear",
    }


PROMPTS = (
    Prompt(Say, "say.j2", SayReply, _said, words=_turn, tokens=160),
    Prompt(Summarise, "summarise.j2", SummariseReply, _gist, words=lambda q: {"name": other_name(q)}),
    Prompt(
        Interview,
        "interview.j2",
        InterviewReply,
        _told,
        words=lambda q: {
            "looks": q.memories[:LOOKS],
            "believes": (*q.facts, *q.believes)[:LOOKS],
            "feelings": list(q.feelings.items())[:LOOKS],
        },
        tokens=300,
    ),
    Prompt(DescribeMood, "mood.j2", Paragraph, _described, words=_mood, tokens=200, briefed=False),
)
