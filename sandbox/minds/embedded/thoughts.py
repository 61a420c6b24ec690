"""What the embedded mind makes of a look back: who filled the day, how they treated one, what weighs most."""

from __future__ import annotations

from sandbox.core.chance import Stream
from sandbox.people.model import Insight
from sandbox.people.questions import Look, Reflect, Reflection


def reflect(q: Reflect, chance: Stream) -> Reflection:
    """Three focus questions at most, one insight each, and one emotion from the whole."""
    assert q.persona is not None
    about: dict[str, list[Look]] = {}
    for m in q.memories:
        if m.kind != "thought":
            for who in m.about[:1]:
                about.setdefault(who, []).append(m)
    ranked = sorted(about, key=lambda who: (-sum(m.poignancy for m in about[who]), who))[:2]
    focus, insights = [], []
    for who in ranked:
        name = q.names.get(who, who)
        memories = about[who]
        mood = sum(m.pleasure for m in memories)
        evidence = tuple(m.id for m in memories[:6])
        feeling = q.feelings.get(who, 0.0)
        focus.append(f"What do I make of {name} these days?")
        insights.append(Insight(_person(name, mood, feeling, len(memories), chance), evidence, _weight(mood), who))
    topics = [m for m in q.memories if m.topic and m.kind == "chat"]
    if topics:
        best = max(topics, key=lambda m: (m.poignancy, -m.id))
        focus.append(f"Why does {best.topic} keep coming up?")
        same = tuple(m.id for m in topics if m.topic == best.topic)[:6]
        insights.append(Insight(f"{best.topic} is on people's minds, mine too", same, 4, ""))
    total = sum(m.pleasure for m in q.memories)
    if total > 0.25:
        emotion, size = ("gratification" if total > 0.8 else "satisfaction"), min(1.0, 0.3 + total / 2)
    elif total < -0.15:
        emotion, size = ("resentment" if q.mood[2] > 0 else "distress"), min(1.0, 0.3 - total / 2)
    else:
        emotion, size = "hope", 0.3
    return Reflection(tuple(focus), tuple(insights), emotion, size)


def _weight(mood: float) -> int:
    return min(9, 5 + round(6 * abs(mood)))


def _person(name: str, mood: float, feeling: float, times: int, chance: Stream) -> str:
    if mood > 0.12:
        options = [
            f"{name} does me good",
            f"time with {name} is never wasted",
            f"{name} is better company than I let on",
        ]
    elif mood < -0.12:
        options = [
            f"{name} gets under my skin",
            f"something is wrong between {name} and me",
            f"{name} was short with me",
        ]
    elif feeling > 0.3:
        options = [f"{name} is simply there, and that is a lot", f"I lean on {name} more than I say"]
    elif feeling < -0.2:
        options = [f"I keep my distance from {name}, and it shows", f"{name} and I will not mend by waiting"]
    elif times > 4:
        options = [f"I run into {name} wherever I go", f"{name} is part of my day, like it or not"]
    else:
        options = [f"I hardly know what {name} is thinking", f"there is more to {name} than they show"]
    return chance.choice(options)
