"""What agents of a society are asked, and what they answer, as plain values (seed 002, B.2). The words of it stand with
whoever asks: `lab/prompts/society_*.j2`.
"""

from __future__ import annotations

import msgspec

from sandbox.core.protocols import Answer, Question
from sandbox.society.model import Grant, Proposal

PAIRS = (  # of roles that a system prompt gives to types R and B (5.2); with "" nothing is said of a role
    ("", ""), ("explainer", "verifier"), ("proponent", "opponent"), ("comprehensive", "selective"),
)  # fmt: skip


class AgentShown(msgspec.Struct, frozen=True):
    """What others see of an agent. role: of PAIRS; model: its name."""

    number: int
    role: str
    model: str


class AgentTask(msgspec.Struct, frozen=True):
    """What an agent knows. me: as others see them. question, answers: of the item, with its possible answers. snippet:
    the one they hold. thinks: the answer that they have given, "" = none so far.
    """

    me: AgentShown
    question: str
    answers: tuple[str, ...]
    snippet: str
    thinks: str = ""


class Propose(Question, frozen=True, kw_only=True):
    """What somebody writes to another agent, and asks of them."""

    task: AgentTask
    other: AgentShown


class Proposed(Answer, frozen=True, kw_only=True):
    """That; None = no usable answer."""

    proposal: Proposal | None = None


class Consider(Question, frozen=True, kw_only=True):
    """What somebody grants to who asks. theirs: the snippet that the other holds."""

    task: AgentTask
    other: AgentShown
    theirs: str
    proposal: Proposal


class Considered(Answer, frozen=True, kw_only=True):
    """That; None = no usable answer."""

    grant: Grant | None = None


class Heard(msgspec.Struct, frozen=True):
    """A voice. thinks: the answer it gives; snippet: what it goes by, "" = nothing."""

    by: AgentShown
    thinks: str
    snippet: str


class AnswerItem(Question, frozen=True, kw_only=True):
    """Which answer somebody gives, alone or after they have heard others. known: snippets that were told to them."""

    task: AgentTask
    known: tuple[str, ...] = ()
    heard: tuple[Heard, ...] = ()


class ItemAnswered(Answer, frozen=True, kw_only=True):
    """The place of the answer; None = no usable answer."""

    place: int | None = None
