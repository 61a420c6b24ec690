"""The question for the words of something written on the feed; they come from the line book, like those of talk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from sandbox.core.chance import Stream
from sandbox.core.questions import Concern, FromBook, QuestionSpec, is_showable, text_fault
from sandbox.people.played import SPOKEN
from sandbox.talk.lines import LineBook
from sandbox.talk.saying import Said, Say
from sandbox.talk.speaker import speaker_for

Form = Literal["post", "comment", "quote", "message"]


class Write(Say, frozen=True):
    """Put this move into written words: `Say`, for readers. form: what is written; to: the words it answers ("" =
    none), written by `other` ("" = a stranger). about: id of the person the post is about, named or not ("" = nobody);
    matter: the pressure it comes from ("" = none). A mind is briefed on both.
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
        except KeyError:  # no fitting line: nothing is written
            return Said("")

    return write


def _fault(q: Write, a: Said) -> str:
    return text_fault(a.text, SPOKEN) or ("" if all(map(is_showable, a.variants)) else "variants without a name")


def _concerns(q: Write) -> Concern:
    """Who is written to, else about whom; and everything mentioned."""
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
