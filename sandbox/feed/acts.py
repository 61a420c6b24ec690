"""All actions of the platform in one table: name, arguments and reasons for refusal.

Programs act by it by name, a town's command becomes an event (both in `commands.py`), and language models are told what
they can do. The rules are in `acts_of_posts`, `acts_of_people` and `acts_of_reading`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from sandbox.feed import acts_of_people as people
from sandbox.feed import acts_of_posts as posts
from sandbox.feed import acts_of_reading as reading
from sandbox.feed.acting import ActingUser, Why
from sandbox.feed.events import BIO, HANDLE, NAME, QUERY, REASON, TEXT, WORD, ConnectionAct, Deed, ReactionAct

Of: TypeAlias = Literal["user", "post", "comment", "group", "message", "number", "share", "text"]


class Argument(NamedTuple):
    """An argument of an action. of: its sort: a user is given by number or handle, a share is a decimal number, a text
    is text, all others are whole numbers. help: a short description. needed: required. most: letters of a text.
    """

    name: str
    of: Of
    help: str
    needed: bool = True
    most: int = 0


class FeedAction(NamedTuple):
    """An action. rule: (ActingUser, arguments) -> the event, or raises Refused. refusals: its reasons for refusal,
    besides those of every action (COMMON). newcomer: it is for somebody without an account; its rule takes the feed in
    place of who acts, and the reason and the context after the arguments.
    """

    name: str
    help: str
    rule: Callable[..., Deed]
    arguments: tuple[Argument, ...] = ()
    refusals: tuple[Why, ...] = ()
    newcomer: bool = False


# Unknown actions, wrong arguments, an actor without an account; and faults of the reason given.
COMMON = (Why.UNKNOWN_ACTION, Why.WRONG_ARGUMENT, Why.UNKNOWN_USER, Why.TOO_LONG, Why.BAD_TEXT)

_POST = Argument("post", "post", "the number of a post, repost or quote")
_COMMENT = Argument("comment", "comment", "the number of a comment")
_OTHER = Argument("other", "user", "the number or handle of a user")
_GROUP = Argument("group", "group", "the number of a group")
_QUOTES = Argument("quotes", "message", "the message of the same conversation that it answers", needed=False)
_QUERY = Argument("query", "text", "letters to look for", most=QUERY)
_WORD = Argument("word", "text", "a word, or several in a row", most=WORD)
_STANCE = Argument("stance", "share", "-1 to 1: the stance it takes; none unless given", needed=False)
_HEAT = Argument("heat", "share", "0 to 1: how much it stirs people up; not at all unless given", needed=False)
_ON_POST = (Why.UNKNOWN_POST, Why.DELETED)
_ON_COMMENT = (Why.UNKNOWN_COMMENT, Why.DELETED)


def _text(what: str) -> Argument:
    return Argument("text", "text", what, most=TEXT)


def _reaction(act: ReactionAct, on: Literal["post", "comment"], help: str, *refusals: Why) -> FeedAction:
    def rule(actor: ActingUser, **target: int) -> Deed:
        return posts.react_to(actor, act, on, target[on])

    return FeedAction(f"{act}_{on}", help, rule, (_POST if on == "post" else _COMMENT,), refusals)


def _connection(act: ConnectionAct, help: str, *refusals: Why) -> FeedAction:
    return FeedAction(act, help, partial(people.connect_to, act=act), (_OTHER,), refusals)


_ALL = (
    FeedAction(
        "sign_up",
        "Make an account.",
        people.sign_up,
        (
            Argument("handle", "text", "letters A to Z, digits and _; nobody else has it", most=HANDLE),
            Argument("name", "text", "what one is called", most=NAME),
            Argument("bio", "text", "what one says of oneself", needed=False, most=BIO),
        ),
        (Why.BAD_HANDLE, Why.TAKEN_HANDLE, Why.EMPTY),
        newcomer=True,
    ),
    FeedAction(
        "refresh",
        "Look at the feed.",
        reading.refresh,
        (Argument("count", "number", "how many cards, 1 to 100; as many as is usual unless given", needed=False),),
        (Why.OUT_OF_RANGE,),
    ),
    FeedAction("trend", "See what is liked most of the last 7 days.", reading.trend),
    FeedAction(
        "search_posts", "Look for posts that hold these letters.", reading.search_posts, (_QUERY,), (Why.EMPTY,)
    ),
    FeedAction(
        "search_users",
        "Look for users whose name, handle or bio holds these letters.",
        reading.search_users,
        (_QUERY,),
        (Why.EMPTY,),
    ),
    FeedAction(
        "create_post",
        "Write a post.",
        posts.create_post,
        (_text("the words of the post"), _STANCE, _HEAT),
        (Why.EMPTY, Why.OUT_OF_RANGE),
    ),
    FeedAction(
        "repost",
        "Pass a post on, without words.",
        posts.repost,
        (_POST,),
        (*_ON_POST, Why.BLOCKED, Why.ALREADY_REPOSTED),
    ),
    FeedAction(
        "quote_post",
        "Write something of one's own about a post, which is shown with it.",
        posts.quote_post,
        (_POST, _text("one's own words"), _STANCE),
        (*_ON_POST, Why.BLOCKED, Why.EMPTY, Why.OUT_OF_RANGE),
    ),
    FeedAction(
        "delete_post",
        "Delete a post, repost or quote of one's own.",
        posts.delete_post,
        (_POST,),
        (*_ON_POST, Why.NOT_YOURS),
    ),
    _connection("follow", "Follow a user.", Why.ONESELF, Why.BLOCKED, Why.ALREADY_FOLLOWING),
    _connection("unfollow", "End following a user.", Why.NOT_FOLLOWING),
    _connection("mute", "No longer read a user, who does not notice.", Why.ONESELF, Why.ALREADY_MUTED),
    _connection("unmute", "Read a muted user again.", Why.NOT_MUTED),
    _connection(
        "block",
        "Have nothing to do with a user: neither sees the other, and both no longer follow.",
        Why.ONESELF,
        Why.ALREADY_BLOCKED,
    ),
    _connection("unblock", "End blocking a user.", Why.NOT_BLOCKED),
    FeedAction(
        "mute_word", "No longer read what holds a word.", people.mute_word, (_WORD,), (Why.EMPTY, Why.ALREADY_MUTED)
    ),
    FeedAction(
        "unmute_word", "Read what holds a muted word again.", people.unmute_word, (_WORD,), (Why.EMPTY, Why.NOT_MUTED)
    ),
    _reaction("like", "post", "Like a post.", *_ON_POST, Why.BLOCKED, Why.ALREADY_LIKED),
    _reaction("unlike", "post", "Take a like of a post back.", *_ON_POST, Why.NOT_LIKED),
    _reaction("dislike", "post", "Dislike a post.", *_ON_POST, Why.BLOCKED, Why.ALREADY_DISLIKED),
    _reaction("undo_dislike", "post", "Take a dislike of a post back.", *_ON_POST, Why.NOT_DISLIKED),
    FeedAction(
        "create_comment",
        "Comment on a post.",
        posts.create_comment,
        (
            _POST,
            _text("the words of the comment"),
            Argument("tone", "number", "-1 hostile, 0 neutral, 1 warm", needed=False),
            Argument("doubt", "number", "1 to 10: how much it doubts the post; 0 = unsaid", needed=False),
        ),
        (*_ON_POST, Why.BLOCKED, Why.EMPTY, Why.OUT_OF_RANGE),
    ),
    _reaction("like", "comment", "Like a comment.", *_ON_COMMENT, Why.BLOCKED, Why.ALREADY_LIKED),
    _reaction("unlike", "comment", "Take a like of a comment back.", *_ON_COMMENT, Why.NOT_LIKED),
    _reaction("dislike", "comment", "Dislike a comment.", *_ON_COMMENT, Why.BLOCKED, Why.ALREADY_DISLIKED),
    _reaction("undo_dislike", "comment", "Take a dislike of a comment back.", *_ON_COMMENT, Why.NOT_DISLIKED),
    FeedAction(
        "report_post",
        "Report a post; from two reports on it carries a warning.",
        posts.report_post,
        (_POST, Argument("why", "text", "what is wrong with it", needed=False, most=REASON)),
        (*_ON_POST, Why.ONESELF, Why.ALREADY_REPORTED),
    ),
    FeedAction(
        "send_message",
        "Write to a user alone.",
        people.send_message,
        (_OTHER, _text("the words of the message"), _QUOTES),
        (Why.ONESELF, Why.BLOCKED, Why.EMPTY, Why.UNKNOWN_MESSAGE),
    ),
    FeedAction(
        "read_messages",
        "Read what a user has written to one since one last did.",
        reading.read_messages,
        (_OTHER,),
        (Why.ONESELF,),
    ),
    FeedAction(
        "create_group",
        "Make a group and be in it.",
        people.create_group,
        (Argument("name", "text", "what the group is called", most=NAME),),
        (Why.EMPTY,),
    ),
    FeedAction("join_group", "Be in a group.", people.join_group, (_GROUP,), (Why.UNKNOWN_GROUP, Why.ALREADY_IN_GROUP)),
    FeedAction(
        "leave_group", "No longer be in a group.", people.leave_group, (_GROUP,), (Why.UNKNOWN_GROUP, Why.NOT_IN_GROUP)
    ),
    FeedAction(
        "send_to_group",
        "Write to all who are in a group one is in.",
        people.send_to_group,
        (_GROUP, _text("the words of the message"), _QUOTES),
        (Why.UNKNOWN_GROUP, Why.NOT_IN_GROUP, Why.BLOCKED, Why.EMPTY, Why.UNKNOWN_MESSAGE),
    ),
    FeedAction(
        "listen_from_group",
        "Read what others have written to a group since one last did.",
        reading.listen_from_group,
        (_GROUP,),
        (Why.UNKNOWN_GROUP, Why.NOT_IN_GROUP),
    ),
    FeedAction("do_nothing", "Do nothing, and say why.", reading.do_nothing),
)

ACTIONS: dict[str, FeedAction] = {one.name: one for one in _ALL}
