"""What somebody remembers: three views of the one stream of acts, and their best round. Nothing is kept twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sandbox.lab.friends.model import NOT, GameAct
from sandbox.lab.friends.plan import Best
from sandbox.lab.friends.transcripts import addressees


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
    """With whom somebody last had to do, the latest first, each once."""
    found: dict[int, None] = {}
    for a in reversed(acts):
        for other in addressees(a) if a.sender == who else (a.sender,) if who in addressees(a) else ():
            found.setdefault(other)
        if len(found) >= most:
            break
    return tuple(found)[:most]


def better(best: Best | None, round: int, score: float, done: Sequence[GameAct]) -> Best:
    """Somebody's best round, now that one more is over; of equal ones the first."""
    if best is not None and best.score >= score:
        return best
    kinds: Mapping[str, int] = Counter(a.kind for a in done)
    return Best(round, score, kinds)
