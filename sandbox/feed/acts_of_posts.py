"""Rules of actions on posts and comments: writing, reposting, liking, reporting, deleting.

Likes, dislikes, comments and reports of a repost count on its root. Like and dislike are independent of each other.
"""

from __future__ import annotations

from numbers import Real
from typing import Literal, NamedTuple

import numpy as np

from sandbox.feed.acting import (
    ActingUser,
    Refused,
    Why,
    a_card,
    a_comment,
    a_number,
    a_root,
    a_text,
    card_and_root,
    refuse_if_blocked,
)
from sandbox.feed.events import (
    REASON,
    TEXT,
    Commented,
    Deleted,
    Posted,
    Quoted,
    Reacted,
    ReactionAct,
    Reported,
    Reposted,
)
from sandbox.feed.model import HOT, UNIT, Feed, norms


def create_post(actor: ActingUser, text: str, stance: float | None = None, heat: float = 0.0) -> Posted:
    """Write a post. stance: -1 to 1 on the feed's divisive question; None = it takes none. heat: how much it agitates
    people, 0 to 1.
    """
    stirs = _heat(heat)
    words = a_text(text, "a post", TEXT)
    thousandths = _stance(stance)
    vector = actor.means.vector(words)
    topic = topic_of(actor.feed, vector)
    new = actor.feed.posts.n
    return Posted(new, vector, topic, thousandths, stirs, text=words, user=actor.user, reason=actor.reason)


def quote_post(actor: ActingUser, post: int, text: str, stance: float | None = None) -> Quoted:
    """Write one's own text about a post, which is shown with it. Quoting a quote quotes its original."""
    number, found = card_and_root(actor, post)
    of = actor.feed.posts.of.item(found)
    if of != found:
        a_card(actor.feed, of)
        refuse_if_blocked(actor, actor.feed.posts.author.item(of))
    words = a_text(text, "a quote", TEXT)
    thousandths = _stance(stance)
    vector = actor.means.vector(words)
    topic = topic_of(actor.feed, vector)
    new = actor.feed.posts.n
    return Quoted(new, of, number, vector, topic, thousandths, text=words, user=actor.user, reason=actor.reason)


def repost(actor: ActingUser, post: int) -> Reposted:
    """Repost a post, without words."""
    number, found = card_and_root(actor, post)
    if found in actor.me.reposted:
        raise Refused(
            Why.ALREADY_REPOSTED, f"you have reposted post {found} already; quote_post says something about it"
        )
    return Reposted(actor.feed.posts.n, found, number, user=actor.user, reason=actor.reason)


def delete_post(actor: ActingUser, post: int) -> Deleted:
    """Delete one of one's own cards."""
    number = a_card(actor.feed, post)
    if actor.feed.posts.author.item(number) != actor.user:
        raise Refused(
            Why.NOT_YOURS, f"post {number} is not yours to delete; mute keeps its author from you, report_post warns"
        )
    return Deleted(number, user=actor.user, reason=actor.reason)


def report_post(actor: ActingUser, post: int, why: str = "") -> Reported:
    """Report a post; with two or more reports it carries a warning."""
    found = a_root(actor, post)
    if actor.feed.posts.author.item(found) == actor.user:
        raise Refused(Why.ONESELF, "you cannot report yourself; delete_post takes your own post away")
    if found in actor.me.reported:
        raise Refused(Why.ALREADY_REPORTED, f"you have reported post {found} already; one report is enough")
    return Reported(found, a_text(why, "why a post is reported", REASON, least=0), user=actor.user, reason=actor.reason)


def create_comment(actor: ActingUser, post: int, text: str, tone: int = 0, doubt: int = 0) -> Commented:
    """Comment on a post. tone: -1 hostile, 0 neutral, 1 warm. doubt: of the post's claim, 1 to 10; 0 = not stated."""
    _, found = card_and_root(actor, post)
    tone, doubt = a_number(tone, "a tone"), a_number(doubt, "a doubt")
    if not -1 <= tone <= 1 or not 0 <= doubt <= 10:
        raise Refused(Why.OUT_OF_RANGE, "a tone is -1, 0 or 1, and a doubt 0 to 10; give such numbers")
    words = a_text(text, "a comment", TEXT)
    return Commented(actor.feed.comments.n, found, tone, doubt, text=words, user=actor.user, reason=actor.reason)


# ---- likes


class _Reaction(NamedTuple):
    """posts, comments: the set of an account that holds it. verb: as in "you like post 3". undo: the act that takes it
    back; already, lacking: why it cannot be done twice, or taken back.
    """

    posts: str
    comments: str
    verb: Literal["like", "dislike"]
    undo: Literal["unlike", "undo_dislike"]
    already: Why
    lacking: Why


_LIKE = _Reaction("likes", "comment_likes", "like", "unlike", Why.ALREADY_LIKED, Why.NOT_LIKED)
_DISLIKE = _Reaction("dislikes", "comment_dislikes", "dislike", "undo_dislike", Why.ALREADY_DISLIKED, Why.NOT_DISLIKED)
_REACTIONS = {"like": _LIKE, "unlike": _LIKE, "dislike": _DISLIKE, "undo_dislike": _DISLIKE}


def react_to(actor: ActingUser, act: ReactionAct, on: Literal["post", "comment"], target: int) -> Reacted:
    """Like or dislike a post or comment, or take that back. target: its number; of a repost its root is meant."""
    x = _REACTIONS[act]
    held: set[int] = getattr(actor.me, x.posts if on == "post" else x.comments)
    if act == x.undo:
        number = a_root(actor, target) if on == "post" else a_comment(actor.feed, target)
        if number not in held:
            raise Refused(
                x.lacking, f"you do not {x.verb} {on} {number}, so there is nothing to take back; {x.verb}_{on} does"
            )
    else:
        number = card_and_root(actor, target)[1] if on == "post" else _comment(actor, target)
        if number in held:
            raise Refused(x.already, f"you {x.verb} {on} {number} already; {x.undo}_{on} takes that back")
    return Reacted(act, on, number, user=actor.user, reason=actor.reason)


def _comment(actor: ActingUser, given: int) -> int:
    """The number of a comment. Raises Refused if the actor and its author, or its post's, have blocked the other."""
    number = a_comment(actor.feed, given)
    if actor.me.blocks or actor.me.blocked_by:
        comments = actor.feed.comments
        refuse_if_blocked(actor, comments.author.item(number))
        refuse_if_blocked(actor, actor.feed.posts.author.item(comments.post.item(number)))
    return number


# ---- what a text is about


def _stance(given: float | None) -> int | None:
    if given is None:
        return None
    if not isinstance(given, Real):
        raise Refused(Why.WRONG_ARGUMENT, f"a stance is a number, not {type(given).__name__}; give one from -1 to 1")
    if not -1 <= given <= 1:  # also refuses NaN
        raise Refused(Why.OUT_OF_RANGE, "a stance is a number from -1 to 1; give such a number")
    return round(UNIT * float(given))


def _heat(given: float) -> int:
    if not isinstance(given, Real):
        raise Refused(Why.WRONG_ARGUMENT, f"heat is a number, not {type(given).__name__}; give one from 0 to 1")
    if not 0 <= given <= 1:
        raise Refused(Why.OUT_OF_RANGE, "heat is a number from 0 to 1; give such a number")
    return round(HOT * float(given))


def topic_of(feed: Feed, vector: bytes) -> int:
    """The topic nearest to a text's vector, 0 to 8; -1 if none is near."""
    row = np.frombuffer(vector, np.int8).astype(np.float32)
    near = feed.topics.astype(np.float32) @ row / np.maximum(norms(feed.topics), np.float32(1))
    if not len(near):
        return -1
    best = int(near.argmax())
    return best if near[best] > 0 else -1
