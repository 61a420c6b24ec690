"""Whether people can be told apart by how they talk: naive Bayes over the words they use.

The more lines teach it, the more it tells: a week's save does better than a day's, which the target is meant for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from sandbox.core.chance import Chance

KEPT = 400  # latest lines of a person that are looked at
GROUP = 5  # lines by which somebody is to be told
LEAST = 2 * GROUP  # lines somebody needs to be among them: as many to learn from as to be told by
SEED = 0


class Voices:
    """The lines of each person, as words."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[tuple[str, ...]]] = {}

    def add(self, who: str, words: Sequence[str]) -> None:
        """Somebody has said this."""
        if who not in self._lines:
            self._lines[who] = deque(maxlen=KEPT)
        self._lines[who].append(tuple(words))

    def accuracy(self) -> float | None:
        """The share of groups of five lines that are given to who said them, among all with ten lines or more.

        Half of each person's lines, drawn by a fixed seed, teach how often they use each word (add-one, all people
        alike likely); the others are told in fives. None with fewer than two such people.
        """
        people = sorted(who for who, lines in self._lines.items() if len(lines) >= LEAST)
        if len(people) < 2:
            return None
        learnt: list[list[tuple[str, ...]]] = []
        told: list[tuple[int, list[str]]] = []
        for i, who in enumerate(people):
            lines = list(self._lines[who])
            Chance(SEED).stream(0, who, "voices").shuffle(lines)
            half = len(lines) // 2
            learnt.append(lines[:half])
            rest = lines[half:]
            groups = [rest[at : at + GROUP] for at in range(0, len(rest) - GROUP + 1, GROUP)]
            told += [(i, [word for line in group for word in line]) for group in groups]
        index: dict[str, int] = {}
        for lines in learnt:
            for line in lines:
                for word in line:
                    index.setdefault(word, len(index))
        counts = np.ones((len(index), len(people)), dtype=np.float32)
        for i, lines in enumerate(learnt):
            np.add.at(counts[:, i], [index[word] for line in lines for word in line], 1.0)
        chances = np.log(counts / counts.sum(axis=0))
        right = 0
        for i, group in told:
            known = [index[word] for word in group if word in index]
            right += int(np.argmax(chances[known].sum(axis=0))) == i
        return round(right / len(told), 4)
