"""All that is put to minds: what each package of the town's life asks, and its names in `asks`."""

from __future__ import annotations

from sandbox.core.protocols import Question
from sandbox.core.questions import QuestionSpec, by_type
from sandbox.domains import DOMAINS

QUESTIONS: tuple[QuestionSpec, ...] = tuple(spec for domain in DOMAINS for spec in domain.questions)
BY_TYPE = by_type(QUESTIONS)
# How `asks` is ordered where it is told or kept in a save; what is asked besides follows in the order of QUESTIONS.
_ORDER = (
    "exchange", "accept", "respond", "say", "plan", "focus", "insight", "reflect", "summarise", "feel about", "react",
    "interview", "approach", "decompose", "appraise", "rate", "describe mood",
)  # fmt: skip
_ordered = sorted(QUESTIONS, key=lambda spec: _ORDER.index(spec.asks) if spec.asks in _ORDER else len(_ORDER))
DEFAULT_ASKS = tuple(spec.asks for spec in _ordered if spec.asked)
ASKS = (*DEFAULT_ASKS, *(spec.asks for spec in _ordered if not spec.asked))


def spec_of(q: Question) -> QuestionSpec:
    """What is declared of a question's type. Raises KeyError for one that is not."""
    return BY_TYPE[type(q)]
