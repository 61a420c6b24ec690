"""The words of something written on the feed: who writes, with which move, and the words (the line book has them, as
it has those of talk).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from sandbox.core.chance import Stream
from sandbox.core.questions import Concern, FromBook, QuestionSpec, shown, unspoken
from sandbox.talk.deciding.say import SPOKEN, Said, Say
from sandbox.talk.deciding.speaker import speaker
from sandbox.talk.lines import LineBook

Form = Literal["post", "comment", "quote", "message"]


class Write(Say, frozen=True):
    """Put this move into written words. As `Say`, but that it is read and not heard. form: what is written; to: the
    words it is on, or answers ("" = none), by whom: `other` ("" = a stranger).
    """

    form: Form = "post"
    to: str = ""


def _rule(book: LineBook) -> Callable[[Write, Stream], Said]:
    say = speaker(book).say

    def write(q: Write, chance: Stream) -> Said:
        try:
            return say(q, chance)
        except KeyError:  # the book has nothing that could be said of that: nothing is written
            return Said("")

    return write


def _fault(q: Write, a: Said) -> str:
    return unspoken(a.text, SPOKEN) or ("" if all(map(shown, a.variants)) else "variants without a name")


_SLOTS = {"name": "Bo", "act": "kneading dough", "place": "the bakery"}
WRITE = QuestionSpec(
    question=Write, answer=Said, name="Write", rule=FromBook(_rule), fault=_fault,
    samples=(Write("ann", moves=("post_small",), slots=_SLOTS),),
    concerns=lambda q: Concern(q.other, words=q.slots.get("topic", "")), taken=True, asks="write", asked=True,
)  # fmt: skip
QUESTIONS = (WRITE,)
