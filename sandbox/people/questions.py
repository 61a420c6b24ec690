"""All that people are asked about their day."""

from __future__ import annotations

from sandbox.core.questions import QuestionSpec
from sandbox.people.deciding import cutting, interviews, moods, plans, reflections, thoughts

QUESTIONS: tuple[QuestionSpec, ...] = (
    *plans.QUESTIONS,
    *cutting.QUESTIONS,
    *thoughts.QUESTIONS,
    *reflections.QUESTIONS,
    *moods.QUESTIONS,
    *interviews.QUESTIONS,
)
