"""Shared by studies of policies: a platform with a crowd, whoever decides what is shown, and what comes of it round by
round (seed 001, 4.3; docs/policy.md). A round is a tick of 3 minutes.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits

from sandbox.core.faults import path_text
from sandbox.core.plain import safe_line as plain
from sandbox.feed.model import UNIT, CrowdParameters
from sandbox.feed.platform import Platform
from sandbox.feed.tables import Floats, draws, hash_numbers, pair_keys
from sandbox.lab.studies.site import TENTH, mean_of, platform
from sandbox.policy.choice import Choice
from sandbox.policy.context import Context
from sandbox.policy.contract import Policy
from sandbox.policy.learned import BANDITS, BEST, LearnedPolicy, best_cards
from sandbox.policy.learners import ExploreExploit
from sandbox.policy.objectives import ACTS, MU, CrossStance, Objective
from sandbox.policy.oracle import CardOracle
from sandbox.policy.seat import Seat
from sandbox.policy.seen import Act, Answers, Seen, answers_since
from sandbox.policy.toxicity import CommentToxicity
from sandbox.policy.views import PlatformView, Sizes

LENGTHS = (10, 50)  # rounds after which is measured: the paper's, and long enough for slow learners
CROWDS = {"usual": 0.0, "livelier": 1.0, "talkative": 2.5}  # what is added to the logits of all reactions
OPINIONS: dict[str, dict[str, Any]] = {  # how reading moves stances (`feed/opinion.py`)
    "reading": {}, "ema": {"opinion": "ema"}, "degroot": {"opinion": "degroot", "pull": 0.1},
    "bounded": {"opinion": "bounded", "pull": 0.1}, "lorenz": {"opinion": "lorenz", "pull": 0.1},
    "reinforcing": {"opinion": "lorenz", "pull": 0.1, "assimilation": 0.0},
}  # fmt: skip
REACTIONS = ("like", "dislike", "comment", "repost", "follow")
POSTS = 0.3  # chance of an own post in a sitting
AWAY = 0.1  # a stance nearer to 0 is on neither side


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a case. crowd: of CROWDS. arm: who decides: of LEARNERS, `newest`, `oracle`, "" = nobody.
    context: what learners know: `products`, `plain`: without these, or `bare`: without stances, too; hops: how often it
    is mixed over follows; explore: whether networks have a second one. levers: of a learner. mu: weight of toxicity in
    the reward. nothing: the reward is a lot of user and card, which nothing can raise. opinion: of OPINIONS; pull: in
    place of its own, None = its own. stances: (stance, weight) that stances at the start are drawn from, () = as the
    crowd is drawn. chance: added to the seed.
    """

    crowd: str = "usual"
    arm: str = ""
    context: str = "products"
    hops: int = 1
    explore: bool = True
    levers: tuple[str, ...] = ("cards",)
    mu: float = MU
    nothing: bool = False
    opinion: str = "reading"
    pull: float | None = None
    users: int = 1000
    readers: int = 64
    rounds: int = 50
    stances: tuple[tuple[float, float], ...] = ()
    chance: int = 0


class Trace(NamedTuple):
    """What came of each round. reward: mean of the chosen cards that were read, NaN = none. stance, sd: of all users
    when it ended. answers: comments, reposts and quotes; cross: those between opposite sides; comments, toxicity: how
    many, and the sum. worth: of all answers, by user who read.
    """

    reward: list[float]
    stance: list[float]
    sd: list[float]
    answers: list[int]
    cross: list[int]
    comments: list[int]
    toxicity: list[float]
    worth: list[float]


class NewestFirst(Policy):
    """Gives each reader the newest cards."""

    name = "newest"

    def choose(self, view: PlatformView, draw: np.random.Generator) -> Choice:
        ages = np.broadcast_to(-view.posts.age.astype(np.float64), view.fresh.shape)
        row, at = best_cards(view, ages, BEST)
        return Choice.of_arms(view.readers[row], view.posts.number[at], np.zeros(len(row)))


class NothingLots(Objective):
    """A reward that nothing raises: a hash of user and card, in [0, 1). A card is chosen for a user in one round only,
    so there is nothing to remember either.
    """

    name = "lots"

    def __init__(self, seed: int) -> None:
        self.salt = int(draws(seed, "lots of a reward").integers(1 << 62))

    def of_arms(self, seen: Seen) -> Floats:
        found = hash_numbers(pair_keys(seen.users, seen.cards), self.salt) >> np.uint64(40)
        return (found.astype(np.float64) / (1 << 24)).astype(np.float32)


def crowd_platform(s: Setup, seed: int, feed: Mapping[str, Any] | None = None, **crowd: Any) -> Platform:
    """A platform whose users have a tenth chance of a sitting in each round. feed, crowd: further parameters."""
    usual = CrowdParameters()
    logits = {name: getattr(usual, name) + CROWDS[s.crowd] for name in REACTIONS}
    moves = OPINIONS[s.opinion] | ({} if s.pull is None else {"pull": s.pull})
    site = platform("x", seed, {"crowd": s.users, **(feed or {})}, logits | {"posts": POSTS} | moves | crowd)
    site.feed.hours[:] = TENTH
    if s.stances:
        values, weights = np.array(s.stances).T
        drawn = draws(seed, "stances").choice(values, s.users, p=weights / weights.sum())
        site.feed.users.stance[: s.users] = np.rint(UNIT * drawn)
    return site


def card_policy(s: Setup, objective: Objective, site: Platform) -> Policy:
    """Who decides in a case that chooses cards; not for "". objective: what a learner learns to serve."""
    if s.arm == "newest":
        return NewestFirst()
    if s.arm == "oracle":
        oracle = CardOracle(CrossStance(s.mu))
        oracle.crowd = site.crowd
        return oracle
    return learner(s, objective)


def learner(s: Setup, objective: Objective) -> LearnedPolicy:
    """The learner of a case."""
    make = partial(ExploreExploit, explore=False) if s.arm == "networks" and not s.explore else BANDITS[s.arm]
    context = Context(s.hops, stances=s.context != "bare", products=s.context == "products")
    return LearnedPolicy(s.arm, make, objective, s.levers, context)


def seat(site: Platform, policy: Policy, seed: int, sizes: Sizes) -> Seat:
    """Let a policy decide on a platform from now on."""
    site.seat = made = policy.seat(site.feed, seed, sizes)
    return made


def check_seat(made: Seat | None) -> None:
    """Raise ValueError if the policy has failed in any round: its numbers would be those of nobody."""
    if made is not None and made.faults:
        raise ValueError(f"the policy failed in {made.faults} rounds")


@lru_cache(maxsize=16)
def trace(s: Setup, seed: int) -> Trace:
    """The rounds of a run in which cards are chosen, or a mix, or exposure, for the objective of cross-stance answers.
    Kept, since all cases of a seed are held against the same two.
    """
    cross = CrossStance(s.mu)
    objective: Objective = NothingLots(seed) if s.nothing else cross
    site = crowd_platform(s, seed)
    made: Seat | None = None
    if s.arm:
        made = seat(site, card_policy(s, objective, site), seed, Sizes(readers=s.readers))
    toxicity = CommentToxicity()
    found = Trace([], [], [], [], [], [], [], [])
    with threadpool_limits(1):  # products of matrices depend on how many threads work at them
        for tick in range(s.rounds + 2):  # in the first there is no card yet, and after the last its reward is known
            before = site.feed.posts.n, site.feed.comments.n
            site.tick()
            if tick > 1:
                seen = made.seen if made is not None else None
                found.reward.append(
                    float(objective.of_arms(seen).mean()) if seen is not None and len(seen.users) else np.nan
                )
            if 0 < tick <= s.rounds:
                stance = site.feed.users.stance[: s.users] / UNIT
                found.stance.append(float(stance.mean()))
                found.sd.append(float(stance.std()))
                readers = len(np.unique(site.crowd.read[0]))
                count_answers(found, answers_since(site.feed, before, toxicity), cross, readers)
    check_seat(made)
    return found


def count_answers(found: Trace, a: Answers, objective: CrossStance, readers: int) -> None:
    """Add the answers of a round."""
    least = np.minimum(np.abs(a.stance_by), np.abs(a.stance_to))
    found.answers.append(len(a.by))
    found.cross.append(int(((a.stance_by * a.stance_to < 0) & (least > AWAY)).sum()))
    found.comments.append(int((a.acts == Act.COMMENT).sum()))
    found.toxicity.append(float(a.toxicity.sum()))
    worth = objective.worth(ACTS[a.acts], a.stance_to, a.stance_by, a.toxicity)
    found.worth.append(float(worth.sum()) / max(readers, 1))


def policy_measures(own: Trace, n: int) -> dict[str, float | None]:
    """What is measured of the first n rounds; of stances after these."""
    reward = np.array(own.reward[:n])
    return {
        "reward": mean_of(reward[np.isfinite(reward)]),
        "worth": float(np.mean(own.worth[:n])),
        "stance": own.stance[n - 1],
        "sd": own.sd[n - 1],
        "toxicity": _ratio(own.toxicity[:n], own.comments[:n]),
        "cross": _ratio(own.cross[:n], own.answers[:n]),
    }


def _ratio(some: Sequence[float], of: Sequence[float]) -> float | None:
    return sum(some) / sum(of) if sum(of) else None


# ---- stances of one's own


def read_stances(path: Path) -> list[tuple[float, float]]:
    """A real distribution of stances: a file with a number from -1 to 1 on each line, or a CSV with the columns stance
    and count. Returns each stance with its weight, ascending. Raises ValueError, with file, line and mend.
    """
    found: dict[float, float] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, row in enumerate(csv.reader(file), 1):
                cells = [cell.strip() for cell in row]
                if not any(cells) or (number == 1 and cells in (["stance"], ["stance", "count"])):
                    continue
                try:
                    stance, count = (*map(float, cells), 1.0)[:2] if len(cells) < 3 else (np.nan, np.nan)
                except ValueError:
                    stance, count = np.nan, np.nan
                if not (-1 <= stance <= 1 and 0 <= count < 1e12):
                    raise ValueError(
                        f"{path_text(path)}:{number}: a line is a stance from -1 to 1, perhaps with a comma and how "
                        "many have it; correct or remove it"
                    )
                found[stance] = found.get(stance, 0.0) + count
    except OSError as error:
        why = (error.strerror or "not readable").lower()
        raise ValueError(f"{path_text(path)}: cannot be read ({why}); name a file that is there") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path_text(path)}: cannot be read ({plain(str(error))}); name a CSV in UTF-8") from None
    if not sum(found.values()):
        raise ValueError(f"{path_text(path)}: nobody has a stance; give a line for each person")
    return sorted(found.items())
