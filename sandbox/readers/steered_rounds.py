"""What came of each round of a steered feed, from the log alone: the reward that it earned for the objective, how the
town stands, and who answered whom. A living town and a replay are read alike; so are two logs of the same seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sandbox.core.events import Record
from sandbox.feed.model import Steering
from sandbox.feed.steering import FULL, SCORE, Steered, unpack_steered
from sandbox.feed.tables import Longs
from sandbox.policy.model import PolicyParameters, steering_settings
from sandbox.policy.objectives import OBJECTIVES, Engagement
from sandbox.policy.oracle import regret
from sandbox.policy.seat import no_past, remember
from sandbox.policy.seating import sizes_of
from sandbox.policy.seen import RoundWatch, Seen, stances
from sandbox.policy.teaching import KINDS as KINDS
from sandbox.policy.teaching import FeedAgain
from sandbox.policy.toxicity import CommentToxicity
from sandbox.policy.views import PlatformView

BINS = 20  # equal parts of [-1, 1] in which stances are counted


class SteeredRound(NamedTuple):
    """A round that is over. number: of the tick; t: second at which it ended. policy: who steered, "" = nobody.
    fault: whether the policy failed. reward: of the whole round, in [0, 1], as a mix is rewarded; of_cards: mean reward
    of the chosen cards that were read, in [0, 1], None without any; regret: by how much less they were worth on average
    than an oracle's, None if it has no odds for the objective. answers: comments, reposts and quotes; across:
    those between people of opposite stances. mean, deviation: of stances, in [-1, 1]. misinformed: how many believe
    the watched claim, -1 = none is watched. stances: how many stand in each of BINS parts of [-1, 1].
    """

    number: int
    t: int
    policy: str
    fault: bool
    reward: float
    of_cards: float | None
    regret: float | None
    answers: int
    across: int
    mean: float
    deviation: float
    misinformed: int
    stances: tuple[int, ...]


class SteeredRounds(FeedAgain):
    """Reads events of KINDS in order. world: whose log it is, at any moment. rounds: those that are over. upto: number
    of the last event that was read.
    """

    def __init__(self, world: Any) -> None:
        super().__init__(world)
        self.rounds: list[SteeredRound] = []
        self.upto = 1
        self._toxicity = CommentToxicity()
        self._watch: RoundWatch | None = None
        self._began: tuple[Steered, str] | None = None  # the round under way, and its objective
        self._past = no_past(self.feed)
        self._regret: float | None = None

    def take(self, records: Iterable[Record], upto: int) -> None:
        """Read the next events. upto: number of the last event of any kind among which these were found."""
        for record in records:
            self.live(record)
        self.upto = upto

    def begin_round(self, event: Steered, t: int) -> None:
        self.end_round(t)
        if event.idle:
            return
        done = unpack_steered(self.feed, event)
        assert done is not None
        silenced, levels = np.frombuffer(event.silenced, "<u4").astype(np.int64), np.frombuffer(event.levels, np.uint8)
        arms = done.users, done.cards, (done.scores / SCORE).astype(np.float32)
        exposures = silenced, (levels / FULL).astype(np.float32)
        look = self.sitters(event.number)
        self._watch = RoundWatch(self.feed, arms, exposures, done.mix, look)
        self._began = event, (settings := steering_settings(self)).objective
        self._regret = self._worse_than_an_oracle(settings, done, event.number, look)

    def _worse_than_an_oracle(
        self, settings: PolicyParameters, done: Steering, number: int, look: Longs
    ) -> float | None:
        worth = OBJECTIVES[settings.objective]()
        if not isinstance(worth, Engagement) or not len(done.users):
            return None
        sizes = sizes_of(settings)
        view = PlatformView(self.feed, number, self.starts(number), self._past, sizes, self.scenario.seed, look)
        return regret(self._crowd, worth, view, done.users, done.cards)

    def end_round(self, t: int) -> None:
        """End the round under way at second t, if there is one."""
        if self._watch is None or self._began is None:
            return
        event, objective = self._began
        seen = self._watch.seen(self.feed, self._toxicity)
        self._watch = self._began = None
        self._past = remember(self.feed, self._past, seen)
        self.rounds.append(self._round(event, t, objective, seen))

    def _round(self, event: Steered, t: int, objective: str, seen: Seen) -> SteeredRound:
        worth = OBJECTIVES[objective]()
        feed = self.feed
        people = np.arange(feed.crowd or feed.users.n)
        stance = stances(feed, people)
        counts = np.histogram(stance, BINS, (-1, 1))[0]
        across = seen.answers.stance_by * seen.answers.stance_to < 0
        return SteeredRound(
            event.number,
            t,
            event.policy,
            bool(event.fault),
            worth.of_mix(seen),
            float(worth.of_arms(seen).mean()) if len(seen.users) else None,
            self._regret,
            len(across),
            int(across.sum()),
            float(stance.mean()) if len(stance) else 0.0,
            float(stance.std()) if len(stance) else 0.0,
            int(seen.believe.sum()) if len(seen.believe) else -1,
            tuple(counts.tolist()),
        )


def curve(values: Sequence[float | None], cells: int) -> list[float | None]:
    """A series as at most `cells` means of equal parts, in order; None where a part has no value."""
    parts = np.array_split(np.array([np.nan if v is None else v for v in values], float), min(cells, len(values)) or 1)
    known = [part[~np.isnan(part)] for part in parts]
    return [float(part.mean()) if len(part) else None for part in known] if values else []
