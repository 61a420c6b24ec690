"""Rules of actions between users: signing up, following, muting, blocking, messages and groups."""

from __future__ import annotations

import re
from typing import NamedTuple

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
    ConnectionAct,
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


class _Connection(NamedTuple):
    """held: the set of an account that holds whom it is with. has, lacks: as in "you follow user 3" and "you do not".
    undo: the act that ends it; already, lacking: why it cannot begin twice, or end.
    """

    held: str
    has: str
    lacks: str
    undo: ConnectionAct
    already: Why
    lacking: Why


_CONNECTIONS: dict[ConnectionAct, _Connection] = {
    "follow": _Connection("follows", "follow", "do not follow", "unfollow", Why.ALREADY_FOLLOWING, Why.NOT_FOLLOWING),
    "mute": _Connection("mutes", "have muted", "have not muted", "unmute", Why.ALREADY_MUTED, Why.NOT_MUTED),
    "block": _Connection("blocks", "have blocked", "have not blocked", "unblock", Why.ALREADY_BLOCKED, Why.NOT_BLOCKED),
}
_ENDS = {x.undo: act for act, x in _CONNECTIONS.items()}


def connect_to(actor: ActingUser, act: ConnectionAct, other: int) -> Connected:
    """Follow, mute or block another user, or end that."""
    if act in _ENDS:
        x, number = _CONNECTIONS[_ENDS[act]], a_user(actor.feed, other)
        if number not in getattr(actor.me, x.held):
            raise Refused(x.lacking, f"you {x.lacks} user {number}, so there is nothing to end; {_ENDS[act]} does")
    else:
        x, number = _CONNECTIONS[act], another(actor, other, act)
        if act == "follow":
            refuse_if_blocked(actor, number)
        if number in getattr(actor.me, x.held):
            raise Refused(x.already, f"you {x.has} user {number} already; {x.undo} ends that")
    return Connected(act, number, user=actor.user, reason=actor.reason)


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
