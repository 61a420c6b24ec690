"""The words of the crowd (names, bios, posts, comments), generated when somebody looks, always the same."""

from __future__ import annotations

from typing import Any

from sandbox.feed.model import NOBODY, UNIT, UNTOLD, Feed
from sandbox.feed.word_lists import Lists
from sandbox.feed.wording import Who, Wording, default_wording, number_of


class CrowdWords:
    """The words of one world's crowd (`reading.WordSource`). seed: the world's; lists: its own, if it has any."""

    def __init__(self, seed: int, lists: Lists | None = None) -> None:
        self._seed = seed
        self._wording = Wording(lists) if lists else None

    @classmethod
    def of(cls, scenario: Any) -> CrowdWords:
        """The words for a scenario's world."""
        return cls(scenario.seed, scenario.feed.words if scenario.feed is not None else None)

    @property
    def _said(self) -> Wording:
        if self._wording is None:
            self._wording = default_wording()  # takes a moment; most worlds are never looked at
        return self._wording

    def who(self, feed: Feed, user: int) -> Who:
        """The attributes of a user of the crowd."""
        p, users = feed.profiles, feed.users
        traits = [x / 100 for x in p.traits[user].tolist()]
        return Who(
            user,
            int(p.age[user]),
            int(p.gender[user]),
            (traits[0], traits[1], traits[2], traits[3], traits[4]),
            int(p.profession[user]),
            (int(p.topics[user, 0]), int(p.topics[user, 1])),
            int(users.stance[user]) / UNIT,
            int(users.pleasure[user]) / 100,
        )

    def name(self, feed: Feed, user: int) -> str:
        """The name of a user of the crowd."""
        names = feed.loaded_names
        if names is not None and user < names.count:
            return names.name(user)
        return self._said.name(self.who(feed, user), self._seed)

    def handle(self, feed: Feed, user: int) -> str:
        """The handle of a user of the crowd."""
        names = feed.loaded_names
        if names is not None and user < names.count:
            return names.handle(user)
        return self._said.handle(self.who(feed, user), self._seed)

    def find(self, feed: Feed, handle: str) -> int:
        """The user of the crowd with that handle, NOBODY if there is none; case does not matter."""
        names = feed.loaded_names
        user = names.find(handle) if names is not None else NOBODY
        if user != NOBODY:
            return user
        user = number_of(handle)  # a drawn user's handle ends in their number
        drawn = user < feed.crowd and (names is None or user >= names.count)
        return user if user >= 0 and drawn and self.handle(feed, user) == handle.lower() else NOBODY

    def bio(self, feed: Feed, user: int) -> str:
        """The bio of a user of the crowd."""
        names = feed.loaded_names
        if names is not None and user < names.count:
            return names.bio(user)
        return self._said.bio(self.who(feed, user), self._seed)

    def post(self, feed: Feed, post: int) -> str:
        """The words of a post that a user of the crowd wrote."""
        posts = feed.posts
        author, stance = int(posts.author[post]), int(posts.stance[post])
        pleasure = int(feed.users.pleasure[author]) / 100
        held = 0.0 if stance == UNTOLD else stance / UNIT
        return self._said.post(max(0, int(posts.topic[post])), held, pleasure, author, post, self._seed)

    def comment(self, feed: Feed, comment: int) -> str:
        """The words of a comment that a user of the crowd wrote."""
        comments = feed.comments
        post, author = int(comments.post[comment]), int(comments.author[comment])
        topic = max(0, int(feed.posts.topic[post]))
        own = feed.texts.get(post)
        if doubt := int(comments.doubt[comment]):
            return self._said.doubt(doubt, own or self.post(feed, post), author, comment, self._seed)
        tone = int(comments.tone[comment])
        return self._said.comment(topic, tone, author, comment, self._seed, self.subject(feed, post))

    def subject(self, feed: Feed, post: int) -> str:
        """What a post of the crowd is about; "" if somebody wrote words of their own."""
        if post in feed.texts:
            return ""
        return self._said.subject(max(0, int(feed.posts.topic[post])), post, self._seed)
