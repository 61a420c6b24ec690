"""The system of reflection: people with enough new memories draw insights and are moved by them (the slow update).

Three steps, each a question to the mind: what to ask oneself, what follows from the memories that bear on it, and what
to feel, to do and to keep of it. Source: docs/mechanisms.md, Reflection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.people.memory import retrieve
from sandbox.people.memory_stream import Memory
from sandbox.people.model import Insight, Note, Reflected
from sandbox.people.mood import CALM, OCC, Pad, delta, shift_mood
from sandbox.people.mood_queries import mood_of
from sandbox.people.planning import HasWays
from sandbox.people.question_parts import ShownMemory
from sandbox.people.question_reflection import FindInsights, Focus, Focused, Insights, Reflect, Reflection, Wonder

WIDE = 100  # memories from which focus questions are formed
SHOWN = 30  # that bear on one of them
LATEST = 400  # among them are the talks and the thoughts of the last day or two
TALKS = 30
QUESTIONS, EACH = 3, 5  # focus questions, and insights to one
NOTES, MOMENTS = 3, 3
THOUGHT_LENGTH = 240  # characters of a thought
EVIDENCE = 12
FACE = frozenset(("me", "my", "you", "your"))


class _Mind(NamedTuple):
    """Somebody who looks back, at second t, in what mood."""

    who: str
    t: int
    mood: Pad


async def reflect_if_due(step: Step, w: HasWays) -> None:
    """Let those reflect whose memories since the last time weigh enough, and who are awake and not in a talk."""
    due = _due(step, w)
    if not due:
        return
    focused: list[Focused] = await step.ask([_focus(w, one) for one in due])
    wonders = [_wonders(w, one.who, answer.questions) for one, answer in zip(due, focused, strict=True)]
    asked = [_find(step, w, one, n, x) for one, mine in zip(due, wonders, strict=True) for n, x in enumerate(mine)]
    found: list[Insights] = await step.ask(asked)
    questions = [_reflect(w, one, *_thought(w, one.who, asked, found)) for one in due]
    reflections: list[Reflection] = await step.ask(questions)
    for one, mine, q, answer in zip(due, wonders, questions, reflections, strict=True):
        after, applied = shift_mood(one.mood, _change(w, answer))
        ids = {m.id for m in (*q.talks, *q.memories)}
        focus = tuple(x.text for x in mine)
        notes = _notes(answer.notes, w.cast, one.who, ids)
        moments = valid_insights(answer.moments, w.cast, one.who, ids, MOMENTS)
        felt = _felt_for(w, one.who, q.insights, applied)
        step.emit(Reflected(focus, q.insights, applied, after, notes, moments, felt), t=one.t, actor=one.who)


def _felt_for(w: HasWays, who: str, insights: Sequence[Insight], change: Pad) -> int:
    """Index of the insight shown as the reason for the change of mood: the first about nobody, or about somebody the
    feeling for whom fits it; -1 if none.
    """
    if not insights:
        return 0
    ties = w.people.ties.get(who, {})
    fits = (not i.about or i.about not in ties or ties[i.about].feeling * change.p >= 0.0 for i in insights)
    return next((n for n, fit in enumerate(fits) if fit), -1)


def _thought(
    w: HasWays, who: str, asked: Sequence[FindInsights], found: Sequence[Insights]
) -> tuple[list[Insight], dict[int, ShownMemory]]:
    """Somebody's insights, no text twice, and the memories they were drawn from, by id."""
    insights: dict[str, Insight] = {}
    shown: dict[int, ShownMemory] = {}
    for q, answer in zip(asked, found, strict=True):
        if q.who == who:
            for i in valid_insights(answer.insights, w.cast, who, {m.id for m in q.memories}, EACH):
                insights.setdefault(i.text, i)
            shown.update((m.id, m) for m in q.memories)
    return list(insights.values()), shown


def _due(step: Step, w: HasWays) -> list[_Mind]:
    out = []
    for who, stream in w.memories.streams.items():
        if stream.since < w.memory_parameters.threshold:
            continue
        r = w.people.residents[who]
        if r.awake and not r.talk:
            t = max(step.now, w.last.get(who, 0), r.mood.t)
            out.append(_Mind(who, t, mood_of(w, who, t)))
    return out


# ---- the three questions


def _focus(w: HasWays, one: _Mind) -> Focus:
    nodes = retrieve(w.memories.streams[one.who], "", one.t, one.mood, w.memory_parameters, WIDE)
    return Focus(one.who, now=one.t, **_shown(w, one, show_memories(w, nodes)))


def _find(step: Step, w: HasWays, one: _Mind, n: int, wonder: Wonder) -> FindInsights:
    stream = w.memories.streams[one.who]
    nodes = retrieve(stream, wonder.text, one.t, one.mood, w.memory_parameters, SHOWN)
    step.recall(one.who, [m.id for m in nodes])
    lately = tuple(m.text for m in stream[-LATEST:] if m.kind == "thought")
    return FindInsights(
        one.who, n, now=one.t, question=wonder, lately=lately, **_shown(w, one, show_memories(w, nodes))
    )


def _reflect(w: HasWays, one: _Mind, insights: Sequence[Insight], shown: dict[int, ShownMemory]) -> Reflect:
    stream = w.memories.streams[one.who]
    behind = dict.fromkeys(id for i in insights for id in i.evidence)
    talks = [m for m in stream[-LATEST:] if m.kind == "chat" and m.t >= stream.reflected][-TALKS:]
    told = show_memories(w, talks)
    fields = _shown(w, one, tuple(shown[id] for id in behind), told)
    return Reflect(one.who, now=one.t, insights=tuple(insights), talks=told, **fields)


def show_memories(w: HasWays, nodes: Sequence[Memory]) -> tuple[ShownMemory, ...]:
    """Memories as a question shows them. What somebody was at is no matter to think of, nor are words said to a face:
    neither is shown as a topic.
    """
    small = w.handbook.doings
    topics = {x: "" if x in small or not FACE.isdisjoint(x.split()) else x for x in {m.topic for m in nodes}}
    return tuple(
        ShownMemory(m.id, m.kind, m.text, m.about, m.poignancy, m.delta[0], topics[m.topic], m.t, m.form) for m in nodes
    )


def _shown(
    w: HasWays, one: _Mind, memories: tuple[ShownMemory, ...], more: tuple[ShownMemory, ...] = ()
) -> dict[str, Any]:
    """Memories with whom they are about (the topic may be a person too) and who looks, as the fields of a question."""
    topics = {m.topic for m in (*memories, *more)}
    talked_of = {p for p in w.cast if w.handbook.name(p) in topics}
    people = sorted(talked_of.union(*(m.about for m in (*memories, *more))))
    ties = w.people.ties.get(one.who, {})
    feelings = {p: ties[p].feeling for p in people if p in ties}
    return {
        "memories": memories,
        "names": {p: w.handbook.name(p) for p in people},
        "feelings": feelings,
        "persona": w.cast[one.who],
        "mood": one.mood,
    }


# ---- what is taken of the answers: a mind may say anything


def _wonders(w: HasWays, who: str, questions: Sequence[Wonder]) -> list[Wonder]:
    out: dict[str, Wonder] = {}
    for q in questions:
        text = clean(q.text, THOUGHT_LENGTH)
        if text:
            out.setdefault(text, Wonder(text, _person(q.about, w.cast, who), clean(q.topic, THOUGHT_LENGTH), q.tone))
    return list(out.values())[:QUESTIONS]


def valid_insights(
    insights: Sequence[Insight], people: Iterable[str], who: str, shown: set[int], most: int
) -> tuple[Insight, ...]:
    """The first insights that say something: safe to print, resting on nothing but what was shown, no text twice."""
    out: dict[str, Insight] = {}
    for i in insights:
        text = clean(i.text, THOUGHT_LENGTH)
        if text:
            poignancy = min(10, max(1, i.poignancy))
            out.setdefault(text, Insight(text, _seen(i.evidence, shown), poignancy, _person(i.about, people, who)))
    return tuple(out.values())[:most]


def _notes(notes: Sequence[Note], people: Iterable[str], who: str, shown: set[int]) -> tuple[Note, ...]:
    """One for each person, and none about nobody."""
    out: dict[str, Note] = {}
    for n in notes:
        text, about = clean(n.text, THOUGHT_LENGTH), _person(n.about, people, who)
        if text and about:
            out.setdefault(about, Note(text, about, clean(n.topic, THOUGHT_LENGTH), _seen(n.evidence, shown)))
    return tuple(out.values())[:NOTES]


def _seen(evidence: Iterable[int], shown: set[int]) -> tuple[int, ...]:
    return tuple(id for id in dict.fromkeys(evidence) if id in shown)[:EVIDENCE]


def _person(about: str, people: Iterable[str], who: str) -> str:
    return about if about in people and about != who else ""


def _change(w: HasWays, answer: Reflection) -> Pad:
    p = w.mood_parameters
    if not p.on or answer.emotion not in OCC:
        return CALM
    return delta(answer.emotion, min(1.0, max(0.0, answer.intensity)), p.slow)
