"""The system of reflection: who has taken in enough looks back, draws insights, and is moved by them (the slow update).

Source: seed 004; spec/emotion.md (slow update). A first version: the mind gets the most telling memories at once.
"""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.people.memory import Memory, retrieve
from sandbox.people.model import Insight, Reflected
from sandbox.people.mood import Pad, mood_at, moved
from sandbox.people.occ import delta
from sandbox.people.planning import HasWays
from sandbox.people.questions import Look, Reflect, Reflection

SHOWN = 30
LATEST = 400  # memories looked through: a day or two


async def reflect(step: Step, w: HasWays) -> None:
    """Let those reflect whose memories since the last time weigh enough, and who are awake and not in a talk."""
    threshold = w.memory_parameters.threshold
    due = [
        who
        for who, s in w.memories.streams.items()
        if s.since >= threshold and w.people.residents[who].awake and not w.people.residents[who].talk
    ]
    if not due:
        return
    questions, times, shown = [], [], []
    for who in due:
        t = max(step.now, w.last.get(who, 0), w.people.residents[who].mood.t)
        mood = mood_at(w.people.residents[who].mood, t, w.mood_parameters.half_life)
        stream = w.memories.streams[who]
        nodes = retrieve(stream, "", t, mood, w.memory_parameters, SHOWN, stream.nodes[-LATEST:])
        questions.append(_question(w, who, nodes, mood))
        times.append(t)
        shown.append({m.id for m in nodes})
        step.recall(who, [m.id for m in nodes])
    answers: list[Reflection] = await step.ask(questions)
    for who, t, ids, answer in zip(due, times, shown, answers, strict=True):
        mood = mood_at(w.people.residents[who].mood, t, w.mood_parameters.half_life)
        change = delta(answer.emotion, answer.intensity, w.mood_parameters.slow) if answer.emotion else (0.0, 0.0, 0.0)
        if not w.mood_parameters.on:
            change = (0.0, 0.0, 0.0)
        after, applied = moved(mood, change)
        insights = tuple(
            Insight(i.text, tuple(x for x in i.evidence if x in ids), i.poignancy, i.about) for i in answer.insights
        )
        step.emit(Reflected(answer.focus, insights, applied, after), t=t, actor=who)


def _question(w: HasWays, who: str, nodes: list[Memory], mood: Pad) -> Reflect:
    people = {p for m in nodes for p in m.about}
    ties = w.people.ties.get(who, {})
    looks = tuple(Look(m.id, m.kind, m.text, m.about, m.poignancy, m.delta[0], m.topic) for m in nodes)
    return Reflect(
        who=who,
        memories=looks,
        names={p: w.handbook.name(p) for p in sorted(people)},
        feelings={p: ties[p].feeling for p in sorted(people) if p in ties},
        persona=w.cast[who],
        mood=mood,
    )
