"""Ties by text: how close somebody would be to another, from what the two wrote in a round and that alone.

The embedded mind's rule; it sees the words, and neither votes, nor tones as they were planned, nor who anybody is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from sandbox.lab.friends.model import DIRECT, NOT, PUBLIC, GameAct
from sandbox.lab.friends.plan import Best
from sandbox.people.ties import Matrix


def conversation(acts: Sequence[GameAct], who: int) -> list[GameAct]:
    """All that somebody said, or that was addressed to them, in order."""
    return [a for a in acts if a.kind != NOT and (a.sender == who or who in addressees(a))]


def relationship(acts: Sequence[GameAct], who: int, other: int) -> list[GameAct]:
    """All that passed between two people, in order."""
    return [
        a for a in acts if (a.sender == who and other in addressees(a)) or (a.sender == other and who in addressees(a))
    ]


def opinion(acts: Sequence[GameAct], who: int) -> dict[str, float]:
    """Topic -> one stance: the mean sentiment of what somebody said on it, in [-1, 1]. The topic they spoke of last is
    the last.
    """
    said: dict[str, list[float]] = {}
    for a in acts:
        if a.sender == who and a.kind != NOT:
            said[a.topic] = [*said.pop(a.topic, []), a.sentiment]
    return {topic: sum(moods) / len(moods) for topic, moods in said.items()}


def partners(acts: Sequence[GameAct], who: int, most: int = 5) -> tuple[int, ...]:
    """The people somebody last interacted with, latest first, each once."""
    found: dict[int, None] = {}
    for a in reversed(acts):
        for other in addressees(a) if a.sender == who else (a.sender,) if who in addressees(a) else ():
            found.setdefault(other)
        if len(found) >= most:
            break
    return tuple(found)[:most]


def better(best: Best | None, round: int, score: float, done: Sequence[GameAct]) -> Best:
    """Somebody's best round after one more round; the earlier one if equal."""
    if best is not None and best.score >= score:
        return best
    kinds: Mapping[str, int] = Counter(a.kind for a in done)
    return Best(round, score, kinds)


HIGHEST = 5
STEPS = (0.1, 0.4, 0.7)  # mean sentiment from which a transcript is worth 1, 2 and 3


class TranscriptLine(NamedTuple):
    """A text between two people. mine: it is by who rates. mood: how kind it is, names and handles left out."""

    mine: bool
    text: str
    mood: float


def rate_transcript(transcript: Sequence[TranscriptLine]) -> int:
    """0 (nothing, mixed or hostile) to 5 (warm, both ways, and more than once): by the mean sentiment of the texts,
    with one point more where both wrote and none was harsh, and one where there were three or more.
    """
    moods = [s.mood for s in transcript]
    if not moods:
        return 0
    mean = sum(moods) / len(moods)
    points = sum(mean >= step for step in STEPS)
    if points >= 2 and min(moods) > -STEPS[0]:
        points += len({s.mine for s in transcript}) == 2
        points += len(moods) >= 3
    return min(HIGHEST, points)


def addressees(a: GameAct) -> Iterator[int]:
    """To whom an act is addressed: who gets it or is commented on, and who is named; each once."""
    to = chain([a.recipient] if a.kind in DIRECT else [], a.mentions if a.kind in PUBLIC else [])
    return iter(dict.fromkeys(x for x in to if x not in (-1, a.sender)))


def transcripts(acts: Sequence[GameAct]) -> dict[tuple[int, int], list[TranscriptLine]]:
    """(who rates, whom) -> what the two wrote to each other, in order. A pair that wrote nothing has none."""
    out: dict[tuple[int, int], list[TranscriptLine]] = {}
    for a in acts:
        for to in addressees(a):
            out.setdefault((a.sender, to), []).append(TranscriptLine(True, a.text, a.sentiment))
            out.setdefault((to, a.sender), []).append(TranscriptLine(False, a.text, a.sentiment))
    return out


def text_evidence(ratings: Mapping[tuple[int, int], int], n: int) -> Matrix:
    """Row u, column v: e(v -> u) = what v rates u / 5, in [0, 1]."""
    out = np.zeros((n, n))
    for (v, u), score in ratings.items():
        out[u, v] = score / HIGHEST
    return out
