"""The words of something written on the feed: who writes, with which move, and the words (the line book has them, as
it has those of talk).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from sandbox.core.chance import Stream
from sandbox.core.questions import Concern, FromBook, QuestionSpec, is_showable, text_fault
from sandbox.talk.lines import LineBook
from sandbox.talk.question_say import SPOKEN, Said, Say
from sandbox.talk.speaker import speaker_for

Form = Literal["post", "comment", "quote", "message"]


class Write(Say, frozen=True):
    """Put this move into written words. As `Say`, but that it is read and not heard. form: what is written; to: the
    words it is on, or answers ("" = none), by whom: `other` ("" = a stranger). about: the id of the person a post
    speaks of, named or not ("" = nobody); matter: the pressure it comes of ("" = none). Whoever reads is briefed by
    both; a post without a name is about nothing else.
    """

    form: Form = "post"
    to: str = ""
    about: str = ""
    matter: str = ""


def _rule(book: LineBook) -> Callable[[Write, Stream], Said]:
    say = speaker_for(book).say

    def write(q: Write, chance: Stream) -> Said:
        try:
            return say(q, chance)
        except KeyError:  # the book has nothing that could be said of that: nothing is written
            return Said("")

    return write


def _fault(q: Write, a: Said) -> str:
    return text_fault(a.text, SPOKEN) or ("" if all(map(is_showable, a.variants)) else "variants without a name")


def _concerns(q: Write) -> Concern:
    """Who is written to, else of whom; and all that is told."""
    told = (q.slots.get(slot, "") for slot in ("topic", "matter", "third", "recall", "rumour"))
    words = " ".join(dict.fromkeys(x for x in told if x))
    return Concern(q.other or q.about, (q.matter,) if q.matter else (), words)


_SLOTS = {"name": "Bo", "act": "kneading dough", "place": "the bakery"}
WRITE = QuestionSpec(
    question=Write, answer=Said, name="Write", rule=FromBook(_rule), fault=_fault,
    samples=(Write("ann", moves=("post_small",), slots=_SLOTS),),
    concerns=_concerns, taken=True, asks="write", asked=True,
)  # fmt: skip
QUESTIONS = (WRITE,)
