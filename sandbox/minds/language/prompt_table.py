"""All questions as they are put to a language model: one prompt for each."""

from __future__ import annotations

from sandbox.minds.language import days, deciding, looking_back, speaking
from sandbox.minds.language.asking import by_question
from sandbox.minds.questions import BY_TYPE

PROMPTS = (*deciding.PROMPTS, *speaking.PROMPTS, *days.PROMPTS, *looking_back.PROMPTS)
BY_QUESTION = by_question(PROMPTS, BY_TYPE)
