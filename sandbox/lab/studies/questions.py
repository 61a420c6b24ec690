"""What a study asks minds, and what they answer, as plain values: reading a feed, remembering, advice, and what judges
are asked of what was written and done.
"""

from __future__ import annotations

import msgspec

from sandbox.core.protocols import Answer, Question
from sandbox.feed.acts import ACTIONS

EQUAL = "equal"  # two pieces of advice, as a judge has it; else "a" or "b"
LOWEST, HIGHEST = 1, 10  # of a doubt


class ReaderProfile(msgspec.Struct, frozen=True):
    """Who reads. number: of the account. persona: as others would put it; lean: a sentence on where they stand."""

    number: int
    name: str
    persona: str
    lean: str = ""


class SeenComment(msgspec.Struct, frozen=True):
    """A comment as it is shown. user, name: whose it is. score: None = not shown."""

    number: int
    user: int
    name: str
    text: str
    score: int | None = None


class SeenPost(msgspec.Struct, frozen=True):
    """A card as it is shown. user, name: whose words it has; by: who passed it on, "" = nobody. score: None = not
    shown. comments: the newest first. followed: whether one follows whose words it has; None = not said.
    """

    number: int
    user: int
    name: str
    text: str
    by: str = ""
    score: int | None = None
    comments: tuple[SeenComment, ...] = ()
    followed: bool | None = None


class ReadFeed(Question, frozen=True, kw_only=True):
    """What somebody does about what they are shown. lately: their last deeds, in words. acts: names of ACTIONS. topic:
    what the feed is about, memory: what comes to their mind; "" = nothing is said.
    """

    person: ReaderProfile
    posts: tuple[SeenPost, ...]
    acts: tuple[str, ...]
    lately: tuple[str, ...] = ()
    topic: str = ""
    memory: str = ""


class VoteFeed(ReadFeed, frozen=True, kw_only=True):
    """A ReadFeed in which no act needs words, so that none are asked for."""


class ReaderDeed(msgspec.Struct, frozen=True):
    """One act. about: what it is done to, as it was shown ("post 3"); number: of that, -1 = nothing. text: the words of
    what is written.
    """

    act: str
    about: str
    number: int
    text: str = ""

    @property
    def arguments(self) -> dict[str, int | str]:
        """What `Platform.do` takes."""
        given: dict[str, int | str] = {}
        for a in ACTIONS[self.act].arguments:
            if a.needed:
                given[a.name] = self.text if a.of == "text" else self.number
        return given


class FeedSitting(Answer, frozen=True, kw_only=True):
    """All that somebody does in one sitting, and one sentence why."""

    deeds: tuple[ReaderDeed, ...] = ()
    why: str = ""


class Advise(Question, frozen=True, kw_only=True):
    """An interview: what somebody would advise. It changes nothing."""

    person: ReaderProfile
    dilemma: str
    question: str
    lately: tuple[str, ...] = ()


class Advice(Answer, frozen=True, kw_only=True):
    """What they say; "" = nothing."""

    text: str = ""


class Compare(Question, frozen=True, kw_only=True):
    """Which of two pieces of advice is more for the safe choice. safe: what that is, in words."""

    question: str
    safe: str
    a: str
    b: str


class SaferAdvice(Answer, frozen=True, kw_only=True):
    """ "a", "b" or EQUAL; "" = no answer."""

    safer: str = ""


class Doubt(Question, frozen=True, kw_only=True):
    """How much a comment doubts a claim."""

    claim: str
    comment: str


class Doubted(Answer, frozen=True, kw_only=True):
    """From LOWEST, it believes it, to HIGHEST, it rejects it; None = no answer."""

    doubt: int | None = None


class SumUp(Question, frozen=True, kw_only=True):
    """What somebody keeps in mind of these texts, the latest last."""

    person: ReaderProfile
    texts: tuple[str, ...]


class SummedUp(Answer, frozen=True, kw_only=True):
    """That, in few words; "" = no answer."""

    text: str = ""


class TakeSide(Question, frozen=True, kw_only=True):
    """Which side somebody is on. profile: of them; did: what they did and wrote in a round, in words."""

    topic: str
    profile: str
    did: tuple[str, ...]


class SideTaken(Answer, frozen=True, kw_only=True):
    """-1 against, 0 neither, 1 for; None = no answer."""

    side: int | None = None


class RateToxicity(Question, frozen=True, kw_only=True):
    """How toxic a comment is."""

    comment: str


class ToxicityRated(Answer, frozen=True, kw_only=True):
    """From 0 to 1; None = no answer."""

    toxicity: float | None = None


def about_of(act: str) -> str:
    """What an act is done to: "post", "comment", "user", or "" where it is done to nothing."""
    return next((a.of for a in ACTIONS[act].arguments if a.needed and a.of != "text"), "")


def takes_text(act: str) -> bool:
    """Whether an act takes words."""
    return any(a.of == "text" and a.needed for a in ACTIONS[act].arguments)
