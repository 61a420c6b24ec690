"""What people do in a round, and the numbers a game is played by. Source: seed 000, section 3; docs/friends.md.

People are numbers, in the order of their cast; plans, which minds write, name them by their handles.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandbox.lab.friends.rewards import BETAS, check_betas
from sandbox.people.ties import TieParameters

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
    """actions: N, of each person in each round. betas: of the rewards (`rewards.py`). ties: of the tie rule, the
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
            raise ValueError("actions and rounds are 1 or more, again is 0 or more")
        if not 0.0 <= self.memory < 1.0:
            raise ValueError(f"memory is a number from 0 to below 1, not {self.memory:g}")
