"""What a type of question declares, once; everything that handles questions reads it from here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.faults import is_printable
from sandbox.core.protocols import Answer, Question

REASON = 200  # letters of a reason at most
Rule = Callable[[Any, Stream], Answer]


class FromBook(NamedTuple):
    """A rule that takes its words from a world's book of lines (`talk.lines.LineBook`, which this layer must not
    import).

    make: builds the rule for one book; a mind calls it once, with its world's book.
    """

    make: Callable[[Any], Rule]


class Concern(NamedTuple):
    """What a question is about, for whoever writes its brief. other: a person's id, "" = nobody; pressures: ids of
    those behind the decision; words: further words for the memory search.
    """

    other: str = ""
    pressures: tuple[str, ...] = ()
    words: str = ""


def nobody(q: Question) -> Concern:
    """The concern of a question that is about nobody else."""
    return Concern()


class QuestionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A type of question. No part has a default, so that an omission is an error on import.

    question, answer: the types; an answer must have exactly this type. name: of its random stream, of its calls in a
    save and in `stood_in`; never change it, for saves and seeds depend on it. rule: how the embedded mind answers.
    fault: what is wrong with an answer, in words, "" if nothing is. samples: questions to try a mind with. concerns:
    what a question is about. taken: the answer enters an event unchanged (else the caller cleans and bounds it), so a
    faulty one is replaced by the embedded mind's. asks: its name in the list of what models are asked; asked: whether
    models are asked by default.
    """

    question: type[Question]
    answer: type[Answer]
    name: str
    rule: Rule | FromBook
    fault: Callable[[Any, Any], str]
    samples: tuple[Question, ...]
    concerns: Callable[[Any], Concern]
    taken: bool
    asks: str
    asked: bool

    def __post_init__(self) -> None:
        """Raise ValueError if name, asks or samples is empty, or a sample is of another type."""
        if not (self.name and self.asks and self.samples and all(type(q) is self.question for q in self.samples)):
            raise ValueError(f"the spec of {self.question.__name__} needs a name, asks and samples of its type")


def by_type(specs: Sequence[QuestionSpec]) -> dict[type[Question], QuestionSpec]:
    """Type of question -> its spec. Raises ValueError if two share a type, a name, or a name in `asks`."""
    for part in ("question", "name", "asks"):
        said = [getattr(spec, part) for spec in specs]
        if twice := {str(x) for x in said if said.count(x) > 1}:
            raise ValueError(f"two specs have the same {part}: {', '.join(sorted(twice))}")
    return {spec.question: spec for spec in specs}


def is_showable(text: str) -> bool:
    """Whether a reason or name in an answer is safe to show unchanged."""
    return len(text) <= REASON and is_printable(text)


def text_fault(text: str, most: int) -> str:
    """Why a text is not between one and `most` letters of showable words; "" if it is."""
    if not text.strip() or len(text) > most:
        return f"no words, or more than {most} letters"
    return "" if is_printable(text) else "words that cannot be printed"
