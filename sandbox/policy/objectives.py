"""What a platform wants: objectives, as rewards in [0, 1] of what came of a round (seed 001, 3).

class Calm(Objective):
    name = "calm"

    def of_arms(self, seen: Seen) -> Floats:
        return 1 - seen.toxicity
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import Flags, Floats, places_in
from sandbox.policy.seen import Act, Seen

# The worth of what a reader does, the largest of several (`h` of equation 9); unfollowing is worth nothing.
WORTH = {Act.DISLIKE: 0.1, Act.LIKE: 0.25, Act.FOLLOW: 0.4, Act.COMMENT: 0.6, Act.QUOTE: 0.8, Act.REPOST: 1.0}
ACTS: Floats = np.array(
    [max((w for bit, w in WORTH.items() if acts & bit), default=0.0) for acts in range(256)], np.float32
)
MU = 4.0  # weight of toxicity: from .25 on, an answer is worth nothing
MANY = 3  # users freed or infected in a round by one author that count in full


class Objective:
    """Rewards of a round's decisions. Implement those of the levers it is used for; each gives numbers in [0, 1].

    name: in worlds and reports.
    """

    name = "own"

    def of_arms(self, seen: Seen) -> Floats:
        """Of each arm, (m,)."""
        raise NotImplementedError(f"the objective {self.name} has no reward of cards; write of_arms")

    def of_exposure(self, seen: Seen) -> Floats:
        """Of each author in `seen.authors`, (c,), at the level they had."""
        raise NotImplementedError(f"the objective {self.name} has no reward of exposure; write of_exposure")

    def of_mix(self, seen: Seen) -> float:
        """Of the mix."""
        raise NotImplementedError(f"the objective {self.name} has no reward of a mix; write of_mix")


class Engagement(Objective):
    """That people react, however they do."""

    name = "engagement"

    def of_arms(self, seen: Seen) -> Floats:
        return self.worth(ACTS[seen.acts], seen.sender_before, seen.receiver_before, seen.toxicity)

    def of_exposure(self, seen: Seen) -> Floats:
        answers = self._answers(seen)
        at, own = places_in(seen.authors, seen.answers.to)
        total = np.bincount(at[own], answers[own], len(seen.authors)) / MANY
        return np.minimum(total, 1).astype(np.float32)

    def of_mix(self, seen: Seen) -> float:
        return float(min(1.0, MANY * self._answers(seen).sum() / max(seen.active, 1)))

    def _answers(self, seen: Seen) -> Floats:
        a = seen.answers
        return self.worth(ACTS[a.acts], a.stance_to, a.stance_by, a.toxicity)

    def worth(self, worth: Floats, sender: Floats, receiver: Floats, toxicity: Floats) -> Floats:
        """Of acts worth so much, between people of these stances."""
        return worth


class CrossStance(Engagement):
    """That people of unlike stances react to each other without venom (equation 9):

    r = |s(sender) - s(receiver)| / 2 h(acts) max(0, 1 - mu toxicity).
    """

    name = "cross_stance"

    def __init__(self, mu: float = MU) -> None:
        self.mu = mu

    def worth(self, worth: Floats, sender: Floats, receiver: Floats, toxicity: Floats) -> Floats:
        found: Floats = np.abs(sender - receiver) / 2 * worth * np.maximum(0, 1 - np.float32(self.mu) * toxicity)
        return found


class Misinformation(Objective):
    """That fewer believe the watched claim. Of an author: .5 + .5 clip((freed - infected) / 3, -1, 1), of those whom
    their cards have freed of it or infected with it (ours). Of a card given to a reader: 1 if they no
    longer believe it, 0 if they have come to, else .5. Without a rebuttal nobody is freed.
    """

    name = "misinformation"

    def of_arms(self, seen: Seen) -> Floats:
        return balance(flags_of(seen.believed, seen.users), flags_of(seen.believe, seen.users))

    def of_exposure(self, seen: Seen) -> Floats:
        found: Floats = (0.5 + 0.5 * np.clip((seen.freed - seen.infected) / MANY, -1, 1)).astype(np.float32)
        return found

    def of_mix(self, seen: Seen) -> float:
        fewer = float(seen.believed.sum()) - float(seen.believe.sum())
        return float(0.5 + 0.5 * np.clip(10 * fewer / max(seen.active, 1), -1, 1))


class OwnMisinformation(Misinformation):
    """As it is printed in the paper (equation 10): whether the author themselves still believes the claim, which their
    own exposure cannot change. It teaches nothing, and is here to show that.
    """

    name = "misinformation_printed"

    def of_exposure(self, seen: Seen) -> Floats:
        return balance(flags_of(seen.believed, seen.authors), flags_of(seen.believe, seen.authors))


def balance(before: Flags, after: Flags) -> Floats:
    """.5 of those who are as before, 1 of those who have changed for the better, 0 for the worse."""
    return (0.5 + 0.5 * (before.astype(np.float32) - after)).astype(np.float32)


def flags_of(flags: Flags, users: NDArray[np.integer]) -> Flags:
    """The flags of some users; nobody has one who is not in the list."""
    found: Flags = np.append(flags, False)[np.minimum(users, len(flags))]
    return found


OBJECTIVES: dict[str, type[Objective]] = {
    made.name: made for made in (CrossStance, Misinformation, OwnMisinformation, Engagement)
}
