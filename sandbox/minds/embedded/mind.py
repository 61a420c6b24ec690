"""The embedded mind: one rule for each type of question, chance from the world's seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandbox.core.chance import Chance, Stream
from sandbox.core.protocols import Answer, Question
from sandbox.minds.embedded.lines import Speaker
from sandbox.minds.embedded.moods import describe_mood
from sandbox.minds.embedded.plans import cut_block, plan_day
from sandbox.minds.embedded.social import accept, approach, feel_about, respond
from sandbox.minds.embedded.thoughts import reflect
from sandbox.people.questions import CutBlock, DescribeMood, PlanDay, Reflect
from sandbox.talk.lines import LineBook
from sandbox.talk.questions import Accept, Approach, FeelAbout, Respond, Say

Rule = Callable[[Any, Stream], Answer]


class EmbeddedMind:
    """Answers every question at once, from rules. The same question under the same seed and step gets the same
    answer.
    """

    def __init__(self, chance: Chance, lines: LineBook) -> None:
        self._chance = chance
        self._rules: dict[type[Question], Rule] = {
            PlanDay: plan_day,
            CutBlock: cut_block,
            Reflect: reflect,
            DescribeMood: describe_mood,
            Approach: approach,
            Accept: accept,
            Respond: respond,
            FeelAbout: feel_about,
            Say: Speaker(lines).say,
        }

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order. Raises KeyError for a type there is no rule for."""
        out = []
        for q in questions:
            kind = type(q)
            purpose = f"{kind.__name__}+{wave}" if wave else kind.__name__
            out.append(self._rules[kind](q, self._chance.stream(step, q.who, purpose, q.n)))
        return out
