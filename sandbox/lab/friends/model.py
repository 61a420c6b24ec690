"""What people do in a round, and the numbers a game is played by. Source: seed 000, section 3; docs/friends.md.

People are numbers, in the order of their cast; plans, which minds write, name them by their handles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import msgspec

from sandbox.core.faults import in_quotes, unknown
from sandbox.lab.statistics import entropy
from sandbox.people.ties import TieParameters

SOC, INF, PRE, COORD, EMO = "SOC", "INF", "PRE", "COORD", "EMO"
REWARDS = (SOC, INF, PRE, COORD, EMO)
BETAS: Mapping[str, float] = {SOC: 0.5, INF: 0.5, PRE: 0.5, COORD: 0.5, EMO: -1.0}
EPSILON = 1e-6
ONE = 1e-6  # how far from 1 weights may sum to


def share_or_zero(part: float, of: float) -> float:
    """part/of; 0 of nothing."""
    return part / of if of else 0.0


def soc(sent: int, received: int, actions: int, direct: int, b: float) -> float:
    """Social interaction: (1 - b) sent/N + b received/direct. sent, received: DMs and comments by and to somebody;
    direct: of all people.
    """
    return (1.0 - b) * share_or_zero(sent, actions) + b * share_or_zero(received, direct)


def inf(new: int, shown: Iterable[int], topics: int, b: float) -> float:
    """Information: (1 - b) new/K + b H/log K. new: topics not shown before; shown: how often each topic was shown;
    topics: K, all published so far. With K = 1 the second half is 0.
    """
    spread = share_or_zero(entropy(shown), math.log(topics)) if topics > 1 else 0.0
    return (1.0 - b) * share_or_zero(new, topics) + b * min(1.0, spread)


def pre(posts: int, likes: int, dislikes: int, actions: int, people: int, b: float) -> float:
    """Self-presentation: (1 - b) posts/N + b (likes - dislikes)/((people - 1) N), clipped at 0 (ours: the formula can
    go below). likes, dislikes: of one's posts of the round.
    """
    return max(
        0.0, (1.0 - b) * share_or_zero(posts, actions) + b * share_or_zero(likes - dislikes, (people - 1) * actions)
    )


def coord(mentions: int, public: int, replies: int, senders: int, b: float) -> float:
    """Coordination: (1 - b) mentions/public + b replies/senders. mentions: of somebody in posts and comments; public:
    all of these; senders: who wrote them a DM in the round before; replies: whom of these they have written one now.
    """
    return (1.0 - b) * share_or_zero(mentions, public) + b * share_or_zero(replies, senders)


def emo(kind: float, harsh: float, b: float) -> float:
    """Emotional support: (1 + (kind + b harsh)/(kind + |b| harsh + 1e-6))/2. kind, harsh: the sums of the positive, and
    of minus the negative, sentiments of DMs and comments received. 1/2 where there was none.
    """
    return 0.5 * (1.0 + (kind + b * harsh) / (kind + abs(b) * harsh + EPSILON))


def weighted_total(scores: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of the rewards by somebody's weights, in [0, 1]."""
    return math.fsum(w * scores[name] for name, w in weights.items())


def check_betas(betas: Mapping[str, float]) -> None:
    """Raises ValueError, with the mend, for a beta of no reward, for one that is missing, or that is out of range."""
    for name in betas:
        if name not in REWARDS:
            raise ValueError(f"betas: {unknown('reward', name, REWARDS)}")
    for name in REWARDS:
        if name not in betas:
            raise ValueError(f"betas: {name} is missing; add one, {BETAS[name]:g} for example")
        b = betas[name]
        if not math.isfinite(b) or (name != EMO and not 0.0 <= b <= 1.0):
            bound = "a finite number" if name == EMO else "between 0 and 1"
            raise ValueError(f"betas: {name}: {b:g} is out of range; it must be {bound}")


def weights_fault(weights: Mapping[str, float]) -> str:
    """What is wrong with somebody's weights, with the mend; "" = nothing. Rewards that are left out weigh nothing."""
    for name, w in weights.items():
        if name not in REWARDS:
            return unknown("reward", name, REWARDS)
        if not w >= 0.0:
            return f"{in_quotes(name)} weighs {w:g}; weights must be 0 or more"
    whole = math.fsum(weights.values())
    if not abs(whole - 1.0) <= ONE:
        return f"the weights sum to {whole:g}; make them sum to 1"
    return ""


POST, COM, DM, NOT = "POST", "COM", "DM", "NOT"
KINDS = (POST, COM, DM, NOT)
PUBLIC, DIRECT = (POST, COM), (COM, DM)
SUPPORTIVE, NEUTRAL, CRITICAL = "supportive", "neutral", "critical"
TONES = (SUPPORTIVE, NEUTRAL, CRITICAL)
NOBODY = -1


class PlanItem(msgspec.Struct, frozen=True):
    """A planned action. recipient: the handle a DM is for. topic: None of NOT alone. target: the number of the post a
    COM is on, or of the DM that a DM answers (None = it answers none). mention: a POST or COM names somebody. asks: it
    asks to be named in turn (ours).
    """

    kind: str
    recipient: str | None = None
    topic: str | None = None
    target: int | None = None
    mention: bool = False
    tone: str = NEUTRAL
    asks: bool = False


NOTHING = PlanItem(NOT)


class GameAct(msgspec.Struct, frozen=True):
    """What was done. number: of the act in its game. recipient: whom a DM is to, or whose post a COM is on; NOBODY of
    others. target: the act it is on or answers, -1 = none. mentions: who is named in the text. sentiment: of the text
    without names and handles, in [-1, 1]. A NOT has no topic and no text.
    """

    number: int
    round: int
    kind: str
    sender: int
    recipient: int = NOBODY
    target: int = -1
    topic: str = ""
    mentions: tuple[int, ...] = ()
    tone: str = NEUTRAL
    text: str = ""
    sentiment: float = 0.0


class GameRules(msgspec.Struct, frozen=True):
    """actions: N, of each person in each round. betas: of the rewards (below). ties: of the tie rule, the
    half-life in rounds. memory: beta_rec. rec_paper: reciprocity as printed. vote_sees_ties: votes lean towards whom
    one is close to. again: how often a plan that breaks a rule is asked for anew.
    """

    actions: int = 3
    rounds: int = 15
    betas: Mapping[str, float] = msgspec.field(default_factory=lambda: dict(BETAS))
    ties: TieParameters = TieParameters(dmax=0.2, xi=0.2, half_life=5.0)
    memory: float = 0.8
    rec_paper: bool = False
    vote_sees_ties: bool = True
    again: int = 3

    def __post_init__(self) -> None:
        """Raises ValueError, with what to write, for numbers that cannot be."""
        check_betas(self.betas)
        if self.actions < 1 or self.rounds < 1 or self.again < 0:
            raise ValueError("actions and rounds must be 1 or more, again 0 or more")
        if not 0.0 <= self.memory < 1.0:
            raise ValueError(f"memory must be a number from 0 to below 1, not {self.memory:g}")
