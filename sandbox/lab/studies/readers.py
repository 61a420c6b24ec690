"""Readers: accounts of a platform in the place of the first users of a crowd, for whom a language model decides.

They are drawn as that crowd is: the same names, profiles, hours, and follows among themselves, and who has a sitting in
a step is who would have one there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from sandbox.feed.acting import Refused
from sandbox.feed.cards import Card
from sandbox.feed.core import spaced
from sandbox.feed.graph import followees
from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws
from sandbox.feed.wording import Who, default_wording
from sandbox.feed.words import CrowdWords
from sandbox.lab.studies.questions import (
    FeedSitting,
    ReaderDeed,
    ReaderProfile,
    ReadFeed,
    SeenComment,
    SeenPost,
    VoteFeed,
    takes_text,
)
from sandbox.lab.studies.study import ModelPanel

LATELY = 5  # recent acts that a reader remembers
TOLD = 100  # letters of a text in a memory


@dataclass(frozen=True)
class Screen:
    """What readers see and can do. acts: names of `acts.ACTIONS`. comments: how many of a post, the newest. scores:
    whether they are shown. follows: whether it is said of whom one follows.
    """

    acts: tuple[str, ...]
    comments: int = 0
    scores: bool = True
    follows: bool = False


class Readers:
    """Accounts of a platform that act as a mind says.

    site: where; without users so far. drawn: the platform of the crowd they are of. count: how many. lean: what is
    said of somebody's stance, "" = nothing but what the persona says. seed: of names, and in the names of questions.
    """

    def __init__(
        self,
        site: Platform,
        drawn: Platform,
        count: int,
        seed: int,
        screen: Screen,
        lean: Callable[[Who], str] | None = None,
    ) -> None:
        self.site, self.drawn, self.count, self.seed, self.screen = site, drawn, count, seed, screen
        self.lately: list[deque[str]] = [deque(maxlen=LATELY) for _ in range(count)]
        self.people = [self._settle(i, lean) for i in range(count)]
        rows, _, others = followees(drawn.feed, np.arange(count), len(drawn.feed.users.fans))
        for user, other in zip(rows.tolist(), others.tolist(), strict=True):
            if other < count:
                site.follow(user, other)

    def _settle(self, user: int, lean: Callable[[Who], str] | None) -> ReaderProfile:
        """Sign up a user of the crowd under the same number."""
        words, feed = CrowdWords(self.seed), self.drawn.feed
        who = words.who(feed, user)
        name = words.name(feed, user)
        number = self.site.sign_up(words.handle(feed, user), name, words.bio(feed, user))
        assert number == user
        vector = feed.users.vector[user].copy()  # the drawn interests, which a bio does not always express
        self.site.feed.accounts[user].interests = vector
        self.site.feed.users.vector[user] = vector
        persona = default_wording().persona(who if lean is None else who._replace(stance=0.0), self.seed)
        return ReaderProfile(user, name, persona, "" if lean is None else lean(who))

    async def step(self, voice: ModelPanel, seconds: int) -> None:
        """A step: everybody with a sitting looks at the feed, then acts as the model says, one after the other."""
        site, begin = self.site, self.site.now
        sitters = self._sitters(seconds)
        if sitters:
            site.rank()
        shown = [(user, posts) for user in sitters if (posts := self._look(user))]
        answers: list[FeedSitting] = await voice.ask(await self._questions(shown, voice))
        times = spaced(len(shown), begin, seconds)
        for (user, posts), answer, t in zip(shown, answers, times, strict=True):
            site.now = t
            self._act(user, posts, answer, voice)
        site.now = begin
        site.advance(seconds)

    def _sitters(self, seconds: int) -> list[int]:
        draw = draws(self.site.seed, "sittings", self.site.step)
        active = self.drawn.crowd.active(draw, self.site.now, seconds)
        return [user for user in np.unique(active).tolist() if user < self.count]

    # ---- what is shown

    async def _questions(self, shown: list[tuple[int, tuple[SeenPost, ...]]], voice: ModelPanel) -> list[ReadFeed]:
        return [self._question(user, posts) for user, posts in shown]

    def _question(self, user: int, posts: tuple[SeenPost, ...]) -> ReadFeed:
        who = f"{self.site.seed} {self.site.step} {user}"
        kind = ReadFeed if any(map(takes_text, self.screen.acts)) else VoteFeed
        return kind(who, person=self.people[user], posts=posts, acts=self.screen.acts, lately=tuple(self.lately[user]))

    def _look(self, user: int) -> tuple[SeenPost, ...]:
        """What a reader is shown, each root once."""
        seen: dict[int, SeenPost] = {}
        for card in self.site.refresh(user):
            seen.setdefault(card.root, self._post(user, card))
        return tuple(seen.values())

    def _post(self, user: int, card: Card) -> SeenPost:
        s = self.screen
        found = self.site.comments(card.number, user, most=s.comments) if s.comments else []
        comments = tuple(SeenComment(c.number, c.author, c.name, c.text, c.score if s.scores else None) for c in found)
        by = card.name if card.writer != card.author else ""
        score, followed = card.score if s.scores else None, card.writer in self.site.feed.accounts[user].follows
        seen = SeenPost(card.number, card.writer, card.writer_name, card.text, by, score, comments)
        return replace(seen, followed=followed) if s.follows else seen

    # ---- what is done

    def _act(self, user: int, posts: tuple[SeenPost, ...], answer: FeedSitting, voice: ModelPanel) -> None:
        if answer.fault:
            return
        for deed in answer.deeds:
            about = f" on {deed.about} ({_words(deed.about, posts)!r})" if deed.about else ""
            said = f', saying "{deed.text[:TOLD]}"' if deed.text else ""
            why = f"; {answer.why}" if answer.why else ""
            try:
                self._do(user, deed, answer.why)
            except Refused as refused:
                voice.refuse()
                why = f"; the platform refused: {refused}"
            self.lately[user].append(f"{deed.act}{about}{said}{why}")
        if not answer.deeds:
            self.site.do_nothing(user, answer.why)
            self.lately[user].append(f"do_nothing; {answer.why}" if answer.why else "do_nothing")

    def _do(self, user: int, deed: ReaderDeed, why: str) -> None:
        """Do one of several acts. Raises Refused."""
        self.site.do(user, deed.act, reason=why, **deed.arguments)


def _words(about: str, posts: Sequence[SeenPost]) -> str:
    """The text of what an act is about."""
    for p in posts:
        if about in (f"post {p.number}", f"user {p.user}"):
            return p.text[:TOLD] if about.startswith("post") else p.name
        for c in p.comments:
            if about in (f"comment {c.number}", f"user {c.user}"):
                return c.text[:TOLD] if about.startswith("comment") else c.name
    return ""
