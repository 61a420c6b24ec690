"""Ties by text: how close somebody would be to another, from what the two wrote in a round and that alone.

The embedded mind's rule; it sees the words, and neither votes, nor tones as they were planned, nor who anybody is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from sandbox.lab.friends.model import DIRECT, PUBLIC, GameAct
from sandbox.people.tie_rounds import Matrix

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
