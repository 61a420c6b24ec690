"""People under a policy, as far as rules make them: profile, stance and memory of a user (seed 001, 2.1 and A.2;
docs/policy.md). A language model may take the place of the rules of memory and stance (`lab/studies/policy_minds.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sandbox.core.text import clean
from sandbox.feed.model import NOBODY, QUOTE, REPOST, Feed, norms
from sandbox.feed.reading import WordSource, text_of
from sandbox.feed.tables import Floats, Small
from sandbox.feed.word_lists import TOPICS
from sandbox.talk.sentiment import sentiment

MOST_POSTS = 20  # posts that a profile is made from, the latest
MOST_INTERESTS = 3
SAID = 160  # letters of a bio in a profile
SHORT = 140  # letters up to which a text is remembered as it is
LONG = 400  # letters of a memory, at most
COUNT = 5  # memories that come to mind at once
DAY = 86400

PASSED, ANSWERED = "RT @", "@"  # how a repost, and an answer, begin
_TAG, _EMOJI = re.compile(r"#(\w+)"), re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")


class UserFacts(NamedTuple):
    """What a platform knows of a user. days: since they joined. followers, follows, likes: how many; likes are given.
    posts: the latest texts; who is passed on stands in front as "RT @ann: ", who is answered as "@ann ". about: what
    each is about, "" = unknown.
    """

    name: str
    handle: str
    bio: str
    days: float
    followers: int
    follows: int
    likes: int
    posts: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


class Profile(NamedTuple):
    """The profile of a user, each part in words: who they are, what they care for, how they write, what they do."""

    identity: str
    interests: str
    style: str
    interaction: str

    @property
    def text(self) -> str:
        """All of it, for a mind."""
        return " ".join(self)


def profile_of(u: UserFacts) -> Profile:
    """The profile of a user, by rules. Only the last 20 posts count."""
    posts, about = u.posts[-MOST_POSTS:], u.about[-MOST_POSTS:]
    own = [text for text in posts if not text.startswith(PASSED)]
    identity = f"{u.name} (@{u.handle}): {clean(u.bio, SAID) or 'says nothing of themselves'}"
    tags = [tag.lower() for text in posts for tag in _TAG.findall(text)]
    most = [name for name, _ in Counter([*tags, *filter(None, about)]).most_common(MOST_INTERESTS)]
    interests = f"Cares for {', '.join(most).replace('_', ' ')}." if most else "Cares for nothing in particular."
    return Profile(identity.rstrip(".") + ".", interests, _style(own), _interaction(u, posts, len(own)))


def _style(own: Sequence[str]) -> str:
    if not own:
        return "Writes nothing."
    n = len(own)
    words = sum(len(text.split()) for text in own) / n
    warm = sum(sentiment(text) for text in own) / n
    told = ["in few words" if words < 12 else "at length" if words > 30 else "in a sentence or two"]
    told += ["kindly"] if warm > 0.3 else ["sharply"] if warm < -0.2 else []
    for what, mark in (("exclamation marks", "!"), ("questions", "?"), ("hashtags", "#")):
        told += [f"with {what}"] if 3 * sum(mark in text for text in own) >= n else []
    told += ["with emoji"] if 3 * sum(_EMOJI.search(text) is not None for text in own) >= n else []
    return f"Writes {', '.join(told)}."


def _interaction(u: UserFacts, posts: Sequence[str], own: int) -> str:
    told = []
    if posts:
        passed, answers = len(posts) - own, sum(text.startswith(ANSWERED) for text in posts)
        kind = "passes on what others write" if 2 * passed > len(posts) else "writes posts"
        told.append(f"Mostly {'answers others' if 2 * answers > len(posts) else kind}.")
    if u.followers > 2 * u.follows + 10:
        told.append("Is followed by many more than they follow.")
    elif u.follows > 2 * u.followers + 10:
        told.append("Follows many more than follow them.")
    if u.days >= 1:
        liked = u.likes / u.days
        told.append("Likes much." if liked > 5 else "Hardly likes anything." if liked < 0.1 else "Likes now and then.")
    return " ".join(told)


def metadata_of(feed: Feed, user: int, now: int, words: WordSource) -> UserFacts:
    """What a feed knows of an account."""
    me, posts = feed.accounts[user], feed.posts
    cards = me.posts[-MOST_POSTS:]
    topics = [posts.topic.item(card) for card in cards]
    return UserFacts(
        me.name,
        me.handle,
        me.bio,
        (now - me.t) / DAY,
        feed.users.fans.item(user),
        len(me.follows),
        len(me.likes),
        tuple(_as_written(feed, card, words) for card in cards),
        tuple(TOPICS[topic] if topic != NOBODY else "" for topic in topics),
    )


def _as_written(feed: Feed, card: int, words: WordSource) -> str:
    """The text of a card, with whom it passes on or answers."""
    posts = feed.posts
    root, kind = posts.root.item(card), posts.kind.item(card)
    text, by = text_of(feed, root, words), posts.author.item(posts.of.item(root) if kind == QUOTE else root)
    account = feed.accounts.get(by)
    handle = account.handle if account is not None else words.handle(feed, by)
    return f"{PASSED}{handle}: {text}" if kind == REPOST else f"{ANSWERED}{handle} {text}" if kind == QUOTE else text


# ---- memory


class Remembered(NamedTuple):
    """A short-term memory in a pool. vector: of the text; round: in which it was made."""

    text: str
    vector: Small
    round: int


def joined_memory(texts: Sequence[str], most: int = LONG) -> str:
    """One memory of several texts, by rules: each once, the last first, cut to so many letters (in the place of
    equation 3 and of the summary of equation 4).
    """
    return clean(" / ".join(dict.fromkeys(text for text in reversed(texts) if text)), most)


def similarities(pool: Sequence[Remembered], query: Small) -> Floats:
    """The cosine of each memory's vector with another, (n,); 0 for a text without content."""
    if not pool:
        return np.zeros(0, np.float32)
    rows = np.stack([memory.vector for memory in pool]).astype(np.float32)
    one = query.astype(np.float32)
    found: Floats = rows @ one / np.maximum(norms(rows) * norms(one), np.float32(1))
    return found


def draw_memories(
    pool: Sequence[Remembered],
    query: Small,
    now: int,
    draw: np.random.Generator,
    count: int = COUNT,
    decay: float = 1.0,
) -> list[Remembered]:
    """Memories that come to mind, at most `count`, in the order of the pool: drawn without replacement, each time with

        Pr(m) ~ e^(-decay (now - round of m)) max(0, similarity of m and the query)

    among those that are left (seed 001, eq. 4; that none is drawn twice is ours). Who has no similarity never comes.
    query: a vector. now: the round.
    """
    alike = similarities(pool, query)
    may = (alike > 0).nonzero()[0]
    age = now - np.array([memory.round for memory in pool], np.float64)[may]
    # The first of exponential clocks of these rates rings for each with its chance; logarithms, lest rates vanish.
    rings = np.log(draw.exponential(size=len(may))) + decay * age - np.log(alike[may])
    found = np.sort(may[np.argsort(rings, kind="stable")[:count]])
    return [pool[i] for i in found.tolist()]
