"""Looking for posts and users by their words, and what is liked most just now."""

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

FOUND = 20  # at most
TRENDING = 10  # at most
WEEK = 7 * DAY
LOOKED = 10_000  # posts and users of the crowd whose words a search makes; the newest, and not those before
AHEAD = 64  # posts weighed for a trend at first; more only if too many of them do not show


def find_posts(feed: Feed, user: int, query: str, words: WordSource = PLAIN) -> list[int]:
    """Posts and quotes whose text holds the query, the newest first: at most 20 that show to the user. Capitals and
    small letters are alike; % and _ are letters as others are.
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
    """Users whose name, handle or bio holds the query: whoever has that handle (a @ before it is dropped), then those
    who came last first; at most 20 that show to the user.
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
    """Accounts, and then the crowd, those who came last first."""
    return chain(reversed(feed.accounts), range(feed.crowd - 1, max(-1, feed.crowd - 1 - LOOKED), -1))


def trending_posts(feed: Feed, user: int, now: int, words: WordSource = PLAIN) -> list[int]:
    """The posts and quotes of the last 7 days with most likes, of equals the newer; at most 10 that show to one."""
    me, roots = feed.accounts.get(user), feed.roots
    first = np.searchsorted(roots.t[: roots.n], now - WEEK, side="right")
    cards = roots.card[first : roots.n]
    cards = cards[~feed.posts.gone[cards]]
    weight = feed.posts.likes[cards].astype(np.int64) * (feed.posts.n + 1) + cards  # no two are equal
    for ahead in (AHEAD, len(cards)):
        best = weight if ahead >= len(cards) else np.partition(weight, len(cards) - ahead)[-ahead:]
        order = (np.sort(best)[::-1] % (feed.posts.n + 1)).tolist()
        found = [card for card in order if is_card_visible(feed, me, card, words)]
        if len(found) >= TRENDING or ahead >= len(cards):
            break
    return found[:TRENDING]
