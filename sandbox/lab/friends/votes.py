"""The voting rule: what people think of what others have published, -1, 0 or 1, and mostly nothing.

A rule of ours for the embedded mind; the paper asks a model. It looks at what a reader can tell: the tone, the topic,
who it is by, where both stand, and perhaps how close they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sandbox.lab.friends.model import CRITICAL, SUPPORTIVE, TONES, GameAct
from sandbox.lab.friends.persona import PlayerPersona
from sandbox.people.tie_rounds import Matrix

Votes = npt.NDArray[np.int8]
LIKE, DISLIKE = -3.2, -3.4  # logits of a vote for and against something that leaves one cold
KIND, HARSH = 0.5, -0.7  # what tone adds to the wish to like; the harsh one less for who is harsh themselves
INTEREST, CAMP, CLOSE = 1.0, 2.0, 1.5  # what a topic of one's own, a like mind, and a friend add


class Voters:
    """The thirty as voters."""

    def __init__(self, people: Sequence[PlayerPersona]) -> None:
        self.stance = np.array([p.stance for p in people])
        self.agreeable = np.array([p.big_five.agreeableness for p in people])
        self.interests = [frozenset(p.interests) for p in people]

    def votes(self, acts: Sequence[GameAct], lots: Matrix, ties: Matrix | None) -> Votes:
        """A row for each person, a column for each of some public acts; nobody votes on their own. lots: numbers in
        [0, 1) of that shape, which decide. ties: what votes lean towards, None = they do not see them.
        """
        sender = np.array([a.sender for a in acts], dtype=np.int64)
        tone = np.array([TONES.index(a.tone) for a in acts], dtype=np.int64)
        liking = np.zeros((len(self.stance), len(acts)))
        liking += CAMP * (0.5 - np.abs(self.stance[:, None] - self.stance[sender][None, :]))
        liking += np.where(tone == TONES.index(SUPPORTIVE), KIND, 0.0)[None, :]
        harsh = np.where(tone == TONES.index(CRITICAL), 1.0, 0.0)
        liking += HARSH * (1.0 + self.agreeable)[:, None] * harsh[None, :]
        liking += INTEREST * np.array([[a.topic in own for a in acts] for own in self.interests], dtype=np.float64)
        if ties is not None:
            liking += CLOSE * ties[:, sender]
        like, dislike = _logistic(LIKE + liking), _logistic(DISLIKE - liking)
        out = (lots < like).astype(np.int8) - (lots >= 1.0 - dislike).astype(np.int8)
        out[sender, np.arange(len(acts))] = 0
        return out


def _logistic(x: Matrix) -> Matrix:
    out: Matrix = 1.0 / (1.0 + np.exp(-x))
    return out
