"""What stands in the rows of a feed: users, cards, comments, and vectors of words.

The number of each is that of its row. The words for what a column may hold (POST, HOSTILE, UNTOLD...) are those of
`model.py`.
"""

from __future__ import annotations

import numpy as np

from sandbox.core.vectors import DIMENSIONS
from sandbox.feed.tables import Bytes, ColumnTable, Ints, Small


class Users(ColumnTable):
    """vector: what one is interested in. stance: thousandths, [-1000, 1000]. pleasure: hundredths. fans: followers.
    newest: one's latest card, -1 = none.
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
    """Cards: posts, reposts and quotes. kind: POST, REPOST or QUOTE. root: whose words a card shows: its own number
    but for a repost; of: the original post, which is its root but for a quote, whose original it quotes. via: the card
    acted on, -1 of a post. likes ... quotes: counted on the root. reports: on the root. gone: deleted. topic: 0 to 8,
    -1 unknown. vector: its row in `Feed.vectors`, -1 = of its topic and author. last: its latest comment, -1 = none.
    earlier: the card of its author before it, -1 = none. stance: as of users, UNTOLD = it takes none. t: seconds since
    the start. heat: how much it stirs people up, hundredths.
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
    """post: the root it stands under. before: the comment before it under that post, -1 = none. tone: HOSTILE, NEUTRAL
    or WARM. doubt: of its post, 1 to 10, 0 = unsaid. stance: its author's when it was written, UNTOLD
    = it takes none.
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
    """The posts and quotes among all cards, in order: what can be shown to whoever follows nobody."""

    FIELDS = {"card": (np.int32, 0), "t": (np.int32, 0)}
    card: Ints
    t: Ints


class PostVectors(ColumnTable):
    """Vectors of posts that have words."""

    FIELDS = {"row": (np.int8, DIMENSIONS)}
    row: Small
