"""Who decides what is granted and answered: the contract, the embedded granter, and the check that one keeps its
promises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

import msgspec
import numpy as np

from sandbox.core.fields import plainly
from sandbox.society.hearing import Hearing
from sandbox.society.many import Doubles, Longs, Runs, StepPlan
from sandbox.society.model import NOBODY, TYPES, Asking, B, D, Grant, Proposal, R, Vector

LEVELS = 4096  # quantiles of a grant
SPREAD = 10.0  # a grant of mean mu is distributed as Beta(10 mu, 10 (1 - mu)) (spec: glass ceiling)
Means = tuple[tuple[Vector, Vector], tuple[Vector, Vector]]
NEUTRAL: Means = (((0.5,) * 3, (0.5,) * 3),) * 2
ALIGNED: Means = (((0.8, 0.7, 0.75), (0.75, 0.65, 0.7)), ((0.4, 0.35, 0.45), (0.35, 0.3, 0.4)))


class Granter(Protocol):
    """Says what one agent asks of another, what this one grants, and what all answer once the network stands still.
    drawn: numbers in [0, 1) that belong to the decision, for one that decides by chance: it must have no other.
    """

    def propose(self, asking: Asking) -> Proposal:
        """What the source asks of the target."""
        ...

    def grant(self, asking: Asking, proposal: Proposal, drawn: Sequence[float]) -> Grant:
        """What the target grants. drawn: three."""
        ...

    def answer(self, hearing: Hearing, drawn: Doubles) -> Longs:
        """The places of the answers that agents give to items, (items, agents). drawn: (items, agents, 3)."""
        ...


class BetaGranter:
    """Grants by chance, whose means depend on the types: means[target][source], of R and B, a vector each.
    capability: of R and B, the chance that an answer of their own is right once they have heard others; alone all guess
    among what their snippet leaves. follows: the chance to say instead what the first voice says.
    """

    def __init__(
        self, means: Means = NEUTRAL, capability: tuple[float, float] = (0.6, 0.6), follows: float = 0.7
    ) -> None:
        for row, target in zip(means, TYPES, strict=True):
            for mean, source in zip(row, TYPES, strict=True):
                if len(mean) != D or not all(0 < x < 1 for x in mean):
                    told = f"what {target} grants to {source} has the means {tuple(mean)}"
                    raise ValueError(f"{told}; give three numbers between 0 and 1")
        if not all(0 <= x <= 1 for x in (*capability, follows)):
            raise ValueError(f"capability and follows are chances from 0 to 1, not {capability} and {follows}")
        self.means, self.capability, self.follows = means, capability, follows
        self._tables = np.array([[[_quantiles(float(x)) for x in mean] for mean in row] for row in means])

    def propose(self, asking: Asking) -> Proposal:
        return Proposal()

    def grant(self, asking: Asking, proposal: Proposal, drawn: Sequence[float]) -> Grant:
        source, target = (R if of_r else B for of_r in asking.of_r)
        at = [int(x * LEVELS) for x in drawn]
        first, second, third = (self._tables[target, source, i, at[i]].item() for i in range(D))
        return Grant((first, second, third))

    def answer(self, hearing: Hearing, drawn: Doubles) -> Longs:
        follows, wits, place = np.moveaxis(drawn, -1, 0)
        rows, right = np.arange(len(hearing.known))[:, None], hearing.stays[:, -1:]
        alone = (hearing.before == NOBODY)[..., None]
        wise = (wits < np.array(self.capability)[hearing.types])[..., None]
        options = np.where(
            alone, hearing.stays[rows, hearing.known], np.where(wise, right, hearing.stays[:, :1] & ~right)
        )
        own = (options.cumsum(axis=-1) > place[..., None] * options.sum(axis=-1)[..., None]).argmax(axis=-1)
        if not hearing.said.shape[-1]:
            return np.asarray(own)
        first = hearing.said[..., 0]
        found: Longs = np.where((follows < self.follows) & (first != NOBODY), first, own)
        return found

    def grants(self, runs: Runs, plan: StepPlan) -> Doubles:
        """The grants of a step of many runs, (trials, 3, runs), as `grant` gives them one by one."""
        row = np.maximum(plan.target_type, 0).astype(np.int64) * len(TYPES) + np.maximum(plan.source_type, 0)
        at = (runs.drawn(plan) * LEVELS).astype(np.int64)
        at += (row[:, None] * D + np.arange(D)[:, None]) * LEVELS
        found: Doubles = self._tables.reshape(-1)[at]
        return found


@lru_cache(maxsize=256)
def _quantiles(mean: float) -> Doubles:
    """The middle quantiles of a grant's distribution, to six decimals, (LEVELS,)."""
    from scipy.special import betaincinv

    levels = (np.arange(LEVELS) + 0.5) / LEVELS
    found: Doubles = np.round(betaincinv(SPREAD * mean, SPREAD * (1 - mean), levels), 6)
    return found


def check_grant(grant: object) -> Grant:
    """The same grant. Raises ValueError, with a sentence, unless it is one that can be added."""
    if not isinstance(grant, Grant):
        raise ValueError(f"grant gives {type(grant).__name__}, not a Grant")
    given = tuple(grant.given)
    if len(given) != D or not all(isinstance(x, float | int) and 0 <= x <= 1 for x in given):
        raise ValueError(f"a grant is three numbers from 0 to 1, not {given}")
    if not grant.accepted and any(given):
        raise ValueError(f"a refusal grants nothing, not {given}")
    first, second, third = (round(float(x), 6) for x in given)
    return Grant((first, second, third), grant.accepted, grant.words)


def check_granter(make: Callable[[], Granter]) -> None:
    """Test a granter on asks between all types. make: its class, or a function that makes one. Raises AssertionError,
    with a sentence, if it breaks a promise: it proposes a `Proposal`; it grants three numbers from 0 to 1, none where
    it refuses; it answers each item for each agent by a place; and another one, made alike, does alike.
    """
    assert callable(make), f"{make!r} is one that is made already; give its class, or a function that makes one"
    one, other = make(), make()
    for number in range(40):
        asking = Asking(1 + number // 4, number % 4, 0, 1, (number % 2 == 0, number // 2 % 2 == 0))
        drawn = np.random.default_rng(number).random(D).tolist()
        said = []
        for granter in (one, other):
            proposal = granter.propose(asking)
            assert isinstance(proposal, Proposal), f"propose gives {type(proposal).__name__}, not a Proposal"
            try:
                said.append((proposal, check_grant(granter.grant(asking, proposal, drawn))))
                msgspec.json.decode(msgspec.json.encode(said[-1]), type=tuple[Proposal, Grant])
            except (ValueError, TypeError, msgspec.ValidationError) as error:
                raise AssertionError(f"what is proposed or granted cannot be kept: {plainly(error)}") from None
        assert said[0] == said[1], f"two made alike answer ask {number} otherwise: {said[0]} and {said[1]}"
    for hearing in _hearings():
        drawn = np.random.default_rng(1).random((*hearing.known.shape, 3))
        answers = [np.asarray(granter.answer(hearing, drawn)) for granter in (one, other)]
        whole = all(x.shape == hearing.known.shape and x.dtype.kind == "i" for x in answers)
        assert whole, f"answer gives {answers[0].shape} of {answers[0].dtype}, not a place for each item and agent"
        most = hearing.stays.shape[-1]
        assert all(((x >= 0) & (x < most)).all() for x in answers), f"an answer is a place from 0 to {most - 1}"
        assert (answers[0] == answers[1]).all(), "two made alike answer an item otherwise"


def _hearings() -> list[Hearing]:
    """What agents of both types hear who answer alone, and after that."""
    chance = np.random.default_rng(0)
    types, stays = np.array((R, B) * 5, np.int8), np.ones((3, 32, 6), bool)
    known, before = chance.integers(0, 32, (3, 10)), chance.integers(0, 6, (3, 10))
    none = np.full_like(before, NOBODY)
    said = chance.integers(NOBODY, 6, (3, 10, 2))
    return [Hearing(types, stays, known, none, said[..., :0]), Hearing(types, stays, known, before, said)]
