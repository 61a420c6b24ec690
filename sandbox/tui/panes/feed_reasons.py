"""Why a card is shown to somebody: what the platform's policy has decided for this round, as its event has it; all else
computed from the state of the feed, with the measures the recommenders use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from sandbox.core.clock import DAY
from sandbox.core.plain import count_of
from sandbox.feed.card_scores import OLDEST, hottest, recency, recent
from sandbox.feed.model import NOBODY, REPOST, Steering, norms, post_vectors
from sandbox.feed.steering import FULL, SCORE, Steered
from sandbox.policy.model import HAND
from sandbox.readers.stories_of_feed import mix_words
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.view.person_words import age

# Least cosine of a post and a person's interests for each wording. Of random pairs, half are below 0.06 and one in
# twenty above 0.36.
ALIKE = 0.15
NEAR = ((0.6, "very near to"), (0.35, "near to"), (ALIKE, "a little near to"), (-2.0, "far from"))
WIDELY = 100  # followers that fill the bar
MANY = 0.9  # share of the day's posts with fewer likes from which a post is "liked by many"


class ShownReason(NamedTuple):
    """A reason for or against showing a card. share: its strength in [0, 1] for a bar; None for a plain fact."""

    says: str
    share: float | None = None


class ChosenCard(NamedTuple):
    """A card chosen for a reader in this round. score: as the policy gave it; rank: from 1 on, among `of` cards."""

    user: int
    card: int
    score: float
    rank: int
    of: int


def cards_chosen(steering: Steering, user: int | None = None) -> list[ChosenCard]:
    """The cards that the round's event has chosen, for all readers or for one, by reader, the best first."""
    users = steering.users
    begin, end = (0, len(users)) if user is None else users.searchsorted([user, user + 1]).tolist()
    own = users[begin:end]
    first, last = users.searchsorted(own), users.searchsorted(own, side="right")
    rank = np.arange(begin, end) - first + 1
    columns = own, steering.cards[begin:end], steering.scores[begin:end] / SCORE, rank, last - first
    return [ChosenCard(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def chosen_reasons(reader: FeedReader, card: int) -> list[str]:
    """Why the event of this round puts a card before the chosen person: it is pinned, or chosen for them."""
    steering, root = reader.feed.steering, reader.feed.posts.root.item(card)
    if steering is None:
        return []
    pinned = ["pinned by the platform: everybody reads it first"] if root in steering.pins else []
    mine = [arm for arm in cards_chosen(steering, reader.me) if arm.card == root]
    by = _seat(steering)
    return pinned + [f"{by} chose it for {reader.name}: score {arm.score:.2f}, {arm.rank} of {arm.of}" for arm in mine]


def steered_reasons(reader: FeedReader, card: int) -> list[str]:
    """What else that event does about it: its author is turned down, the shares of the mix are set."""
    steering, posts = reader.feed.steering, reader.feed.posts
    if steering is None:
        return []
    out, level = list[str](), steering.level
    for user in dict.fromkeys((posts.author.item(card), posts.author.item(posts.root.item(card)))):
        if level is not None and (passes := level.item(min(user, len(level) - 1))) < FULL:
            out.append(f"the platform shows {passes} in a hundred of the cards of {reader.short(user)}")
    return out if steering.mix is None else [*out, f"{_seat(steering)} set {mix_words(steering.mix)}"]


def _seat(steering: Steering) -> str:
    policy = cast(Steered, steering.event).policy
    return "the platform's seat" if policy == HAND else policy


def similarity(reader: FeedReader, root: int) -> float:
    """The cosine of a post's vector and that of the chosen person's interests, in [-1, 1]; 0 if one has none."""
    feed = reader.feed
    post = post_vectors(feed, np.array([root], np.int32))
    user = feed.users.vector[reader.me].astype(np.float32)
    length = float(norms(post)[0] * norms(user))
    return float(post[0] @ user) / length if length else 0.0


def similarity_words(value: float) -> str:
    """A similarity in [-1, 1] as words: "near to"."""
    return next(word for least, word in NEAR if value >= least)


def passed_on_by(reader: FeedReader, root: int) -> list[int]:
    """The users whom the chosen person follows and who have passed the post on."""
    posts, me = reader.feed.posts, reader.account
    if me is None:
        return []
    cards = np.flatnonzero((posts.root[: posts.n] == root) & (posts.kind[: posts.n] == REPOST) & ~posts.gone[: posts.n])
    return [user for user in posts.author[cards].tolist() if user in me.follows]


def short_reason(reader: FeedReader, card: int) -> str:
    """The main reason why the chosen person is shown a card, in a few words; "" if nobody is chosen."""
    me, posts = reader.account, reader.feed.posts
    if me is None:
        return ""
    author, root = posts.author.item(card), posts.root.item(card)
    if chosen := chosen_reasons(reader, card):
        return chosen[0]
    if author in me.follows:
        return f"because {reader.name} follows {reader.short(author)}"
    if reader.feed.kind == "reddit":
        return "because it is one of the hottest, which everybody sees"
    alike = similarity(reader, root)
    head = "because it is" if alike >= ALIKE else "because it is new, though"
    return f"{head} {similarity_words(alike)} what {reader.name} says and writes"


def shown_reasons(reader: FeedReader, card: int, ready: Sequence[int]) -> list[ShownReason]:
    """All reasons for and against showing a card to the chosen person. ready: the cards they would be shown now."""
    me, feed = reader.account, reader.feed
    if me is None:
        return []
    posts, name = feed.posts, reader.name
    root, author = posts.root.item(card), posts.author.item(card)
    writer = posts.author.item(root)
    out = [ShownReason(says) for says in (*chosen_reasons(reader, card), *steered_reasons(reader, card))]
    out.append(_ready(reader, root, ready))
    hidden = next((user for user in (author, writer) if user in me.mutes or user in me.blocks), NOBODY)
    if hidden != NOBODY:
        how = "muted" if hidden in me.mutes else "blocked"
        out.append(ShownReason(f"hidden: {name} has {how} {reader.short(hidden)}"))
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
    t = posts.t.item(root)
    lasts = max(0, int(reader.viewer.world.now) - t)
    fresh = float(recency(np.array([min(lasts, OLDEST)]))[0])
    old = "too old for those who do not follow the writer"
    out.append(ShownReason(old if lasts >= OLDEST else age(reader.now - t, " old", "brand new"), fresh))
    fans = feed.users.fans.item(writer)
    out.append(ShownReason(f"{reader.short(writer)} has {count_of(fans, 'follower')}", min(1.0, fans / WIDELY)))
    return [*out, *_liked(reader, root), *_hot(reader, root)]


def _ready(reader: FeedReader, root: int, ready: Sequence[int]) -> ShownReason:
    roots = [reader.feed.posts.root.item(card) for card in ready]
    if root in roots:
        return ShownReason(f"ready for {reader.name} now: number {roots.index(root) + 1} of {len(roots)}")
    return ShownReason(f"not among the {len(roots)} that are ready for {reader.name} now")


def _liked(reader: FeedReader, root: int) -> list[ShownReason]:
    """Its rank by likes among the posts of the last day; nothing without a like."""
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
