"""A feed at the end of a save as flat tables: its users, who follows whom, its posts and comments.

The first three can also have the form that a world takes as its `population` (docs/modding.md), so that another world
can begin with this feed. Rows come one at a time; the crowd's words are made on the way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from sandbox.engine.load_population import FOLLOWS
from sandbox.engine.load_users import BIG_FIVE, GENDERS
from sandbox.engine.world import World
from sandbox.feed.cards import KIND_WORDS
from sandbox.feed.graph import merge
from sandbox.feed.loaded_tables import HUNDRED, OLDEST, THOUSAND
from sandbox.feed.model import QUOTE, REPOST, UNTOLD
from sandbox.feed.reading import comment_text, text_of
from sandbox.feed.word_lists import PROFESSIONS, TOPICS
from sandbox.feed.words import CrowdWords
from sandbox.readers.tables import Cells

_GENDERS = {number: word for word, number in GENDERS.items() if len(word) > 1}
_CHANCES = [f"{n / 255:.3g}" for n in range(256)]  # chance to use the feed in an hour; the digits keep all apart

_NO_WORDS = (None,) * 8  # for a repost, in place of what `_own` returns


class FeedTable(ABC):
    """A table of a world's feed. columns: of a row; loads: how many of them, from the first, a world's population table
    has, 0 = there is no such table. loadable: make rows for a population table.
    """

    columns: ClassVar[tuple[str, ...]]
    loads: ClassVar[int] = 0

    def __init__(self, world: World, loadable: bool = False) -> None:
        self.world, self.feed, self.loadable = world, world.feed, loadable
        self.words = CrowdWords.of(world.scenario)
        self.width = self.loads if loadable else len(self.columns)

    def cells(self) -> Iterator[Cells]:
        """All rows, of the first `width` columns."""
        return (row[: self.width] for row in self._rows())

    @abstractmethod
    def _rows(self) -> Iterator[Cells]: ...

    def _time(self, t: int) -> str:
        """A second as date and time: "2025-03-04 07:31:05"."""
        return f"{self.world.clock.at(t):%Y-%m-%d %H:%M:%S}"


class FeedUsers(FeedTable):
    """A row for each user, the crowd first. Columns known of the crowd only are empty for accounts. kind: loaded (from
    a table), drawn (at random), or account.
    """

    columns = (
        "id", "handle", "name", "bio", "age", "gender", "profession", "topics", "stance", "pleasure", *BIG_FIVE,
        "hours", "fans", "kind",
    )  # fmt: skip
    loads = 16

    def _rows(self) -> Iterator[Cells]:
        feed, words = self.feed, self.words
        loaded = 0 if feed.loaded_names is None else feed.loaded_names.count
        for user in range(feed.crowd):
            kind = "loaded" if user < loaded else "drawn"
            called = (words.handle(feed, user), words.name(feed, user), words.bio(feed, user))
            yield (user, *called, *self._known(user), feed.users.fans.item(user), kind)
        unknown = (None,) * (self.loads - 4)
        for user, account in feed.accounts.items():
            called = (account.handle, account.name, account.bio)
            yield (user, *called, *unknown, feed.users.fans.item(user), "account")

    def _known(self, user: int) -> Cells:
        """A crowd user's columns from age to hours."""
        of, users = self.feed.profiles, self.feed.users
        return (
            of.age.item(user),
            _GENDERS[of.gender.item(user)],
            PROFESSIONS[of.profession.item(user)],
            ";".join(TOPICS[topic] for topic in of.topics[user].tolist()),
            users.stance.item(user) / THOUSAND,
            users.pleasure.item(user) / HUNDRED,
            *(trait / HUNDRED for trait in of.traits[user].tolist()),
            ";".join(_CHANCES[chance] for chance in self.feed.hours[:, user].tolist()),
        )


class FeedFollows(FeedTable):
    """A row for each follow; by follower, in order of following."""

    columns = FOLLOWS
    loads = len(FOLLOWS)

    def _rows(self) -> Iterator[Cells]:
        graph = self.feed.graph
        if graph.waiting:
            merge(graph)
        for user in range(graph.users):
            for other in graph.followees[graph.first.item(user) : graph.first.item(user + 1)].tolist():
                yield (user, other)
        for user, account in self.feed.accounts.items():
            for other in account.follows:
                yield (user, other)


class FeedPosts(FeedTable):
    """A row for each card that is not deleted. time: in a population table, seconds relative to the end of the save (at
    most 0). repost_of: the card passed on, or, if deleted, the nearest one before it that is not; quote_of: the card
    quoted, deleted or not. root: the card whose words it shows. A repost has no words, stance and counts; its root has.
    """

    columns = (
        "id", "author", "time", "text", "topic", "stance", "likes", "dislikes", "repost_of",
        "what", "root", "quote_of", "t", "comments", "reposts", "quotes",
    )  # fmt: skip
    loads = 9

    def _rows(self) -> Iterator[Cells]:
        posts = self.feed.posts
        for card in range(posts.n):
            if posts.gone.item(card):
                continue
            kind, via, t = posts.kind.item(card), posts.via.item(card), posts.t.item(card)
            while kind == REPOST and posts.gone.item(via):
                via = posts.via.item(via)
            time = max(t - self.world.now, -OLDEST) if self.loadable else self._time(t)
            own = _NO_WORDS if kind == REPOST else self._own(card)
            yield (
                card, posts.author.item(card), time, *own[:5], via if kind == REPOST else None,
                KIND_WORDS[kind], posts.root.item(card), via if kind == QUOTE else None, t, *own[5:],
            )  # fmt: skip

    def _own(self, card: int) -> Cells:
        """The columns that a repost lacks: words, topic, stance and counts of reactions."""
        posts = self.feed.posts
        topic, stance = posts.topic.item(card), posts.stance.item(card)
        return (
            text_of(self.feed, card, self.words),
            None if topic < 0 else TOPICS[topic],
            None if stance == UNTOLD else stance / THOUSAND,
            *(n.item(card) for n in (posts.likes, posts.dislikes, posts.comments, posts.reposts, posts.quotes)),
        )


class FeedComments(FeedTable):
    """A row for each comment on a card that is not deleted."""

    columns = ("id", "post", "author", "t", "time", "text", "tone", "doubt", "stance", "likes", "dislikes")

    def _rows(self) -> Iterator[Cells]:
        c = self.feed.comments
        for number in range(c.n):
            post, t, stance = c.post.item(number), c.t.item(number), c.stance.item(number)
            if not self.feed.posts.gone.item(post):
                yield (
                    number, post, c.author.item(number), t, self._time(t), comment_text(self.feed, number, self.words),
                    c.tone.item(number), c.doubt.item(number), None if stance == UNTOLD else stance / THOUSAND,
                    c.likes.item(number), c.dislikes.item(number),
                )  # fmt: skip


STATES: dict[str, type[FeedTable]] = {
    "feed-users": FeedUsers,
    "feed-follows": FeedFollows,
    "feed-posts": FeedPosts,
    "feed-comments": FeedComments,
}
