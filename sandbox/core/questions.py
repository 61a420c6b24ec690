"""What there is to know of a type of question, declared once: all who deal with questions read it from here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.faults import is_printable
from sandbox.core.protocols import Answer, Question

REASON = 200  # letters of a reason
Rule = Callable[[Any, Stream], Answer]


class FromBook(NamedTuple):
    """A rule that speaks from a world's book of lines (`talk.lines.LineBook`, of which this storey knows nothing).

    make: the rule for one book; a mind calls it once, with the book of its world.
    """

    make: Callable[[Any], Rule]


class Concern(NamedTuple):
    """What a question has to do with, for whoever writes its brief. other: the id of a person, "" = nobody; pressures:
    ids of those that press somebody to decide; words: what else memories are looked for by.
    """

    other: str = ""
    pressures: tuple[str, ...] = ()
    words: str = ""


def nobody(q: Question) -> Concern:
    """What a question has to do with that is about nobody else."""
    return Concern()


class QuestionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A type of question. No part has a default: what is forgotten is an error when the module is imported.

    question, answer: the types, of which the answer may be no other. name: of its stream of chance, of its calls in a
    save and in `stood_in`; fixed, for saves and seeds live by it. rule: how the embedded mind answers. fault: what is
    wrong with an answer, in words, "" if nothing is. samples: questions a mind can be tried with. concerns: what one
    has to do with. taken: the answer goes into an event as it comes (else the caller cleans and bounds it), so that one
    with a fault is replaced by the embedded mind's. asks: its name in the list of what models are asked; asked:
    whether they are, unless a player or a world says otherwise.
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
        """Raises ValueError for a spec that declares nothing."""
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
    """Whether a reason or a name in an answer can be shown as it is."""
    return len(text) <= REASON and is_printable(text)


def text_fault(text: str, most: int) -> str:
    """Why a text is not words of at most so many letters; "" if it is."""
    if not text.strip() or len(text) > most:
        return f"no words, or more than {most} letters"
    return "" if is_printable(text) else "words that cannot be printed"
