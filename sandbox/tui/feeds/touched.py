"""Who of the town has had to do with a post: who read it, liked it, commented, passed it on, wrote about it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandbox.feed.model import QUOTE
from sandbox.tui.feeds.reader import Reader


class Touched(NamedTuple):
    """A resident. deeds: what they did, beside reading. read: when they read it last, -1 = not known."""

    who: str
    user: int
    deeds: tuple[str, ...]
    read: int


def of_the_town(reader: Reader, root: int) -> list[Touched]:
    """All residents who had to do with a post, whoever did most first."""
    feed, phones = reader.feed, reader.phones.phones
    posts, comments = feed.posts, feed.comments
    same = np.flatnonzero(posts.root[: posts.n] == root).tolist()  # the post, and whatever shows its words
    about = np.flatnonzero((posts.of[: posts.n] == root) & (posts.kind[: posts.n] == QUOTE) & ~posts.gone[: posts.n])
    quoted = set(posts.author[about].tolist())
    said = set(comments.author[: comments.n][comments.post[: comments.n] == root].tolist())
    out = []
    for who in reader.viewer.world.cast:
        user = feed.handles.get(who.lower(), -1)
        account = feed.accounts.get(user)
        if account is None:
            continue
        did = (
            ("liked", root in account.likes), ("disliked", root in account.dislikes), ("commented", user in said),
            ("passed it on", root in account.reposted), ("wrote about it", user in quoted),
            ("reported it", root in account.reported),
        )  # fmt: skip
        deeds = tuple(word for word, so in did if so)
        read = phones[who].read if who in phones else {}
        at = max((read[card] for card in same if card in read), default=-1)
        if deeds or at >= 0:
            out.append(Touched(who, user, deeds, at))
    return sorted(out, key=lambda one: -len(one.deeds))
