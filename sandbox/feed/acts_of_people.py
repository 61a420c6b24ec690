"""Rules of what users are to one another: signing up, following, muting, blocking, messages and groups."""

from __future__ import annotations

import re

from sandbox.core.faults import clean_name
from sandbox.feed.acting import (
    BARE,
    ActingUser,
    ActionContext,
    Refused,
    Why,
    a_group,
    a_number,
    a_text,
    a_user,
    another,
    checked_reason,
    own_group,
    plain_str,
    refuse_if_blocked,
)
from sandbox.feed.events import (
    BIO,
    HANDLE,
    NAME,
    TEXT,
    WORD,
    Connected,
    Grouped,
    Messaged,
    MutedWord,
    SignedUp,
)
from sandbox.feed.model import NOBODY, Feed
from sandbox.feed.reading import either_blocked, fold_text, user_of

_HANDLE = re.compile(rf"[A-Za-z0-9_]{{1,{HANDLE}}}")


def sign_up(
    feed: Feed, handle: str, name: str, bio: str = "", reason: str = "", means: ActionContext = BARE
) -> SignedUp:
    """Make an account. It is nobody's action yet: the event tells the number of the new user."""
    handle = plain_str(handle, "a handle")
    if not _HANDLE.fullmatch(handle):
        raise Refused(
            Why.BAD_HANDLE, f"a handle is 1 to {HANDLE} of the letters A to Z, digits and _; choose one like ada_17"
        )
    if user_of(feed, handle, means.words) != NOBODY:
        raise Refused(Why.TAKEN_HANDLE, f"the handle {handle} is taken; choose another")
    name, bio = a_text(name, "a name", NAME), a_text(bio, "a bio", BIO, least=0)
    try:
        name = clean_name(name)
    except ValueError as wrong:
        raise Refused(Why.BAD_TEXT, f"a name {wrong}") from None
    reason = checked_reason(reason)
    return SignedUp(handle, name, bio, means.vector(bio), user=feed.users.n, reason=reason)


# ---- follow, mute, block


def follow_user(on: ActingUser, other: int) -> Connected:
    """Follow a user."""
    number = another(on, other, "follow")
    refuse_if_blocked(on, number)
    if number in on.me.follows:
        raise Refused(Why.ALREADY_FOLLOWING, f"you follow user {number} already; unfollow ends that")
    return Connected("follow", number, user=on.user, reason=on.reason)


def unfollow(on: ActingUser, other: int) -> Connected:
    """End following a user."""
    number = a_user(on.feed, other)
    if number not in on.me.follows:
        raise Refused(Why.NOT_FOLLOWING, f"you do not follow user {number}, so there is nothing to end; follow does")
    return Connected("unfollow", number, user=on.user, reason=on.reason)


def mute(on: ActingUser, other: int) -> Connected:
    """No longer read a user, who does not notice."""
    number = another(on, other, "mute")
    if number in on.me.mutes:
        raise Refused(Why.ALREADY_MUTED, f"you have muted user {number} already; unmute ends that")
    return Connected("mute", number, user=on.user, reason=on.reason)


def unmute(on: ActingUser, other: int) -> Connected:
    """Read a muted user again."""
    number = a_user(on.feed, other)
    if number not in on.me.mutes:
        raise Refused(Why.NOT_MUTED, f"you have not muted user {number}, so there is nothing to end; mute does")
    return Connected("unmute", number, user=on.user, reason=on.reason)


def block(on: ActingUser, other: int) -> Connected:
    """Have nothing to do with a user any more: neither sees the other, and both no longer follow."""
    number = another(on, other, "block")
    if number in on.me.blocks:
        raise Refused(Why.ALREADY_BLOCKED, f"you have blocked user {number} already; unblock ends that")
    return Connected("block", number, user=on.user, reason=on.reason)


def unblock(on: ActingUser, other: int) -> Connected:
    """End blocking a user."""
    number = a_user(on.feed, other)
    if number not in on.me.blocks:
        raise Refused(Why.NOT_BLOCKED, f"you have not blocked user {number}, so there is nothing to end; block does")
    return Connected("unblock", number, user=on.user, reason=on.reason)


def mute_word(on: ActingUser, word: str) -> MutedWord:
    """No longer read what holds a word, or several in a row; capitals and small letters are alike."""
    kept = _word(word)
    if kept in on.me.words:
        raise Refused(Why.ALREADY_MUTED, "you have muted that word already; unmute_word ends that")
    return MutedWord("mute", kept, user=on.user, reason=on.reason)


def unmute_word(on: ActingUser, word: str) -> MutedWord:
    """Read what holds a muted word again."""
    kept = _word(word)
    if kept not in on.me.words:
        raise Refused(Why.NOT_MUTED, "you have not muted that word, so there is nothing to end; mute_word does")
    return MutedWord("unmute", kept, user=on.user, reason=on.reason)


def _word(given: str) -> str:
    kept = fold_text(a_text(given, "a muted word", WORD)).strip()
    if not kept:
        raise Refused(Why.EMPTY, "a muted word cannot be empty; write at least one letter")
    return kept


# ---- messages and groups


def send_message(on: ActingUser, other: int, text: str, quotes: int = NOBODY) -> Messaged:
    """Write to a user alone. quotes: a message of the two that it answers."""
    number = another(on, other, "write to")
    refuse_if_blocked(on, number)
    words = a_text(text, "a message", TEXT)
    answered = _quoted(on, quotes, on.me.direct.get(number, []))
    return Messaged(len(on.feed.messages), number, NOBODY, words, answered, user=on.user, reason=on.reason)


def send_to_group(on: ActingUser, group: int, text: str, quotes: int = NOBODY) -> Messaged:
    """Write to all who are in a group one is in. quotes: a message to the group that it answers."""
    number = own_group(on, group)
    words = a_text(text, "a message", TEXT)
    answered = _quoted(on, quotes, on.feed.groups[number].messages)
    return Messaged(len(on.feed.messages), NOBODY, number, words, answered, user=on.user, reason=on.reason)


def _quoted(on: ActingUser, given: int, among: list[int]) -> int:
    """The message that is answered, if one is."""
    number = a_number(given, "the message that is answered")
    if number == NOBODY:
        return NOBODY
    if number not in among:
        raise Refused(
            Why.UNKNOWN_MESSAGE, f"there is no message {number} here; take the number of one of this conversation"
        )
    if either_blocked(on.me, on.feed.messages[number].author):
        raise Refused(
            Why.BLOCKED, f"one of you and the author of message {number} has blocked the other; answer another message"
        )
    return number


def create_group(on: ActingUser, name: str) -> Grouped:
    """Make a group and be in it."""
    called = a_text(name, "the name of a group", NAME)
    return Grouped("create", len(on.feed.groups), called, user=on.user, reason=on.reason)


def join_group(on: ActingUser, group: int) -> Grouped:
    """Be in a group."""
    number = a_group(on.feed, group)
    if number in on.me.groups:
        raise Refused(Why.ALREADY_IN_GROUP, f"you are in group {number} already; leave_group ends that")
    return Grouped("join", number, user=on.user, reason=on.reason)


def leave_group(on: ActingUser, group: int) -> Grouped:
    """No longer be in a group."""
    return Grouped("leave", own_group(on, group), user=on.user, reason=on.reason)
