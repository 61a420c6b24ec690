"""A turn of a talk: which moves are to be put into words, and the words (speaker.py has the rule)."""

from __future__ import annotations

from sandbox.core.protocols import Answer, Question
from sandbox.people.persona import Speech


class Say(Question, frozen=True):
    """Put these moves into words, in order, as one turn. context: criterion -> value; slots: name -> words.

    avoid: variants the speaker said lately, or has just been told, and when; heard: line -> variant -> how often the
    town has heard it, less each day. just: what the other has just said, if this answers it. turn: how many there were
    before in this talk; whoever leads has the even ones. other: who is spoken to. theirs: slots that come of what that
    person knows; whoever reads goes by what has been said of them. left: what the last talks with the other have left,
    and how this one has gone so far. before: who has said what, where more than two speak. answers: the variant that
    this answers, "" for none.
    """

    moves: tuple[str, ...] = ()
    voice: str = "plain"
    context: dict[str, str] = {}
    traits: tuple[str, ...] = ()
    slots: dict[str, str] = {}
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    avoid: dict[str, int] = {}
    heard: dict[str, dict[str, float]] = {}
    catchphrase: str = ""
    speech: Speech = Speech()
    just: str = ""
    turn: int = 0
    theirs: tuple[str, ...] = ()
    other: str = ""
    left: float = 0.0
    before: tuple[tuple[str, str], ...] = ()
    answers: str = ""


SPOKEN = 300  # letters of a turn, at most


class Said(Answer, frozen=True):
    """The words, and the variants used (empty if they are the speaker's own). closes: they want to end the talk."""

    text: str
    variants: tuple[str, ...] = ()
    closes: bool = False
