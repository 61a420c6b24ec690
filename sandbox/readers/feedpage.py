"""What went round on the feed: a page of text on the last day, for whoever has lived one without a screen."""

from __future__ import annotations

import numpy as np

from sandbox.core.clock import DAY
from sandbox.core.plain import count_of, safe_line
from sandbox.engine.world import World
from sandbox.feed.cards import KIND_WORDS
from sandbox.feed.model import NEUTRAL, NOBODY, REPOST, Feed
from sandbox.feed.reading import WordSource, comment_text, name_of_user, text_of
from sandbox.feed.recommenders import recent
from sandbox.feed.words import CrowdWords

POSTS, COMMENTS = 5, 2  # told at most: posts, and comments of each
LOOKED = 40  # comments of a post among which these are
WIDE = 78
TONES = {-1: "against", 0: "so-so", 1: "warm"}


def feed_page(world: World, since: int | None = None) -> str:
    """The page; "" of a world without a feed, or on which nothing stands. since: the second from which on it is told;
    None = the last 24 hours.
    """
    feed = world.feed
    if not feed.posts.n:
        return ""
    since = max(0, world.now - DAY) if since is None else since
    words = CrowdWords.of(world.scenario)
    posts, comments = feed.posts, feed.comments
    new = (posts.t[: posts.n] >= since) & ~posts.gone[: posts.n] & ~posts.gone[posts.root[: posts.n]]
    again = posts.kind[: posts.n] == REPOST
    heard = (comments.t[: comments.n] >= since) & ~posts.gone[comments.post[: comments.n]]
    own, passed, said = int((new & ~again).sum()), int((new & again).sum()), int(heard.sum())
    what = f"{count_of(own, 'post')}, {passed:,} passed on, {count_of(said, 'comment')}"
    lines = [f"THE FEED, {count_of(feed.users.n, 'user')}: {what} since {world.clock.words(since)}", ""]
    for post in _best(feed, world.now, since):
        lines += [*_told(feed, post, words), ""]
    return "\n".join(lines).rstrip()


def feed_sums(world: World) -> dict[str, int] | None:
    """What stands on the feed, for a script; None of a world without one. follows: of accounts and crowd; the others
    without what is deleted.
    """
    feed = world.feed
    if not feed.users.n:
        return None
    posts = feed.posts
    there = ~posts.gone[: posts.n] & ~posts.gone[posts.root[: posts.n]]
    kinds = np.bincount(posts.kind[: posts.n][there], minlength=3)
    counted_ = {name: int(getattr(posts, name)[: posts.n][there].sum()) for name in ("comments", "likes", "dislikes")}
    return {
        "users": feed.users.n,
        "accounts": len(feed.accounts),
        **{f"{name}s": int(kinds[i]) for i, name in enumerate(KIND_WORDS)},
        **counted_,
        "follows": int(feed.users.fans[: feed.users.n].sum()),
    }


def _best(feed: Feed, now: int, since: int) -> list[int]:
    cards = recent(feed, now, now - since + 1)
    order = np.lexsort((cards, -feed.posts.likes[cards]))
    return [int(x) for x in cards[order[:POSTS]]]


def _told(feed: Feed, post: int, words: WordSource) -> list[str]:
    p = feed.posts
    author, text = safe_line(name_of_user(feed, int(p.author[post]), words)), safe_line(text_of(feed, post, words))
    likes, passed = count_of(int(p.likes[post]), "like"), int(p.reposts[post])
    out = _wrapped(f"{author}: {text}", "  ")
    out.append(
        f"    {likes}, {int(p.dislikes[post]):,} against, passed on {count_of(passed, 'time')},"
        f" {count_of(int(p.comments[post]), 'comment')}"
    )
    for comment in _telling(feed, post):
        by = safe_line(name_of_user(feed, int(feed.comments.author[comment]), words))
        said = comment_text(feed, comment, words)
        out += _wrapped(f"{by} ({TONES[int(feed.comments.tone[comment])]}): {safe_line(said)}", "      ")
    return out


def _telling(feed: Feed, post: int) -> list[int]:
    """Comments of a post that are worth telling: of the newest the first of each tone, those that take sides before
    others.
    """
    newest: dict[int, int] = {}
    comment = int(feed.posts.last[post])
    for _ in range(LOOKED):
        if comment == NOBODY:
            break
        newest.setdefault(int(feed.comments.tone[comment]), comment)
        comment = int(feed.comments.before[comment])
    return [newest[tone] for tone in sorted(newest, key=lambda tone: tone == NEUTRAL)][:COMMENTS]


def _wrapped(text: str, indent: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, WIDE, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
