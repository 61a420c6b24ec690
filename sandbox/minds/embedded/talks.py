"""What a talk does to those in it, without a language model: what a line makes them feel, what it was about, and how
much of it stays.
"""

from __future__ import annotations

from sandbox.core.chance import Stream
from sandbox.people.causes import Sort
from sandbox.talk.appraise import MOVES, listener_emotion
from sandbox.talk.ledger import HEARD, SAID, TOPICAL
from sandbox.talk.questions import Appraise, Appraised, Line, Rate, Rated, Summarise, Summary

# What a talk was about that named nothing, by what it was begun for.
VAGUE = {
    "chat": "how things are",
    "ask_plans": "the day's plans",
    "compliment": "each other's good points",
    "tease": "nothing serious",
    "snap": "old sores",
}
SMALL = frozenset(("small_talk", "small_talk_back"))  # moves that say nothing worth naming
STAYS = {"warm": 3, "plain": 3, "tense": 5, "hostile": 6}


def appraise(q: Appraise, chance: Stream) -> Appraised:
    """The emotion of each line's move, for who said it and for who heard it (`talk.appraise`)."""
    felt: list[tuple[str, float]] = []
    why, strongest = "", 0.0
    sort: Sort = "event"
    for line in q.lines:
        emotion, intensity = _felt(line)
        if emotion:
            intensity = min(1.0, max(0.0, intensity * (1.0 + 0.4 * q.neuroticism)))
            felt.append((emotion, intensity))
            if intensity > strongest:
                strongest, why = intensity, _named(line)
                sort = "small_talk" if line.mine and line.move in SMALL else "event"
    return Appraised(tuple(felt), why, sort)


def _felt(line: Line) -> tuple[str, float]:
    effect = MOVES[line.move]
    return (effect.speaker, effect.speaker_intensity) if line.mine else listener_emotion(line.move, line.feeling)


def _named(line: Line) -> str:
    words = SAID.get(line.move, "a few words") if line.mine else HEARD.get(line.move, "a few words with {name}")
    words = words.format(name=line.name)
    return f"{words}, about {line.topic}" if line.topic and line.move in TOPICAL else words


def summarise(q: Summarise, chance: Stream) -> Summary:
    """The first topics that were named, else what the talk was begun for."""
    if q.topics:
        first, *more = q.topics
        return Summary(f"{first}, then {more[0]}" if more and "," not in first + more[0] else first)
    return Summary(VAGUE.get(q.intent, "this and that"))


def rate(q: Rate, chance: Stream) -> Rated:
    """By the tone: a row stays."""
    return Rated(STAYS[q.tone])
