"""The policies that worlds name, made of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec

from sandbox.core.fields import meta
from sandbox.policy.context import Context
from sandbox.policy.contract import Policy
from sandbox.policy.learned import LearnedPolicy
from sandbox.policy.learners import Bandit, ExploreExploit, GreedyLinear, GreedyNeural, LinUCB, RandomArms
from sandbox.policy.objectives import OBJECTIVES
from sandbox.policy.views import Sizes

# Name, as worlds give it in `policy.learner` -> its bandit.
LEARNERS: dict[str, Callable[[int, int], Bandit]] = {
    "random": RandomArms,
    "epsilon": GreedyLinear,
    "linucb": LinUCB,
    "neural": GreedyNeural,
    "networks": ExploreExploit,
}
HAND = "hand"  # whoever plays decides


class PolicyParameters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who steers a feed, and how (docs/policy.md). learner: a name of LEARNERS, `hand`, or "" = nobody. objective: what
    it learns to serve. cards, exposure, mix: the levers it has. best: cards chosen for a reader in a round. readers,
    candidates, authors: how many there are to choose among. silenced: share of users that may be turned down. hops: how
    often contexts are mixed over follows; stances, products: whether contexts hold them.
    """

    learner: Annotated[str, meta(options=(*LEARNERS, HAND), blank=True, what="learner")] = ""
    objective: Annotated[str, meta(options=tuple(OBJECTIVES), what="objective")] = "cross_stance"
    cards: bool = True
    exposure: bool = False
    mix: bool = False
    best: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    readers: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 64
    candidates: Annotated[int, msgspec.Meta(ge=1, le=100)] = 16
    authors: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 64
    silenced: Annotated[float, msgspec.Meta(ge=0, le=0.1)] = 0.1
    hops: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    stances: bool = True
    products: bool = True

    @property
    def sizes(self) -> Sizes:
        """How many candidates there are in a round."""
        return Sizes(self.readers, self.candidates, self.authors, self.silenced)


def policy_of(parameters: PolicyParameters) -> Policy:
    """The policy that the parameters name. Raises KeyError for `hand` and "", which no learner stands behind."""
    levers = [lever for lever in ("cards", "exposure", "mix") if getattr(parameters, lever)]
    context = Context(parameters.hops, stances=parameters.stances, products=parameters.products)
    objective = OBJECTIVES[parameters.objective]()
    return LearnedPolicy(parameters.learner, LEARNERS[parameters.learner], objective, levers, context, parameters.best)
