"""Who hears whom once a network stands still, and what comes of it: agents hold a snippet each, hear voices by the
weight of arcs, and answer anew, round by round (seed 002, 5.3 and 5.4; docs/society.md, hearing).

A network has weights (source, target), summed over coordinates. Two readings of them: `along`, who asks tells whom they
ask; `back`, who is asked answers who asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

import numpy as np

from sandbox.feed.tables import draws
from sandbox.society.items import SNIPPETS, Item, left
from sandbox.society.many import Doubles, Flags, Longs, Types
from sandbox.society.model import NOBODY

Reading = Literal["along", "back"]
READINGS: tuple[Reading, Reading] = ("along", "back")
VOICES = 3  # that each hears in a round
ROUNDS = 5
CENTRAL = 10  # agents among whom somebody is central, or peripheral


class StillNetwork(NamedTuple):
    """A network that stands still. weights: (agents, agents), of who asks and who is asked. types: (agents,)."""

    weights: Doubles
    types: Types


class Hearing(NamedTuple):
    """What agents go by when they answer. types: (agents,). stays: (items, 2^5, answers), whether an answer stays for
    who knows these snippets, a bit each. known: (items, agents), those they know; before: the answers they gave, NOBODY
    = none; said: (items, agents, voices), the answers they hear now, NOBODY = no voice.
    """

    types: Types
    stays: Flags
    known: Longs
    before: Longs
    said: Longs


class AnswersItems(Protocol):
    """Who decides what agents answer."""

    def answer(self, hearing: Hearing, drawn: Doubles) -> Longs:
        """Places of answers, (items, agents). drawn: (items, agents, 3), in [0, 1)."""
        ...


class Plant(NamedTuple):
    """Somebody who keeps to an answer. agent: who; places: (items,), the answers."""

    agent: int
    places: Longs


def speaking(network: StillNetwork, reading: Reading) -> Doubles:
    """How much each agent is heard, (agents,)."""
    found: Doubles = network.weights.sum(axis=1 if reading == "along" else 0)
    return found


def ranked(network: StillNetwork, reading: Reading) -> Longs:
    """The agents, most heard first; where equal, the first to come."""
    return np.argsort(-speaking(network, reading), kind="stable")


class Talks:
    """Talks on a network about some items, each apart from the others. seed: of whose snippet is whose, and who hears
    whom. plant: of each item. holds: the snippet of each agent, (items, agents), None = by lot. answers: the last ones,
    (items, agents).
    """

    def __init__(
        self,
        network: StillNetwork,
        items: Sequence[Item],
        seed: int,
        reading: Reading,
        plant: Plant | None = None,
        holds: Longs | None = None,
    ) -> None:
        self.items, self.network, self.plant = tuple(items), network, plant
        agents = len(network.types)
        self._seed, self._round = seed, 0
        lots = [draws(seed, "snippet", i).integers(0, SNIPPETS, agents) for i in range(len(items))]
        self.holds: Longs = np.array(lots) if holds is None else holds
        self.answers = np.full((len(items), agents), NOBODY)
        self.known: Longs = 1 << self.holds
        heard = network.weights.T if reading == "along" else network.weights
        self._sums = np.cumsum(heard, axis=1)
        self._stays = stays_table(self.items)

    def hear(self, voices: int = VOICES) -> tuple[Hearing, Longs]:
        """What each goes by in the next round, which only `take` ends, and the voices they hear, (items, agents,
        voices). Before the first round nobody hears anybody.
        """
        if not self._round:
            who: Longs = np.full((*self.answers.shape, 0), NOBODY)
        else:
            lots = self._lots("voices", voices)
            who = (self._sums[:, None, :] <= lots[..., None] * self._sums[:, -1][:, None, None]).sum(axis=-1)
            who[:, self._sums[:, -1] == 0] = NOBODY
        rows = np.arange(len(self.items))[:, None, None]
        said = np.where(who == NOBODY, NOBODY, self.answers[rows, who])
        told = np.where(who == NOBODY, 0, self.known[rows, who])
        self.known = self.known | np.bitwise_or.reduce(told, axis=-1)
        return Hearing(self.network.types, self._stays, self.known, self.answers, said), who

    def take(self, answers: Longs) -> None:
        """End a round: all answer at once; who is planted keeps to theirs. answers: (items, agents)."""
        self.answers = answers.copy()
        if self.plant is not None:
            self.answers[:, self.plant.agent] = self.plant.places
        self._round += 1

    def go(self, by: AnswersItems, rounds: int = ROUNDS) -> Longs:
        """Alone, and then rounds of talk: all answers, (1 + rounds, items, agents)."""
        found = []
        for _ in range(1 + rounds):
            hearing, _ = self.hear()
            self.take(by.answer(hearing, self._lots("answers", 3)))
            found.append(self.answers)
        return np.array(found)

    def _lots(self, what: str, each: int) -> Doubles:
        shape = (len(self.items), len(self.network.types), each)
        return draws(self._seed, what, self._round).random(shape)


@lru_cache(maxsize=16)
def stays_table(items: tuple[Item, ...]) -> Flags:
    """Whether an answer stays for who knows these snippets, (items, 2^5, answers)."""
    found = np.zeros((len(items), 2**SNIPPETS, max(len(item.answers) for item in items)), bool)
    for row, item in zip(found, items, strict=True):
        for known in range(2**SNIPPETS):
            row[known, [*left(item, [i for i in range(SNIPPETS) if known >> i & 1])]] = True
    return found


def rewired(network: StillNetwork, seed: int) -> StillNetwork:
    """The network with as many arcs from and to each agent, and each agent's arcs as heavy, but otherwise by lot: where
    arcs end is swapped between two of them, ten times an arc on average (Maslov and Sneppen 2002).
    """
    source, target = network.weights.nonzero()
    weight, ends = network.weights[source, target], target.tolist()
    begins, chance = source.tolist(), draws(seed, "rewire")
    arcs = set(zip(begins, ends, strict=True))
    for i, j in chance.integers(0, len(ends), (10 * len(ends), 2)).tolist():
        a, b, c, d = begins[i], ends[i], begins[j], ends[j]
        if a != d and c != b and (a, d) not in arcs and (c, b) not in arcs:
            arcs -= {(a, b), (c, d)}
            arcs |= {(a, d), (c, b)}
            ends[i], ends[j] = d, b
    weights = np.zeros_like(network.weights)
    weights[begins, ends] = weight
    return StillNetwork(weights, network.types)
