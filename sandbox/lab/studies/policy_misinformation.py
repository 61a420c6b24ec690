"""Can a platform learn whom to turn down, so that fewer believe what is false? (seed 001, 2.2.2 and 4.3, objective 2.)

A fifth of the users have posted a claim, a few its rebuttal, before the first round. Whoever posts or passes on the
claim is misinformed, until they doubt it or pass on its rebuttal (`feed/claims.py`). A policy says whose cards pass.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits

from sandbox.feed.claims import Beliefs
from sandbox.feed.loaded_tables import LoadedCards
from sandbox.feed.model import UNIT
from sandbox.feed.platform import Platform
from sandbox.feed.population import put_cards
from sandbox.feed.tables import draws
from sandbox.lab.studies.declaring import declared_study
from sandbox.lab.studies.policy_runs import LENGTHS, Setup, check_seat, crowd_platform, learner, read_stances, seat
from sandbox.lab.studies.study import Case, Found, ReferenceTable
from sandbox.policy.choice import Choice
from sandbox.policy.contract import Policy
from sandbox.policy.objectives import Misinformation, OwnMisinformation
from sandbox.policy.oracle import RandomSilencing, SilencingOracle
from sandbox.policy.views import PlatformView, Sizes

SIDED = 0.5  # stance of the claim, less that of its rebuttal
SAID = (
    "Who needs a register of owners when they know all about you already?",
    "There is no such register; read the law.",
)


class ClaimSetup(Setup, frozen=True, forbid_unknown_fields=True):
    """The settings of a case: `arm` may also be `candidates`, `random` or `oracle`. claims, rebuttals: shares of users
    who have posted them at the start. authors: candidates of a round; silenced: share of users turned down at most.
    printed: the reward is the paper's.
    """

    crowd: str = "talkative"
    context: str = "plain"
    levers: tuple[str, ...] = ("exposure",)
    claims: float = 0.2
    rebuttals: float = 0.05
    authors: int = 256
    silenced: float = 0.1
    printed: bool = False


class CandidateSilencing(Policy):
    """Turns down as many of a round's candidates as may be, drawn anew each round: a learner without learning."""

    name = "candidates"

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        down = np.sort(draw.choice(view.authors, min(view.most_silenced, len(view.authors)), replace=False))
        return Choice(silenced=down, levels=np.zeros(len(down)))


WITHOUT_LEARNING = {"random": RandomSilencing, "candidates": CandidateSilencing, "oracle": SilencingOracle}


def post_claims(site: Platform, s: ClaimSetup, seed: int) -> None:
    """Let users drawn by lot have posted the claim and its rebuttal at second 0, and watch them."""
    draw = draws(seed, "who posts a claim")
    false, true = (int(share * s.users) for share in (s.claims, s.rebuttals))
    count, topic = false + true, int(draw.integers(len(site.feed.topics)))
    is_claim, nothing = np.arange(count) < false, np.zeros(count, np.int32)
    put_cards(
        site.feed,
        LoadedCards(
            draw.permutation(s.users)[:count].astype(np.int32),
            nothing,
            np.full(count, -1, np.int32),
            np.full(count, topic, np.int8),
            np.where(is_claim, SIDED * UNIT, -SIDED * UNIT).astype(np.int16),
            nothing,
            nothing,
            np.repeat(site.feed.topics[topic][None], count, axis=0),
            [SAID[0] if of else SAID[1] for of in is_claim],
        ),
    )
    for card in range(count):
        site.watch(card, rebuttal=not is_claim[card])


@lru_cache(maxsize=16)
def spread(s: ClaimSetup, seed: int) -> list[float]:
    """The share of users who are misinformed after each round. Kept, as `policy_runs.trace` is."""
    site = crowd_platform(s, seed, doubts=True)
    post_claims(site, s, seed)
    made = None
    if s.arm:
        objective = OwnMisinformation() if s.printed else Misinformation()
        policy = WITHOUT_LEARNING[s.arm]() if s.arm in WITHOUT_LEARNING else learner(s, objective)
        made = seat(site, policy, seed, Sizes(authors=s.authors, silenced=s.silenced))
    found = []
    with threadpool_limits(1):
        for _ in range(s.rounds):
            site.tick()
            found.append(float(Beliefs(site.feed).misinformed[: s.users].mean()))
    check_seat(made)
    return found


def run(case: Case, seed: int) -> Found:
    """One run, held against as many candidates by lot and the oracle in the same crowd with the same seed."""
    s = msgspec.convert(dict(case.settings), ClaimSetup)
    seed += s.chance
    ours = spread(s, seed)
    usual = msgspec.structs.replace(s, context="plain", hops=1, explore=True, printed=False)
    most, least = (spread(msgspec.structs.replace(usual, arm=arm), seed) for arm in ("candidates", "oracle"))
    values: dict[str, float | None] = {}
    for n in LENGTHS:
        there = n <= s.rounds
        gain = most[n - 1] - least[n - 1] if there else 0.0
        values[f"misinformed_{n}"] = ours[n - 1] if there else None
        values[f"share_{n}"] = (most[n - 1] - ours[n - 1]) / gain if there and s.arm and gain else None
    return Found(values, {"misinformed": ours})


TABLE_3 = ReferenceTable(
    "Share misinformed, beside what the paper has after ten rounds (table 3)",
    (("misinformed_10", "10 rounds"), ("misinformed_50", "50 rounds")),
    tuple(
        (f"paper: {who}", (share,))
        for who, share in (("origin", ".40"), ("epsilon-greedy", ".26"), ("UCB", ".30"), ("PolicySim", ".24"))
    ),
    ("origin", "random", "candidates", "oracle", "epsilon", "linucb", "networks"),
)
MISINFORMATION = replace(declared_study("policy-misinformation", run), stances=read_stances, beside=TABLE_3)
