"""Rules of reading: the feed, searches, messages; and doing nothing. The event holds what was shown."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.feed.acting import ActingUser, Refused, Why, a_number, a_text, another, own_group
from sandbox.feed.events import MOST_SHOWN, QUERY, Browsed
from sandbox.feed.finding import find_posts as posts_with
from sandbox.feed.finding import find_users as users_with
from sandbox.feed.finding import trending_posts as trending
from sandbox.feed.handlers import unread_in_group
from sandbox.feed.model import NOBODY, Feed, Message
from sandbox.feed.reading import PLAIN, WordSource, is_user_hidden, name_of_user, unread_words


class Conversation(NamedTuple):
    """A user's messages with another user (other) or a group (group); the unused one is -1. name: of that user or
    group. unread: how many the user has not seen. last: the latest visible one, None if there is none.
    """

    other: int
    group: int
    name: str
    unread: int
    last: Message | None


class Room(NamedTuple):
    """A group as a user sees it. members: how many. inside: whether the user is a member."""

    number: int
    name: str
    members: int
    inside: bool


def direct_messages(feed: Feed, user: int, other: int) -> list[Message]:
    """The messages between two users that are visible to the first, oldest first."""
    me = feed.accounts[user]
    return [] if is_user_hidden(me, other) else _shown(feed, user, me.direct.get(other, []))


def group_messages(feed: Feed, user: int, group: int) -> list[Message]:
    """The messages to a group that are visible to a member, oldest first; none for others."""
    if group not in feed.accounts[user].groups:
        return []
    return _shown(feed, user, feed.groups[group].messages)


def new_messages(feed: Feed, user: int, group: int) -> list[Message]:
    """Others' messages to a group since a member last read it, as far as visible to them."""
    me = feed.accounts[user]
    return _shown(feed, user, unread_in_group(feed, me, group)) if group in me.groups else []


def unread_messages(feed: Feed, user: int, other: int) -> list[Message]:
    """Messages from `other` since the user last read them, as far as visible."""
    return _shown(feed, user, feed.accounts[user].unread.get(other, []))


def conversations(feed: Feed, user: int, words: WordSource = PLAIN) -> list[Conversation]:
    """All conversations of a user, latest message first, without those with hidden users."""
    me = feed.accounts[user]
    found = []
    for other in me.direct:
        messages = direct_messages(feed, user, other)
        if messages:
            unread = len(unread_messages(feed, user, other))
            found.append(Conversation(other, NOBODY, name_of_user(feed, other, words), unread, messages[-1]))
    for group in me.groups:
        messages = group_messages(feed, user, group)
        unread = len(new_messages(feed, user, group))
        found.append(Conversation(NOBODY, group, feed.groups[group].name, unread, messages[-1] if messages else None))
    return sorted(found, key=lambda c: c.last.number if c.last is not None else -1, reverse=True)


def rooms(feed: Feed, user: int) -> list[Room]:
    """All groups, the newest first."""
    return [Room(g.number, g.name, len(g.members), user in g.members) for g in reversed(feed.groups)]


def _shown(feed: Feed, user: int, numbers: list[int]) -> list[Message]:
    me = feed.accounts[user]
    messages = [feed.messages[number] for number in numbers]
    return [m for m in messages if not is_user_hidden(me, m.author) and not unread_words(me, m.author, m.text)]


MOST_READ = 100  # cards of one refresh at most


def refresh(actor: ActingUser, count: int = 0) -> Browsed:
    """Refresh the feed. count: how many cards, 0 = the usual number."""
    count = a_number(count, "how many cards")
    if not 0 <= count <= MOST_READ:
        raise Refused(Why.OUT_OF_RANGE, f"a look shows 1 to {MOST_READ} cards, not {count}; ask for fewer, or say none")
    shown = tuple(actor.means.chosen(actor.feed, actor.user, actor.now, count))
    return Browsed("refresh", "", shown, user=actor.user, reason=actor.reason)


def trend(actor: ActingUser) -> Browsed:
    """See the most liked posts of the last 7 days."""
    shown = tuple(trending(actor.feed, actor.user, actor.now, actor.means.words))
    return Browsed("trend", "", shown, user=actor.user, reason=actor.reason)


def search_posts(actor: ActingUser, query: str) -> Browsed:
    """Search for posts whose text contains the query."""
    wanted = a_text(query, "what you look for", QUERY)
    shown = tuple(posts_with(actor.feed, actor.user, wanted, actor.means.words))
    return Browsed("search_posts", wanted, shown, user=actor.user, reason=actor.reason)


def search_users(actor: ActingUser, query: str) -> Browsed:
    """Search for users whose name, handle or bio contains the query."""
    wanted = a_text(query, "whom you look for", QUERY)
    shown = tuple(users_with(actor.feed, actor.user, wanted, actor.means.words))
    return Browsed("search_users", wanted, shown, user=actor.user, reason=actor.reason)


def read_messages(actor: ActingUser, other: int) -> Browsed:
    """Read a user's messages since one last read them."""
    number = another(actor, other, "read messages of")
    shown = tuple(m.number for m in unread_messages(actor.feed, actor.user, number))[:MOST_SHOWN]
    return Browsed("listen", "", shown, number, user=actor.user, reason=actor.reason)


def listen_from_group(actor: ActingUser, group: int) -> Browsed:
    """Read others' messages to a group since one last read them."""
    number = own_group(actor, group)
    shown = tuple(m.number for m in new_messages(actor.feed, actor.user, number))[:MOST_SHOWN]
    return Browsed("listen", "", shown, group=number, user=actor.user, reason=actor.reason)


def do_nothing(actor: ActingUser) -> Browsed:
    """Do nothing; the reason says why."""
    return Browsed("do_nothing", user=actor.user, reason=actor.reason)
