"""The platform as a library: a feed with its rules, without a town and without a screen (docs/feed.md).

    platform = Platform("x", seed=1)
    ada = platform.sign_up("ada", "Ada", "I bake bread.")
    post = platform.create_post(ada, "The loaf came out golden.")

Every action becomes one event, which `keep` is given as a row of a log; a feed made again by these events is the same.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandbox.feed import acts_of_people as people
from sandbox.feed import acts_of_posts as posts
from sandbox.feed import acts_of_reading, cards
from sandbox.feed import acts_of_reading as looks
from sandbox.feed.acting import a_card, a_user, card_and_root
from sandbox.feed.acts_of_reading import Conversation, Room
from sandbox.feed.cards import Card, Comment, Person
from sandbox.feed.core import PlatformCore
from sandbox.feed.model import NOBODY, CrowdParameters, Feed, Message
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.recommenders import Ranks, Recommender
from sandbox.feed.tables import draws


class Platform(PlatformCore):
    """A platform with a method for each action; docs/feed.md lists them with their reasons for refusal. `user`: who
    acts, `reason`: a sentence why. An impossible action raises `Refused` and changes nothing.
    """

    def sign_up(self, handle: str, name: str, bio: str = "", reason: str = "") -> int:
        """Create an account; returns the number of the new user."""
        return self._act(people.sign_up(self.feed, handle, name, bio, reason, self)).user

    # ---- looking

    def refresh(self, user: int, count: int = 0, reason: str = "") -> list[Card]:
        """Refresh the feed: `count` of the ready cards, drawn at random; 0 = as many as the parameters say. Another
        refresh in the same second shows the same cards.
        """
        return self._cards(self._act(looks.refresh(self._on(user, reason), count)))

    def trend(self, user: int, reason: str = "") -> list[Card]:
        """See the most liked posts of the last 7 days."""
        return self._cards(self._act(looks.trend(self._on(user, reason))))

    def search_posts(self, user: int, query: str, reason: str = "") -> list[Card]:
        """Search for posts whose text contains the query."""
        return self._cards(self._act(looks.search_posts(self._on(user, reason), query)))

    def search_users(self, user: int, query: str, reason: str = "") -> list[Person]:
        """Search for users whose name, handle or bio contains the query."""
        return self._people(self._act(looks.search_users(self._on(user, reason), query)))

    def read_messages(self, user: int, other: int, reason: str = "") -> list[Message]:
        """Read the messages from `other` since one last read them."""
        return self._messages(self._act(looks.read_messages(self._on(user, reason), other)))

    def listen_from_group(self, user: int, group: int, reason: str = "") -> list[Message]:
        """Read others' messages to a group since one last read them."""
        return self._messages(self._act(looks.listen_from_group(self._on(user, reason), group)))

    def do_nothing(self, user: int, reason: str = "") -> None:
        """Do nothing; `reason` says why."""
        self._act(looks.do_nothing(self._on(user, reason)))

    # ---- posts and comments

    def create_post(
        self, user: int, text: str, stance: float | None = None, reason: str = "", heat: float = 0.0
    ) -> int:
        """Write a post; returns its number. stance: -1 to 1; None = none. heat: how much it agitates, 0 to 1."""
        return self._act(posts.create_post(self._on(user, reason), text, stance, heat)).post

    def repost(self, user: int, post: int, reason: str = "") -> int:
        """Repost a post; returns the number of the new card."""
        return self._act(posts.repost(self._on(user, reason), post)).post

    def quote_post(self, user: int, post: int, text: str, stance: float | None = None, reason: str = "") -> int:
        """Write one's own text about a post; returns the number of the new card. stance: -1 to 1; None = none."""
        return self._act(posts.quote_post(self._on(user, reason), post, text, stance)).post

    def delete_post(self, user: int, post: int, reason: str = "") -> None:
        """Delete one of one's own cards."""
        self._act(posts.delete_post(self._on(user, reason), post))

    def report_post(self, user: int, post: int, why: str = "", reason: str = "") -> None:
        """Report a post. why: the complaint."""
        self._act(posts.report_post(self._on(user, reason), post, why))

    def like_post(self, user: int, post: int, reason: str = "") -> None:
        """Like a post."""
        self._act(posts.react_to(self._on(user, reason), "like", "post", post))

    def unlike_post(self, user: int, post: int, reason: str = "") -> None:
        """Take a like back."""
        self._act(posts.react_to(self._on(user, reason), "unlike", "post", post))

    def dislike_post(self, user: int, post: int, reason: str = "") -> None:
        """Dislike a post."""
        self._act(posts.react_to(self._on(user, reason), "dislike", "post", post))

    def undo_dislike_post(self, user: int, post: int, reason: str = "") -> None:
        """Take a dislike back."""
        self._act(posts.react_to(self._on(user, reason), "undo_dislike", "post", post))

    def create_comment(self, user: int, post: int, text: str, tone: int = 0, doubt: int = 0, reason: str = "") -> int:
        """Comment on a post; returns the comment's number. tone: -1, 0 or 1. doubt: 1 to 10, 0 = not stated."""
        return self._act(posts.create_comment(self._on(user, reason), post, text, tone, doubt)).comment

    def like_comment(self, user: int, comment: int, reason: str = "") -> None:
        """Like a comment."""
        self._act(posts.react_to(self._on(user, reason), "like", "comment", comment))

    def unlike_comment(self, user: int, comment: int, reason: str = "") -> None:
        """Take a like back."""
        self._act(posts.react_to(self._on(user, reason), "unlike", "comment", comment))

    def dislike_comment(self, user: int, comment: int, reason: str = "") -> None:
        """Dislike a comment."""
        self._act(posts.react_to(self._on(user, reason), "dislike", "comment", comment))

    def undo_dislike_comment(self, user: int, comment: int, reason: str = "") -> None:
        """Take a dislike back."""
        self._act(posts.react_to(self._on(user, reason), "undo_dislike", "comment", comment))

    # ---- users

    def follow(self, user: int, other: int, reason: str = "") -> None:
        """Follow a user."""
        self._act(people.connect_to(self._on(user, reason), "follow", other))

    def unfollow(self, user: int, other: int, reason: str = "") -> None:
        """Stop following a user."""
        self._act(people.connect_to(self._on(user, reason), "unfollow", other))

    def mute(self, user: int, other: int, reason: str = "") -> None:
        """Stop seeing what a user writes."""
        self._act(people.connect_to(self._on(user, reason), "mute", other))

    def unmute(self, user: int, other: int, reason: str = "") -> None:
        """See a muted user's posts again."""
        self._act(people.connect_to(self._on(user, reason), "unmute", other))

    def block(self, user: int, other: int, reason: str = "") -> None:
        """Block a user: neither sees the other any more, and both stop following."""
        self._act(people.connect_to(self._on(user, reason), "block", other))

    def unblock(self, user: int, other: int, reason: str = "") -> None:
        """Stop blocking a user."""
        self._act(people.connect_to(self._on(user, reason), "unblock", other))

    def mute_word(self, user: int, word: str, reason: str = "") -> None:
        """Hide texts that contain a word, or several in a row."""
        self._act(people.mute_word(self._on(user, reason), word))

    def unmute_word(self, user: int, word: str, reason: str = "") -> None:
        """Stop hiding texts that contain a muted word."""
        self._act(people.unmute_word(self._on(user, reason), word))

    # ---- messages and groups

    def send_message(self, user: int, other: int, text: str, quotes: int = NOBODY, reason: str = "") -> int:
        """Send a message to one user; returns its number. quotes: the message it answers."""
        return self._act(people.send_message(self._on(user, reason), other, text, quotes)).message

    def create_group(self, user: int, name: str, reason: str = "") -> int:
        """Create a group and join it; returns its number."""
        return self._act(people.create_group(self._on(user, reason), name)).group

    def join_group(self, user: int, group: int, reason: str = "") -> None:
        """Join a group."""
        self._act(people.join_group(self._on(user, reason), group))

    def leave_group(self, user: int, group: int, reason: str = "") -> None:
        """Leave a group."""
        self._act(people.leave_group(self._on(user, reason), group))

    def send_to_group(self, user: int, group: int, text: str, quotes: int = NOBODY, reason: str = "") -> int:
        """Send a message to a group; returns its number. quotes: the message it answers."""
        return self._act(people.send_to_group(self._on(user, reason), group, text, quotes)).message

    # ---- reading without acting: it leaves no trace

    def card(self, number: int, user: int = NOBODY) -> Card:
        """A card as `user` sees it; NOBODY: a reader without an account. Raises Refused if the card does not exist, is
        deleted, or is by a blocked user.
        """
        found = (
            card_and_root(self._on(user, ""), number)[0] if user in self.feed.accounts else a_card(self.feed, number)
        )
        return cards.card_for(self.feed, user, found, self.words)

    def comments(self, post: int, user: int = NOBODY, *, best: bool = False, most: int | None = None) -> list[Comment]:
        """The comments on a post visible to a user: newest first, or best score first. most: None = all."""
        return cards.comments(self.feed, user, a_card(self.feed, post), self.words, best=best, most=most)

    def person(self, number: int, user: int = NOBODY) -> Person:
        """A user as another user sees them."""
        return cards.person_for(self.feed, user, a_user(self.feed, number), self.words)

    def conversations(self, user: int) -> list[Conversation]:
        """The conversations of a user, latest first, with the number of unread messages."""
        return acts_of_reading.conversations(self.feed, self._account(user).number, self.words)

    def messages(self, user: int, other: int) -> list[Message]:
        """All messages between two users that are visible to the first."""
        return acts_of_reading.direct_messages(self.feed, self._account(user).number, other)

    def group_messages(self, user: int, group: int) -> list[Message]:
        """All messages to a group that are visible to a member; none for others."""
        return acts_of_reading.group_messages(self.feed, self._account(user).number, group)

    def groups(self, user: int = NOBODY) -> list[Room]:
        """All groups, the newest first."""
        return acts_of_reading.rooms(self.feed, user)


# ---- a trial of a recommender of one's own


USERS, TICKS, KEPT = 300, 12, 7


def check_recommender(make: Callable[[], Recommender]) -> None:
    """Test a recommender.

    Args: make: its class, or a function that makes one. Raises: AssertionError, with a sentence, if it breaks a
    promise; whatever the recommender raises. Promises: it returns (users, k) whole numbers, each an existing card that
    is not deleted, or -1; no repeats in a row; the same feed, users and random generator give the same cards; the feed
    is not changed; a feed without posts, no users, and k beyond what there is are handled.
    """
    site = Platform("x", seed=5, parameters=FeedParameters(crowd=USERS), crowd=CrowdParameters(), threads=1)
    feed, users = site.feed, np.arange(USERS, dtype=np.int64)
    _look(_made(make), site, users, KEPT)
    author = site.sign_up("author", "Author", "I bake bread.")
    kept = [site.create_post(author, f"Loaf number {i} is out of the oven.") for i in range(5)]
    for _ in range(TICKS):
        site.tick()
    site.delete_post(author, kept[0])
    everybody = np.append(users, author)
    for k in (1, KEPT, 400):
        _look(_made(make), site, everybody, k)
    _look(_made(make), site, users[:0], KEPT)
    assert feed.posts.gone[kept[0]]


def _made(make: Callable[[], Recommender]) -> Recommender:
    assert callable(make), f"{make!r} is one that is made already; give its class, or a function that makes one"
    one: object = make()
    return one if isinstance(one, Recommender) else Ranks(one)


def _look(one: Recommender, site: Platform, users: np.ndarray[tuple[int], np.dtype[np.int64]], k: int) -> None:
    feed, now = site.feed, site.now
    before = _told(feed)
    try:
        found = one.rank(feed, users, now, k, draws(1, "check"))
        again = one.rank(feed, users, now, k, draws(1, "check"))
    except Exception as error:
        error.add_note(f"asked for {k} cards for each of {len(users)} users, of a feed with {feed.posts.n} posts")
        raise
    name = f"{one.name!r}"
    assert isinstance(found, np.ndarray), f"{name} gives {type(found).__name__}, not an array"
    assert np.shape(found) == (len(users), k), f"{name} gives {np.shape(found)}, not {(len(users), k)}"
    assert np.issubdtype(found.dtype, np.integer), f"{name} gives {found.dtype}, not whole numbers"
    assert np.array_equal(found, again), f"{name} gives other cards for the same feed, users and chance"
    assert _told(feed) == before, f"{name} changes the feed"
    cards = found[found >= 0]
    there = bool((found >= -1).all()) and bool((cards < feed.posts.n).all())
    assert there, f"{name} shows cards that are not there"
    gone = feed.posts.gone[cards] | feed.posts.gone[feed.posts.root[cards]]
    assert not gone.any(), f"{name} shows what is deleted"
    rows = np.sort(np.where(found >= 0, found, -1 - np.arange(k)), axis=1)
    assert not (rows[:, 1:] == rows[:, :-1]).any(), f"{name} shows a card twice to one user"


def _told(feed: Feed) -> list[bytes]:
    tables = (feed.posts, feed.comments, feed.users, feed.roots, feed.vectors)
    columns = [getattr(table, name) for table in tables for name in table.FIELDS]
    columns += [feed.hours, feed.graph.first, feed.graph.followees]
    return [str([table.n for table in tables]).encode(), *(column.tobytes() for column in columns)]
