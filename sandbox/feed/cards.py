"""Cards, comments and users as a user sees them: plain values that include the reader's own likes and follows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.feed.model import NOBODY, QUOTE, WARNED, Account, Feed
from sandbox.feed.reading import (
    PLAIN,
    WordSource,
    comment_text,
    handle_of,
    is_card_visible,
    is_user_hidden,
    name_of_user,
    unread_words,
)

KIND_WORDS = ("post", "repost", "quote")  # names of the kinds of cards


class Card(NamedTuple):
    """A post, repost or quote as a user sees it. number: of the card. kind: post, repost or quote. author, handle,
    name: whose card it is; writer: whose text it shows (of a repost another user). t: seconds since the start. score:
    likes minus dislikes. Counters are the root's. warning: reported at least twice. via: the card acted on, -1 for a
    post. root: the card whose text it shows. liked, disliked: by the reader. quoted: what a quote is about; lost: why
    that is not shown: "deleted" or "hidden", else "".
    """

    number: int
    kind: str
    author: int
    handle: str
    name: str
    text: str
    t: int
    score: int
    likes: int
    dislikes: int
    comments: int
    reposts: int
    quotes: int
    warning: bool
    via: int
    root: int
    writer: int
    writer_name: str
    liked: bool
    disliked: bool
    quoted: Card | None
    lost: str


class Comment(NamedTuple):
    """A comment as a user sees it. post: the root it belongs to. score: likes minus dislikes. tone: -1 hostile, 0
    neutral, 1 warm. liked, disliked: by the reader.
    """

    number: int
    post: int
    author: int
    handle: str
    name: str
    text: str
    t: int
    score: int
    likes: int
    dislikes: int
    tone: int
    liked: bool
    disliked: bool


class Person(NamedTuple):
    """A user as others see them. fans: number of followers. followed: by the reader."""

    number: int
    handle: str
    name: str
    bio: str
    fans: int
    followed: bool


# ---- made of the feed


def card_for(feed: Feed, user: int, number: int, words: WordSource = PLAIN) -> Card:
    """A card as `user` sees it; NOBODY: a reader without an account."""
    return _card(feed, feed.accounts.get(user), number, words)


def cards_for(feed: Feed, user: int, numbers: Iterable[int], words: WordSource = PLAIN) -> list[Card]:
    """Cards as `user` sees them. Nothing is filtered: apply `visible_cards` first."""
    me = feed.accounts.get(user)
    return [_card(feed, me, number, words) for number in numbers]


def _card(feed: Feed, me: Account | None, number: int, words: WordSource) -> Card:
    p = feed.posts
    kind, author, root = p.kind.item(number), p.author.item(number), p.root.item(number)
    likes, dislikes = p.likes.item(root), p.dislikes.item(root)
    writer = author if root == number else p.author.item(root)
    account = feed.accounts.get(author)
    if account is not None:
        handle, name = account.handle, account.name
    else:
        handle, name = words.handle(feed, author), words.name(feed, author)
    text = feed.texts.get(root)
    quoted, lost = None, ""
    if p.kind.item(root) == QUOTE:
        of = p.of.item(root)
        if p.gone.item(of):
            lost = "deleted"
        elif not is_card_visible(feed, me, of, words):
            lost = "hidden"
        else:
            quoted = _card(feed, me, of, words)
    return Card(
        number,
        KIND_WORDS[kind],
        author,
        handle,
        name,
        text if text is not None else words.post(feed, root),
        p.t.item(number),
        likes - dislikes,
        likes,
        dislikes,
        p.comments.item(root),
        p.reposts.item(root),
        p.quotes.item(root),
        p.reports.item(root) >= WARNED,
        p.via.item(number),
        root,
        writer,
        name if writer == author else name_of_user(feed, writer, words),
        me is not None and root in me.likes,
        me is not None and root in me.dislikes,
        quoted,
        lost,
    )


def comments(
    feed: Feed, user: int, post: int, words: WordSource = PLAIN, *, best: bool = False, most: int | None = None
) -> list[Comment]:
    """The comments on a card's root that are visible to a user: newest first, or best score first. most: None = all."""
    me = feed.accounts.get(user)
    table = feed.comments
    found: list[int] = []
    if not is_card_visible(feed, me, post, words):
        return []
    number = feed.posts.last.item(feed.posts.root.item(post))
    while number != NOBODY and (best or most is None or len(found) < most):
        author = table.author.item(number)
        if not is_user_hidden(me, author) and not unread_words(me, author, comment_text(feed, number, words)):
            found.append(number)
        number = table.before.item(number)
    if best:
        found.sort(key=lambda c: (table.dislikes.item(c) - table.likes.item(c), -c))
    return [comment(feed, user, c, words) for c in found[:most]]


def comment(feed: Feed, user: int, number: int, words: WordSource = PLAIN) -> Comment:
    """A comment as `user` sees it."""
    me, c = feed.accounts.get(user), feed.comments
    author, likes, dislikes = c.author.item(number), c.likes.item(number), c.dislikes.item(number)
    return Comment(
        number,
        c.post.item(number),
        author,
        handle_of(feed, author, words),
        name_of_user(feed, author, words),
        comment_text(feed, number, words),
        c.t.item(number),
        likes - dislikes,
        likes,
        dislikes,
        c.tone.item(number),
        me is not None and number in me.comment_likes,
        me is not None and number in me.comment_dislikes,
    )


def person_for(feed: Feed, user: int, number: int, words: WordSource = PLAIN) -> Person:
    """A user as another user sees them."""
    me, account = feed.accounts.get(user), feed.accounts.get(number)
    bio = account.bio if account is not None else words.bio(feed, number)
    fans = feed.users.fans.item(number)
    followed = me is not None and number in me.follows
    return Person(number, handle_of(feed, number, words), name_of_user(feed, number, words), bio, fans, followed)


def people_for(feed: Feed, user: int, numbers: Iterable[int], words: WordSource = PLAIN) -> list[Person]:
    """Users as another user sees them."""
    return [person_for(feed, user, number, words) for number in numbers]
