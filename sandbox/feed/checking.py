"""A trial of a recommender of one's own: what all must keep to, tried on a small feed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandbox.feed.chance import draws
from sandbox.feed.model import CrowdParameters, Feed, FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.recommenders import Ranks, Recommender

USERS, TICKS, KEPT = 300, 12, 7


def check_recommender(make: Callable[[], Recommender]) -> None:
    """Try a recommender. make: its class, or a function that makes one. Raises AssertionError, in a sentence, if it
    breaks a promise, and whatever it raises itself.

    It gives (users, k) whole numbers; each is a card that is there and not deleted, or -1; none stands twice in a row;
    the same feed, users and chance give the same cards; it changes nothing of the feed; a feed without posts, no users,
    and more wanted than there is are all right.
    """
    site = Platform("x", seed=5, parameters=FeedParameters(crowd=USERS), crowd=CrowdParameters(), threads=1)
    feed, users = site.feed, np.arange(USERS, dtype=np.int64)
    _look(_made(make), site, users, KEPT)
    author = site.sign_up("author", "Author", "I bake bread.")
    kept = [site.create_post(author, f"Loaf number {i} is out of the oven.") for i in range(5)]
    for _ in range(TICKS):
        site.tick()
    site.delete_post(author, kept[0])
    everybody = np.append(users, author)
    for k in (1, KEPT, 400):
        _look(_made(make), site, everybody, k)
    _look(_made(make), site, users[:0], KEPT)
    assert feed.posts.gone[kept[0]]


def _made(make: Callable[[], Recommender]) -> Recommender:
    assert callable(make), f"{make!r} is one that is made already; give its class, or a function that makes one"
    one: object = make()
    return one if isinstance(one, Recommender) else Ranks(one)


def _look(one: Recommender, site: Platform, users: np.ndarray[tuple[int], np.dtype[np.int64]], k: int) -> None:
    feed, now = site.feed, site.now
    before = _told(feed)
    try:
        found = one.rank(feed, users, now, k, draws(1, "check"))
        again = one.rank(feed, users, now, k, draws(1, "check"))
    except Exception as error:
        error.add_note(f"asked for {k} cards for each of {len(users)} users, of a feed with {feed.posts.n} posts")
        raise
    name = f"{one.name!r}"
    assert isinstance(found, np.ndarray), f"{name} gives {type(found).__name__}, not an array"
    assert np.shape(found) == (len(users), k), f"{name} gives {np.shape(found)}, not {(len(users), k)}"
    assert np.issubdtype(found.dtype, np.integer), f"{name} gives {found.dtype}, not whole numbers"
    assert np.array_equal(found, again), f"{name} gives other cards for the same feed, users and chance"
    assert _told(feed) == before, f"{name} changes the feed"
    cards = found[found >= 0]
    there = bool((found >= -1).all()) and bool((cards < feed.posts.n).all())
    assert there, f"{name} shows cards that are not there"
    gone = feed.posts.gone[cards] | feed.posts.gone[feed.posts.root[cards]]
    assert not gone.any(), f"{name} shows what is deleted"
    rows = np.sort(np.where(found >= 0, found, -1 - np.arange(k)), axis=1)
    assert not (rows[:, 1:] == rows[:, :-1]).any(), f"{name} shows a card twice to one user"


def _told(feed: Feed) -> list[bytes]:
    tables = (feed.posts, feed.comments, feed.users, feed.roots, feed.vectors)
    columns = [getattr(table, name) for table in tables for name in table.FIELDS]
    columns += [feed.hours, feed.graph.first, feed.graph.followees]
    return [str([table.n for table in tables]).encode(), *(column.tobytes() for column in columns)]
