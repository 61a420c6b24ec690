"""Rules of actions between users: signing up, following, muting, blocking, messages and groups."""

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
    """Create an account. Nobody acts yet: the event holds the number of the new user."""
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


def follow_user(actor: ActingUser, other: int) -> Connected:
    """Follow a user."""
    number = another(actor, other, "follow")
    refuse_if_blocked(actor, number)
    if number in actor.me.follows:
        raise Refused(Why.ALREADY_FOLLOWING, f"you follow user {number} already; unfollow ends that")
    return Connected("follow", number, user=actor.user, reason=actor.reason)


def unfollow(actor: ActingUser, other: int) -> Connected:
    """Stop following a user."""
    number = a_user(actor.feed, other)
    if number not in actor.me.follows:
        raise Refused(Why.NOT_FOLLOWING, f"you do not follow user {number}, so there is nothing to end; follow does")
    return Connected("unfollow", number, user=actor.user, reason=actor.reason)


def mute(actor: ActingUser, other: int) -> Connected:
    """Stop seeing what a user writes; that user does not notice."""
    number = another(actor, other, "mute")
    if number in actor.me.mutes:
        raise Refused(Why.ALREADY_MUTED, f"you have muted user {number} already; unmute ends that")
    return Connected("mute", number, user=actor.user, reason=actor.reason)


def unmute(actor: ActingUser, other: int) -> Connected:
    """See a muted user's posts again."""
    number = a_user(actor.feed, other)
    if number not in actor.me.mutes:
        raise Refused(Why.NOT_MUTED, f"you have not muted user {number}, so there is nothing to end; mute does")
    return Connected("unmute", number, user=actor.user, reason=actor.reason)


def block(actor: ActingUser, other: int) -> Connected:
    """Block a user: neither sees the other, and both stop following."""
    number = another(actor, other, "block")
    if number in actor.me.blocks:
        raise Refused(Why.ALREADY_BLOCKED, f"you have blocked user {number} already; unblock ends that")
    return Connected("block", number, user=actor.user, reason=actor.reason)


def unblock(actor: ActingUser, other: int) -> Connected:
    """Stop blocking a user."""
    number = a_user(actor.feed, other)
    if number not in actor.me.blocks:
        raise Refused(Why.NOT_BLOCKED, f"you have not blocked user {number}, so there is nothing to end; block does")
    return Connected("unblock", number, user=actor.user, reason=actor.reason)


def mute_word(actor: ActingUser, word: str) -> MutedWord:
    """Hide texts that contain a word, or several in a row; case does not matter."""
    kept = _word(word)
    if kept in actor.me.words:
        raise Refused(Why.ALREADY_MUTED, "you have muted that word already; unmute_word ends that")
    return MutedWord("mute", kept, user=actor.user, reason=actor.reason)


def unmute_word(actor: ActingUser, word: str) -> MutedWord:
    """Stop hiding texts that contain a muted word."""
    kept = _word(word)
    if kept not in actor.me.words:
        raise Refused(Why.NOT_MUTED, "you have not muted that word, so there is nothing to end; mute_word does")
    return MutedWord("unmute", kept, user=actor.user, reason=actor.reason)


def _word(given: str) -> str:
    kept = fold_text(a_text(given, "a muted word", WORD)).strip()
    if not kept:
        raise Refused(Why.EMPTY, "a muted word cannot be empty; write at least one letter")
    return kept


# ---- messages and groups


def send_message(actor: ActingUser, other: int, text: str, quotes: int = NOBODY) -> Messaged:
    """Send a message to one user. quotes: a message between the two that it answers."""
    number = another(actor, other, "write to")
    refuse_if_blocked(actor, number)
    words = a_text(text, "a message", TEXT)
    answered = _quoted(actor, quotes, actor.me.direct.get(number, []))
    new = len(actor.feed.messages)
    return Messaged(new, number, NOBODY, answered, text=words, user=actor.user, reason=actor.reason)


def send_to_group(actor: ActingUser, group: int, text: str, quotes: int = NOBODY) -> Messaged:
    """Send a message to a group the actor is in. quotes: a message to the group that it answers."""
    number = own_group(actor, group)
    words = a_text(text, "a message", TEXT)
    answered = _quoted(actor, quotes, actor.feed.groups[number].messages)
    new = len(actor.feed.messages)
    return Messaged(new, NOBODY, number, answered, text=words, user=actor.user, reason=actor.reason)


def _quoted(actor: ActingUser, given: int, among: list[int]) -> int:
    """The number of the quoted message, NOBODY if none is quoted. Raises Refused."""
    number = a_number(given, "the message that is answered")
    if number == NOBODY:
        return NOBODY
    if number not in among:
        raise Refused(
            Why.UNKNOWN_MESSAGE, f"there is no message {number} here; take the number of one of this conversation"
        )
    if either_blocked(actor.me, actor.feed.messages[number].author):
        raise Refused(
            Why.BLOCKED, f"one of you and the author of message {number} has blocked the other; answer another message"
        )
    return number


def create_group(actor: ActingUser, name: str) -> Grouped:
    """Create a group and join it."""
    called = a_text(name, "the name of a group", NAME)
    return Grouped("create", len(actor.feed.groups), called, user=actor.user, reason=actor.reason)


def join_group(actor: ActingUser, group: int) -> Grouped:
    """Join a group."""
    number = a_group(actor.feed, group)
    if number in actor.me.groups:
        raise Refused(Why.ALREADY_IN_GROUP, f"you are in group {number} already; leave_group ends that")
    return Grouped("join", number, user=actor.user, reason=actor.reason)


def leave_group(actor: ActingUser, group: int) -> Grouped:
    """Leave a group."""
    return Grouped("leave", own_group(actor, group), user=actor.user, reason=actor.reason)
