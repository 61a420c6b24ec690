"""How much the words of a talk alone speak for a tie: where ties go by text (`ties.text`), instead of its signals."""

from __future__ import annotations

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec
from sandbox.talk.sentiment import sentiment

MOST = 5  # of the scale of Learning to Make Friends, appendix A
PLAIN, PER = 1.0, 6.0  # of five, for words without feeling, and for each point of their mean sentiment


class RateTie(Question, frozen=True):
    """By these words alone, how close are you to `other`? lines: which of the two (an id) has said what. It moves the
    other's tie to you, as what you do does (spec: v rates u, and u's tie to v moves).
    """

    other: str = ""
    lines: tuple[tuple[str, str], ...] = ()


class RatedTie(Answer, frozen=True):
    """From 0 (nothing binds the two) to 5 (they are close)."""

    score: int


def rate_tie(q: RateTie, chance: Stream) -> RatedTie:
    """By how warm the words of the other sound."""
    theirs = [sentiment(text) for who, text in q.lines if who == q.other]
    mean = sum(theirs) / len(theirs) if theirs else 0.0
    return RatedTie(max(0, min(MOST, round(PLAIN + PER * mean))) if theirs else 0)


RATE_TIE = QuestionSpec(
    question=RateTie, answer=RatedTie, name="RateTie", rule=rate_tie,
    fault=lambda q, a: "" if 0 <= a.score <= MOST else f"a score not in 0 to {MOST}",
    samples=(RateTie("ann", other="bo", lines=(("ann", "Morning."), ("bo", "How lovely to see you."))),),
    concerns=lambda q: Concern(q.other), taken=False, asks="tie", asked=True,
)  # fmt: skip
QUESTIONS = (RATE_TIE,)
