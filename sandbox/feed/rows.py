"""The tables of a feed: users, cards, comments, and vectors of words.

A row's index is its number. The constants of columns (POST, HOSTILE, UNTOLD...) are in `model.py`.
"""

from __future__ import annotations

import numpy as np

from sandbox.core.vectors import DIMENSIONS
from sandbox.feed.tables import Bytes, ColumnTable, Ints, Small


class Users(ColumnTable):
    """All users. vector: interests. stance: thousandths, [-1000, 1000]. pleasure: hundredths. fans: number of
    followers. newest: latest card, -1 = none.
    """

    FIELDS = {
        "vector": (np.int8, DIMENSIONS),
        "stance": (np.int16, 0),
        "pleasure": (np.int8, 0),
        "fans": (np.int32, 0),
        "newest": (np.int32, 0),
    }
    vector: Small
    stance: np.ndarray[tuple[int], np.dtype[np.int16]]
    pleasure: Small
    fans: Ints
    newest: Ints


class Posts(ColumnTable):
    """Cards: posts, reposts and quotes. kind: POST, REPOST or QUOTE. root: the card whose text is shown: its own number
    except for a repost; of: the original post: the root, or for a quote the post it quotes. via: the card acted on, -1
    for a post. likes ... quotes: counted on the root. reports: on the root. gone: deleted. topic: 0 to 8, -1 unknown.
    vector: its row in `Feed.vectors`, -1 = derived from topic and author. last: its latest comment, -1 = none. earlier:
    its author's card before it, -1 = none. stance: as for users, UNTOLD = none. t: seconds since the start. heat: how
    much it agitates people, hundredths.
    """

    FIELDS = {
        "author": (np.int32, 0),
        "kind": (np.uint8, 0),
        "root": (np.int32, 0),
        "of": (np.int32, 0),
        "via": (np.int32, 0),
        "t": (np.int32, 0),
        "likes": (np.int32, 0),
        "dislikes": (np.int32, 0),
        "comments": (np.int32, 0),
        "reposts": (np.int32, 0),
        "quotes": (np.int32, 0),
        "reports": (np.uint8, 0),
        "gone": (np.bool_, 0),
        "stance": (np.int16, 0),
        "topic": (np.int8, 0),
        "vector": (np.int32, 0),
        "last": (np.int32, 0),
        "earlier": (np.int32, 0),
        "heat": (np.uint8, 0),
    }
    author: Ints
    kind: Bytes
    root: Ints
    of: Ints
    via: Ints
    t: Ints
    likes: Ints
    dislikes: Ints
    comments: Ints
    reposts: Ints
    quotes: Ints
    heat: Bytes
    reports: Bytes
    gone: np.ndarray[tuple[int], np.dtype[np.bool_]]
    stance: np.ndarray[tuple[int], np.dtype[np.int16]]
    topic: Small
    vector: Ints
    last: Ints
    earlier: Ints


class Comments(ColumnTable):
    """Comments. post: the root it belongs to. before: the comment before it on that post, -1 = none. tone: HOSTILE,
    NEUTRAL or WARM. doubt: of its post, 1 to 10, 0 = not stated. stance: of its author when written, UNTOLD = none.
    """

    FIELDS = {
        "post": (np.int32, 0),
        "author": (np.int32, 0),
        "t": (np.int32, 0),
        "likes": (np.int32, 0),
        "dislikes": (np.int32, 0),
        "before": (np.int32, 0),
        "tone": (np.int8, 0),
        "doubt": (np.uint8, 0),
        "stance": (np.int16, 0),
    }
    post: Ints
    author: Ints
    t: Ints
    likes: Ints
    dislikes: Ints
    before: Ints
    tone: Small
    doubt: Bytes
    stance: np.ndarray[tuple[int], np.dtype[np.int16]]


class Roots(ColumnTable):
    """The numbers of posts and quotes among all cards, in order: what can be shown to anybody."""

    FIELDS = {"card": (np.int32, 0), "t": (np.int32, 0)}
    card: Ints
    t: Ints


class PostVectors(ColumnTable):
    """Vectors of posts that have words."""

    FIELDS = {"row": (np.int8, DIMENSIONS)}
    row: Small
