"""A day of the feed in a few sentences, for the page of a town: whose post was liked most, and which rules ran."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Record
from sandbox.core.plain import count_of, safe_line
from sandbox.core.text import clean
from sandbox.engine.world import World
from sandbox.feed.card_scores import recent
from sandbox.feed.cards import KIND_WORDS
from sandbox.feed.events import Connected, Deleted, Posted, Quoted, Reacted
from sandbox.feed.model import NEUTRAL, NOBODY, REPOST, Feed
from sandbox.feed.packing import ActKind, CrowdActed
from sandbox.feed.reading import WordSource, comment_text, name_of_user, text_of
from sandbox.feed.words import CrowdWords
from sandbox.phones.model import Crossed, Read
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.story import Teller

CROSSED = 4  # rules mentioned at most, each by its first run towards the street, or else its first at all
SHORT = 140  # characters quoted of a post


class FeedDay:
    """Reads a day's records; `told` gives the sentences."""

    def __init__(self, world: World) -> None:
        self._people, self._name = world.cast, world.handbook.name
        self._lately: dict[int, Event] = {}
        self._teller = Teller(world.handbook, lately=self._lately)
        self._posts: dict[int, tuple[str, str]] = {}  # post -> (author, text)
        self._town: Counter[int] = Counter()  # post -> likes by the town's people
        self._crowd: Counter[int] | None = None  # post -> likes by the crowd; None = no acts of a crowd were read
        self._crossed: dict[str, tuple[bool, int, str]] = {}  # rule -> (whether towards the feed, second, sentence)

    def read(self, record: Record) -> None:
        """Take in the next record."""
        at, e = record
        if isinstance(e, Posted | Quoted):
            if at.actor in self._people:
                self._posts[e.post] = (at.actor, e.text)
        elif isinstance(e, Deleted):
            self._posts.pop(e.post, None)
        elif isinstance(e, CrowdActed):
            liked = np.frombuffer(e.targets, "<u4")[np.frombuffer(e.acts, np.uint8) == ActKind.LIKE]
            self._crowd = self._crowd or Counter()
            self._crowd.update(card for card in liked.tolist() if card in self._posts)
        elif isinstance(e, Reacted):
            if e.on == "post" and e.act in ("like", "unlike"):
                self._town[e.target] += 1 if e.act == "like" else -1
        elif isinstance(e, Read | Connected):
            self._lately[at.seq] = e
        elif isinstance(e, Crossed) and e.pile is not False:
            found = (e.way == "feed", at.t, event_sentence(record, self._teller))
            self._crossed[e.rule] = min(self._crossed.get(e.rule, found), found)

    def told(self) -> tuple[str, ...]:
        """Sentences with full stops; none if nobody wrote anything and no rule ran."""
        town, likes = self._town, self._town + (self._crowd or Counter())
        best = max(self._posts, key=lambda card: (likes[card], -card), default=-1)
        out = []
        if likes[best]:
            who, text = self._posts[best]
            whose = "liked most in town" if self._crowd is None else "liked most"
            of = f", {town[best]:,} of them in town" if 0 < town[best] < likes[best] else ""
            out.append(f"{self._name(who)} was {whose} ({count_of(likes[best], 'like')}{of}): “{clean(text, SHORT)}”")
        crossed = sorted(sorted(self._crossed.values())[:CROSSED], key=lambda x: x[1])
        return (*out, *(f"{text}." for _, _, text in crossed))


# ---- what went round on the feed


POSTS, COMMENTS = 5, 2  # posts shown at most, and comments of each
LOOKED = 40  # newest comments of a post among which these are chosen
WIDE = 78  # columns
TONES = {-1: "against", 0: "so-so", 1: "warm"}


def feed_page(world: World, since: int | None = None) -> str:
    """The page of the feed; "" if the world has no feed or it is empty. since: the second it begins at; None = 24 hours
    ago.
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
    """Totals of the feed, for a script; None if the world has none. Deleted posts do not count; follows are those of
    accounts and crowd together.
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
    """Up to COMMENTS comments of a post: the newest of each tone, those that take sides before neutral ones."""
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
