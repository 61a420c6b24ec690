"""Interview answers about one's own life, from the facts collected in people/asking_life.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sandbox.core.text import join_names
from sandbox.people import interview_words as say
from sandbox.people.interview_question import AnswerWriter, Interviewed
from sandbox.people.wording import lower_first_word, myself

YOURS = re.compile(r"\b(you|your|yours|yourself)\b")


def _of_another(writer: AnswerWriter) -> bool:
    """Whether the question is about somebody else's life."""
    return bool(writer.whom) and not YOURS.search(writer.low)


def of_life(key: str, ways: Sequence[str], none: Sequence[str]) -> Callable[[AnswerWriter], Interviewed | None]:
    """A rule that answers with the facts under a heading. ways: sentences with {it}; none: those if there are none."""

    def rule(writer: AnswerWriter) -> Interviewed | None:
        if _of_another(writer):
            return None
        found = writer.q.life.get(key, ())
        if not found:
            return Interviewed(writer.one(none, job=writer.job))
        return Interviewed(writer.one(ways, it="; ".join(myself(x, writer.name) for x in found[:2])))

    return rule


def _wants(writer: AnswerWriter) -> Interviewed | None:
    """What one wants most, and what one means to do for it next."""
    if _of_another(writer):
        return None
    wants, means = writer.q.life.get("wants", ()), writer.q.life.get("means", ())
    if not wants:
        return Interviewed(writer.one(say.WANTS_NOTHING))
    told = writer.one(say.WANTS, it=wants[0])
    return Interviewed(f"{told} {writer.one(say.MEANS, it=means[0])}" if means else told)


def _why_them(writer: AnswerWriter) -> Interviewed | None:
    """Why one feels as one does about somebody: the feeling and up to two reasons."""
    if not writer.whom:
        return None
    found = writer.q.life.get(f"why {writer.whom}", ())
    feeling = writer.q.feelings.get(writer.whom, "")
    out = [writer.one(say.OF_THEM[feeling], name=writer.whom)] if feeling in say.OF_THEM else []
    out += [
        writer.one(say.BECAUSE if i == 0 else say.AND_ALSO, cause=lower_first_word(x)) for i, x in enumerate(found[:2])
    ]
    return Interviewed(" ".join(out)) if found else None


def _couple(writer: AnswerWriter) -> Interviewed | None:
    """Who one's partner is. Without one, the question is evaded: whom one may love otherwise stays private."""
    if writer.whom:
        return None
    found = writer.q.life.get("couple", ())
    return Interviewed(writer.one(say.COUPLE, it=join_names(found)) if found else writer.one(say.EVADE[writer.p.voice]))


# (pattern of a question, rule that answers it); these come before the general rules.
# fmt: off
OF_LIFE: tuple[tuple[str, Callable[[AnswerWriter], Interviewed | None]], ...] = (
    (r"\bowe(s|d)? (you|me)\b", of_life("owed", say.LIFE, say.OWED_NOTHING)),
    (r"\b(owe|owing|debts?)\b", of_life("owes", say.LIFE, say.OWES_NOTHING)),
    (r"\bwhy\b.*\b(like|dislike|hate|avoid|cross|angry|trust|stand|love|feel|fallen out|quarrel\w*|row|think)\b",
     _why_them),
    (r"\b(whom?|which (?:person|man|woman|friend|neighbour|of \w+))\b.*\b(best|most|fond|closest|dearest)\b"
     r"|\bbest friend\b",
     of_life("best", say.BEST, say.NOBODY)),
    (r"\b(whom?)\b.*\b(least|stand|dislike|hate|angry|cross|avoid|enem\w+)\b",
     of_life("worst", say.WORST, say.NOBODY_BAD)),
    (r"\b(want|wish|goal|ambition|hope for|dream of|after most)\b", _wants),
    (r"\b(mean to do|going to do|will you do) about\b", _wants),
    (r"\b(changed|what is new|what's new|new in your life)\b", of_life("changed", say.LIFE, say.NOTHING_NEW)),
    (r"\bwhere do you (live|sleep|lodge)\b|\byour home\b", of_life("home", say.HOME, say.NO_HOME)),
    (r"\b(where do you work|for a living|what is your work)\b", of_life("work", say.WORK, say.NO_WORK)),
    (r"\b(in love|married|couple|sweetheart|walking out|seeing any\w+)\b",
     _couple),
    (r"\bhow (much money|many coins|rich|poor|well off)\b|\byour (money|coins|purse)\b|\byou (rich|poor|well off)\b"
     r"|\byou have (any |much |enough )?(money|coins)\b", of_life("coins", say.COINS, say.NO_COINS)),
    (r"\b(what are you doing|why are you (here|doing))\b", of_life("now", say.NOW, say.NOT_UP)),
)
# fmt: on
