"""All questions that can be put to a language model."""

from __future__ import annotations

from sandbox.minds.language import days, deciding, looking_back, speaking
from sandbox.minds.language.asking import Prompt

PROMPTS: dict[type, Prompt] = {**deciding.PROMPTS, **speaking.PROMPTS, **days.PROMPTS, **looking_back.PROMPTS}
