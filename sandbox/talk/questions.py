"""All that people are asked about talk."""

from __future__ import annotations

from sandbox.core.questions import QuestionSpec
from sandbox.talk.deciding import effects, replies, speaker, wishes

QUESTIONS: tuple[QuestionSpec, ...] = (
    *wishes.QUESTIONS,
    *replies.QUESTIONS,
    *speaker.QUESTIONS,
    *effects.QUESTIONS,
)
