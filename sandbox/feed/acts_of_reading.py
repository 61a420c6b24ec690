"""Rules of looking: at the feed, for posts and users, into messages, and at nothing. What was shown is in the event."""

from __future__ import annotations

from sandbox.feed.acting import ActingUser, Refused, Why, a_number, a_text, another, own_group
from sandbox.feed.events import MOST_SHOWN, QUERY, Browsed
from sandbox.feed.finding import find_posts as posts_with
from sandbox.feed.finding import find_users as users_with
from sandbox.feed.finding import trending_posts as trending
from sandbox.feed.mailbox import new_messages, unread_messages

MOST_READ = 100  # cards of one look


def refresh(on: ActingUser, count: int = 0) -> Browsed:
    """Look at the feed. count: how many cards, 0 = as many as is usual."""
    count = a_number(count, "how many cards")
    if not 0 <= count <= MOST_READ:
        raise Refused(Why.OUT_OF_RANGE, f"a look shows 1 to {MOST_READ} cards, not {count}; ask for fewer, or say none")
    shown = tuple(on.means.chosen(on.feed, on.user, on.now, count))
    return Browsed("refresh", "", shown, user=on.user, reason=on.reason)


def trend(on: ActingUser) -> Browsed:
    """See what is liked most of the last 7 days."""
    shown = tuple(trending(on.feed, on.user, on.now, on.means.words))
    return Browsed("trend", "", shown, user=on.user, reason=on.reason)


def search_posts(on: ActingUser, query: str) -> Browsed:
    """Look for posts that hold these letters."""
    wanted = a_text(query, "what you look for", QUERY)
    shown = tuple(posts_with(on.feed, on.user, wanted, on.means.words))
    return Browsed("search_posts", wanted, shown, user=on.user, reason=on.reason)


def search_users(on: ActingUser, query: str) -> Browsed:
    """Look for users whose name, handle or bio holds these letters."""
    wanted = a_text(query, "whom you look for", QUERY)
    shown = tuple(users_with(on.feed, on.user, wanted, on.means.words))
    return Browsed("search_users", wanted, shown, user=on.user, reason=on.reason)


def read_messages(on: ActingUser, other: int) -> Browsed:
    """Read what a user has written to one since one last did."""
    number = another(on, other, "read messages of")
    shown = tuple(m.number for m in unread_messages(on.feed, on.user, number))[:MOST_SHOWN]
    return Browsed("listen", "", shown, number, user=on.user, reason=on.reason)


def listen_from_group(on: ActingUser, group: int) -> Browsed:
    """Read what others have written to a group since one last did."""
    number = own_group(on, group)
    shown = tuple(m.number for m in new_messages(on.feed, on.user, number))[:MOST_SHOWN]
    return Browsed("listen", "", shown, group=number, user=on.user, reason=on.reason)


def do_nothing(on: ActingUser) -> Browsed:
    """Do nothing, and say why."""
    return Browsed("do_nothing", user=on.user, reason=on.reason)
