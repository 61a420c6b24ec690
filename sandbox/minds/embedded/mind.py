"""The embedded mind: one rule for each type of question, chance from the world's seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandbox.core.chance import Chance, Stream
from sandbox.core.protocols import Answer, Question
from sandbox.minds.embedded.interviews import answer
from sandbox.minds.embedded.lines import speaker
from sandbox.minds.embedded.moods import describe_mood
from sandbox.minds.embedded.plans import cut_block, plan_day, react
from sandbox.minds.embedded.social import accept, approach, exchange, feel_about, respond
from sandbox.minds.embedded.talks import appraise, rate, summarise
from sandbox.minds.embedded.thoughts import find_insights, focus, reflect
from sandbox.people.questions import CutBlock, DescribeMood, FindInsights, Focus, Interview, PlanDay, React, Reflect
from sandbox.talk.lines import LineBook
from sandbox.talk.questions import Accept, Appraise, Approach, Exchange, FeelAbout, Rate, Respond, Say, Summarise

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
            Focus: focus,
            FindInsights: find_insights,
            Reflect: reflect,
            DescribeMood: describe_mood,
            React: react,
            Approach: approach,
            Exchange: exchange,
            Accept: accept,
            Respond: respond,
            FeelAbout: feel_about,
            Say: speaker(lines).say,
            Appraise: appraise,
            Summarise: summarise,
            Rate: rate,
            Interview: answer,
        }

    def reads(self, question: Question) -> bool:
        """Rules need no brief."""
        return False

    def chance(self, q: Question, step: int) -> Stream:
        """The stream of random numbers of that question."""
        return self._chance.stream(step, q.who, f"{type(q).__name__} {q.now}", q.n)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order. Raises KeyError for a type there is no rule for."""
        return [self._rules[type(q)](q, self.chance(q, step)) for q in questions]
