"""The embedded mind: one rule for each type of question, random numbers from the world's seed."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.chance import Chance, Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import FromBook, QuestionSpec, by_type
from sandbox.domains import DOMAINS
from sandbox.talk.lines import LineBook

QUESTIONS: tuple[QuestionSpec, ...] = tuple(spec for domain in DOMAINS for spec in domain.questions)
BY_TYPE = by_type(QUESTIONS)
# The order of `asks` on screen and in a save; other questions follow in the order of QUESTIONS.
_ORDER = (
    "exchange", "accept", "respond", "say", "plan", "focus", "insight", "reflect", "summarise", "feel about", "react",
    "interview", "approach", "decompose", "appraise", "rate", "describe mood",
)  # fmt: skip
_ordered = sorted(QUESTIONS, key=lambda spec: _ORDER.index(spec.asks) if spec.asks in _ORDER else len(_ORDER))
DEFAULT_ASKS = tuple(spec.asks for spec in _ordered if spec.asked)
ASKS = (*DEFAULT_ASKS, *(spec.asks for spec in _ordered if not spec.asked))


def spec_of(q: Question) -> QuestionSpec:
    """The spec of a question's type. Raises KeyError if it has none."""
    return BY_TYPE[type(q)]


class EmbeddedMind:
    """Answers every question at once, from rules. The same question under the same seed and step gets the same
    answer. specs: of the questions it answers.
    """

    def __init__(self, chance: Chance, lines: LineBook, specs: Sequence[QuestionSpec] = QUESTIONS) -> None:
        self.specs = by_type(specs)
        self._chance = chance
        self._rules = {
            spec.question: spec.rule.make(lines) if isinstance(spec.rule, FromBook) else spec.rule for spec in specs
        }

    def reads(self, question: Question) -> bool:
        """False: rules need no brief."""
        return False

    def chance(self, q: Question, step: int) -> Stream:
        """The stream of random numbers of that question."""
        return self._chance.stream(step, q.who, f"{self.specs[type(q)].name} {q.now}", q.n)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order. Raises KeyError for a type without a rule."""
        return [self._rules[type(q)](q, self.chance(q, step)) for q in questions]
