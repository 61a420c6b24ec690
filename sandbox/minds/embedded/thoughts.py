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


# What is thought of somebody: by how time with them has felt, else by the feeling for them, else by how often they met.
PERSON = {
    "good": (
        "{name} does me good",
        "time with {name} is never wasted",
        "{name} is better company than I let on",
        "I come away from {name} standing straighter",
        "I must tell {name} so, one of these days",
        "the hour with {name} was the shortest of the day",
        "{name} laughs in the right places",
        "whatever {name} has, I could do with a jar of it",
        "I would walk the long way round to meet {name}",
    ),
    "bad": (
        "{name} gets under my skin",
        "something is wrong between {name} and me",
        "{name} was short with me",
        "I keep answering {name} in my head",
        "I was better before {name} came in",
        "{name} knows exactly where the sore place is",
        "I shall be civil to {name}, and it will cost me",
        "there was no need for {name} to take that tone",
        "I have said less to {name} than I meant, and more than I should",
    ),
    "fond": (
        "{name} is simply there, and that is a lot",
        "I lean on {name} more than I say",
        "a day without {name} would have a hole in it",
        "I look for {name} in every room before I sit down",
        "{name} has never once made me feel a fool",
        "if there were a fire I would shout for {name}",
        "I know {name}'s step on the stairs",
        "I ought to ask {name} how things are, and then listen",
        "there are few like {name}, and I have one of them",
    ),
    "sour": (
        "I keep my distance from {name}, and it shows",
        "{name} and I will not mend by waiting",
        "I cross the square sooner than meet {name}",
        "one of us will have to speak first, and {name} will not",
        "I have stopped wishing {name} good morning",
        "{name} and I are polite like a shut door",
    ),
    "often": (
        "I run into {name} wherever I go",
        "{name} is part of my day, like it or not",
        "I could set the clock by {name}",
        "it would be odd by now not to see {name}",
        "{name} and I seem to use the same pavement",
        "I have talked more with {name} than I remember deciding to",
    ),
    "new": (
        "I hardly know what {name} is thinking",
        "there is more to {name} than they show",
        "I have never asked {name} a real question",
        "I could not say what makes {name} laugh",
        "{name} watches, and says little of it",
        "I would know {name}'s coat anywhere, and not much else",
    ),
}


def _person(name: str, mood: float, feeling: float, times: int, chance: Stream) -> str:
    if abs(mood) > 0.12:
        sort = "good" if mood > 0 else "bad"
    elif feeling > 0.3 or feeling < -0.2:
        sort = "fond" if feeling > 0 else "sour"
    else:
        sort = "often" if times > 4 else "new"
    return chance.choice(PERSON[sort]).format(name=name)
