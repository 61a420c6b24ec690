"""The briefs that come with questions for a reading mind: who one is, how one feels, where and with whom one is, one's
memories. Every part is bounded, so that a prompt does not grow with the town's age.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from sandbox.core.clock import part_of_day
from sandbox.core.protocols import Brief, Mind, Question
from sandbox.core.text import clean
from sandbox.director.dealing import card_replies
from sandbox.engine.world import World
from sandbox.feed.acts_of_reading import direct_messages
from sandbox.minds.embedded import spec_of
from sandbox.people.asking import make_interview, private
from sandbox.people.interview_question import Interview, Interviewed
from sandbox.people.matters import fact_forms, facts_known_to
from sandbox.people.memory import retrieve
from sandbox.people.memory_stream import Memory
from sandbox.people.mood_queries import describe, mood_of
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import gist
from sandbox.people.question_mood import Described
from sandbox.people.wording import lately
from sandbox.phones.question_write import Write
from sandbox.phones.seeing import account_of
from sandbox.talk.content import act_words, impression_word, partner_of, spoken_mood, tie_of
from sandbox.talk.pressure_aims import known_slots, matter_told
from sandbox.talk.saying import Say
from sandbox.town.ways import tile_at

MEMORIES = 6
SAID = 8  # lines of the current talk, at most
LONG = 160  # letters of a memory or a line, at most
ABOUT = 400  # letters of a persona's own text, at most
FEELINGS = ((0.5, "like them very much"), (0.15, "like them"), (-0.15, "feel neither way"), (-0.5, "do not like them"))
WORST = "cannot stand them"
TIES = {
    "close": "You are close",
    "friendly": "You are on friendly terms",
    "cool": "You know each other only to nod to",
    "stranger": "You are strangers",
    "sour": "You are on bad terms",
}
LEFT = {"warm": "warm towards them", "sore": "sore at them"}
LOOKS = {"contempt": "scornful"}  # adjectives for moods whose names are nouns


def brief(w: World, q: Question, mood: str, t: int) -> tuple[Brief, list[int]]:
    """The brief of a question at second t, and the ids of its memories. mood: a paragraph on how q.who feels."""
    who = q.who
    persona = w.cast[who]
    other, aims, words = spec_of(q).concerns(q)
    if isinstance(q, Write):
        there, named = False, w.cast.keys() if q.form == "post" else (other,)  # a post may mention anybody
        matter, lines = _written_of(w, aims, who), _messages(w, who, q.other) if q.form == "message" else []
    else:
        there, named = True, (other,)
        matter, lines = _matter(w, aims, who, other), _lines(w, q)
    lines = lines[-SAID:]
    found = retrieve(
        w.memories.streams[who], _query(w, other, matter, words), t, mood_of(w, who, t), w.memory_parameters,
        MEMORIES + len(lines),
    )  # fmt: skip
    found = [m for m in found if not any(text in m.text for _, text in lines)][:MEMORIES]  # none of a line shown anyway
    said = tuple((w.handbook.name(speaker), clean(text, LONG)) for speaker, text in lines)
    people = dict.fromkeys(p for p in (*named, *(p for m in found for p in m.about)) if p in w.cast)
    return Brief(
        day=w.clock.day(t),
        name=w.handbook.name(who),
        persona=persona_summary(persona),
        mood=mood,
        now=_now(w, who, t),
        other=_about(w, who, other, t, there=there) if other else "",
        memories=tuple(_recalled(w, m, t) for m in found),
        said=said,
        matter=matter,
        names={p: w.handbook.name(p) for p in people},
    ), [m.id for m in found]


def persona_summary(persona: Persona) -> str:
    """A persona in some sentences, as one describes a role to an actor."""
    parts = [f"{persona.name}, {persona.age}, {persona.job}.", clean(persona.about, ABOUT)]
    if persona.traits:
        parts.append(f"{', '.join(persona.traits).capitalize()}.")
    if persona.concerns:
        parts.append(f"Worries about {'; '.join(persona.concerns[:2])}.")
    if persona.likes:
        parts.append(f"Likes {'; '.join(persona.likes[:2])}.")
    return " ".join(part for part in parts if part)


def _now(w: World, who: str, t: int) -> str:
    here = w.map.area_of[tile_at(w.town.spots[who], t, w.map.width)]
    second = w.clock.second_of_day(t)
    where = w.handbook.at(here) if here else "in the street"
    hour = f"{w.clock.at(t):%A}, {w.clock.hhmm(t)} ({part_of_day(second)})"
    return f"{hour}, {where}; {act_words(w, who)}."


def _about(w: World, me: str, other: str, t: int, there: bool) -> str:
    """Who `other` is, and what `me` feels for them. there: whether `me` sees how they look."""
    p = w.cast[other]
    seen = partner_of(w, me, other, t)
    feels = next((words for least, words in FEELINGS if seen.feeling >= least), WORST)
    relation = f" ({seen.relation})" if seen.relation else ""
    looks = f", who looks {LOOKS.get(seen.mood, seen.mood)}" if there and w.mood_parameters.on else ""
    name = w.handbook.name(other)
    return f"{name}, {p.age}, {p.job}{relation}{looks}. {TIES[seen.tie]}, and you {feels}.{_left(w, me, other, t)}"


def _left(w: World, me: str, other: str, t: int) -> str:
    """How the last talks with `other` left `me`, if in any way out of the ordinary; else ""."""
    how = impression_word(w, me, other, t)
    if not how:
        return ""
    return f" Last time you talked, {_when(w, tie_of(w, me, other).last_talk, t)}, it left you {LEFT[how]}."


def _recalled(w: World, memory: Memory, t: int) -> str:
    """A memory with its time, and the mood when it was made, if memories record that."""
    felt = f"; you were {LOOKS.get(mood := spoken_mood(memory.after), mood)}" if any(memory.after) else ""
    return f"{clean(memory.text, LONG)} ({_when(w, memory.t, t)}{felt})"


def _when(w: World, then: int, t: int) -> str:
    return lately(w.clock, then, t) or "some days ago"


def _lines(w: World, q: Question) -> list[tuple[str, str]]:
    """(speaker, text) of the lines of the talk that somebody is in."""
    talk = w.talk.open.get(w.people.residents[q.who].talk)
    before = list(q.before) if isinstance(q, Say) else []
    return before or (w.memories.spoken.lines.get(talk.id, []) if talk else [])


def _messages(w: World, me: str, other: str) -> list[tuple[str, str]]:
    """(writer, text) of the direct messages between two."""
    mine, theirs = account_of(w, me), account_of(w, other)
    if mine is None or theirs is None:
        return []
    found = direct_messages(w.feed, mine.number, theirs.number)
    return [(me if m.author == mine.number else other, m.text) for m in found[-SAID:]]


def _written_of(w: World, aims: Sequence[str], who: str) -> str:
    """The matters behind a post or message, as far as the writer knows. It has no single listener, so everybody in it
    is named.
    """
    found: dict[str, None] = {}
    for p in (w.pressures.open[x] for x in aims if x in w.pressures.open):
        knows = known_slots(w, p, who)
        if "matter" in knows:
            found[gist(p.stakes) + (f" ({p.cause})" if "cause" in knows and p.cause else "")] = None
    return "; ".join(clean(text, LONG) for text in list(found)[:2])


def _matter(w: World, aims: Sequence[str], who: str, other: str) -> str:
    """What `who` has with `other`, in words. aims: pressures that the decision is about. What `other` has come with is
    left out unless `who` knows of it: their words will tell.
    """
    talk = w.talk.open.get(w.people.residents[who].talk)
    found: dict[str, None] = {}
    known: list[str] = []
    for x in (*aims, talk.aim if talk else ""):
        p = w.pressures.open.get(x)
        if p is None or not other:
            continue
        told, knows = matter_told(w, p, who, other), known_slots(w, p, who)
        if "cause" in knows and told["cause"]:
            found[f"{told['matter']} ({told['cause']})"] = None
        elif "matter" in knows or x in aims:
            found[told["matter"]] = None
        facts = [fact_forms(w, p, fact, who, other).fact for fact in facts_known_to(w, p, who).values()]
        if facts:
            known.append(clean(", ".join(facts), 3 * LONG))
    matters = "; ".join(clean(text, LONG) for text in list(found)[:2])
    return f"{matters}. What you know of it, as you would say it: {known[0]}" if known else matters


def _query(w: World, other: str, *words: str) -> str:
    """The text that memories are searched by."""
    return " ".join(x for x in (w.handbook.name(other) if other else "", *words) if x)


# ---- an interview


BESIDE = 1_000_000  # first number of mood questions outside steps


async def ask_person(
    world: World, mind: Mind, who: str, text: str, t: int, n: int = 0, matters: Collection[str] = ()
) -> Interviewed:
    """Somebody's answer to an interviewer at second t. Their memories must have been read from the log before.

    n: number of the question to this person since the last step, so that answers differ. matters: pressures that the
    question is about, if known.
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
    """A brief without the memories that the person keeps private. ids: of its memories."""
    found = (world.memories.streams[who].node(id) for id in ids)
    kept = (text for text, m in zip(told.memories, found, strict=True) if m is None or not private(m))
    return msgspec.structs.replace(told, memories=tuple(kept))


def _with_cards(world: World, q: Interview) -> Interview:
    """The question with the cards that reached that person within a day; memories of cards that it names come first."""
    cards = card_replies(world, q.who, q.now)
    told = [b.told for b in cards if b.told is not None]
    named = [b.told for b in cards if b.told is not None and b.name in q.ask.lower()]
    found = {m.id: m for m in (*named, *q.memories, *told)}
    return msgspec.structs.replace(q, brought=cards, memories=tuple(found.values()))
