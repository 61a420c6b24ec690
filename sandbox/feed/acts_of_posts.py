"""Rules of actions on posts and comments: writing, reposting, liking, reporting, deleting.

Likes, dislikes, comments and reports of a repost count on its root. Like and dislike are independent of each other.
"""

from __future__ import annotations

from numbers import Real

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
from sandbox.feed.events import REASON, TEXT, Commented, Deleted, Posted, Quoted, Reacted, Reported, Reposted
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


def like_post(actor: ActingUser, post: int) -> Reacted:
    """Like a post."""
    _, found = card_and_root(actor, post)
    if found in actor.me.likes:
        raise Refused(Why.ALREADY_LIKED, f"you like post {found} already; unlike_post takes that back")
    return Reacted("like", "post", found, user=actor.user, reason=actor.reason)


def unlike_post(actor: ActingUser, post: int) -> Reacted:
    """Take back a like of a post."""
    found = a_root(actor, post)
    if found not in actor.me.likes:
        raise Refused(Why.NOT_LIKED, f"you do not like post {found}, so there is nothing to take back; like_post does")
    return Reacted("unlike", "post", found, user=actor.user, reason=actor.reason)


def dislike_post(actor: ActingUser, post: int) -> Reacted:
    """Dislike a post."""
    _, found = card_and_root(actor, post)
    if found in actor.me.dislikes:
        raise Refused(Why.ALREADY_DISLIKED, f"you dislike post {found} already; undo_dislike_post takes that back")
    return Reacted("dislike", "post", found, user=actor.user, reason=actor.reason)


def undo_dislike_post(actor: ActingUser, post: int) -> Reacted:
    """Take back a dislike of a post."""
    found = a_root(actor, post)
    if found not in actor.me.dislikes:
        raise Refused(
            Why.NOT_DISLIKED, f"you do not dislike post {found}, so there is nothing to take back; dislike_post does"
        )
    return Reacted("undo_dislike", "post", found, user=actor.user, reason=actor.reason)


def like_comment(actor: ActingUser, comment: int) -> Reacted:
    """Like a comment."""
    number = _comment(actor, comment)
    if number in actor.me.comment_likes:
        raise Refused(Why.ALREADY_LIKED, f"you like comment {number} already; unlike_comment takes that back")
    return Reacted("like", "comment", number, user=actor.user, reason=actor.reason)


def unlike_comment(actor: ActingUser, comment: int) -> Reacted:
    """Take back a like of a comment."""
    number = a_comment(actor.feed, comment)
    if number not in actor.me.comment_likes:
        raise Refused(
            Why.NOT_LIKED, f"you do not like comment {number}, so there is nothing to take back; like_comment does"
        )
    return Reacted("unlike", "comment", number, user=actor.user, reason=actor.reason)


def dislike_comment(actor: ActingUser, comment: int) -> Reacted:
    """Dislike a comment."""
    number = _comment(actor, comment)
    if number in actor.me.comment_dislikes:
        raise Refused(
            Why.ALREADY_DISLIKED, f"you dislike comment {number} already; undo_dislike_comment takes that back"
        )
    return Reacted("dislike", "comment", number, user=actor.user, reason=actor.reason)


def undo_dislike_comment(actor: ActingUser, comment: int) -> Reacted:
    """Take back a dislike of a comment."""
    number = a_comment(actor.feed, comment)
    if number not in actor.me.comment_dislikes:
        raise Refused(
            Why.NOT_DISLIKED,
            f"you do not dislike comment {number}, so there is nothing to take back; dislike_comment does",
        )
    return Reacted("undo_dislike", "comment", number, user=actor.user, reason=actor.reason)


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
