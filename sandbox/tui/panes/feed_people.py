"""Users and conversations in lists: a user in two or three lines, a conversation in two."""

from __future__ import annotations

from sandbox.core.plain import count_of
from sandbox.feed.cards import Person
from sandbox.feed.mailbox import direct_messages, group_messages, new_messages, unread_messages
from sandbox.feed.model import NOBODY, Message
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.view.text_lines import DIM, FAINT, GOLD, SOFT, TEXT, Line, fit, hung, ink, outside, with_end

BIO = 2  # lines of a bio in a list


def user_lines(reader: FeedReader, user: Person, width: int) -> list[Line]:
    """A user in a list, and a blank line after them."""
    fans = [ink(count_of(user.fans, "follower"), DIM)]
    bio = hung([ink("  ")], user.bio, width, SOFT, most=BIO) if user.bio else []
    return [with_end(reader.called(user.number), fans, width), *bio, []]


def messages_of(reader: FeedReader, other: int, group: int) -> list[Message]:
    """What the chosen person has written with a user or a group and shows to them, the oldest first."""
    feed, me = reader.feed, reader.me
    if me == NOBODY:
        return []
    return direct_messages(feed, me, other) if group == NOBODY else group_messages(feed, me, group)


def unread_of(reader: FeedReader, other: int, group: int) -> frozenset[int]:
    """The numbers of those they have not read."""
    feed, me = reader.feed, reader.me
    if me == NOBODY:
        return frozenset()
    new = unread_messages(feed, me, other) if group == NOBODY else new_messages(feed, me, group)
    return frozenset(message.number for message in new)


def with_whom(reader: FeedReader, other: int, group: int) -> Line:
    """The other of a conversation, or the group."""
    if group == NOBODY:
        return reader.called(other)
    return [ink("= ", DIM), outside(reader.feed.groups[group].name, TEXT, bold=True)]


def talk_lines(reader: FeedReader, other: int, group: int, width: int) -> list[Line]:
    """A conversation: with whom, how many are unread, and the latest of it."""
    messages, unread = messages_of(reader, other, group), len(unread_of(reader, other, group))
    last = messages[-1] if messages else None
    end = [ink(f"{unread} unread  ", GOLD, bold=True)] if unread else []
    if last is not None:
        end.append(ink(reader.ago(last.t), DIM))
    out = [with_end(with_whom(reader, other, group), end, width)]
    if last is None:
        return [*out, [ink("  nothing is written here yet", FAINT)], []]
    by = "" if last.author == other else f"{reader.short(last.author)}: "
    return [*out, fit([ink("  "), outside(by + last.text, TEXT if unread else SOFT)], width), []]
