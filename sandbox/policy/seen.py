"""What came of a round, found by comparing the feed before it with the feed after it: nothing else is needed, so that a
policy is taught from the log as it was in the run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.claims import DOUBTED, Beliefs, claims_of_cards
from sandbox.feed.graph import following
from sandbox.feed.model import CLAIM, QUOTE, REBUTTAL, REPOST, UNIT, Feed
from sandbox.feed.tables import Bytes, Flags, Floats, Longs, pair_keys, places_in, run_starts
from sandbox.policy.toxicity import CommentToxicity


class Act:
    """What a reader has done with a chosen card, as bits of a number."""

    LIKE, DISLIKE, FOLLOW, COMMENT, QUOTE, REPOST, UNFOLLOW = (1 << i for i in range(7))


class Seen(NamedTuple):
    """What came of a round. users, cards, scores: the arms that were read, as chosen. senders: who wrote the cards.
    acts: bits (`Act`). toxicity: of the reader's comment, in [0, 1], 0 without one. *_before, *_after: stances of
    sender and receiver, in [-1, 1]. authors, levels: whose exposure could be set, and what it was, in [0, 1]; infected,
    freed: how many have come to believe the watched claim, or no longer do, by a card of each. believed, believe: who
    did before and does after it, (users,), empty if no claim is watched. answers: comments, reposts and quotes of the
    round by everybody. mix: the shares set, None = none. active: how many users looked.
    """

    users: Longs
    cards: Longs
    scores: Floats
    senders: Longs
    acts: Bytes
    toxicity: Floats
    sender_before: Floats
    sender_after: Floats
    receiver_before: Floats
    receiver_after: Floats
    authors: Longs
    levels: Floats
    infected: Longs
    freed: Longs
    believed: Flags
    believe: Flags
    answers: Answers
    mix: tuple[float, ...] | None
    active: int


class Answers(NamedTuple):
    """Comments, reposts and quotes of a round. by, to: users: who answered whom. acts: bits (`Act`). toxicity: of
    comments. stance_by, stance_to: of both, in [-1, 1], when the round ended.
    """

    by: Longs
    to: Longs
    acts: Bytes
    toxicity: Floats
    stance_by: Floats
    stance_to: Floats


class RoundWatch:
    """The feed at the beginning of a round, as far as it is needed at its end. arms: users, cards and scores.
    exposures: authors, ascending, and their levels. look: users of the crowd who look in the round.
    """

    def __init__(
        self,
        feed: Feed,
        arms: tuple[Longs, Longs, Floats],
        exposures: tuple[Longs, Floats],
        mix: tuple[float, ...] | None,
        look: Longs,
    ) -> None:
        self.users, self.cards, self.scores = arms
        self.authors, self.levels = exposures
        self.mix, self.look = mix, look
        self.acts = acts_of(feed, self.users, self.cards)
        self.stance = feed.users.stance[: feed.users.n].copy()
        self.since = feed.posts.n, feed.comments.n
        self.believed = Beliefs(feed).misinformed if feed.claims else NOBODY

    def seen(self, feed: Feed, toxicity: CommentToxicity) -> Seen:
        """What has come of it."""
        looked = feed.steering.looked if feed.steering is not None else ()
        read = places_in(self.look, self.users)[1] | np.isin(self.users, np.array([*looked], np.int64))
        users, cards = self.users[read], self.cards[read]
        senders = feed.posts.author[cards].astype(np.int64)
        answers = answers_since(feed, self.since, toxicity)
        believe = Beliefs(feed).misinformed if feed.claims else NOBODY
        infected, freed = self._changed(feed, believe)
        return Seen(
            users,
            cards,
            self.scores[read],
            senders,
            new_acts(self.acts[read], acts_of(feed, users, cards)),
            self._toxicity(feed, users, cards, toxicity),
            self._before(senders),
            stances(feed, senders),
            self._before(users),
            stances(feed, users),
            self.authors,
            self.levels,
            infected,
            freed,
            self.believed,
            believe,
            answers,
            self.mix,
            int(run_starts(self.look).sum()) + len(looked),
        )

    def _before(self, users: Longs) -> Floats:
        found: Floats = self.stance[users] * np.float32(1 / UNIT)
        return found

    def _toxicity(self, feed: Feed, users: Longs, cards: Longs, toxicity: CommentToxicity) -> Floats:
        """Of the comment that each reader has written on the card in the round."""
        new = np.arange(self.since[1], feed.comments.n)
        keys = pair_keys(feed.comments.author[new], feed.comments.post[new])
        order = keys.argsort()
        at, there = places_in(keys[order], pair_keys(users, cards))
        found = np.zeros(len(users), np.float32)
        found[there] = toxicity.of(feed, new[order[at[there]]])
        return found

    def _changed(self, feed: Feed, believe: Flags) -> tuple[Longs, Longs]:
        """How many users have come to believe the claim by a card of each author, and how many no longer do."""
        counts = np.zeros((2, len(self.authors)), np.int64)
        if not len(believe) or not len(self.authors):
            return counts[0], counts[1]
        posts, comments, of = feed.posts, feed.comments, claims_of_cards(feed)
        before = np.zeros(feed.users.n, bool)
        before[: len(self.believed)] = self.believed
        cards, said = np.arange(self.since[0], posts.n), np.arange(self.since[1], comments.n)
        cards = cards[posts.kind[cards] == REPOST]
        said = said[(comments.doubt[said] >= DOUBTED) & (of[comments.post[said]] == CLAIM)]
        by, who, whose = posts.author[posts.via[cards]], posts.author[cards], comments.author[said]
        caught = by[(of[cards] == CLAIM) & believe[who] & ~before[who]]
        freed = by[(of[cards] == REBUTTAL) & before[who] & ~believe[who]]
        doubted = posts.author[comments.post[said[before[whose] & ~believe[whose]]]]  # a comment tells its root only
        for row, authors in ((0, caught), (1, freed), (1, doubted)):
            at, known = places_in(self.authors, authors)
            np.add.at(counts[row], at[known], 1)
        return counts[0], counts[1]


NOBODY: Flags = np.zeros(0, bool)


def acts_of(feed: Feed, users: Longs, roots: Longs) -> Bytes:
    """What each user has done with a root so far, as bits (`Act`)."""
    crowd = users < feed.crowd
    found = np.zeros(len(users), np.uint8)
    who, on = users[crowd], roots[crowd]
    if len(who):
        keys, author = pair_keys(who, on), feed.posts.author[on].astype(np.int64)
        done = [feed.liked.find(keys), feed.disliked.find(keys), following(feed.graph, who, author)]
        done += [feed.commented.find(keys), np.zeros(len(who), bool), feed.reposted.find(keys)]
        found[crowd] = sum(flags.astype(np.uint8) << i for i, flags in enumerate(done))
    for i in (~crowd).nonzero()[0].tolist():
        found[i] = _acts_of_account(feed, int(users[i]), int(roots[i]))
    return found


def _acts_of_account(feed: Feed, user: int, root: int) -> int:
    me, posts = feed.accounts[user], feed.posts
    comment, said = posts.last.item(root), False
    while comment >= 0 and not said:
        said = feed.comments.author.item(comment) == user
        comment = feed.comments.before.item(comment)
    quoted = any(posts.kind.item(card) == QUOTE and posts.of.item(card) == root for card in me.posts)
    done = root in me.likes, root in me.dislikes, posts.author.item(root) in me.follows
    flags: tuple[bool, ...] = (*done, said, quoted, root in me.reposted)
    return sum(1 << i for i, flag in enumerate(flags) if flag)


def new_acts(before: Bytes, after: Bytes) -> Bytes:
    """The acts of a round, from those before and after it."""
    ended: Flags = (before & ~after & Act.FOLLOW) > 0
    found: Bytes = (after & ~before) | np.where(ended, Act.UNFOLLOW, 0).astype(np.uint8)
    return found


def stances(feed: Feed, users: NDArray[np.integer]) -> Floats:
    """Stances of users, in [-1, 1]."""
    found: Floats = feed.users.stance[users] * np.float32(1 / UNIT)
    return found


def answers_since(feed: Feed, since: tuple[int, int], toxicity: CommentToxicity) -> Answers:
    """The comments, reposts and quotes since there were so many cards and comments."""
    posts, comments = feed.posts, feed.comments
    cards = np.arange(since[0], posts.n)
    cards = cards[posts.via[cards] >= 0]
    said = np.arange(since[1], comments.n)
    by = np.concatenate((posts.author[cards], comments.author[said])).astype(np.int64)
    on = np.concatenate((posts.root[posts.via[cards]], comments.post[said]))
    to = posts.author[on].astype(np.int64)
    passed = np.where(posts.kind[cards] == QUOTE, Act.QUOTE, Act.REPOST)
    acts = np.concatenate((passed, np.full(len(said), Act.COMMENT))).astype(np.uint8)
    toxic = np.concatenate((np.zeros(len(cards), np.float32), toxicity.of(feed, said)))
    return Answers(by, to, acts, toxic, stances(feed, by), stances(feed, to))
