"""What a user may read: the words of users and posts, and what is hidden from whom.

Hidden are deleted cards, muted users, and users with a block in either direction; a text with a muted word is visible
only to its author. Texts are as written: a screen cleans them (`core/text.py`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from sandbox.feed.model import NOBODY, Account, Feed

# Scripts written without blanks: a word may end between any two of their letters.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


class WordSource(Protocol):
    """The words of the crowd, generated when somebody looks."""

    def name(self, feed: Feed, user: int) -> str: ...

    def handle(self, feed: Feed, user: int) -> str: ...

    def find(self, feed: Feed, handle: str) -> int:
        """The user of the crowd with that handle, NOBODY if there is none; case does not matter."""

    def bio(self, feed: Feed, user: int) -> str: ...

    def post(self, feed: Feed, post: int) -> str: ...

    def comment(self, feed: Feed, comment: int) -> str: ...

    def subject(self, feed: Feed, post: int) -> str:
        """What a post of the crowd is about, in its words; "" = unknown."""


class Plain:
    """A crowd without words: texts are empty."""

    def name(self, feed: Feed, user: int) -> str:
        return f"User {user}"

    def handle(self, feed: Feed, user: int) -> str:
        return f"user{user}"

    def find(self, feed: Feed, handle: str) -> int:
        digits = handle.lower().removeprefix("user")
        user = int(digits) if digits.isdecimal() and len(digits) < 8 else NOBODY
        return user if user < feed.crowd and handle.lower() == f"user{user}" else NOBODY

    def bio(self, feed: Feed, user: int) -> str:
        return ""

    def post(self, feed: Feed, post: int) -> str:
        return ""

    def comment(self, feed: Feed, comment: int) -> str:
        return ""

    def subject(self, feed: Feed, post: int) -> str:
        return ""


PLAIN = Plain()


# ---- words


def name_of_user(feed: Feed, user: int, words: WordSource = PLAIN) -> str:
    """The name of a user."""
    account = feed.accounts.get(user)
    return account.name if account is not None else words.name(feed, user)


def handle_of(feed: Feed, user: int, words: WordSource = PLAIN) -> str:
    """The handle of a user."""
    account = feed.accounts.get(user)
    return account.handle if account is not None else words.handle(feed, user)


def user_of(feed: Feed, handle: str, words: WordSource = PLAIN) -> int:
    """The user with that handle, NOBODY if there is none; case does not matter."""
    account = feed.handles.get(handle.lower())
    return account if account is not None else words.find(feed, handle)


def text_of(feed: Feed, root: int, words: WordSource = PLAIN) -> str:
    """The words of a post or quote."""
    text = feed.texts.get(root)
    return text if text is not None else words.post(feed, root)


def comment_text(feed: Feed, comment: int, words: WordSource = PLAIN) -> str:
    """The words of a comment."""
    text = feed.comment_texts.get(comment)
    return text if text is not None else words.comment(feed, comment)


@lru_cache(65536)
def fold_text(text: str) -> str:
    """A text normalised for comparison: case-folded, with equivalent letters unified and invisible format characters
    removed.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return text if text.isprintable() else "".join(ch for ch in text if unicodedata.category(ch) != "Cf")


@lru_cache(4096)
def _joins(ch: str) -> bool:
    """Whether a character continues a word when it stands beside one."""
    if unicodedata.category(ch)[0] == "M":
        return True
    return (ch.isalnum() or ch == "_") and not unicodedata.name(ch, "").startswith(UNSPACED)


def holds_word(text: str, word: str) -> bool:
    """Whether a folded text contains a folded word, or several in a row, as whole words."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        before = at > 0 and _joins(text[at - 1]) and _joins(word[0])
        after = (
            end < len(text) and _joins(text[end]) and (_joins(word[-1]) or unicodedata.category(text[end])[0] == "M")
        )
        if not before and not after:
            return True
        at = text.find(word, at + 1)
    return False


# ---- what is kept from whom


def either_blocked(me: Account | None, other: int) -> bool:
    """Whether one of the two has blocked the other."""
    return me is not None and (other in me.blocks or other in me.blocked_by)


def is_user_hidden(me: Account | None, other: int) -> bool:
    """Whether everything by a user is hidden from `me`."""
    return me is not None and (other in me.mutes or other in me.blocks or other in me.blocked_by)


def unread_words(me: Account | None, author: int, text: str) -> bool:
    """Whether a text is hidden from `me` because of a muted word."""
    if me is None or not me.words or author == me.number:
        return False
    text = fold_text(text)
    return any(holds_word(text, word) for word in me.words)


def is_card_visible(feed: Feed, me: Account | None, card: int, words: WordSource = PLAIN) -> bool:
    """Whether a card is visible to `me`; None: a reader without an account."""
    posts = feed.posts
    if posts.gone.item(card):
        return False
    if me is None or not (me.mutes or me.blocks or me.blocked_by or me.words):
        return True
    root = posts.root.item(card)
    writer = posts.author.item(root)
    if is_user_hidden(me, posts.author.item(card)) or is_user_hidden(me, writer):
        return False
    return not me.words or not unread_words(me, writer, text_of(feed, root, words))


def visible_cards(feed: Feed, user: int, cards: Iterable[int], words: WordSource = PLAIN) -> list[int]:
    """The cards among these that are visible to a user, in order. Negative numbers (none) are dropped."""
    me = feed.accounts.get(user)
    return [card for card in map(int, cards) if card >= 0 and is_card_visible(feed, me, card, words)]
