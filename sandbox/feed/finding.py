"""Searching posts and users by their words, and the most liked recent posts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from sandbox.core.clock import DAY
from sandbox.feed.model import NOBODY, Feed
from sandbox.feed.reading import (
    PLAIN,
    WordSource,
    fold_text,
    handle_of,
    is_card_visible,
    is_user_hidden,
    name_of_user,
    text_of,
    user_of,
)

FOUND = 20  # search results at most
TRENDING = 10  # trending posts at most
WEEK = 7 * DAY
LOOKED = 10_000  # newest posts and users of the crowd whose words a search generates; older ones are not searched
AHEAD = 64  # posts checked for a trend at first; more only if too many of them are hidden


def find_posts(feed: Feed, user: int, query: str, words: WordSource = PLAIN) -> list[int]:
    """Posts and quotes whose text contains the query, newest first: at most 20 that are visible to the user. Case does
    not matter; % and _ are ordinary characters.
    """
    me, wanted = feed.accounts.get(user), fold_text(query)
    found: list[int] = []
    left = LOOKED
    for at in range(feed.roots.n - 1, -1, -1):
        root = feed.roots.card.item(at)
        if root not in feed.texts:
            left -= 1
            if left < 0:
                continue
        if wanted in fold_text(text_of(feed, root, words)) and is_card_visible(feed, me, root, words):
            found.append(root)
            if len(found) == FOUND:
                break
    return found


def find_users(feed: Feed, user: int, query: str, words: WordSource = PLAIN) -> list[int]:
    """Users whose name, handle or bio contains the query: first an exact handle (a leading @ is dropped), then the
    newest first; at most 20 that are visible to the user.
    """
    me, wanted = feed.accounts.get(user), fold_text(query)
    named = user_of(feed, query.removeprefix("@"), words)
    found = [] if named == NOBODY or is_user_hidden(me, named) else [named]
    for number in _users(feed):
        if number == named:
            continue
        account = feed.accounts.get(number)
        bio = account.bio if account is not None else words.bio(feed, number)
        texts = (name_of_user(feed, number, words), handle_of(feed, number, words), bio)
        if not is_user_hidden(me, number) and any(wanted in fold_text(text) for text in texts):
            found.append(number)
            if len(found) == FOUND:
                break
    return found


def _users(feed: Feed) -> Iterator[int]:
    """Accounts, then the crowd, each newest first."""
    return chain(reversed(feed.accounts), range(feed.crowd - 1, max(-1, feed.crowd - 1 - LOOKED), -1))


def trending_posts(feed: Feed, user: int, now: int, words: WordSource = PLAIN) -> list[int]:
    """The most liked posts and quotes of the last 7 days, newer first among equals; at most 10 that are visible."""
    me, roots = feed.accounts.get(user), feed.roots
    first = np.searchsorted(roots.t[: roots.n], now - WEEK, side="right")
    cards = roots.card[first : roots.n]
    cards = cards[~feed.posts.gone[cards]]
    weight = feed.posts.likes[cards].astype(np.int64) * (feed.posts.n + 1) + cards  # unique weights
    for ahead in (AHEAD, len(cards)):
        best = weight if ahead >= len(cards) else np.partition(weight, len(cards) - ahead)[-ahead:]
        order = (np.sort(best)[::-1] % (feed.posts.n + 1)).tolist()
        found = [card for card in order if is_card_visible(feed, me, card, words)]
        if len(found) >= TRENDING or ahead >= len(cards):
            break
    return found[:TRENDING]
