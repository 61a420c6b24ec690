"""What a card is to its reader: the acts possible on it, and the features they depend on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from operator import mul

import numpy as np

from sandbox.feed.model import UNIT, UNTOLD, Account, Feed
from sandbox.feed.reading import either_blocked, name_of_user, text_of
from sandbox.people.mood_queries import mood_of
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.question_use import SeenCard
from sandbox.talk.content import tie_of


def account_of(w: HasPhones, who: str) -> Account | None:
    """A resident's account, None if they have none."""
    return w.feed.accounts.get(w.feed.handles.get(who.lower(), -1))


def resident_of(w: HasPhones, user: int) -> str:
    """The resident who owns an account; "" for a stranger or another's account."""
    account = w.feed.accounts.get(user)
    return account.handle if account is not None and account.handle in w.people.residents else ""


def phones_enabled(w: HasPhones) -> bool:
    """Whether residents have phones at all."""
    return bool((w.feed.on or w.feed.crowd) and w.phone_parameters.looks and w.phone_deck.posts and w.feed.accounts)


def likeness(feed: Feed, me: Account, card: int) -> float:
    """Cosine similarity of a post and somebody's interests, in [-1, 1]."""
    posts = feed.posts
    row = posts.vector.item(card)
    if row < 0:
        topic = posts.topic.item(card)
        other = feed.topics[topic] if topic >= 0 else np.zeros(1, np.int8)
    else:
        other = feed.vectors.row[row]
    a, b = feed.users.vector[me.number].tolist(), other.tolist()
    if len(a) != len(b):
        return 0.0
    size = sqrt(sum(map(mul, a, a)) * sum(map(mul, b, b)))
    return round(sum(map(mul, a, b)) / size, 6) if size else 0.0


def opinion_of(w: HasPhones, me: str, topic: str) -> float:
    """Somebody's stance on a topic of opinion; 0 if they have none."""
    view = w.cast[me].opinions.get(topic)
    return view.stance if view is not None else 0.0


def features_of(
    w: HasPhones, me: str, account: Account, root: int, author: str, x: Written | None, t: int
) -> dict[str, float]:
    """The features of a card for a reader (deck.CARD_FEATURES). author: "" for a stranger."""
    feed, posts, traits, pad = w.feed, w.feed.posts, w.cast[me].big_five, mood_of(w, me, t)
    score = posts.likes.item(root) - posts.dislikes.item(root)
    warm = x.valence if x is not None else feed.users.pleasure.item(posts.author.item(root)) / 100
    about = x.whom if x is not None else ""
    return {
        "base": 1.0,
        "fond": tie_of(w, me, author).feeling if author else 0.0,
        "near": likeness(feed, account, root),
        "agrees": _agrees(w, me, root, x),
        "warm": max(0.0, warm),
        "bitter": max(0.0, -warm),
        "known": float(bool(author)),
        "about_me": float(bool(x) and me in (about, x.a, x.b)) if x is not None else 0.0,
        "about_dear": tie_of(w, me, about).feeling if about and about != me else 0.0,
        "liked": math.copysign(min(1.0, math.log10(1 + abs(score)) / 2), score) if score else 0.0,
        "pleased": pad.p,
        "roused": pad.a,
        "bold": pad.d,
        "outgoing": traits.extraversion,
        "agreeable": traits.agreeableness,
        "asks": float(x is not None and x.move in ("post_ask", "beg")),
        "to_me": float(posts.of.item(root) != root and resident_of(w, posts.author.item(posts.of.item(root))) == me),
    }


def _agrees(w: HasPhones, me: str, root: int, x: Written | None) -> float:
    """How far somebody agrees with a post's stance, in [-1, 1]."""
    if x is not None and x.opinion:
        return opinion_of(w, me, x.opinion) * x.stance
    stance = w.feed.posts.stance.item(root)
    if x is not None or stance == UNTOLD:
        return 0.0
    return stance / UNIT * 0.3 * w.cast[me].big_five.openness


def seen_card(w: HasPhones, me: str, card: int, t: int) -> SeenCard:
    """A card with the acts still possible on it, for the question what to do."""
    feed, posts, words = w.feed, w.feed.posts, w.means.words
    account = account_of(w, me)
    assert account is not None
    root = posts.root.item(card)
    writer = posts.author.item(root)
    author = resident_of(w, writer)
    x = w.phones.written.get(root)
    over = {
        "like": (voted := root in account.likes or root in account.dislikes), "dislike": voted,
        "repost": (again := root in account.reposted), "quote": again,
        "follow": writer in account.follows,
        "message": not author or either_blocked(account, writer),
        "mute": not author or writer in account.mutes,
        "comment": me in {c.author for c in w.phones.comments.values() if c.on == root},
    }  # fmt: skip
    can = {act: weights for act, weights in w.phone_deck.acts.items() if not over.get(act)}
    about = x.topic if x is not None else ""
    name = w.handbook.name(author) if author else name_of_user(feed, writer, words)
    text = text_of(feed, root, words)
    return SeenCard(card, name, text, about, can, features_of(w, me, account, root, author, x, t))


def newest_comments(w: HasPhones, root: int) -> Iterator[int]:
    """The comments of a post, newest first."""
    at = w.feed.posts.last.item(root)
    while at >= 0:
        yield at
        at = w.feed.comments.before.item(at)


def pleases(likes: int, dislikes: int, comments: int, foes: int) -> bool:
    """Whether reactions to a post please its author. foes: the number of hostile comments."""
    return likes + comments > 2 * (dislikes + foes)


def hostile(w: HasPhones, root: int, since: int = -1) -> int:
    """How many different strangers have commented with hostility after second `since`."""
    comments, latest = w.feed.comments, islice(newest_comments(w, root), 10_000)
    against = (at for at in latest if comments.tone.item(at) < 0 and comments.t.item(at) > since)
    return len({who for at in against if (who := comments.author.item(at)) < w.feed.crowd})
