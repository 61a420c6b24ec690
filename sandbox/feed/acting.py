"""What the rules of all actions share: the actor, the reasons for refusal, and the checks of arguments.

A rule is a pure function of actor and arguments. It returns the event that the action becomes, or raises `Refused`;
either way it changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from operator import index
from typing import Any, Protocol

from sandbox.core.text import clean
from sandbox.feed.events import REASON
from sandbox.feed.model import DIMENSIONS, Feed
from sandbox.feed.reading import PLAIN, WordSource, either_blocked

LARGEST = 1 << 62  # bound of whole numbers in arguments


class Why(StrEnum):
    """The reasons for refusing an action."""

    UNKNOWN_ACTION = "unknown_action"
    WRONG_ARGUMENT = "wrong_argument"
    UNKNOWN_USER = "unknown_user"
    UNKNOWN_POST = "unknown_post"
    UNKNOWN_COMMENT = "unknown_comment"
    UNKNOWN_GROUP = "unknown_group"
    UNKNOWN_MESSAGE = "unknown_message"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    BAD_TEXT = "bad_text"
    OUT_OF_RANGE = "out_of_range"
    BAD_HANDLE = "bad_handle"
    TAKEN_HANDLE = "taken_handle"
    ONESELF = "oneself"
    BLOCKED = "blocked"
    DELETED = "deleted"
    NOT_YOURS = "not_yours"
    ALREADY_LIKED = "already_liked"
    NOT_LIKED = "not_liked"
    ALREADY_DISLIKED = "already_disliked"
    NOT_DISLIKED = "not_disliked"
    ALREADY_REPOSTED = "already_reposted"
    ALREADY_REPORTED = "already_reported"
    ALREADY_FOLLOWING = "already_following"
    NOT_FOLLOWING = "not_following"
    ALREADY_MUTED = "already_muted"
    NOT_MUTED = "not_muted"
    ALREADY_BLOCKED = "already_blocked"
    NOT_BLOCKED = "not_blocked"
    ALREADY_IN_GROUP = "already_in_group"
    NOT_IN_GROUP = "not_in_group"


class Refused(ValueError):
    """An action was refused. why: the reason, for programs; the message gives the reason and a fix, for people."""

    def __init__(self, why: Why, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why

    def __reduce__(self) -> tuple[type[Refused], tuple[Why, str]]:
        return Refused, (self.why, str(self))


class ActionContext(Protocol):
    """What actions need besides the feed. words: texts of the crowd."""

    words: WordSource

    def vector(self, text: str) -> bytes:
        """The vector of a text as 32 int8; the same text always has the same vector."""

    def chosen(self, feed: Feed, user: int, now: int, count: int) -> Sequence[int]:
        """The cards that a refresh shows to a user, at most `count`; 0 = the usual number."""


class Bare:
    """A context without services: texts have zero vectors, the crowd has no words, and a refresh shows nothing."""

    words: WordSource = PLAIN

    def vector(self, text: str) -> bytes:
        return bytes(DIMENSIONS)

    def chosen(self, feed: Feed, user: int, now: int, count: int) -> Sequence[int]:
        return ()


BARE = Bare()


class ActingUser:
    """Who acts, on which feed, and when. user: the number; me: the account. now: seconds since the start. reason: the
    sentence a mind gave for the action.

    For example `like_post(ActingUser(feed, 12, now), 3)`. Raises Refused if there is no such account.
    """

    __slots__ = ("feed", "me", "means", "now", "reason", "user")

    def __init__(self, feed: Feed, user: int, now: int, reason: str = "", means: ActionContext = BARE) -> None:
        if type(user) is not int or abs(user) > LARGEST:
            user = a_number(user, "who acts")
        me = feed.accounts.get(user)
        if me is None:
            raise Refused(
                Why.UNKNOWN_USER, f"there is no account with the number {user}; sign_up makes one and tells its number"
            )
        self.feed, self.me, self.user, self.now, self.means = feed, me, me.number, now, means
        self.reason = checked_reason(reason)


# ---- what is given


def checked_reason(reason: str) -> str:
    """The reason, checked to fit an event. Raises Refused."""
    if reason or type(reason) is not str:
        reason = plain_str(reason, "a reason")
        if len(reason) > REASON:
            raise Refused(Why.TOO_LONG, f"a reason has at most {REASON} letters, not {len(reason)}; say it in fewer")
        _encodable(reason, "a reason")
    return reason


def plain_str(given: Any, what: str) -> str:
    """Any str (also a subclass) as a plain str. Raises Refused."""
    if type(given) is str:
        return given
    if not isinstance(given, str):
        raise Refused(Why.WRONG_ARGUMENT, f"{what} is a text, not {type(given).__name__}; give it in quotation marks")
    return str(given)


def a_number(given: Any, what: str) -> int:
    """Any whole number (also numpy's) as a plain int. Raises Refused."""
    try:
        found = int(index(given))
    except TypeError:
        kind = type(given).__name__
        raise Refused(Why.WRONG_ARGUMENT, f"{what} is a whole number, not {kind}; give such a number") from None
    if not -LARGEST < found < LARGEST:
        raise Refused(Why.WRONG_ARGUMENT, f"{what} is a whole number, and this one is too large; give a smaller one")
    return found


def a_text(given: str, what: str, most: int, *, least: int = 1) -> str:
    """A text without surrounding blanks, checked. most: letters; least: 0 = it may be empty. Raises Refused."""
    if type(given) is not str:
        given = plain_str(given, what)
    given = given.strip()
    if len(given) > most:
        raise Refused(Why.TOO_LONG, f"{what} has at most {most} letters, not {len(given)}; make it shorter")
    if not given.isascii():
        _encodable(given, what)
    if least and not clean(given, most):  # nothing of it would be visible
        raise Refused(Why.EMPTY, f"{what} cannot be empty; write at least one letter")
    return given


def _encodable(given: str, what: str) -> None:
    try:
        given.encode()
    except UnicodeEncodeError:
        raise Refused(
            Why.BAD_TEXT, f"{what} holds half a letter (a surrogate), which cannot be kept; give whole letters"
        ) from None


def a_user(feed: Feed, given: int) -> int:
    """The number of a user, checked to exist. Raises Refused."""
    number = a_number(given, "a user")
    if not 0 <= number < feed.users.n:
        raise Refused(Why.UNKNOWN_USER, f"there is no user {number}; search_users finds users and their numbers")
    return number


def another(actor: ActingUser, given: int, doing: str) -> int:
    """The number of a user other than the actor. doing: a verb, as in "you cannot follow yourself". Raises Refused."""
    number = a_user(actor.feed, given)
    if number == actor.user:
        raise Refused(Why.ONESELF, f"you cannot {doing} yourself; name another user")
    return number


def refuse_if_blocked(actor: ActingUser, who: int) -> None:
    """Raise Refused if either the actor or the other has blocked the other."""
    if either_blocked(actor.me, who):
        raise Refused(
            Why.BLOCKED, f"one of you and user {who} has blocked the other; nothing can be done while that is so"
        )


def a_card(feed: Feed, given: int) -> int:
    """The number of a card, checked to exist and not to be deleted. Raises Refused."""
    posts, number = feed.posts, given if type(given) is int else a_number(given, "a post")
    if not 0 <= number < posts.n:
        number = a_number(number, "a post")
        raise Refused(Why.UNKNOWN_POST, f"there is no post {number}; take the number of one that was shown to you")
    if posts.gone.item(number):
        raise Refused(Why.DELETED, f"post {number} is deleted, and nothing can be done to it any more; take another")
    return number


def a_root(actor: ActingUser, given: int) -> int:
    """The root of a card that is not deleted. Raises Refused."""
    return actor.feed.posts.root.item(a_card(actor.feed, given))


def card_and_root(actor: ActingUser, given: int) -> tuple[int, int]:
    """A card and its root. Raises Refused if the actor and either author have blocked the other."""
    number = a_card(actor.feed, given)
    posts = actor.feed.posts
    found = posts.root.item(number)
    if actor.me.blocks or actor.me.blocked_by:
        refuse_if_blocked(actor, posts.author.item(number))
        refuse_if_blocked(actor, posts.author.item(found))
    return number, found


def a_comment(feed: Feed, given: int) -> int:
    """The number of a comment, checked to exist under a post that is not deleted. Raises Refused."""
    number = a_number(given, "a comment")
    if not 0 <= number < feed.comments.n:
        raise Refused(
            Why.UNKNOWN_COMMENT, f"there is no comment {number}; take the number of one that was shown to you"
        )
    under = feed.comments.post.item(number)
    if feed.posts.gone.item(under):
        raise Refused(Why.DELETED, f"comment {number} went with its post {under}, which is deleted; take another")
    return number


def a_group(feed: Feed, given: int) -> int:
    """The number of a group, checked to exist. Raises Refused."""
    number = a_number(given, "a group")
    if not 0 <= number < len(feed.groups):
        raise Refused(Why.UNKNOWN_GROUP, f"there is no group {number}; create_group makes one and tells its number")
    return number


def own_group(actor: ActingUser, given: int) -> int:
    """The number of a group the actor is in. Raises Refused."""
    number = a_group(actor.feed, given)
    if number not in actor.me.groups:
        raise Refused(Why.NOT_IN_GROUP, f"you are not in group {number}; join_group lets you in")
    return number
