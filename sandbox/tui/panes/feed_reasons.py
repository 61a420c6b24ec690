"""Why a card is shown to somebody: worked out from what stands on the feed, as the recommenders weigh it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sandbox.core.clock import DAY
from sandbox.core.plain import count_of
from sandbox.feed.model import NOBODY, REPOST, norms, post_vectors
from sandbox.feed.recommenders import OLDEST, hottest, recency, recent
from sandbox.tui.panes.feed_reader import FeedReader

# How near a post is to what somebody is interested in: the cosine of the two from which it is called so. Of posts and
# people drawn by lot, half are below 0.06 and one in twenty above 0.36.
ALIKE = 0.15
NEAR = ((0.6, "very near to"), (0.35, "near to"), (ALIKE, "a little near to"), (-2.0, "far from"))
WIDELY = 100  # followers from which somebody is widely followed
MANY = 0.9  # of the posts of a day that have fewer likes, for a post that is liked by many


class ShownReason(NamedTuple):
    """Why it is shown, or what speaks against that. share: how much of what it can be, in [0, 1]; None: it is so or it
    is not.
    """

    says: str
    share: float | None = None


def similarity(reader: FeedReader, root: int) -> float:
    """The cosine of the vectors of a post and of what the chosen person is interested in; 0 where one has none."""
    feed = reader.feed
    post = post_vectors(feed, np.array([root], np.int32))
    user = feed.users.vector[reader.me].astype(np.float32)
    length = float(norms(post)[0] * norms(user))
    return float(post[0] @ user) / length if length else 0.0


def similarity_words(value: float) -> str:
    """A similarity as words: "near to"."""
    return next(word for least, word in NEAR if value >= least)


def passed_on_by(reader: FeedReader, root: int) -> list[int]:
    """Whom the chosen person follows and who has passed it on."""
    posts, me = reader.feed.posts, reader.account
    if me is None:
        return []
    cards = np.flatnonzero((posts.root[: posts.n] == root) & (posts.kind[: posts.n] == REPOST) & ~posts.gone[: posts.n])
    return [user for user in posts.author[cards].tolist() if user in me.follows]


def short_reason(reader: FeedReader, card: int) -> str:
    """Why it is among what the chosen person is shown, in few words; "" if nobody is chosen."""
    me, posts = reader.account, reader.feed.posts
    if me is None:
        return ""
    author, root = posts.author.item(card), posts.root.item(card)
    if author in me.follows:
        return f"because {reader.name} follows {reader.short(author)}"
    if reader.feed.kind == "reddit":
        return "because it is one of the hottest, which all are shown"
    alike = similarity(reader, root)
    head = "because it is" if alike >= ALIKE else "as it is new, though"
    return f"{head} {similarity_words(alike)} what {reader.name} says and writes"


def shown_reasons(reader: FeedReader, card: int, ready: Sequence[int]) -> list[ShownReason]:
    """All that bears on whether the chosen person is shown a card. ready: what would be shown to them now."""
    me, feed = reader.account, reader.feed
    if me is None:
        return []
    posts, name = feed.posts, reader.name
    root, author = posts.root.item(card), posts.author.item(card)
    writer = posts.author.item(root)
    out = [_ready(reader, root, ready)]
    hidden = next((user for user in (author, writer) if user in me.mutes or user in me.blocks), NOBODY)
    if hidden != NOBODY:
        out.append(
            ShownReason(f"kept away: {name} has {'muted' if hidden in me.mutes else 'blocked'} {reader.short(hidden)}")
        )
    if writer == me.number:
        out.append(ShownReason(f"{name} wrote it"))
    elif writer in me.follows:
        out.append(ShownReason(f"{name} follows {reader.short(writer)}"))
    else:
        by = [reader.short(user) for user in passed_on_by(reader, root)]
        more = f" and {len(by) - 1} more" if len(by) > 1 else ""
        out.append(ShownReason(f"{name} follows {by[0]}{more}, who passed it on") if by else
                   ShownReason(f"{name} does not follow {reader.short(writer)}"))  # fmt: skip
    alike = similarity(reader, root)
    out.append(ShownReason(f"{similarity_words(alike)} what {name} says and writes", max(0.0, alike)))
    age = max(0, int(reader.viewer.world.now) - posts.t.item(root))
    fresh = float(recency(np.array([min(age, OLDEST)]))[0])
    old = "too old to be shown to who does not follow" if age >= OLDEST else f"{reader.ago(posts.t.item(root))} old"
    out.append(ShownReason(old.replace("just now old", "brand new"), fresh))
    fans = feed.users.fans.item(writer)
    out.append(
        ShownReason(
            f"{reader.short(writer)} has {count_of(fans, 'follower')}", min(1.0, fans / WIDELY) if fans else 0.0
        )
    )
    return [*out, *_liked(reader, root), *_hot(reader, root)]


def _ready(reader: FeedReader, root: int, ready: Sequence[int]) -> ShownReason:
    roots = [reader.feed.posts.root.item(card) for card in ready]
    if root in roots:
        return ShownReason(f"ready for {reader.name} now: number {roots.index(root) + 1} of {len(roots)}")
    return ShownReason(f"not among the {len(roots)} that are ready for {reader.name} now")


def _liked(reader: FeedReader, root: int) -> list[ShownReason]:
    """How it stands among the posts of the day, by likes."""
    posts = reader.feed.posts
    likes = posts.likes.item(root)
    if not likes:
        return []
    day = posts.likes[recent(reader.feed, reader.viewer.world.now, DAY)]
    below = float((day < likes).mean()) if len(day) else 0.0
    many = "liked by many" if below >= MANY else "liked by some"
    return [ShownReason(f"{many}: {count_of(likes, 'like')}, more than {below:.0%} of the day", below)]


def _hot(reader: FeedReader, root: int) -> list[ShownReason]:
    world = reader.viewer.world
    p = world.feed_parameters
    hot = hottest(reader.feed, world.now, p.hot, p.formula).tolist()
    return [ShownReason(f"hot: number {hot.index(root) + 1} of all")] if root in hot else []
